"""What the bridges stand on is an extra; where it is missing, one sentence says what to install."""

from __future__ import annotations

from spieltisch.i18n.message import message_factory
from spieltisch.registry import MissingExtra

_say = message_factory("")


def missing(library: str) -> MissingExtra:
    """The refusal of a bridge whose library is not installed."""
    return MissingExtra(_say("research.extra", library=library, extra="spieltisch[research]"))
