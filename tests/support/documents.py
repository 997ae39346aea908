"""Strategies for randomly damaged JSON documents, for the options of any game."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st


def json_values(words: list[str], names: list[str], numbers: tuple[int, int]) -> st.SearchStrategy[Any]:
    """Small JSON values made of these words, field names and numbers."""
    return st.recursive(
        st.none() | st.booleans() | st.integers(*numbers) | st.sampled_from(words),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(names), inner, max_size=3),
        max_leaves=4,
    )


@st.composite
def damaged_documents(draw: st.DrawFn, document: dict[str, Any], pieces: st.SearchStrategy[Any]) -> dict[str, Any]:
    """The document with up to three values changed or removed."""
    damaged = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        at: Any = damaged
        while True:
            keys = sorted(at) if isinstance(at, dict) else list(range(len(at)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(at[key], dict | list) and draw(st.integers(0, 3)):
                at = at[key]
                continue
            if draw(st.booleans()):
                at[key] = draw(pieces)
            else:
                del at[key]
            break
    return damaged
