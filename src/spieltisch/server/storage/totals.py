"""Running sums of the draws of finished games, kept in the transaction that ends a game."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, bindparam, insert, select, update

from spieltisch.server.storage import models

_totals: Final = models.draw_totals
_SELECT: Final = (
    select(_totals.c.game, _totals.c.tally)
    .where(_totals.c.game.in_(bindparam("names", expanding=True)))
    .order_by(_totals.c.game)
    .with_for_update()
)  # in a fixed order, so that processes cannot deadlock


def add_totals(connection: Connection, ended: Sequence[tuple[str, str]]) -> None:
    """Adds the tallies of games that have ended, given as (game, tally in JSON)."""
    if not ended:
        return
    counts = Counter(game for game, _ in ended)
    known = {game: json.loads(tally) for game, tally in connection.execute(_SELECT, {"names": sorted(counts)})}
    sums = dict(known)
    for game, tally in ended:
        sums[game] = add_tallies(sums.get(game, {}), json.loads(tally))
    for game in sorted(counts):
        tally = json.dumps(sums[game])
        if game in known:
            more = {"games": _totals.c.games + counts[game], "tally": tally}
            connection.execute(update(_totals).where(_totals.c.game == game).values(more))
        else:  # IntegrityError if another process ends the first game at the same time: it is tried again
            connection.execute(insert(_totals).values(game=game, games=counts[game], tally=tally))


def add_tallies(one: Any, other: Any) -> Any:
    """The sum of two tallies in JSON form: numbers are added, field by field."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {**one, **{key: add_tallies(one[key], value) if key in one else value for key, value in other.items()}}
    return one + other
