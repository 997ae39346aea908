"""Evaluation of a decision: what a player thinks of every choice, from what the seat may know.

The values of simulations (`Scale.VICTORY`) are means over the ends of rollouts. An end of the game counts for a seat by
its share of the victory (85 %) and by a softmax over the final scores (15 %). A rollout that stops before, because the game
can evaluate the position, counts by a softmax over the expected final scores, in which a lead of `Knowledge.scale` points
wins three games out of four. So a value is about the probability of winning, and the seats' values add up to 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, NamedTuple

from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Decision, Over, Refusal, Seat, brief
from spieltisch.core.json import Json, to_json
from spieltisch.core.player import AnyPlayer, Clock, Evaluator, Scale, Seen
from spieltisch.gameplay.errors import NotPending
from spieltisch.gameplay.progress import AnyProgress
from spieltisch.i18n.message import message_factory
from spieltisch.players.failures import NoEvaluation, PlayerFailed, guard

_say = message_factory("")


class CannotEvaluate(Refusal):
    """The player can choose, but not evaluate; the message names players that can."""

    code: ClassVar[str] = "bad-request"


@dataclass(frozen=True, slots=True)
class ChoiceEvaluation:
    """One choice: `values` has a number per seat, or none if the player has not valued this choice."""

    action: Any
    notation: str
    values: tuple[float, ...]
    visits: int | None  # simulations that started with this choice; None if the player does not simulate
    prior: float | None  # the probability that a tree search starts with
    score: float | None  # in points: the heuristic score, or the final lead if the values are exact


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a player thinks of a decision, seen from the seat that decides; `scale` says what the values mean."""

    game: str
    seat: Seat
    player: str
    scale: Scale
    choices: tuple[ChoiceEvaluation, ...]  # the best first
    chosen: Any
    notation: str  # of the chosen action
    simulations: int

    @property
    def best(self) -> ChoiceEvaluation:
        """The choice that the player thinks best; a weak level may choose another."""
        return self.choices[0]

    def to_json(self) -> dict[str, Json]:
        """The evaluation as JSON, with actions in notation."""
        return {
            "game": self.game,
            "seat": self.seat,
            "player": self.player,
            "scale": self.scale.value,
            "simulations": self.simulations,
            "action": self.notation,
            "choices": [
                {
                    "action": choice.notation,
                    "values": to_json(choice.values),
                    "visits": choice.visits,
                    "prior": choice.prior,
                    "score": choice.score,
                }
                for choice in self.choices
            ],
        }

    def __str__(self) -> str:
        """A table with one line per choice, the best first; a star marks the one that is chosen."""
        seats = max(len(choice.values) for choice in self.choices)
        columns = [
            ["choice", *(choice.notation for choice in self.choices)],
            ["", *("*" if choice.notation == self.notation else "" for choice in self.choices)],
            ["visits", *("" if choice.visits is None else str(choice.visits) for choice in self.choices)],
            ["prior", *(_decimals(choice.prior) for choice in self.choices)],
            ["score", *(_decimals(choice.score) for choice in self.choices)],
            *([f"seat {seat}", *(_decimals(value) for value in self._values(seat))] for seat in range(seats)),
        ]
        shown = [column for column in columns if any(column[1:])]
        widths = [max(map(len, column)) for column in shown]
        title = f"{self.game}, seat {self.seat}, {self.player}: {self.scale.value}, {self.simulations} simulations"
        rows = (
            "  ".join([row[0].ljust(widths[0]), *(cell.rjust(n) for cell, n in zip(row[1:], widths[1:], strict=True))])
            for row in zip(*shown, strict=True)
        )
        return "\n".join([title, *(row.rstrip() for row in rows)])

    def _values(self, seat: int) -> Iterator[float | None]:
        return (choice.values[seat] if choice.values else None for choice in self.choices)


def _decimals(number: float | None) -> str:
    return "" if number is None else f"{number:.3f}"


def evaluate(
    progress: AnyProgress, player: players.PlayerLike, *, seed: int | str = 0, clock: Clock | None = None
) -> Evaluation:
    """What the player thinks of the pending decision, from what the deciding seat may know.

    `player` is a name, a class or an instance. NotPending if nobody is to decide, CannotEvaluate if the player has no
    `evaluate`. The same seed gives the same evaluation.
    """
    pending = progress.pending
    if not isinstance(pending, Decision):
        raise NotPending(_say("turn.over" if isinstance(pending, Over) else "turn.chance"))
    name, made = players.player_name(player), players.make_player(player, progress.game, seed)
    decision = Position(progress.game, progress.setup.players, pending.seat, progress.seen(pending.seat))
    return evaluate_position(decision, made, name, clock or Clock())


class Position(NamedTuple):
    """A decision as the seat that decides knows it."""

    game: AnyGame
    players: int
    seat: Seat
    seen: Seen[Any, Any]


def evaluate_position(position: Position, player: AnyPlayer, name: str, clock: Clock) -> Evaluation:
    """What the player thinks of a decision; CannotEvaluate if it has no `evaluate`."""
    game, seats, seat, seen = position
    try:
        estimates = guard(player, name).evaluate(seen, clock)
    except NoEvaluation:
        raise CannotEvaluate(_say("player.no_evaluation", given=brief(name), known=evaluators(game))) from None
    # Notation reveals nothing hidden, so any state that matches the view will do to write the choices.
    state = game.imagine(seen.view, Random(0))
    choices = tuple(
        ChoiceEvaluation(each.action, game.write(state, each.action), *each[1:]) for each in estimates.choices
    )
    if not choices or any(len(choice.values) not in {0, seats} for choice in choices):
        raise PlayerFailed(name, _say("bot.bad_evaluation", bot=brief(name), told=f"{seats} values per choice"))
    chosen = estimates.chosen
    return Evaluation(
        game.name, seat, name, estimates.scale, choices, chosen, game.write(state, chosen), estimates.simulations
    )


def evaluators(game: AnyGame) -> tuple[str, ...]:
    """The names of the players that can evaluate, with examples of those that take a parameter."""
    levels = (f"level:{number}" for number in range(1, len(registry.levels(game)) + 1))
    plain = (name for name in players.known(game) if isinstance(players.make(name, game, 0), Evaluator))
    return (*levels, *plain, "mc:400", "search:400", *(("net", "net:deep") if registry.net_weights(game) else ()))
