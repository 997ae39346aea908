"""Turns: the actions of a game grouped by turn, each turn as one line and one mark for a viewer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from spieltisch import registry
from spieltisch.core.game import A, AnyGame, Chance, Decision, Game, Heard, Over, Pending, S, Seat, V, Viewer
from spieltisch.core.json import Json
from spieltisch.core.speech import AnySpeech, Witnessed
from spieltisch.i18n.message import Audience, Message, message_factory

_say = message_factory("")


class Turn(NamedTuple):
    """A turn: the indices of its first action and of the one after its last, and whose it is; None is the deal."""

    start: int
    stop: int
    seat: Seat | None
    deal: bool


class TurnLine(NamedTuple):
    """A turn, told to a viewer: its sentences, and where on the board it took place."""

    sentences: Sequence[Message]
    mark: Json


class Next(NamedTuple):
    """What is pending after an action: a decision of a seat, the end, or the first of the draws to be made, in notation.

    A verdict of a judge is none of them.
    """

    seat: Seat | None = None
    over: bool = False
    draw: str | None = None


def next_of(game: Game[S, A, V], state: S, pending: Pending[A]) -> Next:
    """What is pending in the state."""
    match pending:
        case Over():
            return Next(over=True)
        case Decision(seat, _):
            return Next(seat)
        case Chance(actions, _, judged):
            return Next(draw=None if judged else game.write(state, actions[0]))


def split_turns(game: AnyGame, heard: Sequence[Heard]) -> list[Turn]:
    """The turns of a game from its start: a deal if there is one, then a turn per run of one seat's decisions."""
    turns: list[Turn] = []
    for one in heard:
        extend_turns(game, turns, one)
    return turns


def extend_turns(game: AnyGame, turns: list[Turn], heard: Heard) -> None:
    """Adds an action to the last turn, or a turn that starts with it."""
    speech, last = registry.speech(game), turns[-1] if turns else None
    if last is None:
        turns.append(Turn(0, 1, heard.seat, heard.seat is None and game.deals and not speech.opens_turn(heard)))
    elif _starts_turn(speech, heard, last):
        turns.append(Turn(last.stop, last.stop + 1, heard.seat, False))
    else:
        turns[-1] = last._replace(stop=last.stop + 1, seat=last.seat if heard.seat is None else heard.seat)


def _starts_turn(speech: AnySpeech, heard: Heard, last: Turn) -> bool:
    if heard.seat is None:
        return speech.opens_turn(heard)
    return last.deal or last.seat not in (None, heard.seat)


def opens_turn(game: AnyGame, after: Next) -> bool:
    """Whether the draws that are pending belong to the next turn."""
    return after.draw is not None and registry.speech(game).opens_turn(Heard(None, after.draw))


def is_complete(game: AnyGame, turn: Turn, after: Next) -> bool:
    """Whether a turn is over, given what is pending after its last action."""
    if after.over or opens_turn(game, after):
        return True
    return after.seat is not None and (turn.deal or turn.seat not in (None, after.seat))


def tell_turn(game: AnyGame, turn: Turn, heard: Sequence[Heard], states: Sequence[Any], audience: Audience) -> TurnLine:
    """A turn for the listener: `heard` are its actions, `states` the states before each of them and after the last."""
    speech = registry.speech(game)
    viewer: Viewer = None if audience.listener is None else Seat(audience.listener)
    if turn.deal:
        return TurnLine([speech.deal(game.observe(states[-1], viewer), audience) or _say("turn.deal")], None)
    views = [game.observe(state, viewer) for state in states]
    steps = [Witnessed(*step) for step in zip(views, heard, views[1:], strict=False)]
    return TurnLine(speech.turn(steps, audience), speech.mark(steps))
