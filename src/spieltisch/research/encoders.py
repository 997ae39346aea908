"""Feature encoders: each knows its size and the names of its features, and writes a value into a vector.

They are fitted to values in JSON form, and encode the values of views directly, which is faster.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Final

from spieltisch.core.json import Json

_MAX_WORD: Final = 12  # characters: longer texts are encoded character by character
_MAX_ONE_HOT: Final = 6  # integers that are one-hot encoded


def _unwrap(value: Any) -> Any:
    """The value of an enum member; anything else unchanged."""
    return value.value if isinstance(value, Enum) else value


class Encoder(ABC):
    """Encodes a value as some neighbouring features of a vector."""

    size: int

    @abstractmethod
    def names(self, path: str) -> Iterator[str]:
        """The name of each feature."""

    @abstractmethod
    def write(self, value: Any, vector: Any, offset: int) -> None:
        """Writes the features from `offset` on, where the vector holds zeros."""


class ConstantEncoder(Encoder):
    """A value that never changes: no features."""

    size = 0

    def names(self, path: str) -> Iterator[str]:
        return iter(())

    def write(self, value: Any, vector: Any, offset: int) -> None:
        return


class BooleanEncoder(Encoder):
    """True or false."""

    size = 1

    def names(self, path: str) -> Iterator[str]:
        yield path

    def write(self, value: Any, vector: Any, offset: int) -> None:
        vector[offset] = _unwrap(value) is True


class ScaledEncoder(Encoder):
    """A number on a scale that reaches a quarter further than the values seen."""

    size = 1

    def __init__(self, low: float, high: float) -> None:
        margin = (high - low) / 4
        self.low = low - margin if low < 0 else 0.0
        self.span = high + margin - self.low

    def names(self, path: str) -> Iterator[str]:
        yield path

    def write(self, value: Any, vector: Any, offset: int) -> None:
        vector[offset] = min(max((_unwrap(value) - self.low) / self.span, 0.0), 1.0)


class IntegerEncoder(Encoder):
    """One of a few integers, one-hot; the nearest one for anything beyond."""

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.size = high - low + 1

    def names(self, path: str) -> Iterator[str]:
        return (f"{path}={self.low + index}" for index in range(self.size))

    def write(self, value: Any, vector: Any, offset: int) -> None:
        vector[offset + min(max(_unwrap(value) - self.low, 0), self.size - 1)] = 1


class CategoryEncoder(Encoder):
    """One of the words seen, one-hot; zeros for any other word."""

    def __init__(self, words: Sequence[str]) -> None:
        self.indexes = {word: index for index, word in enumerate(words)}
        self.size = len(words)

    def names(self, path: str) -> Iterator[str]:
        return (f"{path}={word}" for word in self.indexes)

    def write(self, value: Any, vector: Any, offset: int) -> None:
        index = self.indexes.get(str(_unwrap(value)))
        if index is not None:
            vector[offset + index] = 1


class BagEncoder(Encoder):
    """Bag of words: how often each word is in a list, relative to the largest count seen."""

    def __init__(self, max_counts: Mapping[str, int]) -> None:
        self.words = {word: (index, count) for index, (word, count) in enumerate(sorted(max_counts.items()))}
        self.size = len(max_counts)

    def names(self, path: str) -> Iterator[str]:
        return (f"{path}:{word}" for word in self.words)

    def write(self, value: Any, vector: Any, offset: int) -> None:
        for word, count in Counter(map(_unwrap, value)).items():
            index, max_count = self.words.get(word, (None, 1))
            if index is not None:
                vector[offset + index] = min(count / max_count, 1.0)


class ListEncoder(Encoder):
    """A list, item by item; if its length varies, each item is preceded by a feature that says whether it is there."""

    def __init__(self, item: Encoder, length: int, *, varies: bool) -> None:
        self.item = item
        self.length = length
        self.varies = varies
        self.stride = item.size + varies
        self.size = self.stride * length

    def names(self, path: str) -> Iterator[str]:
        for index in range(self.length):
            if self.varies:
                yield f"{path}[{index}]?"
            yield from self.item.names(f"{path}[{index}]")

    def write(self, value: Any, vector: Any, offset: int) -> None:
        for item in value[: self.length]:
            if self.varies:
                vector[offset] = 1
            self.item.write(item, vector, offset + self.varies)
            offset += self.stride


class ObjectEncoder(Encoder):
    """An object, field by field."""

    def __init__(self, fields: Mapping[str, Encoder]) -> None:
        self.fields = {name: encoder for name, encoder in fields.items() if encoder.size}
        self.size = sum(encoder.size for encoder in self.fields.values())

    def names(self, path: str) -> Iterator[str]:
        for name, encoder in self.fields.items():
            yield from encoder.names(f"{path}.{name}")

    def write(self, value: Any, vector: Any, offset: int) -> None:
        for name, encoder in self.fields.items():
            field = value.get(name) if isinstance(value, dict) else getattr(value, name)
            if field is not None:
                encoder.write(field, vector, offset)
            offset += encoder.size


class OptionalEncoder(Encoder):
    """A value that may be missing, preceded by a feature that says whether it is there."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.size = 1 + encoder.size

    def names(self, path: str) -> Iterator[str]:
        yield f"{path}?"
        yield from self.encoder.names(path)

    def write(self, value: Any, vector: Any, offset: int) -> None:
        if value is not None:
            vector[offset] = 1
            self.encoder.write(value, vector, offset + 1)


