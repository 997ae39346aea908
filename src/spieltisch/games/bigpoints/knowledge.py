"""Domain knowledge of Big Points for players: a heuristic evaluation, and a greedy bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spieltisch.core.game import Sampler, Seat
from spieltisch.core.player import Clock, Estimates, Knowledge, Level, Seen, estimate_by_score
from spieltisch.games.bigpoints import rules
from spieltisch.games.bigpoints import view as views
from spieltisch.games.bigpoints.state import BLACK, PAWNS, STAIRS, WHITE, Action, Hand, State, discs
from spieltisch.games.bigpoints.view import View

_BLACK_VALUE: Final = 3.3  # points of a black disc at the start of the game, for the extra moves it may bring
_ODDS_SCALE: Final = 4.0  # a pawn that is this many moves ahead arrives first three times out of four
_ENDGAME_MOVES: Final = 10  # two players: with at most this many moves left for all pawns, the rest can often be solved
_ENDGAME_MOVES_MANY: Final = 6  # the same for more players, where less can be pruned
_ARRIVAL_ODDS: Final = {  # logistic: the probability that a pawn that needs this many more moves still arrives first
    more: 1 / (1 + 3 ** (more / _ODDS_SCALE)) for more in range(-10, 11)
}


def moves_left(state: State) -> list[int]:
    """The number of moves that each pawn needs to reach the staircase; 0 if it is there."""
    return [
        0 if place >= STAIRS else 1 + (state.remaining & state.deal.colours[pawn] & -(place << 1)).bit_count()
        for pawn, place in zip(PAWNS, state.pawns, strict=True)
    ]


def expected_values(state: State) -> list[float]:
    """The expected value of a disc of each colour: the step at the expected rank of its pawn, interpolated."""
    steps = rules.step_values(state.deal.setup)
    reached = rules.steps_taken(state)
    needed = moves_left(state)
    arrived = sum(step is not None for step in reached)
    values: list[float] = []
    for pawn, step in enumerate(reached):
        if step is not None:
            values.append(float(steps[step]))
            continue
        rank = float(arrived)
        for other in PAWNS:
            if other != pawn and reached[other] is None:
                rank += _ARRIVAL_ODDS[needed[other] - needed[pawn]]
        lower = min(int(rank), 3)
        values.append(steps[lower] + (rank - lower) * (steps[lower + 1] - steps[lower]))
    return values


def expected_score(hand: Hand, values: Sequence[float], future: float) -> float:
    """The expected final score of a hand; `future` is the fraction of the game that is left, 1 at the start."""
    held = discs(hand)
    others = sum(number > 0 for colour, number in enumerate(held) if colour != WHITE)
    expected_others = others + future * (6 - others) * 0.7
    coloured = sum(number * value for number, value in zip(held[:WHITE], values, strict=True))
    return coloured + held[WHITE] * expected_others + held[BLACK] * _BLACK_VALUE * future


def evaluate(state: State) -> list[float]:
    """The expected final score of every seat."""
    values = expected_values(state)
    future = min(1.0, sum(moves_left(state)) / 40)
    return [expected_score(hand, values, future) for hand in state.hands]


def lead(state: State, seat: Seat) -> float:
    """The expected lead of a seat: over the mean of the best opponent and the average opponent."""
    scores = evaluate(state)
    others = scores[:seat] + scores[seat + 1 :]
    return scores[seat] - 0.5 * max(others) - 0.5 * sum(others) / len(others)


class BigPointsKnowledge(Knowledge[State, Action]):
    """Action scores and evaluation from the expected order in which the pawns arrive."""

    scale = 3.0
    prior_weight = 3.0
    can_evaluate = True

    def score_actions(self, state: State, actions: Sequence[Action], sampler: Sampler) -> Sequence[float]:
        seat = state.seat
        return [lead(rules.apply(state, action), seat) for action in actions]

    def rollout_action(self, state: State, actions: Sequence[Action], sampler: Sampler) -> Action:
        candidates = sampler.sample(actions, min(3, len(actions)))
        scores = self.score_actions(state, candidates, sampler)
        return candidates[scores.index(max(scores))]

    def evaluate(self, state: State) -> Sequence[float]:
        return evaluate(state)

    def is_endgame(self, state: State) -> bool:
        return sum(moves_left(state)) <= (_ENDGAME_MOVES if len(state.hands) == 2 else _ENDGAME_MOVES_MANY)


KNOWLEDGE = BigPointsKnowledge


class Greedy:
    """Chooses the action with the largest expected lead; remembers every action of the game."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler

    def choose(self, seen: Seen[Action, View], clock: Clock) -> Action:
        return self._pick(seen.choices, self._leads(seen))

    def evaluate(self, seen: Seen[Action, View], clock: Clock) -> Estimates[Action]:
        """The expected lead after every choice."""
        leads = self._leads(seen)
        return estimate_by_score(seen.choices, leads, self._pick(seen.choices, leads))

    def _leads(self, seen: Seen[Action, View]) -> list[float]:
        state = views.imagine(views.recall(seen.view, seen.heard), self.sampler)
        return [lead(rules.apply(state, action), state.seat) for action in seen.choices]

    def _pick(self, choices: Sequence[Action], leads: Sequence[float]) -> Action:
        best = max(leads)
        return self.sampler.choice(
            [action for action, value in zip(choices, leads, strict=True) if value > best - 1e-9]
        )


LEVELS = (
    Level(noise=3.0, max_regret=6.0, memory=0),
    Level(noise=1.6, max_regret=4.0, memory=0),
    Level(noise=0.8, max_regret=2.5),
    Level(),
    Level("search", 1000),
)
PLAYERS = {"greedy": Greedy}
