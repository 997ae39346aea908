"""Exception handlers: every refusal and error becomes a response with a code and a sentence in the client's language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Scope

from spieltisch.core.game import Refusal, brief
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory
from spieltisch.server.errors import STATUS, Closing, Overloaded, RefusalData, Refused, WrongHost, refusal_data
from spieltisch.server.http import responses, static
from spieltisch.server.http.auth import request_language
from spieltisch.server.http.limits import MAX_BODY_BYTES, RateLimited, TooLarge
from spieltisch.server.http.static import StaticSite
from spieltisch.server.ops import logging
from spieltisch.server.storage.errors import StoreFull, StoreUnavailable
from spieltisch.server.workers.askers import AskerLeft
from spieltisch.server.workers.pool import WorkerLost
from spieltisch.table.errors import BadRequest, NotFound

_say = message_factory("")
_log = structlog.get_logger("spieltisch.server")
_REASONS: Final = {"unexpected_keyword_argument": "Extra inputs are not permitted"}  # pydantic's refers to Python
CLIENT_CLOSED_REQUEST: Final = 499  # as nginx logs it
RETRY_STORE: Final = 2  # seconds after which the store may be available again


def refusal_response(request: Request, refusal: RefusalData) -> Response:
    """The response for a refusal."""
    body = responses.Refusal(
        code=refusal.code,
        message=format_message(refusal.message, request_language(request)),
        rule=refusal.rule,
        field=refusal.field,
        line=refusal.line,
    )
    return JSONResponse(asdict(body), STATUS[refusal.code], headers={"cache-control": "no-store"})


def too_large(scope: Scope) -> ASGIApp:
    """The response to a request whose body is too large."""
    return refusal_response(Request(scope), refusal_data(TooLarge(_say("limit.large", most=MAX_BODY_BYTES))))


def wrong_host(scope: Scope) -> ASGIApp:
    """The response to a request for a name that is not the server's."""
    request = Request(scope)
    name = brief(request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", ""))
    return refusal_response(request, refusal_data(WrongHost(_say("server.host", name=name))))


def overloaded(scope: Scope) -> ASGIApp:
    """The response to a request that would have to wait behind too many others."""
    return _retry_response(Request(scope), Overloaded(_say("limit.waiting")))


def _retry_response(request: Request, error: RateLimited | Overloaded) -> Response:
    response = refusal_response(request, refusal_data(error))
    response.headers["retry-after"] = str(error.retry_after)
    return response


def internal_error(scope: Scope) -> ASGIApp:
    """The response to a request that failed because of an internal error, without its details."""
    return refusal_response(Request(scope), refusal_data(Closing(_say("server.broken"))))


def add_exception_handlers(app: FastAPI, routes: Sequence[BaseRoute], site: StaticSite | None) -> None:
    """Adds a handler for everything that a route may raise."""
    _add_refusal_handlers(app)
    _add_server_handlers(app)
    _add_http_handlers(app, routes, site)


def _add_refusal_handlers(app: FastAPI) -> None:
    @app.exception_handler(RateLimited)
    @app.exception_handler(Overloaded)
    def retry_later(request: Request, error: RateLimited | Overloaded) -> Response:
        return _retry_response(request, error)

    @app.exception_handler(AskerLeft)
    def asker_left(_request: Request, _: AskerLeft) -> Response:
        return Response(status_code=CLIENT_CLOSED_REQUEST)  # the client has disconnected

    @app.exception_handler(Refusal)
    def refusal(request: Request, error: Refusal) -> Response:
        return refusal_response(request, refusal_data(error))

    @app.exception_handler(Refused)
    def refused(request: Request, error: Refused) -> Response:
        return refusal_response(request, error.data)


def _add_server_handlers(app: FastAPI) -> None:
    @app.exception_handler(WorkerLost)
    def worker_lost(request: Request, _: WorkerLost) -> Response:
        return refusal_response(request, refusal_data(Closing(_say("server.busy"))))

    @app.exception_handler(StoreUnavailable)
    def store_unavailable(request: Request, error: StoreUnavailable) -> Response:
        _log.warning("store unavailable", **logging.error_fields(error.__cause__ or error))
        reason = "server.full" if isinstance(error, StoreFull) else "server.away"
        response = refusal_response(request, refusal_data(Closing(_say(reason))))
        response.headers["retry-after"] = str(RETRY_STORE)
        return response


def _add_http_handlers(app: FastAPI, routes: Sequence[BaseRoute], site: StaticSite | None) -> None:
    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        first: dict[str, Any] = error.errors()[0]
        path = first["loc"][1:] if first["type"] != "json_invalid" else ()
        field = ".".join(str(part) for part in path) or str(first["loc"][0])
        return _bad_field(request, field, _REASONS.get(str(first["type"]), str(first["msg"])))

    @app.exception_handler(HTTPException)
    def http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code == 400:  # the body is not JSON
            return _bad_field(request, "body", error.detail)
        if error.status_code == 404 and site is not None and static.is_navigation(request):
            return site.shell(request, 404)
        response = refusal_response(request, refusal_data(NotFound(_say("server.no_path"))))
        response.status_code = error.status_code
        if error.status_code == 405:
            response.headers["allow"] = ", ".join(sorted(_allowed_methods(routes, request.url.path)))
        return response


def _bad_field(request: Request, field: str, reason: object) -> Response:
    refusal = BadRequest(_say("server.field", field=brief(field), reason=brief(reason)))
    return refusal_response(request, refusal_data(refusal)._replace(field=brief(field)))


def _allowed_methods(routes: Sequence[BaseRoute], path: str) -> set[str]:
    """The methods that a path supports."""
    matching = [route for route in routes if isinstance(route, APIRoute) and route.path_regex.match(path)]
    return {method for route in matching for method in route.methods or ()}
