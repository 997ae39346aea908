"""Geometry: the grid, the stones, legal places, and the paths of pawns."""
