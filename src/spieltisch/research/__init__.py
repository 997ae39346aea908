"""Bridges to the libraries of research: every game as an environment of PettingZoo, Gymnasium and OpenSpiel, and many at once."""
