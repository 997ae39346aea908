"""Runner of single faults, for the campaign and its tests: a zygote in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import IO, Any, Self

from tests.campaigns.campaign import ROOT
from tests.campaigns.faults.fault import Fault
from tests.support.preload.build import preloaded


class FaultRunner:
    """A process into which the fault library is preloaded."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.campaigns.faults.zygote"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=preloaded("faults"),
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, setting: str, seed: int, fault: Fault | None = None, plant: str | None = None) -> dict[str, Any]:
        """The result of the workload with that fault, and with a bug that was planted into the server."""
        to, back = self._pipes()
        print(json.dumps([setting, seed, fault, plant]), file=to, flush=True)
        line = back.readline()
        assert line, "the process has ended"
        result: dict[str, Any] = json.loads(line)
        return result

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout
