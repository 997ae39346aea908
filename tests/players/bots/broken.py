raise KeyError("no such key")
