"""Rendering of environments: the board as text, as an SVG document and as pixels."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Final

from spieltisch import registry
from spieltisch.core.game import AnyGame, MissingExtra
from spieltisch.core.picture import PictureStyle
from spieltisch.core.picture.document import still
from spieltisch.core.render import TextStyle
from spieltisch.i18n.format import format_messages
from spieltisch.i18n.message import Audience, message_factory
from spieltisch.pictures.bitmap import png
from spieltisch.pictures.still import no_picture

RENDER_MODES: Final = ("ansi", "svg", "rgb_array")
WIDTH: Final = 100
_say = message_factory("")


def check_mode(mode: str | None) -> None:
    """ValueError if the mode is none of the render modes; None renders nothing."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, and {mode} is given")


def render(game: AnyGame, view: Any, mode: str | None) -> Any:
    """The view in a render mode: text, an SVG document, or an array of pixels (uint8, height × width × 3)."""
    if mode == "ansi":
        return draw(game, view)
    if mode == "svg":
        return svg(game, view)
    return pixels(svg(game, view)) if mode == "rgb_array" else None


def draw(game: AnyGame, view: Any) -> str:
    """The board as the game's text renderer draws it, without colours, and the scores once the game is over.

    A game without a renderer is described in sentences.
    """
    audience, speech, renderer = _audience(view), registry.speech(game), registry.renderer(game)
    if renderer is None:
        lines = format_messages(speech.position(view, audience), "en")
    else:
        lines = list(renderer(view, audience, TextStyle(colour=False, width=WIDTH, language="en"), ()))
    scores = speech.scores(view, audience) if view.outcome is not None else ()
    return "\n".join([*lines, *format_messages(scores, "en")])


def svg(game: AnyGame, view: Any) -> str:
    """The board as an SVG document; NoPicture if the game has no pictures."""
    drawn, style, audience = registry.picture(game), PictureStyle(dark=False, language="en"), _audience(view)
    if drawn is None:
        raise no_picture(game)
    sentences = format_messages(registry.speech(game).position(view, audience), "en")
    return still(drawn(view, audience, style, None), style, game.title, " ".join(sentences), "")


def pixels(document: str) -> Any:
    """An SVG document as pixels; MissingExtra without the extra `films`."""
    try:
        import numpy as np  # noqa: PLC0415 - extras
        from PIL import Image  # noqa: PLC0415
    except ImportError:
        raise MissingExtra(_say("picture.extra", extra="spieltisch-core[films]")) from None
    with Image.open(BytesIO(png(document))) as image:
        return np.asarray(image.convert("RGB"))


def _audience(view: Any) -> Audience:
    return Audience([f"seat_{seat}" for seat in range(view.setup.players)], view.viewer)
