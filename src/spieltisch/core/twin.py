"""The contract of a twin: a batched, fast copy of a game's rules, held against them by law 12.

A game has a twin where its folder has a `fast.py` with a `TWIN`; the registry finds it. The rules stay the only
authority: a twin that disagrees with them anywhere is wrong.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from spieltisch.core.game import A, S, Setup, V

if TYPE_CHECKING:
    from jax import Array

B = TypeVar("B")


class Kind(IntEnum):
    """What a game of a batch waits for."""

    DECISION = 0
    CHANCE = 1
    OVER = 2


@dataclass(frozen=True)
class Twin(ABC, Generic[S, A, V, B]):
    """Many games of one setup at once. A batch is a tree of arrays, whose first axis is the games.

    Rows know nothing of each other. An action's id is its place in `actions`, which never changes for a version of the
    rules. An action that is not legal has no meaning: what `step` makes of it is not said.
    """

    setup: Setup

    @property
    @abstractmethod
    def actions(self) -> Sequence[A]:
        """Every action there can be, choices and outcomes of chance, in frozen order."""

    @property
    @abstractmethod
    def outcomes(self) -> range:
        """The ids that chance draws from."""

    @abstractmethod
    def pack(self, states: Sequence[S]) -> B:
        """The states as a batch; ValueError for a state of another setup."""

    @abstractmethod
    def unpack(self, batch: B) -> list[S]:
        """The states of a batch."""

    @abstractmethod
    def numbers(self, ids: Sequence[int]) -> Array:
        """The ids, or other whole numbers, as an array."""

    @abstractmethod
    def fresh(self, key: Array, games: int) -> B:
        """So many games, dealt and ready for the first decision."""

    @abstractmethod
    def kind(self, batch: B) -> Array:
        """What each game waits for, as a `Kind`: uint8[games]."""

    @abstractmethod
    def seat(self, batch: B) -> Array:
        """Whose turn it is: int32[games]."""

    @abstractmethod
    def legal(self, batch: B) -> Array:
        """What is pending, choices or outcomes, True where allowed: bool[games, actions]."""

    @abstractmethod
    def step(self, batch: B, ids: Array) -> B:
        """The games after one action each, a choice or an outcome, by id: int32[games]."""

    @abstractmethod
    def weights(self, batch: B) -> Array:
        """The odds of every outcome, nothing but zeros where no chance is pending: int32[games, outcomes]."""

    @abstractmethod
    def draw(self, batch: B, numbers: Array) -> B:
        """The games after one outcome of chance each, by its number in `outcomes`; others stay as they are."""

    @abstractmethod
    def scores(self, batch: B) -> Array:
        """The points of every seat, right once a game is over: int32[games, seats]."""

    @abstractmethod
    def ranks(self, batch: B) -> Array:
        """The rank of every seat, right once a game is over: int32[games, seats]."""

    @abstractmethod
    def features(self, batch: B, viewers: Array) -> Mapping[str, Array]:
        """What the seat `viewers[row]` may know, as named arrays, seats counted from the viewer's."""

    @abstractmethod
    def resample(self, view: V, key: Array, games: int) -> B:
        """So many states that look like the view, with the odds of `Game.imagine`."""

    @abstractmethod
    def renew(self, batch: B, key: Array) -> B:
        """The batch with fresh deals in place of the games that are over."""

    @abstractmethod
    def wander(self, batch: B, key: Array, steps: int) -> tuple[B, Array]:
        """The games after so many steps of random play, finished ones dealt anew, and how many each finished.

        A step is a choice, with the draws that it brings about; luck and choices come from the key and the row alone.
        """

    def rewards(self, batch: B) -> Array:
        """Nothing until a game is over, then from 1 for the best to -1 for the last, which add up to nothing.

        It is how many seats were beaten less how many beat this one, divided by the others: float32[games, seats].
        """
        ranks: Any = self.ranks(batch)
        one, other = ranks[:, :, None], ranks[:, None, :]
        beaten = (one < other).sum(2) - (one > other).sum(2)
        ended: Any = self.kind(batch) == Kind.OVER
        result: Array = (beaten * ended[:, None]).astype("float32") / max(1, self.setup.players - 1)
        return result


AnyTwin: TypeAlias = Twin[Any, Any, Any, Any]  # a twin found by name


class MakeTwin(Protocol):
    """What `TWIN` of a game's `fast.py` is; ValueError for a setup that it has no room for."""

    def __call__(self, setup: Setup, /) -> AnyTwin: ...
