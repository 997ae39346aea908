"""What is hidden changes no byte: a server whose tables differ only in what somebody cannot see answers them alike.

Logs of the same game in two worlds are laid side by side: the same people, names, times and secrets, and every action
looks the same to one seat and to spectators, but others drew and hid other things. Whatever that seat, a spectator or a
passer-by asks, both worlds must answer alike, byte by byte but for the time of day; what the other seats are told must
differ. Draws to come are not compared: out of two bags different things may come.
"""

from __future__ import annotations

import asyncio
import hashlib
import pickle
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
import pytest

from spieltisch import registry
from spieltisch.core.game import AnyGame, Chance, Decision, Game, Heard, Seat, Viewer
from spieltisch.gameplay.progress import PlayedEntry, Progress
from spieltisch.i18n.message import Message
from spieltisch.records import entry_line, write
from spieltisch.server.storage.store import Store
from spieltisch.server.storage.writes import TableWrite
from spieltisch.server.workers import rules as rules_worker
from spieltisch.server.workers.rules import CommandOutcome, LogPosition
from spieltisch.table import events, projection
from spieltisch.table.codec import Row, chain_digest, encode
from spieltisch.table.commands import (
    Answer,
    Arrange,
    AskBot,
    AskUndo,
    Context,
    Continue,
    Join,
    Leave,
    Lend,
    Play,
    Rematch,
    Resign,
    Return,
    Reveal,
    Start,
    Watch,
    consent,
)  # fmt: skip
from spieltisch.table.errors import BadRequest
from tests.support.server import TIMEOUT, Person, Server, running_server
from tests.support.worlds import World, find_indistinguishable, play_random_game

HIDING = [game for game in registry.all() if type(game).witness is not Game.witness]  # not all see all that is done
BEGAN = 1_700_000_000_000  # when it all happened, in milliseconds
CODE = "come-in-here"
KEY = "key-of-a-test"
NAMES = ("Ada", "Bob", "Cy")
SECRETS = [f"a-secret-of-{name}-and-of-nobody-else" for name in ("ada", "bob", "cy")]
GUEST = "a-secret-of-somebody-who-watches"
PASSER_BY = "a-secret-of-somebody-who-passes-by"
CHANCE = "5a" * 32


