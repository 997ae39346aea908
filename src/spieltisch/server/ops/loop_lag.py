"""Event loop lag: the longest time for which the loop was busy without a pause."""

from __future__ import annotations

import asyncio
import time
from typing import Final

INTERVAL: Final = 0.01  # seconds


class LoopLag:
    """Measures the CPU time of the loop's thread between two ticks; time given to other programs does not count."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def measure(self) -> None:
        """Measures for as long as it runs."""
        while True:
            before = time.thread_time()
            await asyncio.sleep(INTERVAL)
            self.longest = max(self.longest, time.thread_time() - before)
