"""A position in a tree of games: immutable, linked to the one before it, so that branches share their past."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from spieltisch.core.actions import ActionIds
from spieltisch.core.game import AnyGame, Decision, Heard, Over, Seat


def format_action(heard: Heard) -> str:
    """One action with its seat; a star stands for chance."""
    return f"{'*' if heard.seat is None else heard.seat}:{heard.text}"


class Position:
    """A state, and what every seat has witnessed and remembers; both are found only when they are asked for."""

    def __init__(
        self, game: AnyGame, ids: ActionIds[Any], state: Any, memories: Mapping[int, Any], stories: Mapping[int, str]
    ) -> None:
        self.game, self.ids, self.state = game, ids, state
        self.pending = game.pending(state)
        self.parent: Position | None = None
        self.is_whole = True  # whether every seat has witnessed the whole game
        self.action: Any = None  # that led here
        self.memories = dict(memories)  # by seat
        self.stories = dict(stories)  # by seat: all it has witnessed, in notation

    @cached_property
    def choices(self) -> dict[int, Any]:
        """The pending actions by id, in ascending order: choices or outcomes of chance."""
        if isinstance(self.pending, Over):
            return {}
        actions = self.pending.actions
        named = dict(zip(reversed(self.ids.of(actions)), reversed(actions), strict=True))
        return dict(sorted(named.items()))

    def after(self, action: Any) -> Position:
        """The position after a pending action."""
        following = Position(self.game, self.ids, self.game.apply(self.state, action), {}, {})
        following.parent, following.action, following.is_whole = self, action, self.is_whole
        return following

    def memory(self, viewer: int) -> Any:
        """What a seat remembers."""
        if viewer not in self.memories:
            path: list[Position] = [self]
            while (parent := path[-1].parent) is not None and viewer not in parent.memories:
                path.append(parent)
            assert parent is not None
            memory = parent.memories[viewer]
            for position in reversed(path):
                memory = self.game.remember(memory, position.witnessed(viewer))
            self.memories[viewer] = memory
        return self.memories[viewer]

    def story(self, viewer: int) -> str:
        """Everything a seat has witnessed, in notation."""
        if viewer not in self.stories:
            path: list[Position] = [self]
            while (parent := path[-1].parent) is not None and viewer not in parent.stories:
                path.append(parent)
            assert parent is not None
            words = [format_action(position.witnessed(viewer)) for position in reversed(path)]
            self.stories[viewer] = " ".join((parent.stories[viewer], *words))
        return self.stories[viewer]

    def witnessed(self, viewer: int) -> Heard:
        """The action that led here, as the seat witnessed it."""
        before = self.parent
        assert before is not None
        seat = before.pending.seat if isinstance(before.pending, Decision) else None
        return Heard(seat, self.game.witness(before.state, self.action, Seat(viewer)))

    def recalled(self, viewer: int) -> Any:
        """The seat's view, completed by what it remembers."""
        return self.game.recollect(self.game.observe(self.state, Seat(viewer)), self.memory(viewer))

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self  # immutable, so that clones of a state share it
