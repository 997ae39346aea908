"""Routes for operators: health, readiness, metrics, and the description of the API."""

from __future__ import annotations

import structlog
from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse

from spieltisch import __version__
from spieltisch.i18n.message import message_factory
from spieltisch.server.errors import Closing
from spieltisch.server.http import openapi, responses
from spieltisch.server.http.auth import is_loopback
from spieltisch.server.ops import logging
from spieltisch.server.ops.metrics import CONTENT_TYPE
from spieltisch.table.errors import NotFound

_say = message_factory("")
_log = structlog.get_logger("spieltisch.server")
router: APIRouter = APIRouter()


@router.get("/healthz", tags=["server"])
def health(request: Request) -> responses.Health:
    """The health of the server."""
    state = request.app.state
    closing = state.tables.closing.is_set()
    return responses.Health(
        status="closing" if closing else "ok", version=__version__, longest_pause=state.loop_lag.longest
    )


@router.get("/readyz", tags=["server"], responses={503: {"model": responses.Refusal}})
async def ready(request: Request) -> responses.Ready:
    """Whether the database responds and can be written, so that requests can be sent here."""
    try:
        await request.app.state.tables.store.probe()
    except Exception as error:  # noqa: BLE001 - with any error, the store is not ready
        _log.warning("not ready", **logging.error_fields(error))
        raise Closing(_say("server.busy")) from None
    return responses.Ready(status="ready")


@router.get("/metrics", tags=["server"], response_class=PlainTextResponse)
def metrics(request: Request) -> Response:
    """Metrics for Prometheus, on the server's own machine only."""
    if not is_loopback(request):
        raise NotFound(_say("server.no_path"))
    return Response(request.app.state.metrics.render(), media_type=CONTENT_TYPE)


@router.get("/api/docs", include_in_schema=False)
def docs(request: Request) -> HTMLResponse:
    """The OpenAPI document as a web page."""
    return HTMLResponse(openapi.render_page(request.app.openapi()))


@router.get("/api/openapi.json", include_in_schema=False)
def description(request: Request) -> JSONResponse:
    """The OpenAPI document."""
    return JSONResponse(request.app.openapi())
