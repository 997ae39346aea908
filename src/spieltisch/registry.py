"""Game registry: finds the games in spieltisch.games and the modules of each, without a list of names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias, get_args, get_origin

from spieltisch.core.actions import ActionIds
from spieltisch.core.features import AnyFeatures, MakeFeatures
from spieltisch.core.game import AnyGame, Game, MissingExtra, Refusal, Setup, brief
from spieltisch.core.json import Json
from spieltisch.core.net import Net
from spieltisch.core.picture import AnyDraw
from spieltisch.core.player import LEVELS, Knowledge, Level, MakePlayer
from spieltisch.core.render import AnyRenderer
from spieltisch.core.speech import AnySpeech
from spieltisch.core.twin import AnyTwin, MakeTwin
from spieltisch.i18n.message import message_factory

GameCounts: TypeAlias = Callable[[Sequence[Any], Any], Mapping[str, Sequence[int]]]
TwinCounts: TypeAlias = Callable[[Setup, Sequence[Any], Any, Mapping[str, Any]], Mapping[str, Any]]
_COMMENT: Final = re.compile(r"\n<!-- [^\n]* -->\n| <!-- [^\n]*? -->")  # of a figure, or at the end of a passage
_RULES: Final = re.compile(r"<!-- (R\d+(?: R\d+)*) -->")
_GAMES: Final[Any] = import_module("spieltisch.games")  # by its name, since `spieltisch.games` is also a function
_say = message_factory("")


class UnknownGame(Refusal):
    """No game has that name."""

    code = "unknown-game"


class NoFeatures(Refusal):
    """The game has no features, or its actions have no ids, so that it has no research environments."""

    code = "no-features"


class NoTwin(Refusal):
    """The game has no twin."""

    code = "no-twin"


@cache
def names() -> tuple[str, ...]:
    """The names of all games."""
    found: tuple[str, ...] = _GAMES()
    return found


def find(name: str) -> AnyGame:
    """The game with that name; UnknownGame suggests a similar name or lists them all."""
    if not isinstance(name, str):
        raise UnknownGame(_say("slip.game", given=type(name).__name__, known=names()))
    if name not in names():
        near = get_close_matches(name, names(), 1)
        if near:
            raise UnknownGame(_say("game.near", given=brief(name), near=near[0]))
        raise UnknownGame(_say("game.unknown", given=brief(name), known=names()))
    game: AnyGame = import_module(f"spieltisch.games.{name}").GAME
    return game


def all() -> tuple[AnyGame, ...]:
    """All games, sorted by name."""
    return tuple(find(name) for name in names())


def offered() -> tuple[AnyGame, ...]:
    """The games that people are offered to play."""
    return tuple(game for game in all() if game.offered)


def find_offered(name: str) -> AnyGame:
    """The game with that name, if people are offered to play it; UnknownGame otherwise."""
    found = next((game for game in offered() if game.name == name), None)
    if found is None:
        raise UnknownGame(_say("game.unknown", given=brief(name), known=tuple(game.name for game in offered())))
    return found


def part(game: AnyGame, name: str) -> ModuleType | None:
    """A module of the game's folder, imported on first use; None if the game has no such module."""
    module = f"spieltisch.games.{game.name}.{name}"
    return import_module(module) if find_spec(module) else None


def view_type(game: AnyGame) -> Any:
    """The type of the game's views: the third parameter of its `Game[State, Action, View]`."""
    return _view_of(type(game))


def _view_of(kind: type) -> Any:
    for base in vars(kind).get("__orig_bases__", kind.__bases__):
        origin, given = get_origin(base) or base, get_args(base)
        if not (isinstance(origin, type) and issubclass(origin, Game)):
            continue
        if origin is Game and given:
            return given[2]
        if origin is not Game:
            view, variables = _view_of(origin), getattr(origin, "__parameters__", ())
            return given[variables.index(view)] if given and view in variables else view
    raise TypeError(
        f"{kind.__name__} does not declare the type of its views: it must derive from Game[State, Action, View]"
    )


def speech(game: AnyGame) -> AnySpeech:
    """The game's speech: positions, choices and events as messages."""
    own: AnySpeech = import_module(f"spieltisch.games.{game.name}.speech").SPEECH
    return own


def renderer(game: AnyGame) -> AnyRenderer | None:
    """The game's text renderer, or None if the game is only described in sentences."""
    module = part(game, "render")
    render: AnyRenderer | None = module.render if module else None
    return render


def picture(game: AnyGame) -> AnyDraw | None:
    """The function that draws the game's pictures, or None if the game has none."""
    module = part(game, "picture")
    draw: AnyDraw | None = module.draw if module else None
    return draw


def players(game: AnyGame) -> Mapping[str, MakePlayer]:
    """The bots that are written for this game, by name."""
    module = part(game, "knowledge")
    own: Mapping[str, MakePlayer] = module.PLAYERS if module else {}
    return own


