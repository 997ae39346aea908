"""Fault injection: the n-th system call on the database fails, for every n in turn; afterwards everything is checked."""
