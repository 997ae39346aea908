"""Refusals of illegal actions: by the rule with the lowest number, naming the cell, the side or the pawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Never

from spieltisch.core.game import IllegalAction
from spieltisch.core.type_errors import not_an_action
from spieltisch.games.turmbauer.building.cells import (
    FOUNDATION,
    TABLE,
    UP,
    Cell,
    above,
    beside,
    is_coloured,
    x_of,
    y_of,
    z_of,
)
from spieltisch.games.turmbauer.building.choices import dice_allow, has_place, others
from spieltisch.games.turmbauer.building.climbing import ANY, NEUTRAL, Terrain, terrain_of
from spieltisch.games.turmbauer.building.stones import Kind, normalized
from spieltisch.games.turmbauer.phrases import cell_phrase, field_phrase, pawn_phrase, stone_phrase
from spieltisch.games.turmbauer.state import (
    COLOURS,
    STANDS,
    TRIES,
    Action,
    Box,
    Cells,
    Move,
    Phase,
    Pick,
    Place,
    Roll,
    State,
    Stay,
    Tremor,
    Verdict,
    colour_of,
    first_round,
)
from spieltisch.i18n.message import Argument, message_factory

say = message_factory("turmbauer")

_PHASES: Final[dict[type, tuple[Phase, str, str]]] = {  # the phase of an action, and the refusal in other phases
    Roll: (Phase.ROLL, "R5", "refuse.rolled"),
    Pick: (Phase.STONE, "R5", "refuse.no_stone_now"),
    Box: (Phase.STONE, "R6", "refuse.no_box_now"),
    Place: (Phase.PLACE, "R5", "refuse.no_place_now"),
    Tremor: (Phase.TREMOR, "R14", "refuse.no_tremor_now"),
    Verdict: (Phase.JUDGE, "R14", "refuse.no_verdict_now"),
    Move: (Phase.MOVE, "R7", "refuse.no_move_now"),
    Stay: (Phase.MOVE, "R7", "refuse.no_move_now"),
}


def check_phase(state: State, action: Action) -> None:
    """Refuses an action that does not belong to the current phase."""
    if type(action) not in _PHASES:
        raise not_an_action(action)
    if state.phase is Phase.OVER:
        if state.fallen:
            _refuse("R22", "refuse.collapsed")
        _refuse("R20", "refuse.over")
    phase, rule, key = _PHASES[type(action)]
    if state.phase is phase:
        return
    if isinstance(action, Verdict) and state.phase is Phase.TREMOR:
        _refuse("R14", "refuse.tremor_first")
    if isinstance(action, Tremor) and state.setup.option("hand") == "calm":
        _refuse("R14", "refuse.calm")
    _refuse(rule, key)


# Stones


def refuse_pick(state: State, pick: Pick) -> Never:
    kind, (low, high) = state.stones.kinds[pick.kind], state.roll
    if not state.stocks[colour_of(state)][pick.kind]:
        _refuse("R5", "refuse.not_in_stock", stone=stone_phrase(state.stones, pick.kind))
    if not pick.ring and not dice_allow(state, pick.kind):
        if kind.size == low + high:
            _refuse("R5", "refuse.sum", low=low, high=high)
        _refuse("R5", "refuse.dice", stone=stone_phrase(state.stones, pick.kind), low=low, high=high)
    if len(state.ruled_out) < TRIES and not has_place(state, pick.kind):
        _refuse("R6", "refuse.no_place", stone=stone_phrase(state.stones, pick.kind))
    if len(state.ruled_out) == TRIES:
        _refuse("R14", "refuse.three_tries", stone=stone_phrase(state.stones, state.chosen))
    if not state.rings[colour_of(state)]:
        _refuse("R18", "refuse.no_ring")
    _refuse("R19", "refuse.ring_a", stone=stone_phrase(state.stones, pick.kind))


def refuse_box(state: State, kind: int) -> Never:
    if not state.stocks[colour_of(state)][kind]:
        _refuse("R6", "refuse.not_in_stock", stone=stone_phrase(state.stones, kind))
    if len(state.ruled_out) == TRIES:
        _refuse("R14", "refuse.three_tries", stone=stone_phrase(state.stones, state.chosen))
    _refuse("R6", "refuse.box")


# Places


def check_place(state: State, cells: Cells) -> None:
    """Refuses an illegal place of the chosen stone."""
    cubes, kind = terrain_of(state.tower).cubes, state.stones.kinds[state.chosen]
    for place in cells:
        if z_of(place) < 0:
            _refuse("R3", "refuse.below", cell=cell_phrase(place))
    _check_free(state, kind, cells)
    if not _pattern_fits(kind, cells):
        _refuse("R9", "refuse.pattern", cell=cell_phrase(cells[0]))
    touching = {near for place in cells for near in (*beside(place), above(place), Cell(place - UP))}
    if not touching & cubes.keys():
        _refuse("R10", "refuse.touches_nothing")
    _check_round(state, cells, touching)
    _check_overhang(state, cells)
    _check_pawns(state, cells)
    if cells in state.ruled_out:
        _refuse("R14", "refuse.ruled_out")


def _check_free(state: State, kind: Kind, cells: Cells) -> None:
    if normalized(cells) not in {orientation.steps for orientation in kind.orientations}:
        _refuse("R8", "refuse.shape", stone=stone_phrase(state.stones, state.chosen))
    cubes = terrain_of(state.tower).cubes
    for place in cells:
        if place in cubes:
            _refuse("R8", "refuse.taken", cell=cell_phrase(place))
        for colour, field in enumerate(state.pawns):
            if field != TABLE and place == above(field):
                _refuse("R8", "refuse.pawn_there", cell=cell_phrase(place), pawn=pawn_phrase(colour))


def _pattern_fits(kind: Kind, cells: Cells) -> bool:
    steps = normalized(cells)
    corner = Cell(cells[0] - steps[0])
    return any(
        orientation.steps == steps and orientation.odd != is_coloured(corner) for orientation in kind.orientations
    )


def supported(state: State, cells: Sequence[Cell]) -> list[Cell]:
    """The cells that lie on the table or on a cube."""  # R12
    cubes = terrain_of(state.tower).cubes
    return [place for place in cells if not z_of(place) or place - UP in cubes]


def _check_round(state: State, cells: Cells, touching: set[Cell]) -> None:
    if first_round(state):
        if not touching.intersection(FOUNDATION):
            _refuse("R11", "refuse.foundation")
    else:
        for place in cells:
            if not z_of(place):
                _refuse("R11", "refuse.table", cell=cell_phrase(place))
    if not supported(state, cells):
        _refuse("R11", "refuse.nothing_below")


def _check_overhang(state: State, cells: Cells) -> None:
    carried = supported(state, cells)
    for side, along, sign in (("N", y_of, 1), ("E", x_of, 1), ("S", y_of, -1), ("W", x_of, -1)):
        if max(sign * along(place) for place in cells) > max(sign * along(place) for place in carried) + 1:
            _refuse("R12", f"refuse.overhang.{side}")


def _check_pawns(state: State, cells: Cells) -> None:
    before, builder = terrain_of(state.tower), colour_of(state)
    built = {place: builder if is_coloured(place) else NEUTRAL for place in cells}
    after = Terrain({**before.cubes, **built})
    for colour, field in enumerate(state.pawns):
        if field != TABLE and before.exits(field, colour) and not after.exits(field, colour):
            _refuse("R13", "refuse.walled_in", pawn=pawn_phrase(colour))


# Verdicts and moves


def refuse_verdict(verdicts: Sequence[int]) -> Never:
    """Refuses a verdict, with the one of the judge or the number of stones."""
    if len(verdicts) > 1:
        _refuse("R14", "refuse.most_fall", n=max(verdicts))
    if verdicts[0] == STANDS:
        _refuse("R14", "refuse.stands")
    _refuse("R14", "refuse.falls", n=verdicts[0])


def refuse_move(state: State, move: Move) -> Never:
    terrain, colour, field = terrain_of(state.tower), colour_of(state), move.field
    if field == state.pawns[colour]:
        _refuse("R7", "refuse.same_place")
    if field != TABLE and not terrain.is_field(field):
        _refuse("R15", "refuse.no_room" if field in terrain.cubes else "refuse.no_field", field=field_phrase(field))
    _check_reach(state, terrain, move)
    if not state.rings[colour]:
        _refuse("R18", "refuse.no_ring")
    if state.ring:
        _refuse("R18", "refuse.one_ring")
    _refuse("R19", "refuse.ring_idle")


def _check_reach(state: State, terrain: Terrain, move: Move) -> None:
    """Refuses a place that is out of reach: because of the steps, then of colours, then of pawns."""
    colour, field = colour_of(state), move.field
    start, pawns = state.pawns[colour], others(state)
    reach = terrain.reach_c if move.ring == "c" else terrain.reach
    if field not in reach(start, ANY, ()):
        if move.ring != "c" and field in terrain.reach_c(start, ANY, ()):
            _refuse("R16", "refuse.two_heights", place=field_phrase(field))
        if _is_diagonal(start, field):
            _refuse("R16", "refuse.diagonal", place=field_phrase(field))
        _refuse("R16", "refuse.no_way", place=field_phrase(field))
    if field in pawns:
        _refuse("R17", "refuse.occupied", pawn=pawn_phrase(state.pawns.index(field)))
    if move.ring == "b":
        return
    if not terrain.may_enter(field, colour):
        _refuse("R17", f"refuse.foreign.{COLOURS[terrain.cubes[field]]}", place=field_phrase(field))
    if field not in reach(start, colour, ()):
        _refuse("R17", "refuse.foreign_way", place=field_phrase(field))
    if field not in reach(start, colour, pawns):
        _refuse("R17", "refuse.pawn_way", place=field_phrase(field))


def _is_diagonal(start: Cell, field: Cell) -> bool:
    """Whether two fields are diagonal neighbours."""
    if TABLE in (start, field):
        return False
    dx, dy, dz = x_of(field) - x_of(start), y_of(field) - y_of(start), z_of(field) - z_of(start)
    return abs(dx) == abs(dy) == 1 >= abs(dz)


def _refuse(rule: str, key: str, **arguments: Argument) -> Never:
    raise IllegalAction(rule, say(key, **arguments))
