"""The one holder of randomness: sources that answer the same draw number always with the same pick."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple, Protocol

from spieltisch.core.game import Refusal, Seat
from spieltisch.i18n.message import message_factory

_say = message_factory("")
_SPAN: Final = 1 << 256


class Source(Protocol):
    """Where chance comes from. Draws are numbered from 0; a chance with a single action takes no number."""

    def pick(self, number: int, weights: Sequence[int]) -> int:
        """The place of the action that draw brings up."""
        ...

    def first(self, players: int) -> Seat:
        """The seat that begins, where nobody said which."""
        ...


class KeyedSource:
    """Draws from a key: HMAC-SHA-256 over the draw's number, without bias."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def uniform(self, label: bytes, number: int, limit: int) -> int:
        """A number below the limit, each equally likely: values of the last, incomplete round are drawn again."""
        attempt = 0
        while True:
            message = label + number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
            value = int.from_bytes(hmac.digest(self._key, message, "sha256"), "big")
            if value < _SPAN - _SPAN % limit:
                return value % limit
            attempt += 1

    def pick(self, number: int, weights: Sequence[int]) -> int:
        ticket = self.uniform(b"draw", number, sum(weights))
        return next(place for place, upto in enumerate(accumulate(weights)) if ticket < upto)

    def first(self, players: int) -> Seat:
        return Seat(self.uniform(b"first", 0, players))


def seeded(seed: int | str) -> KeyedSource:
    """A source that a seed determines: same seed, same draws, everywhere."""
    if isinstance(seed, int) and seed < 0:
        raise Refusal(_say("seed.negative", given=seed))
    return KeyedSource(hashlib.sha256(f"spieltisch seed {seed}".encode()).digest())


def unforeseen() -> KeyedSource:
    """A source that nobody can foresee."""
    return KeyedSource(secrets.token_bytes(32))


def fair(secret: bytes, nonces: Sequence[bytes], game: int = 0) -> KeyedSource:
    """The source of fair chance: from the server's secret, a nonce of every seat and the game's place in its series."""
    message = game.to_bytes(4, "big") + b"".join(len(nonce).to_bytes(1, "big") + nonce for nonce in nonces)
    return KeyedSource(hmac.digest(secret, message, "sha256"))


class ReplaySource(NamedTuple):
    """Draws that are given: what came up in a record, by its place among the actions."""

    picks: tuple[int, ...]
    begins: Seat

    def pick(self, number: int, weights: Sequence[int]) -> int:
        if number >= len(self.picks):
            raise Refusal(_say("draws.few", there=len(self.picks)))
        if self.picks[number] >= len(weights):
            raise Refusal(_say("draws.other", number=number))
        return self.picks[number]

    def first(self, players: int) -> Seat:
        return self.begins
