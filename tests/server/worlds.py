"""Pairs of logs of one game that a seat and every spectator cannot tell apart: other seats drew and hid other things."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from spieltisch import registry
from spieltisch.core.game import AnyGame, Chance, Decision, Game, Seat
from spieltisch.records import entry_line
from spieltisch.table import events
from spieltisch.table.codec import Row, encode
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
    """One of so many moments is examined."""
    return 1 if game.name == "template" else 40


class Pair(NamedTuple):
    """Two games that a seat and every spectator cannot tell apart."""

    seat: Seat
    worlds: tuple[World, World]

    def logs(self, **how: Any) -> list[list[Row]]:
        return [log_of(world, **how) for world in self.worlds]


def pairs(game: AnyGame, players: int, seed: int, every: int = 1, after: int = 0) -> Iterator[Pair]:
    """Pairs at many moments of a game, if something hidden differs there."""
    whole = play_random_game(game, players, seed)
    for moment in whole.decision_points()[after::every]:
        world, seat = whole.truncate(moment), Seat(moment % players)
        other = find_indistinguishable(world, (seat, None), moment)
        if other.state != world.state:
            yield Pair(seat, (world, other))


def drafts(world: World, seat: Seat) -> list[list[str]]:
    """Drafts of the seat: legal ones and many illegal ones."""
    game, pending = world.game, world.game.pending(world.state)
    possible = [game.write(world.state, action) for action in pending.actions] if isinstance(pending, Decision) else []
    said = {entry.text for entry in world.entries if entry.seat is None or entry.seat == seat}
    wild = sorted({*said, *(letter for text in said for letter in (text.lower(), text.upper())), "?", "nonsense", ""})
    some = Random(len(world.steps)).sample(possible, min(len(possible), 6))
    return [[], *([text] for text in some), *([text] for text in wild[:40]), *([text, text] for text in some)]


def is_silent(world: World, seat: Seat, draft: list[str]) -> bool:
    """Whether playing the draft draws nothing: the seat's own draws may differ between the two games."""
    state = world.state
    for text in draft:
        pending = world.game.pending(state)
        action = world.game.read(state, text) if isinstance(pending, Decision) and pending.seat == seat else None
        if not isinstance(pending, Decision) or action not in pending.actions:
            return True  # it will be refused
        state = world.game.apply(state, action)
    return not isinstance(world.game.pending(state), Chance)
