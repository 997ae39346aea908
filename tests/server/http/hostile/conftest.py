"""Fixtures for hostile requests: a real server, which must have nothing to report on standard error."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.server import Person, Server, running_server


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def ada(server) -> Person:
    return Person(server)


@pytest.fixture(autouse=True)
def _all_is_well(server, ada) -> Iterator[None]:
    """After every test the server is ready and has logged no error."""
    yield
    assert ada.get("/readyz").json() == {"status": "ready"}
    assert not server.errors, "".join(server.errors)
