"""Checks that anybody can run on a game: the laws of the contract, and twins against the rules."""
