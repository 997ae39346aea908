"""Playing at a table: drafts, undo, resigning, series."""

from __future__ import annotations

from typing import Any

import pytest

from spieltisch.gameplay.verify import verify
from spieltisch.records import read
from spieltisch.table.errors import NotNow
from spieltisch.table.state import Status
from tests.table.tables import (
    ADA,
    BEN,
    BOT,
    CLEO,
    OPEN,
    CheckedTable,
    ask_undo,
    join,
    lend,
    next_game,
    person,
    play_draft,
    resign,
    start,
    take_back,
    three_people,
)

RED_ONLY = {"bag": {"R": 50, "B": 0, "G": 0}}


def two_people(**more: object) -> CheckedTable:
    """Ada and Ben in the first game; Ada starts."""
    table = CheckedTable(person("Ada"), OPEN, **more)
    table.do(BEN, join(None, "Ben", "code", None))
    table.do(ADA, start())
    return table


def test_a_draft_is_played_as_a_whole():
    table = CheckedTable(person("Ada"), BOT, options=RED_ONLY)
    version = table.live.version
    table.do(ADA, play_draft(0, version, ["R", "R", "."]))
    moves = [event.text for event in table.look(ADA, after=version).events if event.seat == 0]
    assert moves == ["R", "R", "."]


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"version": 1}, "stale", "version 1"),
        ({"version": 10**6}, "stale", "not there yet"),
        ({"seat": 1}, "not-yours", "Seat 2"),
        ({"seat": 50}, "not-yours", "Seat 51"),
        ({"draft": []}, "bad-request", "no actions"),
        ({"draft": ["purple"]}, "bad-notation", "purple"),
        ({"draft": [""]}, "bad-notation", ""),
        ({"draft": ["x" * 200]}, "bad-notation", "…"),
        ({"draft": ["\x1b[31m"]}, "bad-notation", "·[31m"),
        ({"draft": ["."]}, "illegal-action", ""),
        ({"draft": ["R", "r"]}, "illegal-action", "R5"),
        ({"draft": ["r", "."]}, "not-pending", "ends before the last of these steps"),
    ],
)
def test_a_draft_that_does_not_fit_is_refused_as_a_whole(change: dict[str, Any], code, words):
    table = CheckedTable(person("Ada"), BOT, options=RED_ONLY)
    fields = {"seat": 0, "version": table.live.version, "draft": ["R"]}
    before = table.live
    with pytest.raises(Exception) as caught:  # noqa: PT011 - its code is checked
        table.do(ADA, play_draft(**{**fields, **change}))
    assert caught.value.code == code
    assert words in str(caught.value) + str(caught.value.rule)
    assert table.live is before
    table.do(ADA, play_draft(**fields))


# undo without anybody's consent


def test_people_at_one_device_undo_what_was_not_drawn():
    table = CheckedTable(person("Ada"), person("Eva"))
    before = table.look(ADA).position
    table.play()
    assert table.do(ADA, ask_undo(0, table.live.version)) == {"asked": False}
    assert table.look(ADA).position == before
    assert not table.look(ADA).table.practice
    table.until_turn_of(1)
    table.refused(ADA, ask_undo(0, table.live.version), NotNow)


# resigning


def test_if_one_of_two_resigns_the_match_is_over():
    table = two_people()
    table.play()
    table.do(BEN, resign(1))
    version = table.live.version
    table.do(BEN, resign(1))
    now = table.look(ADA)
    assert (now.version, now.table.status, now.table.waiting) == (version, "over", "nobody")
    assert now.table.seats[1].resigned
    assert [event.kind for event in now.events][-2:] == ["resigned", "ended"]
    assert now.table.fair.secrets[0] is not None
    found = verify(read(table.record()))
    assert (found.finished, found.proven) == (False, True)
    for by, seat in ((ADA, 0), (BEN, 1)):
        table.refused(by, play_draft(seat, version, ["R"]), NotNow)
        table.refused(by, ask_undo(seat, version), NotNow)
    table.refused(ADA, resign(0), NotNow)


def test_if_one_of_three_resigns_the_others_play_on():
    table = three_people()
    table.do(ADA, resign(0))
    assert table.live.status is Status.PLAYING
    assert table.look(BEN).table.seats[0].player is not None
    table.refused(ADA, play_draft(0, table.live.version, ["R"]), NotNow)
    for command in (take_back(0), lend(0, "level:5")):
        table.refused(ADA, command, NotNow)
    table.until_turn_of(1)
    table.play()
    table.do(CLEO, resign(2))
    assert table.live.status is Status.OVER


def test_whoever_resigns_against_bots_ends_the_match():
    table = CheckedTable(person("Ada"), BOT, BOT)
    table.do(ADA, resign(0))
    assert table.live.status is Status.OVER
    assert "resign" in table.look(ADA).events[-2].words


def test_a_series_can_be_given_up_between_two_games():
    table = two_people(games=3)
    table.play_on(lambda state: state.status is Status.PAUSED)
    table.do(ADA, resign(0))
    assert table.live.status is Status.OVER
    found = verify(read(table.record()))
    assert (found.games, found.finished, found.proven) == (1, False, True)
    table.refused(BEN, next_game(), NotNow)
