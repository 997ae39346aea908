"""Replay: whatever is done, in whatever order, replaying the events gives the same table."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch import registry
from spieltisch.core.game import Chance, Refusal, Seat
from spieltisch.gameplay.verify import verify
from spieltisch.games import rondo
from spieltisch.records import read, write
from spieltisch.table import codec, projection
from spieltisch.table import state as table_state
from spieltisch.table.commands import (
    GiveVerdict,
    PlayFor,
    ReplaceBot,
    StartWithoutNonces,
    TellHint,
    TimeOut,
)
from spieltisch.table.commands.base import Command, Deciding
from spieltisch.table.errors import NotNow, Stale
from spieltisch.table.events import Event, SeatLent
from spieltisch.table.state import Status, TableState, Wait
from tests.support.command import FUZZ
from tests.table.tables import (
    ADA,
    BEN,
    BOT,
    CLEO,
    COMMIT,
    DAN,
    NONCE,
    OPEN,
    PEOPLE,
    THREE,
    CheckedTable,
    answer,
    arrange,
    ask_bot,
    ask_undo,
    everything_visible,
    join,
    leave,
    lend,
    next_game,
    person,
    play_draft,
    rebuilt,
    rematch,
    resign,
    reveal,
    start,
    take_back,
    three_people,
    watch,
)


class Anything:
    """Random commands of all kinds, most of which can be carried out."""

    def __init__(self, log: CheckedTable) -> None:
        self.log = log

    def make(self, kind: int, who: int, number: int) -> tuple[str | None, Command]:
        state = self.log.live
        seat = number % len(state.seats)
        waiting = state.waiting()
        own = who % len(state.seats)  # mostly somebody speaks for a seat of their own
        by = PEOPLE[number % 4] if number % 8 == 7 else state.seats[own].holder or PEOPLE[number % 4]
        version = state.version - (number % 7 == 6)
        commands: list[Callable[[], Command]] = [
            lambda: join(None if number % 2 else seat, f"Name {number % 5}", "code", COMMIT if number % 3 else None),
            lambda: watch("code" if number % 5 else "other"),
            lambda: arrange(seat, "level:1" if number % 3 else None),
            start,
            lambda: reveal(own, NONCE),
            lambda: lend(own, None if number % 2 else "level:2"),
            lambda: take_back(own),
            lambda: leave(own),
            lambda: resign(own) if number % 3 == 0 else ask_undo(own, version),
            lambda: ask_undo(own, version),
            lambda: ask_undo(own, version),
            lambda: ask_bot(own, seat),
            lambda: answer(own, version, number % 4 > 0),
            lambda: answer(own, version, number % 4 > 0),
            lambda: TellHint(own, version),
            next_game,
            lambda: rematch() if number % 5 == 0 else ask_undo(own, version),
        ]  # fmt: skip
        ours: list[Callable[[], Command]] = [
            StartWithoutNonces,
            lambda: TimeOut(waiting.seat or 0, waiting.since),
            lambda: ReplaceBot(waiting.seat or 0, waiting.since),
        ]
        if kind < len(commands):
            return by, commands[kind]()
        if kind < len(commands) + len(ours):
            return None, ours[kind - len(commands)]()
        return self.go_on(number)

    def go_on(self, number: int) -> tuple[str | None, Command]:
        """A command that moves the table forward."""
        state = self.log.live
        waiting = state.waiting()
        if state.status is Status.PAUSED:
            return ADA, next_game()
        if state.status is Status.GATHERING:
            empty = [seat for seat, place in enumerate(state.seats) if place.empty]
            return ADA, arrange(empty[0], "level:1") if empty else start()
        if state.status is Status.REVEALING:
            seat, place = next((s, p) for s, p in enumerate(state.seats) if p.commit and not p.revealed)
            return (place.holder, reveal(seat, NONCE)) if number % 5 else (None, StartWithoutNonces())
        if waiting.kind is Wait.JUDGE:
            assert state.game is not None
            assert isinstance(state.game.pending, Chance)
            verdicts = state.game.pending.actions[:2]  # it stands, or one stone falls
            verdict = verdicts[number % 5 == 0]
            return None, GiveVerdict(waiting.since, state.rules.write(state.game.state, verdict))
        if waiting.seat is None:
            return None, StartWithoutNonces()
        others = [
            seat for seat in state.people() if state.consent and seat not in (state.consent.seat, *state.consent.yes)
        ]
        if others and number % 3:
            return state.seats[others[0]].holder, answer(others[0], state.version, number % 7 > 0)
        assert state.game is not None
        choices = self.log.choices()
        if waiting.kind is not Wait.PERSON:
            return None, PlayFor(waiting.seat, waiting.since, number % len(choices))
        return state.seats[waiting.seat].holder, play_draft(
            waiting.seat, state.version, [choices[number % len(choices)]]
        )


COMING = [(by, join(None, by.capitalize(), "code", COMMIT)) for by in (BEN, CLEO)]
BEGINNINGS = [
    (THREE, COMING), (THREE, COMING[:1]), ((person("Ada", COMMIT), OPEN), COMING[:1]), ((person("Ada"), BOT), []),
]  # fmt: skip
SCRIPTS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 2), st.integers(0, 99)), min_size=20, max_size=45)


def carry_out(beginning: Any, script: Any, **more: Any) -> CheckedTable:
    """A table after random commands, each checked as it is carried out."""
    plans, coming = beginning
    log = CheckedTable(*plans, **more)
    for by, command in coming:
        log.do(by, command)
    anything = Anything(log)
    for kind, who, number in script:
        by, command = anything.make(kind, who, number)
        try:
            log.do(by, command)
        except Refusal:
            continue
    return log


@settings(FUZZ, max_examples=15)
@given(st.sampled_from(BEGINNINGS), SCRIPTS)
def test_replaying_the_events_gives_the_live_state_after_every_command(beginning, script):
    check_record(carry_out(beginning, script))


@pytest.mark.parametrize("game", [game.name for game in registry.offered()])
@settings(FUZZ, max_examples=3)
@given(st.sampled_from(BEGINNINGS), SCRIPTS)
def test_replaying_gives_the_live_state_in_every_game(game, beginning, script):
    check_record(carry_out(beginning, script, game=game, options={}))


def check_record(log: CheckedTable) -> None:
    assert everything_visible(log.live) == everything_visible(rebuilt(log.rows))
    if log.live.games:
        text = log.record()
        assert write(read(text)) == text
        verify(read(text))


# a second path is planted, and caught


def keep_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    """What happens at a table depends on something that is not in its state."""
    change, calls = table_state._change_seat, count()

    def changed(state: TableState, event: Any) -> TableState:
        after = change(state, event)
        first = replace(after.seats[0], name=f"{after.seats[0].name}{next(calls)}")
        return replace(after, seats=(first, *after.seats[1:]))

    monkeypatch.setattr(table_state, "_change_seat", changed)


def change_without_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command changes the table it decides about, and no event says so."""
    emit = Deciding.emit

    def emitted(self: Deciding, event: Event) -> None:
        emit(self, event)
        if isinstance(event, SeatLent):
            self._state = replace(self.state, gathered=not self.state.gathered)

    monkeypatch.setattr(Deciding, "emit", emitted)


