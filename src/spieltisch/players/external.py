"""Bots of one's own: Python classes, each in a process of its own, and programs in any language."""

from __future__ import annotations

import base64
import contextlib
import hashlib
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
from spieltisch.core.player import AnyPlayer, Clock, MakePlayer, Seen
from spieltisch.i18n.message import message_factory
from spieltisch.players.failures import PlayerFailed, choice_failure, excerpt, guard, process_failure
from spieltisch.players.program_player import START_TIMEOUT, TIMEOUT, BadBot, program
from spieltisch.processes.lines import NoAnswer, Partner

__all__ = ["BadBot", "PlayerFailed", "guard", "imported", "installed", "installed_player", "program"]

GROUP: Final = "spieltisch.players"
_HOST: Final = (sys.executable, "-u", "-P", "-m", "spieltisch.players.host")
_IDLE: Final = 8  # processes of one class that wait for their next game
_say = message_factory("")


def imported(name: str, game: AnyGame, patience: float = TIMEOUT) -> MakePlayer:
    """The maker of a player that is `module:Class`, looked for in the current directory first; BadBot says what is wrong."""
    module, _, bot = name.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), *bot.split("."))):
        raise BadBot(_say("bot.form", given=brief(name)))
    return _maker(_bench(name, (str(Path.cwd()), *_path()), module, bot), game, patience)


@cache
def installed() -> Mapping[str, EntryPoint]:
    """The bots that installed packages bring along, by name."""
    return {point.name: point for point in reversed(list(entry_points(group=GROUP)))}


def installed_player(name: str, game: AnyGame, patience: float = TIMEOUT) -> MakePlayer:
    """The maker of an installed player; BadBot says what is wrong with it."""
    if name not in installed():
        raise BadBot(_say("bot.not_installed", given=brief(name)))
    point = installed()[name]
    return _maker(_bench(name, _path(), point.module, point.attr), game, patience)


def fingerprint(name: str) -> str:
    """A digest of the files that a name leads to, so that a bot that was changed is told apart; '' for our own players."""
    kind, _, rest = name.partition(":")
    if name in installed():
        dist = installed()[name].dist
        return dist.version if dist else ""
    words = shlex.split(rest) if kind == "program" else [f"{kind.replace('.', '/')}.py"] if rest else []
    files = [Path(word) for word in words if Path(word).is_file()]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12] if files else ""


def _path() -> tuple[str, ...]:
    """Where this process finds modules, for another one."""
    return tuple(str(Path(place).absolute()) for place in sys.path)


def _maker(bench: Bench, game: AnyGame, patience: float) -> MakePlayer:
    bench.give_back(bench.borrow())
    return partial(_made, bench, game.name, patience)


def _made(bench: Bench, game: str, patience: float, sampler: Sampler) -> AnyPlayer:
    return guard(Hosted(bench, game, patience, sampler), bench.name)


class Bench:
    """The processes that host one class, one for each game of each player: what a bot remembers ends with its game."""

    def __init__(self, name: str, path: tuple[str, ...], module: str, bot: str) -> None:
        self.name = name
        self._where = (path, module, bot)
        self._idle: deque[Partner] = deque()

    def borrow(self) -> Partner:
        """A process that has loaded the class; BadBot where it cannot be loaded."""
        with contextlib.suppress(IndexError):
            while (partner := self._idle.pop()).pid is None:
                pass
            return partner
        partner = Partner(_HOST, START_TIMEOUT, anew=False, environment={"PYTHONHASHSEED": "0"})
        try:
            self.ask(partner, "load", *self._where)
        except NoAnswer as reason:
            raise process_failure(self.name, reason) from None
        return partner

    def give_back(self, partner: Partner) -> None:
        """Keeps a process that nobody has sat down in, or ends it where enough are kept."""
        if partner.pid is not None and len(self._idle) < _IDLE:
            self._idle.append(partner)
        else:
            partner.close()

    def ask(self, partner: Partner, *question: object, patience: float | None = None) -> Any:
        """What the host answers; BadBot and PlayerFailed where it says what is wrong."""
        line = base64.b64encode(pickle.dumps(question)).decode()
        return partner.ask(line, self._understood, patience)

    def _understood(self, line: str) -> Any:
        answer = json.loads(line)
        if answer["ok"]:
            return answer["choice"]
        told = excerpt(answer["told"])
        _, module, bot = self._where
        match answer["why"]:
            case "no_module":
                raise BadBot(_say("bot.no_module", bot=brief(self.name), given=brief(module)))
            case "broken":
                raise BadBot(_say("bot.broken", module=brief(module), told=told))
            case "no_class":
                raise BadBot(_say("bot.no_class", module=brief(module), given=brief(bot)))
            case "no_choose":
                raise BadBot(_say("bot.no_choose", bot=brief(self.name)))
            case "no_choice":
                raise choice_failure(self.name, told)
        raise PlayerFailed(self.name, _say("bot.crashed", bot=brief(self.name), told=told))


_bench = lru_cache(maxsize=64)(Bench)


class Hosted:
    """A player whose class is hosted by another process."""

    def __init__(self, bench: Bench, game: str, patience: float, sampler: Sampler) -> None:
        self._bench = bench
        self._sits = (game, sampler.getstate())
        self._patience = patience
        self._partner: Partner | None = None

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        left = None if clock.deadline is None else clock.left()
        if self._partner is None:
            try:
                self._partner = self._bench.borrow()
            except BadBot as error:
                raise PlayerFailed(self._bench.name, error.message) from None
            self._bench.ask(self._partner, "sit", *self._sits, patience=START_TIMEOUT)
        told = Seen(seen.view, tuple(seen.choices), tuple(seen.heard))
        place = self._bench.ask(self._partner, "choose", told, left, patience=self._patience + (left or 0.0))
        return seen.choices[place]
