"""SVG chart of a tournament: each entrant's share of the victories as a bar with its interval, and its rating."""

from __future__ import annotations

from html import escape
from typing import Final, NamedTuple

from spieltisch.arena.report import format_number, format_percent, format_report
from spieltisch.arena.standings import EntrantResult, TournamentResult
from spieltisch.arena.statistics import Interval
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory

_say = message_factory("")

SVG: Final = "http://www.w3.org/2000/svg"
WIDTH: Final = 800
_TOP: Final = 84  # of the first row
_ROW: Final = 36
_BAR: Final = 18
_NAMES: Final = 190  # right edge of the names
_MAX_NAME: Final = 24  # characters
_SHARES: Final = (200, 480)  # left and right edge of the bars
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
    """Linear scale from values to coordinates, clamped at both ends."""

    low: float
    high: float
    left: float
    right: float

    def __call__(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        return round(self.left + (inside - self.low) / (self.high - self.low) * (self.right - self.left), 1)


def draw_chart(result: TournamentResult, title: str, language: str) -> str:
    """The result as an SVG that follows the light or dark color scheme and is accessible to screen readers."""
    height = _TOP + _ROW * len(result.entrants) + 34
    even = 1 / result.config.players
    top = max(even, *((entrant.bounds.high if entrant.bounds else entrant.share) for entrant in result.entrants))
    shares = Scale(0, min(1.0, 1.05 * top), *_SHARES)
    ratings = Scale(
        min(entrant.rating.strength - entrant.rating.margin for entrant in result.entrants),
        max(entrant.rating.strength + entrant.rating.margin for entrant in result.entrants),
        *_RATINGS,
    )
    head = format_message(_say("arena.picture", title=title), language)
    about = ". ".join(" ".join(line.split()).rstrip(".:") for line in format_report(result, title, language))
    foot = _TOP + _ROW * len(result.entrants) + 4
    parts = [
        f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {height}" role="img" lang="{language}" aria-labelledby="head about">',
        f'<title id="head">{escape(head)}</title>',
        f'<desc id="about">{escape(about)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
        draw_text(16, 32, head, "head"),
        draw_text(_SHARES[0], 64, format_message(_say("arena.picture_share"), language), "faint"),
        draw_text(_RATINGS[0], 64, format_message(_say("arena.picture_rating"), language), "faint"),
        *(
            part
            for index, entrant in enumerate(result.entrants)
            for part in _draw_entrant(entrant, index, shares, ratings, language)
        ),
        f'<path class="line" stroke-dasharray="4 3" d="M{shares(even)} {_TOP - 8}V{foot}"/>',
        draw_text(shares(even), foot + 16, format_percent(even, language), "faint", "middle"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _draw_entrant(entrant: EntrantResult, index: int, shares: Scale, ratings: Scale, language: str) -> list[str]:
    middle = _TOP + _ROW * index + _BAR / 2
    baseline = middle + 5
    name = entrant.name if len(entrant.name) <= _MAX_NAME else f"{entrant.name[: _MAX_NAME - 1]}…"
    strength, margin = entrant.rating.strength, entrant.rating.margin
    rating = f"{format_number(strength, language)} ± {format_number(margin, language)}"
    width = round(shares(entrant.share) - shares(0), 1)
    return [
        draw_text(_NAMES, baseline, name, "", "end"),
        f'<rect class="bar" x="{shares(0)}" y="{middle - _BAR / 2}" width="{width}" height="{_BAR}" rx="2"/>',
        draw_interval(entrant.bounds, shares, middle),
        draw_text(_SHARES[1] + 12, baseline, format_percent(entrant.share, language)),
        draw_interval(Interval(strength - margin, strength + margin), ratings, middle),
        f'<circle class="dot" cx="{ratings(strength)}" cy="{middle}" r="4"/>',
        draw_text(WIDTH - 16, baseline, rating, "", "end"),
    ]


def draw_interval(bounds: Interval | None, scale: Scale, middle: float) -> str:
    """An interval as a line with caps; an empty string for None."""
    if bounds is None:
        return ""
    low, high = scale(bounds.low), scale(bounds.high)
    ends = f"M{low} {middle - 4}v8M{high} {middle - 4}v8"
    return f'<path class="mark" d="M{low} {middle}H{high}{ends}"/>'


def draw_text(x: float, y: float, content: str, css_class: str = "", anchor: str = "start") -> str:
    """A text element."""
    style = f' class="{css_class}"' if css_class else ""
    return f'<text x="{x}" y="{y}"{style} text-anchor="{anchor}">{escape(content)}</text>'
