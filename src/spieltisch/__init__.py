"""Spieltisch: family board games as rules, bots, a table in the terminal and environments for research.

Everything in `__all__` is loaded when it is first used, so that `import spieltisch` costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from spieltisch.api.functions import bots, evaluate, game, games, load, match, twin
    from spieltisch.api.match import Match, Move
    from spieltisch.core.game import (
        BadNotation,
        BadSetup,
        Chance,
        Decision,
        Game,
        IllegalAction,
        MissingExtra,
        Outcome,
        Over,
        Refusal,
        Seat,
        Setup,
    )
    from spieltisch.core.player import Clock, Player, Seen
    from spieltisch.core.type_errors import NotAnAction, WrongType
    from spieltisch.gameplay.errors import BadAnswer, NotPending
    from spieltisch.players import NotAPlayer, UnknownPlayer
    from spieltisch.players.evaluation import CannotEvaluate, Evaluation
    from spieltisch.records import BadRecord, GameRecord
    from spieltisch.registry import NoTwin, UnknownGame

__version__ = "0.1.0"

_MODULES = {
    "spieltisch.api.functions": ("bots", "evaluate", "game", "load", "match", "twin"),
    "spieltisch.api.match": ("Match", "Move"),
    "spieltisch.core.game": (
        *("BadNotation", "BadSetup", "Chance", "Decision", "Game", "IllegalAction", "MissingExtra"),
        *("Outcome", "Over", "Refusal", "Seat", "Setup"),
    ),
    "spieltisch.core.player": ("Clock", "Player", "Seen"),
    "spieltisch.core.type_errors": ("NotAnAction", "WrongType"),
    "spieltisch.gameplay.errors": ("BadAnswer", "NotPending"),
    "spieltisch.players": ("NotAPlayer", "UnknownPlayer"),
    "spieltisch.players.evaluation": ("CannotEvaluate", "Evaluation"),
    "spieltisch.records": ("BadRecord", "GameRecord"),
    "spieltisch.registry": ("NoTwin", "UnknownGame"),
}
_PACKAGES = ("arena", "core", "gameplay", "games", "players", "records", "registry", "research", "table", "testing")
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "BadAnswer",
    "BadNotation",
    "BadRecord",
    "BadSetup",
    "CannotEvaluate",
    "Chance",
    "Clock",
    "Decision",
    "Evaluation",
    "Game",
    "GameRecord",
    "IllegalAction",
    "Match",
    "MissingExtra",
    "Move",
    "NoTwin",
    "NotAPlayer",
    "NotAnAction",
    "NotPending",
    "Outcome",
    "Over",
    "Player",
    "Refusal",
    "Seat",
    "Seen",
    "Setup",
    "UnknownGame",
    "UnknownPlayer",
    "WrongType",
    "bots",
    "evaluate",
    "game",
    "games",
    "load",
    "match",
    "twin",
]


def __getattr__(name: str) -> object:
    """Loads a public name, or a package, when it is first used (PEP 562)."""
    if name in _HOMES or name in _PACKAGES:
        from importlib import import_module  # noqa: PLC0415 - importlib is not needed to import this package

        if name in _PACKAGES:
            return import_module(f"spieltisch.{name}")  # which also makes it an attribute
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value
    raise AttributeError(f"module 'spieltisch' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_PACKAGES, "__version__"])
