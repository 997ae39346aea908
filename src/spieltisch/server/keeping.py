"""Keeping what happened: everything that waits to be written, in a handful of statements however much it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from spieltisch.server import schema
from spieltisch.server.lines import Row


class Gone(Exception):
    """The table was deleted."""


class Answer(NamedTuple):
    """The answer to a command, under its key."""

    key: str
    digest: str
    answer: str
    number: int  # the last line when it was answered


class News(NamedTuple):
    """What a table's command has led to: written whole or not at all."""

    table: str
    after: int  # the number of the line before
    rows: Sequence[Row]
    answer: Answer | None
    public: bool
    status: str
    waits: str
    summary: str
    at: int
    game: str = ""
    tallies: Mapping[int, str] = {}
    creation: str | None = None  # of a table that is opened


_id = schema.tables.c.id
_OPEN: Final = insert(schema.tables)
_LOCK: Final = (
    select(_id).where(_id.in_(bindparam("names", expanding=True))).order_by(_id).with_for_update()
)  # in order, so that no process waits for another that waits for it
_CHANGE: Final = (
    update(schema.tables)
    .where(_id == bindparam("name"))
    .values({column: bindparam(f"new_{column}") for column in ("public", "status", "waits", "summary", "changed")})
)
_LOG: Final = insert(schema.log)
_ANSWER: Final = insert(schema.answers)
_TALLY: Final = insert(schema.tallies)


async def keep(connection: AsyncConnection, all_news: Sequence[News]) -> None:
    """Writes all of it; Gone where a table was deleted, IntegrityError where somebody else wrote a line first."""
    opened = [news for news in all_news if news.creation is not None]
    if opened:
        await connection.execute(
            _OPEN, [{"id": one.table, "creation": one.creation, **_columns(one)} for one in opened]
        )
    names = {news.table for news in all_news} - {news.table for news in opened}
    if names:
        found = await connection.scalars(_LOCK, {"names": sorted(names)})
        if len(found.all()) < len(names):
            raise Gone
    changed = [
        {"name": news.table, **{f"new_{name}": value for name, value in _columns(news).items()}}
        for news in all_news
        if news.creation is None and news.rows
    ]
    if changed:
        await connection.execute(_CHANGE, changed)
    rows = [
        {"table": news.table, "number": number, "line": row.line, "at": row.at}
        for news in all_news
        for number, row in enumerate(news.rows, news.after + 1)
    ]
    if rows:
        await connection.execute(_LOG, rows)
    answers = [{"table": news.table, **news.answer._asdict()} for news in all_news if news.answer]
    if answers:
        await connection.execute(_ANSWER, answers)
    tallies = [
        {"table": news.table, "number": number, "game": news.game, "tally": tally}
        for news in all_news
        for number, tally in news.tallies.items()
    ]
    if tallies:
        await connection.execute(_TALLY, tallies)


def _columns(news: News) -> dict[str, object]:
    return {
        "public": news.public,
        "status": news.status,
        "waits": news.waits,
        "summary": news.summary,
        "changed": news.at,
    }
