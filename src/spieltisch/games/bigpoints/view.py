"""Views of Big Points: what a viewer may know, and sampling of states consistent with a view."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache, reduce
from typing import Final, NamedTuple, TypeAlias

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
    Hand,
    State,
    discs,
    hand_of,
)

GONE = "."
_LETTER: Final = bytes(LETTERS, "ascii").ljust(256)  # by colour
_MASK: Final = bytes(255 * (digit == ord("1")) for digit in range(256))  # by binary digit
_OR_GONE: Final = bytes([ord(GONE), *range(1, 256)])


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
    setup, phase = state.deal.setup, _phase(state)
    over = phase is Phase.OVER
    open_hands = over or ("hands", "open") in setup.options
    hands = [
        Discs(sum(held), held if open_hands or seat == viewer else None)  # R9
        for seat, held in enumerate(map(discs, state.hands))
    ]
    return View(
        setup,
        viewer,
        phase,
        state.seat,
        _laid(state),
        _track(state),
        _places(state),
        _view_steps(state),
        "".join([LETTERS[pawn] for pawn in PAWNS if state.pawns[pawn] < STAIRS]),  # R3, R8
        tuple(hands),
        rules.handed_in(state),
        tuple(_reach(state)) if phase in (Phase.MOVE, Phase.EXTRA) else (),
        rules.outcome(state) if over else None,
    )


def _laid(state: State) -> str:
    return state.deal.discs.translate(_LETTER).decode()


def _track(state: State) -> str:
    """The discs by letter, and dots for those that are gone: all at once, as bytes of one large integer."""
    codes = state.deal.discs.translate(_LETTER)
    left = f"{state.remaining >> 1:0{len(codes)}b}".encode()[::-1].translate(_MASK)
    found = int.from_bytes(codes, "little") & int.from_bytes(left, "little")
    return found.to_bytes(len(codes), "little").translate(_OR_GONE).decode()


def _places(state: State) -> tuple[int | None, ...]:
    return tuple([None if place >= STAIRS else place.bit_length() - 1 for place in state.pawns])


def _phase(state: State) -> Phase:
    if rules.is_dealing(state):
        return Phase.DEAL
    if rules.is_over(state):
        return Phase.OVER
    return Phase.EXTRA if state.extra else Phase.MOVE


def _view_steps(state: State) -> tuple[Step, ...]:
    return _steps(rules.step_values(state.deal.setup), rules.steps_taken(state))


@lru_cache(maxsize=1 << 10)
def _steps(values: tuple[int, ...], taken: tuple[int | None, ...]) -> tuple[Step, ...]:
    on_step = {step: LETTERS[pawn] for pawn, step in enumerate(taken)}
    return tuple(Step(value, on_step.get(step)) for step, value in enumerate(values))


def _reach(state: State) -> Sequence[Reach]:
    deal, remaining, pawns, _, _, extra = state
    found, occupied = [], rules.occupied(pawns)
    for pawn, place in enumerate(pawns):
        if place >= STAIRS:
            continue
        own = remaining & deal.colours[pawn]
        onto = rules.nearest_ahead(own, place)
        free = remaining & ~(occupied ^ place | onto)
        found.append(_reach_of(LETTERS[pawn], False, onto, free))
        if extra and (onto := rules.nearest_behind(own, place)):
            free = remaining & ~(occupied ^ place | onto)
            found.append(_reach_of(LETTERS[pawn], True, onto, free))
    return found


def _reach_of(pawn: str, backward: bool, onto: Bits, free: Bits) -> Reach:
    """A move onto a disc, or onto the staircase if there is none, with the free discs on both sides of it."""
    if not onto:
        return rules.new(Reach, (pawn, backward, None, None, None))
    ahead, behind = free & -(onto << 1), free & onto - 1
    numbers = (
        onto.bit_length() - 1,
        (ahead & -ahead).bit_length() - 1 if ahead else None,
        behind.bit_length() - 1 if behind else None,
    )
    return rules.new(Reach, (pawn, backward, *numbers))


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
    unknown = None in [hand.discs for hand in view.hands]
    if not unknown or not isinstance(memory, State) or not _agrees(view, memory):
        return view
    return view._replace(hands=tuple([Discs(sum(held), held) for held in map(discs, memory.hands)]))


def recall(view: View, heard: Sequence[Heard]) -> View:
    """The view, completed by all that was heard."""
    nothing: Memory = Laid(view.setup, "")
    return recollect(view, reduce(remember, heard, nothing))


def _agrees(view: View, state: State) -> bool:
    """Whether the state looks like the view: everything else in a view follows from what is compared."""
    return (
        (state.seat, state.extra, state.deal.setup) == (view.seat, view.phase is Phase.EXTRA, view.setup)
        and (_places(state), _view_steps(state)) == (view.pawns, view.steps)
        and (_track(state), _laid(state)) == (view.track, view.laid)
        and [hand.size for hand in view.hands] == [sum(discs(hand)) for hand in state.hands]
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
