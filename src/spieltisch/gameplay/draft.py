"""Drafts: actions that a seat has chosen but not yet played, invisible to the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from spieltisch.core.game import A, Decision, Game, Heard, S, Seat, V


class Draft(Generic[S, A, V]):
    """A seat's draft of its turn; it is complete as soon as the game waits for anything but this seat."""

    def __init__(self, game: Game[S, A, V], state: S, seat: Seat) -> None:
        self._game = game.for_replay  # a draft ends before anything is judged
        self._seat = seat
        self._states = [state]
        self._actions: list[A] = []

    @property
    def actions(self) -> tuple[A, ...]:
        """The actions chosen so far."""
        return tuple(self._actions)

    @property
    def state(self) -> S:
        """The state after the draft."""
        return self._states[-1]

    @property
    def view(self) -> V:
        """The seat's view after the draft."""
        return self._game.observe(self.state, self._seat)

    @property
    def view_before(self) -> V:
        """The seat's view before the last action of the draft."""
        return self._game.observe(self._states[-2], self._seat)

    @property
    def heard(self) -> tuple[Heard, ...]:
        """The actions of the draft as the seat would witness them."""
        steps = zip(self._states, self._actions, strict=False)
        return tuple(Heard(self._seat, self._game.witness(state, action, self._seat)) for state, action in steps)

    @property
    def choices(self) -> Sequence[A]:
        """The actions that can be added; empty if the draft is complete."""
        match self._game.pending(self.state):
            case Decision(seat, actions) if seat == self._seat:
                return actions
        return ()

    @property
    def complete(self) -> bool:
        """Whether nothing can be added."""
        return not self.choices

    def add(self, action: A) -> None:
        """Adds an action; IllegalAction leaves the draft unchanged."""
        after = self._game.apply(self.state, action)
        self._states.append(after)
        self._actions.append(action)

    def take_back(self) -> bool:
        """Removes the last action; returns False if there is none."""
        if not self._actions:
            return False
        self._states.pop()
        self._actions.pop()
        return True
