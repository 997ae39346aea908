"""The contract of a value net: what a game provides so that its net can be trained and can play.

A game has a net if its folder has a `net` package with `NET`; the registry finds it. The net values an afterstate, the
state right after a choice and before any draw, for the seat that has chosen. Its inputs are computed from the
game's features for that seat, so they hold nothing that the seat may not know. The same function runs on NumPy at the
table and on JAX in training.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from spieltisch.core.game import Setup


class Bilinear(NamedTuple):
    """Products of inputs and hidden units: counts of items per group, times values of the items that the net computes.

    The counts are the inputs from `first` on, as an array of shape (groups, items); the net computes `rank` values of
    each item, and every group gets the sums of its counts times those values.
    """

    first: int
    groups: int
    items: int
    rank: int


class NetShape(NamedTuple):
    """The layers of a net: dense with ReLU; the outputs are a logit and the final points of every seat."""

    inputs: int
    hidden: tuple[int, ...]
    seats: int  # the most seats of a table, counted from the one that has chosen; those not there are masked
    bilinear: Bilinear | None = None


class TrainingSetup(NamedTuple):
    """Settings to train on, for every number of players of the edition, with their weight in the mix."""

    edition: str
    options: Mapping[str, str]
    weight: int = 1


class Lookahead(NamedTuple):
    """How far a search on the net looks ahead."""

    widths: tuple[int, ...] = ()  # per ply, the number of best turns to follow; the first ply is the seat's own turn
    beam: int = 0  # unfinished turns that are kept from action to action; 0: every decision is a ply of its own
    worlds: int = 1  # determinizations that are searched if something is hidden


class Net(ABC):
    """A game's value net: its inputs, its shape, and what to train it on."""

    version: ClassVar[str]  # of the inputs, such as NAME-net-v1; a change to them needs a new version
    seats: ClassVar[int]
    size: ClassVar[int]  # the number of inputs
    hidden: ClassVar[tuple[int, ...]]  # the widths of the hidden layers
    bilinear: ClassVar[Bilinear | None] = None
    points: ClassVar[float]  # final points are divided by this
    shared: ClassVar[bool] = False  # whether all seats know the same, so that each decision bootstraps from the next
    trace: ClassVar[float] = 0.8  # λ of TD(λ)
    branching: ClassVar[int]  # more choices per decision than a large batch has on average
    lookahead: ClassVar[Lookahead] = Lookahead((6, 4, 1))
    mix: ClassVar[Sequence[TrainingSetup]]  # one or more per variant; the first is the default

    @abstractmethod
    def variant(self, setup: Setup) -> str | None:
        """What the net tells apart besides the number of players; None for a setup that it cannot value.

        Setups of one variant are the same game to a seat that remembers what it has witnessed.
        """

    @abstractmethod
    def inputs(self, xp: Any, setup: Setup, features: Any) -> Any:
        """The inputs from a batch of features, float32[games, size]; `xp` is the module NumPy or `jax.numpy`."""

    def shape(self, hidden: Sequence[int] | None = None) -> NetShape:
        """The shape, with other widths if given."""
        return NetShape(self.size, tuple(hidden or self.hidden), self.seats, self.bilinear)
