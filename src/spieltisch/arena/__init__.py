"""Tournaments between bots: who plays better, and how certain that is."""
