"""What a viewer may know of Pebbles, and the worlds that look like it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from spieltisch.core.game import Heard, Outcome, Sampler, Seat, Setup, Viewer
from spieltisch.games.template.rules import bag_of, outcome
from spieltisch.games.template.state import COLOURS, LETTERS, NONE, Colour, Pebbles, Phase, State


class Pile(NamedTuple):
    """Some pebbles: how many, and which, where the viewer may know."""

    size: int
    pebbles: Pebbles | None


class View(NamedTuple):
    """What a viewer may know."""

    setup: Setup
    viewer: Viewer
    phase: Phase
    seat: Seat
    laying: Colour | None
    bag: Pile
    hands: tuple[Pile, ...]
    shown: tuple[Pile, ...]
    hidden: tuple[Pile, ...]
    outcome: Outcome | None


def observe(state: State, viewer: Viewer) -> View:
    over = state.phase is Phase.OVER
    open_piles = over or state.setup.option("piles") == "open"

    def piles(all_pebbles: tuple[Pebbles, ...], is_open: bool) -> tuple[Pile, ...]:
        return tuple(
            Pile(sum(pebbles), pebbles if is_open or seat == viewer else None)
            for seat, pebbles in enumerate(all_pebbles)
        )

    return View(
        setup=state.setup,
        viewer=viewer,
        phase=state.phase,
        seat=state.seat,
        laying=state.laying,
        bag=Pile(sum(state.bag), state.bag if over else None),
        hands=piles(state.hands, over),  # R3
        shown=piles(state.shown, open_piles),  # R7
        hidden=piles(state.hidden, over),  # R6
        outcome=outcome(state) if over else None,
    )


def recall(view: View, heard: Sequence[Heard]) -> View:
    """The view with the piles that were laid face up, as far as they were heard of whole."""  # R7
    laid: Counter[tuple[Seat | None, str]] = Counter(heard)
    shown = tuple(
        _recalled(pile, tuple(laid[Seat(seat), letter] for letter in LETTERS)) for seat, pile in enumerate(view.shown)
    )
    return view._replace(shown=shown)


def _recalled(pile: Pile, pebbles: Pebbles) -> Pile:
    return Pile(pile.size, pebbles) if pile.pebbles is None and sum(pebbles) == pile.size else pile


def imagine(view: View, sampler: Sampler) -> State:
    """The unseen pebbles dealt out anew, each as likely as any other in every place."""
    unseen = list(bag_of(view.setup))
    for pile in (view.bag, *view.hands, *view.shown, *view.hidden):
        for colour in COLOURS if pile.pebbles else ():
            unseen[colour] -= pile.pebbles[colour] if pile.pebbles else 0
    begun = list(view.shown)
    if view.laying is not None and begun[view.seat].pebbles is None:  # this turn's colour lies on that pile
        unseen[view.laying] -= 1
    pool = [colour for colour in COLOURS for _ in range(unseen[colour])]
    sampler.shuffle(pool)

    def dealt(pile: Pile, certain: Colour | None = None) -> Pebbles:
        if pile.pebbles is not None:
            return pile.pebbles
        took = [pool.pop() for _ in range(pile.size - (certain is not None))] + [certain] * (certain is not None)
        return tuple(took.count(colour) for colour in COLOURS) if took else NONE

    return State(
        setup=view.setup,
        phase=view.phase,
        seat=view.seat,
        laying=view.laying,
        hands=tuple(dealt(pile) for pile in view.hands),
        shown=tuple(dealt(pile, view.laying if seat == view.seat else None) for seat, pile in enumerate(view.shown)),
        hidden=tuple(dealt(pile) for pile in view.hidden),
        bag=dealt(view.bag),
    )
