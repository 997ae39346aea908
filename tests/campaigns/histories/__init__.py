"""Histories: what many clients did and were told while everything fails around them, checked against the final logs."""
