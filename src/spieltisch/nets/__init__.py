"""Value nets at the table: inference with NumPy, and the file format of weights."""
