"""The functions of the public API: games, matches and records."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, TypeAlias, TypeVar, overload

from spieltisch import players as bot_names
from spieltisch import registry
from spieltisch.api.arguments import checked_seed, clock_of, names_by_seat, source_of
from spieltisch.api.match import A, Match, S, V
from spieltisch.core.game import AnyGame, Game, Refusal, brief
from spieltisch.core.twin import AnyTwin
from spieltisch.core.type_errors import WrongType, whole_number
from spieltisch.gameplay.referee import Referee
from spieltisch.i18n.message import message_factory
from spieltisch.players import PlayerLike, evaluation
from spieltisch.players.evaluation import Evaluation
from spieltisch.records import GameRecord, Record, decode, read

GameLike: TypeAlias = str | AnyGame
G = TypeVar("G", bound=AnyGame)
_say = message_factory("")


@overload
def game(name: str) -> AnyGame: ...
@overload
def game(name: G) -> G: ...
def game(name: GameLike) -> AnyGame:
    """The rules of a game, by name: pure functions over immutable values.

    Raises:
        UnknownGame: if there is no game of that name; it suggests a similar one or lists them all.

    """
    if isinstance(name, GameRecord | Record):
        raise registry.UnknownGame(_say("slip.record"))
    if isinstance(name, Match):
        raise registry.UnknownGame(_say("slip.match_as_game"))
    return name if isinstance(name, Game) else registry.find(name)


def match(
    name: str | Game[S, A, V],
    players: int | None = None,
    *,
    seed: int | str | None = None,
    edition: str | None = None,
    options: Mapping[str, object] | None = None,
    first: int | None = 0,
    rules: int | None = None,
    names: Sequence[str] | Mapping[int, str] = (),
    auto_draw: bool = True,
) -> Match[S, A, V]:
    """Starts a match of one game. The same seed and the same moves give the same match on every machine.

    Without a seed, chance cannot be predicted. `first` is the seat that starts, or None to draw it. With
    `auto_draw=False` the match stops at every draw, and `legal` has the possible outcomes.

    Raises:
        BadSetup: if the game does not allow the setup; `field` names what is wrong.

    """
    found: Game[S, A, V] = game(name)
    source = source_of(seed)
    setup = found.agree(players, edition, options, first or 0, rules)
    if first is None:
        setup = setup._replace(first=source.first(setup.players))
    called = names_by_seat(names, setup.players)
    return Match(Referee(found, setup, source, called), called, seed, auto_draw=auto_draw)


def load(
    source: str | os.PathLike[str] | IO[str] | IO[bytes] | GameRecord | Record,
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
    number = None if game is None else whole_number("game", game, "game=1")
    games = (record,) if isinstance(record, GameRecord) else record.games
    if len(games) > 1 and number is None:
        raise Refusal(_say("match.games", games=len(games)))
    if number is not None and not 1 <= number <= len(games):
        raise Refusal(_say("show.no_game", games=len(games)))
    chosen = games[(number or 1) - 1]
    referee: Referee[Any, Any, Any] = Referee.resume(registry.find(chosen.game), chosen, source_of(seed))
    return Match(referee, dict(chosen.names), seed)


def _text_of(source: str | os.PathLike[str] | IO[str] | IO[bytes]) -> str:
    if isinstance(source, str) and "\n" in source:
        return source
    if isinstance(source, str) and source in registry.names() and not Path(source).exists():
        raise _cannot_load(source, f'spieltisch.match("{source}")')
    if isinstance(source, str | os.PathLike):
        return decode(Path(source).read_bytes())
    if isinstance(source, Match):
        raise WrongType(_say("slip.match_as_record"))
    if isinstance(source, Game):
        raise _cannot_load(source, f'spieltisch.match("{source.name}")')
    if not callable(getattr(source, "read", None)):
        raise _cannot_load(source, 'spieltisch.load("evening.game")')
    content = source.read()
    return decode(content) if isinstance(content, bytes) else content


def _cannot_load(given: object, code: str) -> WrongType:
    return WrongType(_say("slip.source", given=type(given).__name__, code=code))


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
    if not isinstance(match, Match):
        raise WrongType(_say("slip.match", given=type(match).__name__, code=_match_from(match)))
    return evaluation.evaluate(match.progress, player, seed=checked_seed(seed), clock=clock_of(seconds))


def _match_from(given: object) -> str:
    """How a match is got from a value of another type."""
    if isinstance(given, GameRecord | Record):
        return "spieltisch.load(record)"
    if isinstance(given, str | os.PathLike) and str(given) not in registry.names():
        return f'spieltisch.load("{brief(given)}")'
    name = given.name if isinstance(given, Game) else given if isinstance(given, str) else registry.names()[0]
    return f'spieltisch.match("{name}")'


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
