"""A table without a server: events, state, commands and projection, in the standard library alone."""
