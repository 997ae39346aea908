"""Views of Big Points: what a viewer may know, and sampling of states consistent with a view."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import reduce
from typing import NamedTuple, TypeAlias

from spieltisch.core.game import Heard, IllegalAction, Outcome, Sampler, Seat, Setup, Viewer
from spieltisch.games.bigpoints import notation, rules
from spieltisch.games.bigpoints.state import (
    BLACK,
    COLOURS,
    LETTERS,
    ON_TRACK,
    PAWNS,
    STAIRS,
    Bits,
    Colour,
    Hand,
    State,
    discs,
    hand_of,
)

GONE = "."


class Phase(Enum):
    """The phase of the game."""

    DEAL = "deal"
    MOVE = "move"
    EXTRA = "extra"
    OVER = "over"


class Discs(NamedTuple):
    """A hand: its size, and the number of discs per colour if the viewer may know it."""

    size: int
    discs: tuple[int, ...] | None


class Step(NamedTuple):
    """A step of the staircase: its value, and the pawn on it."""

    value: int
    pawn: str | None


class Reach(NamedTuple):
    """A legal move of a pawn: the disc it lands on (None is the staircase) and the discs it can take there."""

    pawn: str
    backward: bool
    landing: int | None
    ahead: int | None
    behind: int | None


class View(NamedTuple):
    """What a viewer may know. The discs of the track are numbered from the start, from 1; 0 is the start itself."""

    setup: Setup
    viewer: Viewer
    phase: Phase
    seat: Seat
    laid: str  # the track as it was laid, one letter per disc
    track: str  # the track as it is now, with a dot for a disc that is gone
    pawns: tuple[int | None, ...]  # b r y g p: the number of the disc the pawn stands on, None on the staircase
    steps: tuple[Step, ...]  # in the order in which they are taken
    beside: str  # the discs beside the staircase
    hands: tuple[Discs, ...]
    handed_in: int
    reach: tuple[Reach, ...]
    outcome: Outcome | None


def observe(state: State, viewer: Viewer) -> View:
    setup, over = state.deal.setup, rules.is_over(state)
    open_hands = over or setup.option("hands") == "open"
    return View(
        setup=setup,
        viewer=viewer,
        phase=_phase(state),
        seat=state.seat,
        laid="".join(LETTERS[disc] for disc in state.deal.discs),
        track="".join(
            LETTERS[disc] if state.remaining >> number & 1 else GONE for number, disc in enumerate(state.deal.discs, 1)
        ),
        pawns=tuple(None if place >= STAIRS else place.bit_length() - 1 for place in state.pawns),
        steps=_view_steps(state),
        beside="".join(LETTERS[pawn] for pawn in PAWNS if state.pawns[pawn] < STAIRS),  # R3, R8
        hands=tuple(
            Discs(sum(discs(hand)), discs(hand) if open_hands or seat == viewer else None)  # R9
            for seat, hand in enumerate(state.hands)
        ),
        handed_in=rules.handed_in(state),
        reach=() if rules.is_dealing(state) or over else tuple(_reach(state)),
        outcome=rules.outcome(state) if over else None,
    )


def _phase(state: State) -> Phase:
    if rules.is_dealing(state):
        return Phase.DEAL
    if rules.is_over(state):
        return Phase.OVER
    return Phase.EXTRA if state.extra else Phase.MOVE


def _view_steps(state: State) -> tuple[Step, ...]:
    on_step = {step: LETTERS[pawn] for pawn, step in enumerate(rules.steps_taken(state))}
    return tuple(Step(value, on_step.get(step)) for step, value in enumerate(rules.step_values(state.deal.setup)))


def _reach(state: State) -> Sequence[Reach]:
    found: list[Reach] = []
    for pawn in PAWNS:
        if state.pawns[pawn] >= STAIRS:
            continue
        found.append(_reach_of(state, pawn, rules.landing(state, pawn), backward=False))
        if state.extra and (back := rules.landing_behind(state, pawn)):
            found.append(_reach_of(state, pawn, back, backward=True))
    return found


def _reach_of(state: State, pawn: Colour, onto: int, *, backward: bool) -> Reach:
    if not onto:
        return Reach(LETTERS[pawn], backward, None, None, None)
    ahead, behind = rules.takeable(state, pawn, onto)
    return Reach(LETTERS[pawn], backward, _disc_number(onto), _disc_number(ahead), _disc_number(behind))


def _disc_number(bit: int) -> int | None:
    return bit.bit_length() - 1 if bit else None


class Laid(NamedTuple):
    """What is remembered during the deal: the letters of the discs laid so far."""

    setup: Setup
    discs: str


Memory: TypeAlias = Laid | State | None  # after the deal the state, since discs are taken in the open; None after a gap


def remember(memory: Memory, heard: Heard) -> Memory:
    """The memory after one more action as a viewer witnessed it."""  # R9
    if isinstance(memory, State):
        try:
            return rules.apply(memory, notation.read(heard.text))
        except IllegalAction:  # an action in between is forgotten
            return None
    if memory is None or heard.text not in LETTERS:
        return None
    laid = memory.discs + heard.text
    if len(laid) < sum(ON_TRACK):
        return Laid(memory.setup, laid)
    return rules.after_deal(memory.setup, bytes(LETTERS.index(letter) for letter in laid))


def recollect(view: View, memory: Memory) -> View:
    """The view with all hands filled in if the whole game was witnessed, otherwise the view itself."""  # R9
    if all(hand.discs is not None for hand in view.hands) or not (isinstance(memory, State) and _agrees(view, memory)):
        return view
    return view._replace(hands=tuple(Discs(sum(held), held) for held in map(discs, memory.hands)))


def recall(view: View, heard: Sequence[Heard]) -> View:
    """The view, completed by all that was heard."""
    nothing: Memory = Laid(view.setup, "")
    return recollect(view, reduce(remember, heard, nothing))


def _agrees(view: View, state: State) -> bool:
    """Whether the state looks like the view."""
    return (
        state.seat == view.seat
        and all(sum(discs(held)) == hand.size for held, hand in zip(state.hands, view.hands, strict=True))
        and view._replace(viewer=None) == observe(state, view.viewer)._replace(viewer=None)
    )


def imagine(view: View, sampler: Sampler) -> State:
    """A state in which the discs of unknown hands are dealt at random."""
    return State(
        deal=rules.after_deal(view.setup, bytes(LETTERS.index(letter) for letter in view.laid)).deal,
        remaining=sum(1 << place for place, letter in enumerate(view.track, 1) if letter != GONE),
        pawns=_pawns(view),
        hands=_hands(view, sampler),
        seat=view.seat,
        extra=view.phase is Phase.EXTRA,
    )


def _pawns(view: View) -> tuple[Bits, ...]:
    reached = {step.pawn: STAIRS << number for number, step in enumerate(view.steps)}
    return tuple(reached[LETTERS[pawn]] if place is None else 1 << place for pawn, place in enumerate(view.pawns))


def _hands(view: View, sampler: Sampler) -> tuple[Hand, ...]:
    """The known hands; all other discs that were taken are dealt at random to the unknown ones."""
    taken = [letter for letter, left in zip(view.laid, view.track, strict=True) if left == GONE]
    taken += [step.pawn for step in view.steps if step.pawn]
    unknown = [taken.count(letter) for letter in LETTERS]
    unknown[BLACK] -= view.handed_in
    for hand in view.hands:
        unknown = [number - held for number, held in zip(unknown, hand.discs or (0,) * 7, strict=True)]
    has_black = view.phase is Phase.EXTRA and view.hands[view.seat].discs is None  # R10: an unknown hand with one
    unknown[BLACK] -= has_black
    pool = [colour for colour in COLOURS for _ in range(unknown[colour])]
    sampler.shuffle(pool)
    hands: list[Hand] = []
    for seat, hand in enumerate(view.hands):
        if hand.discs is not None:
            hands.append(hand_of(hand.discs))
            continue
        certain = [BLACK] * (has_black and seat == view.seat)
        held = certain + [pool.pop() for _ in range(hand.size - len(certain))]
        hands.append(hand_of(tuple(held.count(colour) for colour in COLOURS)))
    return tuple(hands)
