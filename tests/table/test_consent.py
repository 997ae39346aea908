"""Consent: undoing a turn among people, and bots for people who are away."""

from __future__ import annotations

import pytest

from spieltisch.gameplay.errors import NotPending
from spieltisch.table.commands.consent import PATIENCE
from spieltisch.table.errors import NotNow, NotYours, Stale
from spieltisch.table.events import ActionsUndone
from spieltisch.table.state import Status
from tests.table.tables import (
    ADA,
    BEN,
    CLEO,
    DAN,
    OPEN,
    CheckedTable,
    answer,
    ask_bot,
    ask_undo,
    join,
    leave,
    lend,
    person,
    play_draft,
    rebuilt,
    resign,
    start,
    take_back,
    three_people,
)


def with_a_question() -> CheckedTable:
    """Ada has laid a pebble and would like to take it back; Ben has said yes already."""
    log = three_people()
    log.play()
    log.do(ADA, ask_undo(0, log.live.version))
    log.do(BEN, answer(1, log.live.version, yes=True))
    assert log.live.consent is not None
    assert log.live.consent.yes == (1,)
    return log


def test_a_turn_undone_with_everybodys_consent_makes_no_practice_game():
    log = with_a_question()
    log.do(CLEO, answer(2, log.live.version, yes=True))
    assert isinstance(log.live.log[-1].event, ActionsUndone)
    assert not rebuilt(log.rows).game.practice


@pytest.mark.parametrize(
    ("by", "command"),
    [(ADA, resign(0)), (CLEO, resign(2)), (ADA, leave(0)), (BEN, leave(1))],
)
def test_a_question_ends_when_the_people_who_were_asked_change(by, command):
    log = with_a_question()
    log.do(by, command)
    assert log.live.consent is None
    log.refused(CLEO if by != CLEO else BEN, answer(2 if by != CLEO else 1, log.live.version, yes=True), NotNow)


def test_a_question_is_not_for_somebody_who_joins_later():
    log = three_people()
    log.do(CLEO, leave(2))
    log.play()
    log.do(ADA, ask_undo(0, log.live.version))
    log.do(CLEO, join(2, "Cleo", "code", None))
    assert log.live.consent is None
    assert log.do(ADA, ask_undo(0, log.live.version)) == {"asked": True}


def test_a_match_that_is_over_asks_nothing():
    log = CheckedTable(person("Ada"), OPEN)
    log.do(BEN, join(1, "Ben", "code", None))
    log.do(ADA, start())
    log.play()
    log.do(ADA, ask_undo(0, log.live.version))
    log.do(BEN, resign(1))
    assert (log.live.status, log.live.consent) == (Status.OVER, None)


def test_a_player_who_has_resigned_cannot_vote():
    log = with_a_question()
    log.do(BEN, resign(1))
    log.do(ADA, ask_undo(0, log.live.version))
    log.refused(BEN, answer(1, log.live.version, yes=False), NotNow)
    log.refused(BEN, ask_undo(1, log.live.version), NotNow)
    log.refused(BEN, ask_bot(1, 2), NotNow)
    log.refused(BEN, lend(1, "level:5"), NotNow)
    log.refused(BEN, take_back(1), NotNow)
    log.do(CLEO, answer(2, log.live.version, yes=True))
    assert isinstance(log.live.log[-1].event, ActionsUndone)


def test_people_for_whom_bots_play_need_not_agree_to_another_bot():
    log = three_people()
    log.do(BEN, lend(1, None))
    log.until_turn_of(2)
    log.later = 1000 * PATIENCE
    assert log.do(ADA, ask_bot(0, 2)) == {"asked": False}
    assert log.live.seats[2].player is not None


def test_if_nobody_else_can_agree_a_bot_plays_only_for_somebody_who_keeps_the_table_waiting():
    log = CheckedTable(person("Ada"), OPEN)
    log.do(BEN, join(1, "Ben", "code", None))
    log.do(ADA, start())
    log.until_turn_of(0)
    log.later = 10 * 1000 * PATIENCE
    log.refused(ADA, ask_bot(0, 1), NotNow)  # it is not Ben whom the table waits for
    log.later = 0
    log.until_turn_of(1)
    log.refused(ADA, ask_bot(0, 1), NotNow)
    log.later = 1000 * PATIENCE
    assert log.do(ADA, ask_bot(0, 1)) == {"asked": False}
    assert log.live.seats[1].player is not None


