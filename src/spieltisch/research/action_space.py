"""Discrete action space: actions as integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Generic

from spieltisch.core.game import A, Game, Refusal
from spieltisch.i18n.message import message_factory

_say = message_factory("")


class IllegalActionId(Refusal):
    """An integer that stands for none of the pending actions."""

    code: ClassVar[str] = "illegal-action"


class ActionSpace(Generic[A]):
    """Maps actions to integers: to the game's ids if it has them, otherwise to the index among the pending actions.

    Indexes are padded to the game's `most_choices`; actions beyond it are not available. Outcomes of chance are mapped
    in the same way.
    """

    def __init__(self, game: Game[Any, A, Any]) -> None:
        self._ids: dict[A, int] | None = None
        if game.ids is not None:
            self._ids = {action: number for number, action in enumerate(game.ids)}
            self.size = len(game.ids)
        elif game.most_choices is not None:
            self.size = game.most_choices
        else:
            raise TypeError(f"{game.name} has neither ids nor most_choices, so it has no action space")

    def legal_ids(self, actions: Sequence[A]) -> list[int]:
        """The ids of the pending actions, in ascending order."""
        if self._ids is None:
            return list(range(min(len(actions), self.size)))
        return sorted(self._ids[action] for action in actions)

    def to_id(self, actions: Sequence[A], action: A) -> int:
        """The id of a pending action."""
        return actions.index(action) if self._ids is None else self._ids[action]

    def from_id(self, actions: Sequence[A], action_id: int) -> A:
        """The pending action with that id; IllegalActionId if there is none."""
        if self._ids is None:
            if 0 <= action_id < min(len(actions), self.size):
                return actions[action_id]
        else:
            for action in actions:
                if self._ids[action] == action_id:
                    return action
        raise IllegalActionId(_say("research.number", number=int(action_id)))
