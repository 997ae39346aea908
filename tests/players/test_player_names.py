"""Who can be asked to play, by name, and by whom: everything on the command line, less through the engine, least from afar."""

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
from tests.support.tables import GAMES, NAMES, table

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
    """What is imported or run, and which processes are started, inside."""
    _watching.append([])
    try:
        yield _watching[-1]
    finally:
        _watching.pop()


def message(name: str, game=PEBBLES, access: Access = Access.COMMAND_LINE) -> Message:
    """What is said when somebody of that name is refused, by each way of asking."""
    said = []
    for ask in (players.maker, lambda name, game, access: players.make(name, game, 0, access)):
        with pytest.raises(UnknownPlayer) as caught:
            ask(name, game, access)
        assert caught.value.code == "bad-request"
        assert str(caught.value).endswith(".")
        said.append(caught.value.message)
    assert said[0] == said[1]
    return said[0]


def refused_as_unknown(name: str, access: Access) -> bool:
    said = message(name, PEBBLES, access)
    return (said.key, dict(said.arguments)) == (
        "player.unknown",
        {"given": brief(name), "known": players.names(PEBBLES, access)},
    )


# Every form makes a player


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_a_name_makes_a_player(game, name):
    access = Access.REMOTE if name.startswith("level:") else Access.ENGINE
    made = [players.make(name, game, 1, access), players.make(name, game, 1), players.maker(name, game)]
    assert all(map(callable, (made[0].choose, made[1].choose, made[2])))
    assert players.is_known(name, game)


@pytest.mark.parametrize("name", [*FORMS[:2], "mc:1", "search:1", "mc:0.001s", "search:0.001s", "level:1", "level:5"])
def test_whoever_has_a_name_answers_with_a_choice(name):
    referee = table(PEBBLES)
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
    said = message(name, access=access)
    assert (said.scope, said.key) == ("", "player.budget")
    assert dict(said.arguments) == {"given": brief(name), "simulations": 1_000_000, "seconds": 600}
    assert not players.is_known(name, PEBBLES)


@pytest.mark.parametrize("kind", ["mc", "search"])
def test_who_looks_ahead_is_told_how_far(kind):
    assert message(kind).key == "player.budget"


@pytest.mark.parametrize("number", BAD_LEVELS, ids=ascii)
@pytest.mark.parametrize("access", Access)
def test_a_bad_level_is_refused_with_how_many_there_are(number, access):
    name = f"level:{number}"
    for game in GAMES:
        said = message(name, game, access)
        assert (said.scope, said.key) == ("", "player.level")
        assert dict(said.arguments) == {"given": brief(name), "most": 5}
        assert not players.is_known(name, game)
    assert message("level", access=access).key == "player.level"


def test_a_name_that_nobody_has_is_refused_with_those_who_are_there():
    for access in Access:
        assert refused_as_unknown("karl", access)
        assert refused_as_unknown("", access)


# Who is listed


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("access", Access)
def test_whoever_is_listed_can_be_asked_to_play(game, access):
    listed = players.names(game, access)
    assert len(set(listed)) == len(listed)
    assert {f"level:{number}" for number in range(1, 6)} <= set(listed)
    for name in listed:
        if name not in {"module:Class", "program:COMMAND"}:
            assert callable(players.make(name, game, 0, access).choose)


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_the_further_away_somebody_asks_the_fewer_are_listed(game):
    here, engine, remote = (set(players.names(game, access)) for access in Access)
    assert here - engine == {"module:Class", "program:COMMAND"}
    assert engine - remote >= {*players.known(game), "mc:400", "mc:0.5s", "search:400", "search:2s"}
    assert remote == {f"level:{number}" for number in range(1, 6)} | set(external.installed_players())


def test_the_usual_and_the_strongest_player_are_there_from_everywhere():
    for game in GAMES:
        for access in Access:
            for name in (players.DEFAULT, players.STRONGEST):
                assert players.make(name, game, 0, access)


