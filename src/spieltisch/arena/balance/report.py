"""Tells what games between equals have shown, in sentences of one language."""

from __future__ import annotations

from spieltisch.arena.balance.measure import Balance, Estimate, Worth
from spieltisch.arena.report import number, percent
from spieltisch.arena.statistics import Interval
from spieltisch.core.game import AnyGame
from spieltisch.i18n.format import format_messages
from spieltisch.i18n.message import Message, message_factory

_say = message_factory("")


def thing(game: AnyGame, name: str) -> Message:
    """What a game calls something that it counts."""
    return message_factory(game.name)(f"stats.{name}")


def tell_balance(result: Balance, game: AnyGame, title: str, language: str) -> list[str]:
    """The numbers in lines; what was never counted is not told."""
    lines = [
        _say(
            "stats.head",
            title=title,
            seats=result.terms.players,
            player=result.terms.entrants[0],
            deals=result.deals,
            games=result.games,
        ),
        *(_place(place, share, points, language) for place, (share, points) in enumerate(result.places, 1)),
        _say(
            "stats.length",
            mean=number(result.decisions.mean, language),
            low=round(result.decisions.low),
            high=round(result.decisions.high),
            draws=number(result.draws.mean, language),
        ),
        _say(
            "stats.scores",
            winner=number(result.winner.mean, language),
            lead=number(result.lead.mean, language),
            ties=percent(result.ties.value, language),
        ),
        *_luck(result, language),
        *(_worth(worth, game, language) for worth in result.worths if worth.points.bounds is not None),
    ]
    if result.lost:
        lines.append(_say("stats.lost", deals=result.lost))
    return format_messages(lines, language)


def _place(place: int, share: Estimate, points: float, language: str) -> Message:
    low, high = share.bounds or Interval(0, 1)
    return _say(
        "stats.place",
        place=place,
        share=percent(share.value, language),
        low=number(100 * low, language),
        high=number(100 * high, language),
        points=number(points, language),
    )


def _luck(result: Balance, language: str) -> list[Message]:
    if result.luck.bounds is None:
        return []
    return [
        _say(
            "stats.luck",
            victories=percent(_part(result.luck.value), language),
            low=number(100 * _part(result.luck.bounds.low), language),
            high=number(100 * _part(result.luck.bounds.high), language),
            points=percent(_part(result.luck_in_points.value), language),
        )
    ]


def _part(value: float) -> float:
    """A part of a whole: below nothing and above all of it is chance of the sample."""
    return min(max(value, 0.0), 1.0)


def _worth(worth: Worth, game: AnyGame, language: str) -> Message:
    low, high = worth.points.bounds or Interval(0, 0)
    return _say(
        "stats.worth",
        points=number(worth.points.value, language),
        low=number(low, language),
        high=number(high, language),
        victory=number(100 * worth.victory.value, language),
        thing=thing(game, worth.name),
        often=number(worth.often, language),
    )
