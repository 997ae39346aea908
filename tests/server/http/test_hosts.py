"""Allowed hosts: a page of another site that points its name at this machine (DNS rebinding) is refused."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import httpx
import pytest

from spieltisch.server.http.hosts import AllowedHosts
from tests.support.http import assert_security_headers
from tests.support.server import TIMEOUT, running_server


@pytest.fixture(scope="module")
def http(tmp_path_factory) -> Iterator[httpx.Client]:
    """A client of a server without a proxy."""
    folder = tmp_path_factory.mktemp("hosts")
    with (
        running_server(folder, "--hosts", "table.example.org") as server,
        httpx.Client(base_url=server.address, timeout=TIMEOUT) as client,
    ):
        yield client


FOREIGN = [
    "evil.example",
    "evil.example:8650",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "a b",
    "[::1",
    "x" * 300,
]


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_name_is_refused_with_a_sentence(http, name):
    answer = http.get("/api/games", headers={"host": name})
    assert (answer.status_code, answer.json()["code"]) == (421, "wrong-host")
    assert "--hosts" in answer.json()["message"]
    assert_security_headers(answer)
    page = http.get("/", headers={"host": name, "accept-language": "de"})
    assert page.status_code == 421
    assert "hört dieser Server nicht" in page.json()["message"]


@pytest.mark.parametrize(
    "name",
    [
        "127.0.0.1:80",
        "192.168.7.9:8650",
        "[::1]:8650",
        "LOCALHOST",
        "localhost.",
        "x.localhost:1",
        "",
        "table.example.org",
    ],
)
def test_addresses_and_names_of_this_machine_are_accepted(http, name):
    assert http.get("/api/games", headers={"host": name}).status_code == 200


def test_the_machine_is_known_by_its_own_name():
    own, name = AllowedHosts(), socket.gethostname()
    assert name in own
    assert f"{name.partition('.')[0]}.local:8650" in own
    assert "evil.example" not in own


def test_a_host_can_allow_names_or_leave_them_to_the_proxy():
    some = AllowedHosts("table.example.org, Play.Example.org.")
    assert "table.example.org:443" in some
    assert "play.example.org" in some
    assert "www.table.example.org" not in some
    assert "anything.example" in AllowedHosts("*")
