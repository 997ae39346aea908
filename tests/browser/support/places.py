"""Navigation: opens the pages and dialogs of the web in any language."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from playwright.sync_api import Locator, Page

from tests.browser.support.playing import CHOICE, opens_more

WEB = Path(__file__).parents[3] / "web"


@cache
def words(language: str) -> dict[str, str]:
    """The shell's sentences in a language, by their keys."""
    entries: dict[str, str] = json.loads((WEB / "locales" / f"{language}.json").read_text(encoding="utf-8"))
    return entries


def home(page: Page) -> None:
    """Back to the games, without loading the page anew."""
    page.evaluate("history.pushState(null, '', '/'); dispatchEvent(new PopStateEvent('popstate'))")
    page.locator("article .lid svg").nth(2).wait_for()


def opens_settings(page: Page) -> Locator:
    page.locator("header nav > .icon").last.click()
    page.get_by_role("dialog").locator("select").first.wait_for()
    return page.get_by_role("dialog")


def opens_set_up(page: Page, at: int = 0) -> Locator:
    """The sheet of a game, by its place on the home page."""
    page.locator("article .set").nth(at).click()
    return opens_more(page.get_by_role("dialog"))


def closes(page: Page) -> None:
    """Closes the sheet that lies on top."""
    page.locator("dialog .head .icon").last.click()
    page.locator("dialog").wait_for(state="detached")


def gathers(page: Page, at: int = 0) -> None:
    """From the home page to a table that waits for a friend."""
    page.locator("article .actions .button:not(.primary)").nth(at).click()
    page.locator("dialog .foot .button").click()
    page.wait_for_url("**/table/*")
    page.locator(".qr").wait_for()


def sits_down(page: Page, at: int = 0, seats: tuple[str, ...] = ("bot.level:1",)) -> None:
    """From the home page to a table in play; the first seat is one's own, the others are values of the sheet."""
    sheet = opens_set_up(page, at)
    while sheet.locator(".seat").count() > 1 + len(seats):
        sheet.locator(".seat .icon").last.click()
    for seat, value in enumerate(seats, 1):
        sheet.locator(".seat select").nth(seat).select_option(value)
    sheet.locator(".foot .button").click()
    page.wait_for_url("**/table/*")


def may_choose(page: Page) -> None:
    """Waits until there is something to choose: a sentence, or what is lit on a board."""
    page.locator(f"{CHOICE}, .board [role=button], .tray .stone.lit:enabled, .tray .ring:enabled").first.wait_for()


def opens_menu(page: Page, language: str) -> Locator:
    page.get_by_role("button", name=words(language)["menu"], exact=True).click()
    return page.get_by_role("dialog")


def gives_up(page: Page, language: str) -> None:
    menu = opens_menu(page, language)
    menu.get_by_role("button", name=words(language)["menu.resign"]).click()
    menu.locator(".button.bad").click()
    page.locator(".winner").wait_for()


def replays(page: Page, language: str) -> None:
    """From the end of a game to its replay."""
    page.get_by_role("button", name=words(language)["end.replay"]).click()
    page.wait_for_url("**/replay")
    page.locator("input[type=range]").wait_for()


def opens_rules(page: Page, at: int = 0) -> None:
    page.locator("article .facts a").nth(at).click()
    page.locator(".rules h1").wait_for()
