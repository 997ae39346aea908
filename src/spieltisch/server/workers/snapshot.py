"""Encoding of table states as snapshots: pickles that hold data of games and tables, and nothing that could do anything."""

from __future__ import annotations

import hashlib
import io
import pickle
import sys
import zlib
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final

from spieltisch import registry
from spieltisch.core.game import AnyGame, Game
from spieltisch.core.log import Log
from spieltisch.table.state import TableState

PACKAGES: Final = ("core", "gameplay", "games", "records", "table")  # whose code determines a state
_PREFIXES: Final = tuple(f"spieltisch.{package}." for package in PACKAGES)
_ROOT: Final = Path(__file__).parents[2]
FORMAT: Final = 2  # of the bytes; a snapshot of another format is not used


class BadSnapshot(Exception):
    """A snapshot that this version has not written."""


@cache
def code_digest() -> str:
    """A digest of all code and data that determine the state of a table; a snapshot of other code is not used."""
    digest = hashlib.sha256(repr((sys.version_info, FORMAT)).encode())
    for package in PACKAGES:
        for file in sorted((_ROOT / package).rglob("*")):
            if file.suffix in (".py", ".json") and "tests" not in file.parts and "web" not in file.parts:
                digest.update(str(file.relative_to(_ROOT)).encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()


def _game(name: str) -> AnyGame:
    """The game of a snapshot."""
    return registry.find(name).for_replay


class _Pickler(pickle.Pickler):
    """Writes a game as its name: it is code."""

    def reducer_override(self, obj: Any) -> Any:
        return (_game, (obj.name,)) if isinstance(obj, Game) else NotImplemented


class _Unpickler(pickle.Unpickler):
    """Reads data classes, named tuples and enumerations of games and tables, and games by their names."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) == (__name__, _game.__name__):
            return _game
        if module_name.startswith(_PREFIXES):
            found = super().find_class(module_name, global_name)
            if isinstance(found, type) and (is_dataclass(found) or issubclass(found, tuple | Enum | Log)):
                return found
        raise BadSnapshot(f"{module_name}.{global_name}")


def encode_snapshot(state: TableState) -> bytes:
    """The state as bytes."""
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(state)
    return zlib.compress(buffer.getvalue(), 1)


def decode_snapshot(body: bytes) -> TableState:
    """The state; BadSnapshot if the bytes hold anything else."""
    try:
        state = _Unpickler(io.BytesIO(zlib.decompress(body))).load()
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a damaged file may hold
        raise BadSnapshot(type(error).__name__) from None
    if not isinstance(state, TableState):
        raise BadSnapshot(type(state).__name__)
    return state
