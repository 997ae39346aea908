"""Figures of the rules: positions that the rules reach from a setup by a list of actions, as the board on the screen shows them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import spieltisch
from spieltisch import registry
from spieltisch.core.game import AnyGame, Chance, Decision, Setup
from spieltisch.core.json import to_json
from spieltisch.records import Move, read, setup_of

GAMES = Path(spieltisch.__file__).parent / "games"


def figure_file(game: AnyGame) -> Path:
    """The file with the views of the figures, which the screen draws."""
    return GAMES / game.name / "web" / "figures.json"


def figures(game: AnyGame) -> dict[str, dict[str, Any]]:
    """The figures by name: the spectator's view, the choices of whoever decides, and those of an unfinished turn.

    `tests/figures.json` of a game says how each is reached. An action that a rule forbids is refused here.
    """
    source = GAMES / game.name / "tests" / "figures.json"
    described = json.loads(source.read_text(encoding="utf-8")) if source.exists() else {}
    return {name: _figure(game.for_simulation, **one) for name, one in described.items()}


def _figure(game: AnyGame, draft: int = 0, **source: Any) -> dict[str, Any]:
    """Replays the actions; the last `draft` ones belong to an unfinished turn."""
    setup, done = _begun(game, **source) if "record" in source else _described(game, **source)
    state = game.initial(setup)
    for text in done:
        pending, action = game.pending(state), game.read(state, text)
        assert not isinstance(pending, Chance) or action in pending.actions, text
        state = game.apply(state, action)
    pending = game.pending(state)
    return {
        "view": to_json(game.observe(state, None)),
        "choices": [game.write(state, one) for one in pending.actions] if isinstance(pending, Decision) else [],
        "draft": done[len(done) - draft :],
    }


def _described(
    game: AnyGame, players: int, actions: list[str], options: dict[str, str] | None = None
) -> tuple[Setup, list[str]]:
    """A setup with its actions, several in a line."""
    return game.agree(players, options=options), [text for line in actions for text in line.split(", ")]


def _begun(game: AnyGame, record: str, plies: int) -> tuple[Setup, list[str]]:
    """The beginning of a golden game."""
    text = (GAMES / game.name / "tests" / "golden" / record).read_text(encoding="utf-8")
    played = read(text).games[0]
    return setup_of(game, played), [move.text for move in played.entries[:plies] if isinstance(move, Move)]


def render(found: dict[str, dict[str, Any]]) -> str:
    """The file: a line per figure."""
    lines = (f"{json.dumps(name)}: {json.dumps(one, separators=(',', ':'))}" for name, one in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    for each in registry.all():
        if found := figures(each):
            figure_file(each).write_text(render(found), encoding="utf-8")
