"""The board never moves under a finger, on four kinds of screens, with everything that can appear.

Each game is watched for some turns; with `--whole-games` to its end and in both languages (`make prove-still`).
"""

from __future__ import annotations

import contextlib
import random
import threading
from typing import Any, Self

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PHONE, Visitor
from tests.browser.support.places import words
from tests.support.server import TIMEOUT, Person, Refused, Server

SCREENS: dict[str, dict[str, Any]] = {
    "phone": PHONE,
    "tablet": {"viewport": {"width": 768, "height": 1024}},
    "laptop": {"viewport": {"width": 1280, "height": 720}},
    "desktop": {"viewport": {"width": 1440, "height": 900}},
}
GAMES = ("bigpoints", "rondo", "turmbauer")  # in the order of the home page
TURNS = 8  # things chosen: all that can appear has appeared
MOST = 3000  # things chosen in a whole game
LANGUAGES = ("de", "en")
CASES = [
    pytest.param(game, screen, LANGUAGES[(at + number) % 2], id=f"{game}-{screen}")
    for at, game in enumerate(GAMES)
    for number, screen in enumerate(SCREENS)
]
ACT = (
    ".tray .choices .button:enabled, .tray .offer:enabled, .tray .primary:enabled, .board [role=button], "
    ".tray .lit:enabled, .tray .ring:enabled, .tray .stepper button:last-child:enabled, .fell .primary"
)
QUESTION = ".question .button:enabled"
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
    if (document.querySelector(".winner")) return; // the result is another page
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


class Friend:
    """Somebody at the same table who plays at random through the API, and sometimes asks to take a turn back."""

    seat = 0

    def __init__(self, server: Server, game: str, dice: random.Random) -> None:
        self.table = Person(server).open_table(game, "Eva", "open", "level:1", games=1, first=1)
        self.invitation = f"/table/{self.table.table}#{self.table.look()['table']['code']}"
        self._dice = dice
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play)

    def __enter__(self) -> Self:
        self.table.do("start")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(TIMEOUT)

    def _play(self) -> None:
        asked = -1
        while not self._over.wait(0.1):
            told = self.table.look(seat=self.seat)
            if told["table"]["status"] != "playing" or told["table"]["turn"] != self.seat:
                continue
            with contextlib.suppress(Refused):  # the turn was taken back, or something drawn cannot be
                chosen = self._dice.choice(told["position"]["choices"])
                done = self.table.do("actions", seat=self.seat, version=told["version"], draft=[chosen["text"]])
                asked = (asked + 1) % 5  # after the first action, and after every fifth
                if not asked:
                    self.table.do("undo", seat=self.seat, version=done["version"])


def sits_down(page: Page, language: str) -> None:
    """Accepts an invitation."""
    page.get_by_label(words(language)["settings.name"]).fill("Ada")
    page.get_by_role("button", name=words(language)["gathering.join"]).click()
    page.get_by_text(words(language)["gathering.host"]).wait_for()


def chooses(page: Page, dice: random.Random) -> bool:
    """Chooses something, or answers a question; whether the game goes on."""
    page.locator(f"{READY}, {QUESTION}").first.wait_for()
    if page.locator(".winner").count():
        return False
    page.evaluate(PRESS, [QUESTION if page.locator(QUESTION).count() else ACT, dice.randrange(100)])
    page.locator(".board [aria-busy=true]").wait_for(state="detached")
    return True


def watches(one: Visitor, friend: Friend, language: str, turns: int, dice: random.Random) -> None:
    """Plays a game with a hint and a lost connection, and fails if something moved that should not."""
    page = one.opens(friend.invitation)
    sits_down(page, language)
    with friend:
        page.locator(READY).first.wait_for()
        page.get_by_label(words(language)["coach"], exact=True).wait_for()
        page.evaluate(WATCH)
        for turn in range(turns):
            if turn == 2:
                page.locator(ACT).first.wait_for()
                page.get_by_role("button", name=words(language)["hint"], exact=True).first.click()
                page.locator(".tray p.hint").wait_for()
            if turn == 4:
                one.context.set_offline(True)
                page.locator(".news.alert").wait_for()
                one.context.set_offline(False)
                page.locator(".news:not(.alert)").wait_for()
            if not chooses(page, dice):
                break
        assert page.evaluate("moved") == []


@pytest.mark.parametrize(("game", "screen", "language"), CASES)
def test_no_piece_moves_that_did_not_move_in_the_game(visitor, server, request, game, screen, language):
    whole = request.config.getoption("--whole-games", default=False)
    for spoken in LANGUAGES if whole else (language,):
        one = visitor({"text": False}, **SCREENS[screen], locale=spoken)
        one.allowed = ("net::ERR_INTERNET_DISCONNECTED", "Failed to fetch", "409", "422")
        dice = random.Random(f"{game} {screen} {spoken}")
        watches(one, Friend(server, game, random.Random(0)), spoken, MOST if whole else TURNS, dice)
