"""A session of `spieltisch play`, driven line by line."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from pathlib import Path

import pexpect

from spieltisch.records import GameRecord, Move, Record, read
from tests.support.command import (
    CommandResult,
    run,
    spawn_in_terminal,
)

WINS = re.compile(r"^(You win|.+ wins|.+ share the victory)( by .+)?\.$", re.MULTILINE)
HAND_OVER = "Pass the device: "
ENTER = "Press Enter when nobody else is looking. "
MINE = ["--seed", 1, "--first", 0]  # seat 0 holds R G G


class PlaySession:
    """A folder to play in, where all records are saved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "table.game"
        self.env = {"XDG_DATA_HOME": str(folder / "data")}

    def play(self, *arguments: object, typed: str | bytes = b"") -> CommandResult:
        typed = typed.encode() if isinstance(typed, str) else typed
        ran = run("play", *arguments, typed=typed, cwd=self.folder, env=self.env)
        assert "Traceback" not in ran.err, ran.err
        return ran

    def pebbles(self, *arguments: object, typed: str | bytes = b"") -> CommandResult:
        """Plays Pebbles, saved in the session's file."""
        return self.play("template", "--save", self.file, *arguments, typed=typed)

    def terminal(self, *arguments: object, **env: str) -> AbstractContextManager[pexpect.spawn[str]]:
        return spawn_in_terminal("play", *arguments, env={**self.env, **env})

    def records(self) -> list[Path]:
        return sorted(self.folder.rglob("*.game"))

    def record(self) -> Record:
        return read(self.file.read_text(encoding="utf-8"))

    def game(self) -> GameRecord:
        return self.record().games[0]

    def choices(self) -> list[str]:
        """What people and bots chose."""
        moves = [entry for entry in self.game().entries if isinstance(entry, Move)]
        return [f"{move.seat} {move.text}" for move in moves if move.seat is not None]

    def verdict(self) -> str:
        ran = run("verify", *self.records())
        assert ran.code == 0, ran.err
        return ran.out
