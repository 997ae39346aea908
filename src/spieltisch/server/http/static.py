"""The web's files, as they were built, from memory; where none were built, a plain page."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final, NamedTuple

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from spieltisch import registry

FOLDER: Final = Path(__file__).parents[1] / "static"
SHELL: Final = "index.html"
SCREENS: Final = ("/", "/table/{name}", "/rules/{game}", "/replay")  # which the shell shows
ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}  # the smaller one first
KEEP: Final = "public, max-age=31536000, immutable"  # what has a hash in its name never changes
ASK: Final = "no-cache"
_METHODS: Final = ["GET", "HEAD"]
_KINDS: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".mp3": "audio/mpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_REFUSED: Final = re.compile(r"\s*q=0(\.0*)?\s*")


class Form(NamedTuple):
    """A file as it is sent, as it is or compressed."""

    body: bytes
    etag: str


class File(NamedTuple):
    """A file in all its forms, by the encoding; '' is as it is."""

    kind: str
    forms: dict[str, Form]

    def answer(self, request: Request, keep: str, status: int = 200) -> Response:
        """The file in the smallest form that the browser takes, or that nothing has changed."""
        taken = _encodings(request)
        encoding = next((one for one in ENCODINGS if one in self.forms and one in taken), "")
        form = self.forms[encoding]
        headers = {"cache-control": keep, "etag": form.etag}
        if len(self.forms) > 1:
            headers["vary"] = "accept-encoding"
        if status == 200 and form.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if encoding:
            headers["content-encoding"] = encoding
        return Response(form.body, status, headers, self.kind)


class Site:
    """All files of the web, by their path in its folder."""

    def __init__(self, folder: Path) -> None:
        paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        self.files = {name: _read(path) for name, path in paths.items() if path.suffix not in ENCODINGS.values()}

    def shell(self, request: Request, status: int = 200) -> Response:
        """The page that shows every screen."""
        return self.files[SHELL].answer(request, ASK, status)

    async def asset(self, request: Request) -> Response:
        """A file with a hash in its name."""
        return self._find(request).answer(request, KEEP)

    async def file(self, request: Request) -> Response:
        """A file that may be another one tomorrow."""
        return self._find(request).answer(request, ASK)

    def _find(self, request: Request) -> File:
        found = self.files.get(request.scope["path"].removeprefix("/"))
        if found is None:
            raise HTTPException(404)
        return found


def add(app: FastAPI, folder: Path) -> Site | None:
    """Adds the web's pages, or the plain one where none were built."""

    @app.get("/plain.css", include_in_schema=False)
    def style() -> Response:
        return Response(_STYLE, media_type="text/css")

    if not (folder / SHELL).is_file():

        @app.api_route("/", methods=_METHODS, include_in_schema=False)
        def home() -> HTMLResponse:
            return HTMLResponse(_HOME.format(games=", ".join(game.title for game in registry.offered())))

        return None

    site = Site(folder)

    async def shell(request: Request) -> Response:
        return site.shell(request)

    for path in SCREENS:
        app.add_api_route(path, shell, methods=_METHODS, include_in_schema=False)
    app.add_api_route("/assets/{path:path}", site.asset, methods=_METHODS, include_in_schema=False)
    for name in site.files:
        if not name.startswith("assets/"):
            app.add_api_route(f"/{name}", site.file, methods=_METHODS, include_in_schema=False)
    return site


def navigates(request: Request) -> bool:
    """Whether somebody wants to see a page there."""
    page = request.method in _METHODS and not request.scope["path"].startswith("/api/")
    return page and "text/html" in request.headers.get("accept", "")


def _encodings(request: Request) -> set[str]:
    """The encodings that the browser takes."""
    asked = (part.partition(";") for part in request.headers.get("accept-encoding", "").lower().split(","))
    return {name.strip() for name, _, weight in asked if not _REFUSED.fullmatch(weight)}


def _read(path: Path) -> File:
    forms = {"": path, **{name: path.with_name(path.name + ending) for name, ending in ENCODINGS.items()}}
    there = {name: form.read_bytes() for name, form in forms.items() if form.is_file()}
    return File(
        _KINDS.get(path.suffix, "application/octet-stream"),
        {name: Form(body, f'"{hashlib.sha256(body).hexdigest()[:20]}"') for name, body in there.items()},
    )


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
