"""SVG charts of a game's balance: bars around zero, with their confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from spieltisch.arena.balance.measure import Balance
from spieltisch.arena.balance.report import counted_name
from spieltisch.arena.chart import STYLE, SVG, WIDTH, Scale, draw_interval, draw_text
from spieltisch.arena.report import format_number
from spieltisch.arena.statistics import Interval
from spieltisch.core.game import AnyGame
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory

_say = message_factory("")
_TOP: Final = 84
_ROW: Final = 28
_BAR: Final = 14
_NAMES: Final = 300
_BARS: Final = (320, 680)


class Bar(NamedTuple):
    """A value in percent, with its confidence interval."""

    name: str
    value: float
    bounds: Interval | None


def draw_place_chart(results: Sequence[Balance], title: str, language: str) -> str:
    """First-move advantage: how far above an even share each place in the turn order wins."""
    bars = []
    for result in results:
        even = 1 / result.config.players
        for place, (share, _) in enumerate(result.places, 1):
            name = format_message(_say("stats.row", seats=result.config.players, place=place), language)
            bars.append(_bar(name, share.value - even, share.bounds, even))
    return _draw_bars(
        bars,
        format_message(_say("stats.picture", title=title), language),
        format_message(_say("stats.picture_scale"), language),
        language,
    )


def draw_marginal_values(results: Sequence[Balance], game: AnyGame, title: str, language: str) -> str:
    """The gain that correlates with having one more than the others, in percent of the victory."""
    bars = []
    for result in results:
        for value in result.marginal_values:
            if value.victory.bounds is not None:
                name = _say("stats.row_worth", seats=result.config.players, thing=counted_name(game, value.name))
                bars.append(_bar(format_message(name, language), value.victory.value, value.victory.bounds))
    head = format_message(_say("stats.picture_worth", title=title), language)
    return _draw_bars(bars, head, format_message(_say("stats.picture_worth_scale"), language), language)


def _bar(name: str, value: float, bounds: Interval | None, baseline: float = 0.0) -> Bar:
    return Bar(name, 100 * value, bounds and Interval(100 * (bounds.low - baseline), 100 * (bounds.high - baseline)))


def _draw_bars(bars: Sequence[Bar], head: str, axis: str, language: str) -> str:
    """The bars as an SVG that follows the light or dark color scheme and is accessible to screen readers."""
    height = _TOP + _ROW * len(bars) + 12
    limit = max((abs(end) for bar in bars for end in (bar.value, *(bar.bounds or ()))), default=0.0) or 1.0
    scale = Scale(-limit, limit, *_BARS)
    values = "; ".join(f"{bar.name}: {format_number(bar.value, language)}" for bar in bars)
    parts = [
        f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {height}" role="img" lang="{language}" aria-labelledby="head about">',
        f'<title id="head">{escape(head)}</title>',
        f'<desc id="about">{escape(f"{axis}. {values}")}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
        draw_text(16, 32, head, "head"),
        draw_text(_BARS[0], 64, axis, "faint"),
        *(part for index, bar in enumerate(bars) for part in _draw_bar(bar, _TOP + _ROW * index, scale, language)),
        f'<path class="line" d="M{scale(0)} {_TOP - 8}V{height - 8}"/>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _draw_bar(bar: Bar, top: float, scale: Scale, language: str) -> list[str]:
    left, right = sorted((scale(0), scale(bar.value)))
    middle = top + _BAR / 2
    width = round(right - left, 1)
    return [
        draw_text(_NAMES, middle + 5, bar.name, "", "end"),
        f'<rect class="bar" x="{left}" y="{top}" width="{width}" height="{_BAR}" rx="2"/>',
        draw_interval(bar.bounds, scale, middle),
        draw_text(WIDTH - 16, middle + 5, format_number(bar.value, language), "", "end"),
    ]
