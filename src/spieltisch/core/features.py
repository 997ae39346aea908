"""The contract of features: a view as a vector of numbers that programs learn from, the same in every environment.

A game has features if its folder has a `features.py` with `FEATURES`; the registry finds it. The table of fields is
defined once: `features.py` fills it from a view with NumPy, and the game's twin, if it has one, from a batch with JAX. A
version of the features never changes: a change to a field needs a new version of the table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from itertools import product
from math import prod
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias

from spieltisch.core.game import Setup, V

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vector: TypeAlias = "NDArray[np.float32]"


class FeatureField(NamedTuple):
    """A named part of the vector: an array of numbers between `low` and `high`, in row-major order."""

    name: str
    shape: tuple[int, ...]
    doc: str
    low: float = 0.0
    high: float = 1.0

    @property
    def size(self) -> int:
        return prod(self.shape)


def share(whole: int) -> float:
    """The factor by which a count is multiplied to become a share of the whole, at most 1: a float32.

    Multiplied, not divided: a compiler may turn a division into a multiplication, and numbers must be equal everywhere.
    """
    factor = _float32(1 / whole)
    return factor if _float32(whole * factor) <= 1 else _float32(factor * (1 - 2**-24))


def _float32(number: float) -> float:
    rounded: float = unpack("f", pack("f", number))[0]
    return rounded


class Features(ABC, Generic[V]):
    """The features of a game for one setup; the same for every starting seat. Seats are counted from the viewer."""

    version: ClassVar[str]  # such as NAME-v1
    reads_states: ClassVar[bool] = False  # whether `write_state` is implemented

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.fields: tuple[FeatureField, ...] = tuple(self.define())
        self.offsets: dict[str, int] = {}
        self.size = 0
        for field in self.fields:
            self.offsets[field.name] = self.size
            self.size += field.size

    @abstractmethod
    def define(self) -> Sequence[FeatureField]:
        """The fields for this setup, in the order of the vector."""

    @abstractmethod
    def write(self, view: V, vector: Vector) -> None:
        """Writes the features of a view into a vector of `size` zeros.

        The view is a seat's own, completed by `Game.recollect` if the seat remembers what it has witnessed.
        """

    def write_state(self, state: Any, viewer: int, vector: Vector) -> None:
        """As `write`, straight from a state, for a seat that remembers all it has witnessed.

        Optional, for speed: environments observe in every step, and making a view costs more than the numbers. Tests
        compare it with `write` at every state of random games, and for all states that look the same to the viewer.
        """
        raise NotImplementedError

    def slice(self, name: str) -> slice:
        """Where a field is in the vector."""
        offset = self.offsets[name]
        return slice(offset, offset + next(field.size for field in self.fields if field.name == name))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of every number: the field's, with its indexes."""
        return tuple(
            ".".join((field.name, *map(str, indexes)))
            for field in self.fields
            for indexes in product(*map(range, field.shape))
        )

    @cached_property
    def digest(self) -> str:
        """A short hash of the version and the table of fields: equal digests mean vectors of the same meaning."""
        table = [(field.name, field.shape, field.low, field.high) for field in self.fields]
        return sha256(repr((self.version, table)).encode()).hexdigest()[:12]

    @cached_property
    def low(self) -> float:
        """The lowest value of any field."""
        return min(field.low for field in self.fields)

    @cached_property
    def high(self) -> float:
        """The highest value of any field."""
        return max(field.high for field in self.fields)


AnyFeatures: TypeAlias = Features[Any]  # features found by name


class MakeFeatures(Protocol):
    """The type of `FEATURES` in a game's `features.py`."""

    def __call__(self, setup: Setup, /) -> AnyFeatures: ...
