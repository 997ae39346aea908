"""What the tests of the arena share: a game, a config, waiting."""

from __future__ import annotations

import time
from collections.abc import Callable

from spieltisch import registry
from spieltisch.arena.config import Config
from spieltisch.arena.standings import TournamentResult
from tests.support.command import TIMEOUT

GAME = registry.find("template")
BOTH = ["greedy", "random"]


def config_of(entrants: int, seats: int, seed: int = 1) -> Config:
    return Config("template", seats, "standard", (), None, 1, tuple(f"bot{n}" for n in range(entrants)), seed)


def timeless(result: TournamentResult) -> TournamentResult:
    """The result without its running time."""
    return result._replace(seconds=0)


def wait_until(there: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not there():
        assert time.monotonic() < deadline
        time.sleep(0.01)
