"""The frozen numbering of a game's actions: an id means the same action in every position and every environment."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

A = TypeVar("A")


class ActionIds(ABC, Generic[A]):
    """Ids for one setup: the numbers below `len(ids)`, frozen for each version of the rules.

    Pending actions have different ids. The outcomes of chance have ids too.
    """

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def of(self, actions: Iterable[A]) -> list[int]:
        """The ids of pending actions, in their order."""


class ListedIds(ActionIds[A]):
    """The ids of a game whose actions can be listed: indexes into the list."""

    def __init__(self, actions: Iterable[A]) -> None:
        self.actions = tuple(actions)
        self._ids = {action: number for number, action in enumerate(self.actions)}

    def __len__(self) -> int:
        return len(self.actions)

    def __iter__(self) -> Iterator[A]:
        return iter(self.actions)

    def __getitem__(self, number: int) -> A:
        return self.actions[number]

    def of(self, actions: Iterable[A]) -> list[int]:
        return [*map(self._ids.__getitem__, actions)]
