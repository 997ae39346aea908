"""The log is the table: whatever is done, in whatever order, a table rebuilt from its lines is the same table."""

from __future__ import annotations

import gc
import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch.core.game import Refusal, Seat
from spieltisch.games import rondo
from spieltisch.match.verify import verify
from spieltisch.records import read, write
from spieltisch.server.runtime.tables import MOST_LIVE
from spieltisch.server.workers import rules
from spieltisch.table import projection
from spieltisch.table.commands import play as moves
from spieltisch.table.commands import seating
from spieltisch.table.commands.context import Command, Desk
from spieltisch.table.errors import NotNow, Stale, Taken
from spieltisch.table.events import Row, sealed
from spieltisch.table.state import Sitting, Status, Wait
from tests.support.running import FUZZ

ADA, BEN, CLEO, DAN = "ada", "ben", "cleo", "dan"
PEOPLE = (ADA, BEN, CLEO, DAN)
NONCE = "07" * 16
COMMIT = hashlib.sha256(bytes.fromhex(NONCE)).hexdigest()
SECRETS = [f"{number:064x}" for number in range(1, 21)]


def opening(*plans: seating.Plan, **more: object) -> seating.Open:
    told = {
        "game": "template",
        "options": {"bag": {"R": 3, "B": 4, "G": 3}},
        "first": 0,
        "games": 2,
        "seconds": 60,
        "late": "first",
        **more,
    }
    return seating.Open(  # type: ignore[arg-type]
        seats=plans, edition=None, public=False, code="code", secrets=SECRETS, **told
    )  # fmt: skip


def person(name: str, commit: str | None = None) -> seating.Plan:
    return seating.Plan("person", name, None, commit)


OPEN = seating.Plan("open")
BOT = seating.Plan("bot", None, "level:1")


class Log:
    """A table at which every command is carried out by who was there all along, and by who reads the whole log.

    Who hears of every line afterwards knows the same, too.
    """

    def __init__(self, *plans: seating.Plan, by: str = ADA, **more: object) -> None:
        self.live = Sitting()
        self.hearer = Sitting()
        self.rows: list[Row] = []
        self.later = 0  # milliseconds that have passed without anything happening
        self.do(by, opening(*plans, **more))

    def do(self, by: str | None, command: Command) -> Any:
        """The answer to the command; what it leads to is the same from the log."""
        before = self.live.version
        answer, rows = _perform(self.live, by, command, self.later)
        again, same = _perform(Sitting(self.rows), by, command, self.later)
        assert (_plain(again), same) == (_plain(answer), rows)
        if isinstance(answer, Refusal):
            if self.live.version != before:  # as the rules workers do: half-done work is forgotten
                self.live = Sitting(self.rows)
        else:
            self.rows += rows
            self.hearer.follow(rows)
        assert picture(self.live, before) == picture(Sitting(self.rows), before) == picture(self.hearer, before)
        if isinstance(answer, Refusal):
            raise answer
        return answer

    def refused(self, by: str | None, command: Command, kind: type[Refusal]) -> None:
        with pytest.raises(kind):
            self.do(by, command)

    def play(self, count: int = 1) -> None:
        """Whoever's turn it is takes the first choice, person or bot."""
        for _ in range(count):
            waiting = self.live.waiting()
            assert waiting.seat is not None
            place = self.live.places[waiting.seat]
            if waiting.kind is Wait.PERSON:
                self.do(place.holder, moves.Play(waiting.seat, self.live.version, [self.choices()[0]]))
            else:
                self.do(None, moves.Decide(waiting.seat, waiting.since, 0))

    def choices(self) -> list[str]:
        referee = self.live.referee
        assert referee is not None
        return [referee.game.write(referee.state, action) for action in referee.pending.actions]  # type: ignore[union-attr]

    def play_on(self, until: Callable[[Sitting], bool]) -> None:
        while not until(self.live):
            self.play()

    def until_turn_of(self, seat: int) -> None:
        self.play_on(lambda sitting: sitting.waiting().seat == seat)


def _perform(sitting: Sitting, by: str | None, command: Command, later: int) -> tuple[Any, list[Row]]:
    desk = Desk(sitting, by, now=1000 + sitting.version + later)
    try:
        return command.perform(desk), desk.rows
    except Refusal as error:
        return error, []


def _plain(answer: Any) -> Any:
    return (answer.code, answer.message, answer.rule) if isinstance(answer, Refusal) else answer


