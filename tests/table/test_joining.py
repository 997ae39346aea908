"""Joining a table: invitations, seats, names, hosts, several people at one device, spectators."""

from __future__ import annotations

import pytest

from spieltisch.core.game import BadSetup
from spieltisch.gameplay.errors import NotPending
from spieltisch.records import read
from spieltisch.table import projection
from spieltisch.table.commands import Context, decide_rematch
from spieltisch.table.errors import BadRequest, NotFound, NotNow, NotYours, Taken
from spieltisch.table.state import Status, fold
from tests.table.tables import (
    ADA,
    BEN,
    BOT,
    CLEO,
    DAN,
    NONCE,
    OPEN,
    RANDOM,
    THE_CODE,
    CheckedTable,
    answer,
    arrange,
    ask_bot,
    ask_undo,
    join,
    leave,
    lend,
    next_game,
    person,
    play_draft,
    rematch,
    resign,
    resize,
    reveal,
    start,
    take_back,
    three_people,
    watch,
)

LONGEST = "ä" * 40


def one_open_seat(**more: object) -> CheckedTable:
    return CheckedTable(person("Ada"), OPEN, **more)


def test_a_table_without_open_seats_starts_at_once():
    table = CheckedTable(person("Ada"), BOT)
    assert table.live.status is Status.PLAYING
    assert table.look(ADA).table.turn == 0


def test_a_match_that_could_take_too_many_actions_is_not_opened():
    bag = {"R": 900, "B": 900, "G": 900}
    with pytest.raises(BadSetup, match="at most 20000 actions") as refused:
        CheckedTable(person("Ada"), BOT, options={"bag": bag}, games=20)
    assert refused.value.field == "games"
    assert CheckedTable(person("Ada"), BOT, options={"bag": bag}, games=1).live.status is Status.PLAYING


@pytest.mark.parametrize("code", ["", "other"])
def test_a_private_table_is_joined_and_watched_by_invitation_only(code):
    table = one_open_seat()
    table.refused(BEN, join(None, "Ben", code, None), NotFound)
    table.refused(BEN, watch(code), NotFound)
    assert table.live.seats[1].empty


def test_a_public_table_needs_no_invitation():
    table = one_open_seat(public=True)
    assert table.look(None).table.code is None
    assert table.do(BEN, join(None, "Ben", "", None)) == {"seat": 1}


@pytest.mark.parametrize("public", [True, False])
def test_nobody_looks_into_a_seat_that_was_left_in_the_middle_of_a_game(public):
    table = CheckedTable(person("Ada"), OPEN, OPEN, public=public)
    table.do(BEN, join(1, "Ben", "code", None))
    table.do(CLEO, join(2, "Cleo", "code", None))
    table.do(ADA, start())
    table.do(DAN, watch("code"))
    table.do(BEN, leave(1))
    for somebody in (ADA, CLEO, DAN, "stranger"):
        assert not table.look(somebody).table.seats[1].free
        table.refused(somebody, join(1, "Somebody", "code", None), Taken)
    assert table.look(BEN).table.seats[1].free if public else True
    assert table.do(BEN, join(None, "Ben", "code", None)) == {"seat": 1}


def test_between_two_games_anybody_may_take_a_seat_that_was_left():
    table = three_people()
    table.do(BEN, leave(1))
    table.play_on(lambda state: state.status is Status.PAUSED)
    assert table.do(DAN, join(1, "Dan", "code", None)) == {"seat": 1}


def test_a_seat_that_does_not_exist_or_is_taken_is_refused():
    table = one_open_seat()
    assert "Somebody else has seat 1." in str(table.refused(BEN, join(0, "Ben", "code", None), Taken))
    for seat in (2, 99):
        said = str(table.refused(BEN, join(seat, "Ben", "code", None), BadRequest))
        assert said == f"There is no seat {seat + 1}; the last is 2.", "people count seats from 1, as the screen does"


