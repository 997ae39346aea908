"""`make prove-crash`: thousands of games at servers that are killed in the middle of them."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.campaigns.campaign import campaign, report
from tests.campaigns.crashing import Evening, check_log, evening

GAMES = 12  # an evening
KILLS = 5  # an evening, and some more while the server begins again
COUNTED = (
    "games",
    "kills",
    "kills while the server began",
    "processes that ended with it",
    "commands answered",
    "commands refused because the table had gone on",
    "commands without an answer at a kill",
    "of those, kept already and answered as before",
    "tables that waited for a bot at a kill",
    "tables that waited for a judge at a kill",
    "streams taken up again",
    "events streamed",
    "draws proven",
)
METHOD = """

An evening is twelve games at ten tables at once: people, bots and spectators, drafts of one action or two, undos asked and \
answered, joins, a match of two games, a rematch, a resignation; most of them template and Big Points, one Rondo, every \
fourth evening Turmbauer. People act as browsers do: told by the event stream, commanding over HTTP. The server is killed \
with SIGKILL after a random number of answered commands and a random instant, once an evening of Turmbauer while a verdict \
is waited for, now and then again while it begins, and started again on the same file and port. Whoever got no answer \
repeats the command with the same key; whoever lost the stream comes back with the last event's number.

Held to be true, or the campaign stops:
- After every kill: what was left behind is whole, everything answered so far is in it, with the same answer under its key, \
and what was there after the kill before has not changed.
- In the end: the actions of every seat in the log are exactly those that were answered, in that order and at those numbers, \
and every joining, nonce, question, answer, undo, resignation and rematch is there exactly once.
- Every event of every stream came exactly once, in order, with none missing: the same as `events?after=0`.
- Every draw follows from the secret that was committed to (`spieltisch verify`).
- Tables of bots that nobody looks at come to their end by themselves.
- No process outlives the server that began it, and no server writes an error."""


def play(_: str, seed: int) -> dict[str, int]:
    """What was counted in an evening."""
    with tempfile.TemporaryDirectory(prefix="spieltisch-crash-") as folder:
        played = Evening(Path(folder), seed, evening(seed))
        try:
            played.play(KILLS)
        finally:
            if played.server.process.poll() is None:
                played.server.kill()
        check_log(played)
        return {"commands answered": len(played.sent), **played.counts}


def main(games: int) -> None:
    evenings = campaign("crash", ["evenings"], -(-games // GAMES), play, every=1)["evenings"]
    totals = sum(map(Counter, evenings), Counter[str]())
    report(
        "crashes",
        "Killed in the middle of games",
        f"`make prove-crash GAMES={games}`: nothing that was answered was lost, nothing was done twice." + METHOD,
        ("counted", f"in {len(evenings)} evenings"),
        [(name, totals[name]) for name in COUNTED],
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
