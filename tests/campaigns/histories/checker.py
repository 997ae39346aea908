"""Checker of histories: compares what every client did and saw with the final logs.

A table is a linearizable object: its versions are one line, and each operation takes effect at one moment between its
invocation and its completion. A command that was acknowledged stands in the log once, after everything that was
acknowledged before it was invoked. A read shows a prefix of the final log that has everything that was acknowledged
before. A stream brings every event once, in order.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tests.campaigns.histories.history import READS, History, Operation, Outcome


class StoredAnswer(NamedTuple):
    """A response in the database, and the version of the table at that time."""

    response: dict[str, Any]
    version: int


class FinalState(NamedTuple):
    """The database at the end: the lines of every log, the responses, and the events as each client may see them."""

    logs: Mapping[str, Sequence[tuple[int, str]]]  # numbered
    answers: Mapping[tuple[str, str], StoredAnswer]  # by table and key
    events: Mapping[tuple[str, str], Sequence[dict[str, Any]]]  # by client and table


def find_violations(history: History, final: FinalState) -> list[str]:
    """Everything that must not be; empty if the history is correct."""
    by_table: dict[str, list[Operation]] = defaultdict(list)
    for one in history.operations:
        if table := one.table or one.response.get("table", ""):
            by_table[table].append(one)
    found = [*_check_tables(history, final), *_check_streams(history, final)]
    for table, log in final.logs.items():
        operations = by_table[table]
        found += _check_log(table, log)
        found += _check_keys(table, operations, final)
        found += _check_moves(table, log, operations, final)
        found += _check_real_time(table, operations)
        found += _check_reads(table, operations, final)
    return found


def _check_tables(history: History, final: FinalState) -> Iterator[str]:
    opening = {one.key: one for one in history.operations if one.what == "open"}.values()
    opened = [one.response["table"] for one in opening if one.outcome is Outcome.OK]
    unknown = sum(one.outcome is Outcome.UNKNOWN for one in opening)
    if len(set(opened)) < len(opened):
        yield "two commands have opened the same table"
    if lost := set(opened) - set(final.logs):
        yield f"tables are lost: {lost}"
    if len(set(final.logs) - set(opened)) > unknown:
        yield f"tables were opened twice: {set(final.logs) - set(opened)}"


def _check_log(table: str, log: Sequence[tuple[int, str]]) -> Iterator[str]:
    """The log has no gap, and no turn was played for somebody because of the clock: everybody is quick enough."""
    if [number for number, _ in log] != list(range(1, len(log) + 1)):
        yield f"{table}: the log has a gap"
    if any(line.startswith("@ ") and json.loads(line[2:])["do"] == "late" for _, line in log):
        yield f"{table}: a clock ran out"


def _check_keys(table: str, operations: Sequence[Operation], final: FinalState) -> Iterator[str]:
    """Every acknowledged command is stored with its response, no refused one is, and nothing else is."""
    stored = {key: answer for (name, key), answer in final.answers.items() if name == table}
    for one in operations:
        answer = stored.get(one.key or "")
        if one.key and one.outcome is Outcome.OK and (answer is None or answer.response != one.response):
            yield f"{table}: {one} was acknowledged, but {answer} is stored"
        if one.outcome is Outcome.REFUSED and answer is not None:
            yield f"{table}: {one} was refused, but {answer} is stored"
        if answer is not None and answer.version > len(final.logs[table]):
            yield f"{table}: {one} is stored after the end of the log"
    if operations and (others := set(stored) - {one.key for one in operations}):
        yield f"{table}: nobody has sent {others}"


def _check_moves(
    table: str, log: Sequence[tuple[int, str]], operations: Sequence[Operation], final: FinalState
) -> Iterator[str]:
    """The moves of people are those of the stored commands: none is missing, none is there twice, all in order."""
    versions = {key: answer.version for (name, key), answer in final.answers.items() if name == table}
    played = {one.key: one for one in operations if one.what == "actions" and one.key in versions}
    done = sorted(played.values(), key=lambda one: versions[one.key or ""])
    people = {str(one.body["seat"]) for one in operations if one.what == "actions"}
    expected = [f"{one.body['seat']} {text}" for one in done for text in one.body["draft"]]
    found = [line for _, line in log if line.split(" ", 1)[0] in people]
    if found != expected:
        yield f"{table}: the moves are {found}, but those of the stored commands are {expected}"
    for one in done:
        before = [line for _, line in log[: versions[one.key or ""]] if line.split(" ", 1)[0] in people]
        draft = [f"{one.body['seat']} {text}" for text in one.body["draft"]]
        if before[-len(draft) :] != draft:
            yield f"{table}: {one} does not stand at its version"


def _check_real_time(table: str, operations: Sequence[Operation]) -> Iterator[str]:
    """What was complete before something else was invoked stands before it, reads included."""
    done = [one for one in operations if one.outcome is Outcome.OK and one.version is not None]
    by_completion = sorted(done, key=lambda one: one.completed or 0)
    completed, known, latest = 0, 0, None
    for one in sorted(done, key=lambda one: one.invoked):
        while (by_completion[completed].completed or 0) < one.invoked:
            before = by_completion[completed]
            if (before.version or 0) > known:
                known, latest = before.version or 0, before
            completed += 1
        if (one.version or 0) < known:
            yield f"{table}: {one} does not know {latest}, which was complete before"


def _check_reads(table: str, operations: Sequence[Operation], final: FinalState) -> Iterator[str]:
    """Every read is a prefix of the final log."""
    for one in operations:
        if one.what not in READS or one.outcome is not Outcome.OK:
            continue
        if (one.version or 0) > len(final.logs[table]):
            yield f"{table}: {one} shows what is not in the log"
        if one.what == "events" and (whole := final.events.get((one.client, table))) is not None:
            after = one.body.get("after", 0)
            prefix = [event for event in whole if after < event["number"] <= (one.version or 0)]
            told = one.response["events"]  # a long log is told in pages
            if told != prefix[: len(told)] or bool(told) != bool(prefix):
                yield f"{table}: {one.client} was shown other events after {after} than those of the log"


def _check_streams(history: History, final: FinalState) -> Iterator[str]:
    for one in history.streams:
        whole = final.events.get((one.client, one.table))
        if whole is not None and one.events != list(whole[: len(one.events)]):
            numbers = [event["number"] for event in one.events]
            yield f"{one.table}: the stream of {one.client} is no prefix of the log: {numbers}"