# What may run, and for whom


@pytest.fixture
def among_bots(monkeypatch):
    monkeypatch.chdir(BOTS)


def test_on_the_command_line_modules_and_programs_sit_down(among_bots, monkeypatch):
    """And what is watched for below can be seen."""
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
def test_neither_modules_nor_programs_run_for_those_who_are_not_here(among_bots, name, access):
    with watched() as happened:
        assert refused_as_unknown(name, access)
        assert not players.is_known(name, PEBBLES)
    assert happened == []


@pytest.mark.parametrize("name", [name for name in FORMS if not name.startswith("level:")])
def test_from_afar_only_levels_sit_down(name):
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
def test_from_afar_no_name_at_all_starts_or_imports_anything(among_bots, game):
    players.make("level:1", game, 0, Access.REMOTE)  # what every game needs is loaded

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
                said = refusal.message
            else:
                assert name in levels
                assert callable(player.choose)
                said = None
        assert happened == []
        assert said is None or said.key == ("player.level" if name.partition(":")[0] == "level" else "player.unknown")

    hold()


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.builds("{}{}".format, st.sampled_from(["", *NEARLY]), st.text()) | st.text())
def test_through_the_engine_no_name_at_all_starts_or_imports_anything(name):
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
    """An installed package that brings a bot along."""
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
def test_whoever_is_installed_sits_down_for_everybody(guest, access):
    assert guest in players.names(PEBBLES, access)
    referee = table(PEBBLES)
    choices = referee.settle().actions
    referee.ask(players.make(guest, PEBBLES, 0, access))
    assert referee.steps[-1].action == choices[-1]
    assert "visitors" not in sys.modules  # it plays in a process of its own


def test_an_installed_bot_takes_no_name_that_is_taken(guest):
    assert refused_as_unknown("visitors:Last", Access.REMOTE)
    assert refused_as_unknown(f"{guest}:", Access.REMOTE)


# Through the engine


def asked(engine: Engine, **request: object) -> dict:
    return json.loads(engine.handle(json.dumps({"id": 1, **request}).encode()))


def at_the_first_decision(engine: Engine) -> dict:
    answer = asked(engine, do="new", game="template")
    while answer["pending"]["kind"] == "chance":
        answer = asked(engine, do="apply", state=answer["state"], action=answer["pending"]["actions"][0])
    return answer


@pytest.mark.parametrize("name", ["program:sh -c true", "program:", "odd:First", "karl", "mc:0", "level:6"])
def test_the_engine_asks_no_program_and_no_module_to_play(among_bots, name):
    engine = Engine()
    held = at_the_first_decision(engine)
    with watched() as happened:
        answer = asked(engine, do="play", state=held["state"], player=name)
    assert happened == []
    assert not answer["ok"]
    assert answer["error"]["code"] == "bad-request"
    assert f"“{name}”" in answer["error"]["message"]
    assert "program:" not in answer["error"]["message"].replace(name, "")
    assert asked(engine, do="play", state=held["state"], player="random")["action"] in held["pending"]["actions"]


@pytest.mark.parametrize(
    "name", ["random", "greedy", "mc:8", "search:8", "mc:0.01s", "search:0.01s", "level:1", "level:2"]
)
def test_the_engine_lets_whoever_it_knows_play(name):
    engine = Engine()
    held = at_the_first_decision(engine)
    answers = [asked(engine, do="play", state=held["state"], player=name, seed=3) for _ in range(2)]
    assert answers[0]["action"] in held["pending"]["actions"]
    assert name.endswith("s") or answers[0] == answers[1]


def test_a_name_that_is_not_known_raises_nothing():
    for name in (f"mc:{'9' * 5000}", "level:" + "1" * 5000, "x" * 5000, "\x00", "\ud800"):
        assert players.is_known(name, PEBBLES) is False
        with pytest.raises(Refusal) as caught:
            players.make(name, PEBBLES, 0)
        assert len(str(caught.value)) < 400
