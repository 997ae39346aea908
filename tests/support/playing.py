"""Games in notation, for the tests of any game: states, choices, and turns as lines of the log."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Generic

import pytest

from spieltisch import registry
from spieltisch.cli.engine import Engine
from spieltisch.core.game import A, AnyGame, Decision, Game, Heard, IllegalAction, Over, S, Seat, V
from spieltisch.core.json import Json
from spieltisch.core.speech import Witnessed
from spieltisch.gameplay.hint import describe_hint
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import Audience
from spieltisch.i18n.parts import Part, format_parts

NAMES = ("Ada", "Ben", "Cleo", "Dan")


class NotationGame(Generic[S, A, V]):
    """A game whose actions are given and listed in notation."""

    def __init__(self, game: Game[S, A, V]) -> None:
        self.game = game

    def choices(self, state: S) -> list[str]:
        """The possible actions, or the possible draws."""
        pending = self.game.pending(state)
        assert not isinstance(pending, Over)
        return [self.game.write(state, action) for action in pending.actions]

    def play(self, state: S, *texts: str) -> S:
        """The state after these moves and draws; '*' draws the first possibility."""
        for text in texts:
            read = self.choices(state)[0] if text == "*" else text
            state = self.game.apply(state, self.game.read(state, read))
        return state

    def refused(self, state: S, text: str) -> str:
        """The rule that refuses an action, after checking that it is not among the choices."""
        assert isinstance(self.game.pending(state), Over) or text not in self.choices(state)
        with pytest.raises(IllegalAction) as caught:
            self.play(state, text)
        assert str(caught.value).endswith(".")
        return caught.value.rule or ""

    def hint(self, state: S, text: str, language: str = "en", viewer: int | None = None) -> tuple[str, str | None]:
        """What a hint to choose an action proposes, and why, as the seat to decide reads it, or another viewer."""
        pending, action = self.game.pending(state), self.game.read(state, text)
        assert isinstance(pending, Decision)
        assert action in pending.actions, self.choices(state)
        view = self.game.observe(state, pending.seat if viewer is None else Seat(viewer))
        words = describe_hint(self.game, view, action, pending.actions)
        return format_message(words.proposal, language), words.reason and format_message(words.reason, language)


def engine_client() -> Callable[..., dict[str, Any]]:
    """An engine as a function: a request as keywords in, its response out; a refusal fails the test."""
    engine = Engine()

    def ask(**request: object) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(engine.handle(json.dumps({"id": 1, **request}).encode()))
        assert answer["ok"], answer
        return answer

    return ask


def tell(
    game: AnyGame, state: Any, texts: str, language: str = "en", listener: int | None = None
) -> tuple[list[Part], Json]:
    """The line and the mark of a turn, given as actions in notation, separated by spaces (`_` is one)."""
    viewer = None if listener is None else Seat(listener)
    steps = []
    for text in texts.split(" "):
        pending, action = game.pending(state), game.read(state, text.replace("_", " "))
        heard = Heard(pending.seat if isinstance(pending, Decision) else None, game.witness(state, action, viewer))
        after = game.apply(state, action)
        steps.append(Witnessed(game.observe(state, viewer), heard, game.observe(after, viewer)))
        state = after
    speech, audience = registry.speech(game), Audience(NAMES, listener)
    return format_parts(speech.turn(steps, audience), language), speech.mark(steps)


def turn_line(game: AnyGame, state: Any, texts: str, language: str = "en", listener: int | None = None) -> str:
    """The line of a turn as plain text."""
    return "".join(part.text for part in tell(game, state, texts, language, listener)[0])
