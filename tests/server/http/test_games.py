"""Routes about the games and about the server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from spieltisch import __version__, registry
from spieltisch.i18n.format import LANGUAGES
from spieltisch.testing.conformance import check_card
from tests.support.server import Person, Server, running_server


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
