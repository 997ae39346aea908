"""The rules of Rondo; read them alongside RULES.md."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Never

from spieltisch.core.game import (
    Chance,
    Decision,
    IllegalAction,
    Outcome,
    Over,
    Pending,
    Seat,
    Setup,
    ranking,
)
from spieltisch.core.type_errors import not_an_action
from spieltisch.games.rondo.board import LETTERS, board_of
from spieltisch.games.rondo.state import (
    COLOURS,
    DEAL,
    DRAWS,
    END,
    FULL,
    MOST,
    NOWHERE,
    ONE,
    PASS,
    Action,
    Bridge,
    Draw,
    End,
    FieldId,
    Lay,
    Pass,
    State,
    Stones,
    count,
    total,
)
from spieltisch.i18n.message import Argument, message_factory

say = message_factory("rondo")


def initial(setup: Setup) -> State:
    board = board_of(setup.option("board"), setup.edition)
    return State(
        setup=setup,
        board=board,
        seat=setup.first,
        dealing=True,
        drawing=DEAL,
        last=NOWHERE,
        gained=0,
        covered=0,
        adjacent=board.centre,
        piles=bytes(len(board.names)),
        bridges=(),
        racks=(0,) * setup.players,
        bag=FULL,
        scores=(0,) * setup.players,
        cause="",
        over=False,
    )


def pending(state: State) -> Pending[Action]:
    if state.over:
        return Over(outcome(state))
    if state.drawing:  # R3, R4, R5
        left = [colour for colour in COLOURS if count(state.bag, colour)]
        return Chance(tuple(DRAWS[colour] for colour in left), tuple(count(state.bag, colour) for colour in left))
    actions: list[Action] = []
    rack, colours = state.racks[state.seat], state.board.colours
    for field in fields_in(open_fields(state)):
        actions += lays(field, colours[field], rack)
    if state.last != NOWHERE:
        actions.append(END)
    elif may_pass(state):
        actions.append(PASS)
    return Decision(state.seat, tuple(actions))


def open_fields(state: State) -> int:
    """The fields that can be laid on now, as a bitset."""
    if state.last != NOWHERE:  # R7
        return state.board.links[state.last] & ~state.covered
    return state.adjacent & ~state.covered  # R6


def fields_in(fields: int) -> Iterator[FieldId]:
    """The fields of a bitset, in the order of the board."""
    while fields:
        field = fields & -fields
        yield FieldId(field.bit_length() - 1)
        fields ^= field


@lru_cache(maxsize=1 << 16)
def lays(field: FieldId, colour: int, rack: Stones) -> tuple[Lay, ...]:
    """The legal lays on a field of a colour: stones face up, fewest first, then each colour face down."""  # R8, R9
    face_up = [Lay(field, LETTERS[colour] * number) for number in range(1, count(rack, colour) + 1)]
    face_down = [Lay(field, LETTERS[other].lower()) for other in COLOURS if count(rack, other)]
    return (*face_up, *face_down)


def may_pass(state: State) -> bool:
    return total(state.racks[state.seat]) < MOST or not open_fields(state)  # R5


def apply(state: State, action: Action) -> State:
    match action:
        case Draw(colour):
            return _draw(state, colour)
        case Lay():
            _check_turn(state)
            return _lay(state, action)
        case Pass():
            _check_turn(state)
            return _pass(state)
        case End():
            _check_turn(state)
            if state.last == NOWHERE:
                _refuse("R4", "refuse.nothing_laid")
            return _start_drawing(state._replace(last=NOWHERE), 1)  # R4
    raise not_an_action(action)


def _check_turn(state: State) -> None:
    if state.dealing:
        _refuse("R3", "refuse.dealing")
    if state.drawing:
        _refuse("R4", "refuse.drawing")
    if state.over:
        _refuse("R11", "refuse.over")


def _lay(state: State, lay: Lay) -> State:
    _check_lay(state, lay)
    board, field, seat = state.board, lay.field, state.seat
    colour = LETTERS.index(lay.stones[0].upper())
    rack = state.racks[seat] - len(lay.stones) * ONE[colour]
    covered = state.covered | 1 << field
    face_up = lay.stones.isupper()
    gained = len(lay.stones) * board.values[field] if face_up else 0  # R10
    last_grey = not state.cause and board.grey & ~covered == 0  # R11
    return state._replace(
        last=field,
        gained=state.gained + gained,
        covered=covered,
        adjacent=state.adjacent | board.links[field],
        piles=state.piles[:field] + bytes([len(lay.stones)]) + state.piles[field + 1 :] if face_up else state.piles,
        bridges=state.bridges if face_up else tuple(sorted((*state.bridges, Bridge(field, colour, seat)))),
        racks=_replaced(state.racks, seat, rack),
        scores=_replaced(state.scores, seat, state.scores[seat] + gained),
        cause="grey" if last_grey else state.cause,
    )


def _check_lay(state: State, lay: Lay) -> None:
    """Refuses an illegal lay; if several rules forbid it, by the lowest number."""
    field, stones, board = lay.field, lay.stones, state.board
    if field == NOWHERE:
        _refuse("R2", "refuse.centre")
    rack = state.racks[state.seat]
    for letter in set(stones.upper()):
        if stones.upper().count(letter) > count(rack, LETTERS.index(letter)):
            _refuse("R4", "refuse.rack", stone=say(f"stone.{letter}", n=stones.upper().count(letter)))
    if not open_fields(state) >> field & 1:
        _refuse_field(state, field)
    if not stones.isupper() and len(stones) > 1:
        _refuse("R8", "refuse.one_bridge")
    if stones.isupper() and set(stones) != {LETTERS[board.colours[field]]}:
        _refuse("R8", "refuse.colour", colour=say(f"colour.{LETTERS[board.colours[field]]}"))


def _refuse_field(state: State, field: FieldId) -> Never:
    used = state.covered >> field & 1
    if state.last == NOWHERE:
        _refuse("R6", "refuse.first_used" if used else "refuse.first_apart")
    _refuse("R7", "refuse.used" if used else "refuse.branch")


def _pass(state: State) -> State:
    if state.last != NOWHERE:
        _refuse("R5", "refuse.pass_after")
    if not may_pass(state):
        _refuse("R5", "refuse.pass_five")
    return _start_drawing(state, min(2, MOST - total(state.racks[state.seat])))  # R5


def _start_drawing(state: State, granted: int) -> State:
    """The state in which the granted stones are to be drawn, or as many as are left."""
    drawing = min(granted, total(state.bag))
    if drawing < granted and not state.cause:
        state = state._replace(cause="bag")  # R11
    return state._replace(drawing=drawing) if drawing else _next_turn(state)


def _draw(state: State, colour: int) -> State:
    if not state.drawing:
        _refuse("R11" if state.over else "R4", "refuse.over" if state.over else "refuse.no_draw")
    if not count(state.bag, colour):
        _refuse("R4", "refuse.bag", stone=say(f"stone.{LETTERS[colour]}", n=1))
    racks = _replaced(state.racks, state.seat, state.racks[state.seat] + ONE[colour])
    state = state._replace(bag=state.bag - ONE[colour], racks=racks, drawing=state.drawing - 1)
    return state if state.drawing else _next_turn(state)


def _next_turn(state: State) -> State:
    following = Seat((state.seat + 1) % state.setup.players)
    round_over = following == state.setup.first
    if state.dealing:
        return state._replace(seat=following, dealing=not round_over, drawing=0 if round_over else DEAL)
    return state._replace(seat=following, gained=0, over=bool(state.cause) and round_over)  # R11


def outcome(state: State) -> Outcome:
    keys = [(score, total(rack)) for score, rack in zip(state.scores, state.racks, strict=True)]
    return Outcome(state.scores, ranking(keys), state.cause)  # R12


def _replaced(numbers: tuple[int, ...], index: int, number: int) -> tuple[int, ...]:
    return (*numbers[:index], number, *numbers[index + 1 :])


def _refuse(rule: str, key: str, **arguments: Argument) -> Never:
    raise IllegalAction(rule, say(key, **arguments))
