"""Why something cannot be done: the rule with the lowest number, and the cell, the side or the pawn that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Never

from spieltisch.core.game import IllegalAction
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
from spieltisch.games.turmbauer.building.stones import Kind, shape_of
from spieltisch.games.turmbauer.phrases import field_at, pawn, spot, stone
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

_PHASES: Final[dict[type, tuple[Phase, str, str]]] = {  # when an action comes, and the rule that says so otherwise
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
    """Refuses what is not the next thing to happen."""
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
        _refuse("R5", "refuse.not_in_stock", stone=stone(state.stones, pick.kind))
    if not pick.ring and not dice_allow(state, pick.kind):
        if kind.size == low + high:
            _refuse("R5", "refuse.sum", low=low, high=high)
        _refuse("R5", "refuse.dice", stone=stone(state.stones, pick.kind), low=low, high=high)
    if len(state.ruled_out) < TRIES and not has_place(state, pick.kind):
        _refuse("R6", "refuse.no_place", stone=stone(state.stones, pick.kind))
    if len(state.ruled_out) == TRIES:
        _refuse("R14", "refuse.three_tries", stone=stone(state.stones, state.chosen))
    if not state.rings[colour_of(state)]:
        _refuse("R18", "refuse.no_ring")
    _refuse("R19", "refuse.ring_a", stone=stone(state.stones, pick.kind))


def refuse_box(state: State, kind: int) -> Never:
    if not state.stocks[colour_of(state)][kind]:
        _refuse("R6", "refuse.not_in_stock", stone=stone(state.stones, kind))
    if len(state.ruled_out) == TRIES:
        _refuse("R14", "refuse.three_tries", stone=stone(state.stones, state.chosen))
    _refuse("R6", "refuse.box")


# Places


def check_place(state: State, cells: Cells) -> None:
    """Refuses a place where the chosen stone must not lie."""
    cubes, kind = terrain_of(state.tower).cubes, state.stones.kinds[state.chosen]
    for place in cells:
        if z_of(place) < 0:
            _refuse("R3", "refuse.below", cell=spot(place))
    _check_free(state, kind, cells)
    if not _pattern_fits(kind, cells):
        _refuse("R9", "refuse.pattern", cell=spot(cells[0]))
    touching = {near for place in cells for near in (*beside(place), above(place), Cell(place - UP))}
    if not touching & cubes.keys():
        _refuse("R10", "refuse.touches_nothing")
    _check_round(state, cells, touching)
    _check_overhang(state, cells)
    _check_pawns(state, cells)
    if cells in state.ruled_out:
        _refuse("R14", "refuse.ruled_out")


def _check_free(state: State, kind: Kind, cells: Cells) -> None:
    if shape_of(cells) not in {pose.steps for pose in kind.poses}:
        _refuse("R8", "refuse.shape", stone=stone(state.stones, state.chosen))
    cubes = terrain_of(state.tower).cubes
    for place in cells:
        if place in cubes:
            _refuse("R8", "refuse.taken", cell=spot(place))
        for colour, field in enumerate(state.pawns):
            if field != TABLE and place == above(field):
                _refuse("R8", "refuse.pawn_there", cell=spot(place), pawn=pawn(colour))


def _pattern_fits(kind: Kind, cells: Cells) -> bool:
    steps = shape_of(cells)
    corner = Cell(cells[0] - steps[0])
    return any(pose.steps == steps and pose.odd != is_coloured(corner) for pose in kind.poses)


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
                _refuse("R11", "refuse.table", cell=spot(place))
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
            _refuse("R13", "refuse.walled_in", pawn=pawn(colour))


# Verdicts and moves


def refuse_verdict(answers: Sequence[int]) -> Never:
    """Says what the judge answers, or how many stones there are."""
    if len(answers) > 1:
        _refuse("R14", "refuse.most_fall", n=max(answers))
    if answers[0] == STANDS:
        _refuse("R14", "refuse.stands")
    _refuse("R14", "refuse.falls", n=answers[0])


def refuse_move(state: State, move: Move) -> Never:
    terrain, colour, field = terrain_of(state.tower), colour_of(state), move.field
    if field == state.pawns[colour]:
        _refuse("R7", "refuse.same_place")
    if field != TABLE and not terrain.is_field(field):
        _refuse("R15", "refuse.no_room" if field in terrain.cubes else "refuse.no_field", field=field_at(field))
    _check_way(state, terrain, move)
    if not state.rings[colour]:
        _refuse("R18", "refuse.no_ring")
    if state.ring:
        _refuse("R18", "refuse.one_ring")
    _refuse("R19", "refuse.ring_idle")


def _check_way(state: State, terrain: Terrain, move: Move) -> None:
    """Refuses a place that no way leads to: because of the steps, then of colours, then of pawns."""
    colour, field = colour_of(state), move.field
    start, pawns = state.pawns[colour], others(state)
    go = terrain.reach_c if move.ring == "c" else terrain.reach
    if field not in go(start, ANY, ()):
        if move.ring != "c" and field in terrain.reach_c(start, ANY, ()):
            _refuse("R16", "refuse.two_heights", place=field_at(field))
        if _diagonal(start, field):
            _refuse("R16", "refuse.diagonal", place=field_at(field))
        _refuse("R16", "refuse.no_way", place=field_at(field))
    if field in pawns:
        _refuse("R17", "refuse.occupied", pawn=pawn(state.pawns.index(field)))
    if move.ring == "b":
        return
    if not terrain.may_enter(field, colour):
        _refuse("R17", f"refuse.foreign.{COLOURS[terrain.cubes[field]]}", place=field_at(field))
    if field not in go(start, colour, ()):
        _refuse("R17", "refuse.foreign_way", place=field_at(field))
    if field not in go(start, colour, pawns):
        _refuse("R17", "refuse.pawn_way", place=field_at(field))


def _diagonal(start: Cell, field: Cell) -> bool:
    """Whether one field is a step across a corner away from the other."""
    if TABLE in (start, field):
        return False
    ways = (x_of(field) - x_of(start), y_of(field) - y_of(start), z_of(field) - z_of(start))
    return abs(ways[0]) == abs(ways[1]) == 1 >= abs(ways[2])


def _refuse(rule: str, key: str, **arguments: Argument) -> Never:
    raise IllegalAction(rule, say(key, **arguments))
