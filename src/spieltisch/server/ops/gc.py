"""Garbage collector settings: full collections are rare, since traversing every table stops the process.

Reference counting frees almost everything at once; only reference cycles need the collector, and tables have none.
"""

from __future__ import annotations

import gc
from typing import Final

THRESHOLDS: Final = (1_000, 10, 100)  # allocations per young collection, and collections per older generation
TASKS_PER_COLLECTION: Final = 200_000


def freeze() -> None:
    """Collects once, then excludes everything loaded so far from later collections."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


def disable() -> None:
    """Turns automatic collection off."""
    gc.disable()


def collect_periodically(tasks: int) -> None:
    """Runs a full collection after every so many tasks, so that cycles cannot pile up."""
    if tasks % TASKS_PER_COLLECTION == 0:
        gc.collect()
