"""Hints of Big Points: what a move does, without numbers of discs, and a reason from the track, the stairs and the hand."""

from __future__ import annotations

from typing import Final, NamedTuple

from spieltisch.games.bigpoints.speech.turns import next_step, reach_of, taken_disc
from spieltisch.games.bigpoints.state import BLACK, LETTERS, PAWNS, WHITE, Decline, Move, Take
from spieltisch.games.bigpoints.view import View
from spieltisch.i18n.message import Message, message_factory

say = message_factory("bigpoints")
_PROPOSALS: Final = {
    (False, Take.AHEAD): "propose.ahead",
    (False, Take.BEHIND): "propose.behind",
    (True, Take.AHEAD): "propose.back.ahead",
    (True, Take.BEHIND): "propose.back.behind",
}


def propose(view: View, move: Move) -> Message:
    """The move without the number of the disc that the pawn lands on."""
    proposed = _propose(view, move)
    return say("choose.extra", move=proposed) if move.extra else proposed


def _propose(view: View, move: Move) -> Message:
    reached, letter = reach_of(view, move), LETTERS[move.pawn]
    if reached.landing is None:
        return say("choose.climb", pawn=_pawn(letter), step=next_step(view), disc=_disc(letter))
    taken = taken_disc(reached, move)
    if taken is None:
        return say("propose.back.nothing" if move.backward else "propose.nothing", pawn=_pawn(letter))
    return say(_PROPOSALS[move.backward, move.take], pawn=_pawn(letter), disc=_disc(view.track[taken - 1]))


class Facts(NamedTuple):
    """What a move changes: the own hand when the disc is taken, the disc, where all pawns stand then, the steps."""

    held: tuple[int, ...]
    taken: int  # a colour
    pawns: tuple[int | None, ...]
    next_step: int
    steps: dict[int, int]  # by the colour of the pawn that stands there
    proud: bool  # whether the first pawn to arrive gets the highest step


def explain(view: View, action: Move | Decline) -> Message | None:
    """The first reason that is true of the move; None if there is none, or if the hand is not known."""
    held = view.hands[view.seat].discs
    if held is None:
        return None
    if isinstance(action, Decline):
        return say("why.keep")
    reached = reach_of(view, action)
    if action.extra:
        held = tuple(n - (colour == BLACK) for colour, n in enumerate(held))
    if reached.landing is None:
        return _explain_climb(held[action.pawn] + 1, LETTERS[action.pawn], next_step(view))
    taken = taken_disc(reached, action)
    if taken is None:
        return None
    facts = Facts(
        held,
        LETTERS.index(view.track[taken - 1]),
        (*view.pawns[: action.pawn], reached.landing, *view.pawns[action.pawn + 1 :]),
        next_step(view),
        {LETTERS.index(step.pawn): step.value for step in view.steps if step.pawn},
        view.steps[0].value > view.steps[-1].value,
    )
    if view.track.count(LETTERS[facts.taken]) == 1 and facts.steps.get(facts.taken) != 0:
        return say("why.last", disc=_disc(LETTERS[facts.taken]))
    if facts.taken == BLACK:
        return say("why.black")
    return _explain_white(facts) if facts.taken == WHITE else _explain_colour(facts, action)


def _explain_climb(discs: int, letter: str, step: int) -> Message | None:
    """The discs of the pawn's colour, with the one beside the stairs, and what each counts from now on."""
    return say("why.climb", discs=_disc(letter, discs), step=step) if discs > 1 and step else None


def _explain_white(facts: Facts) -> Message:
    others = sum(n > 0 for colour, n in enumerate(facts.held) if colour != WHITE)  # R16
    return say("why.white", n=others) if others > 1 else say("why.white_rule")


def _explain_colour(facts: Facts, move: Move) -> Message | None:
    held, taken, letter = facts.held, facts.taken, LETTERS[facts.taken]
    step, place = facts.steps.get(taken), facts.pawns[taken]
    if step:
        return say("why.settled", pawn=_pawn(letter), step=step)  # R17: it stays there
    if held[WHITE] and not held[taken]:
        return say("why.colour", n=held[WHITE])  # R16
    if facts.proud and facts.next_step and place and place > max(_others(facts, taken), default=0):
        return say("why.leads", pawn=_pawn(letter), step=facts.next_step)
    if step is None and held[taken] and held[taken] + 1 > max(held[colour] for colour in PAWNS if colour != taken):
        return say("why.most", discs=_disc(letter, held[taken] + 1))
    if facts.proud and not move.backward and held[move.pawn] > 1:
        return say("why.closer", discs=_disc(LETTERS[move.pawn], held[move.pawn]), pawn=_pawn(LETTERS[move.pawn]))
    return None


def _others(facts: Facts, colour: int) -> list[int]:
    """The places of the other pawns on the track."""
    return [place for other, place in enumerate(facts.pawns) if other != colour and place is not None]


def _disc(letter: str, n: int = 1) -> Message:
    return say(f"disc.{letter}", n=n)


def _pawn(letter: str) -> Message:
    return say(f"pawn.{letter}")
