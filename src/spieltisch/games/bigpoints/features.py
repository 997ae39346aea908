"""Features of Big Points: a seat's view as numbers for programs that learn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import mul
from typing import Final, NamedTuple

import numpy as np

from spieltisch.core.features import FeatureField, Features, Vector, share
from spieltisch.core.game import Setup
from spieltisch.games.bigpoints import rules
from spieltisch.games.bigpoints.state import BLACK, COLOURS, LETTERS, ON_TRACK, PAWNS, STAIRS, State, discs
from spieltisch.games.bigpoints.view import Phase, View

TRACK: Final = sum(ON_TRACK)
PLACES: Final = TRACK + 2  # of a pawn: the start, the discs, the staircase
STEPS: Final = len(PAWNS)
TAKES: Final = 4  # + - forward, then + - backward
DISCS: Final = tuple(
    number + (colour in PAWNS) for colour, number in enumerate(ON_TRACK)
)  # with those beside the stairs
OF_AHEAD: Final = share(9)
OF_VALUE: Final = share(4)
OF_COLOUR: Final = tuple(share(number) for number in ON_TRACK)
OF_HAND: Final = tuple(share(number) for number in DISCS)
OF_ALL: Final = share(sum(DISCS))
OF_BLACK: Final = share(ON_TRACK[BLACK])
_ONE_HOT: Final = np.eye(len(COLOURS), len(COLOURS) + 1, 1, dtype=np.float32)  # columns by code; the first is no disc
_CODE_OF_COLOUR: Final = bytes(range(1, 256)) + b"\0"
_CODE_OF_LETTER: Final = bytes(LETTERS.find(chr(code)) + 1 for code in range(256))
_MASK: Final = bytes(255 * (digit == ord("1")) for digit in range(256))  # by binary digit
_NO_DISCS: Final = (0,) * len(COLOURS)
_INDEX: Final = {letter: colour for colour, letter in enumerate(LETTERS)}


class _Facts(NamedTuple):
    """What is written of a position, besides the moves."""

    left: bytes  # the code of each disc on the track
    places: Sequence[int | None]
    steps: list[tuple[int, int, int]]  # pawns on the staircase: pawn, step and value
    hands: Sequence[Sequence[int]]
    sizes: Sequence[int]
    handed_in: int
    turn: int
    extra: bool


class BigPointsFeatures(Features[View]):
    """All numbers lie between 0 and 1. Seats are counted from the viewer, colours are b r y g p w k."""

    version = "bigpoints-v1"
    reads_states = True

    def define(self) -> Sequence[FeatureField]:
        players, pawns, colours = self.setup.players, len(PAWNS), len(COLOURS)
        return (
            FeatureField("track", (colours, TRACK), "discs left on the track: per colour 1 where one of it lies"),
            FeatureField("pawns", (pawns, PLACES), "place of each pawn, one-hot: the start, the discs, the staircase"),
            FeatureField(
                "steps", (pawns, STEPS), "step of each pawn on the staircase, in the order of arrival, one-hot"
            ),
            FeatureField(
                "takes", (pawns, TAKES, colours), "colour of the disc that each pawn can take now, one-hot: + -, <+ <-"
            ),
            FeatureField("climbs", (pawns,), "1 if the pawn's next move forward leads onto the staircase"),
            FeatureField("ahead", (pawns,), "discs of its colour ahead of each pawn, divided by 9"),
            FeatureField(
                "values", (pawns,), "value of a disc of each pawn's colour, divided by 4; 0 before it arrives"
            ),
            FeatureField("left", (colours,), "discs of each colour left on the track, as a share of all"),
            FeatureField(
                "hands", (players, colours), "discs of each colour in each hand, as a share of all; 0 if unknown"
            ),
            FeatureField("sizes", (players,), "discs in each hand, as a share of all"),
            FeatureField("handed_in", (1,), "black discs that are out of the game, divided by 5"),
            FeatureField("turn", (players,), "the seat to play, one-hot"),
            FeatureField("extra", (1,), "1 if the seat to play decides about its extra move"),
        )

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._seats = [[(viewer + n) % setup.players for n in range(setup.players)] for viewer in range(setup.players)]
        self._pawns, self._steps = self.offsets["pawns"], self.offsets["steps"]
        self._takes, self._climbs = self.offsets["takes"], self.offsets["climbs"]

    def write(self, view: View, vector: Vector) -> None:
        assert view.viewer is not None
        ones: list[int] = []
        for letter, backward, landing, *taken in view.reach:
            colours = [None if number is None else _INDEX[view.laid[number - 1]] for number in taken]
            ones += self._reach(_INDEX[letter], backward, landing is None, *colours)
        facts = _Facts(
            view.track.encode().translate(_CODE_OF_LETTER),
            view.pawns,
            [(_INDEX[step.pawn], number, step.value) for number, step in enumerate(view.steps) if step.pawn],
            [hand.discs or _NO_DISCS for hand in view.hands],
            [hand.size for hand in view.hands],
            view.handed_in,
            view.seat,
            view.phase is Phase.EXTRA,
        )
        self._write(facts, view.viewer, ones, vector)

    def write_state(self, state: State, viewer: int, vector: Vector) -> None:
        hands = [*map(discs, state.hands)]  # R9: a seat that remembers every disc taken knows them
        steps = [
            (pawn, place.bit_length() - STAIRS.bit_length(), 0)
            for pawn, place in enumerate(state.pawns)
            if place >= STAIRS
        ]
        if steps:
            values = rules.step_values(state.deal.setup)
            steps = [(pawn, step, values[step]) for pawn, step, _ in steps]
        facts = _Facts(
            _left(state),
            [None if place >= STAIRS else place.bit_length() - 1 for place in state.pawns],
            steps,
            hands,
            [*map(sum, hands)],
            rules.handed_in(state),
            state.seat,
            state.extra,
        )
        deciding = len(steps) < len(PAWNS) and not rules.is_dealing(state)
        self._write(facts, viewer, self._reaches(state) if deciding else [], vector)

    def _reaches(self, state: State) -> list[int]:
        """The ones of all moves that are legal now."""
        deal, remaining, pawns, _, _, extra = state
        ones, occupied, laid = list[int](), rules.occupied(pawns), deal.discs
        for pawn, place in enumerate(pawns):
            if place >= STAIRS:
                continue
            own = remaining & deal.colours[pawn]
            landings = [(False, rules.nearest_ahead(own, place))]
            if extra and (behind := rules.nearest_behind(own, place)):
                landings.append((True, behind))
            for backward, onto in landings:
                if not onto:
                    ones.append(self._climbs + pawn)
                    continue
                free = remaining & ~(occupied ^ place | onto)
                first = self._takes + (TAKES * pawn + 2 * backward) * len(COLOURS)
                if ahead := free & -(onto << 1):
                    ones.append(first + laid[(ahead & -ahead).bit_length() - 2])
                if behind := free & onto - 1:
                    ones.append(first + len(COLOURS) + laid[behind.bit_length() - 2])
        return ones

    def _reach(
        self, pawn: int, backward: bool, climbs: bool, ahead: int | None = None, behind: int | None = None
    ) -> Iterator[int]:
        """The ones of a move: whether it leads onto the staircase, and the colours of the discs it can take."""
        if climbs:
            yield self._climbs + pawn
        first = self._takes + (TAKES * pawn + 2 * backward) * len(COLOURS)
        if ahead is not None:
            yield first + ahead
        if behind is not None:
            yield first + len(COLOURS) + behind

    def _write(self, facts: _Facts, viewer: int, ones: list[int], vector: Vector) -> None:
        left, places, steps, hands, sizes, handed_in, turn, extra = facts
        seats, values = self._seats[viewer], [0.0] * len(PAWNS)
        vector[: self._pawns].reshape(len(COLOURS), -1)[:, : len(left)] = _ONE_HOT.take(
            np.frombuffer(left, np.uint8), 1
        )
        for pawn, step, value in steps:
            values[pawn] = value * OF_VALUE
            ones.append(self._steps + STEPS * pawn + step)
        rows = enumerate(places)
        ones += [self._pawns + PLACES * pawn + (PLACES - 1 if place is None else place) for pawn, place in rows]
        vector[ones] = 1.0
        count = left.count
        numbers = [0.0 if place is None else count(pawn + 1, place) * OF_AHEAD for pawn, place in enumerate(places)]
        numbers += values
        numbers += [count(colour + 1) * factor for colour, factor in enumerate(OF_COLOUR)]
        for seat in seats:
            numbers += map(mul, hands[seat], OF_HAND)
        numbers += [sizes[seat] * OF_ALL for seat in seats]
        numbers.append(handed_in * OF_BLACK)
        numbers += [seat == turn for seat in seats]
        numbers.append(extra)
        vector[self._climbs + len(PAWNS) :] = numbers


def _left(state: State) -> bytes:
    """The code of each disc of the track, its colour and one, and 0 for one that is gone: bytes of one large integer."""
    codes = state.deal.discs.translate(_CODE_OF_COLOUR)
    left = f"{state.remaining >> 1:0{len(codes)}b}".encode()[::-1].translate(_MASK)
    found = int.from_bytes(codes, "little") & int.from_bytes(left, "little")
    return found.to_bytes(len(codes), "little")


FEATURES = BigPointsFeatures
