"""What the web table needs of the server: its files, where it is, what games are like, records retold and proven, who is there."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from spieltisch import __version__, registry
from spieltisch.i18n.format import LANGUAGES
from spieltisch.records import read
from spieltisch.records.replay import replay
from spieltisch.server.app import create_app
from spieltisch.server.http.limits import RateLimits
from spieltisch.server.runtime import presence as presences
from spieltisch.server.runtime.presence import Presence
from spieltisch.server.storage.errors import StoreUnavailable
from spieltisch.server.storage.store import Store
from spieltisch.server.workers.pool import WorkerPool
from spieltisch.testing.conformance import check_card
from tests.server.http.test_sse import Wire, read_until
from tests.support.postgres import Process, postgres
from tests.support.serving import PATIENCE, Person, Refused, Server, serving, together

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("web")) as server:
        yield server


@pytest.fixture(scope="module")
def record(server) -> str:
    """A whole game between a person and a bot."""
    at = Person(server).opens("template", "Ada", "level:1", games=1)
    at.play(0)
    return at.record()


# the description


def test_the_description_that_the_web_is_built_from_is_the_servers():
    made = subprocess.run(
        [sys.executable, "-m", "spieltisch.server.http.openapi"], capture_output=True, text=True, check=True
    )
    kept = (ROOT / "web" / "api" / "openapi.json").read_text(encoding="utf-8")
    assert made.stdout == kept, "The server's answers have changed: run `make api`."
    assert kept == json.dumps(json.loads(kept), sort_keys=True, indent=1, ensure_ascii=False) + "\n"


# games, and where the server is


@pytest.mark.parametrize("name", registry.names())
def test_every_game_says_in_a_line_what_it_is_like_and_how_long_it_takes(name):
    check_card(registry.find(name))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_games_are_offered_with_their_line_in_the_readers_language(server, language):
    cards = Person(server, language=language).get("/api/games").json()
    english = {card["game"]: card["line"] for card in Person(server).get("/api/games").json()}
    assert [card["game"] for card in cards] == [game.name for game in registry.offered()]
    for card in cards:
        assert (card["line"] == english[card["game"]]) == (language == "en")
        assert card["minutes"] == registry.find(card["game"]).minutes


def test_the_server_says_where_it_is_only_where_it_is_open_to_the_network(server, tmp_path):
    told = Person(server).get("/api/here").json()
    assert told == {"version": __version__, "lan": None, "languages": list(LANGUAGES)}
    with serving(tmp_path, "--lan") as open_to_all:
        lan = Person(open_to_all).get("/api/here").json()["lan"]
    assert re.fullmatch(rf"http://[^/:]+:{open_to_all.port}", lan)


# records


def retold(server: Server, record: str, language: str = "en", **asked: object) -> dict:
    return Person(server, language=language).post("/api/replays", record=record, **asked)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_replay_tells_every_position_in_sentences_and_the_end_as_the_table_did(server, language):
    at = Person(server, language=language).opens("template", "Ada", "level:1", games=1)
    over = at.play(0)["position"]
    told = retold(server, at.record(), language, viewer=0)
    assert len(told["told"]) == len(told["views"]) == len(told["events"]) + 1
    assert told["views"][-1] == over["view"]
    assert told["told"][-1] == over["told"]
    assert (told["sheet"], told["winners"], told["outcome"]) == (over["sheet"], over["winners"], over["outcome"])
    assert told["sheet"]


def test_a_replay_looks_with_the_eyes_that_were_asked_for(server, record):
    mine, theirs = (retold(server, record, viewer=viewer)["told"] for viewer in (0, None))
    assert mine[9] != theirs[9]
    assert any(sentence.startswith("You hold ") for sentence in mine[9])
    assert not any(sentence.startswith("You ") for sentence in theirs[9])


def test_a_replay_of_an_unfinished_game_has_no_winners(server):
    at = Person(server).opens("template", "Ada", "Eva", games=1)
    at.do("resign", seat=0)
    told = retold(server, at.record())
    assert (told["sheet"], told["winners"], told["outcome"]) == ([], None, None)


def proof(server: Server, record: str, language: str = "en") -> dict:
    return Person(server, language=language).post("/api/proofs", record=record)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_proof_says_what_verify_says(server, record, tmp_path, language):
    (tmp_path / "a.game").write_text(record, encoding="utf-8")
    command = [sys.executable, "-m", "spieltisch", "verify", "a.game", "--language", language]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()
    told = proof(server, record, language)
    assert f"a.game: {told['words']}" == said
    assert (told["fair"], told["games"]) == (True, 1)
    assert told["draws"] == len(replay(registry.find("template"), read(record).games[0]).draws) > 6


def test_a_draw_that_does_not_follow_from_its_proof_is_named(server, record):
    secret = re.findall(r"^secret +(\S+)", record, re.MULTILINE)[0]
    told = proof(server, record.replace(secret, secret[:-1] + ("0" if secret[-1] != "0" else "1")))
    assert (told["fair"], told["words"]) == (False, "The secret is not the one that was committed to.")
    told = proof(server, record.replace("secret ", f"nonce 0 {'ab' * 16}\nsecret ", 1))
    assert told["fair"] is False
    assert re.fullmatch(r"Draw \d+ does not follow from the secret and the nonces\.", told["words"])


def test_a_record_without_a_proof_is_in_order_but_not_proven(server, record):
    told = proof(server, re.sub(r"^(secret|commit) .*\n", "", record, flags=re.MULTILINE))
    assert told["fair"] is False
    assert re.fullmatch(r"in order, one game with \d+ actions\.", told["words"])


@pytest.mark.parametrize("change", [lambda text: "nonsense", lambda text: text.replace("* ", "0 ", 1), lambda text: ""])
def test_a_record_that_cannot_be_read_is_refused_as_in_replays(server, record, change):
    answers = []
    for ask in (retold, proof):
        with pytest.raises(Refused) as refused:
            ask(server, change(record))
        answers.append(refused.value.body)
    assert answers[0] == answers[1]
    assert answers[0]["code"] == "bad-record"


# the web's files

FILES = {
    "index.html": b"<!doctype html><title>Table</title>" + b"<p>shell</p>" * 20,
    "assets/index-Abc123.js": b"console.log(1);\n" * 50,
    "assets/index-Abc123.css": b"a { color: red }\n",
    "manifest.webmanifest": b"{}",
    "sw.js": b"// worker",
    "icons/icon-192.png": b"\x89PNG",
}
KINDS = {
    "/": "text/html; charset=utf-8",
    "/assets/index-Abc123.js": "text/javascript; charset=utf-8",
    "/assets/index-Abc123.css": "text/css; charset=utf-8",
    "/manifest.webmanifest": "application/manifest+json",
    "/sw.js": "text/javascript; charset=utf-8",
    "/icons/icon-192.png": "image/png",
}
PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


class Built:
    """The application over a folder of built files, asked without a network."""

    def __init__(self, folder: Path) -> None:
        static = folder / "static"
        for name, body in FILES.items():
            path = static / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body)
            if path.suffix in (".html", ".js"):
                path.with_name(path.name + ".gz").write_bytes(gzip.compress(body))
                path.with_name(path.name + ".br").write_bytes(b"br of " + path.name.encode())
        (folder / "secret.txt").write_text("nobody's business")
        self.app = create_app(Store("sqlite+aiosqlite://"), WorkerPool(rules=1, bots=1), RateLimits(), folder=static)

    def ask(self, path: str, method: str = "GET", **headers: str) -> httpx.Response:
        sent = {"accept-encoding": "identity", **{name.replace("_", "-"): value for name, value in headers.items()}}

        async def ask() -> httpx.Response:
            async with httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url="http://here") as client:
                return await client.request(method, path, headers=sent)

        return asyncio.run(ask())


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Built:
    return Built(tmp_path_factory.mktemp("built"))


@pytest.mark.parametrize("path", KINDS)
def test_every_file_comes_as_what_it_is_with_the_manners_of_every_answer(built, path):
    answer = built.ask(path)
    assert (answer.status_code, answer.content) == (200, FILES[path.removeprefix("/") or "index.html"])
    assert answer.headers["content-type"] == KINDS[path]
    assert answer.headers["content-security-policy"].startswith("default-src 'self'; img-src 'self' data:;")
    keep = "public, max-age=31536000, immutable" if path.startswith("/assets/") else "no-cache"
    assert answer.headers["cache-control"] == keep


@pytest.mark.parametrize("path", ["/", "/table/0123456789abcdef", "/rules/template", "/replay"])
def test_every_screen_is_the_shell(built, path):
    answer = built.ask(path)
    assert (answer.status_code, answer.content) == (200, FILES["index.html"])
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/", "/sw.js", "/replay", "/assets/index-Abc123.js", "/icons/icon-192.png"])
def test_the_head_alone_can_be_asked_for_and_what_has_not_changed_is_not_sent_again(built, path):
    whole, head = built.ask(path), built.ask(path, "HEAD")
    assert (head.status_code, dict(head.headers)) == (200, dict(whole.headers))
    again = built.ask(path, if_none_match=whole.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == whole.headers["etag"]
    assert built.ask(path, if_none_match='"another"').status_code == 200


@pytest.mark.parametrize(
    ("taken", "sent"),
    [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip;q=0.5", "gzip"), ("identity", None), ("", None)],
)
def test_whoever_takes_it_gets_the_smaller_form(built, taken, sent):
    answer = built.ask("/assets/index-Abc123.js", "HEAD", accept_encoding=taken)
    assert answer.headers.get("content-encoding") == sent
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    sizes = {"br": len(b"br of index-Abc123.js"), None: len(FILES["assets/index-Abc123.js"])}
    sizes["gzip"] = len(gzip.compress(FILES["assets/index-Abc123.js"]))
    assert int(answer.headers["content-length"]) == sizes[sent]
    if sent == "gzip":
        assert built.ask("/assets/index-Abc123.js", accept_encoding=taken).content == FILES["assets/index-Abc123.js"]
    plain = built.ask("/assets/index-Abc123.css", accept_encoding=taken)
    assert not {"content-encoding", "vary"} & set(plain.headers)


def test_another_form_is_another_thing_to_a_browser_that_remembers(built):
    tags = {built.ask("/", "HEAD", accept_encoding=taken).headers["etag"] for taken in ("br", "gzip", "identity")}
    assert len(tags) == 3


@pytest.mark.parametrize(
    "path",
    ["/nowhere", "/assets/gone-1.js", "/assets/../../secret.txt", "/assets/%2e%2e/%2e%2e/secret.txt", "/..%2fsecret.txt",
     "/assets//etc/passwd", "/sw.js%0A", "/assets/index-Abc123.js.br", "/index.html.gz", "/table/", "/table/a/b", "/assets/"],
)  # fmt: skip
def test_what_is_not_there_is_refused_and_shown_by_the_shell_to_whoever_looks(built, path):
    answer = built.ask(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    shown = built.ask(path, **PAGE)
    assert (shown.status_code, shown.content) == (404, FILES["index.html"])
    assert built.ask(path, "POST", **PAGE).status_code in (404, 405)


def test_no_path_of_the_api_answers_with_the_shell(built):
    answer = built.ask("/api/nowhere", **PAGE)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    refused = built.ask("/replay", "POST")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


def test_where_nothing_was_built_there_is_a_plain_page(tmp_path):
    built = Built(tmp_path)
    (tmp_path / "static" / "index.html").unlink()
    built.app = create_app(
        Store("sqlite+aiosqlite://"), WorkerPool(rules=1, bots=1), RateLimits(), folder=tmp_path / "static"
    )
    page = built.ask("/")
    assert "An unofficial adaptation" in page.text
    assert built.ask("/", "HEAD").headers == page.headers
    for path in ("/replay", "/sw.js", "/assets/index-Abc123.js"):
        assert built.ask(path, **PAGE).json()["code"] == "not-found"


def test_a_real_server_answers_a_head_without_a_body(server):
    whole, head = (httpx.request(method, server.address, timeout=PATIENCE) for method in ("GET", "HEAD"))
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == whole.headers["content-length"]


# who is there


def there(wire: Wire) -> list[list[int]]:
    """Who was told to be there, one after another."""
    return [event["data"]["seats"] for event in wire.events if event["event"] == "here"]


def wait_for(wire: Wire, *seats: list[int]) -> None:
    """Reads until just this was told."""
    read_until([wire], lambda wire: len(there(wire)) >= len(seats))
    assert there(wire) == list(seats)


def read_for(wire: Wire, seconds: float) -> None:
    """Reads whatever comes in that time."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([wire], [], [], left)[0]:
            wire.take()