@pytest.mark.parametrize("name", [LONGEST, "O’Neill-Ångström", "名前", "a  b", "1 2", "@ x", "seat 0"])
def test_names_are_taken_as_they_are(name):
    table = one_open_seat()
    table.do(BEN, join(None, f"  {name} ", "code", None))
    table.do(BEN, start())
    assert table.look(ADA).table.seats[1].name == name
    assert dict(read(table.record()).games[0].names)[1] == name


@pytest.mark.parametrize(
    "name", ["", "   ", LONGEST + "ä", "a;b", "a\nb", "a\x00b", "a\x85b", "a\u2028b", "\x1b[1m", "x" * 201]
)
def test_a_name_that_a_record_cannot_hold_is_refused(name):
    refusal = one_open_seat().refused(BEN, join(None, name, "code", None), BadRequest)
    assert "40" in str(refusal)


def test_two_seats_never_have_the_same_name():
    table = CheckedTable(person("Ada"), BOT, OPEN)
    for name in ("Ada", " Ada "):
        assert name.strip() in str(table.refused(BEN, join(None, name, "code", None), Taken))
    table.do(BEN, join(None, "ada", "code", None))


def test_a_match_starts_when_every_seat_is_taken_and_not_before():
    table = CheckedTable(person("Ada"), OPEN, OPEN)
    assert "still free: 2 and 3." in str(table.refused(ADA, start(), NotNow))
    table.do(BEN, watch("code"))
    table.refused(BEN, start(), NotYours)
    table.do(BEN, join(2, "Ben", "code", None))
    assert "still free: 2." in str(table.refused(BEN, start(), NotNow))
    table.do(ADA, arrange(1, "level:1"))
    table.do(BEN, start())
    assert table.live.status is Status.PLAYING
    table.refused(BEN, start(), NotNow)


def test_before_the_match_nothing_is_played():
    table = one_open_seat()
    for command in (
        play_draft(0, 1, ["R"]), ask_undo(0, 1), resign(0), next_game(), rematch(), answer(0, 1, True), ask_bot(0, 0)
    ):  # fmt: skip
        table.refused(ADA, command, NotNow)
    assert table.look(ADA).position is None
    assert projection.project_record(table.live, None) == ""


def test_the_host_gives_seats_to_bots_and_opens_them_again():
    table = one_open_seat()
    table.do(BEN, join(None, "Ben", "code", None))
    table.refused(BEN, arrange(0), NotYours)
    table.do(ADA, arrange(1, "level:2"))
    assert table.look(ADA).table.seats[1].player == "level:2"
    assert table.live.seats_of(BEN) == []
    table.refused(ADA, arrange(7, "level:1"), BadRequest)
    table.do(ADA, arrange(1))
    assert table.look(ADA).table.seats[1].kind == "open"
    assert table.do(BEN, join(None, "Ben", "code", None)) == {"seat": 1}
    table.do(ADA, start())
    table.refused(ADA, arrange(1), NotNow)


def test_a_host_without_a_seat_starts_the_match_but_plays_nobodys_turn():
    table = CheckedTable(OPEN, BOT)
    table.do(BEN, join(None, "Ben", "code", None))
    table.do(ADA, start())
    now = table.look(ADA)
    assert (now.table.you, now.table.viewer) == ([], None)
    table.refused(ADA, play_draft(0, now.version, ["R"]), NotYours)
    table.do(BEN, resign(0))
    assert table.do(ADA, rematch())["table"]


# several seats at one device


def test_people_at_one_device_look_from_the_seat_that_has_the_turn():
    table = CheckedTable(person("Ada"), person("Eva"), BOT)
    assert (table.look(ADA).table.you, table.look(ADA).table.viewer) == ([0, 1], 0)
    other = table.look(ADA, seat=1)
    assert other.table.viewer == 1
    assert other.position is not None
    assert not other.position.choices
    assert table.look(ADA, seat=2).table.viewer == 0
    table.until_turn_of(1)
    assert table.look(ADA).table.viewer == 1
    assert "turn of seat 2, not of seat 1" in str(
        table.refused(ADA, play_draft(0, table.live.version, ["R"]), NotPending)
    )