def fit_encoder(groups: Sequence[Sequence[Json]]) -> Encoder:
    """An encoder for values that were seen, in groups: a group holds what one part of the views was at different times.

    If no group ever changes, there are no features: what differs only between groups is printed on the board.
    """
    present = [[value for value in group if value is not None] for group in groups]
    values = [value for group in present for value in group]
    if not values or all(value == group[0] for group in groups for value in group[1:]):
        return ConstantEncoder()
    encoder = _fit_present(present, values)
    return OptionalEncoder(encoder) if sum(map(len, present)) < sum(map(len, groups)) else encoder


def _fit_present(groups: Sequence[Sequence[Any]], values: Sequence[Any]) -> Encoder:
    """The encoder for values of which none is missing."""
    types = {type(value) for value in values}
    if types == {bool}:
        return BooleanEncoder()
    if types == {int} and max(values) - min(values) < _MAX_ONE_HOT:
        return IntegerEncoder(min(values), max(values))
    if types <= {int, float}:
        return ScaledEncoder(min(values), max(values))
    if types == {dict}:
        names = dict.fromkeys(name for value in values for name in value)
        return ObjectEncoder(
            {name: fit_encoder([[value.get(name) for value in group] for group in groups]) for name in names}
        )
    if types == {list}:
        return _fit_list(groups, values)
    if types == {str} and max(map(len, values)) > _MAX_WORD:
        return _fit_list([[list(value) for value in group] for group in groups], [list(value) for value in values])
    return CategoryEncoder(sorted({str(value) for value in values}))


def _fit_list(groups: Sequence[Sequence[list[Any]]], values: Sequence[list[Any]]) -> Encoder:
    lengths = {len(value) for value in values}
    if len(lengths) == 1:  # every index of the list is a group of its own
        indexes = range(lengths.pop())
        item = fit_encoder([[value[index] for value in group] for group in groups if group for index in indexes])
        return ListEncoder(item, len(indexes), varies=False) if item.size else ConstantEncoder()
    if {type(item) for value in values for item in value} == {str}:
        max_counts: Counter[str] = Counter()
        for value in values:
            max_counts |= Counter(value)  # the larger of both
        return BagEncoder(max_counts)
    item = fit_encoder([[item for value in group for item in value] for group in groups])
    longest = max(lengths)
    return ListEncoder(item, longest + longest // 2, varies=True)