def test_a_stream_begins_with_who_is_there_and_tells_who_comes_and_goes(server):
    ada, eva = together(server, "template", "Ada", "Eva", games=1)
    before = ada.look()["version"]
    with Wire(ada) as first:
        wait_for(first, [0])
        assert [event["event"] for event in first.events][-2:] == ["table", "here"]
        with Wire(eva) as second:
            wait_for(second, [0, 1])
            wait_for(first, [0], [0, 1])
            with Wire(Person(server).opens("template", "Cleo", "open", public=True)) as elsewhere:
                wait_for(elsewhere, [0])
        began = time.monotonic()
        wait_for(first, [0], [0, 1], [0])
        assert time.monotonic() - began > 1.5
        kinds = [event["event"] for event in first.events]
        assert kinds.count("table") == 1  # nobody has asked the rules
    assert ada.look()["version"] == before  # and nothing of it is kept


def test_a_reload_is_no_news(server):
    ada, eva = together(server, "template", "Ada", "Eva", games=1)
    with Wire(ada) as watching:
        for _ in range(3):
            with Wire(eva) as reloaded:
                read_until([reloaded], there)
                assert there(reloaded) == [[0, 1]]
            time.sleep(0.3)
        with Wire(eva):
            read_for(watching, 2.5)
            assert there(watching) == [[0], [0, 1]]


