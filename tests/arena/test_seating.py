"""Seating of duplicate deals."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from spieltisch.arena.seating import games_per_deal, line_ups
from tests.arena.cases import config_of

TABLES = [(entrants, seats) for entrants in range(2, 8) for seats in range(2, 7)]


@pytest.mark.parametrize(("entrants", "seats"), TABLES)
def test_every_entrant_has_every_seat_equally_often_in_every_deal(entrants, seats):
    for deal in range(5):
        seated = line_ups(config_of(entrants, seats), deal)
        assert len(seated) == games_per_deal(entrants, seats)
        there = {entrant for game in seated for entrant in game}
        assert len(there) == min(entrants, seats)
        often = Counter((entrant, seat) for game in seated for seat, entrant in enumerate(game))
        assert {often[entrant, seat] for entrant in there for seat in range(seats)} == {len(seated) // len(there)}


@pytest.mark.parametrize(("entrants", "seats"), TABLES)
def test_the_seats_of_a_game_are_divided_as_evenly_as_possible(entrants, seats):
    for game in line_ups(config_of(entrants, seats), 0):
        often = Counter(game).values()
        assert max(often) - min(often) <= 1


def test_a_surplus_seat_rotates_within_the_deal():
    seated = line_ups(config_of(2, 5), 0)
    assert Counter(game.count(0) for game in seated) == {2: 5, 3: 5}
    assert {tuple(1 - entrant for entrant in game) for game in seated} == set(seated)


def test_every_selection_of_many_entrants_comes_once_before_any_comes_again():
    config = config_of(6, 3)
    chosen = [frozenset(line_ups(config, deal)[0]) for deal in range(40)]
    assert Counter(chosen[:20]) == Counter(map(frozenset, combinations(range(6), 3)))
    assert Counter(chosen[20:]) == Counter(chosen[:20])
    assert chosen[20:] != chosen[:20]
    for deals in range(1, 40):
        often = Counter(entrant for selection in chosen[:deals] for entrant in selection)
        assert max(often.values()) - min(often[entrant] for entrant in range(6)) <= 3


def test_the_order_around_the_table_changes_from_deal_to_deal():
    assert len({frozenset(line_ups(config_of(4, 4), deal)) for deal in range(60)}) == 6
