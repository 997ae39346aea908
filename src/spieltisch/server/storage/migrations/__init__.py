"""The store's history: every change of its form, in order."""