def knowledge(game: AnyGame) -> Knowledge[Any, Any]:
    """The game's knowledge for search; a new instance per player, since it may cache results."""
    module = part(game, "knowledge")
    own: Knowledge[Any, Any] = getattr(module, "KNOWLEDGE", Knowledge)()
    return own


def levels(game: AnyGame) -> Sequence[Level]:
    """The game's five levels of strength, weakest first."""
    own: Sequence[Level] = getattr(part(game, "knowledge"), "LEVELS", LEVELS)
    return own


def features(game: AnyGame, setup: Setup) -> AnyFeatures:
    """The game's features for that setup; NoFeatures if it has none."""
    if not find_spec("numpy"):
        raise MissingExtra(_say("research.extra", library="NumPy", extra="spieltisch-core[research]"))
    module = part(game, "features")
    if module is None:
        raise NoFeatures(_say("features.none", title=game.title))
    make: MakeFeatures = module.FEATURES
    return make(setup)


def has_net(game: AnyGame) -> bool:
    """Whether the game has a value net; imports nothing."""
    return find_spec(f"spieltisch.games.{game.name}.net") is not None


def net(game: AnyGame) -> Net | None:
    """The game's value net, None if it has none; MissingExtra if NumPy is not installed."""
    if not find_spec("numpy"):
        raise MissingExtra(_say("research.extra", library="NumPy", extra="spieltisch-core[nets]"))
    module = part(game, "net")
    own: Net | None = module.NET if module else None
    return own


def net_weights(game: AnyGame) -> Path | None:
    """The file with the weights that come with the game's value net; None if there is none."""
    path = Path(_GAMES.__path__[0]) / game.name / "net" / "weights.npz"
    return path if path.is_file() else None


def action_ids(game: AnyGame, setup: Setup) -> ActionIds[Any]:
    """The frozen ids of the game's actions for that setup; NoFeatures if it has none."""
    ids = game.ids(setup)
    if ids is None:
        raise NoFeatures(_say("features.no_ids", title=game.title))
    return ids


def has_twin(game: AnyGame) -> bool:
    """Whether the game has a twin; imports nothing."""
    return find_spec(f"spieltisch.games.{game.name}.twin") is not None


def twin(game: AnyGame, setup: Setup) -> AnyTwin | None:
    """The game's twin for that setup, None if it has none; MissingExtra if JAX is not installed."""
    if not has_twin(game):
        return None
    if not find_spec("jax"):
        raise missing_twins()
    make: MakeTwin = import_module(f"spieltisch.games.{game.name}.twin").TWIN
    return make(setup)


def missing_twins() -> MissingExtra:
    """The refusal if the libraries of twins are not installed."""
    return MissingExtra(_say("twin.extra", extra="spieltisch-core[batch]"))


def no_twin(game: AnyGame) -> NoTwin:
    """The refusal if a twin is needed and the game has none."""
    return NoTwin(_say("twin.none", title=game.title))


def numbered_rules(game: AnyGame) -> str:
    """The numbered rules that the code cites, as Markdown in English."""
    return (Path(_GAMES.__path__[0]) / game.name / "RULES.md").read_text(encoding="utf-8")


def rules_page(game: AnyGame, language: str, *, annotated: bool = False, numbers: bool = False) -> str:
    """The game's rules for people, as Markdown, in English if there is no page in the language.

    `annotated` keeps the comments that name the numbered rules of a passage, and the figures; `numbers` shows the
    numbers of the rules in brackets, as refusals cite them.
    """
    folder = Path(_GAMES.__path__[0]) / game.name / "locales"
    page = folder / f"{language}.md"
    text = (page if page.exists() else folder / "en.md").read_text(encoding="utf-8")
    if numbers:
        text = _RULES.sub(r"[\1]", text)
    return text if annotated else _COMMENT.sub("", text)


def game_counts(game: AnyGame) -> GameCounts | None:
    """The game's counts per seat for statistics, from the steps of a game and its end; None if it counts nothing."""
    module = part(game, "stats")
    own: GameCounts | None = module.game_counts if module else None
    return own


def twin_counts(game: AnyGame) -> TwinCounts | None:
    """The same counts for a batch of its twin: from setup, actions, how often each seat took each, and `Twin.observe` at the end.

    Counts are arrays whose first axis is the games; None if the game counts nothing on its twin.
    """
    own: TwinCounts | None = getattr(part(game, "stats"), "twin_counts", None)
    return own


def film(game: AnyGame, state: Any, action: Any) -> bytes | None:
    """The recorded motion behind an action, such as a falling tower, in the game's own format; None if there is none."""
    module = part(game, "insight")
    found: bytes | None = module.film(state, action) if module else None
    return found


def inside(game: AnyGame, view: Any) -> Json:
    """Details of a position beyond its view, such as the forces in a tower, in the game's own format; None without."""
    module = part(game, "insight")
    found: Json = module.inside(view) if module else None
    return found
