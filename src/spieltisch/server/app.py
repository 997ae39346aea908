"""The ASGI application: routes, exception handlers and middleware, and the lifespan of the store and the workers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, FastAPI
from starlette.types import Lifespan

from spieltisch import __version__
from spieltisch.server.http import health, openapi, routes, static
from spieltisch.server.http.asker import AskerMiddleware
from spieltisch.server.http.exception_handlers import (
    add_exception_handlers,
    internal_error,
    overloaded,
    too_large,
    wrong_host,
)
from spieltisch.server.http.hosts import ANY, AllowedHosts
from spieltisch.server.http.limits import RateLimiter, RateLimits
from spieltisch.server.http.middleware import BodyLimit, ErrorBoundary, HostCheck, RequestLog, SecurityHeaders
from spieltisch.server.http.sse import StreamAdmission
from spieltisch.server.ops import gc
from spieltisch.server.ops.loop_lag import LoopLag
from spieltisch.server.ops.metrics import Metrics
from spieltisch.server.runtime.leases import Leases
from spieltisch.server.runtime.retention import Housekeeping, Retention
from spieltisch.server.runtime.scheduler import Scheduler
from spieltisch.server.runtime.table import Table
from spieltisch.server.runtime.tables import Tables
from spieltisch.server.storage.errors import StoreUnavailable
from spieltisch.server.storage.store import Store
from spieltisch.server.workers.pool import WorkerPool
from spieltisch.server.workers.snapshot import code_digest

ROUTERS: Final[Sequence[APIRouter]] = (*routes.ROUTERS, health.router)


class Application(FastAPI):
    """FastAPI with our own description of the API."""

    def openapi(self) -> dict[str, Any]:
        return openapi.describe(self)


def create_app(
    store: Store,
    pool: WorkerPool,
    limits: RateLimits,
    lan: str | None = None,
    folder: Path = static.FOLDER,
    retention: Retention = Retention(),  # noqa: B008 - it is immutable
    hosts: str = ANY,
) -> Application:
    """The application on a store and a worker pool, which it opens and closes."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            await store.open()
        except StoreUnavailable as error:
            app.state.startup_error = error
            raise
        await pool.open()
        await asyncio.to_thread(code_digest)  # now, so that nobody waits for it
        await app.state.tables.open()
        app.state.scheduler.start()
        app.state.housekeeping.start()
        gc.freeze()
        measuring = asyncio.create_task(app.state.loop_lag.measure())
        try:
            yield
        finally:
            await app.state.housekeeping.stop()
            await app.state.scheduler.stop()
            await app.state.tables.close()
            measuring.cancel()
            await store.close()
            await pool.close()

    app = create_routes(lifespan, folder)
    app.state.lan = lan
    app.state.startup_error = None
    leases, changes = Leases(store), asyncio.Queue[Table]()
    app.state.tables = Tables(store, pool, leases, changes)
    app.state.scheduler = Scheduler(app.state.tables, leases, changes)
    app.state.housekeeping = Housekeeping(app.state.tables, retention)
    app.state.loop_lag = LoopLag()
    app.state.metrics = Metrics()
    app.state.limits = RateLimiter(limits, app.state.metrics.count_rate_limited)
    _add_gauges(app)
    # the innermost comes first, the outermost last
    app.add_middleware(StreamAdmission, limit=limits.streams, make_response=overloaded)
    app.add_middleware(AskerMiddleware)
    app.add_middleware(BodyLimit, make_response=too_large)
    app.add_middleware(ErrorBoundary, make_response=internal_error)
    app.add_middleware(HostCheck, allowed=AllowedHosts(hosts), make_response=wrong_host)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestLog, metrics=app.state.metrics)
    return app


def create_routes(lifespan: Lifespan[FastAPI] | None = None, folder: Path = static.FOLDER) -> Application:
    """The application with all routes, but without anything behind them."""
    app = Application(
        title="Spieltisch", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None
    )
    for router in ROUTERS:
        app.include_router(router)
    site = static.add_routes(app, folder)
    routes_of_routers = [route for router in ROUTERS for route in router.routes]
    add_exception_handlers(app, [*routes_of_routers, *app.routes], site)
    return app


def _add_gauges(app: FastAPI) -> None:
    metrics, tables, scheduler, loop_lag = (
        app.state.metrics,
        app.state.tables,
        app.state.scheduler,
        app.state.loop_lag,
    )
    metrics.add_gauge("live_tables", "Tables in memory.", lambda: len(tables.live()))
    metrics.add_gauge("open_streams", "Open event streams.", lambda: sum(table.streams for table in tables.live()))
    metrics.add_gauge("worker_queue", "Jobs that wait for a worker process.", tables.workers.waiting)
    metrics.add_gauge("scheduler_queue", "Tables that wait for a bot or a judge.", scheduler.queue.qsize)
    metrics.add_gauge(
        "event_loop_lag_max_seconds", "Longest time for which the event loop was busy.", lambda: loop_lag.longest
    )
