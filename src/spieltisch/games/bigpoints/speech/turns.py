"""Turns of Big Points: a line of the log, and the path and the taken disc for the mark on the board."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.core.json import Json
from spieltisch.core.speech import Witnessed
from spieltisch.games.bigpoints import notation
from spieltisch.games.bigpoints.state import BLACK, LETTERS, Move, Take
from spieltisch.games.bigpoints.view import Reach, View
from spieltisch.i18n.message import Audience, Message, Symbol, message_factory

say = message_factory("bigpoints")


def reach_of(view: View, move: Move) -> Reach:
    """The entry of the view that describes the move."""
    return next(each for each in view.reach if each.pawn == LETTERS[move.pawn] and each.backward == move.backward)


def taken_disc(reached: Reach, move: Move) -> int | None:
    """The number of the disc that the move takes from the track."""
    if reached.landing is None or move.take is Take.NOTHING:
        return None
    return reached.ahead if move.take is Take.AHEAD else reached.behind


def tell_turn(steps: Sequence[Witnessed[View]], audience: Audience) -> Sequence[Message]:
    """Which pawn was moved and which disc was taken; an extra move is a second sentence, declining it needs none."""
    moves = [(view, action) for view, heard, _ in steps if isinstance(action := notation.read(heard.text), Move)]
    if not moves and steps:  # somebody who saw only the end of the turn
        return [audience(say, "declines", steps[0].before.seat)]
    return [_extra(view, move) if move.extra else _move(view, move, audience) for view, move in moves]


def _move(view: View, move: Move, audience: Audience) -> Message:
    reached, letter = reach_of(view, move), LETTERS[move.pawn]
    if reached.landing is None:
        return audience(say, "turn.climbs", view.seat, pawn=_pawn(letter), step=next_step(view), disc=_disc(letter))
    taken = taken_disc(reached, move)
    if taken is None:
        return audience(say, "turn.nothing", view.seat, pawn=_pawn(letter))
    return audience(say, "turn.takes", view.seat, pawn=_pawn(letter), disc=_disc(view.track[taken - 1]))


def _extra(view: View, move: Move) -> Message:
    reached, letter, black = reach_of(view, move), LETTERS[move.pawn], _disc(LETTERS[BLACK])
    if reached.landing is None:
        return say("turn.extra.climbs", black=black, pawn=_pawn(letter), step=next_step(view), disc=_disc(letter))
    taken = taken_disc(reached, move)
    if taken is None:
        return say("turn.extra.nothing", black=black, pawn=_pawn(letter))
    return say("turn.extra.takes", black=black, pawn=_pawn(letter), disc=_disc(view.track[taken - 1]))


def next_step(view: View) -> int:
    """The value of the step that the next pawn gets."""
    return next(step.value for step in view.steps if step.pawn is None)


def _pawn(letter: str) -> Symbol:
    return Symbol(f"pawn.{letter}", say(f"hue.{letter}"))


def _disc(letter: str) -> Symbol:
    return Symbol(f"disc.{letter}", say(f"hue.{letter}"))


def mark_turn(steps: Sequence[Witnessed[View]]) -> Json:
    """Per move its pawn, the discs where it started and landed (null is the staircase), and the disc that was taken."""
    marks: list[Json] = []
    for view, heard, _ in steps:
        action = notation.read(heard.text)
        if isinstance(action, Move):
            reached = reach_of(view, action)
            marks.append(
                {
                    "pawn": LETTERS[action.pawn],
                    "from": view.pawns[action.pawn],
                    "to": reached.landing,
                    "taken": taken_disc(reached, action),
                }
            )
    return marks
