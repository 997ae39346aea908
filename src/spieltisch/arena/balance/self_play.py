"""Self-play of duplicate deals: the same player on every seat, each deal played twice, with statistics per game."""

from __future__ import annotations

import time
from typing import Any, ClassVar, Final, NamedTuple

from spieltisch import players, registry
from spieltisch.arena.config import Config
from spieltisch.arena.deal_log import DealLog
from spieltisch.arena.deals import check_version
from spieltisch.core.game import AnyGame, Decision, Over, Setup
from spieltisch.gameplay.chance import Source, seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.players.failures import PlayerFailed, guard

COPIES: Final = 2  # games per deal


class GameStats(NamedTuple):
    """Statistics of one game, with the seats in turn order: the seat that started comes first."""

    shares: tuple[float, ...]  # of the victory
    scores: tuple[int, ...]
    decisions: int
    draws: int
    ending: str
    counts: tuple[tuple[str, tuple[int, ...]], ...]  # what the game counts, per seat


class DuplicateDeal(NamedTuple):
    """The games of one deal, none if a player failed, and the seconds they took."""

    number: int
    games: tuple[GameStats, ...]
    seconds: float


def play_duplicate_deal(config: Config, number: int) -> DuplicateDeal:
    """Plays one deal twice; the result depends on the config and the number only."""
    check_version(config)
    started = time.perf_counter()
    game = registry.find(config.game).for_simulation
    source = seeded(f"balance/{config.seed}/{number}")
    setup = config.setup(game, source)
    try:
        games = tuple(
            _play_game(game, setup, source, config.entrants[0], f"balance/{config.seed}/{number}/{copy}")
            for copy in range(COPIES)
        )
    except PlayerFailed:
        games = ()
    return DuplicateDeal(number, games, time.perf_counter() - started)


def _play_game(game: AnyGame, setup: Setup, source: Source, name: str, seed: str) -> GameStats:
    referee = Referee(game, setup, source)
    bots = [guard(players.make(name, game, f"{seed}/{seat}"), name) for seat in range(setup.players)]
    decisions = 0
    while isinstance(pending := referee.settle(), Decision):
        referee.ask(bots[pending.seat])
        decisions += 1
    assert isinstance(pending, Over)
    ranks, scores = pending.outcome.ranks, pending.outcome.scores
    count = registry.game_counts(game)
    counts = count(referee.steps, referee.state) if count else {}
    turn_order = [(setup.first + place) % setup.players for place in range(setup.players)]
    return GameStats(
        shares=tuple((ranks[seat] == 1) / ranks.count(1) for seat in turn_order),
        scores=tuple(scores[seat] for seat in turn_order),
        decisions=decisions,
        draws=len(referee.draws()),
        ending=pending.outcome.ending,
        counts=tuple((name, tuple(numbers[seat] for seat in turn_order)) for name, numbers in counts.items()),
    )


class BalanceLog(DealLog[DuplicateDeal]):
    """The file `games.jsonl`."""

    file_name: ClassVar[str] = "games.jsonl"
    format: ClassVar[str] = "spieltisch balance 1"

    def encode(self, config: Config, deal: DuplicateDeal) -> dict[str, Any]:
        games = [{**game._asdict(), "counts": dict(game.counts)} for game in deal.games]
        return {"deal": deal.number, "games": games, "seconds": round(deal.seconds, 6)}

    def decode(self, config: Config, line: dict[str, Any]) -> DuplicateDeal:
        games = tuple(
            GameStats(
                shares=tuple(map(float, game["shares"])),
                scores=tuple(map(int, game["scores"])),
                decisions=int(game["decisions"]),
                draws=int(game["draws"]),
                ending=str(game["ending"]),
                counts=tuple((name, tuple(map(int, numbers))) for name, numbers in game["counts"].items()),
            )
            for game in line["games"]
        )
        if any(len(game.shares) != config.players for game in games):
            raise ValueError(line["deal"])
        return DuplicateDeal(int(line["deal"]), games, float(line["seconds"]))
