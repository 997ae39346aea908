"""The parts of a layout: each says how long it is, what its places are called, and writes a value into them.

They are found from values in JSON's form and write the values of views themselves, which is quicker.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Final

from spieltisch.core.json import Json

_LONG: Final = 12  # letters: longer texts are read letter by letter
_FEW: Final = 6  # whole numbers that have a place each


def _bare(value: Any) -> Any:
    """An enum by its value, anything else as it is."""
    return value.value if isinstance(value, Enum) else value


class Part(ABC):
    """Some neighbouring places of a row."""

    size: int

    @abstractmethod
    def names(self, path: str) -> Iterator[str]:
        """What each place says."""

    @abstractmethod
    def write(self, value: Any, row: Any, at: int) -> None:
        """Writes the value into the places from `at` on, which hold zeros."""


class Nothing(Part):
    """What never changes says nothing."""

    size = 0

    def names(self, path: str) -> Iterator[str]:
        return iter(())

    def write(self, value: Any, row: Any, at: int) -> None:
        return


class Flag(Part):
    """True or false."""

    size = 1

    def names(self, path: str) -> Iterator[str]:
        yield path

    def write(self, value: Any, row: Any, at: int) -> None:
        row[at] = _bare(value) is True


class Amount(Part):
    """A number on a scale that reaches a quarter further than what was met."""

    size = 1

    def __init__(self, low: float, high: float) -> None:
        more = (high - low) / 4
        self.low = low - more if low < 0 else 0.0
        self.span = high + more - self.low

    def names(self, path: str) -> Iterator[str]:
        yield path

    def write(self, value: Any, row: Any, at: int) -> None:
        row[at] = min(max((_bare(value) - self.low) / self.span, 0.0), 1.0)


class Count(Part):
    """One of a few whole numbers: a place for each, the nearest for what lies beyond."""

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.size = high - low + 1

    def names(self, path: str) -> Iterator[str]:
        return (f"{path}={self.low + place}" for place in range(self.size))

    def write(self, value: Any, row: Any, at: int) -> None:
        row[at + min(max(_bare(value) - self.low, 0), self.size - 1)] = 1


class Word(Part):
    """One of the words that were met: a place for each."""

    def __init__(self, words: Sequence[str]) -> None:
        self.places = {word: place for place, word in enumerate(words)}
        self.size = len(words)

    def names(self, path: str) -> Iterator[str]:
        return (f"{path}={word}" for word in self.places)

    def write(self, value: Any, row: Any, at: int) -> None:
        place = self.places.get(str(_bare(value)))
        if place is not None:
            row[at + place] = 1


class Words(Part):
    """A list of words in any number: how often each is in it."""

    def __init__(self, most: Mapping[str, int]) -> None:
        self.most = {word: (place, count) for place, (word, count) in enumerate(sorted(most.items()))}
        self.size = len(most)

    def names(self, path: str) -> Iterator[str]:
        return (f"{path}:{word}" for word in self.most)

    def write(self, value: Any, row: Any, at: int) -> None:
        for word, often in Counter(map(_bare, value)).items():
            place, most = self.most.get(word, (None, 1))
            if place is not None:
                row[at + place] = min(often / most, 1.0)


class Items(Part):
    """A list with a part for every item; where its length varies, a place in front of each says that it is there."""

    def __init__(self, item: Part, length: int, *, varies: bool) -> None:
        self.item = item
        self.length = length
        self.varies = varies
        self.step = item.size + varies
        self.size = self.step * length

    def names(self, path: str) -> Iterator[str]:
        for place in range(self.length):
            if self.varies:
                yield f"{path}[{place}]?"
            yield from self.item.names(f"{path}[{place}]")

    def write(self, value: Any, row: Any, at: int) -> None:
        for item in value[: self.length]:
            if self.varies:
                row[at] = 1
            self.item.write(item, row, at + self.varies)
            at += self.step


class Fields(Part):
    """An object, field by field."""

    def __init__(self, fields: Mapping[str, Part]) -> None:
        self.fields = {name: part for name, part in fields.items() if part.size}
        self.size = sum(part.size for part in self.fields.values())

    def names(self, path: str) -> Iterator[str]:
        for name, part in self.fields.items():
            yield from part.names(f"{path}.{name}")

    def write(self, value: Any, row: Any, at: int) -> None:
        for name, part in self.fields.items():
            field = value.get(name) if isinstance(value, dict) else getattr(value, name)
            if field is not None:
                part.write(field, row, at)
            at += part.size


class Maybe(Part):
    """Something that may be missing: a place in front says that it is there."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.size = 1 + part.size

    def names(self, path: str) -> Iterator[str]:
        yield f"{path}?"
        yield from self.part.names(path)

    def write(self, value: Any, row: Any, at: int) -> None:
        if value is not None:
            row[at] = 1
            self.part.write(value, row, at + 1)


def survey(groups: Sequence[Sequence[Json]]) -> Part:
    """The part for values that were met, in groups: one group holds what one place of the views was at different times.

    Where no group ever changed, there is nothing to say; what differs between groups alone is printed on the board.
    """
    there = [[value for value in group if value is not None] for group in groups]
    met = [value for group in there for value in group]
    if not met or all(value == group[0] for group in groups for value in group[1:]):
        return Nothing()
    part = _part(there, met)
    return Maybe(part) if sum(map(len, there)) < sum(map(len, groups)) else part


def _part(groups: Sequence[Sequence[Any]], met: Sequence[Any]) -> Part:
    """The part for values that are all there."""
    kinds = {type(value) for value in met}
    if kinds == {bool}:
        return Flag()
    if kinds == {int} and max(met) - min(met) < _FEW:
        return Count(min(met), max(met))
    if kinds <= {int, float}:
        return Amount(min(met), max(met))
    if kinds == {dict}:
        names = dict.fromkeys(name for value in met for name in value)
        return Fields({name: survey([[value.get(name) for value in group] for group in groups]) for name in names})
    if kinds == {list}:
        return _list(groups, met)
    if kinds == {str} and max(map(len, met)) > _LONG:
        return _list([[list(value) for value in group] for group in groups], [list(value) for value in met])
    return Word(sorted({str(value) for value in met}))


def _list(groups: Sequence[Sequence[list[Any]]], met: Sequence[list[Any]]) -> Part:
    lengths = {len(value) for value in met}
    if len(lengths) == 1:  # every place of the list has a story of its own
        places = range(lengths.pop())
        item = survey([[value[place] for value in group] for group in groups if group for place in places])
        return Items(item, len(places), varies=False) if item.size else Nothing()
    if {type(item) for value in met for item in value} == {str}:
        most: Counter[str] = Counter()
        for value in met:
            most |= Counter(value)  # the larger of both
        return Words(most)
    item = survey([[item for value in group for item in value] for group in groups])
    longest = max(lengths)
    return Items(item, longest + longest // 2, varies=True)
