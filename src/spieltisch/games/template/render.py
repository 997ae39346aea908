"""Text renderer of Pebbles for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.core.render import TextStyle
from spieltisch.games.template.state import HAND, LETTERS, Action
from spieltisch.games.template.view import Pile, View
from spieltisch.i18n.message import Audience, message_factory

say = message_factory("template")
_COLOURS = {"R": "red", "B": "blue", "G": "green"}


def _render_pile(pile: Pile, style: TextStyle) -> str:
    if pile.pebbles is None:
        return "? " * pile.size
    letters = [letter for letter, n in zip(LETTERS, pile.pebbles, strict=True) for _ in range(n)]
    return "".join(style.paint(letter, _COLOURS[letter], bold=True) + " " for letter in letters)


def render(view: View, audience: Audience, style: TextStyle, highlights: Sequence[Action]) -> Sequence[str]:  # noqa: ARG001
    """The table: one line for the bag, then one per seat with its hand and its pile."""
    lines = [style.format(say("bag", n=view.bag.size))]
    width = max(len(name) for name in audience.names)
    hand, pile = style.format(say("label.hand")), style.format(say("label.pile"))
    for seat, name in enumerate(audience.names):
        mark = ">" if seat == view.seat and view.outcome is None else " "
        down = _render_pile(view.hidden[seat], style)
        face_down = f" ({style.format(say('label.hidden'))} {down.strip()})" if down else ""
        held = _render_pile(view.hands[seat], style) + "  " * (HAND - view.hands[seat].size)
        lines.append(
            f"{mark} {name:{width}}  {hand} {held}  {pile} {_render_pile(view.shown[seat], style).strip()}{face_down}"
        )
    return lines
