"""The protocol of a game's speech.py: positions, choices and events as messages, made only from views and witnesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from spieltisch.core.game import Heard
from spieltisch.core.json import Json
from spieltisch.i18n.message import Audience, Message

A_in = TypeVar("A_in", contravariant=True)
V_in = TypeVar("V_in", contravariant=True)
V_co = TypeVar("V_co", covariant=True)


class Witnessed(NamedTuple, Generic[V_co]):
    """One action as a viewer witnessed it, between the viewer's views before and after it."""

    before: V_co
    heard: Heard
    after: V_co


class Speech(Protocol[A_in, V_in]):
    """Describes one game in messages."""

    def position(self, view: V_in, audience: Audience) -> Sequence[Message]:
        """The table and the viewer's hand, described for somebody who cannot see them."""
        ...

    def choice(self, view: V_in, action: A_in) -> Message:
        """What the action would do."""
        ...

    def headings(self, view: V_in, action: A_in) -> Sequence[Sequence[Message]]:
        """The paths of headings that lead to the action in a nested menu; empty if the game's lists stay short."""
        return ()

    def has_advice(self, view: V_in, action: A_in) -> bool:
        """Whether there is advice about the action."""
        return False

    def advice(self, view: V_in, action: A_in) -> Sequence[Message]:
        """More about the action for a player who asks; it may take a second to compute."""
        return ()

    def proposal(self, view: V_in, action: A_in) -> Message:
        """The action as a hint proposes it: like a choice, but with places in everyday words."""
        return self.choice(view, action)

    def hint_reason(self, view: V_in, action: A_in, choices: Sequence[A_in]) -> Message | None:
        """Why a hint proposes the action rather than one of the other choices: a sentence whose facts the view shows.

        None if the game knows no reason that is certainly true. It may take a second to compute.
        """
        return None

    def happened(self, before: V_in, heard: Heard, after: V_in, audience: Audience) -> Message:
        """What happened, as the viewer witnessed it."""
        ...

    def opens_turn(self, heard: Heard) -> bool:
        """Whether a draw belongs to the turn that follows it, as a roll of dice does, and not to the turn before."""
        return False

    def deal(self, view: V_in, audience: Audience) -> Message | None:
        """The deal in one sentence, with the view after it; None for a sentence that fits every game."""
        return None

    def turn(self, steps: Sequence[Witnessed[V_in]], audience: Audience) -> Sequence[Message]:
        """A turn, possibly unfinished, as one line of the log: who did what, and what it gained.

        Places are described in everyday words. A `Symbol` among the arguments is also shown as a drawing.
        """
        return [self.happened(step.before, step.heard, step.after, audience) for step in steps]

    def mark(self, steps: Sequence[Witnessed[V_in]]) -> Json:
        """Where the turn took place, in a format of the game's own, so that the board can mark each seat's last turn."""
        return None

    def scores(self, view: V_in, audience: Audience) -> Sequence[Message]:
        """The score sheet of a finished game, line by line."""
        ...

    def reason(self, view: V_in, heard: Sequence[Heard], audience: Audience) -> Sequence[Message]:
        """Why the winner of a finished game won, in one or two sentences that do not name the winner again.

        `heard` is every action of the game as the viewer witnessed it. Empty if the game gives no reason.
        """
        return ()

    def decided_by_points(self, view: V_in) -> bool:
        """Whether the scores of a finished game are points that decided it, so that the winner's margin is worth saying."""
        return True


AnySpeech: TypeAlias = Speech[Any, Any]
