"""Datasets of bot games: every game has draws of its own, and its seats are drawn from the bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from spieltisch import players, registry
from spieltisch.arena.config import Config, make_config, make_self_play_config
from spieltisch.arena.deals import check_version, record_names
from spieltisch.arena.tournament import dataset_header, play_deals
from spieltisch.arena.workers import InlineWorkers, Workers
from spieltisch.core.game import AnyGame, Over
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.players.failures import guard
from spieltisch.records import Record, write
from spieltisch.records.dataset import DatasetHeader, DatasetWriter, PlayedGame


class NumberedGame(NamedTuple):
    """A game of a dataset."""

    number: int
    game: PlayedGame


def write_dataset(
    path: Path,
    game: AnyGame,
    setup: Mapping[str, Any],
    bots: Sequence[str],
    *,
    games: int,
    seed: int = 0,
    executor: Workers | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> DatasetHeader:
    """Plays that many games and writes them as a dataset; the same arguments give the same file.

    Games that an interrupted run has left behind are not played again. PlayerFailed if a bot fails.
    """
    config = (
        make_config(game, setup, bots, seed) if len(bots) > 1 else make_self_play_config(game, setup, bots[0], seed)
    )
    with DatasetWriter(path, dataset_header(config)) as writer:
        missing = (number for number in range(games) if number not in writer.deals)
        done = sum(number < games for number in writer.deals)
        with closing(play_deals(play_numbered_game, config, missing, executor or InlineWorkers())) as arriving:
            for played in arriving:
                writer.add([played.game])
                done += 1
                if progress:
                    progress(done, games)
        return writer.finish(range(games))


def play_numbered_game(config: Config, number: int) -> NumberedGame:
    """Plays one game; it depends on the config and the number only."""
    check_version(config)
    game = registry.find(config.game).for_simulation
    seed = f"dataset/{config.seed}/{number}"
    source = seeded(seed)
    rng = Random(f"{seed}/seats")
    seats = tuple(rng.randrange(len(config.entrants)) for _ in range(config.players))
    names = tuple(config.entrants[entrant] for entrant in seats)
    referee = Referee(game, config.setup(game, source), source, record_names(names))
    bots = [guard(players.make(name, game, f"{seed}/{seat}"), name) for seat, name in enumerate(names)]
    while not isinstance(pending := referee.settle(), Over):
        referee.ask(bots[pending.seat])
    return NumberedGame(number, PlayedGame(number, 0, names, write(Record((referee.record(),)))))
