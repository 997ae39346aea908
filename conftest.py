"""Executable documentation: runs the Python blocks and shell sessions of every Markdown page."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest
from sybil import Document, Example, Region, Sybil
from sybil.parsers.markdown import PythonCodeBlockParser
from sybil.parsers.markdown.lexers import FencedCodeBlockLexer

ROOT = Path(__file__).parent


def set_up(namespace: dict[str, object]) -> None:
    """Gives every page its own folder with a copy of the sources, like a fresh clone."""
    folder = Path(tempfile.mkdtemp(prefix="spieltisch-page-"))
    ignore = shutil.ignore_patterns("__pycache__", "golden", "*.npz")
    for part in ("src", "examples"):
        shutil.copytree(ROOT / part, folder / part, ignore=ignore)
    namespace["folder"] = folder


def tear_down(namespace: dict[str, object]) -> None:
    folder = Path(str(namespace["folder"]))
    if (folder / "server.pid").exists():
        stop_server(int((folder / "server.pid").read_text()))
    shutil.rmtree(folder)


def stop_server(pid: int) -> None:
    """Stops the server that a page started, and waits for its end: it removes files of its own while it stops."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        process.terminate()
        end = time.monotonic() + 30
        while process.status() != psutil.STATUS_ZOMBIE and time.monotonic() < end:
            time.sleep(0.05)


def sessions(document: Document):
    """The shell sessions of a page: lines after `$ ` are commands, the others their expected output."""
    for lexed in FencedCodeBlockLexer("console")(document):
        yield Region(lexed.start, lexed.end, lexed.lexemes["source"], run_session)


def run_session(example: Example) -> None:
    expected: list[tuple[str, list[str]]] = []
    for line in example.parsed.splitlines():
        if line.startswith("> ") or line == ">":
            command, lines = expected.pop()
            expected.append((f"{command}\n{line[2:]}", lines))
            continue
        if line.startswith("$ "):
            expected.append((line[2:], []))
        else:
            expected[-1][1].append(line)
    for command, lines in expected:
        folder = Path(str(example.namespace["folder"]))
        environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(folder / "src"),
            "XDG_DATA_HOME": str(folder / "data"),
            "SPIELTISCH_LANGUAGE": "en",
            "COLUMNS": "80",
            "PYTHONDONTWRITEBYTECODE": "1",  # a page may change a file twice in one second
            "XLA_FLAGS": "--xla_backend_optimization_level=0",  # compile fast: the code runs only for moments
            "PIP_TARGET": str(folder / "src"),  # installs into the page's folder, without network
            "PIP_NO_DEPS": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip's spelling of "off"
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        printed = ran.stdout.strip()
        pattern = re.escape("\n".join(lines).strip()).replace("…", ".*?")
        if not re.fullmatch(pattern, printed, re.DOTALL):
            raise AssertionError(f"$ {command}\nprinted\n{printed}\ninstead of\n" + "\n".join(lines))


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), sessions],
    patterns=["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/*.md", "docs/*/*.md"],
    setup=set_up,
    teardown=tear_down,
).pytest()


@pytest.fixture(autouse=True)
def quiet_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs every test in English."""
    monkeypatch.setenv("SPIELTISCH_LANGUAGE", "en")
