"""The application: routes, refusals as sentences, and what is opened and closed with it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Lifespan, Scope

from spieltisch import __version__
from spieltisch.core.game import Refusal, brief
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory
from spieltisch.server.errors import STATUS, Closing, RefusalData, Refused, refusal_data
from spieltisch.server.http import openapi, replays, responses, routes, static
from spieltisch.server.http.auth import request_language
from spieltisch.server.http.limits import MAX_BODY_BYTES, RateLimited, RateLimiter, RateLimits, TooLarge
from spieltisch.server.http.middleware import Manners
from spieltisch.server.http.static import Site
from spieltisch.server.ops import gc, logging
from spieltisch.server.ops.loop_lag import Pulse
from spieltisch.server.ops.metrics import Metrics
from spieltisch.server.runtime.scheduler import Scheduler
from spieltisch.server.runtime.tables import Tables
from spieltisch.server.storage.errors import StoreUnavailable
from spieltisch.server.storage.store import Store
from spieltisch.server.workers.pool import WorkerLost, WorkerPool
from spieltisch.table.errors import BadRequest, NotFound

_say = message_factory("")
_log = structlog.get_logger("spieltisch.server")
ROUTERS: Final = (routes.router, replays.router)
RETRY: Final = 2  # seconds after which the store may answer again


def make_app(
    store: Store, processes: WorkerPool, allowed: RateLimits, lan: str | None = None, folder: Path = static.FOLDER
) -> FastAPI:
    """The application over an own store and processes, which it opens and closes."""

    @contextlib.asynccontextmanager
    async def open_and_close(app: FastAPI) -> AsyncIterator[None]:
        await store.open()
        await processes.open()
        await app.state.tables.open()
        app.state.scheduler.start()
        app.openapi()
        gc.freeze()
        pulse = asyncio.create_task(app.state.pulse.beat())
        try:
            yield
        finally:
            await app.state.scheduler.stop()
            await app.state.tables.close()
            pulse.cancel()
            await store.close()
            await processes.close()

    app = routed(open_and_close, folder)
    app.state.lan = lan
    app.state.tables = Tables(store, processes)
    app.state.scheduler = Scheduler(app.state.tables)
    app.state.pulse = Pulse()
    app.state.limits = RateLimiter(allowed)
    app.state.metrics = _metrics(app)
    app.add_middleware(Manners, metrics=app.state.metrics, too_large=_too_large, broken=_broken)
    return app


def routed(lifespan: Lifespan[FastAPI] | None = None, folder: Path = static.FOLDER) -> FastAPI:
    """Everything that can be asked, with nothing behind it yet."""
    app = FastAPI(
        title="Spieltisch", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None
    )
    for router in ROUTERS:
        app.include_router(router)
    app.openapi = lambda: openapi.describe(app)  # type: ignore[method-assign]
    _add_server(app)
    _add_refusals(app, static.add(app, folder))
    return app


def _metrics(app: FastAPI) -> Metrics:
    metrics, tables = Metrics(), app.state.tables
    metrics.gauge("tables", "Tables in memory.", lambda: len(tables.live()))
    metrics.gauge("streams", "Open event streams.", lambda: sum(table.streams for table in tables.live()))
    metrics.gauge("queue", "Tables that wait for a bot or a judge.", app.state.scheduler.queue.qsize)
    metrics.gauge("longest_pause_seconds", "The longest work of the event loop.", lambda: app.state.pulse.longest)
    return metrics


def _add_server(app: FastAPI) -> None:
    @app.get("/healthz", tags=["server"])
    def health() -> responses.Health:
        """How the server is."""
        closing = app.state.tables.closing.is_set()
        return responses.Health(
            status="closing" if closing else "ok", version=__version__, longest_pause=app.state.pulse.longest
        )

    @app.get("/readyz", tags=["server"], responses={503: {"model": responses.Refusal}})
    async def ready() -> responses.Ready:
        """Whether the store answers, so that requests may be sent here."""
        try:
            await app.state.tables.store.ping()
        except Exception as error:  # noqa: BLE001 - whatever keeps the store from answering
            _log.warning("not ready", **logging.error_fields(error))
            raise Closing(_say("server.busy")) from None
        return responses.Ready(status="ready")

    @app.get("/metrics", tags=["server"], response_class=PlainTextResponse)
    def metrics() -> Response:
        """Numbers for Prometheus."""
        for what, times in app.state.limits.refused.items():
            app.state.metrics.limited(what, times)
        return Response(app.state.metrics.text(), media_type="text/plain; version=0.0.4")

    @app.get("/api/docs", include_in_schema=False)
    def docs() -> HTMLResponse:
        return HTMLResponse(openapi.page(app.openapi()))

    @app.get("/api/openapi.json", include_in_schema=False)
    def description() -> JSONResponse:
        return JSONResponse(app.openapi())


def _add_refusals(app: FastAPI, site: Site | None) -> None:
    @app.exception_handler(RateLimited)
    def limited(request: Request, error: RateLimited) -> Response:
        answer = _answer(request, refusal_data(error))
        answer.headers["retry-after"] = str(error.after)
        return answer

    @app.exception_handler(Refusal)
    def refuse(request: Request, error: Refusal) -> Response:
        return _answer(request, refusal_data(error))

    @app.exception_handler(Refused)
    def refused(request: Request, error: Refused) -> Response:
        return _answer(request, error.answer)

    @app.exception_handler(WorkerLost)
    def lost(request: Request, _: WorkerLost) -> Response:
        return _answer(request, refusal_data(Closing(_say("server.busy"))))

    @app.exception_handler(StoreUnavailable)
    def away(request: Request, error: StoreUnavailable) -> Response:
        _log.warning("store away", **logging.error_fields(error.__cause__ or error))
        answer = _answer(request, refusal_data(Closing(_say("server.away"))))
        answer.headers["retry-after"] = str(RETRY)
        return answer

    @app.exception_handler(RequestValidationError)
    def malformed(request: Request, error: RequestValidationError) -> Response:
        first: dict[str, Any] = error.errors()[0]
        place = first["loc"][1:] if first["type"] != "json_invalid" else ()
        field = ".".join(str(part) for part in place) or str(first["loc"][0])
        reason = _say("server.field", field=brief(field), reason=brief(first["msg"]))
        return _answer(request, refusal_data(BadRequest(reason))._replace(field=brief(field)))

    @app.exception_handler(HTTPException)
    def other(request: Request, error: HTTPException) -> Response:
        if error.status_code == 400:  # a body that no JSON can be read from
            reason = _say("server.field", field="body", reason=brief(error.detail))
            return _answer(request, refusal_data(BadRequest(reason))._replace(field="body"))
        if error.status_code == 404 and site is not None and static.navigates(request):
            return site.shell(request, 404)
        answer = _answer(request, refusal_data(NotFound(_say("server.no_path"))))
        answer.status_code = error.status_code
        if error.status_code == 405:
            answer.headers["allow"] = ", ".join(sorted(_methods(app, request.url.path)))
        return answer


def _methods(app: FastAPI, path: str) -> set[str]:
    """What can be done at a path."""
    found = [one for part in (*ROUTERS, app) for one in part.routes if isinstance(one, APIRoute)]
    return {method for route in found if route.path_regex.match(path) for method in route.methods or ()}


def _too_large(scope: Scope) -> ASGIApp:
    return _answer(Request(scope), refusal_data(TooLarge(_say("limit.large", most=MAX_BODY_BYTES))))


def _broken(scope: Scope) -> ASGIApp:
    return _answer(Request(scope), refusal_data(Closing(_say("server.broken"))))


def _answer(request: Request, refused: RefusalData) -> Response:
    body = responses.Refusal(
        code=refused.code,
        message=format_message(refused.message, request_language(request)),
        rule=refused.rule,
        field=refused.field,
        line=refused.line,
    )
    return JSONResponse(body.model_dump(), STATUS[refused.code], headers={"cache-control": "no-store"})
