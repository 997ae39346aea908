"""Static files: the built web application, served from memory; without a build, a plain page."""

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
SHELL_PATHS: Final = ("/", "/table/{name}", "/rules/{game}", "/replay")  # the application shell renders them
ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}  # the smaller one first
IMMUTABLE: Final = "public, max-age=31536000, immutable"  # for files with a hash in their name
REVALIDATE: Final = "no-cache"
_METHODS: Final = ["GET", "HEAD"]
_MEDIA_TYPES: Final = {
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
_WEIGHT_ZERO: Final = re.compile(r"\s*q=0(\.0*)?\s*")


class Variant(NamedTuple):
    """A file's content, plain or compressed."""

    body: bytes
    etag: str


class StaticFile(NamedTuple):
    """A file in all its variants, by encoding; '' is not compressed."""

    media_type: str
    variants: dict[str, Variant]

    def respond(self, request: Request, cache_control: str, status: int = 200) -> Response:
        """The smallest variant that the browser accepts, or 304 if it already has it."""
        accepted = _accepted_encodings(request)
        encoding = next((one for one in ENCODINGS if one in self.variants and one in accepted), "")
        variant = self.variants[encoding]
        headers = {"cache-control": cache_control, "etag": variant.etag}
        if len(self.variants) > 1:
            headers["vary"] = "accept-encoding"
        if status == 200 and variant.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if encoding:
            headers["content-encoding"] = encoding
        return Response(variant.body, status, headers, self.media_type)


class StaticSite:
    """All files of the web application, by their path in its folder."""

    def __init__(self, folder: Path) -> None:
        paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        self.files = {name: _read(path) for name, path in paths.items() if path.suffix not in ENCODINGS.values()}

    def shell(self, request: Request, status: int = 200) -> Response:
        """The application shell: the page that renders every screen."""
        return self.files[SHELL].respond(request, REVALIDATE, status)

    async def asset(self, request: Request) -> Response:
        """A file with a hash in its name."""
        return self._find(request).respond(request, IMMUTABLE)

    async def file(self, request: Request) -> Response:
        """A file whose content may change."""
        return self._find(request).respond(request, REVALIDATE)

    def _find(self, request: Request) -> StaticFile:
        found = self.files.get(request.scope["path"].removeprefix("/"))
        if found is None:
            raise HTTPException(404)
        return found


def add_routes(app: FastAPI, folder: Path) -> StaticSite | None:
    """Adds the routes of the web application, or the plain page if it was not built."""

    @app.get("/plain.css", include_in_schema=False)
    def style() -> Response:
        return Response(_STYLE, media_type="text/css")

    if not (folder / SHELL).is_file():

        @app.api_route("/", methods=_METHODS, include_in_schema=False)
        def home() -> HTMLResponse:
            return HTMLResponse(_HOME.format(games=", ".join(game.title for game in registry.offered())))

        return None

    site = StaticSite(folder)

    async def shell(request: Request) -> Response:
        return site.shell(request)

    for path in SHELL_PATHS:
        app.add_api_route(path, shell, methods=_METHODS, include_in_schema=False)
    app.add_api_route("/assets/{path:path}", site.asset, methods=_METHODS, include_in_schema=False)
    for name in site.files:
        if not name.startswith("assets/"):
            app.add_api_route(f"/{name}", site.file, methods=_METHODS, include_in_schema=False)
    return site


def is_navigation(request: Request) -> bool:
    """Whether a browser navigates to a page."""
    page = request.method in _METHODS and not request.scope["path"].startswith("/api/")
    return page and "text/html" in request.headers.get("accept", "")


def _accepted_encodings(request: Request) -> set[str]:
    """The encodings in Accept-Encoding."""
    listed = (part.partition(";") for part in request.headers.get("accept-encoding", "").lower().split(","))
    return {name.strip() for name, _, weight in listed if not _WEIGHT_ZERO.fullmatch(weight)}


def _read(path: Path) -> StaticFile:
    paths = {"": path, **{name: path.with_name(path.name + suffix) for name, suffix in ENCODINGS.items()}}
    contents = {name: variant.read_bytes() for name, variant in paths.items() if variant.is_file()}
    return StaticFile(
        _MEDIA_TYPES.get(path.suffix, "application/octet-stream"),
        {name: Variant(body, f'"{hashlib.sha256(body).hexdigest()[:20]}"') for name, body in contents.items()},
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
