"""Who sits where: a deal is a set of games in which the same luck meets everybody on every seat equally often.

The line-up of a deal has every entrant on as many seats as every other, as nearly as the seats allow, in an order
drawn for the deal. It is played in all its rotations. Where seats are left over, whoever has one of them is only a
matter of names: so it is played under all rotations of the names too, and within the deal everybody has had every part.
With more entrants than seats a deal is between some of them: all selections come in turn, before any comes again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import TypeAlias

from spieltisch.arena.config import Terms

LineUp: TypeAlias = tuple[int, ...]  # for every seat the entrant who sits there, by place in the terms


def size_of_a_deal(entrants: int, seats: int) -> int:
    """How many games a deal has."""
    return seats * entrants if entrants < seats and seats % entrants else seats


def line_ups(terms: Terms, deal: int) -> tuple[LineUp, ...]:
    """The line-ups of a deal's games, in the order in which they are played."""
    seats, chosen = terms.players, _chosen(terms, deal)
    dice = Random(f"arena {terms.seed} {deal} line-up")
    parts = [place % len(chosen) for place in range(seats)]
    dice.shuffle(parts)
    names = range(len(chosen)) if seats % len(chosen) else range(1)
    return tuple(
        tuple(chosen[(parts[(seat + turn) % seats] + shift) % len(chosen)] for seat in range(seats))
        for shift in names
        for turn in range(seats)
    )


def _chosen(terms: Terms, deal: int) -> LineUp:
    """The entrants of a deal, in an order of their own."""
    count = len(terms.entrants)
    dice = Random(f"arena {terms.seed} {deal} names")
    if count <= terms.players:
        return tuple(dice.sample(range(count), count))
    cycle, place = divmod(deal, len(_selections(count, terms.players, 0, 0)))
    return _selections(count, terms.players, terms.seed, cycle)[place]


@lru_cache(maxsize=8)
def _selections(entrants: int, seats: int, seed: int, cycle: int) -> tuple[LineUp, ...]:
    """Every selection once, in an order drawn for the cycle in which everybody has played about equally often."""
    families = list(_families(entrants, seats))
    Random(f"arena {seed} {cycle} selections").shuffle(families)
    return tuple(selection for family in families for selection in family)


def _families(entrants: int, seats: int) -> Iterator[list[LineUp]]:
    """The selections in families: those that come from each other by renaming everybody to the next entrant."""
    seen: set[LineUp] = set()
    for first in combinations(range(entrants), seats):
        if first not in seen:
            family = {tuple(sorted((one + shift) % entrants for one in first)) for shift in range(entrants)}
            seen |= family
            yield sorted(family)
