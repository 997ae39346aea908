"""The pulse of the event loop: how long it was ever busy without a pause for others."""

from __future__ import annotations

import asyncio
import time
from typing import Final

BEAT: Final = 0.01


class Pulse:
    """Measures the loop's own work between two beats; other programs that have the processor do not count."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def beat(self) -> None:
        """Beats for ever."""
        while True:
            before = time.thread_time()
            await asyncio.sleep(BEAT)
            self.longest = max(self.longest, time.thread_time() - before)
