"""Records in files: a real game, and a mangled one."""

from __future__ import annotations

from pathlib import Path


def write_file(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def mangled(text: str) -> tuple[str, int]:
    """The record with an illegal first choice, and that line's number."""
    lines = text.split("\n")
    place = next(place for place, line in enumerate(lines) if line.startswith("0 "))
    lines[place] = "0 ."
    return "\n".join(lines), place + 1
