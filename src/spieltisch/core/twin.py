"""The contract of a twin: a game's rules a second time, vectorized over a batch of games in JAX.

A game has a twin if its folder has a `twin.py` with a `TWIN`; the registry finds it. `rules.py` stays the authority:
law 12 (`spieltisch.testing.twins`) checks the twin against it, and a twin that disagrees is wrong.
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
    """What is pending in a game of a batch."""

    DECISION = 0
    CHANCE = 1
    OVER = 2


@dataclass(frozen=True)
class Twin(ABC, Generic[S, A, V, B]):
    """The rules for a batch of games of one setup. A batch is a tree of arrays; their first axis is the games.

    Rows are independent. An action's id is its index in `actions`: the game's `ids`. The result of `step` with an
    illegal action is undefined.
    """

    setup: Setup

    @property
    @abstractmethod
    def actions(self) -> Sequence[A]:
        """All actions, choices and outcomes of chance, in frozen order."""

    @property
    @abstractmethod
    def outcomes(self) -> range:
        """The ids of the outcomes of chance."""

    @abstractmethod
    def pack(self, states: Sequence[S]) -> B:
        """Encodes states as a batch; ValueError for a state of another setup."""

    @abstractmethod
    def unpack(self, batch: B) -> list[S]:
        """Decodes a batch into states."""

    @abstractmethod
    def asarray(self, numbers: Sequence[int]) -> Array:
        """Ids or other integers as an array: int32[games]."""

    @abstractmethod
    def init(self, key: Array, games: int) -> B:
        """A batch of new games, dealt and ready for the first decision."""

    @abstractmethod
    def kind(self, batch: B) -> Array:
        """What is pending in each game, as a `Kind`: uint8[games]."""

    @abstractmethod
    def seat(self, batch: B) -> Array:
        """The seat to play: int32[games]."""

    @abstractmethod
    def legal(self, batch: B) -> Array:
        """Mask of the pending actions, choices or outcomes: bool[games, actions]."""

    def legal_words(self, batch: B) -> Sequence[Array]:
        """`legal` packed: bit n % 32 of word n // 32 is action n; each word is uint32[games].

        A twin that computes it without `legal` makes environments faster.
        """
        legal: Any = self.legal(batch)
        bits: list[Any] = [legal[:, number].astype("uint32") << number % 32 for number in range(len(self.actions))]
        words: list[Any] = [sum(bits[start : start + 32]) for start in range(0, len(bits), 32)]
        return words

    @abstractmethod
    def step(self, batch: B, ids: Array) -> B:
        """Applies one action per game, a choice or an outcome, by id: int32[games]."""

    def choose(self, batch: B, ids: Array) -> B:
        """`step` for choices only: undefined for outcomes, and a twin need not compute them."""
        return self.step(batch, ids)

    @abstractmethod
    def weights(self, batch: B) -> Array:
        """The weight of every outcome, all zero unless chance is pending: int32[games, outcomes]."""

    @abstractmethod
    def draw(self, batch: B, numbers: Array) -> B:
        """Applies one outcome per game, by its index in `outcomes`; games that wait for no chance are unchanged."""

    @abstractmethod
    def scores(self, batch: B) -> Array:
        """The score of every seat, valid once a game is over: int32[games, seats]."""

    @abstractmethod
    def ranks(self, batch: B) -> Array:
        """The rank of every seat, valid once a game is over: int32[games, seats]."""

    @abstractmethod
    def observe(self, batch: B, viewers: Array) -> Mapping[str, Array]:
        """What seat `viewers[row]` may know, as named integer arrays; seats are counted from the viewer."""

    @abstractmethod
    def features(self, batch: B, viewers: Array) -> Array:
        """The game's features (`features.py`) for seat `viewers[row]`, which remembers all it has witnessed.

        One vector per game: float32[games, features].
        """

    @abstractmethod
    def resample(self, view: V, key: Array, games: int) -> B:
        """A batch of states consistent with the view, drawn with the odds of `Game.imagine`."""

    @abstractmethod
    def auto_reset(self, batch: B, key: Array) -> B:
        """Replaces the games that are over by newly dealt ones."""

    @abstractmethod
    def rollout(self, batch: B, key: Array, steps: int) -> tuple[B, Array]:
        """Plays random steps with auto-reset; returns the batch and the number of games each row has finished.

        A step is a choice and the draws it causes. Random numbers depend on the key and the row only.
        """

    def rewards(self, batch: B) -> Array:
        """Zero until a game is over, then from 1 for the best to -1 for the last seat, with sum zero.

        The reward is the number of seats beaten minus the number that beat this one, divided by the number of
        opponents: float32[games, seats].
        """
        ranks: Any = self.ranks(batch)
        one, other = ranks[:, :, None], ranks[:, None, :]
        beaten = (one < other).sum(2) - (one > other).sum(2)
        is_over: Any = self.kind(batch) == Kind.OVER
        result: Array = (beaten * is_over[:, None]).astype("float32") / max(1, self.setup.players - 1)
        return result


AnyTwin: TypeAlias = Twin[Any, Any, Any, Any]  # a twin found by name


class MakeTwin(Protocol):
    """The type of `TWIN` in a game's `twin.py`; ValueError for a setup that the twin does not support."""

    def __call__(self, setup: Setup, /) -> AnyTwin: ...
