"""Replay of a record through the rules, for resuming, watching and verifying."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple

from spieltisch.core.game import (
    A,
    BadNotation,
    BadSetup,
    Chance,
    Decision,
    Game,
    IllegalAction,
    Over,
    S,
    Seat,
    Setup,
    V,
)
from spieltisch.i18n.message import message_factory
from spieltisch.records import BadRecord, GameRecord, Move, setup_of

_say = message_factory("")


class Step(NamedTuple, Generic[S, A]):
    """One action: the state before it, its seat (None is chance) and the action."""

    before: S
    seat: Seat | None
    action: A


class Draw(NamedTuple, Generic[S, A]):
    """One draw, possibly undone later: its line, the state before it, what chance offered and what came up."""

    line: int
    before: S
    chance: Chance[A]
    action: A


class Transition(NamedTuple, Generic[S, A]):
    """One log entry, possibly undone later: the step, or None for an undo, and the state after it."""

    step: Step[S, A] | None
    after: S


class Replay(NamedTuple, Generic[S, A]):
    """A replayed game: its setup, the steps that were not undone, the last state, all draws and all transitions."""

    setup: Setup
    steps: Sequence[Step[S, A]]
    state: S
    draws: Sequence[Draw[S, A]]
    transitions: Sequence[Transition[S, A]]


def replay(game: Game[S, A, V], record: GameRecord, *, judge: bool = False) -> Replay[S, A]:
    """Replays a record; BadRecord names the line, and the rule that forbids it.

    Verdicts of the record are accepted, unless `judge` asks for them to be judged again.
    """
    game = game if judge else game.for_replay
    if record.viewer is not None:
        raise BadRecord(record.places.of_field("viewer"), _say("record.redacted"))
    try:
        setup = setup_of(game, record)
        state = game.initial(setup)
    except BadSetup as error:
        raise BadRecord(record.places.of_field(error.field), error.message, error.rule) from None
    steps: list[Step[S, A]] = []
    draws: list[Draw[S, A]] = []
    transitions: list[Transition[S, A]] = []
    for index, entry in enumerate(record.entries):
        line = record.places.of_entry(index)
        if isinstance(entry, Move):
            action = checked(game, state, entry, line)
            pending = game.pending(state)
            if isinstance(pending, Chance) and pending.is_drawn:
                draws.append(Draw(line, state, pending, action))
            steps.append(Step(state, entry.seat, action))
            state = game.apply(state, action)
            transitions.append(Transition(steps[-1], state))
        elif not 0 < entry.actions <= len(steps):
            raise BadRecord(line, _say("record.undo", actions=entry.actions, there=len(steps)))
        else:
            state = steps[-entry.actions].before
            del steps[-entry.actions :]
            transitions.append(Transition(None, state))
    _compare_end(game, state, record)
    return Replay(setup, steps, state, draws, transitions)


def checked(game: Game[S, A, V], state: S, move: Move, line: int) -> A:
    """The action of a move, checked: it is that seat's or chance's turn, and the rules allow it."""
    match game.pending(state):
        case Over():
            raise BadRecord(line, _say("record.over"))
        case Chance() if move.seat is not None:
            raise BadRecord(line, _say("record.chance", given=int(move.seat)))
        case Decision(seat, _) if move.seat is None:
            raise BadRecord(line, _say("record.decision", seat=int(seat)))
        case Decision(seat, _) if move.seat != seat:
            raise BadRecord(line, _say("record.seat", seat=int(seat), given=int(move.seat or 0)))
    try:
        action = game.read(state, move.text)
        game.apply(state, action)
    except BadNotation as error:
        raise BadRecord(line, error.message) from None
    except IllegalAction as error:
        raise BadRecord(line, error.message, error.rule) from None
    return action


def _compare_end(game: Game[S, A, V], state: S, record: GameRecord) -> None:
    if record.result is None:
        return
    pending = game.pending(state)
    if not isinstance(pending, Over):
        raise BadRecord(record.places.of_field("result"), _say("record.not_over"))
    scores, _, ending = pending.outcome
    if scores != record.result:
        raise BadRecord(
            record.places.of_field("result"),
            _say("record.result", given=" ".join(map(str, record.result)), right=" ".join(map(str, scores))),
        )
    if ending != record.ending:
        right = _say("record.wrong_ending", given=record.ending or "", right=ending)
        raise BadRecord(record.places.of_field("ending"), right)
