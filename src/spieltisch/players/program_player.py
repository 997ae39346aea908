"""Bots in any language: a subprocess that speaks a protocol of JSON lines (docs/reference/bots.md)."""

from __future__ import annotations

import json
import math
import shlex
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any, ClassVar, Final

from spieltisch.core.game import AnyGame, Refusal, Sampler, brief
from spieltisch.core.json import Json, to_json
from spieltisch.core.player import AnyPlayer, Clock, Estimate, Estimates, MakePlayer, Scale, Seen
from spieltisch.i18n.message import message_factory
from spieltisch.players.failures import NoEvaluation, PlayerFailed, choice_failure, excerpt, guard
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
        self._features: Any = ()  # what the bot can do beside choosing, as its greeting says

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        return self._decide("choose", seen, clock, self._parse_choice)

    def evaluate(self, seen: Seen[Any, Any], clock: Clock) -> Estimates[Any]:
        """The program's estimates; NoEvaluation if its greeting does not offer them."""
        self._greet(self._rules(seen))
        if not isinstance(self._features, list) or "evaluate" not in self._features:
            raise NoEvaluation
        estimates: Estimates[Any] = self._decide("evaluate", seen, clock, self._parse_estimates)
        return estimates

    def output(self) -> str:
        """The end of what the program has printed on standard error."""
        return self._process.output()

    def start_process(self, rules: int) -> None:
        """Starts the program and greets it, which the first decision does otherwise."""
        self._greet(rules)

    def _rules(self, seen: Seen[Any, Any]) -> int:
        rules: int = getattr(getattr(seen.view, "setup", None), "rules", self._game.rules[-1])
        return rules

    def _greet(self, rules: int) -> None:
        if not self._requests:
            hello: dict[str, Json] = {"do": "hello", "game": self._game.name, "rules": rules, "seed": self._seed}
            self._features = self._ask(hello, lambda response: response, START_TIMEOUT).get("features")

    def _decide(
        self, do: str, seen: Seen[Any, Any], clock: Clock, parse: Callable[[dict[str, Any], Mapping[str, Any]], Any]
    ) -> Any:
        self._greet(self._rules(seen))
        # Notation reveals nothing hidden, so any state that matches the view will do to write the choices.
        state = self._game.imagine(seen.view, Random(0))
        choices = {self._game.write(state, action): action for action in seen.choices}
        seconds = None if clock.deadline is None else clock.left()
        request: dict[str, Json] = {
            "do": do,
            "view": to_json(seen.view),
            "choices": list(choices),
            "heard": [to_json(heard) for heard in seen.heard],
            "seconds": None if seconds is None else round(seconds, 3),
        }
        return self._ask(request, lambda response: parse(response, choices), self._process.timeout + (seconds or 0.0))

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

    def _parse_estimates(self, response: dict[str, Any], choices: Mapping[str, Any]) -> Estimates[Any]:
        return decode_estimates(self.name, response, choices)


def decode_estimates(name: str, fields: Mapping[str, Any], choices: Mapping[Any, Any]) -> Estimates[Any]:
    """The estimates of a bot in another process, whose actions are keys of `choices`; PlayerFailed if they are none."""
    try:
        estimates = [
            Estimate(
                choices[each["action"]],
                tuple(_number(value) for value in each.get("values") or ()),
                _count(each.get("visits")),
                _optional(each.get("prior")),
                _optional(each.get("score")),
            )
            for each in fields["choices"]
        ]
        scale = Scale(fields.get("scale", Scale.VICTORY.value))
        return Estimates(scale, estimates, choices[fields["action"]], _count(fields.get("simulations")) or 0)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        told = excerpt(f"{type(error).__name__}: {error}")
        raise PlayerFailed(name, _say("bot.bad_evaluation", bot=brief(name), told=told)) from None


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(value)
    return float(value)


def _optional(value: Any) -> float | None:
    return None if value is None else _number(value)


def _count(value: Any) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise ValueError(value)
    return value
