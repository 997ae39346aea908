"""Matches between two kinds of players on all cores: shares of the victories per seat, and processor time per decision.

PYTHONPATH=src python bench/net_matches.py 'net:deep,level:5@bigpoints/3@40' 'net:deep,level:5@rondo/4/red@30' …

A match is PLAYER,PLAYER@GAME/PLAYERS[/EDITION[/OPTION=VALUE…]]@DEALS. Every deal is played with both kinds on half of
the seats (or half a seat more or less), moved on from seat to seat and then exchanged, so both kinds have every seat
equally often; from deal to deal they sit alternately or side by side. The share is that of the first kind, if a seat of
each kind is compared: equal players have 50 %. Its 95 % interval takes a deal as one observation. Decisions with a single
choice are not timed. Nothing but the standard library and NumPy is needed. `--seconds` ends all matches at the same
fraction of their deals.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is loaded

import argparse
import json
import math
import multiprocessing
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Over, Setup
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee


class Match(NamedTuple):
    """Two kinds of players, and where they meet."""

    names: tuple[str, str]
    table: str
    deals: int

    @property
    def players(self) -> int:
        return int(self.table.split("/")[1])


class Task(NamedTuple):
    """One game: who sits on each seat is an index into the names."""

    match: Match
    deal: int
    seats: tuple[int, ...]
    seed: str


class Played(NamedTuple):
    """The first kind's share of the victory, and per kind the decisions, their seconds, and the longest of them."""

    share: float
    costs: tuple[tuple[int, float, float], ...]


def read_match(text: str) -> Match:
    names, table, deals = text.rsplit("@", 2)
    first, second = names.split(",")
    return Match((first, second), table, int(deals))


def agree(table: str) -> tuple[AnyGame, Setup]:
    name, count, *rest = table.split("/")
    game = registry.find(name).for_simulation
    options = dict(option.split("=") for option in rest[1:])
    return game, game.agree(int(count), rest[0] if rest else None, options)


def seatings(count: int, deal: int) -> list[tuple[int, ...]]:
    """Who sits where in the games of a deal: both kinds on every seat equally often."""
    side_by_side = count > 3 and deal % 2
    first = [0 if seat < count // 2 else 1 for seat in range(count)]
    if not side_by_side:
        first = [0 if seat % 2 == 0 and seat // 2 < count // 2 else 1 for seat in range(count)]
    moved = [tuple(first[(seat - by) % count] for seat in range(count)) for by in range(count)]
    return list(dict.fromkeys([*moved, *(tuple(1 - kind for kind in one) for one in moved)]))


def play(task: Task) -> Played:
    match = task.match
    game, setup = agree(match.table)
    referee = Referee(game, setup, seeded(f"{task.seed}/{match.table}/{task.deal}"))
    bots = [
        players.make(match.names[kind], game, f"{task.seed}/{task.deal}/{seat}") for seat, kind in enumerate(task.seats)
    ]
    counts, seconds, longest = [0, 0], [0.0, 0.0], [0.0, 0.0]
    while not isinstance(pending := referee.settle(), Over):
        kind, before = task.seats[pending.seat], time.process_time()
        referee.ask(bots[pending.seat])
        if len(pending.actions) > 1:
            spent = time.process_time() - before
            counts[kind] += 1
            seconds[kind] += spent
            longest[kind] = max(longest[kind], spent)
    ranks = pending.outcome.ranks
    won = sum(1 for kind, rank in zip(task.seats, ranks, strict=True) if rank == 1 and kind == 0)
    return Played(won / ranks.count(1), tuple(zip(counts, seconds, longest, strict=True)))


class Figures(NamedTuple):
    """What is known of a match: shares in percent, from the deals that were played completely, and costs."""

    names: tuple[str, str]
    table: str
    deals: int
    games: int
    share: float  # of the first kind
    half_interval: float
    decisions: tuple[int, ...]
    ms: tuple[float, ...]
    longest_ms: tuple[float, ...]


def figures(match: Match, deals: Mapping[int, Sequence[Played]]) -> Figures:
    whole = [games for deal, games in deals.items() if len(games) == len(seatings(match.players, deal))]
    costs = [[game.costs[kind] for games in deals.values() for game in games] for kind in range(2)]
    decisions = tuple(sum(count for count, _, _ in some) for some in costs)
    seconds = [sum(spent for _, spent, _ in some) for some in costs]
    games, share, half = sum(map(len, whole)), math.nan, math.nan
    if len(whole) > 1:
        share = sum(game.share for one in whole for game in one) / games
        spread = sum((sum(game.share for game in one) - share * len(one)) ** 2 for one in whole)
        quantile = 1.96 + 2.7 / (len(whole) - 1)  # nearly Student's
        half = quantile * math.sqrt(spread * len(whole) / (len(whole) - 1)) / games
    return Figures(
        match.names,
        match.table,
        len(whole),
        games,
        round(100 * share, 2),
        round(100 * half, 2),
        decisions,
        tuple(round(1000 * spent / max(1, count), 2) for spent, count in zip(seconds, decisions, strict=True)),
        tuple(round(1000 * max((longest for _, _, longest in some), default=0.0), 1) for some in costs),
    )


def line(found: Figures) -> str:
    ms, longest, decisions = (" : ".join(map(str, pair)) for pair in (found.ms, found.longest_ms, found.decisions))
    return (
        f"{found.table:30} {found.names[0]:>10} : {found.names[1]:10} {found.share:5.1f} ± {found.half_interval:4.1f} %  "
        f"{found.games:5} games of {found.deals} deals, ms {ms}, longest {longest}, decisions {decisions}"
    )


def tasks(matches: list[Match], seed: str) -> Iterator[Task]:
    """All games, so ordered that the matches advance evenly."""
    order = sorted(((deal + 0.5) / match.deals, number, deal) for number, match in enumerate(matches)
                   for deal in range(match.deals))  # fmt: skip
    for _, number, deal in order:
        for seats in seatings(matches[number].players, deal):
            yield Task(matches[number], deal, seats, seed)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("matches", nargs="+", type=read_match, metavar="MATCH")
    options.add_argument("--seconds", type=float, default=math.inf)
    options.add_argument("--seed", default="m")
    options.add_argument("--workers", type=int, default=os.cpu_count())
    options.add_argument("--out", type=Path, help="the figures as JSON, written anew every 20 seconds")
    given = options.parse_args()
    started, written = time.monotonic(), 0.0
    played: dict[Match, dict[int, list[Played]]] = {match: defaultdict(list) for match in given.matches}

    def write() -> None:
        if given.out:
            given.out.write_text(json.dumps([figures(*item)._asdict() for item in played.items()], indent=1) + "\n")

    with multiprocessing.get_context("fork").Pool(given.workers) as pool:
        todo = tasks(given.matches, given.seed)
        results = pool.imap_unordered(_run, todo)
        while True:
            try:
                task, game = results.next(max(0.1, min(1e6, given.seconds - (time.monotonic() - started))))
            except (StopIteration, multiprocessing.TimeoutError):
                break
            played[task.match][task.deal].append(game)
            if time.monotonic() - started > written + 20:
                written = time.monotonic() - started
                write()
            if time.monotonic() - started > given.seconds:
                break
        pool.terminate()
    write()
    print(f"{time.monotonic() - started:.0f} s on {given.workers} cores")
    for item in played.items():
        print(line(figures(*item)))


def _run(task: Task) -> tuple[Task, Played]:
    return task, play(task)


if __name__ == "__main__":
    main()
