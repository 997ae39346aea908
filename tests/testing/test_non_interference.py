"""Non-interference: hidden information does not influence a player's choices.

Part of a game is played, and every choice is recorded. Then a new player per seat, with the same name and seed, decides
again, in states that only look the same to its seat: hidden things and future draws differ, and nobody else plays.
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
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.progress import PlayedEntry
from spieltisch.gameplay.referee import Referee
from spieltisch.records import Undo
from tests.support.matches import GAMES, NAMES, late_referee, new_referee

Make: TypeAlias = Callable[[Seat], AnyPlayer]
HIDING = [game for game in GAMES if game.hides]
EVERYBODY = [
    pytest.param(game, name, id=f"{game.name}-{name}")
    for game in GAMES
    for name in [
        *players.known(game),
        *["mc:20", "search:20", *(f"level:{number}" for number in range(1, 6))],
        *["net", "net:deep"] * (registry.net_weights(game) is not None),
    ]
]


class Interference(AssertionError):
    """Hidden information has changed a choice."""


class RecordedChoice(NamedTuple):
    """A decision: the true state, what its seat had witnessed, the number of draws so far, and the choice."""

    state: Any
    seat: Seat
    heard: Sequence[Heard]
    drawn: int
    choice: Any


def start_game(game: AnyGame, seats: int, seed: int, decisions: int) -> Referee:
    """A game after some random decisions; a tower, which would collapse, is built by a careful bot."""
    if not game.hides:
        return late_referee(game, 130 - decisions, seed)
    referee, dice = new_referee(game, seats, seed), Random(seed)
    for _ in range(decisions):
        if isinstance(pending := referee.settle(), Over):
            break
        referee.play(pending.seat, [dice.choice(pending.actions)])
    return referee


def record_choices(referee: Referee, make: Make, decisions: int) -> list[RecordedChoice]:
    """The next choices of players on all seats."""
    seated: dict[Seat, AnyPlayer] = {}
    choices: list[RecordedChoice] = []
    while len(choices) < decisions and isinstance(pending := referee.settle(), Decision):
        before = referee.state, pending.seat, referee.heard(pending.seat), referee.progress.draws
        referee.ask(seated.setdefault(pending.seat, make(pending.seat)))
        choices.append(RecordedChoice(*before, referee.steps[-1].action))
    return choices


def other_state(game: AnyGame, recorded: RecordedChoice) -> Any:
    """A state that looks the same to the seat, if possible a different one."""
    view = game.observe(recorded.state, recorded.seat)
    states = [game.imagine(view, Random(number)) for number in range(5)]
    return next((state for state in states if state != recorded.state), states[0])


def referee_at(referee: Referee, recorded: RecordedChoice, state: Any) -> Referee:
    """A referee in that state with other future draws; the seat has witnessed the same."""
    other = Referee(referee.game, referee.setup, seeded("elsewhere"))
    path = Log(PlayedEntry(None, state, Undo(1), {recorded.seat: heard}) for heard in recorded.heard)
    pending = referee.game.pending(state)
    other.progress = replace(other.progress, state=state, pending=pending, path=path, draws=recorded.drawn)
    assert other.heard(recorded.seat) == recorded.heard
    return other


def check(referee: Referee, make: Make, decisions: int) -> int:
    """The number of next decisions for which a different state existed; Interference if a choice changed there."""
    choices = record_choices(referee, make, decisions)
    game, others = referee.game, 0
    for seat in sorted({each.seat for each in choices}):
        alone = make(seat)
        for each in choices:
            if each.seat == seat:
                state = other_state(game, each)
                elsewhere = referee_at(referee, each, state)
                elsewhere.ask(alone)
                others += state != each.state
                if elsewhere.steps[-1].action != each.choice:
                    raise Interference(f"seat {seat} chose {elsewhere.steps[-1].action} instead of {each.choice}")
    return others


def named(name: str, game: AnyGame, seed: int = 1) -> Make:
    return lambda seat: players.make(name, game, f"{seed}/{seat}")


@pytest.mark.parametrize(("game", "name"), EVERYBODY)
def test_hidden_information_changes_no_choice(game, name):
    points = ((3, 8), (4, 10), (2, 45)) if game.hides else ((3, 20), (3, 90))
    others = sum(check(start_game(game, seats, at, at), named(name, game), 3) for seats, at in points)
    assert (others > 3) is game.hides


@settings(max_examples=40, derandomize=True, deadline=None)
@given(
    st.sampled_from(HIDING),
    st.sampled_from(["random", "greedy", "level:1", "mc:3"]),
    st.integers(2, 4),
    st.integers(0, 1 << 32),
    st.integers(0, 60),
)
def test_hidden_information_changes_no_choice_anywhere(game, name, seats, seed, decisions):
    check(start_game(game, seats, seed, decisions), named(name, game, seed), 6)


def test_a_player_with_limited_memory_decides_in_different_states():
    """In Big Points a perfect memory knows everything: only a limited one has several possible states."""
    game = registry.find("bigpoints")
    level = next(level for level in registry.levels(game) if level.memory is not None)
    number = registry.levels(game).index(level) + 1
    assert check(start_game(game, 4, 1, 20), named(f"level:{number}", game), 12) >= 10


# Players that use forbidden information are detected


def choose_by_hash(seen: Any, *known: object) -> Any:
    """A choice that depends on everything that is passed."""
    return seen.choices[crc32(repr(known).encode()) % len(seen.choices)]


def find_referee() -> Any:
    """The calling referee, from the call stack, where no player should look."""
    frame = sys._getframe()
    while not isinstance(frame.f_locals.get("self"), Referee):
        assert frame.f_back is not None
        frame = frame.f_back
    return frame.f_locals["self"]


class Honest:
    """Uses everything it is given, and nothing else."""

    def __init__(self, seat: Seat) -> None:
        self.before: list[Any] = [seat]

    def choose(self, seen, clock):
        self.before.append(seen)
        return choose_by_hash(seen, self.before)


class Peeking(Honest):
    """Reads the true state."""

    def choose(self, seen, clock):
        return choose_by_hash(seen, find_referee().state)


class Foreseeing(Honest):
    """Reads future draws."""

    def choose(self, seen, clock):
        referee = find_referee()
        return choose_by_hash(seen, referee.source.pick(referee.progress.draws, [1] * 1000))


class Remembering(Honest):
    """Reads the full history, including hidden actions."""

    def choose(self, seen, clock):
        return choose_by_hash(seen, [step.action for step in find_referee().steps])


class Conspiring(Honest):
    """Shares its view with the others."""

    shared: ClassVar[dict[int, Any]] = {}

    def choose(self, seen, clock):
        self.shared[self.before[0]] = seen.view
        return choose_by_hash(seen, sorted(self.shared.items()))


class Counting(Honest):
    """Counts the decisions of all players."""

    decisions: ClassVar[int] = 0

    def choose(self, seen, clock):
        Counting.decisions += 1
        return choose_by_hash(seen, Counting.decisions)


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_an_honest_player_is_not_suspected(game):
    others = check(start_game(game, 3, 1, 6), Honest, 16)
    assert (others > 3) is game.hides


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_a_player_that_reads_the_state_is_detected(game):
    with pytest.raises(Interference):
        check(start_game(game, 3, 1, 6), Peeking, 16)


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("cheat", [Foreseeing, Remembering, Conspiring, Counting], ids=lambda cheat: cheat.__name__)
def test_a_player_that_knows_more_than_it_is_given_is_detected(game, cheat):
    with pytest.raises(Interference):
        check(start_game(game, 3, 1, 6), cheat, 16)
