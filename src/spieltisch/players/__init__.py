"""Bots: who can be asked to sit down, by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from random import Random
from typing import ClassVar, Final, TypeAlias

from spieltisch import registry
from spieltisch.core.game import AnyGame, Refusal, Sampler, brief
from spieltisch.core.player import AnyPlayer, MakePlayer
from spieltisch.i18n.message import message_factory
from spieltisch.players import external
from spieltisch.players.budget import Budget
from spieltisch.players.levels import at_level
from spieltisch.players.mc import MonteCarlo
from spieltisch.players.random import RandomPlayer
from spieltisch.players.rollout import AnyKnowledge
from spieltisch.players.search import Search

Thinker: TypeAlias = Callable[[AnyGame, AnyKnowledge, Budget, Sampler], AnyPlayer]
USUAL: Final = "level:3"  # who sits down where nobody says who
STRONGEST: Final = "level:5"
_THINKERS: Final[dict[str, Thinker]] = {"mc": MonteCarlo, "search": Search}
_MOST_SIMULATIONS: Final = 1_000_000
_MOST_SECONDS: Final = 600.0
_say = message_factory("")


class UnknownPlayer(Refusal):
    """Nobody of that name can sit down."""

    code: ClassVar[str] = "bad-request"


class Asker(Enum):
    """Who asks for a player, and so what may run: the command line has everything there is on this machine."""

    COMMAND_LINE = "command line"
    DOOR = "door"  # no programs and no modules
    AFAR = "afar"  # levels and installed players only: what they may take is known


def known(game: AnyGame) -> dict[str, MakePlayer]:
    """The players with plain names: those of the game itself, and who takes anything."""
    return {"random": RandomPlayer, **registry.players(game)}


def names(game: AnyGame, asker: Asker = Asker.COMMAND_LINE) -> tuple[str, ...]:
    """Who can be asked to play the game, as far as names can be listed."""
    numbers = range(1, len(registry.levels(game)) + 1)
    listed = [f"level:{number}" for number in numbers]
    if asker is not Asker.AFAR:
        listed += [*known(game), "mc:400", "mc:0.5s", "search:400", "search:2s"]
    listed += external.installed()
    if asker is Asker.COMMAND_LINE:
        listed += ["module:Class", "program:COMMAND"]
    return tuple(listed)


def make(name: str, game: AnyGame, seed: int | str, asker: Asker = Asker.COMMAND_LINE) -> AnyPlayer:
    """The player of that name, its dice thrown from the seed; UnknownPlayer says who there is."""
    return seated(maker(name, game, asker), seed)


def seated(made: MakePlayer, seed: int | str) -> AnyPlayer:
    """A player sits down, its dice thrown from the seed."""
    return made(Random(f"player {seed}"))


def maker(name: str, game: AnyGame, asker: Asker = Asker.COMMAND_LINE) -> MakePlayer:
    """How the player of that name is made; UnknownPlayer says who there is."""
    kind, colon, rest = name.partition(":")
    if kind == "level":
        return _leveled(name, rest, game)
    if asker is not Asker.AFAR:
        if name in known(game):
            return known(game)[name]
        if kind in _THINKERS:
            return _thinking(kind, _budget(name, rest), game)
    if name in external.installed():
        return external.installed_player(name, game)
    if asker is Asker.COMMAND_LINE and colon and not _is_misspelt(kind, rest):
        return external.program(rest, game) if kind == "program" else external.imported(name, game)
    raise UnknownPlayer(_say("player.unknown", given=brief(name), known=names(game, asker)))


def is_known(name: str, game: AnyGame) -> bool:
    """Whether a player of that name, other than a program or a module, can be asked to play."""
    try:
        maker(name, game, Asker.DOOR)
    except Refusal:
        return False
    return True


def _is_misspelt(kind: str, rest: str) -> bool:
    """Whether what was to be a level or a budget is named wrongly, rather than a module and its class."""
    return kind != "program" and (not rest or rest[0].isdigit())


def _leveled(name: str, number: str, game: AnyGame) -> MakePlayer:
    levels = registry.levels(game)
    if number not in [str(n) for n in range(1, len(levels) + 1)]:
        raise UnknownPlayer(_say("player.level", given=brief(name), most=len(levels)))
    level = levels[int(number) - 1]
    return lambda sampler: at_level(game.for_simulation, registry.knowledge(game), level, sampler)


def _thinking(kind: str, budget: Budget, game: AnyGame) -> MakePlayer:
    return lambda sampler: _THINKERS[kind](game.for_simulation, registry.knowledge(game), budget, sampler)


def _budget(name: str, amount: str) -> Budget:
    """Simulations, or seconds where an s follows."""
    if re.fullmatch(r"[0-9]{1,7}", amount) and 0 < int(amount) <= _MOST_SIMULATIONS:
        return Budget(simulations=int(amount))
    if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3})?s", amount) and 0 < float(amount[:-1]) <= _MOST_SECONDS:
        return Budget(seconds=float(amount[:-1]))
    raise UnknownPlayer(
        _say("player.budget", given=brief(name), simulations=_MOST_SIMULATIONS, seconds=int(_MOST_SECONDS))
    )
