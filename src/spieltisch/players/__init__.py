"""Players by name: bots, levels and external players."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from random import Random
from typing import ClassVar, Final, TypeAlias

from spieltisch import registry
from spieltisch.core.game import AnyGame, Refusal, Sampler, brief
from spieltisch.core.player import AnyPlayer, MakePlayer
from spieltisch.core.type_errors import WrongType
from spieltisch.i18n.message import message_factory
from spieltisch.nets.player import net_maker
from spieltisch.players import external
from spieltisch.players.budget import Budget
from spieltisch.players.levels import at_level
from spieltisch.players.monte_carlo import MonteCarlo
from spieltisch.players.random import RandomPlayer
from spieltisch.players.rollout import AnyKnowledge
from spieltisch.players.solve import EndSolver
from spieltisch.players.tree_search import TreeSearch

PlayerLike: TypeAlias = str | type[AnyPlayer] | AnyPlayer
Method: TypeAlias = Callable[[AnyGame, AnyKnowledge, Budget, Sampler], AnyPlayer]
DEFAULT: Final = "level:3"
STRONGEST: Final = "level:5"
_METHODS: Final[dict[str, Method]] = {"mc": MonteCarlo, "search": TreeSearch}
_MAX_SIMULATIONS: Final = 1_000_000
_MAX_SECONDS: Final = 600.0
_say = message_factory("")


class UnknownPlayer(Refusal):
    """There is no player of that name."""

    code: ClassVar[str] = "bad-request"


class NotAPlayer(WrongType):
    """A value that is not a player."""

    code: ClassVar[str] = "not-a-player"


class Access(Enum):
    """Which players may be created, depending on where the name comes from."""

    COMMAND_LINE = "command line"  # everything on this machine
    ENGINE = "engine"  # no programs and no modules
    REMOTE = "remote"  # levels and installed players only, whose cost is known


def known(game: AnyGame) -> dict[str, MakePlayer]:
    """The players with plain names: the game's own, and the random player."""
    return {"random": RandomPlayer, **registry.players(game)}


def names(game: AnyGame, access: Access = Access.COMMAND_LINE) -> tuple[str, ...]:
    """The names of the players for this game, with examples of those that take a parameter."""
    numbers = range(1, len(registry.levels(game)) + 1)
    listed = [f"level:{number}" for number in numbers]
    if access is not Access.REMOTE:
        listed += [*known(game), "mc:400", "mc:0.5s", "search:400", "search:2s"]
        listed += ["net", "net:deep"] if registry.net_weights(game) else []
    listed += external.installed_players()
    if access is Access.COMMAND_LINE:
        listed += ["net:FILE"] * registry.has_net(game) + ["module:Class", "program:COMMAND"]
    return tuple(listed)


def make(name: str, game: AnyGame, seed: int | str, access: Access = Access.COMMAND_LINE) -> AnyPlayer:
    """The player of that name, with a random generator from the seed; UnknownPlayer lists the names there are."""
    return make_seeded(maker(name, game, access), seed)


def make_seeded(make_player: MakePlayer, seed: int | str) -> AnyPlayer:
    """A player with a random generator from the seed."""
    return make_player(Random(f"player {seed}"))


def maker(name: str, game: AnyGame, access: Access = Access.COMMAND_LINE) -> MakePlayer:
    """The factory of players of that name; UnknownPlayer lists the names there are."""
    kind, colon, rest = name.partition(":")
    if kind == "level":
        return _level_maker(name, rest, game)
    if access is not Access.REMOTE:
        if name in known(game):
            return known(game)[name]
        if kind in _METHODS:
            return _method_maker(kind, _parse_budget(name, rest), game)
        if name in {"net", "net:deep"} and (weights := registry.net_weights(game)):
            return _net_maker(game, weights, deep=bool(rest))
    if name in external.installed_players():
        return external.installed_maker(name, game)
    if access is Access.COMMAND_LINE and kind == "net" and rest:
        file = rest.removeprefix("deep:")
        return _net_maker(game, Path(file), deep=file != rest)
    if access is Access.COMMAND_LINE and colon and not _is_misspelt(kind, rest):
        return external.program_maker(rest, game) if kind == "program" else external.class_maker(name, game)
    raise UnknownPlayer(_say("player.unknown", given=brief(name), known=names(game, access)))


def make_player(given: PlayerLike, game: AnyGame, seed: int | str) -> AnyPlayer:
    """A player from its name, its class, or the player itself; NotAPlayer if it is none of these."""
    if isinstance(given, str):
        return make(given, game, seed)
    if isinstance(given, list | tuple) and not hasattr(given, "choose"):
        raise NotAPlayer(_say("slip.players", code="match.play(*players)"))
    if not callable(getattr(given, "choose", None)):
        raise NotAPlayer(_say("slip.player", code='"level:3"', given=type(given).__name__))
    if isinstance(given, type):
        return make_seeded(lambda sampler: external.construct(given, game, sampler), seed)
    return given


def make_players(given: Sequence[PlayerLike], game: AnyGame, seats: int, seed: int | str) -> list[AnyPlayer]:
    """One player per seat: one of those given for each, or the only one for all."""
    if len(given) not in (1, seats):
        raise Refusal(_say("match.bots", code='play("level:3", "level:5")', players=seats, given=len(given)))
    several = given if len(given) == seats else [given[0]] * seats
    return [make_player(player, game, f"{seed}/{seat}") for seat, player in enumerate(several)]


def player_name(given: PlayerLike) -> str:
    """What a player is called: its name, or that of its class."""
    if isinstance(given, str):
        return given
    return (given if isinstance(given, type) else type(given)).__name__


def is_known(name: str, game: AnyGame) -> bool:
    """Whether there is a player of that name, other than a program or a module."""
    try:
        maker(name, game, Access.ENGINE)
    except Refusal:
        return False
    return True


def _is_misspelt(kind: str, rest: str) -> bool:
    """Whether the name looks like a level or a budget with an error, rather than like a module and its class."""
    return kind != "program" and (not rest or rest[0].isdigit())


def _level_maker(name: str, number: str, game: AnyGame) -> MakePlayer:
    levels = registry.levels(game)
    if number not in [str(n) for n in range(1, len(levels) + 1)]:
        raise UnknownPlayer(_say("player.level", given=brief(name), most=len(levels)))
    level = levels[int(number) - 1]
    return lambda sampler: at_level(game.for_simulation, registry.knowledge(game), level, sampler)


def _method_maker(kind: str, budget: Budget, game: AnyGame) -> MakePlayer:
    return lambda sampler: _METHODS[kind](game.for_simulation, registry.knowledge(game), budget, sampler)


def _net_maker(game: AnyGame, weights: Path, *, deep: bool) -> MakePlayer:
    solver = EndSolver(game.for_simulation, registry.knowledge(game))
    return net_maker(game, weights, solver.estimate, deep=deep)


def _parse_budget(name: str, amount: str) -> Budget:
    """Simulations, or seconds if an s follows the number."""
    if re.fullmatch(r"[0-9]{1,7}", amount) and 0 < int(amount) <= _MAX_SIMULATIONS:
        return Budget(simulations=int(amount))
    if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3})?s", amount) and 0 < float(amount[:-1]) <= _MAX_SECONDS:
        return Budget(seconds=float(amount[:-1]))
    raise UnknownPlayer(
        _say("player.budget", given=brief(name), simulations=_MAX_SIMULATIONS, seconds=int(_MAX_SECONDS))
    )
