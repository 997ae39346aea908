"""One way to change a table: whatever is done, in whatever order, replaying the events gives the same table."""

from __future__ import annotations

import gc
import hashlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch import registry
from spieltisch.core.game import Chance, Decision, Refusal, Seat
from spieltisch.gameplay.verify import verify
from spieltisch.games import rondo
from spieltisch.records import read, write
from spieltisch.server.runtime.tables import MAX_LIVE
from spieltisch.server.workers import rules
from spieltisch.table import codec, commands, projection
from spieltisch.table import state as table_state
from spieltisch.table.codec import Row, chain_digest, decode, encode
from spieltisch.table.commands import (
    Context,
    GiveVerdict,
    PlayFor,
    ReplaceBot,
    SeatPlan,
    StartWithoutNonces,
    TimeOut,
    decide,
    decide_rematch,
)
from spieltisch.table.commands.base import Command, Deciding
from spieltisch.table.commands.consent import PATIENCE
from spieltisch.table.errors import NotNow, Stale, Taken
from spieltisch.table.events import ActionsUndone, Event, SeatLent
from spieltisch.table.state import Status, TableState, Wait, fold
from tests.support.command import FUZZ

ADA, BEN, CLEO, DAN = "ada", "ben", "cleo", "dan"
PEOPLE = (ADA, BEN, CLEO, DAN)
NONCE = "07" * 16
COMMIT = hashlib.sha256(bytes.fromhex(NONCE)).hexdigest()
KEY = "key-of-a-test"
RANDOM = b"random bytes of a test"
THE_CODE = "code"  # stands for the invitation of the table, which is only known when it is open


def keyed(kind: type[Command]) -> Callable[..., Command]:
    return lambda *values, **more: kind(*values, key=KEY, **more)


def join(seat: int | None, name: str, code: str, commit: str | None) -> Command:
    return commands.Join(name, seat, commit, code=code, key=KEY)


play_draft, answer, ask_undo = keyed(commands.Play), keyed(commands.Answer), keyed(commands.AskUndo)
ask_bot, resign, next_game = keyed(commands.AskBot), keyed(commands.Resign), keyed(commands.Continue)
watch, arrange, start, reveal = (
    keyed(commands.Watch), keyed(commands.Arrange), keyed(commands.Start), keyed(commands.Reveal),
)  # fmt: skip
lend, take_back, leave, rematch = (
    keyed(commands.Lend), keyed(commands.Return), keyed(commands.Leave), keyed(commands.Rematch),
)  # fmt: skip


def opening(*plans: SeatPlan, **more: Any) -> commands.Open:
    how: dict[str, Any] = {
        "game": "template",
        "options": {"bag": {"R": 3, "B": 4, "G": 3}},
        "first": 0,
        "games": 2,
        "seconds": 60,
        "late": "first",
        **more,
    }
    return commands.Open(seats=list(plans), key=KEY, **how)


def person(name: str, commit: str | None = None) -> SeatPlan:
    return SeatPlan("person", name, None, commit)


OPEN = SeatPlan("open")
BOT = SeatPlan("bot", None, "level:1")


class Log:
    """A table at which every command is decided by the live state, and by one that was rebuilt from the whole log.

    A third state, which gets every event afterwards from its stored line, knows the same, too.
    """

    def __init__(self, *plans: SeatPlan, by: str = ADA, **more: Any) -> None:
        self.state: TableState | None = None
        self.follower: TableState | None = None
        self.rows: list[Row] = []
        self.later = 0  # milliseconds that have passed without anything happening
        self.do(by, opening(*plans, **more))

    @property
    def live(self) -> TableState:
        assert self.state is not None
        return self.state

    def do(self, by: str | None, command: Command) -> Any:
        """The reply to the command; its events are the same from the log."""
        if getattr(command, "code", "") == THE_CODE:
            command = replace(command, code=self.live.opened.code)  # type: ignore[type-var]
        before = self.state
        now = 1000 + (before.version if before else 0) + self.later
        context = Context(by, now, RANDOM)
        events = _decide(before, command, context)
        again = _decide(rebuilt(self.rows), command, context)
        assert _comparable(again) == _comparable(events)
        if not isinstance(events, Refusal):  # what a command sees while it is decided follows from its events, too
            deciding = Deciding(before, context)
            command.decide(deciding)
            assert deciding.state == fold(((event, now) for event in events), before)
        if isinstance(events, Refusal):
            assert self.state is before
            raise events
        rows = [Row(encode(event), now) for event in events]
        self.rows += rows
        self.state = fold(((event, now) for event in events), before)
        self.follower = fold(((decode(row.line), row.at) for row in rows), self.follower)
        after = before.version if before else 0
        assert self.live == rebuilt(self.rows) == self.follower
        assert picture(self.live, after) == picture(rebuilt(self.rows), after) == picture(self.follower, after)
        return command.reply(self.live, events, by)

    def refused(self, by: str | None, command: Command, kind: type[Refusal]) -> None:
        with pytest.raises(kind):
            self.do(by, command)

    def play(self, count: int = 1) -> None:
        """Whoever's turn it is takes the first choice, person or bot."""
        for _ in range(count):
            waiting = self.live.waiting()
            assert waiting.seat is not None
            seat = self.live.seats[waiting.seat]
            if waiting.kind is Wait.PERSON:
                self.do(seat.holder, play_draft(waiting.seat, self.live.version, [self.choices()[0]]))
            else:
                self.do(None, PlayFor(waiting.seat, waiting.since, 0))

    def choices(self) -> list[str]:
        game = self.live.game
        assert game is not None
        assert isinstance(game.pending, Decision)
        return [game.game.write(game.state, action) for action in game.pending.actions]

    def play_on(self, until: Callable[[TableState], bool]) -> None:
        while not until(self.live):
            self.play()

    def until_turn_of(self, seat: int) -> None:
        self.play_on(lambda state: state.waiting().seat == seat)

    def record(self) -> str:
        """The record as it is stored when everything may be known."""
        return write(projection.whole_record(self.live))


