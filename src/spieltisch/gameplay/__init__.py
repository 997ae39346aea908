"""Playing a match: sources of chance, drafts, the referee of a game, series of games, verification."""
