"""The result of a finished game in messages: who won, by how much, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from spieltisch import registry
from spieltisch.core.game import AnyGame, Heard, Outcome
from spieltisch.i18n.message import Audience, Message, message_factory

_say = message_factory("")


class Result(NamedTuple):
    """A result: the headline with the winner and the margin, and the game's reason, which may be empty."""

    headline: Message
    reason: Sequence[Message]


def announce(game: AnyGame, outcome: Outcome, view: Any, heard: Sequence[Heard], audience: Audience) -> Result:
    """The result of a finished game, from what one viewer saw and heard of it."""
    speech = registry.speech(game)
    margin = winning_margin(outcome.scores, outcome.ranks) if speech.decided_by_points(view) else None
    return Result(_headline(outcome.ranks, margin, audience), speech.reason(view, heard, audience))


def announce_match(totals: Sequence[int], ranks: Sequence[int], audience: Audience) -> Message:
    """Who won a match of several games, and by how much."""
    winners = _winners(ranks)
    margin = winning_margin(totals, ranks)
    if margin is not None:
        return audience(_say, "match.wins", winners[0], margin=margin)
    return _shared("match.shared", winners, audience)


def winning_margin(scores: Sequence[int], ranks: Sequence[int]) -> int | None:
    """The lead of the only winner over the best of the others; None without a lead."""
    winners = _winners(ranks)
    others = [score for seat, score in enumerate(scores) if seat not in winners]
    margin = scores[winners[0]] - max(others, default=scores[winners[0]])
    return margin if len(winners) == 1 and margin > 0 else None


def _headline(ranks: Sequence[int], margin: int | None, audience: Audience) -> Message:
    winners = _winners(ranks)
    if margin is not None:
        return audience(_say, "wins.by", winners[0], margin=margin)
    if len(winners) == 1:
        return audience(_say, "wins", winners[0])
    return _shared("wins.shared", winners, audience)


def _shared(key: str, winners: Sequence[int], audience: Audience) -> Message:
    names = tuple(audience.names[seat] for seat in winners if seat != audience.listener)
    if len(names) == len(winners):
        return _say(f"{key}.names", names=names)
    return _say(f"{key}.you", names=(_say("wins.you_too"), *names))


def _winners(ranks: Sequence[int]) -> list[int]:
    return [seat for seat, rank in enumerate(ranks) if rank == 1]
