"""`make prove-baselines`: named players against each other at two-player tables, rated on one fixed scale.

Ratings that docs/reference/baselines.json holds as fixed are never moved: only players that are new, provisional, or that
play differently from before are fitted. Finished deals are logged in .build, so that a run can be resumed. Writes docs/reference/baselines.md
and baselines.json.

    python -m tests.campaigns.prove_baselines SECONDS [GAME=PLAYER …]

SECONDS limits the time spent on the deals of a game; GAME=PLAYER adds a player, such as rondo=mybot:Highest.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from datetime import UTC, datetime
from random import Random
from typing import Any

from spieltisch import __version__, players, registry
from spieltisch.arena.bradley_terry import Pairing, fit_with_intervals
from spieltisch.arena.config import make_config
from spieltisch.arena.deals import DealResult, play_deal
from spieltisch.arena.standings import victory_shares
from spieltisch.arena.statistics import Interval
from spieltisch.arena.workers import ProcessWorkers, Workers
from spieltisch.core.game import AnyGame, Over
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from tests.campaigns.campaign import ROOT

PAGE = ROOT / "docs" / "reference" / "baselines.md"
DATA = PAGE.with_suffix(".json")
FORMAT = "spieltisch baselines 1"
ANCHOR, ANCHOR_RATING = "greedy", 1000.0
ROSTERS = {  # weakest first, as far as known
    "bigpoints": "random level:1 level:2 level:3 level:4 greedy mc:64 search:64 search:256 level:5",
    "rondo": "random level:1 level:2 level:3 greedy level:4 search:16 mc:64 level:5",
    "turmbauer": "random careful level:1 level:2 level:3 greedy level:4 level:5",
}
MIN_DEALS = {"turmbauer": 1}  # of every pairing; in other games:
DEFAULT_MIN_DEALS = 2
MAX_DEALS = 30
CHEAP = 20.0  # seconds that every pairing may take for further deals
NEIGHBOURS = {"turmbauer": 2}  # games that take seconds: players meet those so many places above and below only
MAX_MARGIN = 100.0  # a rating with a wider interval is provisional
SEED = 26
DECISIONS = 12  # that identify how a player plays
CLEAR = 0.03  # a pairing with a smaller share of the victories is not continued
SAMPLES = 400  # of the bootstrap


def roster(game: AnyGame, added: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*ROSTERS[game.name].split(), *added]))


def all_pairs(game: AnyGame, names: Sequence[str], new: Iterable[str]) -> list[tuple[str, str]]:
    """The pairings with at least one new player, each in alphabetical order."""
    reach = NEIGHBOURS.get(game.name, len(names))
    near = (names[first : first + reach + 1] for first in range(len(names)))
    pairs = {(min(group[0], other), max(group[0], other)) for group in near for other in group[1:]}
    return sorted(pair for pair in pairs if set(pair) & set(new))


def fingerprint(game: AnyGame, name: str) -> str:
    """A digest of a player's first decisions in a fixed game: it changes if the player plays differently."""
    referee = Referee(game, game.agree(2), seeded("baselines"))
    bots = [players.make(name, game, f"baselines/{seat}") for seat in range(2)]
    decisions = 0
    while decisions < DECISIONS and not isinstance(pending := referee.settle(), Over):
        referee.ask(bots[pending.seat])
        decisions += 1
    return hashlib.sha256(repr(referee.record().entries).encode()).hexdigest()[:12]


class Deals:
    """The log of one game's deals, by the fingerprints of both players."""

    def __init__(self, game: str) -> None:
        self.path = ROOT / ".build" / "baselines" / f"{game}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = self.path.read_text().splitlines(keepends=True) if self.path.exists() else []
        self.entries = [json.loads(line) for line in lines if line.endswith("\n")]
        self.seconds = sum(entry["seconds"] for entry in self.entries)

    def add(self, **entry: Any) -> None:
        self.entries.append(entry)
        self.seconds += entry["seconds"]
        with self.path.open("a") as file:
            file.write(json.dumps(entry) + "\n")

    def of(self, pair: Sequence[str], prints: dict[str, str]) -> list[dict[str, Any]]:
        wanted = [[name, prints[name]] for name in pair]
        return [entry for entry in self.entries if entry["players"] == wanted]

    def cost(self, pair: Sequence[str], prints: dict[str, str]) -> float:
        """The seconds that were spent on a pairing."""
        return sum(entry["seconds"] for entry in self.of(pair, prints))

    def pairing(self, pair: Sequence[str], prints: dict[str, str]) -> Pairing:
        return Pairing(pair[0], pair[1], Counter(entry["share"] for entry in self.of(pair, prints)))


