"""Plays games in the browser as people do, by what the page shows."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, Request, expect
from playwright.sync_api import TimeoutError as Late

from tests.browser.conftest import TIMEOUT, Visitor, visitors
from tests.support.server import Server, reusable_port

CHOICE = ".choices li .button:enabled"
ENDED = ".winner"
OTHERS_TURN = '.seats li.turn:not(:has-text("your turn"))'
TOLD = "() => [...document.querySelectorAll('main, .tray')].map((one) => one.innerText).join()"
MISSED = 10_000  # milliseconds after which a click that asked the server for nothing has missed
OWN_MOVE = '.log li.move:has(.line:text-matches("^You "))'


def opens_more(sheet: Locator) -> Locator:
    """Shows everything that can be set up."""
    sheet.locator("details > summary.button").click()
    sheet.locator(".seat").first.wait_for()
    return sheet


def begins(page: Page, title: str, others: int = 1, level: int = 1) -> None:
    """From the home page to a table with so many bots."""
    page.get_by_label(f"Set up a table for {title}").click()
    sheet = opens_more(page.get_by_role("dialog"))
    while sheet.locator(".seat").count() > 1 + others:
        sheet.get_by_label(f"Remove seat {sheet.locator('.seat').count()}").click()
    for seat in range(1, 1 + others):
        sheet.locator(".seat select").nth(seat).select_option(label=f"Bot, level {level}")
    sheet.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/table/*")


def begins_at_once(page: Page, title: str) -> None:
    """From the home page to a table with bots, by one click."""
    page.get_by_role("article", name=title).get_by_role("button", name="Play").click()
    page.wait_for_url("**/table/*")


def plays(page: Page, press: Callable[[Page, int], None] | None = None, seed: int = 0, most: int = 10_000) -> int:
    """Chooses at random until the game is over, or so many times; answers how often something was chosen."""
    dice = random.Random(seed)
    press = press or (lambda page, at: page.locator(CHOICE).nth(at).click())
    for done in range(most):
        page.locator(f"{CHOICE}, {ENDED}").first.wait_for()
        if page.locator(ENDED).count():
            return done
        choices = page.locator(CHOICE)
        at = dice.randrange(choices.count())
        till_it_shows(page, TOLD, lambda at=at: press(page, at))
        settle(page)
    return most


def till_it_shows(page: Page, state: str, act: Callable[[], object]) -> None:
    """Does something and waits until it is seen.

    A click that missed what was just moving is repeated, twice. One that made the page ask the server has acted: its
    answer may be slow, and is waited for.
    """
    before = page.evaluate(state)
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.method == "POST":
            asked.append(request.url)

    def shows(milliseconds: float) -> bool:
        try:
            page.wait_for_function(f"before => ({state})() !== before", arg=before, timeout=milliseconds)
        except Late:
            return False
        return True

    page.on("request", note)
    try:
        for _ in range(3):
            act()
            if shows(MISSED) or (asked and shows(TIMEOUT)):
                return
            if asked:
                break
    finally:
        page.remove_listener("request", note)
    raise AssertionError(f"nothing happens at {page.url}: {before}\n{page.locator('body').inner_text()}")


def steady(page: Page, measure: str, given: object = None) -> Any:
    """What is measured once it stays the same for two frames: things have found their places."""
    return page.evaluate(
        f"""async ([given, timeout]) => {{
          let before = null;
          let now = null;
          const late = (_, fail) => setTimeout(() => fail(new Error(`never steady: ${{before}}, ${{now}}`)), timeout);
          const end = new Promise(late);
          const frame = () => Promise.race([new Promise(requestAnimationFrame), end]);
          for (;;) {{
            now = JSON.stringify(({measure})(given));
            if (now === before) return JSON.parse(now);
            before = now;
            await frame();
            await frame();
          }}
        }}""",
        [given, TIMEOUT],
    )


def settle(page: Page) -> None:
    """Waits until what was pressed has been answered."""
    expect(page.locator(".choices .button:disabled")).to_have_count(0)


def takes_turn(page: Page) -> None:
    """Chooses at random until the turn is played."""
    own = page.locator(OWN_MOVE)
    page.locator(CHOICE).first.wait_for()  # a page just opened reads the log before it may choose
    before = own.count()
    for seed in range(100):
        plays(page, seed=seed, most=1)
        page.locator(CHOICE).or_(own.nth(before)).first.wait_for()
        if own.count() > before:
            return
    raise AssertionError("the turn does not end")


def invites(page: Page, title: str) -> str:
    """Opens a table for a friend, from the home page; answers the link that is shown."""
    page.get_by_role("article", name=title).get_by_role("button", name="Invite friends").click()
    page.get_by_role("dialog").get_by_role("button", name="Open the table and invite").click()
    page.wait_for_url("**/table/*")
    return page.get_by_label("Invitation", exact=True).input_value()


def comes(visitor: Visitor, link: str, name: str) -> Page:
    """Opens an invitation and sits down."""
    page = visitor.context.new_page()
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()
    page.get_by_text("You have a seat.").wait_for()
    return page


def meet(host: Visitor, guest: Visitor, title: str, name: str = "Grete") -> tuple[Page, Page]:
    """Two people at one table; whoever begins comes first."""
    first = host.opens()
    second = comes(guest, invites(first, title), name)
    first.get_by_role("button", name="Begin").click()
    return in_turn(first, second)


def in_turn(first: Page, second: Page) -> tuple[Page, Page]:
    """The pages of two people, in the order of their seats, so that who is to move comes first."""
    first.locator(".seats li.turn").wait_for()
    second.locator(".seats li.turn").wait_for()
    return (second, first) if first.locator(OTHERS_TURN).count() else (first, second)


def gives_up(page: Page) -> None:
    page.get_by_label("Menu").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.get_by_text("You lose, cannot rejoin").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def asks_first(page: Page) -> None:
    """Sets, at the table, that a turn is played only when the person says so."""
    page.locator(CHOICE).first.wait_for()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Ask before my turn is played").check()
    page.get_by_role("button", name="Close").click()


def reads_sentences(page: Page) -> None:
    """Sets, on the home page, that sentences stand in the place of drawn boards."""
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Describe the board in words").check()
    page.get_by_role("button", name="Close").click()


def drafts(page: Page) -> None:
    """Chooses a whole turn that is not played yet."""
    play = page.get_by_role("button", name="Done", exact=True)
    page.locator(CHOICE).first.wait_for()
    while not play.count():
        page.locator(CHOICE).first.click()
        settle(page)
        page.locator(f"{CHOICE}, .actions .primary").first.wait_for()


@contextmanager
def own_server(browser: Browser, folder: Path) -> Iterator[tuple[Server, Callable[..., Visitor]]]:
    """A server that may go away and come back, and makes visitors of it."""
    server = Server(folder, port=reusable_port())
    try:
        with visitors(browser, server) as make:
            yield server, make
    finally:
        if server.process.poll() is None:
            assert server.stop() == 0
    assert server.errors == []
