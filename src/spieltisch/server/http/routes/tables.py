"""Routes about tables: list, open, read, stream, delete."""

from __future__ import annotations

import json
import re
from typing import Annotated, Final

from fastapi import Header, Query, Request, Response
from fastapi.responses import PlainTextResponse

from spieltisch import registry
from spieltisch.server.http import responses
from spieltisch.server.http.auth import (
    Language,
    OptionalClient,
    RequiredClient,
    client_address,
    is_loopback,
    set_cookie,
)
from spieltisch.server.http.requests import StreamName
from spieltisch.server.http.routes.dependencies import (
    JsonBytes,
    LiveTables,
    OwnSeat,
    api_router,
    housekeeping,
    rate_limiter,
)
from spieltisch.server.http.sse import STREAM_PATH, EventStream, load_chunk, stream_table
from spieltisch.server.workers import rules
from spieltisch.server.workers.askers import Asker, set_asker
from spieltisch.server.workers.rules import Subscriber
from spieltisch.table.commands import Open
from spieltisch.table.responses import TableUpdate

MAX_LISTED: Final = 50
router = api_router()


@router.get("/tables", tags=["tables"])
async def list_tables(tables: LiveTables) -> list[responses.ListedTable]:
    """The public tables with a match that is not over, the latest first."""
    listed = await tables.store.list_public(MAX_LISTED)
    return [responses.ListedTable(table=name, **json.loads(summary)) for name, summary in listed]


@router.post("/tables", tags=["tables"], status_code=201, response_model=responses.OpenedTable)
async def open_table(command: Open, request: Request, tables: LiveTables, client: RequiredClient) -> Response:
    """Opens a table. If no seat is open, the match starts as soon as the nonces are revealed."""
    rate_limiter(request).count_table(client_address(request))
    if not is_loopback(request):
        registry.find_offered(command.game)
    await housekeeping(request).check_quota()
    response = JsonBytes(json.dumps({"table": await tables.open_table(command, client.holder)}), 201)
    set_cookie(request, response, client)
    return response


@router.get("/tables/{table}", tags=["tables"], response_model=TableUpdate)
async def read_table(
    table: str, tables: LiveTables, client: OptionalClient, language: Language, seat: OwnSeat = None
) -> Response:
    """The table and the position as this client may know them, without the events."""
    found = await tables.find(table)
    return JsonBytes(await tables.ask(found, rules.project, client and client.holder, seat, language, 10**9))


@router.get("/tables/{table}/events", tags=["tables"], response_model=TableUpdate)
async def read_events(
    table: str,
    tables: LiveTables,
    client: OptionalClient,
    language: Language,
    seat: OwnSeat = None,
    after: Annotated[int, Query(ge=0, le=10**9, description="The last event that is known.")] = 0,
) -> Response:
    """The same, with a page of the events after the given one; `next` says where the next page starts."""
    found = await tables.find(table)
    return JsonBytes(await tables.ask(found, rules.project, client and client.holder, seat, language, after))


@router.get("/tables/{table}" + STREAM_PATH, tags=["tables"], response_class=EventStream)
async def stream(
    table: str,
    request: Request,
    tables: LiveTables,
    client: OptionalClient,
    language: Language,
    seat: OwnSeat = None,
    after: Annotated[int, Query(ge=0, le=10**9, description="The last event that is known.")] = 0,
    last_event_id: Annotated[str | None, Header(description="The same, from browsers that reconnect.")] = None,
    name: Annotated[StreamName | None, Query(description="Promises to answer pings under this name.")] = None,
) -> Response:
    """The table as an event stream: `happened` for every missed or new event, `table` for the table after it, `here`
    for the seats whose players are present and the number of spectators, `reaction` if a seat shows one, `clock` if a
    turn has a time limit, `gone` when the table is deleted. A stream with a name gets a `ping` every two seconds while
    others look on, to be answered with `present`: without an answer its player counts as away.
    """
    set_asker(Asker(client_address(request)))  # a stream is bounded by its own limit, and shares what it asks for
    known = int(last_event_id) if last_event_id and re.fullmatch(r"[0-9]{1,9}", last_event_id) else after
    rate_limiter(request).check_streams(client_address(request))
    found = await tables.find(table)
    subscriber = Subscriber(client and client.holder, seat, language, known)
    first = await load_chunk(tables, found, subscriber)  # a refusal is a response of its own
    slot = rate_limiter(request).stream_slot(client_address(request))
    response = EventStream(stream_table(tables, found, subscriber, first, name), slot)
    response.headers.update({"cache-control": "no-store", "x-accel-buffering": "no"})
    return response


@router.get("/tables/{table}/record", tags=["tables"], response_class=PlainTextResponse)
async def read_record(table: str, tables: LiveTables, client: OptionalClient, seat: OwnSeat = None) -> Response:
    """The record: complete once the match is over, until then as the seat witnessed it."""
    found = await tables.find(table)
    response = PlainTextResponse(await tables.ask(found, rules.record, client and client.holder, seat))
    response.headers["content-disposition"] = f'attachment; filename="{table}.game"'
    response.headers["cache-control"] = "no-store"
    return response


@router.delete("/tables/{table}", tags=["tables"], status_code=204)
async def delete_table(table: str, tables: LiveTables, client: RequiredClient) -> None:
    """Deletes the table with all its data; for its host."""
    await tables.delete(table, client.holder)
