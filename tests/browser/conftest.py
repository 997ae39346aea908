"""A real browser at a real server. Whatever a page complains about fails the test it happened in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import chromium
from tests.support.server import Server

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1440, "height": 900}}
TIMEOUT = 180_000  # milliseconds for anything at all: what has low priority waits long on a busy machine
expect.set_options(timeout=TIMEOUT)
BRISK = {"speed": "off", "text": True}  # settings of somebody who reads sentences and waits for no motion
SET = """
try {
  localStorage["spieltisch.level"] ??= '"level:1"';
  localStorage["spieltisch.settings"] ??= %s;
} catch {}
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--whole-games", action="store_true", help="play whole games where some turns are enough otherwise"
    )


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": chromium.find(), "args": list(chromium.FLAGS)}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("tables"))
    yield running
    assert running.stop() == 0
    assert running.errors == []


class Visitor:
    """Somebody with a browser of their own."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.address = address
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        self.allowed: tuple[str, ...] = ()
        context.set_default_timeout(TIMEOUT)
        context.on("page", self._watch)
        context.on("request", self._note)

    def _watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: said.type in ("error", "warning") and self._complain(said.text))

    def _complain(self, text: str) -> None:
        if "GL Driver Message" not in text:  # the driver's own, where the processor draws in place of a graphics card
            self.complaints.append(text)

    def _note(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.foreign.append(request.url)

    def opens(self, path: str = "/") -> Page:
        page = self.context.new_page()
        page.goto(self.address + path)
        return page

    def check(self) -> None:
        """Nothing was asked of another host, and no page complained but of what was to be expected."""
        assert self.foreign == []
        unexpected = [one for one in self.complaints if not any(word in one for word in self.allowed)]
        assert unexpected == []


def set_before(context: BrowserContext, **settings: object) -> None:
    """What a person has set before they come; their bots are of the first level."""
    context.add_init_script(SET % json.dumps(json.dumps(settings)))


@contextmanager
def visitors(browser: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors; `make({"name": "Ada"}, **PHONE, locale="nl")`: what they have set, and their browser."""
    made: list[Visitor] = []

    def make(settings: dict[str, Any] = {}, **kind: Any) -> Visitor:  # noqa: B006 - never changed
        context = browser.new_context(**{**WIDE, "locale": "en", **kind})
        set_before(context, **{**BRISK, **settings})
        made.append(Visitor(context, server.address))
        return made[-1]

    try:
        yield make
        for one in made:
            one.check()
    finally:
        for one in made:
            one.context.close()


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    with visitors(browser, server) as make:
        yield make
