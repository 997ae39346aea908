"""A game told to one viewer in the terminal: what happened, the table, the end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from spieltisch import registry
from spieltisch.cli.terminal import say
from spieltisch.core.game import Over, Viewer
from spieltisch.core.render import TextStyle
from spieltisch.i18n.message import Audience
from spieltisch.match.referee import Referee


class Story:
    """What one viewer is told of a game under way."""

    def __init__(
        self,
        referee: Referee[Any, Any, Any],
        names: Sequence[str],
        viewer: Viewer,
        style: TextStyle,
        *,
        words: bool = False,
    ) -> None:
        self.referee = referee
        self.viewer = viewer
        self.style = style
        self.audience = Audience(names, viewer)
        self.words = words  # sentences instead of a drawing
        self.speech = registry.speech(referee.game)

    @property
    def dealt(self) -> int:
        """How many draws came before the first decision: the table shows what they dealt, nobody needs to be told."""
        if not self.referee.game.deals:
            return 0
        return sum(1 for _ in takewhile(lambda step: step.seat is None, self.referee.steps))

    def since(self, start: int) -> list[str]:
        """What happened from that action on, a sentence each."""
        game, steps = self.referee.game, self.referee.steps
        heard = self.referee.heard(self.viewer)
        states = [step.before for step in steps[start:]] + [self.referee.state]
        views = [game.observe(state, self.viewer) for state in states]
        return [
            self.style.format(self.speech.happened(views[place], heard[start + place], views[place + 1], self.audience))
            for place in range(len(views) - 1)
        ]

    def table(self, view: Any = None, highlights: Sequence[Any] = ()) -> list[str]:
        """The table as it is, or as the given view shows it with some choices highlighted: drawn, or in sentences."""
        view = self.referee.view(self.viewer) if view is None else view
        render = registry.renderer(self.referee.game)
        if render is None or self.words:
            return [self.style.wrap(self.style.format(said)) for said in self.speech.position(view, self.audience)]
        return list(render(view, self.audience, self.style, highlights))

    def end(self) -> list[str]:
        """The score sheet, and who wins."""
        assert isinstance(self.referee.pending, Over)
        sheet = [self.style.format(line) for line in self.speech.scores(self.referee.view(self.viewer), self.audience)]
        return [*sheet, self.style.bold(self.winners(self.referee.pending.outcome.ranks))]

    def winners(self, ranks: Sequence[int]) -> str:
        """Who wins, in a sentence."""
        best = [seat for seat, rank in enumerate(ranks) if rank == 1]
        return self.style.format(self.audience.together(say, "wins", best))
