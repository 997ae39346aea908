"""Deadlines of what a table waits for. Times are milliseconds since 1970."""

from __future__ import annotations

from typing import Final

from spieltisch.table.state import TableState, Wait

NONCE_SECONDS: Final = 10  # after which a match starts without the nonces that are missing


def deadline(kind: Wait, since: int, turn_seconds: int | None) -> int | None:
    """When a wait that started at `since` ends; None without a limit."""
    if kind is Wait.NONCES:
        return since + 1000 * NONCE_SECONDS
    if kind is Wait.PERSON and turn_seconds is not None:
        return since + 1000 * turn_seconds
    return None


def table_deadline(state: TableState) -> int | None:
    """The deadline of what the table waits for; None without a limit."""
    waiting = state.waiting()
    if not waiting.since:
        return None
    return deadline(waiting.kind, state.log[waiting.since - 1].at, state.opened.seconds)
