"""Pebbles in sentences: positions, choices, events and scores as messages."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.core.game import Heard, Seat
from spieltisch.core.speech import Speech
from spieltisch.games.template.state import LETTERS, Action, Draw, Lay, Pebbles, Phase, Stop
from spieltisch.games.template.view import Pile, View
from spieltisch.i18n.message import Argument, Audience, Message, message_factory

say = message_factory("template")


def describe_pebbles(counts: Pebbles) -> Argument:
    """The pebbles as a list of phrases such as "two red pebbles"."""
    phrases = tuple(say(f"pebble.{letter}", n=n) for letter, n in zip(LETTERS, counts, strict=True) if n)
    return phrases or say("nothing")


def _describe_pile(audience: Audience, key: str, seat: Seat, pile: Pile) -> Message:
    if pile.pebbles is None:
        return audience(say, f"{key}.concealed", seat, n=pile.size)
    return audience(say, key, seat, pebbles=describe_pebbles(pile.pebbles))


class PebblesSpeech(Speech[Action, View]):
    """Messages about Pebbles, from views and witnessed actions only."""

    def position(self, view: View, audience: Audience) -> Sequence[Message]:
        messages = [say("bag", n=view.bag.size)]
        for place in range(view.setup.players):
            seat = Seat(place)
            messages.append(_describe_pile(audience, "hand", seat, view.hands[seat]))
            messages.append(_describe_pile(audience, "pile", seat, view.shown[seat]))
            if view.hidden[seat].size:
                messages.append(_describe_pile(audience, "hidden", seat, view.hidden[seat]))
        return messages

    def choice(self, view: View, action: Action) -> Message:
        match action:
            case Lay(colour, face_up):
                key = "choose.face_up" if face_up else "choose.face_down"
                return say(key, pebble=say(f"pebble.{LETTERS[colour]}", n=1))
            case Draw(colour):
                return say("choose.draw", pebble=say(f"pebble.{LETTERS[colour]}", n=1))
            case Stop():
                return say("choose.stop")
        raise AssertionError(action)

    def happened(self, before: View, heard: Heard, after: View, audience: Audience) -> Message:
        drawn = heard.seat is None
        if heard.text == ".":
            return audience(say, "stops", before.seat)
        if heard.text == "?":
            return audience(say, "draws.unseen" if drawn else "lays.unseen", before.seat)
        pebble = say(f"pebble.{heard.text.upper()}", n=1)
        if drawn:
            return audience(say, "draws", before.seat, pebble=pebble)
        return audience(say, "lays" if heard.text.isupper() else "lays.down", before.seat, pebble=pebble)

    def scores(self, view: View, audience: Audience) -> Sequence[Message]:
        assert view.phase is Phase.OVER
        assert view.outcome is not None
        messages = []
        for place in range(view.setup.players):
            up, down = view.shown[place].pebbles, view.hidden[place].pebbles
            assert up is not None
            assert down is not None
            both = tuple(map(sum, zip(up, down, strict=True)))
            messages.append(
                audience(say, "score", place, pebbles=describe_pebbles(both), points=view.outcome.scores[place])
            )
        return messages


SPEECH = PebblesSpeech()
