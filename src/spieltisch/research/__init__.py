"""Research environments: every game for PettingZoo, Gymnasium and OpenSpiel, and batches of games in the style of Pgx."""