def lose_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something happens live, but no event is stored."""
    emit = Deciding.emit

    def emitted(self: Deciding, event: Event) -> None:
        emit(self, event)
        if isinstance(event, SeatLent):
            self.events.remove(event)

    monkeypatch.setattr(Deciding, "emit", emitted)


def store_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is stored of an event is less than what changes the live table."""
    monkeypatch.setitem(codec._FIELDS, SeatLent, ("seat",))
    monkeypatch.setattr(SeatLent, "__init__", _lent_to_anybody)


def _lent_to_anybody(self: SeatLent, seat: int, player: str = "level:1") -> None:
    object.__setattr__(self, "seat", seat)
    object.__setattr__(self, "player", player)


@pytest.mark.parametrize("plant", [keep_a_note, change_without_an_event, lose_an_event, store_less])
def test_a_second_way_to_change_a_table_is_caught(plant, monkeypatch):
    def evening() -> None:
        log = three_people()
        log.play(2)
        log.do(BEN, lend(1, "level:2"))
        log.do(BEN, take_back(1))

    evening()
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        evening()


# odd orders


def test_a_game_for_practice_stays_one_after_a_restart():
    log = CheckedTable(person("Ada"), BOT, games=1)
    log.play()
    log.do(ADA, ask_undo(0, log.live.version))
    assert rebuilt(log.rows).game.practice
    log.play_on(lambda state: state.status is Status.OVER)
    record = read(log.record())
    assert record.games[0].practice
    assert verify(record).proven


