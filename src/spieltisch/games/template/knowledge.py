"""Domain knowledge of Pebbles for players: a greedy bot."""

from __future__ import annotations

from spieltisch.core.game import Sampler
from spieltisch.core.player import Clock, Seen
from spieltisch.games.template.state import Action, Lay
from spieltisch.games.template.view import View


class Greedy:
    """Lays the colour it has most of, in hand and pile together, for as long as it can."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler

    def choose(self, seen: Seen[Action, View], clock: Clock) -> Action:
        view = seen.view
        assert view.viewer is not None
        hand, shown = view.hands[view.viewer].pebbles, view.shown[view.viewer].pebbles
        assert hand is not None
        assert shown is not None

        def score(action: Action) -> int:
            if not isinstance(action, Lay):
                return -1
            return 2 * (hand[action.colour] + shown[action.colour]) + action.face_up

        best = max(score(action) for action in seen.choices)
        return self.sampler.choice([action for action in seen.choices if score(action) == best])


PLAYERS = {"greedy": Greedy}
