"""Text report of a game's balance, in one language."""

from __future__ import annotations

from spieltisch.arena.balance.measure import Balance, Estimate, MarginalValue
from spieltisch.arena.report import format_number, format_percent
from spieltisch.arena.statistics import Interval
from spieltisch.core.game import AnyGame
from spieltisch.i18n.format import format_messages
from spieltisch.i18n.message import Message, message_factory

_say = message_factory("")


def counted_name(game: AnyGame, name: str) -> Message:
    """The game's name for something it counts."""
    return message_factory(game.name)(f"stats.{name}")


def format_balance(result: Balance, game: AnyGame, title: str, language: str) -> list[str]:
    """The lines of the report, without anything that was never counted."""
    lines = [
        _say(
            "stats.head",
            title=title,
            seats=result.config.players,
            player=result.config.entrants[0],
            deals=result.deals,
            games=result.games,
        ),
        *(_place(place, share, points, language) for place, (share, points) in enumerate(result.places, 1)),
        _say(
            "stats.length",
            mean=format_number(result.decisions.mean, language),
            low=round(result.decisions.low),
            high=round(result.decisions.high),
            draws=format_number(result.draws.mean, language),
        ),
        _say(
            "stats.scores",
            winner=format_number(result.winner.mean, language),
            lead=format_number(result.lead.mean, language),
            ties=format_percent(result.ties.value, language),
        ),
        *_luck(result, language),
        *(_marginal_value(each, game, language) for each in result.marginal_values if each.points.bounds is not None),
    ]
    if result.lost:
        lines.append(_say("stats.lost", deals=result.lost))
    return format_messages(lines, language)


def _place(place: int, share: Estimate, points: float, language: str) -> Message:
    low, high = share.bounds or Interval(0, 1)
    return _say(
        "stats.place",
        place=place,
        share=format_percent(share.value, language),
        low=format_number(100 * low, language),
        high=format_number(100 * high, language),
        points=format_number(points, language),
    )


def _luck(result: Balance, language: str) -> list[Message]:
    if result.luck.bounds is None:
        return []
    return [
        _say(
            "stats.luck",
            victories=format_percent(_clamp(result.luck.value), language),
            low=format_number(100 * _clamp(result.luck.bounds.low), language),
            high=format_number(100 * _clamp(result.luck.bounds.high), language),
            points=format_percent(_clamp(result.luck_in_points.value), language),
        )
    ]


def _clamp(value: float) -> float:
    """The value clamped to 0 and 1, which an estimate may exceed by chance."""
    return min(max(value, 0.0), 1.0)


def _marginal_value(value: MarginalValue, game: AnyGame, language: str) -> Message:
    low, high = value.points.bounds or Interval(0, 0)
    return _say(
        "stats.worth",
        points=format_number(value.points.value, language),
        low=format_number(low, language),
        high=format_number(high, language),
        victory=format_number(100 * value.victory.value, language),
        thing=counted_name(game, value.name),
        often=format_number(value.often, language),
    )