def holder(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def log_of(world: World, *, public: bool = False, bots: bool = False, host: str = SECRETS[0]) -> list[Row]:
    """The log of a table at which the game was played: by people, or by the first of them against bots."""
    setup = world.setup
    happened: list[events.Event] = [
        events.TableOpened(
            world.game.name, setup.edition, dict(setup.options), setup.players, int(setup.first), setup.rules, 1, public,
            None, "bot", CODE, holder(host), [CHANCE],
        )
    ]  # fmt: skip
    for seat in range(setup.players):
        bot = bots and seat > 0
        happened.append(
            events.BotSeated(seat, f"Bot {seat}", "level:1")
            if bot
            else events.SeatTaken(seat, NAMES[seat], holder(SECRETS[seat]), None)
        )
    happened += [events.SpectatorAdmitted(holder(GUEST)), events.AllSeated(), events.GameStarted(int(setup.first))]
    texts = [*map(encode, happened), *map(entry_line, world.entries)]
    return [Row(text, BEGAN + 1000 * number) for number, text in enumerate(texts)]


def sparing(game: AnyGame) -> int:
    """Of so many moments one is looked at."""
    return 1 if game.name == "template" else 40


class Pair(NamedTuple):
    """Two worlds that a seat and every spectator cannot tell apart."""

    seat: Seat
    worlds: tuple[World, World]

    def logs(self, **how: Any) -> list[list[Row]]:
        return [log_of(world, **how) for world in self.worlds]


def pairs(game: AnyGame, players: int, seed: int, every: int = 1, after: int = 0) -> Iterator[Pair]:
    """Two worlds at many moments of a game; those where something hidden can be and is different."""
    whole = play_random_game(game, players, seed)
    for moment in whole.decision_points()[after::every]:
        world, seat = whole.truncate(moment), Seat(moment % players)
        other = find_indistinguishable(world, (seat, None), moment)
        if other.state != world.state:
            yield Pair(seat, (world, other))


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_the_worlds_look_alike_and_are_not(game):
    found = list(pairs(game, 3, 1, sparing(game)))
    assert len(found) > 2
    for seat, (one, other) in found:
        rules = one.game
        for here, there in zip(one.steps, other.steps, strict=True):
            for viewer in (seat, None):
                assert rules.witness(*here[::2], viewer) == rules.witness(*there[::2], viewer)
                assert rules.observe(here.before, viewer) == rules.observe(there.before, viewer)
        assert any(rules.observe(one.state, Seat(who)) != rules.observe(other.state, Seat(who)) for who in range(3))


# Asked in this process: everything that a rules worker answers, at many moments


def drafts(world: World, seat: Seat) -> list[list[str]]:
    """What the seat could think of: everything allowed, and much that is not."""
    game, pending = world.game, world.game.pending(world.state)
    possible = [game.write(world.state, action) for action in pending.actions] if isinstance(pending, Decision) else []
    said = {entry.text for entry in world.entries if entry.seat is None or entry.seat == seat}
    wild = sorted({*said, *(letter for text in said for letter in (text.lower(), text.upper())), "?", "nonsense", ""})
    some = Random(len(world.steps)).sample(possible, min(len(possible), 6))
    return [[], *([text] for text in some), *([text] for text in wild[:40]), *([text, text] for text in some)]


def is_silent(world: World, seat: Seat, draft: list[str]) -> bool:
    """Whether nothing is drawn when the draft is played: a draw of one's own may well be another one."""
    state = world.state
    for text in draft:
        pending = world.game.pending(state)
        action = world.game.read(state, text) if isinstance(pending, Decision) and pending.seat == seat else None
        if not isinstance(pending, Decision) or action not in pending.actions:
            return True  # it will be refused
        state = world.game.apply(state, action)
    return not isinstance(world.game.pending(state), Chance)


def commands(world: World, seat: Seat, version: int) -> Iterator[Any]:
    """Everything that somebody could do, but for what makes chance draw."""
    for draft in drafts(world, seat):
        try:
            silent = is_silent(world, seat, draft)
        except Exception:  # noqa: BLE001 - what cannot be read is refused
            silent = True
        if silent:
            yield Play(seat, version, draft, key=KEY)
    yield from (AskUndo(seat, version, key=KEY), AskBot(seat, (seat + 1) % world.setup.players, key=KEY))
    yield from (Answer(seat, version, True, key=KEY), Continue(key=KEY), Resign(seat, key=KEY))
    yield from (Start(key=KEY), Watch(CODE, key=KEY), Join("Dee", code=CODE, key=KEY), Leave(seat, key=KEY))
    yield from (Arrange(seat, None, key=KEY), Reveal(seat, "00" * 16, key=KEY), Lend(seat, None, key=KEY))
    yield from (Return(seat, key=KEY), Rematch(key=KEY))


def everything_told(rows: list[Row], world: World, seat: Seat, who: str | None) -> Iterator[tuple[str, Any]]:
    """All that a rules worker tells somebody who asks for a seat."""
    version = len(rows)
    log = LogPosition("here", version, chain_digest(b"", rows), rows)
    for language in ("de", "en"):
        yield f"tell {language}", rules_worker.project(log, who, seat, language, 0)
    yield "stream", rules_worker.stream(log, who, seat, "en", version // 2)
    yield "record", rules_worker.record(log, who, seat)
    for draft in drafts(world, seat):
        yield f"preview {draft}", rules_worker.preview(log, who, seat, version, draft, "en")
        told = rules_worker.see_draft(log, who, seat, version, draft)
        yield f"advise {draft}", pickle.loads(told) if isinstance(told, bytes) else told
    for command in commands(world, seat, version):
        done = rules_worker.perform(log, command, Context(who, BEGAN, b"random"))
        yield f"{command}", done.result if isinstance(done, CommandOutcome) else done
        if isinstance(done, CommandOutcome):
            yield (
                f"after {command}",
                rules_worker.project(LogPosition("here", *done.status[:2]), who, seat, "en", version),
            )


def differences(pair: Pair, seat: Seat, who: str | None, **how: Any) -> list[str]:
    """What somebody who asks for a seat is answered differently in the two worlds."""
    one, other = (dict(everything_told(rows, pair.worlds[0], seat, who)) for rows in pair.logs(**how))
    return [what for what in {**one, **other} if what not in one or what not in other or one[what] != other[what]]


def is_told_otherwise(pair: Pair, seat: Seat) -> bool:
    """Whether a seat is told different things in the two worlds."""
    one, other = (next(everything_told(rows, pair.worlds[0], seat, holder(SECRETS[seat]))) for rows in pair.logs())
    return one != other


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2)])
@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_a_clerk_tells_a_seat_and_spectators_the_same_in_both_worlds(game, players, seed):
    for pair in pairs(game, players, seed, sparing(game) * (players - 1)):
        own = holder(SECRETS[pair.seat])
        assert differences(pair, pair.seat, own) == []
        assert differences(pair, pair.seat, holder(GUEST)) == []
        assert differences(pair, pair.seat, holder(PASSER_BY), public=True) == []
        assert any(is_told_otherwise(pair, Seat(seat)) for seat in range(players) if seat != pair.seat)


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_a_clerk_tells_the_only_person_among_bots_the_same_in_both_worlds(game):
    for seat, worlds in pairs(game, 2, 3, sparing(game)):
        if seat == 0:
            assert differences(Pair(seat, worlds), seat, holder(SECRETS[0]), bots=True) == []


