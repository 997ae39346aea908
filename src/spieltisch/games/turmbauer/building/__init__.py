"""The grid, the stones, where they fit and where pawns can go."""
