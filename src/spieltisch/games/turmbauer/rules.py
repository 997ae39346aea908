"""The rules of Turmbauer; read them beside RULES.md: what can be chosen is in choices.py, why not in refusals.py."""

from __future__ import annotations

from collections.abc import Sequence

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


# What happens


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
            return _boxed(state, kind)
        case Place(cells):
            refusals.check_place(state, cells)
            trembles = state.setup.option("hand") != "calm"
            return state._replace(place=cells, phase=Phase.TREMOR if trembles else Phase.JUDGE)
        case Tremor(side):
            return state._replace(tremor=side, phase=Phase.JUDGE)
        case Verdict(fallen):
            answers = judge(built_at(state, state.place), lean_of(state))
            if fallen not in answers:
                refusals.refuse_verdict(answers)
            return _built(state) if fallen == STANDS else _fell(state, fallen)
        case Move(field, ring):
            if action not in moves(state):
                refusals.refuse_move(state, action)
            return _moved(state, field, ring)
        case Stay():
            return _next_turn(state)
    raise AssertionError(action)


def lean_of(state: State) -> Lean:
    """How the load leans while the stone is built."""
    return Lean(HANDS[state.setup.option("hand")], state.tremor) if state.tremor else LEVEL


def _built(state: State) -> State:
    colour = colour_of(state)
    return state._replace(
        tower=built_at(state, state.place),
        stocks=_at(state.stocks, colour, _changed(state.stocks[colour], state.chosen, -1)),
        rings=_changed(state.rings, colour, -1) if state.ring else state.rings,  # R18
        chosen=NOTHING,
        place=(),
        tremor="",
        ruled_out=(),
        phase=Phase.MOVE,  # R7
    )


def _fell(state: State, fallen: int) -> State:
    """Put back and tried again, or the end."""  # R14
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


def _boxed(state: State, kind: int) -> State:
    colour = colour_of(state)
    return state._replace(
        stocks=_at(state.stocks, colour, _changed(state.stocks[colour], kind, -1)),
        boxes=_at(state.boxes, colour, _changed(state.boxes[colour], kind, 1)),  # R6
        chosen=NOTHING,
        ruled_out=(),
        phase=Phase.MOVE,  # R7
    )


def _moved(state: State, field: Cell, ring: str) -> State:
    colour = colour_of(state)
    pawns = (*state.pawns[:colour], field, *state.pawns[colour + 1 :])
    rings = _changed(state.rings, colour, -1) if ring else state.rings  # R18
    return _next_turn(state._replace(pawns=pawns, rings=rings))


def _next_turn(state: State) -> State:
    over = state.turn + 1 == ROUNDS * colours(state)  # R20
    return state._replace(turn=state.turn + 1, roll=(0, 0), ring="", phase=Phase.OVER if over else Phase.ROLL)


# The end


def outcome(state: State) -> Outcome:
    """Heights for scores; who won is in the ranks."""  # R20, R21
    seats = range(state.setup.players)
    heights = tuple(sum(height(state.pawns[colour]) for colour in played(state, seat)) for seat in seats)
    rings = [sum(state.rings[colour] for colour in played(state, seat)) for seat in seats]
    boxed = [cubes(state, seat, state.boxes) for seat in seats]
    if state.fallen:  # R22
        causer = seat_of(state, colour_of(state))
        left = [boxed[seat] + cubes(state, seat, state.stocks) for seat in seats]
        keys = [(int(seat != causer), heights[seat], -left[seat], rings[seat]) for seat in seats]
        return Outcome(heights, ranking([(0, 0, 0, 0) if not key[0] else key for key in keys]), "collapse")
    return Outcome(heights, ranking([(heights[seat], -boxed[seat], rings[seat]) for seat in seats]), "built")


def played(state: State, seat: int) -> range:
    """The colours that a seat plays."""  # R1
    return range(seat, colours(state), state.setup.players)


def cubes(state: State, seat: int, stones: Sequence[Sequence[int]]) -> int:
    """The cubes of a seat's stones there."""
    return sum(state.stones.cubes(stones[colour]) for colour in played(state, seat))


def _at(rows: tuple[tuple[int, ...], ...], place: int, row: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*rows[:place], row, *rows[place + 1 :])


def _changed(numbers: tuple[int, ...], place: int, by: int) -> tuple[int, ...]:
    return (*numbers[:place], numbers[place] + by, *numbers[place + 1 :])
