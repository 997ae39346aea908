"""Turns of Rondo: a line of the log, and the fields and points for the mark on the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spieltisch.core.json import Json
from spieltisch.core.speech import Witnessed
from spieltisch.games.rondo.view import View
from spieltisch.i18n.message import Argument, Audience, Message, Symbol, message_factory

say = message_factory("rondo")


def tell_turn(steps: Sequence[Witnessed[View]], audience: Audience) -> Iterator[Message]:
    """The stones of the chain and its points, or the pass; then the stones drawn, if the listener drew them."""
    seat = steps[0].before.seat
    drawn = [heard.text for _, heard, _ in steps if heard.seat is None]
    knows = bool(drawn) and seat == audience.listener and "?" not in drawn
    laid = _laid(steps)
    if laid:
        stones, points = _stones("".join(text for _, text in laid)), _points(steps)
        if points:
            yield audience(say, "turn.lays", seat, stones=stones, points=points)
        else:
            yield audience(say, "turn.bridges", seat, stones=stones)
    elif any(heard.text == "pass" for _, heard, _ in steps):
        yield audience(say, "passes", seat) if knows else audience(say, "turn.passes", seat, n=len(drawn))
    elif not knows:  # somebody who saw only the end of the turn
        yield audience(say, "ends", seat)
    if knows:
        yield say("turn.draws", stones=_stones("".join(drawn)))


def mark_turn(steps: Sequence[Witnessed[View]]) -> Json:
    """The names of the fields that were laid on, in the order of the chain, and the points; null after a pass."""
    laid = _laid(steps)
    return {"fields": [name for name, _ in laid], "points": _points(steps)} if laid else None


def _laid(steps: Sequence[Witnessed[View]]) -> list[tuple[str, str]]:
    """The fields that were laid on, each with its stones in notation."""
    texts = [heard.text.partition(":") for _, heard, _ in steps if heard.seat is not None]
    return [(name, stones) for name, colon, stones in texts if colon]


def _points(steps: Sequence[Witnessed[View]]) -> int:
    seat = steps[0].before.seat
    return steps[-1].after.scores[seat] - steps[0].before.scores[seat]


def _stones(text: str) -> Argument:
    """Stones in notation by colour, and bridges, whose colour only their owner knows, by their number."""
    kinds = ["?" if stone.islower() else stone for stone in text]
    found: list[Argument] = []
    for kind in dict.fromkeys(kinds):
        n = kinds.count(kind)
        if kind == "?":
            found.append(Symbol("bridge", say("turn.bridge", n=n)))
        else:
            found.append(Symbol(f"stone.{kind}", say(f"hue.{kind}", n=n)))
    return tuple(found)
