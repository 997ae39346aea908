"""The rules worker: which rows it asks for, which tables it caches, and how often it applies an action."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import Any

import pytest

from spieltisch.server.errors import RefusalData
from spieltisch.server.runtime.tables import MAX_LIVE
from spieltisch.server.workers import rules
from spieltisch.server.workers.table_cache import LogPosition, MissingRows
from spieltisch.table import commands
from spieltisch.table.codec import Row, chain_digest, encode
from spieltisch.table.commands import (
    MAX_EVENTS,
    AskUndo,
    Context,
    Continue,
    Lend,
    Open,
    Play,
    PlayFor,
    Resign,
    Return,
    SeatPlan,
    Watch,
    decide,
)
from spieltisch.table.errors import NotNow
from spieltisch.table.events import MatchEnded, SeatLent, SeatResigned, SeatReturned
from spieltisch.table.state import evolve, fold
from tests.table.tables import (
    ADA,
    BOT,
    KEY,
    RANDOM,
    CheckedTable,
    person,
    play_draft,
)

MAX_SECONDS = 20.0  # of processor time, even for a table with as many events as there may be


def test_the_rules_worker_asks_for_rows_it_lacks_and_for_all_if_it_knows_another_past():
    log = CheckedTable(person("Ada"), BOT)
    log.play(3)

    def told(rows: list[Row], after: int | None = None) -> Any:
        digest = chain_digest(b"", rows)
        return rules.status(LogPosition("past", len(rows), digest, () if after is None else tuple(rows[after:])))

    half = len(log.rows) - 2
    assert told(log.rows[:half]) == MissingRows(0)
    assert told(log.rows[:half], 0).version == half
    assert told(log.rows[:half]).version == half
    assert told(log.rows) == MissingRows(half)
    assert told(log.rows[: half + 1], half - 3).version == half + 1  # some of them are known already
    assert told(log.rows, half).version == len(log.rows)
    other = [*log.rows[:half], Row(log.rows[half].line + " ", 0), *log.rows[half + 1 :]]
    for shorter in (len(other), half + 1):
        assert told(other[:shorter]) == MissingRows(0)
    assert told(log.rows[:half], 0).version == half
    elsewhere = [Row(log.rows[0].line + " ", 0), *log.rows[1:]]
    assert told(elsewhere) == MissingRows(half)
    assert told(elsewhere, half) == MissingRows(0)
    assert told(elsewhere, 0).version == len(elsewhere)


def test_the_rules_worker_evicts_none_of_the_live_tables_when_asked_about_all_in_turn():
    log = CheckedTable(person("Ada"), BOT)
    digest = chain_digest(b"", log.rows)

    def ask(table: int, rows: list[Row]) -> Any:
        return rules.status(LogPosition(f"turn {table}", len(log.rows), digest, tuple(rows)))

    for table in range(MAX_LIVE):
        ask(table, log.rows)
    for table in range(MAX_LIVE):
        assert ask(table, []).version == len(log.rows)


def test_a_table_does_not_grow_without_limit():
    seats = [SeatPlan("person", "Ada"), SeatPlan("person", "Eva")]
    opened = decide(None, Open("template", seats, first=0, games=1, key=KEY), Context("ada", 1, b"random"))
    state = fold((event, 1) for event in opened)
    happened = [*opened]
    while len(happened) < MAX_EVENTS:
        happened.append(SeatReturned(1) if state.seats[1].player else SeatLent(1, "level:1"))
        state = evolve(state, happened[-1], 1)
    rows = [Row(encode(event), 1) for event in happened]
    log = LogPosition("0" * 16, state.version, chain_digest(b"", rows), tuple(rows))
    for again in (Lend(1, key=KEY), Return(1, key=KEY), AskUndo(0, state.version, key=KEY), Watch("code", key=KEY)):
        began = time.process_time()
        refused = rules.perform(log, again, Context("ada", 1))
        assert time.process_time() - began < MAX_SECONDS
        assert isinstance(refused, RefusalData)
        assert refused.code == "not-now"
    events, after = [], 0
    while after is not None:
        told = rules.project(log, "ada", 0, "en", after)
        assert isinstance(told, bytes)
        events += json.loads(told)["events"]
        after = json.loads(told)["next"]
    assert len(events) > MAX_EVENTS - 100
    choice = json.loads(told)["position"]["choices"][0]["text"]
    played = rules.perform(log, Play(0, state.version, [choice], key=KEY), Context("ada", 1))
    assert isinstance(played, rules.CommandOutcome)


def test_at_its_last_line_a_table_ends_whatever_is_asked(monkeypatch):
    table = CheckedTable(person("Ada"), person("Ben"), BOT)
    table.play(3)
    state = table.live
    monkeypatch.setattr(commands, "MAX_LINES", state.version)
    context = Context("ada", 1, RANDOM)
    for refused in (Play(0, state.version, ["."], key=KEY), Continue(key=KEY), Lend(0, key=KEY)):
        with pytest.raises(NotNow) as error:
            decide(state, refused, context)
        assert error.value.message.key == "table.longest"
    assert decide(state, PlayFor(0, state.moved, 0), Context(None, 1)) == [MatchEnded()]
    assert SeatResigned(0) in decide(state, Resign(0, key=KEY), context)


def test_a_command_prepares_chunks_for_its_subscribers_only_as_long_as_that_is_quick(monkeypatch):
    table = CheckedTable(person("Ada"), person("Ben"))
    subscribers = [rules.Subscriber("ada", 0, language, 0) for language in ("de", "en", "fr")]
    assert len(list(rules._chunks(table.live, subscribers))) == 3
    monkeypatch.setattr(rules, "MAX_PREPARING", 0.0)
    assert len(list(rules._chunks(table.live, subscribers))) == 1


def test_a_rules_worker_without_memory_drops_its_tables_and_asks_for_the_rows_again(monkeypatch):
    log = CheckedTable(person("Ada"), BOT)
    position = LogPosition("memory", len(log.rows), chain_digest(b"", log.rows), tuple(log.rows))
    assert isinstance(rules.project(position, ADA, 0, "en", 0), bytes)

    def fail(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(rules.projection, "project", fail)
        patch.setattr(rules, "_perform", fail)
        assert rules.project(position, ADA, 0, "en", 0) == MissingRows(0)
        assert rules.perform(position, Lend(0, key=KEY), Context(ADA, 1)) == MissingRows(0)
    assert rules.status(position._replace(rows=())) == MissingRows(0)
    assert isinstance(rules.project(position, ADA, 0, "en", 0), bytes)


@pytest.mark.parametrize("name", ["template", "bigpoints", "rondo"])
def test_an_action_is_applied_at_most_twice_on_the_live_path(name, monkeypatch):
    """Once to decide and once to evolve; previews are other requests."""
    log = CheckedTable(person("Ada"), person("Ben"), game=name, options={})
    game, applied = log.live.rules, Counter()
    apply = type(game).apply

    def counted(self: Any, state: Any, action: Any) -> Any:
        applied[state, action] += 1
        return apply(self, state, action)

    for _ in range(10):
        waiting = log.live.waiting()
        position = LogPosition("counted", len(log.rows), chain_digest(b"", log.rows), tuple(log.rows))
        assert isinstance(rules.status(position), rules.TableStatus)
        command = play_draft(waiting.seat, log.live.version, [log.choices()[0]])
        with monkeypatch.context() as patched:
            patched.setattr(type(game), "apply", counted)
            assert isinstance(rules.perform(position, command, Context(ADA, 1, RANDOM)), rules.CommandOutcome)
        log.do(ADA, command)
    assert applied
    assert max(applied.values()) <= 2
