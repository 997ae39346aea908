"""Routes for the commands about seats."""

from __future__ import annotations

from fastapi import Request, Response

from spieltisch.server.http.auth import RequiredClient, set_cookie
from spieltisch.server.http.routes.dependencies import LiveTables, api_router, perform
from spieltisch.table.commands import (
    Arrange,
    AskBot,
    Join,
    Leave,
    Lend,
    Rematch,
    Resize,
    Return,
    Reveal,
    Share,
    Start,
    Watch,
)
from spieltisch.table.responses import CommandResult

router = api_router()


@router.post("/tables/{table}/watch", tags=["seats"], response_model=CommandResult)
async def watch(table: str, command: Watch, request: Request, tables: LiveTables, client: RequiredClient) -> Response:
    """Admits a spectator to a private table by its invitation."""
    response = await perform(tables, table, command, client)
    set_cookie(request, response, client)
    return response


@router.post("/tables/{table}/join", tags=["seats"], response_model=CommandResult)
async def join(table: str, command: Join, request: Request, tables: LiveTables, client: RequiredClient) -> Response:
    """Takes a seat; somebody who already has one gets the same response."""
    response = await perform(tables, table, command, client)
    set_cookie(request, response, client)
    return response


@router.post("/tables/{table}/seats", tags=["seats"], response_model=CommandResult)
async def arrange(table: str, command: Arrange, tables: LiveTables, client: RequiredClient) -> Response:
    """Gives a seat to a bot, or opens it, before the match; for the host."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/players", tags=["seats"], response_model=CommandResult)
async def resize(table: str, command: Resize, tables: LiveTables, client: RequiredClient) -> Response:
    """Adds open seats before the match, or removes the last ones if nobody sits there; for the host."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/start", tags=["seats"], response_model=CommandResult)
async def start(table: str, command: Start, tables: LiveTables, client: RequiredClient) -> Response:
    """Starts the match, if every seat is taken."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/reveal", tags=["seats"], response_model=CommandResult)
async def reveal(table: str, command: Reveal, tables: LiveTables, client: RequiredClient) -> Response:
    """Reveals the nonce of the seat; after ten seconds the match starts without it."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/leave", tags=["seats"], response_model=CommandResult)
async def leave(table: str, command: Leave, tables: LiveTables, client: RequiredClient) -> Response:
    """Leaves the table; in the middle of a match a bot plays on."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/lend", tags=["seats"], response_model=CommandResult)
async def lend(table: str, command: Lend, tables: LiveTables, client: RequiredClient) -> Response:
    """Lends the seat to a bot."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/return", tags=["seats"], response_model=CommandResult)
async def take_back(table: str, command: Return, tables: LiveTables, client: RequiredClient) -> Response:
    """Takes the seat back from a bot."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/stand-in", tags=["seats"], response_model=CommandResult)
async def stand_in(table: str, command: AskBot, tables: LiveTables, client: RequiredClient) -> Response:
    """Asks the others to let a bot play for somebody who is away."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/rematch", tags=["seats"], response_model=CommandResult)
async def rematch(table: str, command: Rematch, tables: LiveTables, client: RequiredClient) -> Response:
    """Opens a table for a rematch with the same people, or for another game; further requests get the same table."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/share", tags=["seats"], response_model=CommandResult)
async def share(table: str, command: Share, tables: LiveTables, client: RequiredClient) -> Response:
    """Lets everybody who knows the table's name see the finished match, or ends that."""
    return await perform(tables, table, command, client)
