"""Players by name, and which names each kind of access allows."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from spieltisch import players, registry
from spieltisch.cli.engine import Engine
from spieltisch.core.game import Refusal, brief
from spieltisch.i18n.message import Message
from spieltisch.players import Access, UnknownPlayer, external
from spieltisch.players.program_player import BadBot
from tests.support.matches import GAMES, NAMES, new_referee

PEBBLES = registry.find("template")
BOTS = Path(__file__).parent / "bots"
FORMS = ["random", "greedy", "mc:400", "mc:0.5s", "search:400", "search:2s"]
FORMS += [f"level:{number}" for number in range(1, 6)]
BAD_BUDGETS = [
    *["", "0", "-1", "+1", "1e3", "²", "１", "1_0", " 1", "1 ", "1\n", "0x1", "1.5", "1000001", "9999999999", "inf", "nan"],
    *["s", "0s", "0.0s", "0.000s", "-1s", "601s", "600.001s", "1.2345s", ".5s", "1.s", "1,5s", "1S", "1 s", "nans", "1ss"],
]  # fmt: skip
BAD_LEVELS = ["", "0", "6", "01", "-1", "+1", "1.0", "1s", "²", "１", " 1", "1 ", "1\n", "one", "1:2"]
PROCESSES = (
    "subprocess.Popen",
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "pty.spawn",
)
_watching: list[list[str]] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if _watching and (event in {"import", "exec"} or event.startswith(PROCESSES)):
        _watching[-1].append(f"{event} {arguments[0]}")


sys.addaudithook(_watch)


@contextmanager
def watched() -> Iterator[list[str]]:
    """Records the modules that are imported, the programs that are run and the processes that are started inside."""
    _watching.append([])
    try:
        yield _watching[-1]
    finally:
        _watching.pop()


def message(name: str, game=PEBBLES, access: Access = Access.COMMAND_LINE) -> Message:
    """The message of the refusal of a name, the same for `maker` and `make`."""
    messages = []
    for ask in (players.maker, lambda name, game, access: players.make(name, game, 0, access)):
        with pytest.raises(UnknownPlayer) as caught:
            ask(name, game, access)
        assert caught.value.code == "bad-request"
        assert str(caught.value).endswith(".")
        messages.append(caught.value.message)
    assert messages[0] == messages[1]
    return messages[0]


def refused_as_unknown(name: str, access: Access) -> bool:
    refusal_message = message(name, PEBBLES, access)
    return (refusal_message.key, dict(refusal_message.arguments)) == (
        "player.unknown",
        {"given": brief(name), "known": players.names(PEBBLES, access)},
    )


# Forms of names


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_a_name_makes_a_player(game, name):
    access = Access.REMOTE if name.startswith("level:") else Access.ENGINE
    made = [players.make(name, game, 1, access), players.make(name, game, 1), players.maker(name, game)]
    assert all(map(callable, (made[0].choose, made[1].choose, made[2])))
    assert players.is_known(name, game)


@pytest.mark.parametrize("name", [*FORMS[:2], "mc:1", "search:1", "mc:0.001s", "search:0.001s", "level:1", "level:5"])
def test_every_named_player_returns_a_choice(name):
    referee = new_referee(PEBBLES)
    seat = referee.settle().seat
    referee.ask(players.make(name, PEBBLES, 1))
    assert referee.steps[-1].seat == seat


@pytest.mark.parametrize(
    "amount", ["1", "7", "400", "0400", "1000000", "0.001s", "0.5s", "1s", "2.25s", "600s", "600.000s"]
)
def test_a_budget_is_a_number_of_simulations_or_of_seconds(amount):
    for kind in ("mc", "search"):
        budget = players.make(f"{kind}:{amount}", PEBBLES, 0).budget
        if amount.endswith("s"):
            assert (budget.simulations, budget.seconds) == (None, float(amount.rstrip("s")))
        else:
            assert (budget.simulations, budget.seconds) == (int(amount), None)


@pytest.mark.parametrize("amount", BAD_BUDGETS, ids=ascii)
@pytest.mark.parametrize("kind", ["mc", "search"])
@pytest.mark.parametrize("access", [Access.COMMAND_LINE, Access.ENGINE])
def test_a_bad_budget_is_refused_with_the_limits(kind, amount, access):
    name = f"{kind}:{amount}"
    refusal_message = message(name, access=access)
    assert (refusal_message.scope, refusal_message.key) == ("", "player.budget")
    assert dict(refusal_message.arguments) == {"given": brief(name), "simulations": 1_000_000, "seconds": 600}
    assert not players.is_known(name, PEBBLES)


@pytest.mark.parametrize("kind", ["mc", "search"])
def test_a_search_needs_a_budget(kind):
    assert message(kind).key == "player.budget"


@pytest.mark.parametrize("number", BAD_LEVELS, ids=ascii)
@pytest.mark.parametrize("access", Access)
def test_a_bad_level_is_refused_with_the_number_of_levels(number, access):
    name = f"level:{number}"
    for game in GAMES:
        refusal_message = message(name, game, access)
        assert (refusal_message.scope, refusal_message.key) == ("", "player.level")
        assert dict(refusal_message.arguments) == {"given": brief(name), "most": 5}
        assert not players.is_known(name, game)
    assert message("level", access=access).key == "player.level"


def test_an_unknown_name_is_refused_with_the_known_names():
    for access in Access:
        assert refused_as_unknown("karl", access)
        assert refused_as_unknown("", access)


# Lists of names


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("access", Access)
def test_every_listed_player_can_be_made(game, access):
    listed = players.names(game, access)
    assert len(set(listed)) == len(listed)
    assert {f"level:{number}" for number in range(1, 6)} <= set(listed)
    for name in listed:
        if name not in {"module:Class", "net:FILE", "program:COMMAND"}:
            assert callable(players.make(name, game, 0, access).choose)


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_each_kind_of_access_lists_its_players(game):
    here, engine, remote = (set(players.names(game, access)) for access in Access)
    assert here - engine - {"net:FILE"} == {"module:Class", "program:COMMAND"}
    assert ("net:FILE" in here) == registry.has_net(game)
    assert engine - remote >= {*players.known(game), "mc:400", "mc:0.5s", "search:400", "search:2s"}
    assert remote == {f"level:{number}" for number in range(1, 6)} | set(external.installed_players())


def test_the_default_and_the_strongest_player_are_available_to_everybody():
    for game in GAMES:
        for access in Access:
            for name in (players.DEFAULT, players.STRONGEST):
                assert players.make(name, game, 0, access)


# Modules and programs


@pytest.fixture
def among_bots(monkeypatch):
    monkeypatch.chdir(BOTS)


def test_the_command_line_may_use_modules_and_programs(among_bots, monkeypatch):
    """And the probe of the tests below detects it."""
    external._host_pool.cache_clear()
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    with watched() as happened:
        players.make("odd:First", PEBBLES, 0)
        import_module("colorsys")
    assert [each for each in happened if each.startswith("subprocess.Popen")]
    assert [each for each in happened if "colorsys" in each]
    assert players.make(f"program:{sys.executable} lines.py first", PEBBLES, 0)
    with pytest.raises(BadBot):
        players.make("program:", PEBBLES, 0)


@pytest.mark.parametrize("access", [Access.ENGINE, Access.REMOTE])
@pytest.mark.parametrize(
    "name", ["odd:First", "os:system", "program:true", "program:sh -c true", "module:Class", "program:"]
)
def test_engine_and_remote_access_run_neither_modules_nor_programs(among_bots, name, access):
    with watched() as happened:
        assert refused_as_unknown(name, access)
        assert not players.is_known(name, PEBBLES)
    assert happened == []


@pytest.mark.parametrize("name", [name for name in FORMS if not name.startswith("level:")])
def test_remote_access_allows_levels_only(name):
    assert refused_as_unknown(name, Access.REMOTE)


NEARLY = [
    "level:",
    "mc:",
    "search:",
    "program:",
    "odd:",
    "os:",
    "tests.bots.odd:",
    "module:",
    "random",
    "greedy",
    "level:1",
]


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_no_name_starts_or_imports_anything_by_remote_access(among_bots, game):
    players.make("level:1", game, 0, Access.REMOTE)  # loads what every game needs

    @settings(max_examples=250, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.builds("{}{}".format, st.sampled_from(["", *NEARLY]), st.text()) | st.text())
    @example("odd:First")
    @example("program:true")
    @example("mc:1")
    @example("level:3")
    @example("level:\x00")
    @example("program:\ud800")
    def hold(name):
        levels = {f"level:{number}" for number in range(1, 6)}
        with watched() as happened:
            try:
                player = players.make(name, game, 0, Access.REMOTE)
            except UnknownPlayer as refusal:
                assert name not in levels
                refusal_message = refusal.message
            else:
                assert name in levels
                assert callable(player.choose)
                refusal_message = None
        assert happened == []
        assert refusal_message is None or refusal_message.key == (
            "player.level" if name.partition(":")[0] == "level" else "player.unknown"
        )

    hold()


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.builds("{}{}".format, st.sampled_from(["", *NEARLY]), st.text()) | st.text())
def test_no_name_starts_or_imports_anything_by_engine_access(name):
    assume(name not in external.installed_players())
    with watched() as happened:
        try:
            players.make(name, PEBBLES, 0, Access.ENGINE)
        except UnknownPlayer:
            known = False
        else:
            known = True
    assert happened == []
    assert players.is_known(name, PEBBLES) is known


@pytest.fixture
def guest(monkeypatch, tmp_path):
    """An installed package with a bot."""
    (tmp_path / "visitors.py").write_text("class Last:\n    def choose(self, seen, clock): return seen.choices[-1]\n")
    info = tmp_path / "visitors-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: visitors\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[spieltisch.players]\nvisitor = visitors:Last\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    external.installed_players.cache_clear()
    yield "visitor"
    external.installed_players.cache_clear()


@pytest.mark.parametrize("access", Access)
def test_an_installed_bot_is_available_to_everybody(guest, access):
    assert guest in players.names(PEBBLES, access)
    referee = new_referee(PEBBLES)
    choices = referee.settle().actions
    referee.ask(players.make(guest, PEBBLES, 0, access))
    assert referee.steps[-1].action == choices[-1]
    assert "visitors" not in sys.modules  # it plays in a process of its own


def test_only_the_exact_name_of_an_installed_bot_is_known(guest):
    assert refused_as_unknown("visitors:Last", Access.REMOTE)
    assert refused_as_unknown(f"{guest}:", Access.REMOTE)


# Through the engine


def request(engine: Engine, **fields: object) -> dict:
    return json.loads(engine.handle(json.dumps({"id": 1, **fields}).encode()))


def at_the_first_decision(engine: Engine) -> dict:
    answer = request(engine, do="new", game="template")
    while answer["pending"]["kind"] == "chance":
        answer = request(engine, do="apply", state=answer["state"], action=answer["pending"]["actions"][0])
    return answer


@pytest.mark.parametrize("name", ["program:sh -c true", "program:", "odd:First", "karl", "mc:0", "level:6"])
def test_the_engine_refuses_programs_and_modules(among_bots, name):
    engine = Engine()
    position = at_the_first_decision(engine)
    with watched() as happened:
        answer = request(engine, do="play", state=position["state"], player=name)
    assert happened == []
    assert not answer["ok"]
    assert answer["error"]["code"] == "bad-request"
    assert f"“{name}”" in answer["error"]["message"]
    assert "program:" not in answer["error"]["message"].replace(name, "")
    assert (
        request(engine, do="play", state=position["state"], player="random")["action"] in position["pending"]["actions"]
    )


@pytest.mark.parametrize(
    "name", ["random", "greedy", "mc:8", "search:8", "mc:0.01s", "search:0.01s", "level:1", "level:2"]
)
def test_the_engine_accepts_known_players(name):
    engine = Engine()
    position = at_the_first_decision(engine)
    answers = [request(engine, do="play", state=position["state"], player=name, seed=3) for _ in range(2)]
    assert answers[0]["action"] in position["pending"]["actions"]
    assert name.endswith("s") or answers[0] == answers[1]


def test_is_known_does_not_raise_for_bad_names():
    for name in (f"mc:{'9' * 5000}", "level:" + "1" * 5000, "x" * 5000, "\x00", "\ud800"):
        assert players.is_known(name, PEBBLES) is False
        with pytest.raises(Refusal) as caught:
            players.make(name, PEBBLES, 0)
        assert len(str(caught.value)) < 400
