"""Variants of all registered games, and strategies for their setups and choices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hypothesis import strategies as st

from spieltisch import registry
from spieltisch.core.game import AnyGame, Choice, Setup


class GameVariant(NamedTuple):
    """A game with a number of players, an edition and a version of the rules."""

    game: AnyGame
    players: int
    edition: str
    rules: int

    def __str__(self) -> str:
        return f"{self.game.name}-{self.players}-{self.edition}-v{self.rules}"

    def setup(self, options: dict[str, str] | None = None, first: int = 0) -> Setup:
        return self.game.agree(self.players, self.edition, options, first, self.rules)


def game_variants() -> Iterator[GameVariant]:
    """Every edition, number of players and version of the rules of every game."""
    for game in (game.for_simulation for game in registry.all()):
        for edition in game.editions:
            for players in edition.players:
                for rules in game.rules:
                    yield GameVariant(game, players, edition.name, rules)


def setups(variant: GameVariant) -> st.SearchStrategy[Setup]:
    """Any first player, and any values of the options with fixed choices."""
    words = [option for option in variant.game.options if isinstance(option, Choice)]
    return st.builds(
        variant.setup,
        st.fixed_dictionaries({option.name: st.sampled_from(option.values) for option in words}),
        st.integers(0, variant.players - 1),
    )


def choosers() -> st.SearchStrategy[object]:
    """Choosers that start with a script, which hypothesis can shrink, and continue from a seed."""
    return st.builds(ScriptedChooser, st.lists(st.integers(0, 255), max_size=200), st.integers(0, 1 << 32))


class ScriptedChooser:
    """Picks from a script first, then at random from a seed."""

    def __init__(self, script: list[int], seed: int) -> None:
        from spieltisch.testing.conformance import seeded

        self.script, self.seed = script, seed
        self._rest = iter(script)
        self._after = seeded(seed)

    def __call__(self, count: int, /) -> int:
        following = next(self._rest, None)
        return self._after(count) if following is None else following % count

    def __repr__(self) -> str:
        return f"ScriptedChooser({self.script}, {self.seed})"
