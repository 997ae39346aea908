"""Planted bugs in twins: mutants of a reference twin of any game with ids, each of which law 12 must catch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from spieltisch.core.actions import ListedIds
from spieltisch.core.game import AnyGame, Chance, Decision, Outcome, Over, Setup
from spieltisch.core.twin import Kind


class Rows(list[Any]):
    """A list with the one method of an array that the checks use."""

    def tolist(self) -> list[Any]:
        return list(self)


class ListTwin:
    """A reference twin of any game with ids: its batches are lists of states, and it asks the rules for everything."""

    def __init__(self, game: AnyGame, setup: Setup) -> None:
        ids = game.ids(setup)
        assert isinstance(ids, ListedIds)
        self.game, self.setup, self.actions = game, setup, ids.actions
        self.outcomes = range(len(ids))

    def pack(self, states: Sequence[Any]) -> Rows:
        return Rows(states)

    def unpack(self, batch: Rows) -> list[Any]:
        return list(batch)

    def asarray(self, numbers: Sequence[int]) -> Sequence[int]:
        return numbers

    def kind(self, batch: Rows) -> Rows:
        kinds = {Decision: Kind.DECISION, Chance: Kind.CHANCE, Over: Kind.OVER}
        return Rows(kinds[type(self.game.pending(state))] for state in batch)

    def seat(self, batch: Rows) -> Rows:
        return Rows(getattr(self.game.pending(state), "seat", 0) for state in batch)

    def legal(self, batch: Rows) -> Rows:
        return Rows(
            [action in getattr(self.game.pending(state), "actions", ()) for action in self.actions] for state in batch
        )

    def weights(self, batch: Rows) -> Rows:
        return Rows(self.odds(self.game.pending(state)) for state in batch)

    def odds(self, pending: Any) -> list[int]:
        """The weight of every action; zeros unless chance is pending."""
        odds = dict(zip(pending.actions, pending.weights, strict=True)) if isinstance(pending, Chance) else {}
        return [odds.get(action, 0) for action in self.actions]

    def step(self, batch: Rows, ids: Sequence[int]) -> Rows:
        return Rows(self.game.apply(state, self.actions[number]) for state, number in zip(batch, ids, strict=True))

    def scores(self, batch: Rows) -> Rows:
        return Rows(list(self.outcome(state).scores) for state in batch)

    def ranks(self, batch: Rows) -> Rows:
        return Rows(list(self.outcome(state).ranks) for state in batch)

    def outcome(self, state: Any) -> Outcome:
        """The outcome of a game that is over; an empty one before."""
        pending = self.game.pending(state)
        return pending.outcome if isinstance(pending, Over) else Outcome((), (), "")


class TwinWithExtraActions(ListTwin):
    def legal(self, batch: Rows) -> Rows:
        return Rows([True] * len(row) for row in super().legal(batch))


class TwinWithWrongStep(ListTwin):
    def step(self, batch: Rows, ids: Sequence[int]) -> Rows:
        return batch


class TwinThatForgets(ListTwin):
    def unpack(self, batch: Rows) -> list[Any]:
        return [self.game.initial(self.setup) for _ in batch]


class TwinWithWrongSeat(ListTwin):
    def seat(self, batch: Rows) -> Rows:
        return Rows(0 for _ in batch)


class TwinWithWrongOdds(ListTwin):
    def odds(self, pending: Any) -> list[int]:
        return [2 * weight for weight in super().odds(pending)]


class TwinWithWrongKind(ListTwin):
    def kind(self, batch: Rows) -> Rows:
        return Rows(Kind.DECISION for _ in batch)


class TwinWithWrongRanks(ListTwin):
    def ranks(self, batch: Rows) -> Rows:
        return Rows([1] * len(row) for row in super().ranks(batch))


BAD_TWINS: Final = (
    TwinWithExtraActions,
    TwinWithWrongStep,
    TwinThatForgets,
    TwinWithWrongSeat,
    TwinWithWrongOdds,
    TwinWithWrongKind,
    TwinWithWrongRanks,
)
