"""What is measured: run when no other test runs beside it (`make test` does so after the others)."""

from __future__ import annotations

import resource
import sys

from tests.support.command import COMMAND, run_process
from tests.support.server import Person, running_server

GAMES = ("template", "bigpoints", "rondo", "turmbauer")


def test_help_costs_less_than_ten_bare_interpreters():
    def spent() -> float:
        """The processor time of all processes that were begun here and have ended."""
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    def least(*arguments: str) -> float:
        took = []
        for _ in range(6):
            before = spent()
            assert run_process(*arguments).code == 0
            took.append(spent() - before)
        return min(took)

    assert least(*COMMAND, "--help") < 10 * least(sys.executable, "-c", "pass")


def test_the_loop_never_pauses_for_50_ms_whatever_is_asked(tmp_path):
    with running_server(tmp_path) as server:
        ask_for_everything(Person(server))
        assert Person(server).get("/healthz").json()["longest_pause"] < 0.05


def test_a_slow_bot_keeps_nobody_from_their_turn(tmp_path):
    """Whenever it has moved twice, everybody else has moved."""
    with running_server(tmp_path) as server:
        person = Person(server)
        slow = person.open_table("template", "level:5", "level:5", games=1)
        quick = [person.open_table("template", "level:1", "level:1", games=1) for _ in range(4)]
        moves = {}
        for at in (slow, *quick):
            at.wait_until(lambda now: now["table"]["status"] == "over")
            moves[at.table] = [event["at"] for event in at.events()["events"] if event["kind"] == "move"]
    everybody_is_there = max(moves[at.table][0] for at in quick)
    turns = [one for one in moves[slow.table] if one >= everybody_is_there]
    taken = 0
    for at in quick:
        for before, after in zip(turns, turns[2:], strict=False):
            if after <= moves[at.table][-1]:
                assert any(before <= one <= after for one in moves[at.table])
                taken += 1
    assert taken > 10


def ask_for_everything(person: Person) -> None:
    over = []
    for game in GAMES:
        at = person.open_table(game, "Ada", "level:1", first=0, games=1)
        with at.stream() as stream:
            next(stream)
            at.play(0, steps=3)
        now = at.wait_until(lambda now: now["table"]["waiting"] in ("person", "nobody"))
        if now["table"]["waiting"] == "person":
            asked = {"seat": 0, "version": now["version"], "draft": []}
            assert at.ask("hint", **asked)["text"] in [one["text"] for one in now["position"]["choices"]]
            for choice in now["position"]["choices"][:10]:
                at.ask("preview", **{**asked, "draft": [choice["text"]]})
        at.do("resign", seat=0)
        over.append(at.record())
        assert at.events()["table"]["status"] == "over"
    for record in over:
        person.post("/api/replays", record=record)
    person.open_table("template", "level:1", "level:1").wait_until(lambda now: now["table"]["status"] == "over")
    assert person.get("/api/fairness").json()
    for path in ("/api/games", "/api/games/rondo/rules", "/api/tables", "/api/docs", "/api/openapi.json"):
        person.get(path)
