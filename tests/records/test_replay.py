"""Replay and verification of records."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from spieltisch import registry
from spieltisch.core.game import Seat
from spieltisch.gameplay.verify import Verified, verify
from spieltisch.records import BadRecord, Move, Record, Undo, read, write
from spieltisch.records.replay import replay
from tests.support.command import random_record

# Replay

GAME = registry.find("template")


def changed(record: Record, number: int = 0, **changes: Any) -> Record:
    """The record with another game at that index, as if parsed from its text."""
    games = list(record.games)
    games[number] = replace(games[number], **changes)
    return read(write(replace(record, games=tuple(games))))


def verdict(record: Record) -> str:
    with pytest.raises(BadRecord) as caught:
        verify(record)
    return caught.value.message.key


def test_a_whole_game_verifies():
    record = read(write(random_record(1)))
    assert verify(record) == Verified(
        games=1, actions=len(record.games[0].entries), finished=True, proven=False, starter=False, practice=False
    )


def test_a_game_without_a_result_verifies_as_unfinished():
    assert not verify(
        changed(random_record(1), entries=random_record(1).games[0].entries[:9], result=None, ending=None)
    ).finished


def test_a_wrong_result_is_refused():
    assert verdict(changed(random_record(1), result=(99, 0))) == "record.result"


def test_a_wrong_ending_is_refused():
    assert verdict(changed(random_record(1), ending="grey")) == "record.wrong_ending"


def test_a_missing_ending_is_refused():
    assert verdict(changed(random_record(1), ending=None)) == "record.wrong_ending"


def test_a_result_before_the_end_is_refused():
    assert verdict(changed(random_record(1), entries=random_record(1).games[0].entries[:-1])) == "record.not_over"


def test_a_redacted_record_is_not_replayed():
    assert verdict(changed(random_record(1), viewer=0)) == "record.redacted"


@pytest.mark.parametrize(
    "changes", [{"game": "tempest"}, {"players": 9}, {"first": 2}, {"rules": 99}, {"edition": "x"}]
)
def test_a_setup_that_the_game_does_not_allow_is_refused(changes):
    assert verdict(changed(random_record(1), **changes)).startswith(("setup.", "game."))


def test_an_undo_removes_actions():
    entries = random_record(1).games[0].entries
    detour = (*entries[:9], Undo(3), *entries[6:])
    found = verify(changed(random_record(1), entries=detour, practice=True))
    assert found == Verified(games=1, actions=len(entries), finished=True, proven=False, starter=False, practice=True)


def test_an_undo_can_go_back_to_the_start():
    entries = random_record(1).games[0].entries
    past = replay(GAME, changed(random_record(1), entries=(*entries[:9], Undo(9), *entries)).games[0])
    assert [GAME.write(step.before, step.action) for step in past.steps] == [
        entry.text for entry in entries if isinstance(entry, Move)
    ]


@pytest.mark.parametrize("actions", [0, 7, 10**9])
def test_an_undo_of_too_many_actions_is_refused(actions):
    entries = (*random_record(1).games[0].entries[:6], Undo(actions))
    assert verdict(changed(random_record(1), entries=entries, result=None, ending=None)) == "record.undo"


@pytest.mark.parametrize(("line", "key"), [("0 R", "record.chance"), ("* Z", "notation"), ("* .", "refuse.dealing")])
def test_a_seat_cannot_act_for_chance(line, key):
    error = _at_line(7, line)
    assert error.message.key == key


def _at_line(place: int, line: str) -> BadRecord:
    """The refusal of a real record in which one line is replaced."""
    lines = write(random_record(1)).split("\n")
    lines[place - 1] = line
    with pytest.raises(BadRecord) as caught:
        verify(read("\n".join(lines)))
    assert caught.value.line == place
    return caught.value


@pytest.mark.parametrize(
    ("line", "key", "rule"),
    [
        ("* R", "record.decision", None),
        ("1 R", "record.seat", None),
        ("0 x", "notation", None),
        ("0 .", "refuse.stop", "R4"),
    ],
)
def test_an_illegal_action_is_refused_at_its_line_with_its_rule(line, key, rule):
    error = _at_line(13, line)
    assert (error.message.key, error.rule) == (key, rule)


def test_an_action_after_the_end_is_refused():
    entries = (*random_record(1).games[0].entries, Move(Seat(0), "."))
    assert verdict(changed(random_record(1), entries=entries)) == "record.over"


# Matches


def test_a_match_verifies():
    found = verify(read(write(random_record(1, 3))))
    assert (found.games, found.finished) == (3, True)


def test_a_match_is_unfinished_while_games_are_missing():
    record = random_record(1, 3)
    assert not verify(Record(record.games[:2], 3)).finished


def test_a_wrong_total_is_refused_at_its_line():
    record = random_record(1, 2)
    text = write(replace(record, total=(0, 0)))
    with pytest.raises(BadRecord) as caught:
        verify(read(text))
    assert caught.value.message.key == "record.total"
    assert text.split("\n")[caught.value.line - 1].startswith("total")


def test_a_total_before_the_last_game_has_ended_is_refused():
    assert verdict(changed(random_record(1, 2), 1, result=None, ending=None)) == "record.early_total"


def test_a_total_of_too_few_games_is_refused():
    record = random_record(1, 2)
    assert verdict(Record(record.games[:1], 2, record.games[0].result)) == "record.early_total"


def test_a_wrong_starting_seat_is_refused():
    record = random_record(1, 2)
    again = replace(record.games[0])
    assert verdict(read(write(Record((record.games[0], again), 2)))) == "record.beginner"


def test_a_game_after_an_unfinished_one_is_refused():
    assert verdict(changed(random_record(1, 2), 0, result=None, ending=None)) == "record.unfinished_game"


def test_a_match_with_different_numbers_of_players_is_refused():
    three = replace(random_record(1, count=3).games[0], first=1, entries=(), result=None, ending=None)
    assert verdict(Record((random_record(1).games[0], three), 2)) == "record.other_game"


# Lines in the errors of the verify command


def line_of(record: Record, key: str) -> int:
    return next(number for number, line in enumerate(write(record).split("\n"), 1) if line.startswith(key))


@pytest.mark.parametrize(
    "changes", [{"players": 9}, {"first": 2}, {"rules": 99}, {"edition": "x"}, {"game": "tempest"}]
)
def test_a_header_that_the_game_does_not_allow_is_reported_with_its_line(changes):
    record = changed(random_record(1), **changes)
    with pytest.raises(BadRecord) as caught:
        verify(record)
    assert caught.value.line == line_of(record, next(iter(changes)))


def test_a_wrong_result_is_reported_with_its_line():
    record = changed(random_record(1), result=(99, 0))
    with pytest.raises(BadRecord) as caught:
        verify(record)
    assert caught.value.line == line_of(record, "result")
