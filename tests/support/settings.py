"""Every way a registered game can be set up, for tests that hold for all games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hypothesis import strategies as st

from spieltisch import registry
from spieltisch.core.game import AnyGame, Choice, Setup


class Setting(NamedTuple):
    """A game with a number of players, an edition and a version of the rules."""

    game: AnyGame
    players: int
    edition: str
    rules: int

    def __str__(self) -> str:
        return f"{self.game.name}-{self.players}-{self.edition}-v{self.rules}"

    def setup(self, options: dict[str, str] | None = None, first: int = 0) -> Setup:
        return self.game.agree(self.players, self.edition, options, first, self.rules)


def settings() -> Iterator[Setting]:
    for game in (game.for_simulation for game in registry.all()):
        for edition in game.editions:
            for players in edition.players:
                for rules in game.rules:
                    yield Setting(game, players, edition.name, rules)


def setups(setting: Setting) -> st.SearchStrategy[Setup]:
    """Any first player, any values of the options that are words."""
    words = [option for option in setting.game.options if isinstance(option, Choice)]
    return st.builds(
        setting.setup,
        st.fixed_dictionaries({option.name: st.sampled_from(option.values) for option in words}),
        st.integers(0, setting.players - 1),
    )


def choosers() -> st.SearchStrategy[object]:
    """Choosers that begin with given choices, which hypothesis can shorten, and go on from a seed."""
    return st.builds(Scripted, st.lists(st.integers(0, 255), max_size=200), st.integers(0, 1 << 32))


class Scripted:
    """Picks by a script first, then from a seed."""

    def __init__(self, script: list[int], seed: int) -> None:
        from spieltisch.testing.conformance import seeded

        self.script, self.seed = script, seed
        self._rest = iter(script)
        self._after = seeded(seed)

    def __call__(self, count: int, /) -> int:
        following = next(self._rest, None)
        return self._after(count) if following is None else following % count

    def __repr__(self) -> str:
        return f"Scripted({self.script}, {self.seed})"
