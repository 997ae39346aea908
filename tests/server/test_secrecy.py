"""Nobody receives what is another's: whole games over HTTP, with everything kept that anybody was ever sent.

What the server hides when worlds differ is tested in test_server_worlds.py; here every byte of played games is held
against the record that everybody may read afterwards, and against the secrets that nobody may ever read.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from spieltisch import registry
from spieltisch.core.game import Decision, Game, Heard, Seat, Viewer
from spieltisch.core.json import to_json
from spieltisch.i18n.format import format_message, format_messages
from spieltisch.i18n.message import Audience
from spieltisch.records import BadRecord, Move, read
from spieltisch.records.replay import replay
from spieltisch.server.storage.store import Store
from spieltisch.server.storage.writes import TableWrite
from spieltisch.table.codec import Row
from tests.support.command import CommandResult, run
from tests.support.server import TIMEOUT, Person, Refused, Server, TableClient, running_server

GAMES = [*registry.offered(), registry.find("template")]
OPTIONS = {"turmbauer": {"hand": "shaky"}}  # its towers do not last long
NAMES = ("Ada Ägypten", "Bob O’Brian")


class Leak(AssertionError):
    """Somebody has received what it must not know."""


class Client(Person):
    """Somebody whose answers are kept with their headers."""

    def __init__(self, server: Server, secret: str | None = None) -> None:
        super().__init__(server, secret)
        self.heads: list[bytes] = []
        self.previews: list[tuple[int, list[str], dict[str, Any]]] = []
        self.http.event_hooks = {"response": [self._keep_head]}

    def _keep_head(self, answer: httpx.Response) -> None:
        self.heads += [name + b": " + value for name, value in answer.headers.raw]

    @property
    def holder(self) -> str:
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def tries(self, at: TableClient, what: str, **body: Any) -> dict[str, Any]:
        """The answer, or the refusal."""
        try:
            return at.ask(what, **body)
        except Refused as error:
            return error.body


class Ear:
    """Somebody's event stream, listened to until the match is over or the table is gone."""

    def __init__(self, at: TableClient) -> None:
        self.at = at
        self.told: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        with self.at.stream() as events:
            for event in events:
                with self._news:
                    self.told.append(event)
                    self._news.notify_all()
                if event["event"] == "gone" or event.get("data", {}).get("table", {}).get("status") == "over":
                    return

    def wait(self, true: Any, version: int = 0) -> dict[str, Any]:
        """How the table is, as soon as it is so far and something is true of it."""

        def last() -> dict[str, Any] | None:
            tables = (event["data"] for event in reversed(self.told) if event["event"] == "table")
            return next((told for told in tables if told["version"] >= version and true(told)), None)

        with self._news:
            assert self._news.wait_for(last, TIMEOUT), self.told[-1:]
            found = last()
        assert found is not None
        return found

    def end(self) -> None:
        self._thread.join(TIMEOUT)
        assert not self._thread.is_alive()


def commit(nonce: str) -> str:
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


def is_due(table: dict[str, Any]) -> bool:
    """Whether somebody has to decide, or nobody ever again."""
    return table["status"] == "over" or table["waiting"] == "person"


def pick(texts: list[str], dice: Random) -> str:
    """One of the choices by lot; towers are built as thin as possible, so that they soon collapse."""
    dice.shuffle(texts)
    return max(texts, key=lambda text: (_height(text), -int(text[0]) if text[0].isdigit() else 0))


def _height(text: str) -> float:
    heights = [int(cell.rpartition(",")[2]) for cell in text[1:].split(";")] if text[0] == "@" else [0]
    return sum(heights) / len(heights)


