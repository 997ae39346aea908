"""The routes of the server, by resource. Commands are HTTP with JSON; no route names a game."""

from __future__ import annotations

from typing import Final

from spieltisch.server.http.routes import codes, games, play, replays, seats, signals, tables

ROUTERS: Final = (
    *(games.router, tables.router, seats.router, codes.router, play.router, signals.router, signals.pings),
    replays.router,
)
