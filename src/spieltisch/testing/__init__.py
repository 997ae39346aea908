"""Checks that any game can be run against: the laws of the contract, twins, and planted bugs that test the checks."""
