"""Views of Rondo: what a viewer may know, and sampling of states consistent with a view."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from spieltisch.core.game import Outcome, Sampler, Seat, Setup, Viewer
from spieltisch.games.rondo import rules
from spieltisch.games.rondo.board import LETTERS, board_of
from spieltisch.games.rondo.state import (
    COLOURS,
    FULL,
    MOST,
    NOWHERE,
    ONE,
    Bridge,
    FieldId,
    State,
    Stones,
    counts,
)

SEATS: Final = 4


class Phase(Enum):
    """The phase of the game."""

    DEAL = "deal"
    TURN = "turn"
    CHAIN = "chain"
    DRAW = "draw"
    OVER = "over"


class Pile(NamedTuple):
    """Stones on a rack or in the bag: their number, and the number per colour if the viewer may know it."""

    size: int
    stones: tuple[int, ...] | None


class Field(NamedTuple):
    """A field: what is printed on it, and the stones that lie there."""

    name: str
    colour: str
    value: int
    grey: bool
    face_up: int  # the number of stones face up
    bridge: Seat | None  # the seat that laid a stone face down
    hidden: str | None  # the colour of that stone if the viewer may know it


class View(NamedTuple):
    """What a viewer may know."""

    setup: Setup
    viewer: Viewer
    phase: Phase
    seat: Seat
    fields: tuple[Field, ...]
    last: str | None  # the field laid on last in this turn
    gained: int  # the points of this turn's chain so far
    open: tuple[str, ...]  # the fields that can be laid on now
    drawing: int
    racks: tuple[Pile, ...]
    bag: Pile
    scores: tuple[int, ...]
    cause: str
    reconstructed: bool
    outcome: Outcome | None


def observe(state: State, viewer: Viewer) -> View:
    board, over = state.board, state.over
    deciding = not (state.drawing or over)
    return View(
        setup=state.setup,
        viewer=viewer,
        phase=_phase(state),
        seat=state.seat,
        fields=_fields(state, viewer),
        last=None if state.last == NOWHERE else board.names[state.last],
        gained=state.gained,
        open=tuple(board.names[field] for field in rules.fields_in(rules.open_fields(state))) if deciding else (),
        drawing=state.drawing,
        racks=tuple([_pile(rack, over or seat == viewer) for seat, rack in enumerate(state.racks)]),  # R3
        bag=_pile(state.bag, over),
        scores=state.scores,
        cause=state.cause,
        reconstructed=board.reconstructed,
        outcome=rules.outcome(state) if over else None,
    )


def _fields(state: State, viewer: Viewer) -> tuple[Field, ...]:
    setup = state.setup
    empty = _empty_fields(setup.option("board"), setup.edition)
    fields, face_up, bridged = [*empty.fields], empty.face_up, empty.bridged
    for number, stones in enumerate(state.piles):
        if stones:
            fields[number] = face_up[number][stones]
    for number, colour, seat in state.bridges:
        known = state.over or seat == viewer  # R10
        fields[number] = bridged[number][seat][colour if known else -1]
    return tuple(fields)


class _Fields(NamedTuple):
    """Every field of a board in every way it can look."""

    fields: tuple[Field, ...]
    face_up: tuple[tuple[Field, ...], ...]  # by field and number of stones
    bridged: tuple[tuple[tuple[Field, ...], ...], ...]  # by field, owner and colour; the last is an unknown colour


@lru_cache(maxsize=64)
def _empty_fields(document: str, side: str) -> _Fields:
    board = board_of(document, side)
    fields = tuple(
        Field(name, LETTERS[board.colours[number]], board.values[number], board.grey >> number & 1 > 0, 0, None, None)
        for number, name in enumerate(board.names)
    )
    return _Fields(
        fields,
        tuple(tuple(field._replace(face_up=stones) for stones in range(MOST + 1)) for field in fields),
        tuple(
            tuple(
                tuple(field._replace(bridge=Seat(seat), hidden=letter) for letter in (*LETTERS, None))
                for seat in range(SEATS)
            )
            for field in fields
        ),
    )


def _pile(stones: Stones, known: bool) -> Pile:
    held = counts(stones)
    return Pile(sum(held), held if known else None)


def _phase(state: State) -> Phase:
    if state.over:
        return Phase.OVER
    if state.drawing:
        return Phase.DEAL if state.dealing else Phase.DRAW
    return Phase.TURN if state.last == NOWHERE else Phase.CHAIN


def imagine(view: View, sampler: Sampler) -> State:
    """A state in which the unseen stones are dealt at random to bridges, racks and bag, each equally likely everywhere."""
    pool = unseen(view)
    sampler.shuffle(pool)

    def deal(pile: Pile) -> Stones:
        if pile.stones is not None:
            return sum(n * one for n, one in zip(pile.stones, ONE, strict=True))
        return sum(ONE[pool.pop()] for _ in range(pile.size))

    bridges = tuple(
        Bridge(FieldId(number), LETTERS.index(field.hidden) if field.hidden else pool.pop(), field.bridge)
        for number, field in enumerate(view.fields)
        if field.bridge is not None
    )
    board = board_of(view.setup.option("board"), view.setup.edition)
    covered, adjacent = 0, board.centre
    for number, field in enumerate(view.fields):
        if field.face_up or field.bridge is not None:
            covered |= 1 << number
            adjacent |= board.links[number]
    return State(
        setup=view.setup,
        board=board,
        seat=view.seat,
        dealing=view.phase is Phase.DEAL,
        drawing=view.drawing,
        last=FieldId(board.names.index(view.last)) if view.last else NOWHERE,
        gained=view.gained,
        covered=covered,
        adjacent=adjacent,
        piles=bytes(field.face_up for field in view.fields),
        bridges=bridges,
        racks=tuple(deal(rack) for rack in view.racks),
        bag=deal(view.bag),
        scores=view.scores,
        cause=view.cause,
        over=view.phase is Phase.OVER,
    )


def unseen(view: View) -> list[int]:
    """The colours of all stones that the viewer does not know."""
    left = list(counts(FULL))
    for field in view.fields:
        left[LETTERS.index(field.colour)] -= field.face_up
        if field.hidden:
            left[LETTERS.index(field.hidden)] -= 1
    for pile in (*view.racks, view.bag):
        for colour in COLOURS:
            left[colour] -= pile.stones[colour] if pile.stones else 0
    return [colour for colour in COLOURS for _ in range(left[colour])]
