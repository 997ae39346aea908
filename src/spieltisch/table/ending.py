"""Projection of an ending: outcome, score sheet and result of a game, the standings of a match, and what a resignation means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from spieltisch import registry
from spieltisch.core.game import AnyGame, Heard, Over, Pending, ranking
from spieltisch.gameplay.result import announce, announce_match
from spieltisch.i18n.format import format_message, format_messages
from spieltisch.i18n.message import Audience, Message, message_factory
from spieltisch.table.events import SeatResigned
from spieltisch.table.responses import OutcomeView
from spieltisch.table.state import TableState

_say = message_factory("")


class Ending(NamedTuple):
    """How a game ended, in sentences; all empty while it is under way."""

    outcome: OutcomeView | None = None
    sheet: Sequence[str] = ()
    winners: str | None = None
    headline: str | None = None
    reason: str | None = None


def project_ending(
    game: AnyGame, pending: Pending[Any], view: Any, heard: Sequence[Heard], audience: Audience, language: str
) -> Ending:
    """The ending of a game, as soon as it is over."""
    if not isinstance(pending, Over):
        return Ending()
    scores, ranks, ending = pending.outcome
    best = [seat for seat, rank in enumerate(ranks) if rank == 1]
    result = announce(game, pending.outcome, view, heard, audience)
    return Ending(
        OutcomeView(list(scores), list(ranks), ending),
        format_messages(registry.speech(game).scores(view, audience), language),
        format_message(audience.together(_say, "wins", best), language),
        format_message(result.headline, language),
        " ".join(format_messages(result.reason, language)) or None,
    )


def say_early_end(state: TableState, audience: Audience) -> Message:
    """Who wins a match that ended because somebody gave up: everybody who did not."""
    winners = [seat for seat, one in enumerate(state.seats) if not one.resigned]
    return audience.together(_say, "ended.wins", winners)


def project_early_end(state: TableState, audience: Audience, language: str) -> str | None:
    """Who gave up last and who wins, if the match ended early."""
    resigned = [entry.event.seat for entry in state.log if isinstance(entry.event, SeatResigned)]
    if not state.ended or not resigned:
        return None
    messages = [audience(_say, "ended.gave_up", resigned[-1]), say_early_end(state, audience)]
    return " ".join(format_messages(messages, language))


def project_match_result(state: TableState, audience: Audience, language: str) -> str | None:
    """Who wins a match of several games, as soon as all are played."""
    if state.opened.games == 1 or not state.match_over:
        return None
    totals = state.totals()
    return format_message(announce_match(totals, ranking([(total,) for total in totals]), audience), language)
