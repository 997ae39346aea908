"""Toy games without hidden information, for tests of search."""

from __future__ import annotations

from typing import Any

from spieltisch.core.game import Game


class OpenToy(Game[Any, Any, Any]):
    """Base class of toy games whose state is public and whose actions are numbers."""

    def observe(self, state, viewer):
        return state

    def imagine(self, view, sampler):
        return view

    def write(self, state, action):
        return str(action)

    def read(self, state, text):
        return int(text)
