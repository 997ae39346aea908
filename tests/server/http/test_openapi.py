"""The OpenAPI document: up to date, valid, and what every response conforms to."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import jsonschema
import pytest

from spieltisch.server.http.openapi import example_of
from tests.campaigns.campaign import ROOT
from tests.support.server import (
    TIMEOUT,
    Person,
    Server,
)


def test_the_description_that_the_web_is_built_from_is_up_to_date():
    made = subprocess.run(
        [sys.executable, "-m", "spieltisch.server.http.openapi"], capture_output=True, text=True, check=True
    )
    kept = (ROOT / "web" / "api" / "openapi.json").read_text(encoding="utf-8")
    assert made.stdout == kept, "The API has changed: run `make api`."
    assert kept == json.dumps(json.loads(kept), sort_keys=True, indent=1, ensure_ascii=False) + "\n"


@pytest.fixture
def ada(server) -> Person:
    return Person(server)


class Description:
    """The server's OpenAPI document."""

    def __init__(self, server: Server) -> None:
        self.whole = httpx.get(f"{server.address}/api/openapi.json", timeout=TIMEOUT).json()
        self.parts = self.whole["components"]["schemas"]

    def check(self, body: Any, schema: dict[str, Any]) -> None:
        jsonschema.Draft202012Validator({**schema, "components": self.whole["components"]}).validate(body)

    def operations(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        for path, operations in self.whole["paths"].items():
            for method, told in operations.items():
                yield method, path, told

    def answer(self, method: str, path: str, status: int) -> dict[str, Any]:
        """The schema of a response."""
        shown = self.whole["paths"][path][method]["responses"][str(status)]["content"]
        return next(iter(shown.values()))["schema"]


@pytest.fixture(scope="module")
def described(server) -> Description:
    return Description(server)


def test_the_openapi_document_is_valid_and_complete(described):
    jsonschema.Draft202012Validator.check_schema({"$defs": described.parts})
    paths = {(method, path) for method, path, _ in described.operations()}
    assert ("post", "/api/tables/{table}/actions") in paths
    assert ("get", "/api/tables/{table}/stream") in paths
    assert len(paths) >= 28
    for _, path, told in described.operations():
        assert told.get("description"), path


def test_every_example_fits_its_schema(described):
    found = 0
    for part in described.parts.values():
        for field in (part, *part.get("properties", {}).values()):
            for example in field.get("examples", ()):
                described.check(example, field)
                found += 1
    assert found >= 10


def test_every_example_of_a_command_is_accepted(described, ada):
    asked = 0
    for method, path, told in described.operations():
        if method != "post":
            continue
        schema = told["requestBody"]["content"]["application/json"]["schema"]
        body = example_of(schema, described.parts)
        described.check(body, schema)
        url = ada.url(path.format(table="0123456789abcdef"))
        answer = ada.http.post(url, json=body)
        if answer.status_code == 204:  # the answer to a ping: whose stream it is, is not told
            assert path.endswith("/present")
            continue
        described.check(answer.json(), described.answer("post", path, answer.status_code))
        assert answer.status_code == 201 or answer.json()["code"] in ("not-found", "bad-record"), (path, answer.text)
        asked += 1
    assert asked >= 18


@pytest.mark.parametrize("game", ["bigpoints", "rondo", "turmbauer", "template"])
def test_every_response_fits_the_openapi_document(described, server, game):
    ada = Person(server)
    table = ada.open_table(game, "Ada", "level:1", first=0, games=1, public=True)
    told = table.look()

    def fits(method: str, path: str, body: Any, status: int = 200) -> None:
        described.check(body, described.answer(method, path, status))

    here = "/api/tables/{table}"
    fits("get", here, told)
    fits("get", f"{here}/events", table.events(0))
    body = {"seat": 0, "version": told["version"], "draft": [told["position"]["choices"][0]["text"]]}
    fits("post", f"{here}/preview", table.ask("preview", **body))
    fits("post", f"{here}/hint", table.ask("hint", seat=0, version=told["version"]))
    fits("post", f"{here}/actions", table.do("actions", **body))
    fits("post", f"{here}/actions", table.refused("actions", **body).body, 409)
    fits("post", f"{here}/actions", table.refused("actions", **{**body, "draft": 5}).body, 422)
    fits("post", f"{here}/actions", table.refused("actions", **{**body, "seat": 1}).body, 403)
    fits("get", "/api/tables", ada.get("/api/tables").json())
    now = table.wait_until(lambda now: now["table"]["waiting"] == "person")
    fits("get", here, now)
    fits("post", f"{here}/undo", table.do("undo", seat=0, version=now["version"]))
    fits("get", here, httpx.get(ada.url(table.path), timeout=TIMEOUT).json())
    table.do("resign", seat=0)
    fits("get", here, table.look())
    fits("post", f"{here}/rematch", table.do("rematch"))
    fits("post", "/api/replays", ada.post("/api/replays", record=table.record()))
    fits("get", "/api/games", ada.get("/api/games").json())
    fits("get", "/api/fairness", ada.get("/api/fairness").json())
    fits("get", "/healthz", httpx.get(ada.url("/healthz"), timeout=TIMEOUT).json())


def test_a_finished_game_fits_the_openapi_document(described, ada):
    table = ada.open_table("template", "Ada", "level:1", first=0, games=1)
    told = table.play(0)
    described.check(told, described.answer("get", "/api/tables/{table}", 200))
    assert told["position"]["outcome"]
    described.check(ada.post("/api/replays", record=table.record()), described.answer("post", "/api/replays", 200))
    broken = {**told, "position": {**told["position"], "view": {"any": "thing"}}}
    with pytest.raises(jsonschema.ValidationError):
        described.check(broken, described.answer("get", "/api/tables/{table}", 200))
