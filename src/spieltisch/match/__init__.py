"""One sitting: chance, drafts, the referee of a game, series of games, proofs."""
