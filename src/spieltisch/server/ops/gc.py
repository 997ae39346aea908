"""When Python looks for garbage: seldom, since looking through all tables holds everybody up.

What nobody refers to is freed at once all the same; only what refers to itself needs looking for, and tables do not.
"""

from __future__ import annotations

import gc
from typing import Final

SELDOM: Final = (1_000, 10, 100)  # new objects, then how often before older and all others are looked through, too
SWEEP: Final = 200_000  # pieces of work


def freeze() -> None:
    """Takes what is loaded now as here to stay."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)


def disable() -> None:
    """Looks for none while there is work."""
    gc.disable()


def collect_periodically(done: int) -> None:
    """Looks for all of it after so many pieces of work, that it may not add up."""
    if done % SWEEP == 0:
        gc.collect()