class Evening:
    """A whole game: two people, a spectator, a passer-by, and everything that they received."""

    def __init__(self, server: Server, game: str) -> None:
        self.game = registry.find(game)
        self.people = [Client(server), Client(server)]
        self.spectator, self.passer_by = Client(server), Client(server)
        self.nonces = [secrets.token_hex(16) for _ in self.people]
        ada = {"kind": "person", "name": NAMES[0], "commit": commit(self.nonces[0])}
        host = self.people[0].open_table(game, ada, "open", games=1, options=OPTIONS.get(game, {}))
        self.table = host.table
        self.code = host.look()["table"]["code"]
        self.at = [host, self.people[1].at(self.table)]
        self.watching, self.passing = self.spectator.at(self.table), self.passer_by.at(self.table)
        self.at[1].do("join", name=NAMES[1], code=self.code, commit=commit(self.nonces[1]))
        self.watching.do("watch", code=self.code)
        self.ears = [Ear(at) for at in (*self.at, self.watching)]
        self._play(self._reveal())
        for ear in self.ears:
            ear.end()
        self.record = self.at[0].record()
        self.secret = read(self.record).games[0].secret or ""
        for at in (*self.at, self.watching):
            at.events()
            at.look()
            assert at.record() == self.record

    def _reveal(self) -> int:
        """Gets the game to begin and answers how far it is: nobody can reveal too early, and no nonce was told before."""
        for seat, at in enumerate(self.at):
            with pytest.raises(Refused, match="not-now"):
                at.do("reveal", seat=seat, nonce=self.nonces[seat])
        self.at[1].do("start")
        self.ears[2].wait(lambda told: told["table"]["status"] == "revealing")
        everything = b"".join(piece for one in self.everybody for piece in list(one.received))
        for nonce in self.nonces:
            assert nonce.encode() not in everything
        done = [at.do("reveal", seat=seat, nonce=self.nonces[seat]) for seat, at in enumerate(self.at)]
        return int(done[-1]["version"])

    def _play(self, version: int) -> None:
        """Plays by lot, and pries about now and then."""
        dice, moved = Random(1), [0, 0]
        while True:
            told = self.ears[0].wait(lambda told: is_due(told["table"]), version)
            if told["table"]["status"] == "over":
                return
            turn = told["table"]["turn"]
            told = self.ears[turn].wait(lambda told: told["position"]["choices"], version)
            draft = [pick([choice["text"] for choice in told["position"]["choices"]], dice)]
            if moved[turn] in (1, 8, 25):
                self._pry(turn, told["version"], draft)
            version = self.at[turn].do("actions", seat=turn, version=told["version"], draft=draft)["version"]
            moved[turn] += 1

    def _pry(self, turn: int, version: int, draft: list[str]) -> None:
        """Everybody asks for all that there is, and for what there is not."""
        mover = self.people[turn]
        answer = self.at[turn].ask("preview", seat=turn, version=version, draft=draft)
        mover.previews.append((version, draft, answer))
        for at in (*self.at, self.watching):
            for query in ({}, {"seat": 0}, {"seat": 1}):
                at.look(**query)
            at.events(after=version // 2)
            at.record(seat=1)
        for client, at in zip(self.everybody, (*self.at, self.watching, self.passing), strict=True):
            for seat in (0, 1):
                if client is not mover or seat != turn:
                    assert "code" in client.tries(at, "preview", seat=seat, version=version, draft=draft)
                    assert "code" in client.tries(at, "hint", seat=seat, version=version)
                assert "code" in client.tries(
                    at, "actions", key="a-key-of-mine", seat=seat, version=version, draft=["?"]
                )
                assert "code" in client.tries(at, "preview", seat=seat, version=version, draft=["nonsense"])
        for path in ("/healthz", "/api/tables", "/api/fairness", "/api/games", "/"):
            self.passer_by.get(path)

    @property
    def everybody(self) -> list[Client]:
        return [*self.people, self.spectator, self.passer_by]

    def close(self) -> None:
        for one in self.everybody:
            one.http.close()


class Truth:
    """What really happened, from the record that is open to all at the end: what everybody should have been told."""

    def __init__(self, evening: Evening) -> None:
        self.game = evening.game.for_replay
        record = read(evening.record).games[0]
        past = replay(self.game, record)
        assert len(past.transitions) == len(past.steps)  # nothing was taken back
        self.steps = past.steps
        self.states = [*(step.before for step in past.steps), past.state]
        self.names = [name for _, name in record.names]
        happened = evening.watching.events()["events"]
        self.numbers = [event["number"] for event in happened if event["kind"] in ("move", "draw")]
        assert len(self.numbers) == len(self.steps)

    def entries(self, viewer: Viewer) -> list[Move]:
        return [Move(seat, self.game.witness(before, action, viewer)) for before, seat, action in self.steps]

    def event(self, number: int, viewer: Viewer) -> dict[str, Any]:
        """What the viewer should have been told of an action."""
        place = self.numbers.index(number)
        before, seat, action = self.steps[place]
        heard = Heard(seat, self.game.witness(before, action, viewer))
        views = [self.game.observe(state, viewer) for state in self.states[place : place + 2]]
        message = registry.speech(self.game).happened(views[0], heard, views[1], Audience(self.names, viewer))
        kind = "draw" if seat is None else "move"
        return {"kind": kind, "game": 0, "seat": seat, "text": heard.text, "words": format_message(message, "en")}

    def state(self, version: int) -> Any:
        return self.states[sum(number <= version for number in self.numbers)]

    def position(self, version: int, viewer: Viewer) -> dict[str, Any]:
        """What the viewer should have seen after that line: the view, what is said of it, and its choices."""
        state = self.state(version)
        view, pending = self.game.observe(state, viewer), self.game.pending(state)
        own = pending.actions if isinstance(pending, Decision) and pending.seat == viewer else ()
        sentences = registry.speech(self.game).position(view, Audience(self.names, viewer))
        return {
            "view": to_json(view),
            "told": list(format_messages(sentences, "en")),
            "choices": [self.game.write(state, action) for action in own],
        }

    def preview(self, version: int, draft: list[str], viewer: Viewer) -> Any:
        state = self.state(version)
        for text in draft:
            state = self.game.apply(state, self.game.read(state, text))
        return to_json(self.game.observe(state, viewer))


class Inspection:
    """Goes through all that a viewer has received, piece by piece, and knows every kind of piece there is."""

    def __init__(self, truth: Truth, evening: Evening, viewer: Viewer) -> None:
        self.truth = truth
        self.evening = evening
        self.viewer = viewer
        self.seen: dict[int, Any] = {}
        self.counts = dict.fromkeys(("event", "table", "here", "record", "preview", "done", "refused"), 0)

    def take(self, piece: bytes) -> None:
        """Checks one piece; a Leak says what is wrong with it."""
        if piece.startswith(b"format "):
            return self._record(piece.decode())
        if piece.startswith(b"data: "):
            return self._told(json.loads(piece.removeprefix(b"data: ")))
        if not piece or piece.startswith((b"id: ", b"event: ", b"retry: ", b": ")):
            return None
        return self._told(json.loads(piece))

    def _told(self, told: dict[str, Any]) -> None:
        if "number" in told:
            self._event(told)
        elif "position" in told:
            for event in told.get("events", ()):
                self._event(event)
            self._table(told)
        elif "complete" in told:
            self.counts["preview"] += 1  # checked with its draft
        elif set(told) == {"seats"} and set(told["seats"]) <= set(range(len(self.evening.people))):
            self.counts["here"] += 1  # numbers of seats, and nothing else
        elif set(told) <= {"version", "seat", "asked", "table"}:
            self.counts["done"] += 1
        elif set(told) == {"code", "message", "rule", "field", "line"}:
            self.counts["refused"] += 1
        else:
            raise Leak(f"something unknown: {told}")

    def _event(self, event: dict[str, Any]) -> None:
        self.counts["event"] += 1
        if event["kind"] in ("move", "draw"):
            right = self.truth.event(event["number"], self.viewer)
            if {field: event[field] for field in right} != right:
                raise Leak(f"{event} instead of {right}")
        elif event["kind"] not in ("begin", "sat") or event["text"]:
            raise Leak(f"{event}")

    def _table(self, told: dict[str, Any]) -> None:
        self.counts["table"] += 1
        table, version, position = told["table"], told["version"], told["position"]
        if table["viewer"] != self.viewer or table["you"] != ([] if self.viewer is None else [self.viewer]):
            raise Leak(f"the eyes of {table['viewer']}")
        if (table["code"] is None) != (self.viewer is None):
            raise Leak("the invitation")
        if table["status"] == "gathering" and table["fair"]["nonces"] != [None, None]:
            raise Leak("a nonce before all were committed to")
        if table["fair"]["secrets"] != [self.evening.secret if table["status"] == "over" else None]:
            raise Leak("the secret of chance")
        if position is not None:
            told_of = {**position, "choices": [choice["text"] for choice in position["choices"]]}
            if version not in self.seen:
                self.seen[version] = self.truth.position(version, self.viewer)
            for field, right in self.seen[version].items():
                if told_of[field] != right:
                    raise Leak(f"at {version} {field} {told_of[field]} instead of {right}")

    def _record(self, text: str) -> None:
        self.counts["record"] += 1
        if text == self.evening.record:
            return
        record = read(text).games[0]
        entries = self.truth.entries(self.viewer)
        if record.entries != tuple(entries[: len(record.entries)]) or record.secret or record.result:
            raise Leak(f"the record {text}")
        if record.viewer != (2 if self.viewer is None else self.viewer):
            raise Leak(f"the record of {record.viewer}")


def inspect(evening: Evening, truth: Truth, client: Client, viewer: Viewer) -> Inspection:
    """Checks all that a viewer has received."""
    inspection = Inspection(truth, evening, viewer)
    for piece in client.received:
        inspection.take(piece)
    for version, draft, answer in client.previews:
        if answer["view"] != truth.preview(version, draft, viewer):
            raise Leak(f"the preview of {draft} at {version}")
    return inspection


def search(evening: Evening, client: Client) -> None:
    """Looks through all bytes that somebody has received for what is nobody's business, or nobody's yet."""
    hidden = {one.holder: "the hash of a secret" for one in evening.everybody}
    hidden |= {one.secret: "somebody's secret" for one in evening.everybody if one is not client}
    if client not in evening.people:
        hidden[evening.code] = "the invitation"
    if client is evening.passer_by:
        hidden |= {evening.table: "the table", evening.secret: "the secret of chance", evening.nonces[0]: "a nonce"}
        hidden |= dict.fromkeys(NAMES, "a name")
    for piece in [*client.heads, *client.received]:
        for secret, what in hidden.items():
            if secret.encode() in piece or json.dumps(secret)[1:-1].encode() in piece:
                raise Leak(f"{what} in {piece!r}")
        over = b'"status":"over"' in piece or b"\nending " in piece
        if evening.secret.encode() in piece and not over:
            raise Leak(f"the secret of chance before the end in {piece!r}")


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def evenings(server) -> Iterator[dict[str, Evening]]:
    """The games that were played so far."""
    played: dict[str, Evening] = {}
    yield played
    for evening in played.values():
        evening.close()


@pytest.fixture(params=[game.name for game in GAMES])
def evening(request, server, evenings) -> Evening:
    if request.param not in evenings:
        evenings[request.param] = Evening(server, request.param)
    return evenings[request.param]


def test_everybody_is_told_what_they_may_know_and_nothing_else(evening):
    truth = Truth(evening)
    viewers = zip([*evening.people, evening.spectator], (Seat(0), Seat(1), None), strict=True)
    for client, viewer in viewers:
        counts = inspect(evening, truth, client, viewer).counts
        actions = len(truth.steps)
        assert counts["event"] > 2 * actions  # once by the stream, once at the end
        assert counts["table"] > actions // 4
        assert counts["record"] >= 3
        assert counts["refused"] >= 8
    assert all(client.previews for client in evening.people)
    for client in evening.everybody:
        search(evening, client)


def test_whoever_passes_by_is_told_nothing(evening):
    told = evening.passer_by.received
    assert len(told) > 20
    refusals = [json.loads(piece) for piece in told if b'"code"' in piece and b'"message"' in piece]
    assert {refusal["code"] for refusal in refusals} == {"not-found"}
    health = [json.loads(piece) for piece in told if piece.startswith(b'{"status"')]
    assert health
    assert all(set(one) == {"status", "version", "longest_pause"} for one in health)


def test_a_leak_would_be_found(evening):
    """What was received is changed a little, as a careless server would have sent it."""
    truth, client = Truth(evening), evening.spectator
    before_the_end = [piece for piece in client.received if evening.secret.encode() not in piece]
    table = next(piece for piece in reversed(before_the_end) if b'"position":{' in piece)
    happened = next(piece for piece in before_the_end if b'"kind":"move"' in piece and piece.startswith(b"data: "))
    whole = Inspection(truth, evening, None)
    whole.take(table)
    whole.take(happened)
    for piece in (
        table.replace(b'"secrets":[null]', b'"secrets":["' + evening.secret.encode() + b'"]'),
        table.replace(b'"code":null', b'"code":"' + evening.code.encode() + b'"'),
        table.replace(b'"viewer":null', b'"viewer":0', 1),
        table.replace(b'"choices":[]', b'"choices":[{"text":"x","words":"x","paths":[]}]'),
        happened.replace(b'"words":"', b'"words":"psst: '),
        happened.replace(b'"text":"', b'"text":"psst'),
        b'{"bag": 3}',
    ):
        assert piece not in (table, happened)
        with pytest.raises(Leak):
            whole.take(piece)
    with pytest.raises(Leak):
        inspect(evening, truth, evening.people[0], Seat(1))
    for place, (seen, done) in enumerate(zip(truth.entries(None), read(evening.record).games[0].entries, strict=True)):
        if seen != done:
            event = {"number": truth.numbers[place], **truth.event(truth.numbers[place], None)}
            whole.take(json.dumps(event).encode())
            with pytest.raises(Leak):
                whole.take(json.dumps({**event, "text": done.text}).encode())
    for secret in (evening.people[0].secret, evening.spectator.holder, evening.code, evening.secret):
        client.heads.append(f"x-debug: {secret}".encode())
        with pytest.raises(Leak):
            search(evening, client)
        client.heads.pop()


# Strangers, spectators, and other seats


@pytest.fixture
def newcomer(server) -> Iterator[Any]:
    """Makes somebody with a secret of their own, or without any."""
    came: list[Client] = []

    def come(*, secret: bool = True) -> Client:
        came.append(Client(server))
        if not secret:
            del came[-1].http.headers["authorization"]
        return came[-1]

    yield come
    for client in came:
        client.http.close()


ABOUT = "/api/tables/{table}"
FIELDS = {
    "key": "a-key-of-mine", "code": "not-the-code", "name": "Eve", "seat": 0, "about": 0, "nonce": "00" * 16,
    "version": 9, "draft": ["R"], "yes": True,
}  # fmt: skip
ALONE = ("watch", "join")  # whoever has the invitation may do this: it is what tells strangers from guests


def requests(server: Server) -> Iterator[tuple[str, str, dict[str, Any] | None]]:
    """Everything that can be asked about a table: the method, what comes after the table's name, and a body."""
    whole = httpx.get(f"{server.address}/api/openapi.json", timeout=TIMEOUT).json()
    for path, methods in whole["paths"].items():
        for method, told in methods.items():
            if path.startswith(ABOUT):
                what = path.removeprefix(ABOUT).replace("{event}", "1")
                yield method.upper(), what, body_of(told, whole["components"]["schemas"])


def body_of(told: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any] | None:
    """A body with every field that is needed; a KeyError shows that FIELDS lacks one of a new path."""
    if "requestBody" not in told:
        return None
    schema = told["requestBody"]["content"]["application/json"]["schema"]
    fields = parts[schema["$ref"].rpartition("/")[2]]
    return {name: FIELDS[name] for name in fields["required"]}


def begun(newcomer: Any, **more: Any) -> tuple[Client, Client, TableClient]:
    """A table at which two people play."""
    ada, bob = newcomer(), newcomer()
    at = ada.open_table("template", "Ada", "open", games=1, **more)
    bob.at(at.table).do("join", name="Bob", code=at.look()["table"]["code"])
    at.do("start")
    return ada, bob, at


def test_a_private_table_is_not_there_for_strangers(server, newcomer):
    """Whatever they ask, they are answered as if there were no such table."""
    ada, eve, nobody = newcomer(), newcomer(), newcomer(secret=False)
    _, _, playing = begun(newcomer)
    gathering = ada.open_table("template", "Ada", "open")
    _, _, over = begun(newcomer)
    over.do("resign", seat=0)
    asked = list(requests(server))
    assert len(asked) >= 20
    for method, what, body in asked:
        for client in (eve, nobody):
            answers = [
                client.http.request(
                    method, client.url(f"/api/tables/{table}{what}"), json=body, params={"language": "en"}
                )
                for table in ("0123456789abcdef", playing.table, gathering.table, over.table)
            ]
            found = {(answer.status_code, answer.json()["code"]) for answer in answers}
            assert found == {(404, "not-found") if client is eve or method == "GET" else (403, "not-yours")}, what
            if what.removeprefix("/") not in ALONE:
                assert len({answer.content for answer in answers}) == 1, what


def test_nothing_was_changed_by_strangers_and_their_keys_are_free(server, newcomer):
    """What is refused is not kept: the same key is good for the same person later."""
    _, _, at = begun(newcomer)
    eve, before = newcomer(), at.look()
    for method, what, body in requests(server):
        eve.http.request(method, eve.url(f"{at.path}{what}"), json=body)
    assert at.look() == before
    watch = {"key": FIELDS["key"], "code": before["table"]["code"]}
    assert eve.post(f"{at.path}/watch", **watch)["version"] == before["version"] + 1
    assert eve.at(at.table).look()["table"]["viewer"] is None


@pytest.mark.parametrize("public", [False, True])
def test_nobody_speaks_for_a_seat_of_somebody_else(server, newcomer, public):
    _, bob, at = begun(newcomer, public=public)
    guest = newcomer()
    guest.at(at.table).do("watch", code=at.look()["table"]["code"])
    before, others = at.look(), [bob, guest] + ([newcomer()] if public else [])
    for method, what, body in requests(server):
        if method == "GET" or what.removeprefix("/") in ALONE or what in ("/continue", "/rematch", "/start"):
            continue
        for client in others:
            answer = client.http.request(method, client.url(f"{at.path}{what}"), json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "not-yours"), what
    for client in others[1:]:
        for what in ("continue", "rematch", "start"):
            with pytest.raises(Refused, match="not-yours"):
                client.at(at.table).do(what)
    assert at.look() == before
    for client, viewer in zip(others, [1, None, None], strict=False):
        for seat in (0, 1, 5):
            told = client.at(at.table).look(seat=seat)
            assert told["table"]["viewer"] == told["position"]["view"]["viewer"] == viewer


def test_a_public_table_can_be_watched_without_a_secret(newcomer):
    _, _, at = begun(newcomer, public=True)
    nobody = newcomer(secret=False)
    passing = nobody.at(at.table)
    assert passing.look()["table"]["viewer"] is None
    assert passing.look()["table"]["code"] is None
    assert passing.events()["events"]
    assert "viewer    2\n" in passing.record()
    with passing.stream() as events:
        assert next(event for event in events if event["event"] == "table")["data"]["table"]["you"] == []
    assert at.table in nobody.get("/api/tables").text
    for method, what, body in requests(nobody.server):
        if method != "GET":
            answer = nobody.http.request(method, nobody.url(f"{at.path}{what}"), json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "not-yours"), what


# Deletion


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def lines_of(file: Path, table: str) -> list[str]:
    """The lines that no other table's log has, read beside the server."""
    own = 'SELECT line FROM log WHERE "table" = ? ORDER BY number'
    others = 'SELECT line FROM log WHERE "table" != ?'
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        common = {line for (line,) in connection.execute(others, (table,))}
        return [line for (line,) in connection.execute(own, (table,)) if line not in common and len(line) > 20]


def test_a_deleted_table_leaves_nothing_in_any_file(server, newcomer):
    """Names, codes, secrets, lines and keys: nothing of them is left, and whoever watches is told that it is gone."""
    ada, bob, guest = newcomer(), newcomer(), newcomer()
    nonce = secrets.token_hex(16)
    at = ada.open_table(
        "template", {"kind": "person", "name": "Ada the Deleted", "commit": commit(nonce)}, "open", games=2
    )
    code = at.look()["table"]["code"]
    bob.at(at.table).do("join", name="Bob to be forgotten", code=code)
    guest.at(at.table).do("watch", code=code)
    ear = Ear(guest.at(at.table))
    at.do("start")
    at.do("reveal", seat=0, nonce=nonce)
    key = "a-key-to-be-forgotten"
    told = at.wait_until(lambda told: told["table"]["status"] == "playing")
    mover = (at, bob.at(at.table))[told["table"]["turn"]]
    draft = [mover.look()["position"]["choices"][0]["text"]]
    mover.do("actions", key=key, seat=told["table"]["turn"], version=told["version"], draft=draft)
    folder = server.file.parent
    lines = lines_of(server.file, at.table)
    assert len(lines) == 5  # opened, two seats, the guest, the nonce: lines that say nothing of the table are left out
    chance = json.loads(lines[0].removeprefix("@ "))["secrets"]
    traces = [*lines, *chance, "Ada the Deleted", "Bob to be forgotten", code, nonce, key, at.table]
    traces += [one.holder for one in (ada, bob, guest)]
    assert len(chance) == 2
    before = bytes_of(folder)
    assert all(trace.encode() in before for trace in traces)
    with pytest.raises(Refused, match="not-yours"):
        bob.at(at.table).delete()
    at.delete()
    after = bytes_of(folder)
    assert [trace for trace in traces if trace.encode() in after] == []
    ear.end()
    assert ear.told[-1]["event"] == "gone"
    for client in (ada, bob, guest):
        with pytest.raises(Refused, match="not-found"):
            client.at(at.table).look()


async def keep_and_forget(file: Path, seed: int) -> list[str]:
    """What is left of tables that were deleted among many others, which grew in any order."""
    dice, names = Random(seed), [f"{number:016x}" for number in Random(2).sample(range(1 << 60), 60)]
    store, grown = Store.in_file(file), dict.fromkeys(names, 0)
    await store.open()

    def news(name: str, creation: str | None) -> TableWrite:
        summary = json.dumps({"seats": [f"Nobody {name}", "x" * dice.randrange(40)] * 3})
        line = f"line {grown[name]} of {name} " + "y" * dice.choice((20, 60, 200, 700, 1200))
        grown[name] += 1
        return TableWrite(
            name, grown[name] - 1, [Row(line, 0)], None, True, "playing", "person", summary, 0, creation=creation
        )

    opened = [news(name, f"by {name}") for name in names]
    happened = [news(dice.choice(names), None) for _ in names]
    await asyncio.gather(*map(store.write, opened))
    await asyncio.gather(*map(store.write, happened))
    left = []
    for name in dice.sample(names, 40):
        assert name.encode() in bytes_of(file.parent)
        await store.delete(name)
        left += [name] if name.encode() in bytes_of(file.parent) else []
    await store.close()
    return left


@pytest.mark.parametrize("seed", [2, 6])
def test_nothing_is_left_of_tables_deleted_among_many(tmp_path, seed):
    """A database moves rows about when it grows and shrinks: the copies that it leaves behind are deleted too."""
    assert asyncio.run(keep_and_forget(tmp_path / "tables.sqlite", seed)) == []


# Records of these games


def verified(folder: Path, records: dict[str, str]) -> CommandResult:
    """What `spieltisch verify` says of records."""
    for name, text in records.items():
        (folder / f"{name}.game").write_text(text, encoding="utf-8")
    return run("verify", *(f"{name}.game" for name in records), cwd=folder)


def test_every_record_proves_its_draws(server, evenings, tmp_path):
    for game in GAMES:
        if game.name not in evenings:
            evenings[game.name] = Evening(server, game.name)
    ran = verified(tmp_path, {name: evening.record for name, evening in evenings.items()})
    assert ran.code == 0, ran
    for name in evenings:
        assert f"{name}.game: in order, one game with " in ran.out
    assert ran.out.count("Every draw is proven fair.") == len(GAMES)
    assert "Unfinished" not in ran.out
    for evening in evenings.values():
        record = read(evening.record).games[0]
        assert record.nonces == tuple(enumerate(evening.nonces))
        assert dict(record.names) == dict(enumerate(NAMES))


def test_a_record_is_redacted_while_the_game_is_on(evening, tmp_path):
    """Whoever exports it then sees what its seat has seen, and verify says why it cannot be replayed."""
    hides = type(evening.game).witness is not Game.witness
    for viewer, client in enumerate([*evening.people, evening.spectator]):
        text = next(piece.decode() for piece in client.received if piece.startswith(b"format "))
        assert f"\nviewer    {viewer}\n" in text
        assert ("?" in text) is hides
        assert "secret" not in text
        assert "result" not in text
        assert f"\ncommit    {hashlib.sha256(bytes.fromhex(evening.secret)).hexdigest()}\n" in text
    ran = verified(tmp_path, {"redacted": text})
    assert ran.code == 1
    assert "redacted.game:" in ran.err
    assert "The record is redacted" in ran.err


def tampered(text: str) -> tuple[str, int, int]:
    """A record with a draw that was not drawn, though the rules allow all of it: its text, the draw and its line."""
    record = read(text).games[0]
    lines = text.splitlines()
    draws = replay(registry.find(record.game), record).draws
    for number, (line, before, chance, action) in enumerate(draws):
        game = registry.find(record.game)
        for other in chance.actions:
            forged = [f"* {game.write(before, other)}" if at == line else was for at, was in enumerate(lines, 1)]
            following = draws[number + 1] if number + 1 < len(draws) else None
            if following is not None and following.action == other and following.line == line + 1:
                forged[line] = lines[line - 1]  # the two that were drawn one after the other change places
            if other != action and replays("\n".join(forged)):
                return "\n".join(forged) + "\n", number, line
    raise AssertionError


def replays(text: str) -> bool:
    """Whether the rules allow all of it."""
    try:
        one = read(text).games[0]
        replay(registry.find(one.game), one)
    except BadRecord:
        return False
    return True


@pytest.mark.parametrize("evening", ["rondo", "template", "turmbauer"], indirect=True)
def test_a_draw_that_was_exchanged_is_named(evening, tmp_path):
    text, number, line = tampered(evening.record)
    ran = verified(tmp_path, {"forged": text})
    assert ran.code == 1
    assert f"forged.game:{line}: " in ran.err
    assert f"Draw {number} does not follow from the secret and the nonces." in ran.err
