"""Versions of environments: the version of the game's features is that of its environments."""

from __future__ import annotations

from typing import Any

from spieltisch import registry
from spieltisch.core.features import AnyFeatures
from spieltisch.core.game import AnyGame, Refusal
from spieltisch.i18n.message import message_factory

_say = message_factory("")


class OtherVersion(Refusal):
    """An environment of a version that does not exist, or no longer."""

    code = "other-version"


def version(game: AnyGame) -> str | None:
    """The version of the game's features, such as v1; None if it has no features."""
    module = registry.part(game, "features")
    return None if module is None else str(module.FEATURES.version).rpartition("-")[2]


def check_version(game: AnyGame, given: str) -> None:
    """OtherVersion unless the given version is the current one."""
    if given != version(game):
        raise OtherVersion(_say("research.version", given=given, title=game.title, current=version(game) or ""))


def metadata(features: AnyFeatures) -> dict[str, Any]:
    """What an environment says about its observations: the version and the digest of the features."""
    return {"features": features.version, "features_digest": features.digest}
