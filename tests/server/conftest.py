"""Fixtures of the server's tests: servers, HTTP clients and stores."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.server.clients import RecordingClient
from tests.support.server import TIMEOUT, Person, Server, reusable_port, running_server
from tests.support.storage.postgres import postgres


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    """A server without limits that logs every request; it trusts a proxy that does not exist."""
    server = Server(tmp_path_factory.mktemp("server"), "--log", "info", "--proxies", "192.0.2.9")
    yield server
    assert server.stop() == 0
    for line in server.errors:
        logged = json.loads(line)
        assert (logged["level"], logged.get("library")) in (("info", None), ("warning", "uvicorn.error"))


@pytest.fixture(scope="module")
def limited(tmp_path_factory) -> Iterator[Server]:
    """A server with small limits, behind a proxy that it trusts."""
    flags = {"proxies": "127.0.0.1", "requests": 15, "tables": 3, "replays": 2, "streams": 2, "hints": 1}
    given = [word for name, value in flags.items() for word in (f"--{name}", str(value))]
    with running_server(tmp_path_factory.mktemp("limited"), *given) as server:
        yield server


@pytest.fixture(scope="module")
def failing(tmp_path_factory) -> Iterator[Server]:
    """A server whose database the tests damage."""
    server = Server(tmp_path_factory.mktemp("failing"))
    yield server
    assert server.stop() == 0


@pytest.fixture
def http(server) -> Iterator[httpx.Client]:
    """An HTTP client without a token."""
    with httpx.Client(base_url=server.address, timeout=TIMEOUT, verify=False) as client:  # noqa: S501 - plain http
        yield client


@pytest.fixture(scope="module")
def restartable(tmp_path_factory) -> Iterator[Server]:
    """A server that tests restart, and whose workers they kill."""
    server = Server(tmp_path_factory.mktemp("restartable"), port=reusable_port())
    yield server
    server.stop()


@pytest.fixture(scope="module")
def database() -> str:
    """The URL of a PostgreSQL database."""
    return postgres().create_database()


@pytest.fixture
def postgres_url(database) -> str:
    """The URL of an empty PostgreSQL database."""
    postgres().reset(database)
    return database


@pytest.fixture(params=["file", "postgres"])
def location(request, tmp_path) -> str:
    """The location of a new store: a file, then a PostgreSQL database."""
    return str(tmp_path / "tables.sqlite") if request.param == "file" else request.getfixturevalue("postgres_url")


@pytest.fixture
def newcomer(server) -> Iterator[Any]:
    """Makes clients, each with a secret of its own or with none."""
    came: list[RecordingClient] = []

    def come(*, secret: bool = True) -> RecordingClient:
        came.append(RecordingClient(server))
        if not secret:
            del came[-1].http.headers["authorization"]
        return came[-1]

    yield come
    for client in came:
        client.http.close()


@pytest.fixture
def ada(server) -> Person:
    return Person(server)


@pytest.fixture
def ben(server) -> Person:
    return Person(server)