def test_a_second_question_waits_for_the_answer_to_the_first():
    log = three_people()
    log.play_on(lambda state: state.waiting().seat == 1 and state.game.path[-1].step.seat == 0)
    log.do(ADA, ask_bot(0, 2))
    log.refused(BEN, ask_bot(1, 2), NotNow)
    log.do(ADA, ask_bot(0, 2))
    log.do(BEN, answer(1, log.live.version, False))
    assert log.do(BEN, ask_bot(1, 2)) == {"asked": True}


def test_a_turn_is_undone_if_everybody_agrees():
    log = three_people()
    before = log.look(ADA).position
    log.play()
    assert log.do(ADA, ask_undo(0, log.live.version)) == {"asked": True}
    assert log.do(ADA, ask_undo(0, log.live.version)) == {"asked": True}
    asked = log.look(BEN)
    assert asked.table.ask is not None
    assert (asked.table.ask.seat, asked.table.ask.what, asked.table.ask.yes) == (0, "undo", [])
    assert asked.events[-1].words == "Ada would like to take the last turn back."
    number = asked.table.ask.number
    log.refused(BEN, answer(1, number - 1, yes=True), Stale)
    log.refused(BEN, answer(0, number, yes=True), NotYours)
    for by, seat in ((ADA, 0), (BEN, 1), (BEN, 1)):
        log.do(by, answer(seat, number, yes=True))
    waiting = log.look(CLEO).table.ask
    assert waiting is not None
    assert waiting.yes == [1]
    log.do(CLEO, answer(2, number, yes=True))
    assert log.look(ADA).table.ask is None
    assert log.look(ADA).position == before
    log.refused(ADA, ask_undo(0, log.live.version), NotPending)


def test_a_no_ends_the_question_and_so_does_playing_on():
    log = three_people()
    log.play()
    log.do(ADA, ask_undo(0, log.live.version))
    log.do(BEN, answer(1, log.live.version, yes=False))
    assert log.live.consent is None
    log.refused(ADA, answer(0, log.live.version, yes=True), NotNow)
    log.do(ADA, ask_undo(0, log.live.version))
    asked = log.live.version
    log.do(ADA, play_draft(0, asked, ["."]))
    log.refused(BEN, answer(1, asked, yes=True), NotNow)
    assert "undo" not in [event.kind for event in log.look(BEN).events]


def test_a_draw_is_never_undone_among_people():
    log = three_people()
    log.until_turn_of(1)
    assert "Chance has decided" in str(log.refused(ADA, ask_undo(0, log.live.version), NotNow))
    log.refused(ADA, ask_undo(0, 2), Stale)


def four_people() -> CheckedTable:
    log = CheckedTable(person("Ada"), OPEN, OPEN, OPEN, options={})
    for by in (BEN, CLEO, DAN):
        log.do(by, join(None, by.capitalize(), "code", None))
    log.do(ADA, start())
    return log


def test_a_bot_plays_for_somebody_who_is_away_if_all_others_agree():
    log = four_people()
    log.refused(ADA, ask_bot(0, 9), NotNow)
    assert log.do(ADA, ask_bot(0, 1)) == {"asked": True}
    asked = log.look(CLEO)
    assert asked.table.ask is not None
    assert (asked.table.ask.what, asked.table.ask.about) == ("bot", 1)
    assert asked.events[-1].words == "Ada asks whether a bot may play for Ben."
    log.do(CLEO, answer(2, log.live.version, yes=True))
    assert log.live.seats[1].player is None
    log.do(DAN, answer(3, log.live.version, yes=True))
    assert log.live.consent is None
    assert log.live.seats[1].player is not None
    log.refused(ADA, ask_bot(0, 1), NotNow)  # one does already
    log.do(BEN, take_back(1))
    assert log.live.seats[1].player is None


def test_one_no_is_enough_against_a_bot():
    log = four_people()
    for by, seat in ((DAN, 3), (BEN, 1), (ADA, 0)):
        assert log.do(ADA, ask_bot(0, 1)) == {"asked": True}
        log.do(CLEO, answer(2, log.live.version, yes=True))
        log.do(by, answer(seat, log.live.version, yes=False))
        assert log.live.consent is None
        assert log.live.seats[1].player is None
    log.refused(ADA, answer(0, log.live.version, yes=True), NotNow)