# Leaks that are planted, and found


def leak_spoken(monkeypatch):
    """Everybody hears with another's ears."""
    witness = PlayedEntry.witness

    def heard(self: Any, game: AnyGame, viewer: Viewer) -> Heard:
        return witness(self, game, Seat(1) if viewer == 0 else Seat(0))

    monkeypatch.setattr(PlayedEntry, "witness", heard)


def leak_view(monkeypatch):
    """Everybody looks with the eyes of whoever has to move."""
    monkeypatch.setattr(
        Progress, "view", lambda self, viewer: self.game.observe(self.state, getattr(self.pending, "seat", viewer))
    )


def leak_record(monkeypatch):
    """The record is whole before the end."""
    monkeypatch.setattr(projection, "project_record", lambda state, viewer: write(projection.whole_record(state)))


def leak_heard(monkeypatch):
    """A hint is given by somebody who has heard everything."""
    whole = Progress.heard

    def heard(self: Any, viewer: Viewer) -> Any:
        return [one for seat in range(self.setup.players) for one in whole(self, Seat(seat))]

    monkeypatch.setattr(Progress, "heard", heard)


def leak_refusal(monkeypatch):
    """A refusal says what is in the bag."""
    draft_steps = rules_worker.draft_steps

    def steps(game: Any, seat: Seat, texts: Any) -> Any:
        if texts == ["nonsense"]:
            raise BadRequest(Message("", "server.field", (("field", str(game.state)), ("reason", ""))))
        return draft_steps(game, seat, texts)

    monkeypatch.setattr(rules_worker, "draft_steps", steps)


def leak_undo(monkeypatch):
    """A draw counts as one only where several things were in the bag."""
    was_drawn = consent._was_drawn

    def drawn(game: Any, back: int) -> bool:
        pending = game.game.pending(game.path[-back].step.before)
        return was_drawn(game, back) and len(pending.actions) > 1

    monkeypatch.setattr(consent, "_was_drawn", drawn)


LEAKS: list[Callable[[pytest.MonkeyPatch], None]] = [
    leak_spoken, leak_view, leak_record, leak_heard, leak_refusal, leak_undo,
]  # fmt: skip


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_leak_is_found(leak, monkeypatch):
    found = list(pairs(registry.find("template"), 2, 1))
    leak(monkeypatch)
    assert any(differences(pair, pair.seat, holder(SECRETS[pair.seat])) for pair in found)


# Asked over HTTP: two servers, one for each world


class Twins(NamedTuple):
    """Two servers with the same tables in two worlds."""

    servers: tuple[Server, Server]
    tables: dict[str, Pair]


