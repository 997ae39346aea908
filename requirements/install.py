"""`python requirements/install.py FILE` installs a lock file by hash: with uv, which is several times as quick, or with pip."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

INSTALLER = Path(__file__).parent / "installer.txt"
PIP = (sys.executable, "-m", "pip")


def main(file: str) -> int:
    """Installs the packages of a lock file into this Python's environment; returns the exit code."""
    locked = ("--quiet", "--require-hashes", "-r", file)
    uv = (*PIP, "install", "--quiet", "--require-hashes", "-r", str(INSTALLER))
    if subprocess.run(uv, stderr=subprocess.DEVNULL, check=False).returncode == 0:
        env = {**os.environ, **_index()}
        command = (sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable, *locked)
        if subprocess.run(command, env=env, stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return 0
    return subprocess.run((*PIP, "install", *locked), check=False).returncode


def _index() -> dict[str, str]:
    """The package index that pip is configured to use, as uv takes it; uv does not read pip's configuration."""
    command = (*PIP, "config", "get", "global.index-url")
    told = (
        os.environ.get("PIP_INDEX_URL") or subprocess.run(command, capture_output=True, text=True, check=False).stdout
    )
    return {"UV_DEFAULT_INDEX": told.strip()} if told.strip() else {}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
