"""What routes share: dependencies, and JSON responses that are ready to be sent."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from spieltisch.server.http import responses
from spieltisch.server.http.auth import Client, check_request
from spieltisch.server.http.limits import RateLimiter
from spieltisch.server.runtime.retention import Housekeeping
from spieltisch.server.runtime.tables import Tables
from spieltisch.table.commands import ClientCommand

_STATUSES = {  # written out, since the names in the standard library differ between versions of Python
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    413: "Request Entity Too Large",
    422: "Unprocessable Entity",
    429: "Too Many Requests",
    503: "Service Unavailable",
}
_REFUSAL = {"application/json": {"schema": {"$ref": f"#/components/schemas/{responses.Refusal.__name__}"}}}
REFUSALS = {  # by reference, since making a model for each of them at every route takes a third of the server's start
    status: {"content": _REFUSAL, "description": name} for status, name in _STATUSES.items()
}


def api_router() -> APIRouter:
    """A router below /api: every request is checked and counted, every refusal described."""
    return APIRouter(prefix="/api", responses=REFUSALS, dependencies=[Depends(check_request)])  # type: ignore[arg-type]


async def _tables(request: Request) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


def rate_limiter(request: Request) -> RateLimiter:
    """The server's rate limiter."""
    limits: RateLimiter = request.app.state.limits
    return limits


def housekeeping(request: Request) -> Housekeeping:
    """The server's retention and quota."""
    found: Housekeeping = request.app.state.housekeeping
    return found


LiveTables = Annotated[Tables, Depends(_tables)]
OwnSeat = Annotated[
    int | None, Query(ge=0, le=99, description="The seat from which the client looks, if it has several.")
]


class JsonBytes(Response):
    """A JSON response that is ready to be sent."""

    media_type = "application/json"

    def __init__(self, body: bytes | str, status: int = 200) -> None:
        super().__init__(body, status)
        self.headers["cache-control"] = "no-store"


async def perform(tables: Tables, table: str, command: ClientCommand, client: Client) -> JsonBytes:
    """Carries out a command."""
    return JsonBytes(await tables.perform(table, command, client.holder))
