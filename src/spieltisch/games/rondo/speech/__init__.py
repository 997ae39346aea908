"""Rondo in sentences: positions, choices, events and scores as messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from spieltisch.core.game import Heard, Seat
from spieltisch.core.json import Json
from spieltisch.core.speech import Speech, Witnessed
from spieltisch.games.rondo.board import LETTERS
from spieltisch.games.rondo.reason import BestTurn, BetterFields, MoreStones, StonesLeft, find_reason
from spieltisch.games.rondo.speech.hints import explain, propose
from spieltisch.games.rondo.speech.turns import mark_turn, tell_turn
from spieltisch.games.rondo.state import Action, Draw, Lay, Pass
from spieltisch.games.rondo.view import Field, Phase, View
from spieltisch.i18n.message import Argument, Audience, Message, message_factory

say = message_factory("rondo")
_PARTS = {"I": "field.inner", "K": "field.spoke", "O": "field.outer"}


def describe_field(name: str) -> Message:
    """A field by its place on the wheel, or by its name on other boards."""
    if re.fullmatch(r"A[NESW]", name):
        return say(f"field.arm.{name[1]}")
    if re.fullmatch(r"[IKO](?:0|[1-9]\d*)", name):
        return say(_PARTS[name[0]], number=int(name[1:]))
    return say("field.other", name=name)


def stone(letter: str, n: int = 1) -> Message:
    return say(f"stone.{letter}", n=n)


def describe_stones(held: Sequence[int]) -> Argument:
    """Stones as a list of phrases such as "two red stones"."""
    return tuple(stone(letter, n) for letter, n in zip(LETTERS, held, strict=True) if n) or say("nothing")


def field_of(view: View, name: str) -> Field:
    """The field of that name."""
    return next(field for field in view.fields if field.name == name)


class RondoSpeech(Speech[Action, View]):
    """Messages about Rondo, from views and witnessed actions only."""

    def position(self, view: View, audience: Audience) -> Sequence[Message]:
        messages = [say("board.reconstructed")] if view.reconstructed else []
        covered = [field for field in view.fields if field.face_up or field.bridge is not None]
        messages += [self._covered(field, audience) for field in covered] or [say("board.empty")]
        free = tuple(describe_field(field.name) for field in view.fields if field.grey and field not in covered)
        messages.append(say("grey.free", fields=free) if free else say("grey.none"))
        if view.open:
            messages += self._open(view)
        messages += [self._rack(view, Seat(seat), audience) for seat in range(view.setup.players)]
        messages.append(say("bag", n=view.bag.size))
        if view.cause and view.phase is not Phase.OVER:
            messages.append(say(f"closing.{view.cause}"))
        if view.phase in (Phase.TURN, Phase.CHAIN):
            messages.append(audience(say, "to_play", view.seat))
        return messages

    def _covered(self, field: Field, audience: Audience) -> Message:
        if field.bridge is None:
            return say("covered.up", field=describe_field(field.name), stones=stone(field.colour, field.face_up))
        if field.hidden:
            return say("covered.known", field=describe_field(field.name), stone=stone(field.hidden))
        return audience(say, "covered.down", field.bridge, field=describe_field(field.name))

    def _open(self, view: View) -> Iterator[Message]:
        for name in view.open:
            field = field_of(view, name)
            key = "open.grey" if field.grey else "open"
            yield say(key, field=describe_field(name), colour=say(f"colour.{field.colour}"), value=field.value)

    def _rack(self, view: View, seat: Seat, audience: Audience) -> Message:
        rack, points = view.racks[seat], view.scores[seat]
        if rack.stones is None:
            return audience(say, "rack.concealed", seat, n=rack.size, points=points)
        return audience(say, "rack", seat, stones=describe_stones(rack.stones), points=points)

    def choice(self, view: View, action: Action) -> Message:
        if isinstance(action, Draw):
            return say("choose.draw", stone=stone(LETTERS[action.colour]))
        if isinstance(action, Pass):
            return say("choose.pass", n=min(2, 5 - view.racks[view.seat].size))
        if not isinstance(action, Lay):
            return say("choose.end")
        field = view.fields[action.field]
        stones = stone(action.stones[0].upper(), len(action.stones))
        if action.stones.islower():
            return say("choose.down", field=describe_field(field.name), stone=stones)
        points = len(action.stones) * field.value
        return say("choose.up", field=describe_field(field.name), stones=stones, points=points)

    def proposal(self, view: View, action: Action) -> Message:
        return propose(view, action) if isinstance(action, Lay) else self.choice(view, action)

    def hint_reason(self, view: View, action: Action, choices: Sequence[Action]) -> Message | None:
        return explain(view, action, choices)

    def happened(self, before: View, heard: Heard, after: View, audience: Audience) -> Message:
        seat, text = before.seat, heard.text
        if heard.seat is None:
            if text == "?":
                return audience(say, "draws.unseen", seat)
            return audience(say, "draws", seat, stone=stone(text))
        if text == "pass":
            return audience(say, "passes", seat)
        if text == ".":
            return audience(say, "ends", seat)
        name, _, stones = text.partition(":")
        if stones == "?":
            return audience(say, "bridges", seat, field=describe_field(name))
        if stones.islower():
            return audience(say, "bridges.known", seat, field=describe_field(name), stone=stone(stones.upper()))
        points = after.scores[seat] - before.scores[seat]
        laid = stone(stones[0], len(stones))
        return audience(say, "lays", seat, field=describe_field(name), stones=laid, points=points)

    def deal(self, view: View, audience: Audience) -> Message:
        return say("turn.deal", n=view.racks[0].size)

    def turn(self, steps: Sequence[Witnessed[View]], audience: Audience) -> Sequence[Message]:
        return tuple(tell_turn(steps, audience))

    def mark(self, steps: Sequence[Witnessed[View]]) -> Json:
        return mark_turn(steps)

    def scores(self, view: View, audience: Audience) -> Sequence[Message]:
        """Per seat its points, and the stones left, which break ties."""  # R12
        messages = [say(f"ending.{view.cause}")]
        for seat, points in enumerate(view.scores):
            messages.append(audience(say, "sheet", seat, points=points, n=view.racks[seat].size))
        return messages

    def reason(self, view: View, heard: Sequence[Heard], audience: Audience) -> Sequence[Message]:
        """What decided the game, from its turns."""
        match find_reason(view, heard):
            case BestTurn(points, fields):
                return (say("reason.turn", points=points, n=fields),)
            case MoreStones(stones, other):
                return (say("reason.stones", n=stones, other=other),)
            case BetterFields(points, stones):
                return (say("reason.fields", points=points, n=stones),)
            case StonesLeft(stones, other):
                return (say("reason.rack", n=stones, other=other),)
            case None:
                return ()


SPEECH = RondoSpeech()
