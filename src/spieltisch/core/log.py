"""An append-only sequence as an immutable value: versions share their storage, so appending takes constant time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class Log(Sequence[T], Generic[T]):
    """Append-only sequence. `append` returns a longer one and leaves this one as it is."""

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    @classmethod
    def _over(cls, items: list[T], length: int) -> Log[T]:
        made: Log[T] = cls.__new__(cls)
        made._items, made._length = items, length
        return made

    def append(self, item: T) -> Log[T]:
        """A log with the item after the others. Only the latest version appends in place; an earlier one copies first."""
        items = self._items if len(self._items) == self._length else self._items[: self._length]
        items.append(item)
        return Log._over(items, self._length + 1)

    def cut(self, length: int) -> Log[T]:
        """The first items of this log."""
        return Log._over(self._items, length)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self._items[place] for place in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._items[index % self._length]

    def __iter__(self) -> Iterator[T]:
        for place in range(self._length):
            yield self._items[place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Log):
            return NotImplemented
        return self._length == other._length and all(one == two for one, two in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[type[Log[T]], tuple[list[T]]]:  # without what later versions have appended
        return Log, (self._items[: self._length],)

    def __repr__(self) -> str:
        return f"Log({list(self)!r})"
