"""The page docs/reference/features.md: every field of every game's observations, from the table that the game defines.

`make golden` writes it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from spieltisch import registry
from spieltisch.core.features import AnyFeatures
from spieltisch.core.game import AnyGame, Setup
from tests.campaigns.campaign import format_table

T = TypeVar("T", bound=Hashable)
Tables: TypeAlias = Mapping[Setup, AnyFeatures]
PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "features.md"
INTRODUCTION: Final = """\
# Observations

What a program that learns gets to see: each game's features, field by field. They are the same in the environments for PettingZoo, Gymnasium and OpenSpiel, in the game's twin and in its value net ([research environments](../tutorials/research.md)). A version never changes: another table has another version ([decision 26](../decisions/0026-frozen-features.md)).

An observation is one vector of 32-bit floats, the fields one after the other in the order of the table, each in row-major order. `registry.features(game, setup)` has the same table in Python: `fields`, `names` with a name for every number, `slice(name)` with a field's place in the vector, and `digest`, a hash of version and table. Seats are counted from the viewer, and `players` is their number.

This page is generated from the games' `features.py` by `make golden`, and the suite compares them.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *(line for game in registry.all() for line in section(game))])


def section(game: AnyGame) -> list[str]:
    """The version of one game, its fields, and how many numbers they are."""
    setups = [game.agree(players, edition.name) for edition in game.editions for players in edition.players]
    tables = {setup: registry.features(game, setup) for setup in setups}
    some = next(iter(tables.values()))
    fields = format_table(("field", "size", "range", "meaning"), _fields(tables))
    sizes = format_table(("table", "numbers", "digest"), _sizes(tables))
    described = " ".join(cleandoc(type(some).__doc__ or "").split())
    return [f"## {game.title}: {some.version}", "", described, "", *fields, "", *sizes, ""]


def _sizes(tables: Tables) -> list[tuple[object, ...]]:
    """How many numbers an observation has, with the digest of the table."""
    groups = _grouped(tables, {setup: (table.size, f"`{table.digest}`") for setup, table in tables.items()})
    return [(who, *what) for what, who in groups.items()]


def _fields(tables: Tables) -> list[tuple[object, ...]]:
    fields = next(iter(tables.values())).fields
    return [
        (f"`{field.name}`", _size(tables, place), f"{field.low:g} to {field.high:g}", field.doc.replace("|", "\\|"))
        for place, field in enumerate(fields)
    ]


def _size(tables: Tables, place: int) -> str:
    """The shape of a field, with `players` for a length that is always their number, and who has which if it varies."""
    shapes = {setup: table.fields[place].shape for setup, table in tables.items()}
    named = {
        setup: " × ".join(
            "players" if all(shapes[each][axis] == each.players for each in shapes) else str(length)
            for axis, length in enumerate(shape)
        )
        for setup, shape in shapes.items()
    }
    groups = _grouped(tables, named)
    if len(groups) == 1:
        return next(iter(groups))
    return "; ".join(f"{who}: {shape}" for shape, who in groups.items())


def _grouped(tables: Tables, values: Mapping[Setup, T]) -> dict[T, str]:
    """Who has which value: numbers of players, with the edition if its tables differ from others'."""
    found: dict[T, list[str]] = {}
    for setup, value in values.items():
        others = {values[other] for other in tables if other.players == setup.players}
        label = f"{setup.players}" if len(others) == 1 else f"{setup.players} ({setup.edition})"
        if label not in found.setdefault(value, []):
            found[value].append(label)
    return {value: f"{' or '.join(labels)} players" for value, labels in found.items()}


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
