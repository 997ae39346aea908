"""Preload libraries: small C files that stand between a process and the system, compiled when they are needed.

As a program, makes sure that there is a compiler.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCES = Path(__file__).parent
FOLDER = Path(__file__).parents[3] / ".build" / "preload"


def is_supported() -> bool:
    """Whether a process can be given such a library: on Linux, with a C compiler."""
    return sys.platform == "linux" and _compiler() is not None


@functools.cache
def build(name: str) -> Path:
    """The library of that name, compiled unless it is there already."""
    source = SOURCES / f"{name}.c"
    library = FOLDER / f"{name}-{hashlib.sha256(source.read_bytes()).hexdigest()[:12]}.so"
    if not library.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        compiler = _compiler()
        assert compiler is not None, "there is no C compiler"
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:  # others may compile at the same time
            compiled = Path(folder) / library.name
            flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
            subprocess.run([compiler, *flags, "-o", str(compiled), str(source), "-ldl"], check=True)
            compiled.rename(library)
    return library


def preloaded(*names: str) -> dict[str, str]:
    """The environment of a process that gets these libraries."""
    return {**os.environ, "LD_PRELOAD": " ".join(str(build(name)) for name in names)}


def _compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def install_compiler() -> None:
    """Installs a compiler where there is none, as root on Debian; ends the run with a sentence where that is impossible."""
    if sys.platform != "linux" or _compiler():
        return
    if Path("/etc/debian_version").exists() and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "gcc", "libc6-dev"]
        for command in (["apt-get", "update", "-qq"], install):
            subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL, check=False)
    if not _compiler():
        sys.exit("The tests of failing disks and clocks need a C compiler: install gcc.")


if __name__ == "__main__":
    install_compiler()
