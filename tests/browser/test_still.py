"""The board never moves under a finger: whole games on four kinds of screens, with everything that can appear."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PHONE
from tests.browser.support.places import sits_down, words

SCREENS: dict[str, dict[str, Any]] = {
    "phone": PHONE,
    "tablet": {"viewport": {"width": 768, "height": 1024}},
    "laptop": {"viewport": {"width": 1280, "height": 720}},
    "desktop": {"viewport": {"width": 1440, "height": 900}},
}
GAMES = ("bigpoints", "rondo", "turmbauer")  # in the order of the home page
TURNS = 14  # things chosen: all that can appear has appeared
CASES = [
    pytest.param(game, screen, ("de", "en")[(at + number) % 2], id=f"{game}-{screen}")
    for at, game in enumerate(GAMES)
    for number, screen in enumerate(SCREENS)
]
ACT = (
    ".tray .choices .button:enabled, .tray .offer:enabled, .tray .primary:enabled, .board [role=button], "
    ".tray .lit:enabled, .tray .ring:enabled, .tray .stepper button:last-child:enabled, .fell .primary"
)
READY = f"{ACT}, .winner"
PRESS = """
([selector, at]) => {
  const found = [...document.querySelectorAll(selector)];
  found[at % found.length]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}
"""
WATCH = """
() => {
  globalThis.moved = [];
  const places = new Map();
  const look = () => {
    if (!document.querySelector(".board svg.zoomed")) {
      const still = document.querySelectorAll(".board, .board canvas, .board [data-disc], .board [data-field]");
      for (const one of still) {
        const { x, y, width, height } = one.getBoundingClientRect();
        const key = `${one.localName}.${one.classList[0] ?? ""} ${one.dataset.disc ?? one.dataset.field ?? ""}`;
        const now = key.startsWith("div") || key.startsWith("canvas") ? [x, y, width, height] : [x + width / 2, y + height / 2];
        const before = places.get(key) ?? now;
        if (now.some((value, at) => Math.abs(value - before[at]) > 6)) moved.push([key, before, now]);
        else places.set(key, before);
      }
      const { scrollHeight, scrollWidth } = document.scrollingElement;
      if (document.querySelector(".board") && (scrollHeight > innerHeight || scrollWidth > innerWidth))
        moved.push(["the page scrolls", [innerWidth, innerHeight], [scrollWidth, scrollHeight]]);
    }
    if (moved.length < 5) requestAnimationFrame(look);
  };
  look();
}
"""  # in every frame; a disc that lifts by a few pixels has not moved


def chooses(page: Page, dice: random.Random) -> bool:
    """Chooses something; whether the game goes on."""
    page.locator(READY).first.wait_for()
    if page.locator(".winner").count():
        return False
    page.evaluate(PRESS, [ACT, dice.randrange(100)])
    page.locator(".board [aria-busy=true]").wait_for(state="detached")
    return True


@pytest.mark.parametrize(("game", "screen", "language"), CASES)
def test_no_piece_moves_that_did_not_move_in_the_game(visitor, game, screen, language):
    one = visitor({"text": False}, **SCREENS[screen], locale=language)
    one.allowed = ("net::ERR_INTERNET_DISCONNECTED", "Failed to fetch", "422")
    page = one.opens()
    sits_down(page, GAMES.index(game), ("bot.level:1", "bot.level:1"))
    page.locator(READY).first.wait_for()
    page.get_by_label(words(language)["coach"], exact=True).wait_for()
    page.evaluate(WATCH)
    dice = random.Random(f"{game} {screen}")
    for turn in range(TURNS):
        if turn == 2:
            page.get_by_role("button", name=words(language)["hint"], exact=True).first.click()
            page.locator(".tray .hint").wait_for()
        if turn == 5:
            one.context.set_offline(True)
            page.locator(".news.alert").wait_for()
            one.context.set_offline(False)
            page.locator(".news:not(.alert)").wait_for()
        if not chooses(page, dice):
            break
    assert page.evaluate("moved") == []
