"""A player that knows Big Points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spieltisch.core.game import Sampler, Seat
from spieltisch.core.player import Clock, Knowledge, Level, Seen
from spieltisch.games.bigpoints import rules
from spieltisch.games.bigpoints import view as views
from spieltisch.games.bigpoints.state import BLACK, PAWNS, STAIRS, WHITE, Action, Hand, State, discs
from spieltisch.games.bigpoints.view import View

_BLACK: Final = 3.3  # what a black disc is worth at the beginning, for the extra moves it may bring
_FOURTH: Final = 4.0  # how many moves a pawn must be ahead to arrive first three times out of four
_FEW: Final = 10  # moves left to all pawns, where two players' rest of the game can often be worked out
_FEWER: Final = 6  # the same for more players, where less can be left aside
_AHEAD: Final = {more: 1 / (1 + 3 ** (more / _FOURTH)) for more in range(-10, 11)}  # by how many moves more it needs


def moves_left(state: State) -> list[int]:
    """How many moves each pawn needs to reach the staircase, 0 where it is there."""
    return [
        0 if place >= STAIRS else 1 + (state.remaining & state.deal.colours[pawn] & -(place << 1)).bit_count()
        for pawn, place in zip(PAWNS, state.pawns, strict=True)
    ]


def likely_values(state: State) -> list[float]:
    """What a disc of each colour will probably be worth: by how many pawns are likely to arrive before its own."""
    steps = rules.step_values(state.deal.setup)
    reached = rules.steps_taken(state)
    needed = moves_left(state)
    there = sum(step is not None for step in reached)
    values: list[float] = []
    for pawn, step in enumerate(reached):
        if step is not None:
            values.append(float(steps[step]))
            continue
        rank = float(there)
        for other in PAWNS:
            if other != pawn and reached[other] is None:
                rank += _ahead(needed[other], needed[pawn])
        below = min(int(rank), 3)
        values.append(steps[below] + (rank - below) * (steps[below + 1] - steps[below]))
    return values


def _ahead(other: int, own: int) -> float:
    """How likely it is that a pawn which needs `other` moves arrives before one that needs `own`."""
    return _AHEAD[other - own]


def hand_value(hand: Hand, values: Sequence[float], future: float) -> float:
    """What the hand will probably score; `future` is how much of the game is left, 1 at the beginning."""
    held = discs(hand)
    others = sum(number > 0 for colour, number in enumerate(held) if colour != WHITE)
    expected = others + future * (6 - others) * 0.7
    coloured = sum(number * value for number, value in zip(held[:WHITE], values, strict=True))
    return coloured + held[WHITE] * expected + held[BLACK] * _BLACK * future


def expected(state: State) -> list[float]:
    """What every seat will probably score."""
    values = likely_values(state)
    future = min(1.0, sum(moves_left(state)) / 40)
    return [hand_value(hand, values, future) for hand in state.hands]


def lead(state: State, seat: Seat) -> float:
    """How far the seat is likely to be ahead of the others: of the best of them, and of their mean."""
    worth = expected(state)
    others = worth[:seat] + worth[seat + 1 :]
    return worth[seat] - 0.5 * max(others) - 0.5 * sum(others) / len(others)


class Foresight(Knowledge[State, Action]):
    """Reckons with where the pawns are likely to finish."""

    scale = 3.0
    prior_weight = 3.0
    can_evaluate = True

    def score_actions(self, state: State, actions: Sequence[Action], sampler: Sampler) -> Sequence[float]:
        seat = state.seat
        return [lead(rules.apply(state, action), seat) for action in actions]

    def rollout_action(self, state: State, actions: Sequence[Action], sampler: Sampler) -> Action:
        some = sampler.sample(actions, min(3, len(actions)))
        rates = self.score_actions(state, some, sampler)
        return some[rates.index(max(rates))]

    def evaluate(self, state: State) -> Sequence[float]:
        return expected(state)

    def is_endgame(self, state: State) -> bool:
        return sum(moves_left(state)) <= (_FEW if len(state.hands) == 2 else _FEWER)


KNOWLEDGE = Foresight


class Greedy:
    """Takes what leaves it furthest ahead, judged by where the pawns are likely to finish; forgets nothing."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler

    def choose(self, seen: Seen[Action, View], clock: Clock) -> Action:
        state = views.imagine(views.recall(seen.view, seen.heard), self.sampler)
        seat = state.seat
        leads = [(lead(rules.apply(state, action), seat), action) for action in seen.choices]
        best = max(value for value, _ in leads)
        return self.sampler.choice([action for value, action in leads if value > best - 1e-9])


LEVELS = (
    Level(noise=3.0, max_regret=6.0, memory=0),
    Level(noise=1.6, max_regret=4.0, memory=0),
    Level(noise=0.8, max_regret=2.5),
    Level(),
    Level("search", 1000),
)
PLAYERS = {"greedy": Greedy}
