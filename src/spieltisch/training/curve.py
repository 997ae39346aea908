"""Learning curve: an SVG chart of how often the net wins while it learns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

from spieltisch.i18n.format import decimal, format_message
from spieltisch.i18n.message import message_factory

WIDTH, HEIGHT = 720, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 590, 56, 310
_STYLE: Final = """
text { font: 13px system-ui, sans-serif; fill: #1b1f24; }
.paper { fill: #ffffff; }
.head { font-size: 17px; font-weight: 600; }
.faint { fill: #5b6570; }
.grid { stroke: #d5dade; }
.curve { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
.c0 { stroke: #12619f; } .c1 { stroke: #b4530a; } .c2 { stroke: #2b7a3d; } .c3 { stroke: #7a3d9a; }
@media (prefers-color-scheme: dark) {
  text { fill: #e8ebee; } .paper { fill: #14181d; } .faint { fill: #a3adb8; } .grid { stroke: #38414a; }
  .c0 { stroke: #6db3ee; } .c1 { stroke: #f0a05a; } .c2 { stroke: #74c788; } .c3 { stroke: #c79be6; }
}
"""
_say = message_factory("")


class Point(NamedTuple):
    """A measurement: minutes of training, and the share of the victories."""

    minutes: float
    share: float


def draw_curve(title: str, curves: Mapping[str, Sequence[Point]], players: int, language: str = "en") -> str:
    """The curves by opponent, as an SVG that follows the light or dark colour scheme."""
    longest = max((point.minutes for curve in curves.values() for point in curve), default=1.0) or 1.0

    def x(minutes: float) -> float:
        return round(_LEFT + (_RIGHT - _LEFT) * minutes / longest, 1)

    def y(share: float) -> float:
        return round(_BOTTOM - (_BOTTOM - _TOP) * share, 1)

    head = format_message(_say("train.curve", title=title, players=players), language)
    about = ". ".join(
        f"{name}: {decimal(language, 100 * curve[0].share, 1)} → {decimal(language, 100 * curve[-1].share, 1)} %"
        for name, curve in curves.items()
        if curve
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" lang="{language}" aria-labelledby="head about">',
        f'<title id="head">{escape(head)}</title>',
        f'<desc id="about">{escape(about)}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text class="head" x="16" y="30">{escape(head)}</text>',
    ]
    for percent in range(0, 101, 25):
        height = y(percent / 100)
        parts += [
            f'<path class="grid" d="M{_LEFT} {height}H{_RIGHT}"/>',
            f'<text class="faint" x="{_LEFT - 8}" y="{height + 4}" text-anchor="end">{percent} %</text>',
        ]
    for part in range(5):
        minutes = longest * part / 4
        label = decimal(language, minutes, 1)
        parts.append(f'<text class="faint" x="{x(minutes)}" y="{_BOTTOM + 20}" text-anchor="middle">{label}</text>')
    axis = format_message(_say("train.minutes"), language)
    parts.append(f'<text class="faint" x="{_RIGHT}" y="{_BOTTOM + 40}" text-anchor="end">{escape(axis)}</text>')
    labels = list[float]()
    for number, (name, curve) in enumerate(curves.items()):
        if not curve:
            continue
        line = "L".join(f"{x(point.minutes)} {y(point.share)}" for point in curve)
        height = y(curve[-1].share) + 4
        while any(abs(height - other) < 16 for other in labels):
            height += 16
        labels.append(height)
        parts += [
            f'<path class="curve c{number % 4}" d="M{line}"/>',
            f'<path class="curve c{number % 4}" d="M{_RIGHT + 10} {height - 4}h14"/>',
            f'<text x="{_RIGHT + 30}" y="{height}">{escape(name)}</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"