def rebuilt(rows: list[Row]) -> TableState | None:
    return fold((decode(row.line), row.at) for row in rows)


def _decide(state: TableState | None, command: Command, context: Context) -> list[Event] | Refusal:
    try:
        return decide(state, command, context)
    except Refusal as error:
        return error


def _comparable(found: list[Event] | Refusal) -> Any:
    return (found.code, found.message, found.rule) if isinstance(found, Refusal) else found


def picture(state: TableState | None, after: int = 0) -> list[Any]:
    """Everything that anybody could learn of the table since that event."""
    assert state is not None
    views = [
        projection.Viewpoint(holder, viewer, "en") for holder in (*PEOPLE, None) for viewer in _viewers(state, holder)
    ]
    return [
        state.status,
        state.waiting(),
        [projection.project(state, view, after) for view in views],
        [projection.project_record(state, viewer) for viewer in {view.viewer: None for view in views}],
        projection.summarize(state),
    ]


def _viewers(state: TableState, holder: str | None) -> list[Any]:
    return [*state.seats_of(holder), projection.viewpoint(state, holder, None, "en").viewer]


class Anything:
    """Commands of all kinds, mostly such as fit."""

    def __init__(self, log: Log) -> None:
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
        """What brings the table further."""
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


THREE = (person("Ada"), OPEN, OPEN)
COMING = [(by, join(None, by.capitalize(), "code", COMMIT)) for by in (BEN, CLEO)]


BEGINNINGS = [
    (THREE, COMING), (THREE, COMING[:1]), ((person("Ada", COMMIT), OPEN), COMING[:1]), ((person("Ada"), BOT), []),
]  # fmt: skip
SCRIPTS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 2), st.integers(0, 99)), min_size=20, max_size=45)


def carry_out(beginning: Any, script: Any, **more: Any) -> Log:
    """A table after random commands, each checked as it is carried out."""
    plans, coming = beginning
    log = Log(*plans, **more)
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


def check_record(log: Log) -> None:
    assert picture(log.live) == picture(rebuilt(log.rows))
    if log.live.games:
        text = log.record()
        assert write(read(text)) == text
        verify(read(text))


# A second path is planted, and caught


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
    """Something happens live and is not written down."""
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


def three_people(**more: object) -> Log:
    """Ada, Ben and Cleo in the first game; Ada begins."""
    log = Log(*THREE, **more)
    for by in (BEN, CLEO):
        log.do(by, join(None, by.capitalize(), "code", None))
    log.do(CLEO, start())
    return log


def with_a_question() -> Log:
    """Ada has laid a pebble and would like to take it back; Ben has said yes already."""
    log = three_people()
    log.play()
    log.do(ADA, ask_undo(0, log.live.version))
    log.do(BEN, answer(1, log.live.version, yes=True))
    assert log.live.consent is not None
    assert log.live.consent.yes == (1,)
    return log


def test_a_game_for_practice_stays_one_after_a_restart():
    log = Log(person("Ada"), BOT, games=1)
    log.play()
    log.do(ADA, ask_undo(0, log.live.version))
    assert rebuilt(log.rows).game.practice
    log.play_on(lambda state: state.status is Status.OVER)
    record = read(log.record())
    assert record.games[0].practice
    assert verify(record).proven


