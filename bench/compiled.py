"""Build cache: a copy of the package with its hot modules compiled by mypyc, one per hash of the sources."""

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
GAME_MODULES = {
    "bigpoints": ("state", "rules", "endgame", "knowledge"),
    "rondo": ("state", "rules", "chains", "knowledge"),
    "turmbauer": (
        "state",
        "rules",
        "building/cells",
        "building/climbing",
        "building/places",
        "building/choices",
        "evaluation",
        "knowledge",
    ),
}
PLAYER_MODULES = ("rollout", "monte_carlo", "tree_search", "exact_search", "alpha_beta", "maxn", "solve")


def compiled_modules() -> list[Path]:
    """The hot modules: every offered game's values, rules and knowledge, and the search of the players."""
    games = [SOURCE / "games" / game / f"{name}.py" for game, names in GAME_MODULES.items() for name in names]
    return games + [SOURCE / "players" / f"{name}.py" for name in PLAYER_MODULES]


def environment() -> dict[str, str]:
    """The environment in which Python imports the compiled copy, which is built on the first call."""
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