def picture(sitting: Sitting, after: int = 0) -> dict[str, Any]:
    """Everything that anybody could learn of the table since that line, and everything that it will go on from."""
    referees = sitting.series.referees if sitting.series else []
    looks = [projection.Eyes(holder, viewer, "en") for holder in (*PEOPLE, None) for viewer in _eyes(sitting, holder)]
    return {
        "version": (sitting.version, sitting.digest, sitting.moved, sitting.named),
        "status": sitting.status,
        "places": [asdict(place) for place in sitting.places],
        "waiting": sitting.waiting(),
        "ask": sitting.ask,
        "watchers": sitting.watchers,
        "told": [projection.told(sitting, look, after) for look in looks],
        "records": [projection.record_text(sitting, viewer) for viewer in {look.viewer: None for look in looks}],
        "games": [(one.state, one.pending, one.steps, one.entries, one._draws, one.practice) for one in referees],
        "script": sitting.script,
        "summary": projection.summary(sitting),
    }


def _eyes(sitting: Sitting, holder: str | None) -> list[Any]:
    return [*sitting.seats_of(holder), projection.eyes(sitting, holder, None, "en").viewer]


class Anything:
    """Commands of all kinds, mostly such as fit."""

    def __init__(self, log: Log) -> None:
        self.log = log

    def make(self, kind: int, who: int, number: int) -> tuple[str | None, Command]:
        sitting = self.log.live
        seat = number % len(sitting.places)
        waiting = sitting.waiting()
        own = who % len(sitting.places)  # mostly somebody speaks for a seat of their own
        by = PEOPLE[number % 4] if number % 8 == 7 else sitting.places[own].holder or PEOPLE[number % 4]
        version = sitting.version - (number % 7 == 6)
        commands: list[Callable[[], Command]] = [
            lambda: seating.Join(None if number % 2 else seat, f"Name {number % 5}", "code", COMMIT if number % 3 else None),
            lambda: seating.Watch("code" if number % 5 else "other"),
            lambda: seating.Arrange(seat, "level:1" if number % 3 else None),
            seating.Start,
            lambda: seating.Reveal(own, NONCE),
            lambda: seating.Lend(own, None if number % 2 else "level:2"),
            lambda: seating.Return(own),
            lambda: seating.Leave(own),
            lambda: moves.Resign(own) if number % 3 == 0 else moves.AskUndo(own, version),
            lambda: moves.AskUndo(own, version),
            lambda: moves.AskUndo(own, version),
            lambda: moves.AskBot(own, seat),
            lambda: moves.Answer(own, version, number % 4 > 0),
            lambda: moves.Answer(own, version, number % 4 > 0),
            moves.Continue,
            lambda: seating.Rematch("next", "code2", SECRETS) if number % 5 == 0 else moves.AskUndo(own, version),
        ]  # fmt: skip
        ours: list[Callable[[], Command]] = [
            seating.BeginAnyway,
            lambda: moves.Overdue(waiting.seat or 0, waiting.since),
            lambda: moves.Fail(waiting.seat or 0, waiting.since),
        ]
        if kind < len(commands):
            return by, commands[kind]()
        if kind < len(commands) + len(ours):
            return None, ours[kind - len(commands)]()
        return self.go_on(number)

    def go_on(self, number: int) -> tuple[str | None, Command]:
        """What brings the table further."""
        sitting = self.log.live
        waiting = sitting.waiting()
        if sitting.status is Status.PAUSED:
            return ADA, moves.Continue()
        if sitting.status is Status.GATHERING:
            empty = [seat for seat, place in enumerate(sitting.places) if place.empty]
            return ADA, seating.Arrange(empty[0], "level:1") if empty else seating.Start()
        if sitting.status is Status.REVEALING:
            seat, place = next((s, p) for s, p in enumerate(sitting.places) if p.commit and not p.revealed)
            return (place.holder, seating.Reveal(seat, NONCE)) if number % 5 else (None, seating.BeginAnyway())
        if waiting.seat is None:
            return None, seating.BeginAnyway()
        others = [seat for seat in sitting.people() if sitting.ask and seat not in (sitting.ask.seat, *sitting.ask.yes)]
        if others and number % 3:
            return sitting.places[others[0]].holder, moves.Answer(others[0], sitting.version, number % 7 > 0)
        assert sitting.referee is not None
        choices = self.log.choices()
        if waiting.kind is not Wait.PERSON:
            return None, moves.Decide(waiting.seat, waiting.since, number % len(choices))
        return sitting.places[waiting.seat].holder, moves.Play(
            waiting.seat, sitting.version, [choices[number % len(choices)]]
        )


