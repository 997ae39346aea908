"""Transcript: a game as text for one viewer: the events as sentences, the table, and the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from spieltisch import registry
from spieltisch.core.game import Over, Viewer
from spieltisch.core.render import TextStyle
from spieltisch.gameplay.referee import Referee
from spieltisch.gameplay.result import announce, announce_match
from spieltisch.gameplay.turns import split_turns, tell_turn
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import Audience, message_factory

_say = message_factory("")


def seat_names(players: int, language: str, names: Mapping[int, str] | None = None) -> list[str]:
    """The players' names; a seat without a name is called by its number."""
    given = names or {}
    return [given.get(seat) or format_message(_say("seat.name", number=seat + 1), language) for seat in range(players)]


class Transcript:
    """The text of one game for one viewer, made only from what that viewer may know."""

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
    def opening_draws(self) -> int:
        """The number of draws before the first decision that need no sentences, since the table shows what was dealt."""
        if not self.referee.game.deals:
            return 0
        return sum(1 for _ in takewhile(lambda step: step.seat is None, self.referee.steps))

    def turns(self, start: int) -> list[str]:
        """One line per turn, from the action with the index `start`; what is left of a turn before it, step by step."""
        game, steps, heard = self.referee.game, self.referee.steps, self.referee.heard(self.viewer)
        states = [step.before for step in steps] + [self.referee.state]
        lines: list[str] = []
        for turn in split_turns(game, heard):
            if turn.start >= start:
                told = tell_turn(
                    game, turn, heard[turn.start : turn.stop], states[turn.start : turn.stop + 1], self.audience
                )
                lines.append(" ".join(self.style.format(sentence) for sentence in told.sentences))
            elif turn.stop > start:
                lines += self.events(start, turn.stop)
        return lines

    def events(self, start: int, stop: int | None = None) -> list[str]:
        """One sentence per action, from the action with the index `start`."""
        game, steps = self.referee.game, self.referee.steps
        heard = self.referee.heard(self.viewer)
        states = ([step.before for step in steps] + [self.referee.state])[start : None if stop is None else stop + 1]
        views = [game.observe(state, self.viewer) for state in states]
        return [
            self.style.format(self.speech.happened(views[place], heard[start + place], views[place + 1], self.audience))
            for place in range(len(views) - 1)
        ]

    def table(self, view: Any = None, highlights: Sequence[Any] = ()) -> list[str]:
        """The current table, or the given view of it, as a drawing that shows the highlights, or as sentences."""
        view = self.referee.view(self.viewer) if view is None else view
        render = registry.renderer(self.referee.game)
        if render is None or self.words:
            return [self.style.wrap(self.style.format(line)) for line in self.speech.position(view, self.audience)]
        return list(render(view, self.audience, self.style, highlights))

    def result(self) -> list[str]:
        """The score sheet, who wins by how much, and why."""
        assert isinstance(self.referee.pending, Over)
        view, heard = self.referee.view(self.viewer), self.referee.heard(self.viewer)
        sheet = [self.style.format(line) for line in self.speech.scores(view, self.audience)]
        told = announce(self.referee.game, self.referee.pending.outcome, view, heard, self.audience)
        reason = " ".join(self.style.format(message) for message in told.reason)
        return [*sheet, self.style.bold(self.style.format(told.headline)), *filter(None, [reason])]

    def match_result(self, totals: Sequence[int], ranks: Sequence[int]) -> str:
        """Who wins the match by how much, in a sentence."""
        return self.style.format(announce_match(totals, ranks, self.audience))
