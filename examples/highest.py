"""A bot for Rondo. In this folder: spieltisch simulate rondo --players highest:Highest,greedy."""

from __future__ import annotations

from spieltisch.core.player import Clock, Seen
from spieltisch.games.rondo.state import NOWHERE, Action, Lay
from spieltisch.games.rondo.view import View


class Highest:
    """Lays on the field with the highest value, and goes on laying while it can."""

    def choose(self, seen: Seen[Action, View], clock: Clock) -> Action:
        """The choice with the highest field value; laying nothing has the value 0."""

        def value(choice: Action) -> int:
            return seen.view.fields[choice.field].value if isinstance(choice, Lay) and choice.field != NOWHERE else 0

        return max(seen.choices, key=value)
