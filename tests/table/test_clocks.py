"""Deadlines: by when a table must have what it waits for."""

from __future__ import annotations

import hashlib

import pytest

from spieltisch.table.clocks import NONCE_SECONDS, table_deadline
from spieltisch.table.commands import Context, Open, SeatPlan, TimeOut, decide
from spieltisch.table.state import TableState, evolve, fold

OPENED_AT = 1_000_000
COMMIT = hashlib.sha256(bytes(16)).hexdigest()


def opened(seconds: int | None, commit: str | None = None) -> TableState:
    seats = [SeatPlan("person", "Ada", commit=commit), SeatPlan("person", "Ben")]
    command = Open("template", seats, first=0, games=1, seconds=seconds, late="first", key="key-of-a-test")
    state = fold((event, OPENED_AT) for event in decide(None, command, Context("ada", OPENED_AT, b"random")))
    assert state is not None
    return state


def test_a_turn_with_a_time_limit_has_a_deadline():
    assert table_deadline(opened(seconds=60)) == OPENED_AT + 60_000


def test_a_turn_without_a_time_limit_has_none():
    assert table_deadline(opened(seconds=None)) is None


def test_nonces_are_waited_for_with_or_without_a_time_limit():
    for seconds in (60, None):
        assert table_deadline(opened(seconds, COMMIT)) == OPENED_AT + 1000 * NONCE_SECONDS


def test_a_turn_that_has_timed_out_has_no_deadline():
    state = opened(seconds=60)
    for event in decide(state, TimeOut(0, state.waiting().since), Context(None, OPENED_AT + 60_000)):
        state = evolve(state, event, OPENED_AT + 60_000)
    assert table_deadline(state) is None


def test_a_log_that_opens_its_table_twice_is_damaged():
    state = opened(seconds=60)
    with pytest.raises(AssertionError):
        evolve(state, state.opened, OPENED_AT)
