"""The checker of histories finds every kind of violation, and nothing in a correct history."""

from __future__ import annotations

import pytest

from tests.campaigns.histories.checker import FinalState, StoredAnswer, find_violations
from tests.campaigns.histories.history import History, Operation, Outcome, Streamed

TABLE = "t"
LOG = ['@ {"do":"opened"}', '@ {"do":"started"}', "* 5", "0 a", "1 b", "* 2", "0 c"]
EVENTS = [{"number": number, "kind": "move"} for number in (2, 4, 5, 7)]


def move(seat: int, text: str, key: str, version: int, times: tuple[int, int]) -> Operation:
    body = {"key": key, "seat": seat, "version": version - 1, "draft": [text]}
    return Operation("ada", "actions", TABLE, body, *times, Outcome.OK, {"version": version}, 1)


def correct() -> tuple[History, FinalState]:
    """A table that was opened, three moves, a read, a refused and an unknown command, and a stream."""
    history = History()
    opened = Operation("ada", "open", "", {"key": "k0"}, 0, 10, Outcome.OK, {"table": TABLE}, 1)
    refused = Operation(
        "ben", "actions", TABLE, {"key": "k9", "seat": 1, "draft": ["x"]}, 45, 55, Outcome.REFUSED, {}, 1
    )
    unknown = Operation("ada", "undo", TABLE, {"key": "k8"}, 70, None, Outcome.UNKNOWN, {}, 1)
    read = Operation("ada", "events", TABLE, {"after": 2}, 41, 42, Outcome.OK, {"version": 5, "events": EVENTS[1:3]}, 1)
    moves = [move(0, "a", "k1", 4, (20, 25)), move(1, "b", "k2", 5, (30, 40)), move(0, "c", "k3", 7, (60, 65))]
    history.operations = [opened, *moves[:2], read, refused, moves[2], unknown]
    history.streams = [Streamed("ada", TABLE, EVENTS[:3])]
    answers = {(TABLE, "k0"): StoredAnswer({"table": TABLE}, 2)}
    answers |= {(TABLE, one.key or ""): StoredAnswer(one.response, one.version or 0) for one in moves}
    return history, FinalState({TABLE: list(enumerate(LOG, 1))}, answers, {("ada", TABLE): EVENTS})


def acknowledge_what_is_lost(history, final):
    history.operations.append(move(1, "d", "k4", 9, (80, 90)))


def store_a_refused_command(history, final):
    final.answers[TABLE, "k9"] = StoredAnswer({"version": 7}, 7)


def carry_out_a_move_twice(history, final):
    final.logs[TABLE].append((8, "0 c"))


def lose_a_line(history, final):
    del final.logs[TABLE][5]


def swap_two_moves(history, final):
    final.logs[TABLE][3:5] = [(4, "1 b"), (5, "0 a")]


def store_another_response(history, final):
    final.answers[TABLE, "k2"] = StoredAnswer({"version": 6}, 5)


def store_what_nobody_sent(history, final):
    final.answers[TABLE, "k7"] = StoredAnswer({"version": 7}, 7)


def open_a_table_twice(history, final):
    final.logs["u"] = [(1, LOG[0])]


def lose_a_table(history, final):
    del final.logs[TABLE]


def read_the_past(history, final):
    history.operations.append(Operation("ben", "look", TABLE, {}, 66, 67, Outcome.OK, {"version": 5}, 1))


def read_what_never_was(history, final):
    history.operations.append(Operation("ben", "look", TABLE, {}, 66, 67, Outcome.OK, {"version": 8}, 1))


def acknowledge_against_real_time(history, final):
    history.operations[2].invoked, history.operations[2].completed = 70, 71  # "b" stands before "c", which was done


def read_other_events(history, final):
    history.operations[3].response["events"] = [EVENTS[2]]


def stream_an_event_twice(history, final):
    history.streams[0].events.append(EVENTS[2])


def skip_an_event_in_the_stream(history, final):
    del history.streams[0].events[1]


def let_a_clock_run_out(history, final):
    final.logs[TABLE].append((8, '@ {"do":"late","seat":1}'))


VIOLATIONS = [
    acknowledge_what_is_lost,
    store_a_refused_command,
    carry_out_a_move_twice,
    lose_a_line,
    swap_two_moves,
    store_another_response,
    store_what_nobody_sent,
    open_a_table_twice,
    lose_a_table,
    read_the_past,
    read_what_never_was,
    acknowledge_against_real_time,
    read_other_events,
    stream_an_event_twice,
    skip_an_event_in_the_stream,
    let_a_clock_run_out,
]


def test_a_correct_history_has_no_violations():
    assert find_violations(*correct()) == []


def test_an_unknown_command_may_have_been_carried_out_or_not():
    history, final = correct()
    final.answers[TABLE, "k8"] = StoredAnswer({"version": 7}, 7)
    assert find_violations(history, final) == []


@pytest.mark.parametrize("violate", VIOLATIONS)
def test_a_violation_is_found(violate):
    history, final = correct()
    violate(history, final)
    assert find_violations(history, final)