class Both:
    """Somebody who asks both servers the same and must get the same answers."""

    def __init__(self, twins: Twins, secret: str | None) -> None:
        self.people = [Person(server, secret) for server in twins.servers]
        self.asked: set[tuple[str, str]] = set()
        self.secret = secret
        if secret is None:
            for person in self.people:
                del person.http.headers["authorization"]

    def answers(self, method: str, path: str, **more: Any) -> list[httpx.Response]:
        return [person.http.request(method, person.url(path), **more) for person in self.people]

    def ask(self, method: str, table: str, what: str = "", *, news: bool = False, **more: Any) -> httpx.Response:
        """The answer, after making sure that it is the same byte by byte; of news the time is their own."""
        self.asked.add((method, re.sub(r"/\d+", "/{event}", what)))
        path = f"/api/tables/{called(table)}" + (f"/{what}" if what else "")
        one, other = self.answers(method, path, **more)
        assert one.status_code == other.status_code, (what, more, one.text, other.text)
        assert masked(one.content, news) == masked(other.content, news), (what, more)
        assert headers(one) == headers(other), (what, more)
        return one

    def listen(self, table: str, **more: Any) -> bytes:
        """The beginning of the event stream, up to how the table is, but for who is there at the moment."""
        self.asked.add(("GET", "stream"))
        heard = []
        for person in self.people:
            with person.http.stream("GET", person.url(f"/api/tables/{called(table)}/stream"), **more) as answer:
                told = b""
                for chunk in answer.iter_raw():
                    told += chunk
                    if b"event: table\n" in told and told.endswith(b"\n\n"):
                        break
                heard.append(re.sub(rb"event: here\n.*\n\n", b"", told))
        assert heard[0] == heard[1]
        return heard[0]

    def close(self) -> None:
        for person in self.people:
            person.http.close()


def masked(body: bytes, news: bool) -> bytes:
    """The answer, without the time at which something has just happened."""
    return re.sub(rb'"at":\d+', b'"at":0', body) if news else body


def headers(answer: httpx.Response) -> dict[str, str]:
    """The answer's headers, without the time of day."""
    return {name: value for name, value in answer.headers.items() if name != "date"}


def at_http(game: AnyGame) -> dict[str, Pair]:
    """Moments of a game, by the name of their table: the seat's own turn, in the middle of it, and another's turn."""
    found: dict[str, Pair] = {}
    for pair in pairs(game, 2, 4, after=8):
        pending = game.pending(pair.worlds[0].state)
        last = pair.worlds[0].steps[-1].seat
        assert isinstance(pending, Decision)
        own = pending.seat == pair.seat
        kind = "other" if not own else "amid" if last == pair.seat else "own"
        found.setdefault(f"{kind}-{game.name}", pair)
        if len(found) == 3:
            break
    return found


