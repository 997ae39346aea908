"""Rendering of environments: the board as text."""

from __future__ import annotations

from typing import Any, Final

from spieltisch import registry
from spieltisch.core.game import AnyGame
from spieltisch.core.render import TextStyle
from spieltisch.i18n.format import format_messages
from spieltisch.i18n.message import Audience

WIDTH: Final = 100


def draw(game: AnyGame, view: Any) -> str:
    """The board as the game's text renderer draws it, without colours, and the scores once the game is over.

    A game without a renderer is described in sentences.
    """
    audience = Audience([f"seat_{seat}" for seat in range(view.setup.players)], view.viewer)
    render, speech = registry.renderer(game), registry.speech(game)
    if render is None:
        lines = format_messages(speech.position(view, audience), "en")
    else:
        lines = list(render(view, audience, TextStyle(colour=False, width=WIDTH, language="en"), ()))
    scores = speech.scores(view, audience) if view.outcome is not None else ()
    return "\n".join([*lines, *format_messages(scores, "en")])
