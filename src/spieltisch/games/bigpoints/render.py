"""Text renderer of Big Points for the terminal: the track winds in rows to the staircase; capitals are pawns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spieltisch.core.render import TextStyle
from spieltisch.games.bigpoints.speech import score_now
from spieltisch.games.bigpoints.speech.turns import reach_of
from spieltisch.games.bigpoints.state import LETTERS, Action, Move, Take
from spieltisch.games.bigpoints.view import GONE, Discs, View
from spieltisch.i18n.message import Audience, message_factory

say = message_factory("bigpoints")
_ROW: Final = 11
_CELL: Final = 6
_NAME: Final = 20
_COLOURS: Final = {
    "b": "blue",
    "r": "red",
    "y": "yellow",
    "g": "green",
    "p": "purple",
    "w": "white",
    "k": "black",
}


def render(view: View, audience: Audience, style: TextStyle, highlights: Sequence[Action]) -> Sequence[str]:
    """The track, the staircase and the hands, with marks below the landing and the discs to take of a highlighted pawn."""
    marks = _marks(view, highlights)
    lines = [_start(view, style)]
    for number, start in enumerate(range(0, len(view.track), _ROW)):
        lines += _row(view, style, start, marks, leftward=number % 2 == 1)
    if marks:
        lines.append(_legend(style, marks))
    legend = [f" {style.format(say('label.letters'))}", f" {style.format(say('label.signs'))}"]
    return [*lines, *_staircase(view, style), "", *_hands(view, audience, style), *map(style.dim, legend)]


def _marks(view: View, highlights: Sequence[Action]) -> dict[int, str]:
    """The marks below the discs, by number; none unless all highlighted moves are of one pawn."""
    moves = [action for action in highlights if isinstance(action, Move)]
    if len({move.pawn for move in moves}) != 1:
        return {}
    marks: dict[int, str] = {}
    for move in moves:
        reached, back = reach_of(view, move), "<" * move.backward
        taken = {Take.AHEAD: reached.ahead, Take.BEHIND: reached.behind}.get(move.take)
        if reached.landing is not None:
            marks[reached.landing] = f"{back}{reached.pawn.upper()}"
        if taken is not None:
            marks[taken] = f"{back}{move.take.value}"
    return marks


def _start(view: View, style: TextStyle) -> str:
    waiting = [LETTERS[pawn].upper() for pawn, place in enumerate(view.pawns) if place == 0]
    drawn = " ".join(style.chip(f"[{pawn}]", _COLOURS[pawn.lower()], bold=True) for pawn in waiting)
    return f" {style.format(say('label.start'))} {drawn}".rstrip()


def _row(view: View, style: TextStyle, start: int, marks: dict[int, str], *, leftward: bool) -> list[str]:
    numbers = list(range(start + 1, min(start + _ROW, len(view.track)) + 1))
    blank = " " * _CELL
    cells = [
        [style.dim(f"{number:^{_CELL}}") for number in numbers],
        [_disc(view, style, number) for number in numbers],
        [style.bold(f"{marks.get(number, ''):^{_CELL}}") for number in numbers],
    ]
    arrow, end = "←" if leftward else "→", "⇒" if numbers[-1] == len(view.track) else "↓"
    ends = (end, arrow) if leftward else (arrow, end)
    lines = []
    for place, line in enumerate(cells):
        padded = line + [blank] * (_ROW - len(line))
        drawn = "".join(reversed(padded) if leftward else padded)
        left, right = ends if place == 1 else (" ", " ")
        lines.append(f"{left} {drawn}{right}".rstrip())
    return lines if any(number in marks for number in numbers) else lines[:2]


def _disc(view: View, style: TextStyle, number: int) -> str:
    letter = view.track[number - 1]
    if letter == GONE:
        return style.dim(f"{'·':^{_CELL}}")
    if number in view.pawns:
        return " " + style.chip(f"[{letter.upper()}]", _COLOURS[letter], bold=True) + "  "
    return " " + style.chip(f" {letter} ", _COLOURS[letter]) + "  "


def _legend(style: TextStyle, marks: dict[int, str]) -> str:
    pawn = next(mark[-1] for mark in marks.values() if mark[-1].isalpha())
    words = [(pawn, "landing"), ("+", "ahead"), ("-", "behind")]
    return "  " + style.dim(", ".join(f"{mark} {style.format(say(f'label.{word}'))}" for mark, word in words))


def _staircase(view: View, style: TextStyle) -> list[str]:
    steps = [
        f"{step.value}:"
        + (style.chip(f"[{step.pawn.upper()}]", _COLOURS[step.pawn], bold=True) if step.pawn else "···")
        for step in view.steps
    ]
    line = f" {style.format(say('label.staircase'))}  {'  '.join(steps)}"
    if view.beside:
        beside = " ".join(style.chip(f" {letter} ", _COLOURS[letter]) for letter in view.beside)
        line += f"   {style.format(say('label.beside'))} {beside}"
    return ["", line]


def _hands(view: View, audience: Audience, style: TextStyle) -> list[str]:
    names = [name if len(name) <= _NAME else f"{name[: _NAME - 1]}…" for name in audience.names]
    width = max(map(len, names))
    lines = []
    for seat, hand in enumerate(view.hands):
        mark = ">" if seat == view.seat and view.outcome is None else " "
        lines.append(f"{mark}{names[seat]:{width}}  {_hand(view, hand, style)}")
    if view.handed_in:
        lines.append(f" {style.format(say('label.handed_in'))} {style.chip(' k ', 'black')} × {view.handed_in}")
    return lines


def _hand(view: View, hand: Discs, style: TextStyle) -> str:
    if hand.discs is None:
        return style.dim("?" * hand.size)
    held = [
        style.chip(f" {letter}{n if n > 1 else ''} ", _COLOURS[letter])
        for letter, n in zip(LETTERS, hand.discs, strict=True)
        if n
    ]
    return f"{' '.join(held) or '–'}   ({style.format(say('label.now'))} {score_now(view, hand.discs)})"
