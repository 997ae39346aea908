"""Pebbles drawn in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.core.render import Pen
from spieltisch.games.template.state import LETTERS, Action
from spieltisch.games.template.view import Pile, View
from spieltisch.i18n.message import Voices, speaker

say = speaker("template")
_COLOURS = {"R": "red", "B": "blue", "G": "green"}


def _drawn(pile: Pile, pen: Pen) -> str:
    if pile.pebbles is None:
        return "? " * pile.size
    letters = [letter for letter, n in zip(LETTERS, pile.pebbles, strict=True) for _ in range(n)]
    return "".join(pen.paint(letter, _COLOURS[letter], bold=True) + " " for letter in letters)


def draw(view: View, voices: Voices, pen: Pen, lit: Sequence[Action]) -> Sequence[str]:  # noqa: ARG001
    """The table: a line for the bag, then for every seat its hand and its pile."""
    lines = [pen.words(say("bag", n=view.bag.size))]
    width = max(len(name) for name in voices.names)
    hand, pile = pen.words(say("label.hand")), pen.words(say("label.pile"))
    for seat, name in enumerate(voices.names):
        mark = ">" if seat == view.seat and view.outcome is None else " "
        down = _drawn(view.hidden[seat], pen)
        face_down = f" ({pen.words(say('label.hidden'))} {down.strip()})" if down else ""
        held = _drawn(view.hands[seat], pen) + "  " * (3 - view.hands[seat].size)
        lines.append(f"{mark} {name:{width}}  {hand} {held}  {pile} {_drawn(view.shown[seat], pen).strip()}{face_down}")
    return lines
