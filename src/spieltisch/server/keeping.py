"""Keeping what happened: everything that waits to be written, in a handful of statements however much it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import DBAPIError

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


def keep_all(
    connection: Connection, batch: Sequence[Sequence[News]], tell: Callable[[Connection, Sequence[News]], None]
) -> list[Exception | None]:
    """Keeps what several have done, each whole or not at all, and says of each why it could not be kept."""
    why = _try(connection, [news for done in batch for news in done], tell)
    if why is None or len(batch) == 1:
        return [why] * len(batch)
    return [_try(connection, done, tell) for done in batch]  # one that cannot be kept is not to take the others along


def _try(
    connection: Connection, all_news: Sequence[News], tell: Callable[[Connection, Sequence[News]], None]
) -> Exception | None:
    try:
        with connection.begin_nested():
            keep(connection, all_news)
            tell(connection, all_news)
    except Gone as gone:
        return gone
    except DBAPIError as error:
        if error.connection_invalidated:
            raise
        return error
    return None


def keep(connection: Connection, all_news: Sequence[News]) -> None:
    """Writes all of it; Gone where a table was deleted, IntegrityError where somebody else wrote a line first."""
    opened = [news for news in all_news if news.creation is not None]
    if opened:
        connection.execute(_OPEN, [{"id": one.table, "creation": one.creation, **_columns(one)} for one in opened])
    names = {news.table for news in all_news} - {news.table for news in opened}
    if names:
        found = connection.scalars(_LOCK, {"names": sorted(names)})
        if len(found.all()) < len(names):
            raise Gone
    changed = [
        {"name": news.table, **{f"new_{name}": value for name, value in _columns(news).items()}}
        for news in all_news
        if news.creation is None and news.rows
    ]
    if changed:
        connection.execute(_CHANGE, changed)
    rows = [
        {"table": news.table, "number": number, "line": row.line, "at": row.at}
        for news in all_news
        for number, row in enumerate(news.rows, news.after + 1)
    ]
    if rows:
        connection.execute(_LOG, rows)
    answers = [{"table": news.table, **news.answer._asdict()} for news in all_news if news.answer]
    if answers:
        connection.execute(_ANSWER, answers)
    tallies = [
        {"table": news.table, "number": number, "game": news.game, "tally": tally}
        for news in all_news
        for number, tally in news.tallies.items()
    ]
    if tallies:
        connection.execute(_TALLY, tallies)


def _columns(news: News) -> dict[str, object]:
    return {
        "public": news.public,
        "status": news.status,
        "waits": news.waits,
        "summary": news.summary,
        "changed": news.at,
    }
