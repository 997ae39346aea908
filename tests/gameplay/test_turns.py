"""Turns: actions grouped by whose they are, with draws in the turn that they belong to."""

from __future__ import annotations

import pytest

from spieltisch import registry
from spieltisch.core.game import Heard, Over, Seat
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.gameplay.turns import split_turns

ADA, BEN = Seat(0), Seat(1)


def runs(game: str, *heard: tuple[Seat | None, str]) -> list[tuple[int, int, Seat | None, bool]]:
    return [tuple(turn) for turn in split_turns(registry.find(game), [Heard(*one) for one in heard])]


def test_the_deal_is_one_turn_of_nobody_and_later_draws_belong_to_the_turn_before():
    heard = [(None, "R"), (None, "B"), (ADA, "R"), (ADA, "."), (None, "?"), (BEN, "B"), (ADA, "R")]
    assert runs("template", *heard) == [(0, 2, None, True), (2, 5, ADA, False), (5, 6, BEN, False), (6, 7, ADA, False)]


def test_a_roll_opens_the_turn_that_follows_it():
    heard = [
        (None, "1+2"),
        (ADA, "2d"),
        (ADA, "@0,0,1;1,0,1"),
        (None, "stands"),
        (ADA, "."),
        (None, "3+4"),
        (ADA, "4l"),
    ]
    assert runs("turmbauer", *heard) == [(0, 5, ADA, False), (5, 7, ADA, False)]


@pytest.mark.parametrize("name", registry.names())
def test_every_action_of_a_game_belongs_to_one_turn(name):
    game = registry.find(name).for_simulation
    referee = Referee(game, game.agree(), seeded(3))
    for _ in range(40):
        pending = referee.settle()
        if isinstance(pending, Over):
            break
        referee.play(pending.seat, [pending.actions[0]])
    heard = referee.heard(None)
    turns = split_turns(game, heard)
    assert [at for turn in turns for at in range(turn.start, turn.stop)] == list(range(len(heard)))
    for turn in turns:
        assert {one.seat for one in heard[turn.start : turn.stop]} <= {turn.seat, None}
