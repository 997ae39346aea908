"""A copy of the package whose rules are compiled with mypyc, built once for every state of the sources."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "spieltisch"
BUILD = ROOT / ".build" / "compiled"
MODULES = (
    "state.py",
    "rules.py",
    "chains.py",
    "cells.py",
    "climbing.py",
    "places.py",
    "choices.py",
    "outlook.py",
    "endgame.py",
    "players.py",
)
THINKING = ("ahead.py", "mc.py", "search.py", "exact.py", "duel.py", "several.py", "solve.py")


def compiled_modules() -> list[Path]:
    """The modules that are worth compiling: every offered game's values, rules and knowledge, and what looks ahead."""
    games = sorted(path for path in (SOURCE / "games").iterdir() if (path / "rules.py").exists())
    own = [game / name for game in games if game.name != "template" for name in MODULES if (game / name).exists()]
    return own + [SOURCE / "players" / name for name in THINKING]


def environment() -> dict[str, str]:
    """The environment in which Python finds the compiled copy, built if it is not there."""
    modules = compiled_modules()
    sources = sorted(
        path for path in SOURCE.rglob("*") if path.suffix in {".py", ".json"} and "tests" not in path.parts
    )
    stamp = hashlib.sha256(
        f"{sys.version} {modules}".encode() + b"".join(path.read_bytes() for path in sources)
    ).hexdigest()[:16]
    folder = BUILD / stamp
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(SOURCE, folder / "spieltisch", ignore=shutil.ignore_patterns("__pycache__", "tests"))
        names = [str(Path("spieltisch") / module.relative_to(SOURCE)) for module in modules]
        command = [sys.executable, "-m", "mypyc", "--explicit-package-bases", *names]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, env=_path(folder))  # noqa: S603
        (folder / "done").touch()
    return _path(folder)


def _path(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(folder)}


def is_compiled() -> bool:
    """Whether this process runs compiled rules."""
    from spieltisch.games.bigpoints import rules

    return not str(rules.__file__).endswith(".py")
