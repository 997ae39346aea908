"""What is hidden changes no answer: in worlds that look alike, players of one name and seed answer alike.

A stretch of a game is played, and every answer kept. Then each seat is asked again, alone, by another referee, in worlds
that only look like those of the game: hidden things are others, draws to come are others, and nobody else has just played.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar, NamedTuple, TypeAlias
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Decision, Heard, Over, Seat
from spieltisch.core.log import Log
from spieltisch.core.player import AnyPlayer
from spieltisch.match.chance import seeded
from spieltisch.match.progress import PlayedEntry
from spieltisch.match.referee import Referee
from spieltisch.records import Undo
from tests.support.tables import GAMES, NAMES, late_table, table

Make: TypeAlias = Callable[[Seat], AnyPlayer]
HIDING = [game for game in GAMES if game.hides]
EVERYBODY = [
    pytest.param(game, name, id=f"{game.name}-{name}")
    for game in GAMES
    for name in [*players.known(game), "mc:20", "search:20", *(f"level:{number}" for number in range(1, 6))]
]


class Interference(AssertionError):
    """Something that should not matter has changed an answer."""


class Asked(NamedTuple):
    """A decision: how things really were, what its seat had heard, how much had been drawn, and what was answered."""

    state: Any
    seat: Seat
    heard: Sequence[Heard]
    drawn: int
    answer: Any


def begun(game: AnyGame, seats: int, seed: int, decisions: int) -> Referee:
    """A game in which so many decisions were taken at random; a tower, which would fall, was built by somebody who knows."""
    if not game.hides:
        return late_table(game, 130 - decisions, seed)
    referee, dice = table(game, seats, seed), Random(seed)
    for _ in range(decisions):
        if isinstance(pending := referee.settle(), Over):
            break
        referee.play(pending.seat, [dice.choice(pending.actions)])
    return referee


def played_on(referee: Referee, make: Make, decisions: int) -> list[Asked]:
    """The next decisions, taken by players on all seats."""
    seated: dict[Seat, AnyPlayer] = {}
    asked: list[Asked] = []
    while len(asked) < decisions and isinstance(pending := referee.settle(), Decision):
        before = referee.state, pending.seat, referee.heard(pending.seat), referee.progress.draws
        referee.ask(seated.setdefault(pending.seat, make(pending.seat)))
        asked.append(Asked(*before, referee.steps[-1].action))
    return asked


def another_world(game: AnyGame, asked: Asked) -> Any:
    """A world that looks the same to the seat, if possible another one."""
    view = game.observe(asked.state, asked.seat)
    worlds = [game.imagine(view, Random(number)) for number in range(5)]
    return next((world for world in worlds if world != asked.state), worlds[0])


def placed(referee: Referee, asked: Asked, world: Any) -> Referee:
    """Another referee in that world, whose seat has heard the same, and who will draw otherwise."""
    other = Referee(referee.game, referee.setup, seeded("elsewhere"))
    path = Log(PlayedEntry(None, world, Undo(1), {asked.seat: heard}) for heard in asked.heard)
    pending = referee.game.pending(world)
    other.progress = replace(other.progress, state=world, pending=pending, path=path, draws=asked.drawn)
    assert other.heard(asked.seat) == asked.heard
    return other


def check(referee: Referee, make: Make, decisions: int) -> int:
    """In how many of the next decisions the worlds were really others; Interference where an answer was, too."""
    asked = played_on(referee, make, decisions)
    game, others = referee.game, 0
    for seat in sorted({each.seat for each in asked}):
        alone = make(seat)
        for each in asked:
            if each.seat == seat:
                world = another_world(game, each)
                elsewhere = placed(referee, each, world)
                elsewhere.ask(alone)
                others += world != each.state
                if elsewhere.steps[-1].action != each.answer:
                    raise Interference(f"seat {seat} answered {elsewhere.steps[-1].action} instead of {each.answer}")
    return others


def named(name: str, game: AnyGame, seed: int = 1) -> Make:
    return lambda seat: players.make(name, game, f"{seed}/{seat}")


@pytest.mark.parametrize(("game", "name"), EVERYBODY)
def test_what_is_hidden_changes_no_answer(game, name):
    points = ((3, 8), (4, 10), (2, 45)) if game.hides else ((3, 20), (3, 90))
    others = sum(check(begun(game, seats, at, at), named(name, game), 3) for seats, at in points)
    assert (others > 3) is game.hides


@settings(max_examples=40, derandomize=True, deadline=None)
@given(
    st.sampled_from(HIDING),
    st.sampled_from(["random", "greedy", "level:1", "mc:3"]),
    st.integers(2, 4),
    st.integers(0, 1 << 32),
    st.integers(0, 60),
)
def test_what_is_hidden_changes_no_answer_anywhere(game, name, seats, seed, decisions):
    check(begun(game, seats, seed, decisions), named(name, game, seed), 6)


def test_whoever_forgets_is_asked_in_worlds_that_are_really_others():
    """In Big Points everything is known to those who remember: only the forgetful imagine worlds at all."""
    game = registry.find("bigpoints")
    level = next(level for level in registry.levels(game) if level.memory is not None)
    number = registry.levels(game).index(level) + 1
    assert check(begun(game, 4, 1, 20), named(f"level:{number}", game), 12) >= 10


# Players who know what they should not, and are found out


def by_lot(seen: Any, *known: object) -> Any:
    """A choice that depends on all that is known, whatever it is."""
    return seen.choices[crc32(repr(known).encode()) % len(seen.choices)]


def referee_above() -> Any:
    """Who asks, found where no player should look."""
    frame = sys._getframe()
    while not isinstance(frame.f_locals.get("self"), Referee):
        assert frame.f_back is not None
        frame = frame.f_back
    return frame.f_locals["self"]


class Honest:
    """Uses all that it is told, and nothing else."""

    def __init__(self, seat: Seat) -> None:
        self.before: list[Any] = [seat]

    def choose(self, seen, clock):
        self.before.append(seen)
        return by_lot(seen, self.before)


class Peeking(Honest):
    """Looks at what really is."""

    def choose(self, seen, clock):
        return by_lot(seen, referee_above().state)


class Foreseeing(Honest):
    """Looks at what will be drawn."""

    def choose(self, seen, clock):
        referee = referee_above()
        return by_lot(seen, referee.source.pick(referee.progress.draws, [1] * 1000))


class Remembering(Honest):
    """Looks at what happened, others' secrets and all."""

    def choose(self, seen, clock):
        return by_lot(seen, [step.action for step in referee_above().steps])


class Conspiring(Honest):
    """Tells the others what it sees."""

    told: ClassVar[dict[int, Any]] = {}

    def choose(self, seen, clock):
        self.told[self.before[0]] = seen.view
        return by_lot(seen, sorted(self.told.items()))


class Counting(Honest):
    """Counts how often anybody was asked."""

    asked: ClassVar[int] = 0

    def choose(self, seen, clock):
        Counting.asked += 1
        return by_lot(seen, Counting.asked)


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_somebody_honest_is_not_suspected(game):
    others = check(begun(game, 3, 1, 6), Honest, 16)
    assert (others > 3) is game.hides


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_somebody_who_peeks_is_found_out(game):
    with pytest.raises(Interference):
        check(begun(game, 3, 1, 6), Peeking, 16)


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("cheat", [Foreseeing, Remembering, Conspiring, Counting], ids=lambda cheat: cheat.__name__)
def test_whoever_knows_more_than_it_is_told_is_found_out(game, cheat):
    with pytest.raises(Interference):
        check(begun(game, 3, 1, 6), cheat, 16)
