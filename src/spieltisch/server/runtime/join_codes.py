"""Join codes: six characters, easy to read aloud, that lead to a table while it gathers.

A code is derived from a secret of the table and the time, and stored nowhere: every process computes the same, and it
expires by itself. A code that somebody enters is compared with those of all tables that gather now.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from typing import Final, NamedTuple

from spieltisch.server.storage.store import Store

ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without 0 O, 1 I L
LENGTH: Final = 6  # 31 ** 6 codes, nearly 2 ** 30
PERIOD: Final = 1800  # seconds for which a code is given out; for as long again it is accepted
MAX_GATHERING: Final = 5_000  # tables that are compared, the latest first


class JoinCode(NamedTuple):
    """A code, and for how many seconds it is given out."""

    code: str
    seconds: int


class JoinCodes:
    """The codes of the tables in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def code_of(self, table: str) -> JoinCode | None:
        """The code of a table now; None if there is no such table."""
        creation = await self._store.creation_of(table)
        if creation is None:
            return None
        now = time.time()
        return JoinCode(derive(creation, int(now // PERIOD)), int(PERIOD - now % PERIOD))

    async def find(self, entered: str) -> str | None:
        """The table that a code leads to, however it is written; None if there is none, or not just one."""
        code = normalize(entered)
        period = int(time.time() // PERIOD)
        gathering = await self._store.list_gathering(MAX_GATHERING)
        found = [
            table for table, creation in gathering if code in (derive(creation, period), derive(creation, period - 1))
        ]
        return found[0] if len(found) == 1 else None


def normalize(entered: str) -> str:
    """A code without spaces and hyphens, in capitals."""
    return "".join(sign for sign in entered.upper() if sign.isalnum())


def derive(secret: str, period: int) -> str:
    """The code of a table in a period."""
    number = int.from_bytes(hmac.digest(secret.encode(), f"join code {period}".encode(), hashlib.sha256)[:16])
    signs = []
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        signs.append(ALPHABET[place])
    return "".join(signs)
