"""Processor time of a page, from Chromium's trace: other programs do not count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

TASK = "RunTask"  # as Chromium names it
TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline"]


@contextmanager
def processor_time(page: Page, what: str) -> Iterator[list[float]]:
    """For how long each of these had the processor in the page's main thread, in milliseconds, when the block has ended."""
    spent: list[float] = []
    browser = page.context.browser
    assert browser
    browser.start_tracing(page=page, categories=TRACED)
    try:
        yield spent
    finally:
        traced = json.loads(browser.stop_tracing())["traceEvents"]
    main = {(one["pid"], one["tid"]) for one in traced if one.get("args", {}).get("name") == "CrRendererMain"}
    spent += [
        one["tdur"] / 1000
        for one in traced
        if one["name"] == what and (one["pid"], one["tid"]) in main and "tdur" in one
    ]
    assert spent
