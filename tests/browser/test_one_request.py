"""Requests of a turn: a choice that ends the turn is played without asking first where it leads."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.support.playing import CHOICE, OWN_MOVE, begins

PASS = '[data-choice="pass"]'


def posts_of(page: Page) -> list[str]:
    """The commands that the page posts to its table from now on, by the last part of their path."""
    posts: list[str] = []

    def note(request) -> None:
        if request.method == "POST":
            posts.append(request.url.partition("?")[0].rpartition("/")[2])

    page.on("request", note)
    return posts


def test_a_move_of_one_action_is_one_request(visitor):
    page = visitor({"name": "Ada"}).opens()
    begins(page, "Rondo")
    page.locator(CHOICE).first.wait_for()
    posts = posts_of(page)
    page.locator(PASS).click()
    expect(page.locator(OWN_MOVE).first).to_be_visible()
    assert posts == ["actions"]


def test_a_move_that_is_to_be_confirmed_is_previewed_first(visitor):
    page = visitor({"name": "Ada", "confirm": True}).opens()
    begins(page, "Rondo")
    page.locator(CHOICE).first.wait_for()
    posts = posts_of(page)
    page.locator(PASS).click()
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.locator(OWN_MOVE).first).to_be_visible()
    assert posts == ["preview", "actions"]