def test_a_turn_taken_back_by_everybodys_yes_makes_no_practice():
    log = with_a_question()
    log.do(CLEO, answer(2, log.live.version, yes=True))
    assert isinstance(log.live.log[-1].event, ActionsUndone)
    assert not rebuilt(log.rows).game.practice


@pytest.mark.parametrize(
    ("by", "command"),
    [(ADA, resign(0)), (CLEO, resign(2)), (ADA, leave(0)), (BEN, leave(1))],
)
def test_a_question_ends_when_those_who_were_asked_change(by, command):
    log = with_a_question()
    log.do(by, command)
    assert log.live.consent is None
    log.refused(CLEO if by != CLEO else BEN, answer(2 if by != CLEO else 1, log.live.version, yes=True), NotNow)


def test_a_question_is_not_for_who_sits_down_later():
    log = three_people()
    log.do(CLEO, leave(2))
    log.play()
    log.do(ADA, ask_undo(0, log.live.version))
    log.do(DAN, join(2, "Dan", "code", None))
    assert log.live.consent is None
    assert log.do(ADA, ask_undo(0, log.live.version)) == {"asked": True}


def test_a_match_that_is_over_asks_nothing():
    log = Log(person("Ada"), OPEN)
    log.do(BEN, join(1, "Ben", "code", None))
    log.do(ADA, start())
    log.play()
    log.do(ADA, ask_undo(0, log.live.version))
    log.do(BEN, resign(1))
    assert (log.live.status, log.live.consent) == (Status.OVER, None)


def test_who_has_resigned_has_no_say_any_more():
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


def test_nobody_comes_back_on_the_seat_of_who_has_resigned():
    log = three_people()
    log.do(BEN, resign(1))
    log.do(BEN, leave(1))
    for by in (BEN, DAN):
        log.refused(by, join(1, "New", "code", None), Taken)
        log.refused(by, join(None, "New", "code", None), Taken)
    log.do(CLEO, resign(2))
    following = fold((event, 0) for event in decide_rematch(log.live, Context(ADA, 0, RANDOM)))
    assert [place.empty for place in following.seats] == [True] * 3
    assert [place.reserved for place in following.seats] == [True, False, True]


def test_a_bot_that_has_thought_too_long_does_not_play_for_who_is_back():
    log = Log(person("Ada"), BOT)
    log.do(ADA, lend(0, None))
    thinking = log.live.waiting()
    assert thinking.kind is Wait.BOT
    log.do(ADA, take_back(0))
    log.refused(None, PlayFor(0, thinking.since, 0), Stale)
    log.refused(None, ReplaceBot(0, thinking.since), Stale)
    assert log.live.seats[0].player is None
    log.play()


def test_who_has_lent_the_seat_is_never_late():
    log = Log(person("Ada"), BOT)
    turn = log.live.waiting()
    log.do(ADA, lend(0, None))
    log.refused(None, TimeOut(0, turn.since), Stale)


def test_who_was_late_is_not_late_in_the_next_game():
    log = Log(person("Ada"), person("Ben"))
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


def test_nobody_waits_for_the_nonce_of_who_has_left():
    log = Log(person("Ada"), OPEN)
    log.do(BEN, join(1, "Ben", "code", COMMIT))
    log.do(ADA, start())
    assert log.live.status is Status.REVEALING
    log.do(BEN, leave(1))
    assert log.live.status is Status.PLAYING
    log.do(DAN, join(None, "Dan", "code", COMMIT))
    log.refused(DAN, reveal(1, NONCE), NotNow)
    verify(read(log.record()))


def test_the_wait_for_nonces_is_not_made_longer_by_anything():
    log = Log(person("Ada", COMMIT), person("Ben", COMMIT))
    since = log.live.waiting()
    assert since.kind is Wait.NONCES
    log.do(DAN, watch("code"))
    log.do(ADA, lend(0, None))
    log.do(ADA, reveal(0, NONCE))
    assert log.live.waiting() == since


def test_a_newcomer_is_named_in_the_next_game():
    log = three_people()
    log.do(BEN, leave(1))
    log.do(DAN, join(1, "Dan", "code", None))
    log.play_on(lambda state: state.status is Status.PAUSED)
    log.do(DAN, next_game())
    first, second = read(log.record()).games
    assert (dict(first.names)[1], dict(second.names)[1]) == ("Ben", "Dan")


def test_people_for_whom_bots_play_need_not_agree_to_another_bot():
    log = three_people()
    log.do(BEN, lend(1, None))
    log.until_turn_of(2)
    log.later = 1000 * PATIENCE
    assert log.do(ADA, ask_bot(0, 2)) == {"asked": False}
    assert log.live.seats[2].player is not None


