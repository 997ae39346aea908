"""Routes for playing: drafts, actions, hints, undo, resigning."""

from __future__ import annotations

from fastapi import Request, Response

from spieltisch.server.http.auth import Language, RequiredClient, client_address
from spieltisch.server.http.requests import DraftQuestion
from spieltisch.server.http.routes.dependencies import JsonBytes, LiveTables, api_router, perform, rate_limiter
from spieltisch.table.commands import Answer, AskUndo, Continue, Play, Resign
from spieltisch.table.responses import CommandResult, DraftPreview, Hint

router = api_router()


@router.post("/tables/{table}/preview", tags=["play"], response_model=DraftPreview)
async def preview(
    table: str, question: DraftQuestion, tables: LiveTables, client: RequiredClient, language: Language
) -> Response:
    """Where a draft would lead; nothing is played, and nobody else sees it."""
    seat, version, draft = question.seat, question.version, question.draft
    return JsonBytes(await tables.preview(table, client.holder, seat, version, draft, language))


@router.post("/tables/{table}/actions", tags=["play"], response_model=CommandResult)
async def play(table: str, command: Play, tables: LiveTables, client: RequiredClient) -> Response:
    """Plays a draft: all of its actions, or none."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/hint", tags=["play"], response_model=Hint)
async def hint(
    table: str,
    question: DraftQuestion,
    request: Request,
    tables: LiveTables,
    client: RequiredClient,
    language: Language,
) -> Response:
    """What a strong bot would do there, from what the seat may know."""
    seat, version, draft = question.seat, question.version, question.draft
    with rate_limiter(request).hint_slot(client_address(request)):
        return JsonBytes(await tables.hint(table, client.holder, seat, version, draft, language))


@router.post("/tables/{table}/undo", tags=["play"], response_model=CommandResult)
async def undo(table: str, command: AskUndo, tables: LiveTables, client: RequiredClient) -> Response:
    """Undoes the seat's last turn: at once if all others are bots; among people if all agree and nothing was drawn."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/answer", tags=["play"], response_model=CommandResult)
async def answer(table: str, command: Answer, tables: LiveTables, client: RequiredClient) -> Response:
    """Agrees or disagrees with a request of another player."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/resign", tags=["play"], response_model=CommandResult)
async def resign(table: str, command: Resign, tables: LiveTables, client: RequiredClient) -> Response:
    """Resigns."""
    return await perform(tables, table, command, client)


@router.post("/tables/{table}/continue", tags=["play"], response_model=CommandResult)
async def next_game(table: str, command: Continue, tables: LiveTables, client: RequiredClient) -> Response:
    """Starts the next game of the match."""
    return await perform(tables, table, command, client)
