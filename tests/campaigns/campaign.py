"""Runner of campaigns: very many games per setting, with a progress bar, resumable; and the pages they write."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.progress import Progress

ROOT = Path(__file__).parents[2]
_SAVE_INTERVAL = 50  # games
_SPEED_WINDOW = 600.0  # seconds over which the speed is estimated: a game may take minutes


def run_campaign(
    name: str, settings: Iterable[str], games: int, play: Callable[[str, int], Any], save_interval: int = _SAVE_INTERVAL
) -> dict[str, list[Any]]:
    """The results of `play` for all games of all settings; saved results are reused unless the sources have changed."""
    file = ROOT / ".build" / f"prove-{name}.json"
    file.parent.mkdir(exist_ok=True)
    digest = _source_digest()
    saved = json.loads(file.read_text()) if file.exists() else {}
    results: dict[str, list[Any]] = saved.get(digest, {})
    with Progress(speed_estimate_period=_SPEED_WINDOW) as progress:
        for setting in settings:
            played = results.setdefault(setting, [])
            task = progress.add_task(setting, total=games, completed=len(played))
            for seed in range(len(played), games):
                played.append(play(setting, seed))
                progress.advance(task)
                if seed % save_interval == 0:
                    file.write_text(json.dumps({digest: results}))
    file.write_text(json.dumps({digest: results}))
    return {setting: played[:games] for setting, played in results.items()}


def _source_digest() -> str:
    """A digest of all sources: results of other sources do not count."""
    sources = sorted((ROOT / "src").rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def write_page(name: str, title: str, text: str, header: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    """Writes docs/reference/NAME.md: title, date, text and a table."""
    lines = [f"# {title}", "", f"{datetime.now(UTC):%Y-%m-%d}, {text}", "", *format_table(header, rows)]
    page = ROOT / "docs" / "reference" / f"{name}.md"
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def format_table(header: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> list[str]:
    """The lines of a Markdown table."""
    return [_row(header), "|" + "---|" * len(header), *map(_row, rows)]


def _row(cells: tuple[object, ...]) -> str:
    return f"| {' | '.join(map(str, cells))} |"
