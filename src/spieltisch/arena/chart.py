"""Draws a result: the share of the victories of every entrant as a bar with its interval, and its rating beside it."""

from __future__ import annotations

from html import escape
from typing import Final, NamedTuple

from spieltisch.arena.report import number, percent, tell
from spieltisch.arena.standings import Result, Row
from spieltisch.arena.statistics import Interval
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory

_say = message_factory("")

SVG: Final = "http://www.w3.org/2000/svg"
WIDTH: Final = 800
_TOP: Final = 84  # where the rows begin
_ROW: Final = 36
_BAR: Final = 18
_NAMES: Final = 190  # the place for names
_LETTERS: Final = 24  # of a name at most
_SHARES: Final = (200, 480)  # from where to where the bars can reach
_RATINGS: Final = (570, 680)

STYLE: Final = """
text { font: 14px system-ui, sans-serif; fill: #1b1f24; }
.paper { fill: #ffffff; }
.head { font-size: 17px; font-weight: 600; }
.faint { font-size: 12px; fill: #5b6570; }
.bar { fill: #5b9bd5; }
.line { stroke: #8a939c; }
.mark { stroke: #12416f; stroke-width: 2; fill: none; }
.dot { fill: #12416f; }
@media (prefers-color-scheme: dark) {
  text { fill: #e8ebee; }
  .paper { fill: #14181d; }
  .faint { fill: #a3adb8; }
  .bar { fill: #3f78ad; }
  .line { stroke: #77828d; }
  .mark { stroke: #cfe4f8; }
  .dot { fill: #cfe4f8; }
}
"""


class Scale(NamedTuple):
    """Puts values from low to high into a stretch of the picture."""

    low: float
    high: float
    left: float
    right: float

    def __call__(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        return round(self.left + (inside - self.low) / (self.high - self.low) * (self.right - self.left), 1)


def draw(result: Result, title: str, language: str) -> str:
    """The result as an SVG picture that follows the reader's light or dark and can be read aloud."""
    height = _TOP + _ROW * len(result.rows) + 34
    even = 1 / result.terms.players
    top = max(even, *((row.bounds.high if row.bounds else row.share) for row in result.rows))
    shares = Scale(0, min(1.0, 1.05 * top), *_SHARES)
    ratings = Scale(
        min(row.rating.strength - row.rating.reach for row in result.rows),
        max(row.rating.strength + row.rating.reach for row in result.rows),
        *_RATINGS,
    )
    head = format_message(_say("arena.picture", title=title), language)
    about = ". ".join(" ".join(line.split()).rstrip(".:") for line in tell(result, title, language))
    foot = _TOP + _ROW * len(result.rows) + 4
    parts = [
        f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {height}" role="img" lang="{language}" aria-labelledby="head about">',
        f'<title id="head">{escape(head)}</title>',
        f'<desc id="about">{escape(about)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
        text(16, 32, head, "head"),
        text(_SHARES[0], 64, format_message(_say("arena.picture_share"), language), "faint"),
        text(_RATINGS[0], 64, format_message(_say("arena.picture_rating"), language), "faint"),
        *(part for place, row in enumerate(result.rows) for part in _row(row, place, shares, ratings, language)),
        f'<path class="line" stroke-dasharray="4 3" d="M{shares(even)} {_TOP - 8}V{foot}"/>',
        text(shares(even), foot + 16, percent(even, language), "faint", "middle"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _row(row: Row, place: int, shares: Scale, ratings: Scale, language: str) -> list[str]:
    middle = _TOP + _ROW * place + _BAR / 2
    words = middle + 5
    name = row.name if len(row.name) <= _LETTERS else f"{row.name[: _LETTERS - 1]}…"
    strength, reach = row.rating.strength, row.rating.reach
    rating = f"{number(strength, language)} ± {number(reach, language)}"
    width = round(shares(row.share) - shares(0), 1)
    return [
        text(_NAMES, words, name, "", "end"),
        f'<rect class="bar" x="{shares(0)}" y="{middle - _BAR / 2}" width="{width}" height="{_BAR}" rx="2"/>',
        whisker(row.bounds, shares, middle),
        text(_SHARES[1] + 12, words, percent(row.share, language)),
        whisker(Interval(strength - reach, strength + reach), ratings, middle),
        f'<circle class="dot" cx="{ratings(strength)}" cy="{middle}" r="4"/>',
        text(WIDTH - 16, words, rating, "", "end"),
    ]


def whisker(bounds: Interval | None, scale: Scale, middle: float) -> str:
    """An interval as a line with two ends; nothing where there is none."""
    if bounds is None:
        return ""
    low, high = scale(bounds.low), scale(bounds.high)
    ends = f"M{low} {middle - 4}v8M{high} {middle - 4}v8"
    return f'<path class="mark" d="M{low} {middle}H{high}{ends}"/>'


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """Words at a place."""
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{style} text-anchor="{anchor}">{escape(words)}</text>'
