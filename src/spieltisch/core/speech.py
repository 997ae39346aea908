"""What a game's speech.py gives: positions, choices and events as messages, made from views and witnesses alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from spieltisch.core.game import Heard
from spieltisch.i18n.message import Audience, Message

A_in = TypeVar("A_in", contravariant=True)
V_in = TypeVar("V_in", contravariant=True)


class Speech(Protocol[A_in, V_in]):
    """One game's words."""

    def position(self, view: V_in, audience: Audience) -> Sequence[Message]:
        """What lies on the table and in the viewer's hand, for somebody who cannot see it."""
        ...

    def choice(self, view: V_in, action: A_in) -> Message:
        """What choosing the action would do."""
        ...

    def headings(self, view: V_in, action: A_in) -> Sequence[Sequence[Message]]:
        """Where the action is found among many: paths of headings, from the widest down; none where lists stay short."""
        return ()

    def advice(self, view: V_in, action: A_in) -> Sequence[Message]:
        """What more can be said of choosing the action when somebody asks; it may take a second."""
        return ()

    def happened(self, before: V_in, heard: Heard, after: V_in, audience: Audience) -> Message:
        """What the viewer witnessed."""
        ...

    def scores(self, view: V_in, audience: Audience) -> Sequence[Message]:
        """The score sheet of a game that is over, line by line."""
        ...


AnySpeech: TypeAlias = Speech[Any, Any]
