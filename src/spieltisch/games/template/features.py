"""Features of Pebbles: a seat's view as numbers for programs that learn."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.core.features import FeatureField, Features, Vector, share
from spieltisch.games.template.rules import bag_of
from spieltisch.games.template.state import COLOURS, HAND, NONE
from spieltisch.games.template.view import View


class PebblesFeatures(Features[View]):
    """All numbers lie between 0 and 1. Seats are counted from the viewer, colours are R, B, G."""

    version = "template-v1"

    def define(self) -> Sequence[FeatureField]:
        players, colours = self.setup.players, len(COLOURS)
        self._of_hand, self._of_all = share(HAND), share(sum(bag_of(self.setup)))
        self._of_colour = [share(max(1, number)) for number in bag_of(self.setup)]
        return (
            FeatureField("hand", (colours,), "pebbles of each colour in the viewer's hand, divided by 3"),
            FeatureField("hands", (players,), "pebbles in each hand, divided by 3"),
            FeatureField(
                "shown", (players, colours), "known pebbles face up on each pile, as shares of all of their colour"
            ),
            FeatureField("piles", (players,), "pebbles face up on each pile, as a share of all pebbles"),
            FeatureField("hidden", (players,), "1 if the seat has laid its pebble face down"),
            FeatureField("own_hidden", (colours,), "the colour that the viewer has laid face down, one-hot"),
            FeatureField("laying", (colours,), "the colour that is laid face up in this turn, one-hot"),
            FeatureField("bag", (1,), "pebbles in the bag, as a share of all pebbles"),
            FeatureField("turn", (players,), "the seat to play, one-hot"),
        )

    def write(self, view: View, vector: Vector) -> None:
        viewer = view.viewer
        assert viewer is not None
        seats = [(viewer + number) % self.setup.players for number in range(self.setup.players)]
        vector[:] = [
            *(number * self._of_hand for number in view.hands[viewer].pebbles or NONE),
            *(view.hands[seat].size * self._of_hand for seat in seats),
            *(
                number * factor
                for seat in seats
                for number, factor in zip(view.shown[seat].pebbles or NONE, self._of_colour, strict=True)
            ),
            *(view.shown[seat].size * self._of_all for seat in seats),
            *(view.hidden[seat].size for seat in seats),
            *(view.hidden[viewer].pebbles or NONE),
            *(colour == view.laying for colour in COLOURS),
            view.bag.size * self._of_all,
            *(seat == view.seat for seat in seats),
        ]


FEATURES = PebblesFeatures
