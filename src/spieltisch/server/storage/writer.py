"""Keeping what happened: everything that waits to be written, in a handful of statements however much it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, Insert, Update, bindparam, insert, select, update
from sqlalchemy.exc import DBAPIError

from spieltisch.server.storage import models
from spieltisch.server.storage.errors import TableDeleted
from spieltisch.table.events import Row

NOT_COUNTED: Final = -1  # what PostgreSQL's driver says of many rows, which were looked for before


class StoredResponse(NamedTuple):
    """The answer to a command, under its key."""

    key: str
    digest: str
    answer: str
    number: int  # the last line when it was answered


class TableWrite(NamedTuple):
    """What a table's command has led to: written whole or not at all."""

    table: str
    after: int  # the number of the line before
    rows: Sequence[Row]
    answer: StoredResponse | None
    public: bool
    status: str
    waits: str
    summary: str
    at: int
    game: str = ""
    tallies: Mapping[int, str] = {}
    creation: str | None = None  # of a table that is opened


class _Statement:
    """A statement for many rows, turned into the database's own words only once: that is most of what it costs."""

    def __init__(self, statement: Insert | Update) -> None:
        self.statement = statement
        self._known: dict[tuple[str, ...], tuple[str, list[str]]] = {}

    def run(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> int:
        """Runs it for all rows, which have the same columns; answers how many rows it was about."""
        if not rows:
            return 0
        kind = (connection.dialect.name, *rows[0])
        if kind not in self._known:
            made = self.statement.compile(dialect=connection.dialect, column_keys=list(rows[0]))
            self._known[kind] = str(made), list(made.positiontup or ())
        words, names = self._known[kind]
        values = [tuple(row[name] for name in names) for row in rows]
        return connection.exec_driver_sql(words, values if len(values) > 1 else values[0]).rowcount


_id = models.tables.c.id
_LOCK: Final = (
    select(_id).where(_id.in_(bindparam("names", expanding=True))).order_by(_id).with_for_update()
)  # in order, so that no process waits for another that waits for it
_OPEN: Final = _Statement(insert(models.tables))
_CHANGE: Final = _Statement(
    update(models.tables)
    .where(_id == bindparam("name"))
    .values({column: bindparam(f"new_{column}") for column in ("public", "status", "waits", "summary", "changed")})
)
_LOG: Final = _Statement(insert(models.log))
_ANSWER: Final = _Statement(insert(models.answers))
_TALLY: Final = _Statement(insert(models.tallies))


def write_each(
    connection: Connection,
    batch: Sequence[Sequence[TableWrite]],
    tell: Callable[[Connection, Sequence[TableWrite]], None],
) -> list[Exception | None]:
    """Keeps what several have done, each whole or not at all, and says of each why it could not be kept."""
    return [_try(connection, done, tell) for done in batch]


def _try(
    connection: Connection, all_news: Sequence[TableWrite], tell: Callable[[Connection, Sequence[TableWrite]], None]
) -> Exception | None:
    try:
        with connection.begin_nested():
            keep(connection, all_news)
            tell(connection, all_news)
    except TableDeleted as gone:
        return gone
    except DBAPIError as error:
        if error.connection_invalidated:
            raise
        return error
    return None


def keep(connection: Connection, all_news: Sequence[TableWrite]) -> None:
    """Writes all of it; TableDeleted where a table was deleted, IntegrityError where somebody else wrote a line first."""
    opened = [news for news in all_news if news.creation is not None]
    _OPEN.run(connection, [{"id": one.table, "creation": one.creation, **_columns(one)} for one in opened])
    known = [news for news in all_news if news.creation is None]
    changed = [
        {"name": news.table, **{f"new_{name}": value for name, value in _columns(news).items()}}
        for news in known
        if news.rows
    ]
    names = {news.table for news in known} - {news.table for news in opened}
    if connection.dialect.name == "sqlite" or len(known) == 1:  # what is changed is counted, and locked by that
        names.difference_update(news.table for news in known if news.rows)
    if names and len(connection.scalars(_LOCK, {"names": sorted(names)}).all()) < len(names):
        raise TableDeleted
    if _CHANGE.run(connection, changed) not in (len(changed), NOT_COUNTED):
        raise TableDeleted
    _LOG.run(
        connection,
        [
            {"table": news.table, "number": number, "line": row.line, "at": row.at}
            for news in all_news
            for number, row in enumerate(news.rows, news.after + 1)
        ],
    )
    _ANSWER.run(connection, [{"table": news.table, **news.answer._asdict()} for news in all_news if news.answer])
    _TALLY.run(
        connection,
        [
            {"table": news.table, "number": number, "game": news.game, "tally": tally}
            for news in all_news
            for number, tally in news.tallies.items()
        ],
    )


def _columns(news: TableWrite) -> dict[str, object]:
    return {
        "public": news.public,
        "status": news.status,
        "waits": news.waits,
        "summary": news.summary,
        "changed": news.at,
    }
