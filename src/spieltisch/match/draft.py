"""Drafts: actions chosen but not yet played, seen by nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from spieltisch.core.game import A, Decision, Game, Heard, S, Seat, V


class Draft(Generic[S, A, V]):
    """What a seat has in mind for its turn; it ends where the game waits for anything but this seat."""

    def __init__(self, game: Game[S, A, V], state: S, seat: Seat) -> None:
        self._game = game.for_replay  # a draft ends before anything is judged
        self._seat = seat
        self._states = [state]
        self._actions: list[A] = []

    @property
    def actions(self) -> tuple[A, ...]:
        """What has been chosen so far."""
        return tuple(self._actions)

    @property
    def state(self) -> S:
        """Where the draft would lead."""
        return self._states[-1]

    @property
    def view(self) -> V:
        """What the seat would see there."""
        return self._game.observe(self.state, self._seat)

    @property
    def view_before(self) -> V:
        """What the seat saw before the last action of the draft."""
        return self._game.observe(self._states[-2], self._seat)

    @property
    def heard(self) -> tuple[Heard, ...]:
        """What the seat would have heard of it."""
        steps = zip(self._states, self._actions, strict=False)
        return tuple(Heard(self._seat, self._game.witness(state, action, self._seat)) for state, action in steps)

    @property
    def choices(self) -> Sequence[A]:
        """What can be added; nothing where the draft is complete."""
        match self._game.pending(self.state):
            case Decision(seat, actions) if seat == self._seat:
                return actions
        return ()

    @property
    def complete(self) -> bool:
        """Whether nothing can be added."""
        return not self.choices

    def add(self, action: A) -> None:
        """Adds an action; IllegalAction leaves the draft as it was."""
        after = self._game.apply(self.state, action)
        self._states.append(after)
        self._actions.append(action)

    def take_back(self) -> bool:
        """Takes the last action out; False where there is none."""
        if not self._actions:
            return False
        self._states.pop()
        self._actions.pop()
        return True
