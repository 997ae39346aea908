"""External bots for tests: programs and classes in the folder `bots`, and games with them."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from random import Random

import pytest

from spieltisch import registry
from spieltisch.core.game import AnyGame, Over, brief
from spieltisch.core.player import Clock, MakePlayer, Seen
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.players import external
from spieltisch.players.external import PlayerFailed
from spieltisch.records import Record, write

BOTS = Path(__file__).parent / "bots"
EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = [game.for_simulation for game in registry.all()]
PEBBLES = registry.find("template")
NAMES = [game.name for game in GAMES]


def program_bot(manner: str, game: AnyGame = PEBBLES, *rest: object, timeout: float = 60) -> MakePlayer:
    words = [sys.executable, str(BOTS / "lines.py"), manner, *map(str, rest)]
    return external.program_maker(shlex.join(words), game, timeout)


def python_bot(bot: str, game: AnyGame = PEBBLES, timeout: float = 60) -> MakePlayer:
    return external.class_maker(f"odd:{bot}", game, timeout)


def new_referee(game: AnyGame, seed: int = 1, **setup) -> Referee:
    return Referee(game, game.agree(**setup), seeded(seed))


def play(game: AnyGame, *makers: MakePlayer, seed: int = 1, clock: Clock | None = None) -> Referee:
    """Plays a whole game between players with seeded samplers."""
    referee = new_referee(game, seed, players=len(makers))
    players = [make(Random(f"{seed}/{seat}")) for seat, make in enumerate(makers)]
    while not isinstance(pending := referee.settle(), Over):
        referee.ask(players[pending.seat], clock)
    return referee


def text(referee: Referee) -> str:
    return write(Record((referee.record(),)))


def failing(make: MakePlayer, game: AnyGame = PEBBLES, clock: Clock | None = None) -> str:
    """The message of a bot's failure, the same if the bot is asked again."""
    referee = new_referee(game)
    referee.settle()
    player = make(Random(1))
    sentences = set()
    for _ in range(2):
        with pytest.raises(PlayerFailed) as caught:
            referee.ask(player, clock)
        assert caught.value.code == "player-failed"
        assert brief(caught.value.player) in str(caught.value)
        assert str(caught.value).endswith(".")
        sentences.add(str(caught.value))
    assert len(sentences) == 1
    return sentences.pop()


def first_seen() -> Seen:
    referee = new_referee(PEBBLES)
    return referee.seen(referee.settle().seat)
