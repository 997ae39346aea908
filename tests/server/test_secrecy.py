"""Secrecy: whole games over HTTP, with everything recorded that anybody was ever sent.

That hidden information changes no byte is tested in test_worlds.py; here every byte of played games is checked against
the record that everybody may read afterwards, and against the secrets that nobody may ever read.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spieltisch import registry
from spieltisch.core.game import Decision, Game, Heard, Seat, Viewer
from spieltisch.core.json import to_json
from spieltisch.i18n.format import format_message, format_messages
from spieltisch.i18n.message import Audience
from spieltisch.records import BadRecord, Move, read
from spieltisch.records.replay import replay
from tests.server.clients import RecordingClient, StreamReader, commit
from tests.support.command import CommandResult, run
from tests.support.server import Refused, Server, running_server

GAMES = [*registry.offered(), registry.find("template")]
OPTIONS = {"turmbauer": {"hand": "shaky"}}  # its towers do not last long
NAMES = ("Ada Ägypten", "Bob O’Brian")


class Leak(AssertionError):
    """A client has received something that it must not know."""


def is_due(table: dict[str, Any]) -> bool:
    """Whether a person has to decide, or the match is over."""
    return table["status"] == "over" or table["waiting"] == "person"


def pick(texts: list[str], dice: Random) -> str:
    """A random choice; towers are built as thin as possible, so that they soon collapse."""
    dice.shuffle(texts)
    return max(texts, key=lambda text: (_height(text), -int(text[0]) if text[0].isdigit() else 0))


def _height(text: str) -> float:
    heights = [int(cell.rpartition(",")[2]) for cell in text[1:].split(";")] if text[0] == "@" else [0]
    return sum(heights) / len(heights)


class Evening:
    """A whole game: two people, a spectator, a stranger, and everything that they received."""

    def __init__(self, server: Server, game: str) -> None:
        self.game = registry.find(game)
        self.people = [RecordingClient(server), RecordingClient(server)]
        self.spectator, self.passer_by = RecordingClient(server), RecordingClient(server)
        self.nonces = [secrets.token_hex(16) for _ in self.people]
        ada = {"kind": "person", "name": NAMES[0], "commit": commit(self.nonces[0])}
        host = self.people[0].open_table(game, ada, "open", games=1, options=OPTIONS.get(game, {}))
        self.table = host.table
        self.code = host.look()["table"]["code"]
        self.at = [host, self.people[1].at(self.table)]
        self.watching, self.passing = self.spectator.at(self.table), self.passer_by.at(self.table)
        self.at[1].do("join", name=NAMES[1], code=self.code, commit=commit(self.nonces[1]))
        self.watching.do("watch", code=self.code)
        self.ears = [StreamReader(at) for at in (*self.at, self.watching)]
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
        """Starts the game and returns its version: no nonce can be revealed too early, and none was sent before."""
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
        """Plays at random, and pries now and then."""
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
        """Everybody requests everything, including what they may not have."""
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
    def everybody(self) -> list[RecordingClient]:
        return [*self.people, self.spectator, self.passer_by]

    def close(self) -> None:
        for one in self.everybody:
            one.http.close()


class Truth:
    """What everybody should have been sent, computed from the record that is open at the end."""

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
        """The event that the viewer should have received for an action."""
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
        """The position that the viewer should have received after an event: view, sentences and choices."""
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
    """Checks everything that a viewer has received, piece by piece; a piece of an unknown kind is a leak."""

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
        elif set(told) == {"seats", "spectators"} and set(told["seats"]) <= set(range(len(self.evening.people))):
            self.counts["here"] += 1  # numbers of seats and of spectators, and nothing else
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


def inspect(evening: Evening, truth: Truth, client: RecordingClient, viewer: Viewer) -> Inspection:
    """Checks all that a viewer has received."""
    inspection = Inspection(truth, evening, viewer)
    for piece in client.received:
        inspection.take(piece)
    for version, draft, answer in client.previews:
        if answer["view"] != truth.preview(version, draft, viewer):
            raise Leak(f"the preview of {draft} at {version}")
    return inspection


def search(evening: Evening, client: RecordingClient) -> None:
    """Searches all bytes that a client has received for secrets of others, and for secrets that are not public yet."""
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


def test_everybody_receives_what_they_may_know_and_nothing_else(evening):
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


def test_a_stranger_receives_nothing(evening):
    told = evening.passer_by.received
    assert len(told) > 20
    refusals = [json.loads(piece) for piece in told if b'"code"' in piece and b'"message"' in piece]
    assert {refusal["code"] for refusal in refusals} == {"not-found"}
    health = [json.loads(piece) for piece in told if piece.startswith(b'{"status"')]
    assert health
    assert all(set(one) == {"status", "version", "longest_pause"} for one in health)


def test_a_leak_would_be_found(evening):
    """Received pieces are changed slightly, as a careless server would have sent them."""
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


# the records of these games


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
    """An exported record contains what its seat has seen, and verify says why it cannot be replayed."""
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
    """A record with a forged draw that the rules allow: its text, the number of the draw and its line."""
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
def test_a_draw_that_was_replaced_is_named(evening, tmp_path):
    text, number, line = tampered(evening.record)
    ran = verified(tmp_path, {"forged": text})
    assert ran.code == 1
    assert f"forged.game:{line}: " in ran.err
    assert f"Draw {number} does not follow from the secret and the nonces." in ran.err
