"""A bot in any language: a program that is asked and answers in lines of JSON, in the words of docs/reference/bots.md."""

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
from spieltisch.players.failed import PlayerFailed, guarded, no_choice, said_back
from spieltisch.processes.lines import Partner

PATIENCE: Final = 10.0  # seconds that a bot may be silent, beside those of its clock
BEGINNING: Final = 60.0  # seconds that a bot may take to begin
_GRACE: Final = 1.0  # seconds between the end of what it is told and its own end
_say = message_factory("")


class BadBot(Refusal):
    """A name that no bot can be made of."""

    code: ClassVar[str] = "bad-request"


def program(command: str, game: AnyGame, patience: float = PATIENCE) -> MakePlayer:
    """The maker of a player that the command runs; BadBot where there is no such command."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise BadBot(_say("bot.command", given=brief(command)))
    if shutil.which(words[0]) is None:
        raise BadBot(_say("bot.no_program", given=brief(words[0])))
    return partial(_made, f"program:{command}", words, game, patience)


def _made(name: str, words: list[str], game: AnyGame, patience: float, sampler: Sampler) -> AnyPlayer:
    return guarded(Program(name, words, game, patience, sampler), name)


class Program:
    """A player in a program of its own: one process is one seat in one game."""

    def __init__(self, name: str, words: list[str], game: AnyGame, patience: float, sampler: Sampler) -> None:
        self.name = name
        self._game = game
        self._seed = sampler.getrandbits(32)
        self._partner = Partner(
            words,
            patience,
            anew=False,
            farewell=json.dumps({"do": "bye"}),
            grace=_GRACE,
            environment={"PYTHONUNBUFFERED": "1"},  # a bot in Python need not remember to flush
        )
        self._asked = 0

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        if not self._asked:
            version = getattr(getattr(seen.view, "setup", None), "rules", self._game.rules[-1])
            hello: dict[str, Json] = {"do": "hello", "game": self._game.name, "rules": version, "seed": self._seed}
            self._ask(hello, lambda answer: answer, BEGINNING)
        # A player knows no state, and needs none: no notation tells what is hidden, so any world that looks like this does.
        state = self._game.imagine(seen.view, Random(0))
        choices = {self._game.write(state, action): action for action in seen.choices}
        seconds = None if clock.deadline is None else clock.left()
        question: dict[str, Json] = {
            "do": "choose",
            "view": to_json(seen.view),
            "choices": list(choices),
            "heard": [to_json(heard) for heard in seen.heard],
            "seconds": None if seconds is None else round(seconds, 3),
        }
        return self._ask(
            question, lambda answer: self._chosen(answer, choices), self._partner.patience + (seconds or 0.0)
        )

    def _ask(self, question: dict[str, Json], understand: Callable[[dict[str, Any]], Any], patience: float) -> Any:
        number, self._asked = self._asked, self._asked + 1
        line = json.dumps({"id": number, **question}, allow_nan=False)
        return self._partner.ask(line, lambda said: understand(self._parsed(said, number)), patience)

    def _parsed(self, line: str, number: int) -> dict[str, Any]:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise PlayerFailed(self.name, _say("bot.no_json", bot=brief(self.name), told=said_back(line)))
        if answer.get("id") != number or isinstance(answer.get("id"), bool):
            raise PlayerFailed(
                self.name, _say("bot.other_id", bot=brief(self.name), asked=number, told=said_back(line))
            )
        if answer.get("ok") is not True:
            raise PlayerFailed(self.name, _say("bot.gave_up", bot=brief(self.name), told=said_back(line)))
        return answer

    def _chosen(self, answer: dict[str, Any], choices: Mapping[str, Any]) -> Any:
        action = answer.get("action")
        if not isinstance(action, str) or action not in choices:
            raise no_choice(self.name, json.dumps(action, ensure_ascii=False))
        return choices[action]
