"""Static files: the built web application, from a folder of the test's own."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from spieltisch.server.app import create_app
from spieltisch.server.http.limits import RateLimits
from spieltisch.server.storage.store import Store
from spieltisch.server.workers.pool import PoolConfig, WorkerPool
from tests.support.server import TIMEOUT, Server, running_server

FILES = {
    "index.html": b"<!doctype html><title>Table</title>" + b"<p>shell</p>" * 20,
    "assets/index-Abc123.js": b"console.log(1);\n" * 50,
    "assets/index-Abc123.css": b"a { color: red }\n",
    "manifest.webmanifest": b"{}",
    "sw.js": b"// worker",
    "icons/icon-192.png": b"\x89PNG",
}


KINDS = {
    "/": "text/html; charset=utf-8",
    "/assets/index-Abc123.js": "text/javascript; charset=utf-8",
    "/assets/index-Abc123.css": "text/css; charset=utf-8",
    "/manifest.webmanifest": "application/manifest+json",
    "/sw.js": "text/javascript; charset=utf-8",
    "/icons/icon-192.png": "image/png",
}


PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("web")) as server:
        yield server


class BuiltSite:
    """The application with a folder of built files, called without a network."""

    def __init__(self, folder: Path) -> None:
        static = folder / "static"
        for name, body in FILES.items():
            path = static / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body)
            if path.suffix in (".html", ".js"):
                path.with_name(path.name + ".gz").write_bytes(gzip.compress(body))
                path.with_name(path.name + ".br").write_bytes(b"br of " + path.name.encode())
        (folder / "secret.txt").write_text("nobody's business")
        self.app = create_app(
            Store("sqlite+aiosqlite://"), WorkerPool(PoolConfig(rules=1, bots=1)), RateLimits(), folder=static
        )

    def request(self, path: str, method: str = "GET", **headers: str) -> httpx.Response:
        sent = {"accept-encoding": "identity", **{name.replace("_", "-"): value for name, value in headers.items()}}

        async def send() -> httpx.Response:
            async with httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url="http://here") as client:
                return await client.request(method, path, headers=sent)

        return asyncio.run(send())


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> BuiltSite:
    return BuiltSite(tmp_path_factory.mktemp("built"))


@pytest.mark.parametrize("path", KINDS)
def test_every_file_has_its_media_type_cache_control_and_security_headers(built, path):
    answer = built.request(path)
    assert (answer.status_code, answer.content) == (200, FILES[path.removeprefix("/") or "index.html"])
    assert answer.headers["content-type"] == KINDS[path]
    assert answer.headers["content-security-policy"].startswith("default-src 'self'; img-src 'self' data:;")
    keep = "public, max-age=31536000, immutable" if path.startswith("/assets/") else "no-cache"
    assert answer.headers["cache-control"] == keep


@pytest.mark.parametrize("path", ["/", "/table/0123456789abcdef", "/rules/template", "/replay"])
def test_every_screen_is_served_by_the_shell(built, path):
    answer = built.request(path)
    assert (answer.status_code, answer.content) == (200, FILES["index.html"])
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/", "/sw.js", "/replay", "/assets/index-Abc123.js", "/icons/icon-192.png"])
def test_head_requests_and_conditional_requests_get_no_body(built, path):
    whole, head = built.request(path), built.request(path, "HEAD")
    assert (head.status_code, dict(head.headers)) == (200, dict(whole.headers))
    again = built.request(path, if_none_match=whole.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == whole.headers["etag"]
    assert built.request(path, if_none_match='"another"').status_code == 200


@pytest.mark.parametrize(
    ("taken", "sent"),
    [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip;q=0.5", "gzip"), ("identity", None), ("", None)],
)
def test_the_smallest_accepted_encoding_is_sent(built, taken, sent):
    answer = built.request("/assets/index-Abc123.js", "HEAD", accept_encoding=taken)
    assert answer.headers.get("content-encoding") == sent
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    sizes = {"br": len(b"br of index-Abc123.js"), None: len(FILES["assets/index-Abc123.js"])}
    sizes["gzip"] = len(gzip.compress(FILES["assets/index-Abc123.js"]))
    assert int(answer.headers["content-length"]) == sizes[sent]
    if sent == "gzip":
        assert (
            built.request("/assets/index-Abc123.js", accept_encoding=taken).content == FILES["assets/index-Abc123.js"]
        )
    plain = built.request("/assets/index-Abc123.css", accept_encoding=taken)
    assert not {"content-encoding", "vary"} & set(plain.headers)


def test_each_encoding_has_an_etag_of_its_own(built):
    tags = {built.request("/", "HEAD", accept_encoding=taken).headers["etag"] for taken in ("br", "gzip", "identity")}
    assert len(tags) == 3


@pytest.mark.parametrize(
    "path",
    ["/nowhere", "/assets/gone-1.js", "/assets/../../secret.txt", "/assets/%2e%2e/%2e%2e/secret.txt", "/..%2fsecret.txt",
     "/assets//etc/passwd", "/sw.js%0A", "/assets/index-Abc123.js.br", "/index.html.gz", "/table/", "/table/a/b", "/assets/"],
)  # fmt: skip
def test_an_unknown_path_is_404_and_the_shell_for_a_navigation(built, path):
    answer = built.request(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    shown = built.request(path, **PAGE)
    assert (shown.status_code, shown.content) == (404, FILES["index.html"])
    assert built.request(path, "POST", **PAGE).status_code in (404, 405)


def test_no_path_of_the_api_is_served_by_the_shell(built):
    answer = built.request("/api/nowhere", **PAGE)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    refused = built.request("/replay", "POST")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


def test_without_a_build_there_is_a_plain_page(tmp_path):
    built = BuiltSite(tmp_path)
    (tmp_path / "static" / "index.html").unlink()
    built.app = create_app(
        Store("sqlite+aiosqlite://"), WorkerPool(PoolConfig(rules=1, bots=1)), RateLimits(), folder=tmp_path / "static"
    )
    page = built.request("/")
    assert "An unofficial adaptation" in page.text
    assert built.request("/", "HEAD").headers == page.headers
    for path in ("/replay", "/sw.js", "/assets/index-Abc123.js"):
        assert built.request(path, **PAGE).json()["code"] == "not-found"


def test_a_real_server_responds_to_head_without_a_body(server):
    whole, head = (httpx.request(method, server.address, timeout=TIMEOUT) for method in ("GET", "HEAD"))
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == whole.headers["content-length"]
