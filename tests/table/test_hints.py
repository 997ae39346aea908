"""Hints at a table: others learn who was given one, once a turn, and nothing of what it said."""

from __future__ import annotations

import pytest

from spieltisch.gameplay.errors import NotPending
from spieltisch.table.codec import decode, encode
from spieltisch.table.commands import GiveVerdict, TellHint
from spieltisch.table.errors import NotYours, Stale
from spieltisch.table.events import HintTaken
from tests.table.tables import ADA, BEN, BOT, OPEN, CheckedTable, join, person, play_draft, resign, start

RED_ONLY = {"bag": {"R": 50, "B": 0, "G": 0}}


def two_people(*more: object) -> CheckedTable:
    """Ada and Ben in the first game; Ada starts."""
    table = CheckedTable(person("Ada"), OPEN, *more, options=RED_ONLY)
    table.do(BEN, join(None, "Ben", "code", None))
    table.do(ADA, start())
    return table


def hint(table: CheckedTable, by: str = ADA, seat: int = 0) -> list[str]:
    """Everything that is said of a hint to a seat, to the seat and to Ben."""
    before = table.live.version
    table.do(by, TellHint(seat, before))
    return [event.words for who in (ADA, BEN) for event in table.look(who, after=before).events]


def test_everybody_learns_who_was_given_a_hint():
    table = two_people()
    assert hint(table) == ["You ask for a hint.", "Ada asks for a hint."]
    (event,) = table.look(BEN, after=table.live.version - 1).events
    assert (event.kind, event.seat, event.text) == ("hinted", 0, "")


def test_it_is_told_once_a_turn():
    table = two_people()
    assert hint(table)
    assert hint(table) == []
    table.do(ADA, play_draft(0, table.live.version, ["R"]))  # her turn goes on
    assert hint(table) == []
    table.do(ADA, play_draft(0, table.live.version, ["."]))
    assert hint(table, BEN, 1) == ["Ben asks for a hint.", "You ask for a hint."]


def test_a_draft_of_before_can_still_be_played():
    table = two_people()
    version = table.live.version
    hint(table)
    table.do(ADA, play_draft(0, version, ["R", "."]))


def test_nobody_is_told_among_bots():
    table = CheckedTable(person("Ada"), BOT, options=RED_ONLY)
    assert hint(table) == []


def test_somebody_who_has_resigned_is_not_among_those_told():
    table = two_people(BOT)
    table.do(BEN, resign(1))
    assert hint(table) == []


@pytest.mark.parametrize(
    ("by", "seat", "version", "kind"),
    [(BEN, 0, None, NotYours), (BEN, 1, None, NotPending), (ADA, 0, 1, Stale), (ADA, 0, 999, Stale)],
)
def test_only_the_seat_to_move_is_given_hints(by, seat, version, kind):
    table = two_people()
    table.refused(by, TellHint(seat, table.live.version if version is None else version), kind)


def test_the_event_is_stored_like_the_others():
    assert encode(HintTaken(1)) == '@ {"do":"hinted","seat":1}'
    assert decode('@ {"do":"hinted","seat":1}') == HintTaken(1)


def test_a_draw_in_the_middle_of_a_turn_does_not_end_it():
    table = CheckedTable(person("Ada"), OPEN, OPEN, game="turmbauer", options={"hand": "calm"}, games=1)
    table.do(BEN, join(None, "Ben", "code", None))
    table.do("cleo", join(None, "Cleo", "code", None))
    table.do(ADA, start())
    assert hint(table)
    table.play(2)  # a stone and its place, which is judged
    table.do(None, GiveVerdict(table.live.waiting().since, "stands"))
    assert hint(table) == []
    table.play()
    assert hint(table, BEN, 1) == ["Ben asks for a hint.", "You ask for a hint."]