THREE = (person("Ada"), OPEN, OPEN)
COMING = [(by, seating.Join(None, by.capitalize(), "code", COMMIT)) for by in (BEN, CLEO)]


@settings(FUZZ, max_examples=15)
@given(
    st.sampled_from(
        [(THREE, COMING), (THREE, COMING[:1]), ((person("Ada", COMMIT), OPEN), COMING[:1]), ((person("Ada"), BOT), [])]
    ),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 2), st.integers(0, 99)), min_size=20, max_size=45),
)
def test_a_table_is_the_same_to_whoever_was_there_and_to_whoever_reads_its_log(beginning, script):
    plans, coming = beginning
    log = Log(*plans)
    for by, command in coming:
        log.do(by, command)
    anything = Anything(log)
    for kind, who, number in script:
        by, command = anything.make(kind, who, number)
        try:
            log.do(by, command)
        except Refusal:
            continue
    assert picture(log.live) == picture(Sitting(log.rows))
    if log.live.script:
        text = "\n".join(log.live.script) + "\n"
        assert write(read(text)) == text
        verify(read(text))


# odd orders


def three_people(**more: object) -> Log:
    """Ada, Ben and Cleo in the first game; Ada begins."""
    log = Log(*THREE, **more)
    for by in (BEN, CLEO):
        log.do(by, seating.Join(None, by.capitalize(), "code", None))
    log.do(CLEO, seating.Start())
    return log


def with_a_question() -> Log:
    """Ada has laid a pebble and would like to take it back; Ben has said yes already."""
    log = three_people()
    log.play()
    log.do(ADA, moves.AskUndo(0, log.live.version))
    log.do(BEN, moves.Answer(1, log.live.version, yes=True))
    assert log.live.ask is not None
    assert log.live.ask.yes == (1,)
    return log


def test_a_game_for_practice_stays_one_after_a_restart():
    log = Log(person("Ada"), BOT, games=1)
    log.play()
    log.do(ADA, moves.AskUndo(0, log.live.version))
    assert Sitting(log.rows).referee.practice
    log.play_on(lambda sitting: sitting.status is Status.OVER)
    record = read("\n".join(log.live.script))
    assert record.games[0].practice
    assert verify(record).proven


def test_a_turn_taken_back_by_everybodys_yes_makes_no_practice():
    log = with_a_question()
    log.do(CLEO, moves.Answer(2, log.live.version, yes=True))
    assert log.live.rows[-1].line.startswith("undo")
    assert not Sitting(log.rows).referee.practice


@pytest.mark.parametrize(
    ("by", "command"),
    [(ADA, moves.Resign(0)), (CLEO, moves.Resign(2)), (ADA, seating.Leave(0)), (BEN, seating.Leave(1))],
)
def test_a_question_ends_when_those_who_were_asked_change(by, command):
    log = with_a_question()
    log.do(by, command)
    assert log.live.ask is None
    log.refused(CLEO if by != CLEO else BEN, moves.Answer(2 if by != CLEO else 1, log.live.version, yes=True), NotNow)


def test_a_question_is_not_for_who_sits_down_later():
    log = three_people()
    log.do(CLEO, seating.Leave(2))
    log.play()
    log.do(ADA, moves.AskUndo(0, log.live.version))
    log.do(DAN, seating.Join(2, "Dan", "code", None))
    assert log.live.ask is None
    assert log.do(ADA, moves.AskUndo(0, log.live.version)) == {"asked": True}


def test_a_match_that_is_over_asks_nothing():
    log = Log(person("Ada"), OPEN)
    log.do(BEN, seating.Join(1, "Ben", "code", None))
    log.do(ADA, seating.Start())
    log.play()
    log.do(ADA, moves.AskUndo(0, log.live.version))
    log.do(BEN, moves.Resign(1))
    assert (log.live.status, log.live.ask) == (Status.OVER, None)


def test_who_has_resigned_has_no_say_any_more():
    log = with_a_question()
    log.do(BEN, moves.Resign(1))
    log.do(ADA, moves.AskUndo(0, log.live.version))
    log.refused(BEN, moves.Answer(1, log.live.version, yes=False), NotNow)
    log.refused(BEN, moves.AskUndo(1, log.live.version), NotNow)
    log.refused(BEN, moves.AskBot(1, 2), NotNow)
    log.refused(BEN, seating.Lend(1, "level:5"), NotNow)
    log.refused(BEN, seating.Return(1), NotNow)
    log.do(CLEO, moves.Answer(2, log.live.version, yes=True))
    assert log.live.rows[-1].line.startswith("undo")


