"""Keeps a tournament's deals."""

from __future__ import annotations

from typing import Any, ClassVar

from spieltisch.arena.config import Terms
from spieltisch.arena.deal_log import Ledger
from spieltisch.arena.deals import Deal, Failure, Played
from spieltisch.arena.seating import line_ups
from spieltisch.core.json import to_json
from spieltisch.i18n.message import Argument, Message


class Store(Ledger[Deal]):
    """The file `deals.jsonl`."""

    file: ClassVar[str] = "deals.jsonl"
    form: ClassVar[str] = "spieltisch arena 1"

    def line(self, terms: Terms, deal: Deal) -> dict[str, Any]:
        games = [
            {
                "seats": [terms.entrants[entrant] for entrant in game.seats],
                "ranks": game.ranks,
                "scores": game.scores,
                **({"failure": to_json(game.failure)} if game.failure else {}),
            }
            for game in deal.games
        ]
        return {"deal": deal.number, "games": games, "seconds": round(deal.seconds, 6)}

    def deal(self, terms: Terms, line: dict[str, Any]) -> Deal:
        number = int(line["deal"])
        games = tuple(
            Played(
                tuple(terms.entrants.index(name) for name in game["seats"]),
                tuple(map(int, game["ranks"])),
                None if game["scores"] is None else tuple(map(int, game["scores"])),
                _failure(game.get("failure")),
            )
            for game in line["games"]
        )
        if tuple(game.seats for game in games) != line_ups(terms, number):
            raise ValueError(number)
        return Deal(number, games, float(line["seconds"]))


def _failure(failure: dict[str, Any] | None) -> Failure | None:
    return None if failure is None else Failure(int(failure["seat"]), _message(failure["reason"]))


def _message(message: dict[str, Any]) -> Message:
    arguments = tuple((str(name), _argument(value)) for name, value in message["arguments"])
    return Message(message["scope"], message["key"], arguments)


def _argument(value: Any) -> Argument:
    if isinstance(value, dict):
        return _message(value)
    return tuple(map(_argument, value)) if isinstance(value, list) else value
