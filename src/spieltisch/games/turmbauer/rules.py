"""The rules of Turmbauer; read them alongside RULES.md. Legal choices are in building/choices.py, refusals in refusals.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spieltisch.core.game import Chance, Decision, Outcome, Over, Pending, Setup, ranking
from spieltisch.games.turmbauer import refusals
from spieltisch.games.turmbauer.building.cells import TABLE, Cell, height
from spieltisch.games.turmbauer.building.choices import built_at, moves, open_places, stone_choices
from spieltisch.games.turmbauer.building.stones import stones_of
from spieltisch.games.turmbauer.physics.judge import Judge
from spieltisch.games.turmbauer.state import (
    COLLAPSE,
    COLOURS,
    HANDS,
    LEVEL,
    NOTHING,
    RINGS,
    ROLLS,
    ROUNDS,
    STANDS,
    STAY,
    TREMORS,
    TRIES,
    Action,
    Box,
    Lean,
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
    colours,
    seat_of,
)

COLLAPSED: Final = "collapse"


def initial(setup: Setup) -> State:
    stones = stones_of(setup.option("stones"))
    sides = len(COLOURS) if setup.players == 2 else setup.players  # R1
    return State(
        setup=setup,
        turn=0,
        phase=Phase.ROLL,
        roll=(0, 0),
        chosen=NOTHING,
        ring="",
        place=(),
        tremor="",
        ruled_out=(),
        tower=(),
        stocks=(stones.stock,) * sides,  # R2
        boxes=((0,) * len(stones.kinds),) * sides,
        rings=(RINGS,) * sides,
        pawns=(TABLE,) * sides,  # R3
        fallen=0,
    )


def pending(state: State, judge: Judge) -> Pending[Action]:
    match state.phase:
        case Phase.OVER:
            return Over(outcome(state))
        case Phase.ROLL:
            return Chance(ROLLS, tuple(1 if roll.low == roll.high else 2 for roll in ROLLS))
        case Phase.TREMOR:
            return Chance(TREMORS, (1,) * len(TREMORS))
        case Phase.JUDGE:
            verdicts = tuple(Verdict(fallen) for fallen in judge(built_at(state, state.place), lean_of(state)))
            return Chance(verdicts, (1,) * len(verdicts), judged=True)
        case Phase.STONE:
            return Decision(seat_of(state, colour_of(state)), stone_choices(state))
        case Phase.PLACE:
            return Decision(seat_of(state, colour_of(state)), tuple(map(Place, open_places(state))))
        case Phase.MOVE:
            return Decision(seat_of(state, colour_of(state)), (STAY, *moves(state)))


# Actions


def apply(state: State, action: Action, judge: Judge) -> State:
    refusals.check_phase(state, action)
    match action:
        case Roll(low, high):
            return state._replace(roll=(low, high), phase=Phase.STONE)
        case Pick(kind, ring):
            if action not in stone_choices(state):
                refusals.refuse_pick(state, action)
            return state._replace(chosen=kind, ring=ring, phase=Phase.PLACE)
        case Box(kind):
            if action not in stone_choices(state):
                refusals.refuse_box(state, kind)
            return _put_into_box(state, kind)
        case Place(cells):
            refusals.check_place(state, cells)
            trembles = state.setup.option("hand") != "calm"
            return state._replace(place=cells, phase=Phase.TREMOR if trembles else Phase.JUDGE)
        case Tremor(side):
            return state._replace(tremor=side, phase=Phase.JUDGE)
        case Verdict(fallen):
            verdicts = judge(built_at(state, state.place), lean_of(state))
            if fallen not in verdicts:
                refusals.refuse_verdict(verdicts)
            return _keep_stone(state) if fallen == STANDS else _handle_fall(state, fallen)
        case Move(field, ring):
            if action not in moves(state):
                refusals.refuse_move(state, action)
            return _move(state, field, ring)
        case Stay():
            return _next_turn(state)
    raise AssertionError(action)


def lean_of(state: State) -> Lean:
    """The tilt of gravity while the stone is built."""
    return Lean(HANDS[state.setup.option("hand")], state.tremor) if state.tremor else LEVEL


def _keep_stone(state: State) -> State:
    colour = colour_of(state)
    return state._replace(
        tower=built_at(state, state.place),
        stocks=_replaced(state.stocks, colour, _added(state.stocks[colour], state.chosen, -1)),
        rings=_added(state.rings, colour, -1) if state.ring else state.rings,  # R18
        chosen=NOTHING,
        place=(),
        tremor="",
        ruled_out=(),
        phase=Phase.MOVE,  # R7
    )


def _handle_fall(state: State, fallen: int) -> State:
    """The stone is put back for another try, or the game ends."""  # R14
    if fallen >= COLLAPSE:
        return state._replace(fallen=fallen, phase=Phase.OVER)  # R22
    return state._replace(
        ruled_out=(*state.ruled_out, state.place),
        chosen=state.chosen if len(state.ruled_out) + 1 == TRIES else NOTHING,
        ring="",
        place=(),
        tremor="",
        phase=Phase.STONE,
    )


def _put_into_box(state: State, kind: int) -> State:
    colour = colour_of(state)
    return state._replace(
        stocks=_replaced(state.stocks, colour, _added(state.stocks[colour], kind, -1)),
        boxes=_replaced(state.boxes, colour, _added(state.boxes[colour], kind, 1)),  # R6
        chosen=NOTHING,
        ruled_out=(),
        phase=Phase.MOVE,  # R7
    )


def _move(state: State, field: Cell, ring: str) -> State:
    colour = colour_of(state)
    pawns = (*state.pawns[:colour], field, *state.pawns[colour + 1 :])
    rings = _added(state.rings, colour, -1) if ring else state.rings  # R18
    return _next_turn(state._replace(pawns=pawns, rings=rings))


def _next_turn(state: State) -> State:
    over = state.turn + 1 == ROUNDS * colours(state)  # R20
    return state._replace(turn=state.turn + 1, roll=(0, 0), ring="", phase=Phase.OVER if over else Phase.ROLL)


# Outcome


def outcome(state: State) -> Outcome:
    """The scores are heights; the ranks also break ties."""  # R20, R21
    seats = range(state.setup.players)
    heights = tuple(sum(height(state.pawns[colour]) for colour in colours_of(state, seat)) for seat in seats)
    rings = [sum(state.rings[colour] for colour in colours_of(state, seat)) for seat in seats]
    boxed = [count_cubes(state, seat, state.boxes) for seat in seats]
    if state.fallen:  # R22
        causer = seat_of(state, colour_of(state))
        left = [boxed[seat] + count_cubes(state, seat, state.stocks) for seat in seats]
        keys = [(int(seat != causer), heights[seat], -left[seat], rings[seat]) for seat in seats]
        return Outcome(heights, ranking([(0, 0, 0, 0) if not key[0] else key for key in keys]), COLLAPSED)
    return Outcome(heights, ranking([(heights[seat], -boxed[seat], rings[seat]) for seat in seats]), "built")


def match_points(outcome: Outcome) -> tuple[int, ...]:
    """The heights, but nothing for the player who caused a collapse, who alone ranks last."""  # R22
    causer = outcome.ranks.index(max(outcome.ranks)) if outcome.ending == COLLAPSED else None
    return tuple(0 if seat == causer else height for seat, height in enumerate(outcome.scores))


def colours_of(state: State, seat: int) -> range:
    """The colours that a seat plays."""  # R1
    return range(seat, colours(state), state.setup.players)


def count_cubes(state: State, seat: int, stones: Sequence[Sequence[int]]) -> int:
    """The number of cubes in a seat's stones, of the stocks or of the boxes."""
    return sum(state.stones.cubes(stones[colour]) for colour in colours_of(state, seat))


def _replaced(rows: tuple[tuple[int, ...], ...], index: int, row: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*rows[:index], row, *rows[index + 1 :])


def _added(numbers: tuple[int, ...], index: int, number: int) -> tuple[int, ...]:
    return (*numbers[:index], numbers[index] + number, *numbers[index + 1 :])