def play(
    game: AnyGame, pairs: list[tuple[str, str]], prints: dict[str, str], seconds: float, workers: Workers
) -> Deals:
    """Plays deal after deal, always of the pairings that have cost the least, until all are done or the time is spent."""
    deals, running = Deals(game.name), dict[Future[DealResult], tuple[str, str]]()
    least = MIN_DEALS.get(game.name, DEFAULT_MIN_DEALS)

    def is_open(pair: tuple[str, str]) -> bool:
        found = deals.pairing(pair, prints)
        if found.deals < least:
            return True
        goes_on = deals.cost(pair, prints) < CHEAP or CLEAR < found.share < 1 - CLEAR
        return found.deals < MAX_DEALS and goes_on and deals.seconds < seconds

    while True:
        waiting = [pair for pair in pairs if pair not in running.values() and is_open(pair)]
        waiting.sort(key=lambda pair: deals.cost(pair, prints))
        for pair in waiting[: workers.size - len(running)]:
            config = make_config(game, {"players": 2}, list(pair), SEED)
            running[workers.submit(play_deal, config, deals.pairing(pair, prints).deals)] = pair
        if not running:
            return deals
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            deal, pair = future.result(), running.pop(future)
            share = victory_shares(deal)[0]
            deals.add(players=[[n, prints[n]] for n in pair], deal=deal.number, share=share, seconds=deal.seconds)
            print(f"{game.title}: {' : '.join(pair)}, deal {deal.number}, {share:g}, {deals.seconds:.0f} s", flush=True)


def keep_old(kept: dict[str, Any], prints: dict[str, str]) -> None:
    """Renames players of the file that play differently now: their ratings stay, for what they were."""
    for name, entry in list(kept["players"].items()):
        if name in prints and entry["fingerprint"] != prints[name]:
            old = f"{name} ({entry['date']})"
            kept["players"][old] = kept["players"].pop(name)
            for pairing in kept["pairings"]:
                pairing["players"] = [old if each == name else each for each in pairing["players"]]


def merge(kept: dict[str, Any], played: Iterable[Pairing]) -> list[Pairing]:
    """The pairings of the file, and those just played instead if there are more of them."""
    found = {
        tuple(each["players"]): Pairing(*each["players"], {float(k): n for k, n in each["shares"].items()})
        for each in kept["pairings"]
    }
    for pairing in played:
        key = (pairing.first, pairing.second)
        if pairing.deals and (key not in found or found[key].deals < pairing.deals):
            found[key] = pairing._replace(shares=dict(sorted(pairing.shares.items())))
    return sorted(found.values(), key=lambda each: each[:2])


def rate(game: AnyGame, kept: dict[str, Any], added: Iterable[str], seconds: float, workers: Workers) -> None:
    """Plays what is missing, and adds the ratings of new players to what is kept."""
    names = roster(game, added)
    prints = {name: fingerprint(game, name) for name in names}
    keep_old(kept, prints)
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    fixed = {name: entry["rating"] for name, entry in kept["players"].items() if not entry["provisional"]}
    if not fixed:
        fixed = {ANCHOR: ANCHOR_RATING}
        kept["players"][ANCHOR] = entry_of(ANCHOR_RATING, None, "", today, prints[ANCHOR])
    new = [name for name in names if name not in fixed]
    pairs = all_pairs(game, names, new)
    deals = play(game, pairs, prints, seconds, workers) if pairs else Deals(game.name)
    before = set(map(str, merge(kept, ())))
    pairings = merge(kept, (deals.pairing(pair, prints) for pair in pairs))
    for name, fitted in fit_with_intervals(pairings, fixed, SAMPLES, Random(SEED), ANCHOR).items():
        own = [str(each) for each in pairings if name in each[:2]]
        if name not in kept["players"] or not before.issuperset(own):  # nothing new is no reason for another rating
            kept["players"][name] = entry_of(*fitted, today, prints[name])
    kept["pairings"] = [
        {"players": [each.first, each.second], "shares": {str(k): n for k, n in sorted(each.shares.items())}}
        for each in pairings
    ]


def entry_of(rating: float, interval: Interval | None, bound: str, date: str, digest: str) -> dict[str, Any]:
    return {
        "rating": round(rating, 1),
        "interval": interval and [round(each, 1) for each in interval],
        "bound": bound,
        "provisional": interval is not None and (bool(bound) or interval.high - rating > MAX_MARGIN),
        "date": date,
        "version": __version__,
        "fingerprint": digest,
    }


