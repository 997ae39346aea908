"""Executable documentation: runs the Python blocks and shell sessions of every Markdown page."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import psutil
import pytest
from sybil import Document, Example, Region, Sybil
from sybil.parsers.markdown import PythonCodeBlockParser
from sybil.parsers.markdown.lexers import FencedCodeBlockLexer

ROOT = Path(__file__).parent
PORT = re.compile(r"\b865\d\b")  # as pages name them
PATIENCE = 1200  # seconds after which a command of a page counts as hung
GRACE = 30  # seconds that leftover processes have to end after SIGTERM


def set_up(namespace: dict[str, Any]) -> None:
    """Gives every page its own folder with a copy of the sources, like a fresh clone."""
    folder = Path(tempfile.mkdtemp(prefix="spieltisch-page-"))
    ignore = shutil.ignore_patterns("__pycache__", "golden", "*.npz")
    for part in ("src", "examples"):
        shutil.copytree(ROOT / part, folder / part, ignore=ignore)
    namespace["folder"] = folder
    os.chdir(folder)  # what the page writes stays in its folder
    namespace["groups"] = []
    namespace["ports"] = {}


def tear_down(namespace: dict[str, Any]) -> None:
    """Ends what a page has left running, waits until it has ended, and removes the page's folder."""
    os.chdir(ROOT)
    for number in (signal.SIGTERM, signal.SIGKILL):
        left = [one for group in namespace["groups"] for one in _members(group)]
        for one in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.send_signal(number)
        psutil.wait_procs(left, timeout=GRACE)
    folder = namespace["folder"]
    while folder.exists():
        with contextlib.suppress(FileNotFoundError):  # somebody else removed a file meanwhile
            shutil.rmtree(folder)


def _members(group: int) -> list[psutil.Process]:
    """The running processes of a process group."""
    found = []
    for process in psutil.process_iter(["status"]):
        with contextlib.suppress(ProcessLookupError):
            if os.getpgid(process.pid) == group and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def _on_free_ports(text: str, ports: dict[str, str]) -> str:
    """The text with a free port in place of each port that a page names, which another server may use."""

    def free(named: re.Match[str]) -> str:
        if named[0] not in ports:
            with socket.create_server(("127.0.0.1", 0)) as listening:
                ports[named[0]] = str(listening.getsockname()[1])
        return ports[named[0]]

    return PORT.sub(free, text)


def _run(command: str, folder: Path, environment: dict[str, str], groups: list[int]) -> str:
    """The output of a command; its process group is noted if it leaves something running."""
    with subprocess.Popen(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as ran:
        try:
            printed, _ = ran.communicate(timeout=PATIENCE)
        except BaseException:
            os.killpg(ran.pid, signal.SIGKILL)
            raise
    if _members(ran.pid):
        groups.append(ran.pid)
    return printed.strip()


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
        folder = example.namespace["folder"]
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
        ports = example.namespace["ports"]
        printed = _run(_on_free_ports(command, ports), folder, environment, example.namespace["groups"])
        wanted = _on_free_ports("\n".join(lines).strip(), ports)
        pattern = re.escape(wanted).replace("…", ".*?")
        if not re.fullmatch(pattern, printed, re.DOTALL):
            raise AssertionError(f"$ {command}\nprinted\n{printed}\ninstead of\n{wanted}")


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
