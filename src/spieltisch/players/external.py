"""External bots: Python classes, each hosted by a process of its own, and programs in any language."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import inspect
import json
import pickle
import shlex
import sys
from collections import deque
from collections.abc import Mapping
from functools import cache, lru_cache, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final

from spieltisch.core.game import AnyGame, Sampler, brief
from spieltisch.core.player import AnyPlayer, Clock, Estimates, MakePlayer, Seen
from spieltisch.i18n.message import message_factory
from spieltisch.players.failures import NoEvaluation, PlayerFailed, choice_failure, excerpt, guard, process_failure
from spieltisch.players.program_player import START_TIMEOUT, TIMEOUT, BadBot, decode_estimates, program_maker
from spieltisch.processes.lines import LineProcess, NoResponse

__all__ = ["BadBot", "PlayerFailed", "class_maker", "guard", "installed_maker", "installed_players", "program_maker"]

GROUP: Final = "spieltisch.players"
_HOST: Final = (sys.executable, "-u", "-P", "-m", "spieltisch.players.host")
_MAX_IDLE: Final = 8  # host processes per class that are kept for the next game
_say = message_factory("")


def class_maker(name: str, game: AnyGame, timeout: float = TIMEOUT) -> MakePlayer:
    """The factory of the bots of `module:Class`, searched for in the current directory first; BadBot if there are none."""
    module, _, bot = name.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), *bot.split("."))):
        raise BadBot(_say("bot.form", given=brief(name)))
    return _maker(_host_pool(name, (str(Path.cwd()), *_import_path()), module, bot), game, timeout)


@cache
def installed_players() -> Mapping[str, EntryPoint]:
    """The bots of installed packages, by name."""
    return {point.name: point for point in reversed(list(entry_points(group=GROUP)))}


def installed_maker(name: str, game: AnyGame, timeout: float = TIMEOUT) -> MakePlayer:
    """The factory of an installed package's bots; BadBot if there are none."""
    if name not in installed_players():
        raise BadBot(_say("bot.not_installed", given=brief(name)))
    point = installed_players()[name]
    return _maker(_host_pool(name, _import_path(), point.module, point.attr), game, timeout)


def fingerprint(name: str) -> str:
    """A digest of the bot's files, which tells whether they have changed; '' for players of this package."""
    kind, _, rest = name.partition(":")
    if name in installed_players():
        dist = installed_players()[name].dist
        return dist.version if dist else ""
    words = shlex.split(rest) if kind == "program" else [f"{kind.replace('.', '/')}.py"] if rest else []
    files = [Path(word) for word in words if Path(word).is_file()]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12] if files else ""


def _import_path() -> tuple[str, ...]:
    """The import path of this process, with absolute paths for another one."""
    return tuple(str(Path(place).absolute()) for place in sys.path)


def _maker(pool: HostPool, game: AnyGame, timeout: float) -> MakePlayer:
    pool.release(pool.acquire())  # now, so that a class that cannot be loaded is refused before the game starts
    return partial(_make, pool, game.name, timeout)


def _make(pool: HostPool, game: str, timeout: float, sampler: Sampler) -> AnyPlayer:
    return guard(HostedPlayer(pool, game, timeout, sampler), pool.name)


def construct(bot: Any, game: AnyGame, sampler: Sampler) -> Any:
    """A bot of that class, whose constructor gets those of `game` and `sampler` that it has as parameters."""
    offered = {"game": game.for_simulation, "sampler": sampler}
    try:
        taken = tuple(inspect.signature(bot).parameters)
    except ValueError:  # it has no signature
        taken = ()
    return bot(**{name: value for name, value in offered.items() if name in taken})


class HostPool:
    """Pool of host processes that have loaded one bot class.

    Each hosts one seat in one game and then ends, so that no bot remembers anything from one game to the next.
    """

    def __init__(self, name: str, path: tuple[str, ...], module: str, bot: str) -> None:
        self.name = name
        self._source = (path, module, bot)
        self._idle: deque[LineProcess] = deque()

    def acquire(self) -> LineProcess:
        """A process that has loaded the class; BadBot if that cannot be loaded."""
        with contextlib.suppress(IndexError):
            while (host := self._idle.pop()).pid is None:
                pass
            return host
        host = LineProcess(_HOST, START_TIMEOUT, restart=False, environment={"PYTHONHASHSEED": "0"})
        try:
            self.request(host, "load", *self._source)
        except NoResponse as error:
            raise process_failure(self.name, error) from None
        return host

    def release(self, host: LineProcess) -> None:
        """Keeps a process that has hosted no game yet, or ends it if enough are kept."""
        if host.pid is not None and len(self._idle) < _MAX_IDLE:
            self._idle.append(host)
        else:
            host.close()

    def request(self, host: LineProcess, *request: object, timeout: float | None = None) -> Any:
        """The host's response; BadBot or PlayerFailed if it reports an error."""
        line = base64.b64encode(pickle.dumps(request)).decode()
        return host.request(line, self._parse, timeout)

    def _parse(self, line: str) -> Any:
        response = json.loads(line)
        if response["ok"]:
            return response["result"]
        detail = excerpt(response["detail"])
        _, module, bot = self._source
        match response["error"]:
            case "no_module":
                raise BadBot(_say("bot.no_module", bot=brief(self.name), given=brief(module)))
            case "broken":
                raise BadBot(_say("bot.broken", module=brief(module), told=detail))
            case "no_class":
                raise BadBot(_say("bot.no_class", module=brief(module), given=brief(bot)))
            case "no_choose":
                raise BadBot(_say("bot.no_choose", bot=brief(self.name)))
            case "no_choice":
                raise choice_failure(self.name, detail)
            case "no_evaluate":
                raise NoEvaluation
        raise PlayerFailed(self.name, _say("bot.crashed", bot=brief(self.name), told=detail))


_host_pool = lru_cache(maxsize=64)(HostPool)


class HostedPlayer:
    """A player whose bot runs in a host process, which lives as long as the player."""

    def __init__(self, pool: HostPool, game: str, timeout: float, sampler: Sampler) -> None:
        self._pool = pool
        self._game = (game, sampler.getstate())
        self._timeout = timeout
        self._host: LineProcess | None = None

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        return seen.choices[self._ask("choose", seen, clock)]

    def evaluate(self, seen: Seen[Any, Any], clock: Clock) -> Estimates[Any]:
        """The bot's estimates; NoEvaluation if its class has no `evaluate`."""
        return decode_estimates(self._pool.name, self._ask("evaluate", seen, clock), dict(enumerate(seen.choices)))

    def output(self) -> str:
        """The end of what the bot has printed."""
        return self._host.output() if self._host else ""

    def _ask(self, do: str, seen: Seen[Any, Any], clock: Clock) -> Any:
        host = self._connect()
        left = None if clock.deadline is None else clock.left()
        plain = Seen(seen.view, tuple(seen.choices), tuple(seen.heard))  # whatever sequences they are
        return self._pool.request(host, do, plain, left, timeout=self._timeout + (left or 0.0))

    def start_process(self, rules: int) -> None:
        """Starts the process and creates the bot, which the first decision does otherwise."""
        self._connect()

    def _connect(self) -> LineProcess:
        if self._host is None:
            try:
                self._host = self._pool.acquire()
            except BadBot as error:
                raise PlayerFailed(self._pool.name, error.message) from None
            self._pool.request(self._host, "create", *self._game, timeout=START_TIMEOUT)
        return self._host
