"""One game under way as environments see it: seats, numbers for actions, rows of numbers for views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spieltisch import registry
from spieltisch.core.game import AnyGame, Decision, Over, Seat, Viewer
from spieltisch.i18n.format import format_messages
from spieltisch.i18n.message import Audience
from spieltisch.match.chance import seeded
from spieltisch.match.referee import Referee
from spieltisch.research.layout import Numbers, layout
from spieltisch.research.numbering import Numbering
from spieltisch.research.rewards import rewards


class Playing:
    """Games of one setup, one after the other; the source of each is a seed."""

    def __init__(
        self,
        name: str,
        players: int | None = None,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        first: int | None = None,
        rules: int | None = None,
    ) -> None:
        self.game: AnyGame = registry.find(name).for_simulation
        self.setup = self.game.agree(players, edition, options, first or 0, rules)
        self.game.initial(self.setup)
        self.seats = range(self.setup.players)
        self.numbering: Numbering[Any] = Numbering(self.game)
        self.layout = layout(self.game, self.setup)
        self._first = first  # drawn for every game where nobody said
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Another game, dealt and ready for the first decision."""
        source = seeded(seed)
        first = Seat(self._first) if self._first is not None else source.first(self.setup.players)
        self.referee = Referee(self.game, self.setup._replace(first=first), source)
        self.referee.settle()

    @property
    def over(self) -> bool:
        return isinstance(self.referee.pending, Over)

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        assert isinstance(self.referee.pending, Decision)
        return self.referee.pending.seat

    def take(self, number: int) -> None:
        """Whose turn it is takes the choice of that number; NotOffered where there is none."""
        assert isinstance(self.referee.pending, Decision)
        action = self.numbering.action(self.referee.pending.actions, number)
        self.referee.play(self.seat, [action])
        self.referee.settle()

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for every number that the seat can take now."""
        mask = np.zeros(self.numbering.size, np.int8)
        if isinstance(self.referee.pending, Decision) and self.referee.pending.seat == seat:
            mask[self.numbering.legal(self.referee.pending.actions)] = 1
        return mask

    def row(self, seat: int) -> Numbers:
        """What the seat sees and remembers, as numbers."""
        viewer = Seat(seat)
        return self.layout(self.game.recall(self.referee.view(viewer), self.referee.heard(viewer)))

    def rewards(self) -> tuple[float, ...]:
        """What the game was worth to every seat; nothing while it lasts."""
        pending = self.referee.pending
        return rewards(pending.outcome.ranks) if isinstance(pending, Over) else (0.0,) * len(self.seats)

    def told(self, viewer: Viewer = None) -> str:
        """The table in sentences, as the viewer sees it."""
        names = [f"seat_{seat}" for seat in self.seats]
        speech, view = registry.speech(self.game), self.referee.view(viewer)
        audience = Audience(names, viewer)
        said = list(speech.position(view, audience))
        return "\n".join(format_messages([*said, *(speech.scores(view, audience) if self.over else ())], "en"))