def called(name: str) -> str:
    """A table's name as the server would make it."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


async def fill(file: Path, tables: dict[str, list[Row]]) -> None:
    """Writes tables into a store as if they had been played there."""
    store = Store.in_file(file)
    await store.open()
    for name, rows in tables.items():
        table = called(name)
        now = rules_worker.status(LogPosition(table, len(rows), b"", rows))
        assert isinstance(now, rules_worker.TableStatus)
        await store.write(
            TableWrite(
                table, 0, rows, None, now.public, now.status, now.waiting.kind.value, now.summary, BEGAN, creation=table
            )
        )
    await store.close()


@pytest.fixture(scope="module")
def twins(tmp_path_factory) -> Iterator[Twins]:
    tables = {name: pair for game in HIDING for name, pair in at_http(game).items()}
    folders = [tmp_path_factory.mktemp(f"world{number}") for number in (0, 1)]
    for number, folder in enumerate(folders):
        logs = {
            name: pair.logs(public=not name.startswith("own"), host=SECRETS[pair.seat])[number]
            for name, pair in tables.items()
        }
        asyncio.run(fill(folder / "tables.sqlite", logs))
    with ExitStack() as stack, ThreadPoolExecutor() as pool:
        servers = list(pool.map(stack.enter_context, map(running_server, folders)))
        yield Twins((servers[0], servers[1]), tables)


def routes(server: Server) -> set[tuple[str, str]]:
    """Everything that can be asked about a table, by method and what comes after its name."""
    paths = httpx.get(f"{server.address}/api/openapi.json", timeout=TIMEOUT).json()["paths"]
    about = "/api/tables/{table}"
    return {
        (method.upper(), path.removeprefix(about).removeprefix("/"))
        for path, methods in paths.items()
        for method in methods
        if path.startswith(about)
    }


def ask_everything(both: Both, name: str, pair: Pair) -> None:
    """Everything that changes nothing, or is refused to whoever has no seat."""
    version = both.ask("GET", name, params={"language": "en"}).json().get("version", 50)
    for query in ({}, {"language": "fr"}, {"seat": 0}, {"seat": 1}, {"seat": 7}):
        both.ask("GET", name, params=query)
        both.ask("GET", name, "record", params=query)
        both.ask("GET", name, "events", params={"after": version // 2, **query})
        both.ask("GET", name, "inside", params=query)
    both.ask("GET", name, "events")
    for event in (1, version // 2, version):
        both.ask("GET", name, f"films/{event}")
    for after in ("0", str(version - 2)):
        both.listen(name, params={"language": "en"}, headers={"Last-Event-ID": after})
    own = {"seat": pair.seat, "version": version}
    found = [
        both.ask("POST", name, "preview", json={**own, "draft": draft})
        for draft in drafts(pair.worlds[0], pair.seat)[::2]
    ]
    found.append(both.ask("POST", name, "preview", json={"seat": 1 - pair.seat, "version": version, "draft": []}))
    found.append(both.ask("POST", name, "preview", json={**own, "version": version - 9}))
    found.append(both.ask("POST", name, "hint", json=own))
    if both.secret == SECRETS[pair.seat] and allowed(pair):
        assert {answer.status_code for answer in found} == {200, 403, 409, 422}
        assert found[-1].status_code == 200
    else:
        assert {answer.status_code for answer in found} <= {403, 404, 409}


def do_everything(both: Both, name: str, pair: Pair) -> None:
    """Everything that can be done, what ends the table last; chance is not made to draw."""
    seat, other, number = pair.seat, 1 - pair.seat, count()
    mine = holder(both.secret or "")[:12]

    def do(what: str, **body: Any) -> httpx.Response:
        return both.ask("POST", name, what, news=True, json={"key": f"{mine}-{next(number)}", **body})

    version = both.ask("GET", name).json().get("version", 50)
    for draft in ([], ["nonsense"], ["?"]):
        do("actions", seat=seat, version=version, draft=draft)
    do("actions", seat=other, version=version, draft=["."])
    silent = [draft for draft in allowed(pair) if is_silent(pair.worlds[0], seat, draft)]
    if silent:
        done = do("actions", seat=seat, version=version, draft=silent[0])
        assert done.is_success is (both.secret == SECRETS[seat])
        version = done.json().get("version", version)
    do("undo", seat=seat, version=version)
    do("answer", seat=seat, version=version + 1, yes=False)
    do("stand-in", seat=seat, about=other if allowed(pair) else seat)  # a bot that has the turn would play on
    for what in ("start", "continue", "rematch"):
        do(what)
    do("watch", code="not-the-code")
    do("join", code="not-the-code", name="Eve")
    do("seats", seat=seat, player="level:1")
    do("reveal", seat=seat, nonce="00" * 16)
    do("return", seat=seat)
    for what in ("lend", "leave", "resign"):
        do(what, seat=other)
    do("resign", seat=seat)
    both.ask("GET", name, news=True)
    both.ask("GET", name, "events", news=True)


def allowed(pair: Pair) -> list[list[str]]:
    """What the seat can do now."""
    world = pair.worlds[0]
    pending = world.game.pending(world.state)
    assert isinstance(pending, Decision)
    return [[world.game.write(world.state, action)] for action in pending.actions] if pending.seat == pair.seat else []


@pytest.mark.parametrize("kind", ["own", "amid", "other"])
@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_nobody_can_tell_by_asking_which_world_it_is(twins, game, kind):
    name = f"{kind}-{game.name}"
    pair = twins.tables[name]
    other = Both(twins, SECRETS[1 - pair.seat])
    for what in ("", "/events", "/record"):
        here, there = other.answers("GET", f"/api/tables/{called(name)}{what}")
        assert here.status_code == there.status_code == 200
        assert here.content != there.content
    asked: set[tuple[str, str]] = set()
    for secret in (None, PASSER_BY, GUEST, SECRETS[pair.seat]):
        both = Both(twins, secret)
        ask_everything(both, name, pair)
        if secret is not None:
            do_everything(both, name, pair)
        if secret == SECRETS[pair.seat]:
            for what in ("lend", "leave"):
                both.ask("POST", name, what, news=True, json={"key": f"a-last-key-{what}", "seat": pair.seat})
            both.ask("DELETE", name)
            both.ask("GET", name)
        asked |= both.asked
        both.close()
    assert asked == routes(twins.servers[0])
    other.close()
