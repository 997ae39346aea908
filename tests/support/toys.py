"""Games of nothing but a state that everybody sees, for tests of those who think."""

from __future__ import annotations

from typing import Any

from spieltisch.core.game import Game


class OpenToy(Game[Any, Any, Any]):
    """What games without secrets and with numbers for actions have in common."""

    def observe(self, state, viewer):
        return state

    def imagine(self, view, sampler):
        return view

    def write(self, state, action):
        return str(action)

    def read(self, state, text):
        return int(text)
