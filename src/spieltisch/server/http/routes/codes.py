"""Routes for join codes."""

from __future__ import annotations

from fastapi import Request

from spieltisch.i18n.message import message_factory
from spieltisch.server.http import requests, responses
from spieltisch.server.http.auth import RequiredClient, client_address
from spieltisch.server.http.routes.dependencies import LiveTables, api_router, rate_limiter
from spieltisch.server.runtime.join_codes import JoinCodes
from spieltisch.server.workers import rules
from spieltisch.table.errors import NotFound

_say = message_factory("")
router = api_router()


@router.get("/tables/{table}/code", tags=["seats"])
async def read_code(table: str, tables: LiveTables, client: RequiredClient) -> responses.JoinCodeView:
    """The join code of a table that gathers, for somebody who sits there."""
    found = await tables.find(table)
    await tables.ask(found, rules.may_invite, client.holder)
    code = await JoinCodes(tables.store).code_of(found.name)
    if code is None:
        raise NotFound(_say("table.unknown"))  # deleted meanwhile
    return responses.JoinCodeView(code.code, code.seconds)


@router.post("/codes", tags=["seats"])
async def enter_code(entered: requests.EnteredCode, request: Request, tables: LiveTables) -> responses.Invitation:
    """The table that a join code leads to, with its invitation."""
    rate_limiter(request).count_code(client_address(request))
    name = await JoinCodes(tables.store).find(entered.code)
    if name is None:
        raise NotFound(_say("table.no_code"))
    found = await tables.find(name)
    return responses.Invitation(name, await tables.ask(found, rules.invitation))
