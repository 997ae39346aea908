"""Routes about the games and about the server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from spieltisch import __version__, registry
from spieltisch.i18n.format import LANGUAGES
from spieltisch.testing.conformance import check_card
from tests.support.server import (
    TIMEOUT,
    Person,
    Server,
    running_server,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("web")) as server:
        yield server


@pytest.mark.parametrize("name", registry.names())
def test_every_game_has_a_complete_card(name):
    check_card(registry.find(name))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_games_are_listed_with_their_line_in_the_readers_language(server, language):
    cards = Person(server, language=language).get("/api/games").json()
    english = {card["game"]: card["line"] for card in Person(server).get("/api/games").json()}
    assert [card["game"] for card in cards] == [game.name for game in registry.offered()]
    for card in cards:
        assert (card["line"] == english[card["game"]]) == (language == "en")
        assert card["minutes"] == registry.find(card["game"]).minutes


def test_the_lan_address_is_shown_only_if_the_server_is_open_to_the_network(server, tmp_path):
    told = Person(server).get("/api/here").json()
    assert told == {"version": __version__, "lan": None, "languages": list(LANGUAGES)}
    with running_server(tmp_path, "--lan") as open_to_all:
        lan = Person(open_to_all).get("/api/here").json()["lan"]
    assert re.fullmatch(rf"http://[^/:]+:{open_to_all.port}", lan)


def test_the_games_are_described_in_six_languages(server):
    said = {}
    for language in LANGUAGES:
        cards = {card["game"]: card for card in Person(server, language=language).get("/api/games").json()}
        assert set(cards) == {"bigpoints", "rondo", "turmbauer"}
        said[language] = [option["words"] for option in cards["bigpoints"]["options"]]
        assert all(said[language])
    assert len({tuple(words) for words in said.values()}) == 6
    assert cards["bigpoints"]["players"] == [2, 3, 4, 5]
    assert cards["bigpoints"]["games"]["3"] == 3
    assert cards["rondo"]["hides"]
    assert cards["rondo"]["options"][0]["values"] is None
    assert cards["turmbauer"]["bots"][:2] == ["level:1", "level:2"]


def test_every_game_has_its_rules_in_six_languages(server):
    for game in ("bigpoints", "rondo", "turmbauer"):
        pages = [Person(server, language=language).get(f"/api/games/{game}/rules") for language in LANGUAGES]
        assert len({page.text for page in pages}) == 6
        assert all(page.text.startswith("#") for page in pages)
        assert pages[0].headers["content-type"].startswith("text/plain")


def test_the_draws_of_finished_games_are_compared_with_their_odds(server):
    ada = Person(server)
    tables = [ada.open_table("template", "Ada", "level:1", first=0, games=1) for _ in range(2)]
    for table in tables:
        table.play(0)
    games = {one["game"]: one for one in ada.get("/api/fairness").json()}
    assert games["template"]["games"] >= 2
    assert games["template"]["draws"] >= 2 * 6
    for test in games["template"]["tests"]:
        assert 0 <= test["p"] <= 1
        assert sum(piece["seen"] for piece in test["pieces"]) == pytest.approx(
            sum(piece["expected"] for piece in test["pieces"])
        )
    before = games["template"]["games"]
    table.delete()
    assert {one["game"]: one for one in ada.get("/api/fairness").json()}["template"][
        "games"
    ] == before  # a sum, in which nobody can be found


def test_the_api_page_needs_no_script(server):
    page = httpx.get(f"{server.address}/api/docs", timeout=TIMEOUT)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "<script" not in page.text
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert "/plain.css" in page.text
    assert "POST /api/tables/{table}/actions" in page.text
    assert httpx.get(f"{server.address}/plain.css", timeout=TIMEOUT).headers["content-type"].startswith("text/css")
    health = httpx.get(f"{server.address}/healthz", timeout=TIMEOUT).json()
    assert (health["status"], health["version"]) == ("ok", __version__)


def test_accept_language_is_understood_and_the_query_has_priority(server):
    url = f"{server.address}/api/games/none/rules"

    def said(accept: str, **query: str) -> str:
        return httpx.get(url, headers={"Accept-Language": accept}, params=query, timeout=TIMEOUT).json()["message"]

    german, dutch, english = said("de"), said("", language="nl"), said("")
    assert len({german, dutch, english}) == 3
    assert said("de-AT,de;q=0.9,en;q=0.8") == german
    assert said("pl, nl;q=0.5") == dutch
    assert said("de", language="nl") == dutch
    assert said("pl") == said("*") == said("," * 500) == english
    refused = httpx.get(f"{server.address}/api/games", params={"language": "xx"}, timeout=TIMEOUT)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-request")
    assert "xx" in refused.json()["message"]
