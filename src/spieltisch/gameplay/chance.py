"""Sources of chance, the only place with randomness: a source returns the same pick for the same draw number."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple, Protocol

from spieltisch.core.game import Refusal, Seat
from spieltisch.i18n.message import message_factory

_say = message_factory("")
_DIGEST_RANGE: Final = 1 << 256


class Source(Protocol):
    """A source of chance. Draws are numbered from 0; a chance with a single action uses no number."""

    def pick(self, number: int, weights: Sequence[int]) -> int:
        """The index of the action that this draw picks."""
        ...

    def first(self, players: int) -> Seat:
        """The seat that starts if the setup does not fix it."""
        ...


class KeyedSource:
    """Pseudorandom source with a key: HMAC-SHA-256 over the draw number, without bias."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def uniform(self, label: bytes, number: int, limit: int) -> int:
        """A uniform integer below the limit, by rejection sampling: values in the last, incomplete range are drawn again."""
        attempt = 0
        while True:
            message = label + number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
            value = int.from_bytes(hmac.digest(self._key, message, "sha256"), "big")
            if value < _DIGEST_RANGE - _DIGEST_RANGE % limit:
                return value % limit
            attempt += 1

    def pick(self, number: int, weights: Sequence[int]) -> int:
        return bisect(list(accumulate(weights)), self.uniform(b"draw", number, sum(weights)))

    def first(self, players: int) -> Seat:
        return Seat(self.uniform(b"first", 0, players))


def seeded(seed: int | str) -> KeyedSource:
    """A source from a seed: the same seed gives the same draws on every machine."""
    if isinstance(seed, int) and seed < 0:
        raise Refusal(_say("seed.negative", given=seed))
    return KeyedSource(hashlib.sha256(f"spieltisch seed {seed}".encode()).digest())


def unforeseen() -> KeyedSource:
    """A source with a random key, which nobody can predict."""
    return KeyedSource(secrets.token_bytes(32))


def fair(secret: bytes, nonces: Sequence[bytes], game: int = 0) -> KeyedSource:
    """The source of provably fair chance: from the server's secret, a nonce per seat and the game's index in the series."""
    message = game.to_bytes(4, "big") + b"".join(len(nonce).to_bytes(1, "big") + nonce for nonce in nonces)
    return KeyedSource(hmac.digest(secret, message, "sha256"))


class ReplaySource(NamedTuple):
    """Source that repeats given picks, such as those of a record, by their indexes among the actions."""

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