def test_a_bot_that_has_thought_too_long_does_not_play_for_somebody_who_is_back():
    log = CheckedTable(person("Ada"), BOT)
    log.do(ADA, lend(0, None))
    thinking = log.live.waiting()
    assert thinking.kind is Wait.BOT
    log.do(ADA, take_back(0))
    log.refused(None, PlayFor(0, thinking.since, 0), Stale)
    log.refused(None, ReplaceBot(0, thinking.since), Stale)
    assert log.live.seats[0].player is None
    log.play()


def test_a_seat_that_is_lent_never_times_out():
    log = CheckedTable(person("Ada"), BOT)
    turn = log.live.waiting()
    log.do(ADA, lend(0, None))
    log.refused(None, TimeOut(0, turn.since), Stale)


def test_a_seat_that_timed_out_has_not_timed_out_in_the_next_game():
    log = CheckedTable(person("Ada"), person("Ben"))
    while log.live.status is Status.PLAYING:
        seat = log.live.waiting().seat
        if log.live.waiting().kind is Wait.PERSON:
            log.do(None, TimeOut(seat, log.live.waiting().since))
        else:
            log.play()
    assert [place.timed_out for place in log.live.seats].count(True) == 1
    log.do(ADA, next_game())
    assert not any(place.timed_out for place in log.live.seats)
    assert log.live.waiting().kind is Wait.PERSON


def test_the_nonce_of_somebody_who_has_left_is_not_waited_for():
    log = CheckedTable(person("Ada"), OPEN)
    log.do(BEN, join(1, "Ben", "code", COMMIT))
    log.do(ADA, start())
    assert log.live.status is Status.REVEALING
    log.do(BEN, leave(1))
    assert log.live.status is Status.PLAYING
    log.do(BEN, join(None, "Ben", "code", COMMIT))
    log.refused(BEN, reveal(1, NONCE), NotNow)
    verify(read(log.record()))


def test_the_wait_for_nonces_is_not_made_longer_by_anything():
    log = CheckedTable(person("Ada", COMMIT), person("Ben", COMMIT))
    since = log.live.waiting()
    assert since.kind is Wait.NONCES
    log.do(DAN, watch("code"))
    log.do(ADA, lend(0, None))
    log.do(ADA, reveal(0, NONCE))
    assert log.live.waiting() == since


def test_a_newcomer_is_named_in_the_next_game():
    log = three_people()
    log.do(BEN, leave(1))
    log.play_on(lambda state: state.status is Status.PAUSED)
    log.do(DAN, join(1, "Dan", "code", None))
    log.do(DAN, next_game())
    first, second = read(log.record()).games
    assert (dict(first.names)[1], dict(second.names)[1]) == ("Ben", "Dan")


def test_a_custom_board_may_contain_any_character():
    board = (Path(rondo.__file__).parent / "board.json").read_text(encoding="utf-8")
    odd = {**json.loads(board), "comment": "one\u2028two\x85three ; four"}
    log = CheckedTable(person("Ada"), BOT, game="rondo", options={"board": odd})
    text = log.record()
    assert write(read(text)) == text
    assert read(projection.project_record(log.live, None)).games[0].data


def test_a_match_that_is_over_early_offers_no_choices():
    log = CheckedTable(person("Ada"), BOT)
    assert projection.project_position(log.live, projection.Viewpoint(ADA, Seat(0), "en")).choices
    log.do(ADA, resign(0))
    assert not projection.project_position(log.live, projection.Viewpoint(ADA, Seat(0), "en")).choices


def test_a_seat_that_timed_out_gets_no_choices():
    log = CheckedTable(person("Ada"), BOT)
    log.do(None, TimeOut(0, log.live.waiting().since))
    assert not projection.project_position(log.live, projection.Viewpoint(ADA, Seat(0), "en")).choices
    log.refused(ADA, play_draft(0, log.live.version, log.choices()[:1]), NotNow)
    log.do(ADA, take_back(0))
    log.play()


def test_a_table_that_is_released_leaves_no_reference_cycles():
    def used() -> None:
        log = CheckedTable(person("Ada"), BOT)
        log.play_on(lambda state: state.status is Status.PAUSED)
        log.do(ADA, next_game())
        log.play(2)

    used()  # what is loaded on the way stays
    gc.collect()
    gc.disable()
    try:
        used()
        assert gc.collect() == 0
    finally:
        gc.enable()
