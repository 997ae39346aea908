"""Long proofs: very many games of every setting, with progress, going on where they were stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.progress import Progress

ROOT = Path(__file__).parents[2]
_EVERY = 50  # games between two savings
_LOOKS_BACK = 600.0  # seconds by which the time left is estimated: a game may take minutes


def campaign(
    name: str, settings: Iterable[str], games: int, play: Callable[[str, int], Any], every: int = _EVERY
) -> dict[str, list[Any]]:
    """What each game of each setting answered; what was played before is kept, unless the sources have changed."""
    file = ROOT / ".build" / f"prove-{name}.json"
    file.parent.mkdir(exist_ok=True)
    stamp = _stamp()
    saved = json.loads(file.read_text()) if file.exists() else {}
    answers: dict[str, list[Any]] = saved.get(stamp, {})
    with Progress(speed_estimate_period=_LOOKS_BACK) as progress:
        for setting in settings:
            played = answers.setdefault(setting, [])
            task = progress.add_task(setting, total=games, completed=len(played))
            for seed in range(len(played), games):
                played.append(play(setting, seed))
                progress.advance(task)
                if seed % every == 0:
                    file.write_text(json.dumps({stamp: answers}))
    file.write_text(json.dumps({stamp: answers}))
    return {setting: played[:games] for setting, played in answers.items()}


def _stamp() -> str:
    """A digest of all sources: a proof of other sources proves nothing."""
    sources = sorted((ROOT / "src").rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def report(name: str, title: str, said: str, head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    """Writes the page docs/reference/NAME.md, dated, with a table."""
    lines = [f"# {title}", "", f"{datetime.now(UTC):%Y-%m-%d}, {said}", "", _row(head), "|" + "---|" * len(head)]
    page = ROOT / "docs" / "reference" / f"{name}.md"
    page.write_text("\n".join([*lines, *map(_row, rows)]) + "\n", encoding="utf-8")


def _row(cells: tuple[object, ...]) -> str:
    return f"| {' | '.join(map(str, cells))} |"
