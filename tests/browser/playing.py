"""How people use the table: by what they see."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from playwright.sync_api import Page, expect

CHOICE = ".choices li .button:enabled"
ENDED = ".winner"


def begins(page: Page, title: str, others: int = 1, level: int = 1) -> None:
    """From the home page to a table with so many bots."""
    page.get_by_label(f"Set up a table of {title}").click()
    sheet = page.get_by_role("dialog")
    sheet.locator(".seat").first.wait_for()
    while sheet.locator(".seat").count() > 1 + others:
        sheet.get_by_label(f"Remove seat {sheet.locator('.seat').count()}").click()
    for seat in range(1, 1 + others):
        sheet.locator(".seat select").nth(seat).select_option(label=f"Bot, level {level}")
    sheet.get_by_role("button", name="Begin").click()
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
        before = page.locator("main, .tray").all_inner_texts()
        press(page, dice.randrange(choices.count()))
        page.wait_for_function(
            "before => JSON.stringify([...document.querySelectorAll('main, .tray')].map(e => e.innerText)) !== before",
            arg=json.dumps(before, ensure_ascii=False, separators=(",", ":")),
        )
        settle(page)
    return most


def settle(page: Page) -> None:
    """Waits until what was pressed has been answered."""
    expect(page.locator(".choices .button:disabled")).to_have_count(0)