def test_nobody_comes_back_on_the_seat_of_who_has_resigned():
    log = three_people()
    log.do(BEN, moves.Resign(1))
    log.do(BEN, seating.Leave(1))
    for by in (BEN, DAN):
        log.refused(by, seating.Join(1, "New", "code", None), Taken)
        log.refused(by, seating.Join(None, "New", "code", None), Taken)
    log.do(CLEO, moves.Resign(2))
    following = Sitting(seating.Rematch("next", "code", SECRETS).opening(log.live, ADA, 0))
    assert [place.empty for place in following.places] == [True] * 3
    assert [place.kept for place in following.places] == [True, False, True]


def test_a_bot_that_has_thought_too_long_does_not_play_for_who_is_back():
    log = Log(person("Ada"), BOT)
    log.do(ADA, seating.Lend(0, None))
    thinking = log.live.waiting()
    assert thinking.kind is Wait.BOT
    log.do(ADA, seating.Return(0))
    log.refused(None, moves.Decide(0, thinking.since, 0), Stale)
    log.refused(None, moves.Fail(0, thinking.since), Stale)
    assert log.live.places[0].player is None
    log.play()


def test_who_has_lent_the_seat_is_never_late():
    log = Log(person("Ada"), BOT)
    turn = log.live.waiting()
    log.do(ADA, seating.Lend(0, None))
    log.refused(None, moves.Overdue(0, turn.since), Stale)


def test_who_was_late_is_not_late_in_the_next_game():
    log = Log(person("Ada"), person("Ben"))
    while log.live.status is Status.PLAYING:
        seat = log.live.waiting().seat
        if log.live.waiting().kind is Wait.PERSON:
            log.do(None, moves.Overdue(seat, log.live.waiting().since))
        else:
            log.play()
    assert [place.late for place in log.live.places].count(True) == 1
    log.do(ADA, moves.Continue())
    assert not any(place.late for place in log.live.places)
    assert log.live.waiting().kind is Wait.PERSON


def test_nobody_waits_for_the_nonce_of_who_has_left():
    log = Log(person("Ada"), OPEN)
    log.do(BEN, seating.Join(1, "Ben", "code", COMMIT))
    log.do(ADA, seating.Start())
    assert log.live.status is Status.REVEALING
    log.do(BEN, seating.Leave(1))
    assert log.live.status is Status.PLAYING
    log.do(DAN, seating.Join(None, "Dan", "code", COMMIT))
    log.refused(DAN, seating.Reveal(1, NONCE), NotNow)
    verify(read("\n".join(log.live.script)))


def test_the_wait_for_nonces_is_not_made_longer_by_anything():
    log = Log(person("Ada", COMMIT), person("Ben", COMMIT))
    since = log.live.waiting()
    assert since.kind is Wait.NONCES
    log.do(DAN, seating.Watch("code"))
    log.do(ADA, seating.Lend(0, None))
    log.do(ADA, seating.Reveal(0, NONCE))
    assert log.live.waiting() == since


def test_a_newcomer_is_named_in_the_next_game():
    log = three_people()
    log.do(BEN, seating.Leave(1))
    log.do(DAN, seating.Join(1, "Dan", "code", None))
    log.play_on(lambda sitting: sitting.status is Status.PAUSED)
    log.do(DAN, moves.Continue())
    first, second = read("\n".join(log.live.script)).games
    assert (dict(first.names)[1], dict(second.names)[1]) == ("Ben", "Dan")


def test_people_for_whom_bots_play_need_not_agree_to_another_bot():
    log = three_people()
    log.do(BEN, seating.Lend(1, None))
    log.until_turn_of(2)
    log.later = 1000 * moves.PATIENCE
    assert log.do(ADA, moves.AskBot(0, 2)) == {"asked": False}
    assert log.live.places[2].player is not None


def test_where_nobody_else_can_agree_a_bot_plays_only_for_who_keeps_the_table_waiting():
    log = Log(person("Ada"), OPEN)
    log.do(BEN, seating.Join(1, "Ben", "code", None))
    log.do(ADA, seating.Start())
    log.until_turn_of(0)
    log.later = 10 * 1000 * moves.PATIENCE
    log.refused(ADA, moves.AskBot(0, 1), NotNow)  # it is not Ben whom the table waits for
    log.later = 0
    log.until_turn_of(1)
    log.refused(ADA, moves.AskBot(0, 1), NotNow)
    log.later = 1000 * moves.PATIENCE
    assert log.do(ADA, moves.AskBot(0, 1)) == {"asked": False}
    assert log.live.places[1].player is not None


