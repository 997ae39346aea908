"""Domain knowledge of Pebbles for players: a greedy bot."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.core.game import Sampler
from spieltisch.core.player import Clock, Estimates, Seen, estimate_by_score
from spieltisch.games.template.state import Action, Lay
from spieltisch.games.template.view import View


class Greedy:
    """Lays the colour it has most of, in hand and pile together, for as long as it can."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler

    def choose(self, seen: Seen[Action, View], clock: Clock) -> Action:
        return self.pick(seen.choices, self.score(seen))

    def evaluate(self, seen: Seen[Action, View], clock: Clock) -> Estimates[Action]:
        scores = self.score(seen)
        return estimate_by_score(seen.choices, scores, self.pick(seen.choices, scores))

    def score(self, seen: Seen[Action, View]) -> list[int]:
        """Per choice twice the number of pebbles of its colour, and one more if it is laid face up."""
        view = seen.view
        assert view.viewer is not None
        hand, shown = view.hands[view.viewer].pebbles, view.shown[view.viewer].pebbles
        assert hand is not None
        assert shown is not None

        return [
            2 * (hand[action.colour] + shown[action.colour]) + action.face_up if isinstance(action, Lay) else -1
            for action in seen.choices
        ]

    def pick(self, choices: Sequence[Action], scores: Sequence[int]) -> Action:
        """One of the choices with the highest score."""
        best = max(scores)
        return self.sampler.choice([action for action, score in zip(choices, scores, strict=True) if score == best])


PLAYERS = {"greedy": Greedy}
