"""A bot that looks ahead without importing this package: it asks `spieltisch engine` for imagined worlds.

It plays every game: --players "program:python examples/lookahead.py,greedy". For its most promising choices it imagines
a few worlds that are consistent with what it has seen, lets greedy players finish the game there, and takes the choice
that wins most often. Arguments are the command of the engine, by default `spieltisch engine`.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

CANDIDATES = 3
WORLDS = 3
HORIZON = 60  # actions after which a game is given up as not decided


class Engine:
    """The engine in a process of its own, which ends with this one."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603

    def ask(self, do: str, **fields: object) -> dict[str, Any]:
        """The response to a request; an error ends the bot."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps({"do": do, **fields}), file=self.process.stdin, flush=True)
        response: dict[str, Any] = json.loads(self.process.stdout.readline())
        if not response["ok"]:
            raise RuntimeError(response["error"]["message"])
        return response


def choose(engine: Engine, game: str, request: dict[str, Any], dice: random.Random) -> str:
    """The choice that wins most often in imagined worlds."""
    seat, known = request["view"]["viewer"], {"view": request["view"], "heard": request["heard"]}
    won: dict[str, float] = {}
    for _ in range(WORLDS):
        world = engine.ask("imagine", game=game, **known, seed=dice.randrange(1 << 32))
        ranked = engine.ask("evaluate", state=world["state"], player="greedy")["choices"]
        for choice in [each["action"] for each in ranked[:CANDIDATES]]:
            won[choice] = won.get(choice, 0.0) + finish(engine, world["state"], choice, seat, dice)
        engine.ask("drop", state=world["state"])
    return max(won, key=lambda choice: won[choice])


def finish(engine: Engine, state: str, action: str, seat: int, dice: random.Random) -> float:
    """The seat's share of the victory if greedy players go on after the action."""
    pending: dict[str, Any] = {"kind": "decision"}
    for step in range(HORIZON):
        played = engine.ask("apply", state=state, action=action)
        if step:
            engine.ask("drop", state=state)
        state, pending = played["state"], played["pending"]
        if pending["kind"] == "over":
            break
        if pending["kind"] == "chance":
            action = dice.choices(pending["actions"], pending["weights"])[0]
        else:
            action = engine.ask("play", state=state, player="greedy", seed=step)["action"]
    engine.ask("drop", state=state)
    if pending["kind"] != "over":
        return 0.5
    ranks: list[int] = pending["ranks"]
    return (ranks[seat] == 1) / ranks.count(1)


def main(command: list[str]) -> None:
    """Responds to every request of the game until its end."""
    engine, game, dice = Engine(command), "", random.Random()
    for line in sys.stdin:
        request = json.loads(line)
        response = {"id": request.get("id"), "ok": True}
        if request["do"] == "hello":
            game = request["game"]
            dice.seed(request["seed"])
        elif request["do"] == "choose":
            response["action"] = choose(engine, game, request, dice)
        else:
            break
        print(json.dumps(response), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["spieltisch", "engine"])
