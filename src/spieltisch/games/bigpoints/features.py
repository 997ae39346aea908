"""Features of Big Points: a seat's view as numbers for programs that learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from spieltisch.core.features import FeatureField, Features, Vector, share
from spieltisch.games.bigpoints.state import BLACK, COLOURS, LETTERS, ON_TRACK, PAWNS
from spieltisch.games.bigpoints.view import GONE, Phase, View

TRACK: Final = sum(ON_TRACK)
PLACES: Final = TRACK + 2  # of a pawn: the start, the discs, the staircase
STEPS: Final = len(PAWNS)
TAKES: Final = 4  # + - forward, then + - backward
DISCS: Final = tuple(
    number + (colour in PAWNS) for colour, number in enumerate(ON_TRACK)
)  # with those beside the stairs
OF_AHEAD: Final = share(9)
OF_VALUE: Final = share(4)
OF_COLOUR: Final = np.array([share(number) for number in ON_TRACK], np.float32)
OF_HAND: Final = np.array([share(number) for number in DISCS], np.float32)
OF_ALL: Final = share(sum(DISCS))
OF_BLACK: Final = share(ON_TRACK[BLACK])
_COLOUR: Final = np.full(128, len(COLOURS), np.uint8)  # by the character code of a disc's letter
_COLOUR[[ord(letter) for letter in LETTERS]] = COLOURS
_ONE_HOT: Final = np.eye(len(COLOURS) + 1, len(COLOURS), dtype=np.float32)  # the last row is for a disc that is gone
_NO_DISCS: Final = (0,) * len(COLOURS)
_INDEX: Final = {letter: colour for colour, letter in enumerate(LETTERS)} | {GONE: len(COLOURS)}


class BigPointsFeatures(Features[View]):
    """All numbers lie between 0 and 1. Seats are counted from the viewer, colours are b r y g p w k."""

    version = "bigpoints-v1"

    def define(self) -> Sequence[FeatureField]:
        players, pawns, colours = self.setup.players, len(PAWNS), len(COLOURS)
        self._seats = [[(viewer + n) % players for n in range(players)] for viewer in range(players)]
        self._of_hands = np.tile(OF_HAND, players)
        return (
            FeatureField("track", (TRACK, colours), "colour of each disc that is left on the track, one-hot"),
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

    def write(self, view: View, vector: Vector) -> None:
        at, track, players = self.offsets, view.track, self.setup.players
        assert view.viewer is not None
        seats = self._seats[view.viewer]
        discs = _ONE_HOT[_COLOUR[np.frombuffer(track.encode(), np.uint8)]]
        vector[: discs.size] = discs.reshape(-1)
        ones = [at["turn"] + seats.index(view.seat)]
        for pawn, place in enumerate(view.pawns):
            ones.append(at["pawns"] + PLACES * pawn + (PLACES - 1 if place is None else place))
        values = [0.0] * len(PAWNS)
        for step, (value, letter) in enumerate(view.steps):
            if letter:
                pawn = _INDEX[letter]
                values[pawn] = value * OF_VALUE
                ones.append(at["steps"] + STEPS * pawn + step)
        for letter, backward, landing, ahead, behind in view.reach:
            pawn = _INDEX[letter]
            if landing is None:
                ones.append(at["climbs"] + pawn)
            first = at["takes"] + (TAKES * pawn + 2 * backward) * len(COLOURS)
            if ahead is not None:
                ones.append(first + _INDEX[view.laid[ahead - 1]])
            if behind is not None:
                ones.append(first + len(COLOURS) + _INDEX[view.laid[behind - 1]])
        vector[ones] = 1.0
        vector[at["ahead"] : at["left"]] = [
            *(
                0 if place is None else track.count(LETTERS[pawn], place) * OF_AHEAD
                for pawn, place in enumerate(view.pawns)
            ),
            *values,
        ]
        vector[at["left"] : at["hands"]] = OF_COLOUR * [track.count(letter) for letter in LETTERS]
        held = [number for seat in seats for number in view.hands[seat].discs or _NO_DISCS]
        vector[at["hands"] : at["sizes"]] = self._of_hands * held
        vector[at["sizes"] : at["sizes"] + players + 1] = [
            *(view.hands[seat].size * OF_ALL for seat in seats),
            view.handed_in * OF_BLACK,
        ]
        vector[-1] = view.phase is Phase.EXTRA


FEATURES = BigPointsFeatures
