"""Draws what games between equals have shown: bars around nothing, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from spieltisch.arena.balance.measure import Balance
from spieltisch.arena.balance.report import thing
from spieltisch.arena.chart import STYLE, SVG, WIDTH, Scale, text, whisker
from spieltisch.arena.report import number
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
    """A value in hundredths, and its interval."""

    name: str
    value: float
    bounds: Interval | None


def draw_places(results: Sequence[Balance], title: str, language: str) -> str:
    """Who begins well: for every place in the order of turns how far above an even share it wins."""
    bars = []
    for result in results:
        even = 1 / result.terms.players
        for place, (share, _) in enumerate(result.places, 1):
            name = format_message(_say("stats.row", seats=result.terms.players, place=place), language)
            bars.append(_bar(name, share.value - even, share.bounds, even))
    return _chart(
        bars,
        format_message(_say("stats.picture", title=title), language),
        format_message(_say("stats.picture_scale"), language),
        language,
    )


def draw_worths(results: Sequence[Balance], game: AnyGame, title: str, language: str) -> str:
    """What goes with one more than the others, in hundredths of the victory."""
    bars = []
    for result in results:
        for worth in result.worths:
            if worth.victory.bounds is not None:
                named = _say("stats.row_worth", seats=result.terms.players, thing=thing(game, worth.name))
                bars.append(_bar(format_message(named, language), worth.victory.value, worth.victory.bounds))
    head = format_message(_say("stats.picture_worth", title=title), language)
    return _chart(bars, head, format_message(_say("stats.picture_worth_scale"), language), language)


def _bar(name: str, value: float, bounds: Interval | None, less: float = 0.0) -> Bar:
    return Bar(name, 100 * value, bounds and Interval(100 * (bounds.low - less), 100 * (bounds.high - less)))


def _chart(bars: Sequence[Bar], head: str, scaled: str, language: str) -> str:
    """The bars as an SVG picture that follows the reader's light or dark and can be read aloud."""
    height = _TOP + _ROW * len(bars) + 12
    reach = max((abs(end) for bar in bars for end in (bar.value, *(bar.bounds or ()))), default=0.0) or 1.0
    scale = Scale(-reach, reach, *_BARS)
    told = "; ".join(f"{bar.name}: {number(bar.value, language)}" for bar in bars)
    parts = [
        f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {height}" role="img" lang="{language}" aria-labelledby="head about">',
        f'<title id="head">{escape(head)}</title>',
        f'<desc id="about">{escape(f"{scaled}. {told}")}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
        text(16, 32, head, "head"),
        text(_BARS[0], 64, scaled, "faint"),
        *(part for place, bar in enumerate(bars) for part in _row(bar, _TOP + _ROW * place, scale, language)),
        f'<path class="line" d="M{scale(0)} {_TOP - 8}V{height - 8}"/>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _row(bar: Bar, top: float, scale: Scale, language: str) -> list[str]:
    left, right = sorted((scale(0), scale(bar.value)))
    middle = top + _BAR / 2
    width = round(right - left, 1)
    return [
        text(_NAMES, middle + 5, bar.name, "", "end"),
        f'<rect class="bar" x="{left}" y="{top}" width="{width}" height="{_BAR}" rx="2"/>',
        whisker(bar.bounds, scale, middle),
        text(WIDTH - 16, middle + 5, number(bar.value, language), "", "end"),
    ]
