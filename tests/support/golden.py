"""Golden files: real games and pictures of them as text, so that a change shows as a readable diff."""

from __future__ import annotations

import sys
from pathlib import Path

import spieltisch
from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Over, Seat
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.progress import AnyProgress, Progress
from spieltisch.gameplay.series import Series
from spieltisch.pictures import cut, film, picture, plies
from spieltisch.records import read, write

ROOT = Path(__file__).parents[2]
GAMES = Path(spieltisch.__file__).parent / "games"
DOCUMENTATION = ROOT / "docs" / "pictures"
NAMES = ("Anna", "Ben", "Clara", "Ida & Co.", "Konstantin-Maximilian")


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


def golden_pictures(game: AnyGame) -> dict[str, str]:
    """The golden pictures of a game by file name: the start, two positions as a seat sees them, and the end."""
    if registry.picture(game) is None:
        return {}
    edition = game.editions[0]
    first, last = (f"{edition.name}-{count}.game" for count in (edition.players[0], edition.players[-1]))
    few, many = golden_progress(game, first), golden_progress(game, last)
    shots = {
        "start": (cut(few, 0), None, "en", False),
        "seat": (cut(many, plies(many) // 3), Seat(1), "de", False),
        "dark": (cut(many, plies(many) * 2 // 3), Seat(0), "fr", True),
        "end": (many, None, "en", False),
    }
    return {
        f"{name}.svg": picture(progress, viewer, NAMES[: progress.setup.players], language, dark=dark)
        for name, (progress, viewer, language, dark) in shots.items()
    }


def documentation_pictures() -> dict[str, str]:
    """The pictures of the documentation by file name: a position of every game that people are offered, and a film."""
    tower = golden_progress(registry.find("turmbauer"), "all-greedy.game")
    found = {"film.svg": film(tower, None, NAMES[: tower.setup.players])}
    for game in registry.offered():
        whole = golden_progress(game, "all-greedy.game")
        position, names = cut(whole, plies(whole) * 2 // 3), NAMES[: whole.setup.players]
        found[f"position-{game.name}.svg"] = picture(position, Seat(0), names)
    wheel = golden_progress(registry.find("rondo"), "red-3.game")
    found["position-dark.svg"] = picture(cut(wheel, 60), Seat(1), NAMES[: wheel.setup.players], dark=True)
    return found


def golden_progress(game: AnyGame, file: str) -> AnyProgress:
    """The first game of a golden file."""
    text = (GAMES / game.name / "tests" / "golden" / file).read_text(encoding="utf-8")
    return Progress.resume(game, read(text).games[0])


def main() -> None:
    for game in registry.all():
        folder = GAMES / game.name / "tests" / "golden"
        folder.mkdir(parents=True, exist_ok=True)
        if "pictures" not in sys.argv:
            _write(folder, golden_games(game))
        _write(folder, golden_pictures(game))
    _write(DOCUMENTATION, documentation_pictures())


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        status = "same" if path.exists() and path.read_text(encoding="utf-8") == text else "written"
        path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {status}")


if __name__ == "__main__":
    main()
