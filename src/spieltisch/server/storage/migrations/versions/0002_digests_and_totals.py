"""Digests of the event logs, and running sums of the draws instead of one row per finished game."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

from spieltisch.server.storage.totals import add_tallies

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("version", sa.Integer))
    op.add_column("tables", sa.Column("digest", sa.String(64)))
    op.create_table(
        "draw_totals",
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("games", sa.BigInteger, nullable=False),
        sa.Column("tally", sa.Text, nullable=False),
    )
    connection = op.get_bind()
    totals: dict[str, tuple[int, object]] = {}
    for game, text in connection.execute(sa.text("SELECT game, tally FROM tallies")):
        games, total = totals.get(game, (0, {}))
        totals[game] = games + 1, add_tallies(total, json.loads(text))
    for game, (games, total) in totals.items():
        row = {"game": game, "games": games, "tally": json.dumps(total)}
        connection.execute(sa.text("INSERT INTO draw_totals VALUES (:game, :games, :tally)"), row)
    op.drop_table("tallies")
