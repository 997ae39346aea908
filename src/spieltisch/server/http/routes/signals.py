"""Routes for signals that are passed on and not stored: answers to pings, and reactions."""

from __future__ import annotations

from fastapi import APIRouter, Request

from spieltisch.server.http import requests
from spieltisch.server.http.auth import RequiredClient, client_address
from spieltisch.server.http.routes.dependencies import REFUSALS, LiveTables, api_router, rate_limiter
from spieltisch.server.workers import rules

router = api_router()
pings = APIRouter(prefix="/api", responses=REFUSALS)  # type: ignore[arg-type] # answers have a limit of their own


@pings.post("/tables/{table}/present", tags=["tables"], status_code=204)
async def answer_ping(table: str, answer: requests.PingAnswer, request: Request, tables: LiveTables) -> None:
    """Answers the ping of an event stream: its client is still there."""
    rate_limiter(request).count_ping(client_address(request))
    await tables.signals.answer_ping(table, answer.stream)


@router.post("/tables/{table}/react", tags=["tables"], status_code=204)
async def react(
    table: str, reaction: requests.Reaction, request: Request, tables: LiveTables, client: RequiredClient
) -> None:
    """Shows a reaction to everybody at the table; nothing of it is stored."""
    rate_limiter(request).count_reaction(client.holder)
    found = await tables.find(table, stale=True)
    await tables.ask(found, rules.may_react, client.holder, reaction.seat)
    await tables.signals.react(found.name, reaction.seat, reaction.reaction)
