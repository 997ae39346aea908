"""The functions of the public API: games, matches and records."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, TypeAlias

from spieltisch import players as bot_names
from spieltisch import registry
from spieltisch.api.match import Match
from spieltisch.core.game import AnyGame, Game, Refusal
from spieltisch.core.player import Clock
from spieltisch.core.twin import AnyTwin
from spieltisch.gameplay.chance import Source, seeded, unforeseen
from spieltisch.gameplay.referee import Referee
from spieltisch.i18n.message import message_factory
from spieltisch.players import PlayerLike, evaluation
from spieltisch.players.evaluation import Evaluation
from spieltisch.records import GameRecord, Record, decode, read

GameLike: TypeAlias = str | AnyGame
_say = message_factory("")


def game(name: GameLike) -> AnyGame:
    """The rules of a game, by name: pure functions over immutable values.

    Raises:
        UnknownGame: if there is no game of that name; it suggests a similar one or lists them all.

    """
    if isinstance(name, GameRecord | Record):
        raise registry.UnknownGame(_say("slip.record"))
    return name if isinstance(name, Game) else registry.find(name)


def match(
    name: GameLike,
    players: int | None = None,
    *,
    seed: int | str | None = None,
    edition: str | None = None,
    options: Mapping[str, object] | None = None,
    first: int | None = 0,
    rules: int | None = None,
    names: Sequence[str] | Mapping[int, str] = (),
    auto_draw: bool = True,
) -> Match:
    """Starts a match of one game. The same seed and the same moves give the same match on every machine.

    Without a seed, chance cannot be predicted. `first` is the seat that starts, or None to draw it. With
    `auto_draw=False` the match stops at every draw, and `legal` has the possible outcomes.

    Raises:
        BadSetup: if the game does not allow the setup; `field` names what is wrong.

    """
    found = game(name)
    source: Source = unforeseen() if seed is None else seeded(seed)
    setup = found.agree(players, edition, options, first or 0, rules)
    if first is None:
        setup = setup._replace(first=source.first(setup.players))
    called = dict(names) if isinstance(names, Mapping) else dict(enumerate(names))
    return Match(Referee(found, setup, source, called), called, seed, auto_draw=auto_draw)


def load(
    source: str | os.PathLike[str] | IO[str] | GameRecord | Record,
    game: int | None = None,
    *,
    seed: int | str | None = None,
) -> Match:
    """Loads a recorded match, at its end: from a file, the text of a record, or a record.

    `game` selects one game of a record of several, counted from 1. What is drawn from there on follows from the seed.

    Raises:
        BadRecord: if the record cannot be read or the rules forbid a move in it; `line` says where.

    """
    record = source if isinstance(source, GameRecord | Record) else read(_text_of(source))
    games = (record,) if isinstance(record, GameRecord) else record.games
    if len(games) > 1 and game is None:
        raise Refusal(_say("match.games", games=len(games)))
    if game is not None and not 1 <= game <= len(games):
        raise Refusal(_say("show.no_game", games=len(games)))
    chosen = games[(game or 1) - 1]
    chance: Source = unforeseen() if seed is None else seeded(seed)
    referee: Referee[Any, Any, Any] = Referee.resume(registry.find(chosen.game), chosen, chance)
    return Match(referee, dict(chosen.names), seed)


def _text_of(source: str | os.PathLike[str] | IO[str]) -> str:
    if isinstance(source, str) and "\n" in source:
        return source
    if isinstance(source, str | os.PathLike):
        return decode(Path(source).read_bytes())
    return source.read()


def games() -> tuple[str, ...]:
    """The names of all games."""
    return registry.names()


def bots(name: GameLike) -> tuple[str, ...]:
    """The names of the bots for a game, with examples of those that take a parameter."""
    return bot_names.names(game(name))


def evaluate(match: Match, player: PlayerLike, *, seed: int | str = 0, seconds: float | None = None) -> Evaluation:
    """What a player thinks of every choice of the seat to move, from what that seat may know.

    A player is a name such as "search:400", a class or an instance. The evaluation has values for every seat, and visits
    if the player counts simulations; `print` shows it as a table.

    Raises:
        CannotEvaluate: if the player can only choose; it names players that can evaluate.

    """
    clock = Clock(None if seconds is None else time.monotonic() + seconds)
    return evaluation.evaluate(match.progress, player, seed=seed, clock=clock)


def twin(
    name: GameLike,
    players: int | None = None,
    *,
    edition: str | None = None,
    options: Mapping[str, object] | None = None,
    first: int = 0,
    rules: int | None = None,
) -> AnyTwin:
    """The game's twin: its rules for many games at once, in JAX, on CPU or GPU.

    Raises:
        NoTwin: if the game has no twin.
        MissingExtra: if JAX is not installed.

    """
    found = game(name)
    made = registry.twin(found, found.agree(players, edition, options, first, rules))
    if made is None:
        raise registry.no_twin(found)
    return made
