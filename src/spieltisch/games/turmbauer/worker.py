"""The full judge in a process of its own: it may take seconds, and a crash of the engine takes nobody along.

`python -m spieltisch.games.turmbauer.worker` answers a line of JSON, a tower and a lean, with a line: how many fall.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from functools import lru_cache
from typing import IO, Final

from spieltisch.games.turmbauer.cells import Cell
from spieltisch.games.turmbauer.judge import full
from spieltisch.games.turmbauer.state import LEVEL, Built, Lean, Tower

_PATIENCE: Final = 60.0  # seconds after which a worker counts as hanging
_log = logging.getLogger(__name__)


class Worker:
    """One process at a time, begun when first asked, and begun anew after one has died or hung."""

    def __init__(
        self, command: Iterable[str] = (sys.executable, "-P", "-m", __name__), patience: float = _PATIENCE
    ) -> None:
        self.command = tuple(command)
        self.patience = patience
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def ask(self, tower: Tower, lean: Lean) -> int | None:
        """How many stones fall; None where the worker gave no answer."""
        with self._lock:
            try:
                process = self._running()
                assert process.stdin is not None
                assert process.stdout is not None
                hung = threading.Timer(self.patience, process.kill)
                hung.start()
                try:
                    process.stdin.write(json.dumps([tower, lean]) + "\n")
                    process.stdin.flush()
                    return int(process.stdout.readline())
                finally:
                    hung.cancel()
            except (OSError, ValueError):  # it could not be begun, it died, or it was too slow
                self._stop()
                return None
            except BaseException:  # interrupted: the answer that is still to come must not be taken for another one
                self._stop()
                raise

    def _running(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is not None:
            self._stop()
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        return self._process

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(OSError, ValueError):  # pipes to a dead process
                self._process.communicate()
            self._process = None

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._stop()


_worker = Worker()
atexit.register(_worker.close)


@lru_cache(maxsize=1 << 12)
def ask(tower: Tower, lean: Lean) -> int:
    """How many stones fall by the full judge; by the programme alone where its worker gives no answer."""
    fallen = _worker.ask(tower, lean)
    if fallen is None:
        from spieltisch.games.turmbauer.statics import moving  # noqa: PLC0415

        _log.warning("the judge's worker gave no answer; fallen stones are counted by the programme")
        fallen = len(moving(tower, LEVEL) or moving(tower, lean))
    return fallen


def serve(source: Iterable[str], sink: IO[str]) -> None:
    """Judges every line until there is none."""
    for line in source:
        stones, lean = json.loads(line)
        tower = tuple(Built(colour, kind, tuple(map(Cell, cells))) for colour, kind, cells in stones)
        print(full(tower, Lean(*lean))[0], file=sink, flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks is told to stop, and stops this
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)  # whatever else is printed here is no answer
        serve(sys.stdin, answers)
