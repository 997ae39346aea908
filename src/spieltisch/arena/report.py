"""Text report of a tournament, in one language."""

from __future__ import annotations

from typing import Final

from spieltisch.arena.standings import Comparison, EntrantResult, FailedGame, TournamentResult
from spieltisch.arena.statistics import MIN_DEALS, Interval
from spieltisch.i18n.format import decimal, format_message, format_messages
from spieltisch.i18n.message import Message, message_factory
from spieltisch.players.failures import quote_output

_say = message_factory("")
_MAX_FAILURES: Final = 10  # that are listed one by one


def format_percent(share: float, language: str) -> str:
    """A share as a percentage."""
    return format_message(_say("arena.percent", number=_hundredths(share, language)), language)


def format_report(result: TournamentResult, title: str, language: str) -> list[str]:
    """The lines of the report: the entrants from best to last, every comparison, and the players that failed."""
    config, width = result.config, max(len(entrant.name) for entrant in result.entrants)
    lines: list[Message] = [
        _say(
            "arena.head",
            title=title,
            seats=config.players,
            deals=result.deals,
            games=result.games,
            even=format_percent(1 / config.players, language),
        ),
        *(_entrant(entrant, place, width, language) for place, entrant in enumerate(result.entrants, 1)),
        *(_pair(pair, language) for pair in result.pairs),
    ]
    if result.ended == "decided":
        lines.append(_say("arena.decided", deals=result.deals))
    if result.failures:
        lines.append(_say("arena.failures", games=len(result.failures)))
    written = format_messages(lines, language)
    shown: set[str] = set()  # a bot that always fails in the same way is quoted once
    for failed in result.failures[:_MAX_FAILURES]:
        written.append(format_message(_failure(failed), language))
        if failed.failure.output not in shown:
            shown.add(failed.failure.output)
            written += quote_output(failed.failure.output)
    if len(result.failures) > _MAX_FAILURES:
        more = _say("arena.more", more=len(result.failures) - _MAX_FAILURES)
        written.append(format_message(more, language))
    return written


def _entrant(entrant: EntrantResult, place: int, width: int, language: str) -> Message:
    low, high = entrant.bounds or Interval(0, 1)
    return _say(
        "arena.row",
        place=place,
        name=entrant.name.ljust(width),
        share=format_percent(entrant.share, language).rjust(len(format_percent(0.1, language))),
        low=_hundredths(max(low, 0), language),
        high=_hundredths(min(high, 1), language),
        rating=format_number(entrant.rating.strength, language),
        deviation=format_number(entrant.rating.margin, language),
    )


def _pair(pair: Comparison, language: str) -> Message:
    if pair.bounds is None:
        return _say("arena.pair_early", first=pair.first, second=pair.second, fewest=MIN_DEALS)
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


def _failure(failed: FailedGame) -> Message:
    seat, reason, _ = failed.failure
    return _say("arena.failure", deal=failed.deal, game=failed.game, seat=seat, name=failed.name, reason=reason)


def _hundredths(share: float, language: str) -> str:
    return format_number(100 * share, language)


def format_number(value: float, language: str) -> str:
    """The number with one decimal and a typographic minus sign; zero has no sign."""
    return decimal(language, round(value, 1) + 0.0, 1).replace("-", "−")
