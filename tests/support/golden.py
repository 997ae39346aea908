"""Golden files: real games stored as text, so that a change of the rules shows as a readable diff."""

from __future__ import annotations

from pathlib import Path

import spieltisch
from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Over
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.series import Series
from spieltisch.records import write

GAMES = Path(spieltisch.__file__).parent / "games"


def golden_games(game: AnyGame) -> dict[str, str]:
    """The golden games of a game by file name: every edition and number of players, older rules, a match, and each bot against itself."""
    found = {}
    for edition in game.editions:
        for count in edition.players:
            found[f"{edition.name}-{count}"] = _play(game, count, edition.name, game.rules[-1], 1)
    for rules in game.rules[:-1]:
        found[f"rules-{rules}"] = _play(game, game.players.start, game.editions[0].name, rules, 1)
    found["match"] = _play(game, game.players.start, game.editions[0].name, game.rules[-1], 2)
    for name in registry.players(game):
        count = 2 + len(game.players) // 2
        found[f"all-{name}"] = _play(game, count, game.editions[0].name, game.rules[-1], 1, alone=name)
    return {f"{name}.game": text for name, text in found.items()}


def _play(game: AnyGame, count: int, edition: str, rules: int, games: int, *, alone: str = "") -> str:
    best, game = "greedy" if "greedy" in players.known(game) else "random", game.for_simulation
    names = [alone or (best if seat % 2 == 0 else "random") for seat in range(count)]
    setup = game.agree(count, edition, first=count - 1, rules=rules)
    series = Series(game, setup, games, lambda number: seeded(f"golden/{number}"), dict(enumerate(names)))
    seated = [players.make(name, game, f"golden/{seat}") for seat, name in enumerate(names)]
    while True:
        while not isinstance(pending := series.referee.settle(), Over):
            series.referee.ask(seated[pending.seat])
        if series.over:
            return write(series.record())
        series.begin()


def main() -> None:
    for game in registry.all():
        folder = GAMES / game.name / "tests" / "golden"
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in golden_games(game).items():
            path = folder / name
            status = "same" if path.exists() and path.read_text(encoding="utf-8") == text else "written"
            path.write_text(text, encoding="utf-8")
            print(f"{game.name}/{name}: {status}")


if __name__ == "__main__":
    main()
