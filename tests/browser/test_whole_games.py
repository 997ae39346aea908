"""Whole games in a real browser: by mouse, by keyboard alone, by touch; and what the browser checks of their chance."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.games.turmbauer.test_turmbauer import sits_down
from tests.browser.support.exchange import exchanging_proxy
from tests.browser.support.playing import CHOICE, begins, comes, gives_up, invites, plays


def test_a_whole_game_is_played_by_mouse(visitor, tmp_path):
    """A short one; the others are played by mouse on their boards."""
    page = visitor().opens()
    sits_down(page, tmp_path)
    plays(page)
    assert page.locator(".winner").inner_text().endswith(("win.", "wins.", "victory."))
    page.get_by_text("The draws were fair: this device has checked them.").wait_for()
    page.get_by_text("What was checked").click()
    expect(page.get_by_text("Recomputed who starts and")).to_be_visible()
    expect(page.get_by_text("A random number from this device went into every draw")).to_be_visible()
    page.evaluate("localStorage.removeItem(`spieltisch.fair.${location.pathname.split('/')[2]}`)")
    page.reload()
    page.get_by_text("Nothing is wrong with the draws, but this device cannot prove everything.").wait_for()
    expect(page.get_by_text("This device saved nothing before the end.")).to_be_visible()
    expect(page.get_by_text("No random number from this device went into the draws")).to_be_visible()


def test_a_whole_game_is_played_by_keyboard_alone(visitor):
    page = visitor().opens()

    def tab_to(selector: str, most: int = 200) -> None:
        for _ in range(most):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
        raise AssertionError(f"{selector} is not reached by Tab")

    page.locator("article").first.wait_for()
    tab_to("article .primary")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")

    def press(page, at):
        page.locator(CHOICE).first.wait_for()
        for _ in range(at % 3 + 1):
            tab_to(".choices li .button")
        page.keyboard.press("Enter")

    plays(page, press)
    tab_to(".actions .primary")
    page.keyboard.press("Enter")
    page.locator(CHOICE).first.wait_for()


def test_a_whole_game_is_played_by_touch_on_a_phone(visitor):
    page = visitor(**PHONE).opens()
    begins(page, "Big Points")
    plays(page, lambda page, at: page.locator(CHOICE).nth(at).tap())
    page.get_by_role("button", name="Replay").tap()
    page.wait_for_url("**/replay")
    page.get_by_label("One step forward").tap()
    page.get_by_text("Step 2 of").wait_for()


REVEALED = """() => performance.getEntriesByType("resource").some(({ name }) => name.includes("/reveal"))"""
COMMIT = "fetch(`/api/tables/${location.pathname.split('/')[2]}`).then(async (it) => (await it.json()).table.fair)"


def test_a_server_that_exchanges_its_secret_is_caught(visitor, server):
    """It is told no nonce, and both people read what it did, then and at the end."""
    with exchanging_proxy(server.port) as proxy:
        host, guest = visitor(), visitor(**PHONE)
        host.address = guest.address = proxy.address
        first = host.opens()
        second = comes(guest, invites(first, "Big Points"), "Grete")
        (commit,) = first.evaluate(COMMIT)["commits"]
        proxy.exchange[commit.encode()] = commit[::-1].encode()
        first.get_by_role("button", name="Begin").click()
        for page in (first, second):
            warned(page, "The server has changed what it committed to at this table. Don’t trust its draws.")
            warned(page, "This device keeps its own random number to itself.")
        first.locator(".seats li.turn").wait_for()  # the game starts without the nonces
        assert not first.evaluate(REVEALED)
        second.get_by_role("alert").get_by_role("button", name="Close").click()
        expect(second.get_by_role("alert")).to_have_count(0)
        gives_up(second)
        second.get_by_text("Something is wrong with the draws at this table.").wait_for()


def warned(page: Page, sentence: str) -> None:
    expect(page.get_by_role("alert")).to_contain_text(sentence)


def test_a_server_that_reveals_another_secret_at_the_end_is_caught(visitor):
    somebody = visitor()
    page = somebody.opens()
    begins(page, "Big Points")
    page.locator(CHOICE).first.wait_for()
    assert page.evaluate(REVEALED)
    somebody.context.route("**/record?*", lambda route: route.fulfill(body=exchanged(route.fetch().text())))
    gives_up(page)
    page.get_by_text("Something is wrong with the draws at this table.").wait_for()
    expect(page.get_by_text("The server revealed a different secret")).to_be_visible()


def exchanged(record: str) -> str:
    """The record with another secret."""
    return "\n".join(line[:10] + line[:9:-1] if line.startswith("secret ") else line for line in record.split("\n"))