def test_where_nobody_else_can_agree_a_bot_plays_only_for_who_keeps_the_table_waiting():
    log = Log(person("Ada"), OPEN)
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


def test_a_board_of_ones_own_may_hold_any_letter():
    board = (Path(rondo.__file__).parent / "board.json").read_text(encoding="utf-8")
    odd = {**json.loads(board), "comment": "one\u2028two\x85three ; four"}
    log = Log(person("Ada"), BOT, game="rondo", options={"board": odd})
    text = log.record()
    assert write(read(text)) == text
    assert read(projection.project_record(log.live, None)).games[0].data


def test_a_match_that_is_over_early_offers_no_choices():
    log = Log(person("Ada"), BOT)
    assert projection.project_position(log.live, projection.Viewpoint(ADA, Seat(0), "en")).choices
    log.do(ADA, resign(0))
    assert not projection.project_position(log.live, projection.Viewpoint(ADA, Seat(0), "en")).choices


def test_who_is_late_is_offered_no_choices():
    log = Log(person("Ada"), BOT)
    log.do(None, TimeOut(0, log.live.waiting().since))
    assert not projection.project_position(log.live, projection.Viewpoint(ADA, Seat(0), "en")).choices
    log.refused(ADA, play_draft(0, log.live.version, log.choices()[:1]), NotNow)
    log.do(ADA, take_back(0))
    log.play()


def test_the_rules_worker_asks_for_rows_it_lacks_and_for_all_if_it_knows_another_past():
    log = Log(person("Ada"), BOT)
    log.play(3)

    def told(rows: list[Row], after: int | None = None) -> Any:
        digest = chain_digest(b"", rows)
        return rules.status(rules.LogPosition("past", len(rows), digest, () if after is None else tuple(rows[after:])))

    half = len(log.rows) - 2
    assert told(log.rows[:half]) == rules.MissingRows(0)
    assert told(log.rows[:half], 0).version == half
    assert told(log.rows[:half]).version == half
    assert told(log.rows) == rules.MissingRows(half)
    assert told(log.rows[: half + 1], half - 3).version == half + 1  # some of them are known already
    assert told(log.rows, half).version == len(log.rows)
    other = [*log.rows[:half], Row(log.rows[half].line + " ", 0), *log.rows[half + 1 :]]
    for shorter in (len(other), half + 1):
        assert told(other[:shorter]) == rules.MissingRows(0)
    assert told(log.rows[:half], 0).version == half
    elsewhere = [Row(log.rows[0].line + " ", 0), *log.rows[1:]]
    assert told(elsewhere) == rules.MissingRows(half)
    assert told(elsewhere, half) == rules.MissingRows(0)
    assert told(elsewhere, 0).version == len(elsewhere)


def test_the_rules_worker_evicts_none_of_the_live_tables_when_asked_about_all_in_turn():
    log = Log(person("Ada"), BOT)
    digest = chain_digest(b"", log.rows)

    def ask(table: int, rows: list[Row]) -> Any:
        return rules.status(rules.LogPosition(f"turn {table}", len(log.rows), digest, tuple(rows)))

    for table in range(MAX_LIVE):
        ask(table, log.rows)
    for table in range(MAX_LIVE):
        assert ask(table, []).version == len(log.rows)


def test_a_table_that_is_let_go_leaves_nothing_that_garbage_must_be_looked_through_for():
    def used() -> None:
        log = Log(person("Ada"), BOT)
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


# what a move costs


@pytest.mark.parametrize("name", ["template", "bigpoints", "rondo"])
def test_an_action_is_applied_at_most_twice_on_the_live_path(name, monkeypatch):
    """Once to decide and once to evolve; previews are other requests."""
    log = Log(person("Ada"), person("Ben"), game=name, options={})
    game, applied = log.live.rules, Counter()
    apply = type(game).apply

    def counted(self: Any, state: Any, action: Any) -> Any:
        applied[state, action] += 1
        return apply(self, state, action)

    for _ in range(10):
        waiting = log.live.waiting()
        position = rules.LogPosition("counted", len(log.rows), chain_digest(b"", log.rows), tuple(log.rows))
        assert isinstance(rules.status(position), rules.TableStatus)
        command = play_draft(waiting.seat, log.live.version, [log.choices()[0]])
        with monkeypatch.context() as patched:
            patched.setattr(type(game), "apply", counted)
            assert isinstance(rules.perform(position, command, Context(ADA, 1, RANDOM)), rules.CommandOutcome)
        log.do(ADA, command)
    assert applied
    assert max(applied.values()) <= 2
