"""`make prove-history`: whole histories of many clients, checked while everything fails around them."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.campaigns.campaign import run_campaign, write_page
from tests.campaigns.faults import planted
from tests.campaigns.histories.run import Run

SETTINGS = {"SQLite, one server": False, "PostgreSQL, two servers": True}
DISTURBANCES = 20  # per run; about 14 of them are kills or pauses
KILLS_PER_RUN = 14
CALM = 0.5  # seconds between two disturbances, on average
PLANTED = {planted.TOO_EARLY: ("kill server",) * 2, planted.FORGETFUL: ("cut answers",) * 3}
METHOD = """

Seven clients play at three tables at a time: two tables for two people and one for a person and a bot; one of them \
has a time limit per turn. When a match is over, they open the next table. Each request goes through a proxy to any \
of the servers. The clients record every operation with the times of its invocation and completion, and its outcome: \
done, refused or unknown. An operation without a response is repeated with the same key; one command in ten is given \
up instead, and one in ten acknowledged commands is sent once more. Spectators follow the streams. Meanwhile the \
nemesis kills servers, rules workers, bot workers and database processes (SIGKILL), pauses them (SIGSTOP) for up to a \
second, and sometimes a server for longer than its leases last, drops responses between the commit and the client, \
cuts the servers' connections to the database, and sets the servers' wall clocks back by an hour or a day, or forward \
by twenty seconds.

The campaign stops unless all of this holds:
- The versions of every table are consecutive, and `spieltisch check` finds no problem.
- Every acknowledged command is stored exactly once, with the response that was given; no refused command is stored, \
and each command with an unknown outcome was carried out once or not at all.
- The moves of people in every log are those of the stored commands, in the order of their versions.
- The order agrees with real time (linearizability per table): an operation that was complete before another one was \
invoked comes before it, and every later read shows it.
- Every read is a prefix of the final log, as its reader may see it; every stream delivers each event once, in order.
- No turn times out: all clients are quick, and clocks that jump cost nobody a turn.
- Servers stop cleanly at the end.

Before that, the campaign shows that it can fail: it finds servers that acknowledge before they commit, and servers \
that forget the idempotency keys of commands."""


def play(setting: str, seed: int) -> dict[str, int]:
    """Carries out one run, and returns what was counted."""
    with tempfile.TemporaryDirectory(prefix="spieltisch-history-") as folder:
        run = Run(Path(folder), shared=SETTINGS[setting], seed=f"{setting} {seed}")
        run.play([None] * DISTURBANCES, CALM)
        violations = run.check()
        assert not violations, f"{setting}, run {seed}: " + "\n".join(violations)
        return dict(run.counts)


def find_planted() -> None:
    """Shows that servers with a bug are found."""
    for bug, disturbances in PLANTED.items():
        with tempfile.TemporaryDirectory(prefix="spieltisch-history-") as folder:
            run = Run(Path(folder), shared=False, seed=bug)
            run.play(disturbances, CALM, plant=bug)
            assert run.check(), f"not found: {bug}"


def main(kills: int) -> None:
    find_planted()
    runs = -(-kills // (KILLS_PER_RUN * len(SETTINGS)))
    results = run_campaign("history", SETTINGS, runs, play, save_interval=1)
    totals = {setting: sum(map(Counter, played), Counter[str]()) for setting, played in results.items()}
    names = sorted({name for counts in totals.values() for name in counts}, key=_order)
    done = sum(counts[name] for counts in totals.values() for name in counts if name.startswith(("kill", "pause")))
    write_page(
        "histories",
        "Histories",
        f"`make prove-history KILLS={kills}`: {done} kills and pauses; nothing was lost, doubled or reordered."
        + METHOD,
        ("counted", *(f"{setting}, {runs} runs" for setting in totals)),
        [(name, *(counts[name] for counts in totals.values())) for name in names],
    )


def _order(name: str) -> tuple[int, str]:
    first = ("kill", "pause", "cut", "clock", "answers", "tables", "commands", "of the", "reads", "repeated")
    return next((number for number, start in enumerate(first) if name.startswith(start)), len(first)), name


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