TEXT = """# Baselines

{date}, `make prove-baselines`. The named players of every game at two-player tables with default options, on one scale per game that does not move: papers and bots can be compared with these numbers, and later players are added to them.

- **Scale.** A player rated R beats one rated S with probability 1 / (1 + 10^((S − R) / 400)), as in Elo's system; `greedy` is {anchor:.0f} in every game. 100 points more are 64 % of the victories, 200 are 76 %, 400 are 91 %. Scales of different games are not comparable.
- **Fit.** Bradley–Terry by maximum likelihood over all pairings, a shared victory as half ([`arena/bradley_terry.py`](../../src/spieltisch/arena/bradley_terry.py)). A weak normal prior around 1000 with standard deviation 800 keeps ratings finite if one side won everything; it weighs as much as a fifth of a game between equals. If a player is separated from `greedy` by such results only, its rating is a bound, marked ≤ or ≥.
- **Games.** Duplicate deals as in [the arena](arena.md): the same draws twice, with the seats exchanged. Every pairing plays at least {least} deals and at most {most}: it goes on while it has cost little, or while both sides win something, until the time of the run is spent. In Turmbauer, whose games take seconds, players meet only those near to them, for {tower} deal or more. Levels and budgets are in simulations, so the games are the same on every machine.
- **Intervals** are 95 % intervals, relative to the anchor, from the spread of a bootstrap over deals in which half a won and half a lost deal are added to every pairing: few deals give wide intervals. Players whose intervals overlap are not told apart here; [the ladder](ladder.md) has played until every level was certainly better than the one below.
- **Fixed and provisional.** A rating whose interval is at most ± {margin:.0f} is fixed: it is never moved again. A wider one, or a bound, is provisional: later runs play more games and fit it again.
- **Later players** are fitted while the fixed ratings in [`baselines.json`](baselines.json) stay as they are: `make prove-baselines ADD=rondo=mybot:Highest`. A named player that plays differently after a change gets a new rating; the old one stays, with its date.
"""


def page(data: dict[str, Any]) -> str:
    text = TEXT.format(
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        anchor=ANCHOR_RATING,
        least=DEFAULT_MIN_DEALS,
        most=MAX_DEALS,
        tower=MIN_DEALS["turmbauer"],
        margin=MAX_MARGIN,
    )
    parts = [text]
    for name, kept in data["games"].items():
        parts.append(f"## {registry.find(name).title}\n\n{ratings_table(kept)}\n\n{cross_table(kept)}\n")
    return "\n".join(parts)


def ranked(kept: dict[str, Any]) -> list[str]:
    return sorted(kept["players"], key=lambda name: -kept["players"][name]["rating"])


def ratings_table(kept: dict[str, Any]) -> str:
    games: Counter[str] = Counter()
    for each in merge({"pairings": kept["pairings"]}, ()):
        games[each.first] += each.games
        games[each.second] += each.games
    lines = ["| player | rating | 95 % interval | games | since | |", "|---|---|---|---|---|---|"]
    for name in ranked(kept):
        entry = kept["players"][name]
        mark = {"<": "≤ ", ">": "≥ ", "": ""}[entry["bound"]]
        interval = " to ".join(map(rounded, entry["interval"])) if entry["interval"] else ""
        status = "provisional" if entry["provisional"] else "fixed" if entry["interval"] else "anchor"
        rating = f"{mark}{rounded(entry['rating'])}"
        lines.append(f"| {name} | {rating} | {interval} | {games[name]} | {entry['date']} | {status} |")
    return "\n".join(lines)


def rounded(number: float) -> str:
    return f"{number:.0f}".replace("-", "−")


def cross_table(kept: dict[str, Any]) -> str:
    shares: dict[tuple[str, str], str] = {}
    for each in merge({"pairings": kept["pairings"]}, ()):
        shares[each.first, each.second] = f"{100 * each.share:.0f} ({each.games})"
        shares[each.second, each.first] = f"{100 * (1 - each.share):.0f} ({each.games})"
    names = ranked(kept)
    lines = [
        "Share of the victories of the row against the column in %, with the number of games:",
        "",
        f"| | {' | '.join(names)} |",
        "|---" * (len(names) + 1) + "|",
    ]
    for row in names:
        cells = ("" if row == column else shares.get((row, column), "–") for column in names)
        lines.append(f"| {row} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 600.0
    added = [each.partition("=")[::2] for each in sys.argv[2:]]
    data = json.loads(DATA.read_text()) if DATA.exists() else {"format": FORMAT, "games": {}}
    with ProcessWorkers(1) as workers:
        for game in registry.offered():
            kept = data["games"].setdefault(game.name, {"players": {}, "pairings": []})
            own = [name for where, name in added if where == game.name]
            rate(game.for_simulation, kept, own, seconds, workers)
            DATA.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            PAGE.write_text(page(data), encoding="utf-8")


if __name__ == "__main__":
    main()
