"""The browser that the tests use is found, and a wrong one is refused in a sentence."""

from __future__ import annotations

import sys

import pytest

from tests.browser import chromium


def test_the_browser_that_is_found_shows_a_page(browser_type):
    browser = browser_type.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
    page = browser.new_page()
    page.goto("data:text/html,<p>here</p><script>document.title = 'there'</script>")
    assert page.text_content("p") == "here"
    assert page.title() == "there"
    browser.close()


def test_a_named_browser_that_does_not_start_is_refused(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "/nowhere")
    with pytest.raises(SystemExit, match="CHROMIUM is /nowhere"):
        chromium.find.__wrapped__()


def test_a_named_browser_is_taken(monkeypatch):
    monkeypatch.setenv("CHROMIUM", sys.executable)  # it starts with --version
    assert chromium.find.__wrapped__() == sys.executable
