"""Seating of duplicate deals: within a deal, every entrant meets the same draws on every seat equally often.

The line-up of a deal gives all entrants the same number of seats, or as nearly the same as possible, in an order drawn
for the deal. It is played in all its rotations. If seats are left over, it is also played under all rotations of the
entrants, so that within the deal everybody has had every part. With more entrants than seats, a deal is between a
selection of them: every selection comes once before any comes again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import TypeAlias

from spieltisch.arena.config import Config

LineUp: TypeAlias = tuple[int, ...]  # the entrant on every seat, by index in the config


def games_per_deal(entrants: int, seats: int) -> int:
    """How many games a deal has."""
    return seats * entrants if entrants < seats and seats % entrants else seats


def line_ups(config: Config, deal: int) -> tuple[LineUp, ...]:
    """The line-ups of a deal's games, in the order in which they are played."""
    seats, selection = config.players, _select(config, deal)
    rng = Random(f"arena {config.seed} {deal} line-up")
    parts = [seat % len(selection) for seat in range(seats)]
    rng.shuffle(parts)
    shifts = range(len(selection)) if seats % len(selection) else range(1)
    return tuple(
        tuple(selection[(parts[(seat + turn) % seats] + shift) % len(selection)] for seat in range(seats))
        for shift in shifts
        for turn in range(seats)
    )


def _select(config: Config, deal: int) -> LineUp:
    """The entrants of a deal, in an order drawn for it."""
    count = len(config.entrants)
    rng = Random(f"arena {config.seed} {deal} names")
    if count <= config.players:
        return tuple(rng.sample(range(count), count))
    cycle, index = divmod(deal, len(_selections(count, config.players, 0, 0)))
    return _selections(count, config.players, config.seed, cycle)[index]


@lru_cache(maxsize=8)
def _selections(entrants: int, seats: int, seed: int, cycle: int) -> tuple[LineUp, ...]:
    """Every selection once, in an order drawn for the cycle, in which entrants play about equally often at any time."""
    classes = list(_rotation_classes(entrants, seats))
    Random(f"arena {seed} {cycle} selections").shuffle(classes)
    return tuple(selection for members in classes for selection in members)


def _rotation_classes(entrants: int, seats: int) -> Iterator[list[LineUp]]:
    """The selections, grouped: those of one group become each other if every entrant is replaced by the next."""
    seen: set[LineUp] = set()
    for first in combinations(range(entrants), seats):
        if first not in seen:
            members = {tuple(sorted((one + shift) % entrants for one in first)) for shift in range(entrants)}
            seen |= members
            yield sorted(members)
