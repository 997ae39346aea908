"""The full judge in a process of its own: it may take seconds, and a crash of the engine takes nobody along.

`python -m spieltisch.games.turmbauer.worker` answers a line of JSON, a tower and a lean, with a line: how many fall.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from spieltisch.games.turmbauer.building.cells import Cell
from spieltisch.games.turmbauer.physics.judge import full
from spieltisch.games.turmbauer.state import LEVEL, Built, Lean, Tower
from spieltisch.processes.lines import NoAnswer, Partner, serve

_PATIENCE: Final = 60.0  # seconds after which a worker counts as hanging
_log = logging.getLogger(__name__)


class Worker:
    """One process at a time, begun when first asked, and begun anew after one has died or hung."""

    def __init__(
        self, command: Iterable[str] = (sys.executable, "-P", "-m", __name__), patience: float = _PATIENCE
    ) -> None:
        self.partner = Partner(command, patience)

    def ask(self, tower: Tower, lean: Lean) -> int | None:
        """How many stones fall; None where the worker gave no answer."""
        try:
            return self.partner.ask(json.dumps([tower, lean]), int)
        except (NoAnswer, ValueError) as reason:  # it could not be begun, it died, it was too slow, it told no number
            _log.info("the judge's worker: %s", reason)
            return None


_worker = Worker()


@lru_cache(maxsize=1 << 12)
def ask(tower: Tower, lean: Lean) -> int:
    """How many stones fall by the full judge; by the programme alone where its worker gives no answer."""
    fallen = _worker.ask(tower, lean)
    if fallen is None:
        from spieltisch.games.turmbauer.physics.statics import moving  # noqa: PLC0415

        _log.warning("the judge's worker gave no answer; fallen stones are counted by the programme")
        fallen = len(moving(tower, LEVEL) or moving(tower, lean))
    return fallen


def judged(line: str) -> str:
    """How many stones fall, of a tower and a lean in JSON."""
    stones, lean = json.loads(line)
    tower = tuple(Built(colour, kind, tuple(map(Cell, cells))) for colour, kind, cells in stones)
    return str(full(tower, Lean(*lean))[0])


if __name__ == "__main__":
    serve(judged)