def test_one_person_takes_a_second_seat_by_naming_it():
    table = CheckedTable(person("Ada"), OPEN, OPEN)
    assert table.do(ADA, join(None, "Eva", "code", None)) == {"seat": 0}
    assert table.do(ADA, join(2, "Eva", "code", None)) == {"seat": 2}
    assert table.look(ADA).table.you == [0, 2]
    table.do(ADA, leave(0))
    assert table.look(ADA).table.you == [2]


# spectators


def test_a_spectator_sees_the_table_and_can_do_nothing():
    table = three_people()
    table.do(DAN, watch("code"))
    version = table.live.version
    table.do(DAN, watch("forgotten"))
    assert table.live.version == version
    now = table.look(DAN, seat=0)
    assert (now.table.viewer, now.table.you, now.table.code) == (None, [], None)
    assert now.position is not None
    assert now.position.choices == []
    for command in (
        play_draft(0, version, ["R"]), ask_undo(0, version), answer(0, version, True), resign(0), leave(0), lend(0),
        take_back(0), ask_bot(0, 1), reveal(0, NONCE), next_game(), start(), rematch(), arrange(0),
    ):  # fmt: skip
        table.refused(DAN, command, NotYours)
    assert table.live.version == version


# leaving


def test_somebody_who_leaves_before_the_match_frees_the_seat():
    table = one_open_seat()
    table.do(BEN, join(None, "Ben", "code", None))
    table.refused(BEN, leave(0), NotYours)
    table.do(BEN, leave(1))
    seat = table.look(ADA).table.seats[1]
    assert (seat.kind, seat.name, seat.free) == ("open", "", True)
    assert table.do(CLEO, join(None, "Ben", "code", None)) == {"seat": 1}
    table.do(ADA, leave(0))
    assert table.look(ADA).table.host


def test_nobody_joins_a_match_that_is_over():
    table = one_open_seat()
    table.do(BEN, join(None, "Ben", "code", None))
    table.do(ADA, start())
    table.do(BEN, resign(1))
    version = table.live.version
    table.do(BEN, leave(1))
    assert table.live.version == version
    table.refused(CLEO, join(None, "Cleo", "code", None), NotNow)
    assert table.do(BEN, join(None, "Ben", "code", None)) == {"seat": 1}


def test_nobody_gets_the_seat_of_a_player_who_has_resigned():
    table = three_people()
    table.do(BEN, resign(1))
    table.do(BEN, leave(1))
    for by in (BEN, DAN):
        table.refused(by, join(1, "New", "code", None), Taken)
        table.refused(by, join(None, "New", "code", None), Taken)
    assert not table.look(ADA).table.seats[1].free
    table.do(CLEO, resign(2))
    following = fold((event, 0) for event in decide_rematch(table.live, Context(ADA, 0, RANDOM)))
    assert following is not None
    assert [seat.empty for seat in following.seats] == [True] * 3
    assert [seat.reserved for seat in following.seats] == [True, False, True]


def test_the_host_adds_seats_while_the_table_gathers_and_removes_those_where_nobody_sits():
    table = one_open_seat()
    table.refused(BEN, resize(3), NotFound)
    table.do(ADA, resize(3))
    table.do(BEN, join(2, "Ben", THE_CODE, None))
    assert [seat.name for seat in table.live.seats] == ["Ada", "", "Ben"]
    assert table.look(ADA).table.players == 3
    table.refused(BEN, resize(4), NotYours)
    table.refused(ADA, resize(2), Taken)
    table.do(BEN, leave(2))
    table.do(ADA, arrange(2, "level:1"))
    table.do(ADA, resize(2))  # a bot goes without being asked
    table.refused(ADA, resize(19), BadSetup)
    table.refused(ADA, resize(1), BadSetup)
    table.do(BEN, join(1, "Ben", THE_CODE, None))
    table.do(ADA, start())
    table.refused(ADA, resize(3), NotNow)
    assert len(table.live.seats) == table.live.games[0].progress.setup.players == 2


def test_the_seat_that_begins_is_not_removed():
    table = CheckedTable(person("Ada"), BOT, OPEN, first=2)
    table.refused(ADA, resize(2), Taken)
