"""Actions as whole numbers: what all bridges call an action by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Generic

from spieltisch.core.game import A, Game, Refusal
from spieltisch.i18n.message import message_factory

_say = message_factory("")


class NotOffered(Refusal):
    """A number that stands for none of the choices."""

    code: ClassVar[str] = "illegal-action"


class Numbering(Generic[A]):
    """The number of an action: its id where the game has ids, else its place among what is pending.

    Places are padded to the game's `most_choices`; a choice beyond them is not offered. Draws are numbered likewise.
    """

    def __init__(self, game: Game[Any, A, Any]) -> None:
        self._ids: dict[A, int] | None = None
        if game.ids is not None:
            self._ids = {action: number for number, action in enumerate(game.ids)}
            self.size = len(game.ids)
        elif game.most_choices is not None:
            self.size = game.most_choices
        else:
            raise TypeError(f"{game.name} has neither ids nor most_choices: its actions have no numbers")

    def legal(self, actions: Sequence[A]) -> list[int]:
        """The numbers of what is pending, in ascending order."""
        if self._ids is None:
            return list(range(min(len(actions), self.size)))
        return sorted(self._ids[action] for action in actions)

    def number(self, actions: Sequence[A], action: A) -> int:
        """The number of a pending action."""
        return actions.index(action) if self._ids is None else self._ids[action]

    def action(self, actions: Sequence[A], number: int) -> A:
        """The pending action of that number; NotOffered where there is none."""
        if self._ids is None:
            if 0 <= number < min(len(actions), self.size):
                return actions[number]
        else:
            for action in actions:
                if self._ids[action] == number:
                    return action
        raise NotOffered(_say("research.number", number=int(number)))
