"""`make prove-crash`: thousands of games on servers that are killed during play."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.campaigns.campaign import run_campaign, write_page
from tests.campaigns.crash_checks import check_log
from tests.campaigns.crash_evening import Evening
from tests.campaigns.crash_plan import plan_evening

GAMES = 12  # per evening
KILLS = 5  # per evening, and some more during startup
COUNTED = (
    "games",
    "kills",
    "kills during startup",
    "worker processes that ended with the server",
    "commands acknowledged",
    "commands refused because the table had changed",
    "commands without a response at a kill",
    "of those, already stored and acknowledged when repeated",
    "tables waiting for a bot at a kill",
    "tables waiting for a judge at a kill",
    "streams resumed",
    "events streamed",
    "draws verified",
)
METHOD = """

An evening is twelve games at ten tables at the same time: people, bots and spectators, drafts of one or two actions, \
undos that are requested and granted or declined, joins, a match of two games, a rematch, a resignation. Most games \
are template and Big Points, one is Rondo, every fourth evening has Turmbauer. The simulated people behave like \
browsers: they follow the event stream and send commands over HTTP. The server is killed with SIGKILL after a random \
number of acknowledged commands plus a random delay, once per Turmbauer evening while a verdict is pending, and \
sometimes again during startup; then it is restarted on the same file and port. A client that got no response repeats \
the command with the same key; a client that lost its stream reconnects with the number of the last event.

The campaign stops unless all of this holds:
- After every kill: the stored data is intact and contains every acknowledged command, with the same response under \
its key; what was there after the previous kill has not changed.
- At the end: the actions of every seat in the log are exactly the acknowledged ones, in that order and with those \
numbers; every join, nonce, question, answer, undo, resignation and rematch is there exactly once.
- Every event of every stream arrived exactly once, in order, without gaps: the same as `events?after=0`.
- Every draw follows from the committed secret (`spieltisch verify`).
- Tables of bots that nobody watches finish by themselves.
- No process outlives the server that started it, and no server logs an error."""


def play(_: str, seed: int) -> dict[str, int]:
    """Plays one evening, and returns what was counted."""
    with tempfile.TemporaryDirectory(prefix="spieltisch-crash-") as folder:
        evening = Evening(Path(folder), seed, plan_evening(seed))
        try:
            evening.play(KILLS)
        finally:
            if evening.server.process.poll() is None:
                evening.server.kill()
        check_log(evening)
        return {"commands acknowledged": len(evening.acknowledged), **evening.counts}


def main(games: int) -> None:
    evenings = run_campaign("crash", ["evenings"], -(-games // GAMES), play, save_interval=1)["evenings"]
    totals = sum(map(Counter, evenings), Counter[str]())
    write_page(
        "crashes",
        "Crash tests",
        f"`make prove-crash GAMES={games}`: no acknowledged command was lost, and none was carried out twice." + METHOD,
        ("counted", f"in {len(evenings)} evenings"),
        [(name, totals[name]) for name in COUNTED],
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
