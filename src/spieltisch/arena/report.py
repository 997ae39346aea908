"""Tells a result in sentences of one language."""

from __future__ import annotations

from typing import Final

from spieltisch.arena.standings import Failed, Pair, Result, Row
from spieltisch.arena.statistics import FEWEST, Interval
from spieltisch.i18n.format import decimal, format_message, format_messages
from spieltisch.i18n.message import Message, message_factory

_say = message_factory("")
_MOST_FAILURES: Final = 10  # are told one by one


def percent(share: float, language: str) -> str:
    """A share as the language writes a percentage."""
    return format_message(_say("arena.percent", number=_hundredths(share, language)), language)


def tell(result: Result, title: str, language: str) -> list[str]:
    """The result in lines: the entrants from the best to the last, how certain that is, and whose players failed."""
    terms, width = result.terms, max(len(row.name) for row in result.rows)
    lines: list[Message] = [
        _say(
            "arena.head",
            title=title,
            seats=terms.players,
            deals=result.deals,
            games=result.games,
            even=percent(1 / terms.players, language),
        ),
        *(_entrant(row, place, width, language) for place, row in enumerate(result.rows, 1)),
        *(_pair(pair, language) for pair in result.pairs),
    ]
    if result.ended == "decided":
        lines.append(_say("arena.decided", deals=result.deals))
    if result.failures:
        lines.append(_say("arena.failures", games=len(result.failures)))
        lines += map(_failure, result.failures[:_MOST_FAILURES])
        if len(result.failures) > _MOST_FAILURES:
            lines.append(_say("arena.more", more=len(result.failures) - _MOST_FAILURES))
    return format_messages(lines, language)


def _entrant(row: Row, place: int, width: int, language: str) -> Message:
    low, high = row.bounds or Interval(0, 1)
    return _say(
        "arena.row",
        place=place,
        name=row.name.ljust(width),
        share=percent(row.share, language).rjust(len(percent(0.1, language))),
        low=_hundredths(max(low, 0), language),
        high=_hundredths(min(high, 1), language),
        rating=number(row.rating.strength, language),
        deviation=number(row.rating.reach, language),
    )


def _pair(pair: Pair, language: str) -> Message:
    if pair.bounds is None:
        return _say("arena.pair_early", first=pair.first, second=pair.second, fewest=FEWEST)
    first, second, difference, (low, high) = pair.first, pair.second, pair.difference, pair.bounds
    if pair.better == second:
        first, second, difference, low, high = second, first, -difference, -high, -low
    return _say(
        "arena.pair_better" if pair.better else "arena.pair_open",
        first=first,
        second=second,
        difference=_hundredths(difference, language),
        low=_hundredths(low, language),
        high=_hundredths(high, language),
    )


def _failure(failed: Failed) -> Message:
    seat, reason = failed.failure
    return _say("arena.failure", deal=failed.deal, game=failed.game, seat=seat, name=failed.name, reason=reason)


def _hundredths(share: float, language: str) -> str:
    """A share in hundredths."""
    return number(100 * share, language)


def number(value: float, language: str) -> str:
    """A number with one digit after its decimal sign, a real minus before it, and none before zero."""
    return decimal(language, round(value, 1) + 0.0, 1).replace("-", "−")
