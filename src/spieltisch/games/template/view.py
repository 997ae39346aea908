"""Views of Pebbles: what a viewer may know, and sampling of states consistent with a view."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from spieltisch.core.game import Heard, Outcome, Sampler, Seat, Setup, Viewer
from spieltisch.games.template.rules import bag_of, outcome
from spieltisch.games.template.state import COLOURS, LETTERS, NONE, Colour, Pebbles, Phase, State, add

Piles: TypeAlias = tuple[Pebbles, ...]  # one per seat


class Pile(NamedTuple):
    """A pile of pebbles: its size, and the pebbles if the viewer may know them."""

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


def remember(memory: Piles, heard: Heard) -> Piles:
    """The pebbles that each seat has laid face up as far as the viewer has witnessed it."""  # R7
    if heard.seat is None or heard.text not in LETTERS:
        return memory
    pile = add(memory[heard.seat], Colour(LETTERS.index(heard.text)), 1)
    return (*memory[: heard.seat], pile, *memory[heard.seat + 1 :])


def recollect(view: View, memory: Piles) -> View:
    """The view with the piles laid face up filled in, if the viewer witnessed all of a pile."""  # R7
    return view._replace(shown=tuple(map(_recalled, view.shown, memory)))


def _recalled(pile: Pile, pebbles: Pebbles) -> Pile:
    return Pile(pile.size, pebbles) if pile.pebbles is None and sum(pebbles) == pile.size else pile


def imagine(view: View, sampler: Sampler) -> State:
    """A state in which the unseen pebbles are dealt at random: each of them is equally likely in each place."""
    unseen = list(bag_of(view.setup))
    for pile in (view.bag, *view.hands, *view.shown, *view.hidden):
        for colour, number in enumerate(pile.pebbles or NONE):
            unseen[colour] -= number
    if view.laying is not None and view.shown[view.seat].pebbles is None:  # a pebble of that colour lies on the pile
        unseen[view.laying] -= 1
    pool = [colour for colour in COLOURS for _ in range(unseen[colour])]
    sampler.shuffle(pool)

    def deal(pile: Pile, known: Colour | None = None) -> Pebbles:
        if pile.pebbles is not None:
            return pile.pebbles
        pebbles = [] if known is None else [known]
        pebbles += [pool.pop() for _ in range(pile.size - len(pebbles))]
        return tuple(pebbles.count(colour) for colour in COLOURS)

    return State(
        setup=view.setup,
        phase=view.phase,
        seat=view.seat,
        laying=view.laying,
        hands=tuple(deal(pile) for pile in view.hands),
        shown=tuple(deal(pile, view.laying if seat == view.seat else None) for seat, pile in enumerate(view.shown)),
        hidden=tuple(deal(pile) for pile in view.hidden),
        bag=deal(view.bag),
    )
