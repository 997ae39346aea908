"""The application: routes, refusals as sentences, and what is opened and closed with it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from spieltisch import __version__, registry
from spieltisch.game import Refusal, brief
from spieltisch.message import speaker
from spieltisch.sentences import render
from spieltisch.server import answers, openapi
from spieltisch.server.processes import Lost, Processes
from spieltisch.server.pulse import Pulse
from spieltisch.server.refusals import STATUS, BadRequest, Closing, No, NotFound, Refused, no
from spieltisch.server.routes import router
from spieltisch.server.store import Store
from spieltisch.server.tables import Tables
from spieltisch.server.visitors import language_of

_say = speaker("")
_log = logging.getLogger("spieltisch.server")


def make_app(store: Store, processes: Processes) -> FastAPI:
    """The application over an own store and processes, which it opens and closes."""

    @contextlib.asynccontextmanager
    async def open_and_close(app: FastAPI) -> AsyncIterator[None]:
        await store.open()
        await processes.open()
        await app.state.tables.open()
        app.openapi()
        pulse = asyncio.create_task(app.state.pulse.beat())
        try:
            yield
        finally:
            await app.state.tables.close()
            pulse.cancel()
            await store.close()
            await processes.close()

    app = FastAPI(
        title="Spieltisch",
        version=__version__,
        lifespan=open_and_close,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.tables = Tables(store, processes)
    app.state.pulse = Pulse()
    app.include_router(router)
    app.openapi = lambda: openapi.describe(app)  # type: ignore[method-assign]
    _add_pages(app)
    _add_refusals(app)
    return app


def _add_pages(app: FastAPI) -> None:
    @app.get("/healthz", tags=["server"])
    def health() -> answers.Health:
        """How the server is."""
        closing = app.state.tables.closing.is_set()
        return answers.Health(
            status="closing" if closing else "ok", version=__version__, longest_pause=app.state.pulse.longest
        )

    @app.get("/", include_in_schema=False)
    def home() -> HTMLResponse:
        return HTMLResponse(_HOME.format(games=", ".join(game.title for game in registry.offered())))

    @app.get("/plain.css", include_in_schema=False)
    def style() -> Response:
        return Response(_STYLE, media_type="text/css")

    @app.get("/api/docs", include_in_schema=False)
    def docs() -> HTMLResponse:
        return HTMLResponse(openapi.page(app.openapi()))

    @app.get("/api/openapi.json", include_in_schema=False)
    def description() -> JSONResponse:
        return JSONResponse(app.openapi())


def _add_refusals(app: FastAPI) -> None:
    @app.exception_handler(Refusal)
    def refuse(request: Request, error: Refusal) -> Response:
        return _answer(request, no(error))

    @app.exception_handler(Refused)
    def refused(request: Request, error: Refused) -> Response:
        return _answer(request, error.answer)

    @app.exception_handler(Lost)
    def lost(request: Request, _: Lost) -> Response:
        return _answer(request, no(Closing(_say("server.busy"))))

    @app.exception_handler(RequestValidationError)
    def malformed(request: Request, error: RequestValidationError) -> Response:
        first: dict[str, Any] = error.errors()[0]
        place = first["loc"][1:] if first["type"] != "json_invalid" else ()
        field = ".".join(str(part) for part in place) or str(first["loc"][0])
        reason = _say("server.field", field=brief(field), reason=brief(first["msg"]))
        return _answer(request, no(BadRequest(reason))._replace(field=brief(field)))

    @app.exception_handler(HTTPException)
    def other(request: Request, error: HTTPException) -> Response:
        if error.status_code == 400:  # a body that no JSON can be read from
            reason = _say("server.field", field="body", reason=brief(error.detail))
            return _answer(request, no(BadRequest(reason))._replace(field="body"))
        answer = _answer(request, no(NotFound(_say("server.no_path"))))
        answer.status_code = error.status_code
        return answer

    @app.exception_handler(Exception)
    def broken(request: Request, _: Exception) -> Response:
        _log.error("%s %s failed", request.method, request.scope["route"].path if "route" in request.scope else "")
        return _answer(request, no(Closing(_say("server.broken"))))


def _answer(request: Request, refused: No) -> Response:
    body = answers.Refusal(
        code=refused.code,
        message=render(refused.message, language_of(request)),
        rule=refused.rule,
        field=refused.field,
        line=refused.line,
    )
    return JSONResponse(body.model_dump(), STATUS[refused.code], headers={"cache-control": "no-store"})


_HOME = """<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width">
<title>Spieltisch</title><link rel=stylesheet href=/plain.css><main><h1>Spieltisch</h1>
<p>The table is set: {games}. An unofficial adaptation.</p>
<p>Programs play here by <a href=/api/docs>the API</a>.</p></main></html>
"""
_STYLE = """:root { color-scheme: light dark; font: 100%/1.5 Georgia, serif; }
body { margin: 0; background: light-dark(#f6efe2, #241c15); color: light-dark(#2d2118, #eee3d0); }
main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
h2 { font-size: 1.1rem; overflow-wrap: anywhere; } pre { overflow-x: auto; padding: .6rem; background: #8883; }
a { color: inherit; }
"""
