"""When Python looks for garbage: seldom, since looking through everything holds everybody up, for 0.2 s a time."""

from __future__ import annotations

import gc
from typing import Final

SELDOM: Final = (10_000, 20, 100)  # tables do not refer to themselves, so that they are freed at once all the same


def settle() -> None:
    """Takes what is loaded now as here to stay."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)
