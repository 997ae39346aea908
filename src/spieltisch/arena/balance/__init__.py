"""Balance: what a game is like between equal players."""
