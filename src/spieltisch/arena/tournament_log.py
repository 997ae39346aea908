"""The log of a tournament's deals."""

from __future__ import annotations

from typing import Any, ClassVar

from spieltisch.arena.config import Config
from spieltisch.arena.deal_log import DealLog
from spieltisch.arena.deals import DealResult, Failure, GameResult
from spieltisch.arena.seating import line_ups
from spieltisch.core.json import to_json
from spieltisch.i18n.message import Argument, Message


class TournamentLog(DealLog[DealResult]):
    """The file `deals.jsonl`."""

    file_name: ClassVar[str] = "deals.jsonl"
    format: ClassVar[str] = "spieltisch arena 1"

    def encode(self, config: Config, deal: DealResult) -> dict[str, Any]:
        games: list[dict[str, Any]] = [
            {
                "seats": [config.entrants[entrant] for entrant in game.seats],
                "ranks": game.ranks,
                "scores": game.scores,
                **({"failure": to_json(game.failure)} if game.failure else {}),
                **({"outputs": [{"seat": seat, "text": text} for seat, text in game.outputs]} if game.outputs else {}),
            }
            for game in deal.games
        ]
        return {"deal": deal.number, "games": games, "seconds": round(deal.seconds, 6)}

    def decode(self, config: Config, line: dict[str, Any]) -> DealResult:
        number = int(line["deal"])
        games = tuple(
            GameResult(
                tuple(config.entrants.index(name) for name in game["seats"]),
                tuple(map(int, game["ranks"])),
                None if game["scores"] is None else tuple(map(int, game["scores"])),
                _decode_failure(game.get("failure")),
                tuple((int(output["seat"]), str(output["text"])) for output in game.get("outputs", ())),
            )
            for game in line["games"]
        )
        if tuple(game.seats for game in games) != line_ups(config, number):
            raise ValueError(number)
        return DealResult(number, games, float(line["seconds"]))


def _decode_failure(failure: dict[str, Any] | None) -> Failure | None:
    if failure is None:
        return None
    return Failure(int(failure["seat"]), _decode_message(failure["reason"]), str(failure.get("output", "")))


def _decode_message(message: dict[str, Any]) -> Message:
    arguments = tuple((str(name), _decode_argument(value)) for name, value in message["arguments"])
    return Message(message["scope"], message["key"], arguments)


def _decode_argument(value: Any) -> Argument:
    if isinstance(value, dict):
        return _decode_message(value)
    return tuple(map(_decode_argument, value)) if isinstance(value, list) else value
