"""Bots in any language: a subprocess that speaks a protocol of JSON lines (docs/reference/bots.md)."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any, ClassVar, Final

from spieltisch.core.game import AnyGame, Refusal, Sampler, brief
from spieltisch.core.json import Json, to_json
from spieltisch.core.player import AnyPlayer, Clock, MakePlayer, Seen
from spieltisch.i18n.message import message_factory
from spieltisch.players.failures import PlayerFailed, choice_failure, excerpt, guard
from spieltisch.processes.lines import LineProcess

TIMEOUT: Final = 10.0  # seconds that a bot may take to answer, in addition to those of its clock
START_TIMEOUT: Final = 60.0  # seconds that a bot may take to start
_GRACE: Final = 1.0  # seconds between the end of its input and the moment it is killed
_say = message_factory("")


class BadBot(Refusal):
    """A name that does not lead to a usable bot."""

    code: ClassVar[str] = "bad-request"


def program_maker(command: str, game: AnyGame, timeout: float = TIMEOUT) -> MakePlayer:
    """A factory of players that run the command; BadBot if there is no such command."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise BadBot(_say("bot.command", given=brief(command)))
    if shutil.which(words[0]) is None:
        raise BadBot(_say("bot.no_program", given=brief(words[0])))
    return partial(_make, f"program:{command}", words, game, timeout)


def _make(name: str, words: list[str], game: AnyGame, timeout: float, sampler: Sampler) -> AnyPlayer:
    return guard(ProgramPlayer(name, words, game, timeout, sampler), name)


class ProgramPlayer:
    """A player in a subprocess: one process per seat and game."""

    def __init__(self, name: str, words: list[str], game: AnyGame, timeout: float, sampler: Sampler) -> None:
        self.name = name
        self._game = game
        self._seed = sampler.getrandbits(32)
        self._process = LineProcess(
            words,
            timeout,
            restart=False,
            closing_line=json.dumps({"do": "bye"}),
            grace=_GRACE,
            environment={"PYTHONUNBUFFERED": "1"},  # so that a bot in Python need not flush
        )
        self._requests = 0

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        if not self._requests:
            version = getattr(getattr(seen.view, "setup", None), "rules", self._game.rules[-1])
            hello: dict[str, Json] = {"do": "hello", "game": self._game.name, "rules": version, "seed": self._seed}
            self._ask(hello, lambda response: response, START_TIMEOUT)
        # Notation reveals nothing hidden, so any state that matches the view will do to write the choices.
        state = self._game.imagine(seen.view, Random(0))
        choices = {self._game.write(state, action): action for action in seen.choices}
        seconds = None if clock.deadline is None else clock.left()
        request: dict[str, Json] = {
            "do": "choose",
            "view": to_json(seen.view),
            "choices": list(choices),
            "heard": [to_json(heard) for heard in seen.heard],
            "seconds": None if seconds is None else round(seconds, 3),
        }
        return self._ask(
            request, lambda response: self._parse_choice(response, choices), self._process.timeout + (seconds or 0.0)
        )

    def _ask(self, request: dict[str, Json], parse: Callable[[dict[str, Any]], Any], timeout: float) -> Any:
        number, self._requests = self._requests, self._requests + 1
        line = json.dumps({"id": number, **request}, allow_nan=False)
        return self._process.request(line, lambda reply: parse(self._parse(reply, number)), timeout)

    def _parse(self, line: str, number: int) -> dict[str, Any]:
        try:
            response = json.loads(line)
        except (ValueError, RecursionError):
            response = None
        if not isinstance(response, dict):
            raise PlayerFailed(self.name, _say("bot.no_json", bot=brief(self.name), told=excerpt(line)))
        if response.get("id") != number or isinstance(response.get("id"), bool):
            raise PlayerFailed(self.name, _say("bot.other_id", bot=brief(self.name), asked=number, told=excerpt(line)))
        if response.get("ok") is not True:
            raise PlayerFailed(self.name, _say("bot.gave_up", bot=brief(self.name), told=excerpt(line)))
        return response

    def _parse_choice(self, response: dict[str, Any], choices: Mapping[str, Any]) -> Any:
        action = response.get("action")
        if not isinstance(action, str) or action not in choices:
            raise choice_failure(self.name, json.dumps(action, ensure_ascii=False))
        return choices[action]
