"""The full judge in a process of its own: it may take seconds, and a crash of the physics engine must not spread.

`python -m spieltisch.games.turmbauer.physics.worker` reads lines of JSON, each a tower and a lean, and responds to each
with a line: how many stones fall.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from spieltisch.games.turmbauer.building.cells import Cell
from spieltisch.games.turmbauer.physics.judge import full_judge
from spieltisch.games.turmbauer.state import LEVEL, Lean, PlacedStone, Tower
from spieltisch.processes.lines import LineProcess, NoResponse, serve

_TIMEOUT: Final = 60.0  # seconds
_log = logging.getLogger(__name__)


class JudgeProcess:
    """The judge's process: started by the first request, and restarted if it has died or hung."""

    def __init__(
        self, command: Iterable[str] = (sys.executable, "-P", "-m", __name__), timeout: float = _TIMEOUT
    ) -> None:
        self.process = LineProcess(command, timeout)

    def count_fallen(self, tower: Tower, lean: Lean) -> int | None:
        """How many stones fall; None if the process did not respond with a number."""
        try:
            return self.process.request(json.dumps([tower, lean]), int)
        except (NoResponse, ValueError) as error:
            _log.info("judge process failed: %s", error)
            return None


_process = JudgeProcess()


@lru_cache(maxsize=1 << 12)
def count_fallen(tower: Tower, lean: Lean) -> int:
    """How many stones fall by the full judge; by the linear programme alone if the judge's process fails."""
    fallen = _process.count_fallen(tower, lean)
    if fallen is None:
        from spieltisch.games.turmbauer.physics.statics import moving_stones  # noqa: PLC0415

        _log.warning("judge process failed; fallen stones are counted by the programme alone")
        fallen = len(moving_stones(tower, LEVEL) or moving_stones(tower, lean))
    return fallen


def respond(line: str) -> str:
    """How many stones fall, of a tower and a lean in JSON."""
    stones, lean = json.loads(line)
    tower = tuple(PlacedStone(colour, kind, tuple(map(Cell, cells))) for colour, kind, cells in stones)
    return str(full_judge(tower, Lean(*lean))[0])


if __name__ == "__main__":
    serve(respond)