def test_spectators_are_told_and_not_counted_and_one_device_may_have_several_seats(server):
    both = Person(server).opens("template", "Ada", "Eva", public=True)
    with Wire(Person(server).at(both.table)) as passing:
        wait_for(passing, [])
        with Wire(both), Wire(both):
            wait_for(passing, [], [0, 1])


def test_whoever_takes_a_seat_or_leaves_it_while_listening_is_there_or_not(server):
    ada = Person(server).opens("template", "Ada", "open", "open", public=True)
    eva = Person(server).at(ada.table)
    with Wire(ada) as first, Wire(eva) as second:
        wait_for(first, [0])
        wait_for(second, [0])
        eva.do("join", name="Eva", seat=2)
        wait_for(first, [0], [0, 2])
        wait_for(second, [0], [0, 2])
        eva.do("leave", seat=2)
        wait_for(first, [0], [0, 2], [0])


def test_who_is_there_is_known_at_every_process():
    address = postgres().database()
    here, beyond = processes = [Process(address), Process(address)]
    try:
        ada, eva = together(here, "template", "Ada", "Eva", games=1)
        afar = Person(beyond, eva.person.secret).at(ada.table)
        with Wire(ada) as first:
            wait_for(first, [0])
            with Wire(afar) as second:
                wait_for(first, [0], [0, 1])
                read_until([second], lambda wire: there(wire)[-1:] == [[0, 1]])
            with Wire(eva):  # the next connection goes to the other process
                read_for(first, 3)
                assert there(first) == [[0], [0, 1]]
            wait_for(first, [0], [0, 1], [0])
    finally:
        assert [process.end() for process in processes] == [0, 0]


