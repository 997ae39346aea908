"""Whether a tower stands, and how it falls."""
