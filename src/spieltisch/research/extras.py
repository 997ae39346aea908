"""The refusal of an environment whose library, an optional extra, is not installed."""

from __future__ import annotations

from spieltisch.core.game import MissingExtra
from spieltisch.i18n.message import message_factory

_say = message_factory("")


def missing_extra(library: str) -> MissingExtra:
    """MissingExtra with a message that names the library and the extra to install."""
    return MissingExtra(_say("research.extra", library=library, extra="spieltisch-core[research]"))