def test_a_second_question_waits_for_the_answer_to_the_first():
    log = three_people()
    log.play_on(lambda sitting: sitting.waiting().seat == 1 and sitting.referee.steps[-1].seat == 0)
    log.do(ADA, moves.AskBot(0, 2))
    log.refused(BEN, moves.AskBot(1, 2), NotNow)
    log.do(ADA, moves.AskBot(0, 2))
    log.do(BEN, moves.Answer(1, log.live.version, False))
    assert log.do(BEN, moves.AskBot(1, 2)) == {"asked": True}


def test_a_board_of_ones_own_may_hold_any_letter():
    board = (Path(rondo.__file__).parent / "board.json").read_text(encoding="utf-8")
    odd = {**json.loads(board), "comment": "one\u2028two\x85three ; four"}
    log = Log(person("Ada"), BOT, game="rondo", options={"board": odd})
    text = "\n".join(log.live.script) + "\n"
    assert write(read(text)) == text
    assert read(projection.record_text(log.live, None)).games[0].data


def test_a_match_that_is_over_early_offers_no_choices():
    log = Log(person("Ada"), BOT)
    assert projection.told(log.live, projection.Eyes(ADA, Seat(0), "en"), 0)["position"]["choices"]
    log.do(ADA, moves.Resign(0))
    assert not projection.told(log.live, projection.Eyes(ADA, Seat(0), "en"), 0)["position"]["choices"]


def test_who_is_late_is_offered_no_choices():
    log = Log(person("Ada"), BOT)
    log.do(None, moves.Overdue(0, log.live.waiting().since))
    assert not projection.told(log.live, projection.Eyes(ADA, Seat(0), "en"), 0)["position"]["choices"]
    log.refused(ADA, moves.Play(0, log.live.version, log.choices()[:1]), NotNow)
    log.do(ADA, seating.Return(0))
    log.play()


def test_a_clerk_asks_for_the_lines_it_lacks_and_for_all_of_them_where_it_knows_another_past():
    log = Log(person("Ada"), BOT)
    log.play(3)

    def told(rows: list[Row], after: int | None = None) -> Any:
        digest = sealed(b"", rows)
        return rules.stand(rules.Log("past", len(rows), digest, () if after is None else tuple(rows[after:])))

    half = len(log.rows) - 2
    assert told(log.rows[:half]) == rules.Behind(0)
    assert told(log.rows[:half], 0).version == half
    assert told(log.rows[:half]).version == half
    assert told(log.rows) == rules.Behind(half)
    assert told(log.rows[: half + 1], half - 3).version == half + 1  # some of them are known already
    assert told(log.rows, half).version == len(log.rows)
    other = [*log.rows[:half], Row(log.rows[half].line + " ", 0), *log.rows[half + 1 :]]
    for shorter in (len(other), half + 1):
        assert told(other[:shorter]) == rules.Behind(0)
    assert told(log.rows[:half], 0).version == half
    elsewhere = [Row(log.rows[0].line + " ", 0), *log.rows[1:]]
    assert told(elsewhere) == rules.Behind(half)
    assert told(elsewhere, half) == rules.Behind(0)
    assert told(elsewhere, 0).version == len(elsewhere)


def test_a_clerk_who_is_asked_about_all_live_tables_in_turn_forgets_none_of_them():
    log = Log(person("Ada"), BOT)
    digest = sealed(b"", log.rows)

    def ask(table: int, rows: list[Row]) -> Any:
        return rules.stand(rules.Log(f"turn {table}", len(log.rows), digest, tuple(rows)))

    for table in range(MOST_LIVE):
        ask(table, log.rows)
    for table in range(MOST_LIVE):
        assert ask(table, []).version == len(log.rows)


def test_a_table_that_is_let_go_leaves_nothing_that_garbage_must_be_looked_through_for():
    def used() -> None:
        log = Log(person("Ada"), BOT)
        log.play_on(lambda sitting: sitting.status is Status.PAUSED)
        log.do(ADA, moves.Continue())
        log.play(2)

    used()  # what is loaded on the way stays
    gc.collect()
    gc.disable()
    try:
        used()
        assert gc.collect() == 0
    finally:
        gc.enable()