class Ether:
    """A store that carries what processes tell each other, to tests that lose it."""

    shared = True

    def __init__(self) -> None:
        self.told: list[str] = []
        self.away = False
        self.notifications = self

    @contextlib.asynccontextmanager
    async def transaction(self):
        if self.away:
            raise StoreUnavailable
        yield None

    def subscribe_presence(self, handler) -> None:
        pass

    async def send_presence(self, _: None, content: str) -> None:
        self.told.append(content)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - what is waited for rings no bell
            await asyncio.sleep(0.01)


def test_what_other_processes_do_not_repeat_is_forgotten_and_what_was_not_told_is_told_later(monkeypatch):
    for name, seconds in (("GRACE_PERIOD", 0.05), ("BROADCAST_INTERVAL", 0.1), ("EXPIRY", 1.5)):
        monkeypatch.setattr(presences, name, seconds)

    async def pass_time() -> None:
        ether, woken = Ether(), []
        presence = Presence(ether, woken.append)
        telling = asyncio.create_task(presence.broadcast())
        stream = object()
        presence.connect("table", stream, [0, 2])
        await until(lambda: len(ether.told) > 2)  # at once, and again and again
        assert set(ether.told) == {"table:0,2"}
        presence.receive("another", "table:1 elsewhere:0")
        assert (presence.seats("table"), presence.seats("elsewhere")) == ([0, 1, 2], [0])
        ether.told, ether.away = [], True
        presence.disconnect("table", stream)
        await until(lambda: presence.seats("table") == [1])
        assert ether.told == []
        ether.away = False
        await until(lambda: ether.told == ["table:"])
        await until(lambda: presence.seats("table") == presence.seats("elsewhere") == [])
        assert woken == ["table", "table", "elsewhere", "table", "table", "elsewhere"]
        telling.cancel()

    asyncio.run(pass_time())


def test_what_is_told_of_many_tables_fits_into_a_message():
    async def tell() -> None:
        ether = Ether()
        presence = Presence(ether, lambda _: None)
        for number in range(250):
            presence.connect(f"{number:016x}", object(), range(6))
        telling = asyncio.create_task(presence.broadcast())
        await asyncio.sleep(0.1)
        telling.cancel()
        assert sum(len(told.split()) for told in ether.told) == 250
        assert max(map(len, ether.told)) < 7000  # PostgreSQL takes 8000 bytes

    asyncio.run(tell())
