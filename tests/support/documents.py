"""Documents that chance has damaged, for the options of any game."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st


def anything(words: list[str], names: list[str], numbers: tuple[int, int]) -> st.SearchStrategy[Any]:
    """Any small piece of JSON, made of these words, names of fields and numbers."""
    return st.recursive(
        st.none() | st.booleans() | st.integers(*numbers) | st.sampled_from(words),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(names), inner, max_size=3),
        max_leaves=4,
    )


@st.composite
def damaged(draw: st.DrawFn, document: dict[str, Any], pieces: st.SearchStrategy[Any]) -> dict[str, Any]:
    """The document with up to three places changed or taken away."""
    whole = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        at: Any = whole
        while True:
            places = sorted(at) if isinstance(at, dict) else list(range(len(at)))
            if not places:
                break
            place = draw(st.sampled_from(places))
            if isinstance(at[place], dict | list) and draw(st.integers(0, 3)):
                at = at[place]
                continue
            if draw(st.booleans()):
                at[place] = draw(pieces)
            else:
                del at[place]
            break
    return whole
