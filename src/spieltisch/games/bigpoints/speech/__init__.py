"""Big Points in sentences: positions, choices, events and scores as messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spieltisch.core.game import Heard, Seat
from spieltisch.core.json import Json
from spieltisch.core.speech import Speech, Witnessed
from spieltisch.games.bigpoints import notation
from spieltisch.games.bigpoints.reason import find_decisive
from spieltisch.games.bigpoints.speech.hints import explain, propose
from spieltisch.games.bigpoints.speech.turns import mark_turn, reach_of, tell_turn
from spieltisch.games.bigpoints.state import LETTERS, WHITE, Action, Lay, Move, Take
from spieltisch.games.bigpoints.view import GONE, Discs, Phase, View
from spieltisch.i18n.message import Argument, Audience, Message, message_factory

say = message_factory("bigpoints")
_ROW = 11
_CHOICES = {
    (False, Take.AHEAD): "choose.ahead",
    (False, Take.BEHIND): "choose.behind",
    (False, Take.NOTHING): "choose.nothing",
    (True, Take.AHEAD): "choose.back.ahead",
    (True, Take.BEHIND): "choose.back.behind",
    (True, Take.NOTHING): "choose.back.nothing",
}
_EVENTS = {
    (False, Take.AHEAD): "takes.ahead",
    (False, Take.BEHIND): "takes.behind",
    (True, Take.AHEAD): "back.ahead",
    (True, Take.BEHIND): "back.behind",
}


def disc(letter: str, n: int = 1) -> Message:
    return say(f"disc.{letter}", n=n)


def pawn(letter: str) -> Message:
    return say(f"pawn.{letter}")


def describe_discs(held: Sequence[int]) -> Argument:
    """The discs of a hand as a list of phrases such as "two red discs"."""
    return tuple(disc(letter, n) for letter, n in zip(LETTERS, held, strict=True) if n) or say("nothing")


def score_now(view: View, held: Sequence[int]) -> int:
    """The score of a hand if the game ended now."""
    values = {step.pawn: step.value for step in view.steps if step.pawn}
    coloured = sum(n * values.get(letter, 0) for letter, n in zip(LETTERS, held, strict=True))
    return coloured + held[WHITE] * sum(n > 0 for colour, n in enumerate(held) if colour != WHITE)


class BigPointsSpeech(Speech[Action, View]):
    """Messages about Big Points, from views and witnessed actions only."""

    def position(self, view: View, audience: Audience) -> Sequence[Message]:
        if view.phase is Phase.DEAL:
            return [say("dealing", n=len(view.laid)), *self._track(view)]
        messages = [*self._track(view), *self._pawns(view)]
        if view.beside:
            messages.append(say("beside", discs=tuple(disc(letter) for letter in view.beside)))
        if view.handed_in:
            messages.append(say("handed_in", n=view.handed_in))
        messages += [self._hand(audience, Seat(seat), hand, view) for seat, hand in enumerate(view.hands)]
        if view.phase is Phase.EXTRA:
            messages.append(audience(say, "asked", view.seat))
        elif view.phase is Phase.MOVE:
            messages.append(audience(say, "to_move", view.seat))
        return messages

    def _track(self, view: View) -> Iterator[Message]:
        """The track from the start to the staircase, a row of discs per sentence."""
        on = {place: LETTERS[number] for number, place in enumerate(view.pawns) if place}
        for start in range(0, len(view.track), _ROW):
            row = range(start + 1, min(start + _ROW, len(view.track)) + 1)
            places = tuple(self._place(view.track[number - 1], on.get(number)) for number in row)
            yield say("row", first=row[0], last=row[-1], discs=places)

    def _place(self, letter: str, standing: str | None) -> Message:
        if letter == GONE:
            return say("gap")
        return say("occupied", disc=disc(letter), pawn=pawn(standing)) if standing else say("free", disc=disc(letter))

    def _pawns(self, view: View) -> Iterator[Message]:
        for number, place in enumerate(view.pawns):
            letter = LETTERS[number]
            if place is None:
                step = next(step.value for step in view.steps if step.pawn == letter)
                yield say("stands.step", pawn=pawn(letter), step=step)
            elif place:
                yield say("stands.disc", pawn=pawn(letter), number=place)
            else:
                yield say("stands.start", pawn=pawn(letter))

    def _hand(self, audience: Audience, seat: Seat, hand: Discs, view: View) -> Message:
        if hand.discs is None:
            return audience(say, "hand.concealed", seat, n=hand.size)
        return audience(say, "hand", seat, discs=describe_discs(hand.discs), points=score_now(view, hand.discs))

    def choice(self, view: View, action: Action) -> Message:
        if isinstance(action, Lay):
            return say("choose.lay", disc=disc(LETTERS[action.disc]))
        if not isinstance(action, Move):
            return say("choose.decline")
        chosen = self._choice(view, action)
        return say("choose.extra", move=chosen) if action.extra else chosen

    def _choice(self, view: View, move: Move) -> Message:
        reached, letter = reach_of(view, move), LETTERS[move.pawn]
        if reached.landing is None:
            step = next(step.value for step in view.steps if step.pawn is None)
            return say("choose.climb", pawn=pawn(letter), step=step, disc=disc(letter))
        key = _CHOICES[move.backward, move.take]
        taken = reached.ahead if move.take is Take.AHEAD else reached.behind
        if taken is None or move.take is Take.NOTHING:
            return say(key, pawn=pawn(letter), number=reached.landing)
        return say(key, pawn=pawn(letter), number=reached.landing, disc=disc(view.track[taken - 1]))

    def proposal(self, view: View, action: Action) -> Message:
        return propose(view, action) if isinstance(action, Move) else self.choice(view, action)

    def hint_reason(self, view: View, action: Action, choices: Sequence[Action]) -> Message | None:
        return None if isinstance(action, Lay) else explain(view, action)

    def happened(self, before: View, heard: Heard, after: View, audience: Audience) -> Message:
        action = notation.read(heard.text)
        if isinstance(action, Lay):
            return say("laid", number=len(after.laid), disc=disc(LETTERS[action.disc]))
        if not isinstance(action, Move):
            return audience(say, "declines", before.seat)
        moved = self._moved(before, action, audience)
        return say("both", first=audience(say, "hands_in", before.seat), second=moved) if action.extra else moved

    def _moved(self, before: View, move: Move, audience: Audience) -> Message:
        reached, letter, seat = reach_of(before, move), LETTERS[move.pawn], before.seat
        if reached.landing is None:
            step = next(step.value for step in before.steps if step.pawn is None)
            return audience(say, "climbs", seat, pawn=pawn(letter), step=step, disc=disc(letter))
        taken = reached.ahead if move.take is Take.AHEAD else reached.behind
        if taken is None or move.take is Take.NOTHING:
            return audience(say, "takes.nothing", seat, pawn=pawn(letter), number=reached.landing)
        key = _EVENTS[move.backward, move.take]
        return audience(say, key, seat, pawn=pawn(letter), disc=disc(before.track[taken - 1]))

    def deal(self, view: View, audience: Audience) -> Message:
        return say("turn.deal")

    def turn(self, steps: Sequence[Witnessed[View]], audience: Audience) -> Sequence[Message]:
        return tell_turn(steps, audience)

    def mark(self, steps: Sequence[Witnessed[View]]) -> Json:
        return mark_turn(steps)

    def scores(self, view: View, audience: Audience) -> Sequence[Message]:
        """Per seat one line for each colour in its hand, then the sum."""  # R16
        assert view.outcome is not None
        values = {step.pawn: step.value for step in view.steps}
        messages: list[Message] = []
        for seat, hand in enumerate(view.hands):
            assert hand.discs is not None
            others = sum(n > 0 for colour, n in enumerate(hand.discs) if colour != WHITE)
            messages.append(audience(say, "sheet", seat))
            for letter, n in zip(LETTERS, hand.discs, strict=True):
                if n and letter in values:
                    value = values[letter]
                    messages.append(say("sheet.colour", discs=disc(letter, n), step=value, points=n * value))
                elif n and letter == LETTERS[WHITE]:
                    messages.append(say("sheet.white", discs=disc(letter, n), n=others, points=n * others))
                elif n:
                    messages.append(say("sheet.black", discs=disc(letter, n)))
            messages.append(say("sheet.sum", points=view.outcome.scores[seat]))
        return messages

    def reason(self, view: View, heard: Sequence[Heard], audience: Audience) -> Sequence[Message]:
        """The colour with which the winner led most."""
        found = find_decisive(view)
        if found is None:
            return ()
        key = "reason.alone" if found.alone else "reason.most"
        return (say(key, discs=disc(found.letter, found.discs), n=found.discs, each=found.each),)


SPEECH = BigPointsSpeech()
