"""Test vectors of whole games: a record with its proof per game, and what chance could draw each time.

The browser recomputes the draws of the same records (`web/fairness/draws.test.ts`).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from spieltisch import registry
from spieltisch.core.game import AnyGame, Choice, Over
from spieltisch.gameplay.chance import fair, seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.records import GameRecord, write
from spieltisch.records.replay import replay

FILE: Final = Path(__file__).parent / "vectors" / "fair_records.json"
UNDO_AFTER: Final = 30  # actions


def vectors() -> list[dict[str, Any]]:
    """The vectors, made anew."""
    found = []
    for game in map(registry.find, registry.names()):
        record = play(game)
        draws = [
            {
                "texts": [game.write(draw.before, action) for action in draw.chance.actions],
                "weights": list(draw.chance.weights),
                "drawn": game.write(draw.before, draw.action),
            }
            for draw in replay(game, record).draws
        ]
        found.append({"game": game.name, "record": write(record), "draws": draws})
    return found


def play(game: AnyGame) -> GameRecord:
    """A game of moves at random by fair chance, with an undo and its proof; the starting seat is drawn."""
    secret, nonces = hashlib.sha256(game.name.encode()).digest(), [bytes(range(16)), b"", b"\xff" * 16]
    source, moves = fair(secret, nonces), seeded(game.name)
    rules = game.for_simulation
    options = {option.name: option.values[-1] for option in game.options if isinstance(option, Choice)}
    undone = False
    referee = Referee(rules, rules.agree(3, game.editions[-1].name, options, source.first(3)), source)
    while not isinstance(pending := referee.settle(), Over):
        referee.play(pending.seat, [pending.actions[moves.pick(len(referee.steps), (1,) * len(pending.actions))]])
        if not undone and len(referee.steps) > UNDO_AFTER + pending.seat:
            referee.settle()
            referee.undo(9)
            undone = True
    return replace(
        referee.record(),
        drawn=True,
        commit=hashlib.sha256(secret).hexdigest(),
        secret=secret.hex(),
        nonces=tuple((seat, nonce.hex()) for seat, nonce in enumerate(nonces) if nonce),
    )


def text() -> str:
    """The text of the file."""
    lines = ",\n".join(json.dumps(vector) for vector in vectors())
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    FILE.write_text(text())
