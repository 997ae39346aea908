"""Avatars: bots have faces and names of their own, people what they choose, and nobody at a table the same face."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from spieltisch.table import avatars
from spieltisch.table.avatars import NAMES, choose_identity
from spieltisch.table.codec import decode, encode
from spieltisch.table.commands import Context, Join, SeatPlan, decide, decide_rematch
from spieltisch.table.errors import Taken
from spieltisch.table.state import Status, fold
from tests.table.tables import ADA, BEN, BOT, CLEO, KEY, OPEN, RANDOM, CheckedTable, arrange, join, leave, person, start


def join_as(name: str, avatar: avatars.Avatar | None) -> Join:
    return Join(name, None, None, avatar, code="code", key=KEY)


def look(table: CheckedTable) -> list[tuple[str, str | None]]:
    return [(seat.name, seat.avatar) for seat in table.look(ADA).table.seats]


def test_every_face_has_a_name_of_its_own():
    assert set(NAMES) == set(get_args(avatars.Animal))
    assert len(set(NAMES.values())) == 12
    assert set(get_args(avatars.Avatar)) == {*get_args(avatars.Animal), *get_args(avatars.Coin)}


@pytest.mark.parametrize(("level", "seat"), list(product(range(1, 6), range(5))))
def test_the_face_of_a_bot_belongs_to_its_level(level, seat):
    first, others = choose_identity(f"level:{level}", seat), choose_identity(f"level:{level}", seat + 1)
    assert first != others
    assert choose_identity(f"level:{level}", seat) == first
    assert choose_identity(f"level:{level % 5 + 1}", seat).face != first.face


@pytest.mark.parametrize("player", ["level:1", "level:5", "level:x", "random", "mc:8", "program:./bot"])
def test_twelve_bots_have_twelve_faces_and_more_have_a_number(player):
    seen: list[avatars.BotIdentity] = []
    for seat in range(20):
        seen.append(choose_identity(player, seat, [one.face for one in seen], [one.name for one in seen]))
    assert len({one.face for one in seen[:12]}) == 12
    assert len({one.name for one in seen}) == 20


def test_bots_at_a_table_have_different_faces_and_the_names_that_belong_to_them():
    table = CheckedTable(person("Ada"), BOT, BOT)
    assert look(table) == [("Ada", None), ("Mimi", "mouse"), ("Pip", "chick")]


def test_a_bot_whose_name_was_given_keeps_it():
    table = CheckedTable(person("Ada"), SeatPlan("bot", "Robby", "level:1"), OPEN)
    assert look(table)[1] == ("Robby", "mouse")
    assert "Robby" in str(table.refused(BEN, join(None, "Robby", "code", None), Taken))
    table.do(BEN, join_as("Ben", "mouse"))
    assert look(table)[1:] == [("Robby", "chick"), ("Ben", "mouse")]


def test_before_the_match_a_bot_gives_way_to_a_person_with_its_name_or_its_face():
    table = CheckedTable(person("Ada"), BOT, OPEN)
    table.do(BEN, join_as("Mimi", None))
    assert look(table)[1:] == [("Pip", "chick"), ("Mimi", None)]
    table = CheckedTable(SeatPlan("bot", None, "level:4"), SeatPlan("person", "Ada", None, None, "fox"))
    assert look(table) == [("Karl", "cat"), ("Ada", "fox")]


def test_a_face_that_another_person_has_is_not_given_twice_but_a_colour_is():
    table = CheckedTable(SeatPlan("person", "Ada", None, None, "owl"), OPEN, OPEN)
    table.do(BEN, join_as("Ben", "owl"))
    table.do(CLEO, join_as("Cleo", "red"))
    assert look(table) == [("Ada", "owl"), ("Ben", None), ("Cleo", "red")]


def test_in_the_middle_of_a_match_bots_keep_name_and_face():
    table = CheckedTable(SeatPlan("person", "Ada", None, None, "owl"), BOT, OPEN)
    table.do(BEN, join_as("Ben", "blue"))
    table.do(ADA, start())
    table.do(BEN, leave(2))
    assert look(table)[2] == ("Ben", "blue")  # a bot plays on for him
    table.refused(BEN, join_as("Mimi", None), Taken)
    table.do(BEN, join_as("Benno", "mouse"))
    assert look(table)[1:] == [("Mimi", "mouse"), ("Benno", None)]


def test_another_level_has_another_face():
    table = CheckedTable(person("Ada"), BOT, OPEN)
    table.do(ADA, arrange(1, "level:5"))
    assert look(table)[1] == ("Korbin", "raven")


def test_everybody_keeps_the_face_in_a_rematch():
    table = CheckedTable(SeatPlan("person", "Ada", None, None, "green"), SeatPlan("bot", None, "level:3"), games=1)
    table.play_on(lambda state: state.status is Status.OVER)
    again = fold((event, 0) for event in decide_rematch(table.live, Context(ADA, 0, RANDOM)))
    assert again is not None
    events = decide(again, join(0, "Ada", "", None), Context(ADA, 0))
    for state in (again, fold(((event, 0) for event in events), again)):
        assert state is not None
        assert [(seat.name, seat.avatar) for seat in state.seats] == look(table)


def test_a_bot_of_an_older_log_gets_a_face_and_keeps_its_name():
    line = '@ {"do":"placed","seat":1,"name":"Bot 1","player":"level:2"}'
    assert encode(decode(line)) == line
    state = fold([(decode(line), 0)], CheckedTable(person("Ada"), OPEN).live)
    assert state is not None
    assert (state.seats[1].name, state.seats[1].avatar) == ("Bot 1", "frog")
