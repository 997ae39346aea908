"""Spieltisch: family board games as rules, bots, a table in the terminal and environments for research."""

__version__ = "0.1.0"
