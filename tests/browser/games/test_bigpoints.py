"""Big Points on the drawn board: whole games by mouse, keyboard and touch, and what is seen on the way."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.support.fitting import misfits
from tests.browser.support.playing import begins_at_once, steady, till_it_shows
from tests.browser.test_access import SMALL, faults

DRAWN = {"text": False}
LIT = ".frame[aria-busy=false] [role=button]"
CHOICES = "[data-tray=choices] .button:enabled"
ENDED = ".winner"
SIZES = ((360, 640), (390, 844), (640, 360), (768, 1024), (1440, 900), (3840, 2160))
OUTSIDE = """
() => {
  const board = document.querySelector(".frame").getBoundingClientRect();
  const inside = (box) =>
    box.left >= -1 && box.right <= innerWidth + 1 && box.top >= 0 && box.bottom <= innerHeight + 1;
  const found = [...document.querySelectorAll(".frame [data-disc], .frame [data-pawn], .stairs rect")]
    .filter((one) => !inside(one.querySelector("circle")?.getBoundingClientRect() ?? one.getBoundingClientRect()))
    .map((one) => one.outerHTML.slice(0, 80));
  if (document.scrollingElement.scrollHeight > innerHeight + 1) found.push("the page scrolls");
  const tray = document.querySelector(".tray section").getBoundingClientRect();
  if (tray.top < board.bottom - 1 && tray.left < board.right - 1) found.push("the tray lies on the board");
  return found;
}
"""


def opened(visitor, settings: dict | None = None, learnt: bool = True, **kind) -> Page:
    guest = visitor({**DRAWN, **(settings or {})}, **kind)
    if learnt:
        guest.context.add_init_script("try { localStorage['spieltisch.learnt.bigpoints'] ??= '99' } catch {}")
    page = guest.opens()
    begins_at_once(page, "Big Points")
    page.locator(LIT).first.wait_for()
    return page


def plays(page: Page, things: str, press: Callable[[float, float], None], seed: int) -> None:
    """Presses what can be chosen, in its middle and at random, until the game is over."""
    dice = random.Random(seed)
    while True:
        page.locator(f"{things}, {ENDED}").first.wait_for()
        if page.locator(ENDED).count():
            return
        if there := steady(page, MIDDLES, things):
            at = dice.randrange(len(there))
            till_it_shows(page, NOW, lambda at=at: [press(*it) for it in steady(page, MIDDLES, things)[at : at + 1]])


NOW = """
() => [...document.querySelectorAll(".frame [role=button], [data-tray=choices], .prompt h2, .winner")]
  .map((one) => (one.ariaLabel ?? "") + one.textContent + one.querySelectorAll("button:disabled").length).join("|")
"""
MIDDLES = """
(things) => [...document.querySelectorAll(things)].map((one) => {
  const box = (one.querySelector(".hit") ?? one).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})
"""
DECLINE = "[data-tray=choices] .button[data-choice='.']:enabled"


def test_a_whole_game_is_played_by_mouse_on_the_board(visitor):
    page = opened(visitor)
    # An extra move is declined in the tray: the board has no place for it.
    plays(page, f"{LIT}, {DECLINE}", page.mouse.click, seed=1)
    expect(page.locator(".score")).to_be_visible()
    page.get_by_role("button", name="Replay").click()
    page.get_by_label("One step forward").wait_for()
    page.keyboard.press("End")
    expect(page.locator(".frame [data-pawn]")).to_have_count(5)


def test_a_whole_game_is_played_by_keyboard_on_the_board(visitor):
    page = opened(visitor)
    dice = random.Random(2)
    page.locator(LIT).first.focus()
    declined = False  # from then on the keyboard may be at the tray, where that is done
    while True:
        page.locator(f"{LIT}{'' if declined else ':focus'}, {DECLINE}, {ENDED}").first.wait_for()
        if page.locator(ENDED).count():
            break
        if page.locator(DECLINE).count() and dice.random() < 0.5:
            till_it_shows(page, NOW, lambda: page.locator(DECLINE).press("Enter"))
            declined = True
            continue
        if declined and not page.locator(f"{LIT}:focus").count():
            page.evaluate("lit => document.querySelector(lit)?.focus()", f"{LIT}[tabindex='0']")
            continue
        for _ in range(dice.randrange(3)):
            page.keyboard.press("ArrowRight")
        till_it_shows(page, NOW, lambda: page.keyboard.press("Enter"))
    expect(page.locator(".score")).to_be_visible()


def test_a_whole_game_is_played_by_touch_in_the_tray_of_a_phone(visitor):
    page = opened(visitor, **PHONE)
    plays(page, CHOICES, page.touchscreen.tap, seed=3)
    expect(page.locator(".score details[open]").first).to_be_visible()


def test_pointing_at_a_pawn_shows_where_it_goes_and_what_is_not_lit_is_answered_by_a_sentence(visitor):
    page = opened(visitor)
    pawn = page.locator(LIT).first
    pawn.focus()
    expect(page.locator(".trail")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".prompt h2")).to_have_text("Which disc do you take?")
    labels = [one.get_attribute("aria-label") for one in page.locator(LIT).all()]
    assert all("take the" in (label or "") for label in labels)
    page.keyboard.press("Escape")
    expect(page.locator(".prompt h2")).to_have_text("Which pawn do you move?")
    expect(page.locator(f"{LIT}:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".five .button:enabled")).to_have_count(5)
    page.locator(".five .button:enabled").first.click()
    far = page.locator("[data-disc='55']")
    if not page.locator(f"{LIT}[aria-label*='onto disc 55']").count():
        far.dispatch_event("click")
        page.get_by_text("Only the nearest free disc").wait_for()


def test_the_whole_track_is_seen_on_every_screen_without_scrolling(visitor):
    page = opened(visitor)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("width => document.querySelector('.frame svg') && innerWidth === width", arg=width)
        page.wait_for_function(
            "() => +document.querySelector('.frame svg').getAttribute('width') === "
            "document.querySelector('.frame').clientWidth"
        )
        assert page.evaluate(OUTSIDE) == [], (width, height)
        assert [one for one in misfits(page) if "one on the other" not in one] == [], (width, height)


def test_a_checker_finds_no_fault_and_every_button_fits_a_finger(visitor):
    page = opened(visitor, **PHONE)
    assert page.evaluate(SMALL) == []
    assert faults(page, "board") == []
    page.locator(".five .button:enabled").first.click()
    page.locator(".acts .button").wait_for()
    assert page.evaluate(SMALL) == []
    assert faults(page, "pawn chosen") == []


def test_the_first_game_teaches_and_can_be_skipped(visitor):
    page = opened(visitor, learnt=False)
    coach = page.get_by_label("Your first game")
    expect(coach).to_contain_text("reach the staircase first")
    page.locator(".five .button:enabled").first.click()
    expect(coach).to_contain_text("lit disc")  # one or two, as the track was dealt
    coach.get_by_role("button", name="Skip the tips").click()
    expect(coach).to_have_count(0)


def test_the_rules_show_positions_that_can_be_pointed_at(visitor):
    page = visitor(DRAWN).opens("/rules/bigpoints")
    figures = page.locator("figure")
    expect(figures).to_have_count(4)
    figures.first.locator(LIT).first.dispatch_event("click")
    expect(figures.first.locator(LIT)).to_have_count(2)


def test_discs_fly_and_pawns_walk_and_any_key_ends_it(visitor):
    page = opened(visitor, settings={"speed": "normal"})
    page.evaluate(WATCH)
    page.locator(".five .button:enabled").first.click()
    page.locator(CHOICES).first.click()
    page.wait_for_function("() => window.flights > 1")  # one's own disc, then the other's
    page.keyboard.press("Shift")
    expect(page.locator(".frame ~ svg")).to_have_count(0)
    page.locator(f"{LIT}, {ENDED}").first.wait_for()


def test_without_motion_a_ring_is_left_on_what_changed_and_last_moves_stay_marked(visitor):
    page = opened(visitor)
    page.evaluate(WATCH)
    page.locator(".five .button:enabled").first.click()
    page.locator(CHOICES).first.click()
    page.locator(".changed").first.wait_for(state="attached")
    assert page.evaluate("window.flights") == 0
    page.locator(".five .button:enabled").first.wait_for()
    assert page.locator("[data-mark]").count() >= 2  # mine and the bot's
    assert page.locator(".log li.since + li.fresh .line svg").count() >= 2  # a pawn and a disc


WATCH = """
() => {
  window.flights = 0;
  const board = document.querySelector(".frame").parentElement;
  const count = (made) => made.forEach(({ addedNodes }) => (window.flights += [...addedNodes].filter(flies).length));
  const flies = (node) => node.nodeName === "svg";
  new MutationObserver(count).observe(board, { childList: true });
}
"""


HINT = """
async () => {
  const found = [];
  const ring = document.querySelector("[data-hint=discs] .hint circle");
  for (const shape of document.querySelectorAll("[data-hint] circle, [data-hint] ellipse")) {
    if (getComputedStyle(shape).fill !== "none") found.push("a mark covers what it means");
    if (getComputedStyle(shape).pointerEvents !== "none") found.push("a mark takes taps");
  }
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const [x, y] = middle(ring.getBoundingClientRect());
  const apart = (disc) => Math.hypot(...middle(disc.querySelector("circle").getBoundingClientRect()).map((at, axis) => at - [x, y][axis]));
  const disc = [...document.querySelectorAll("[data-disc]")].sort((one, other) => apart(one) - apart(other))[0];
  const width = disc.querySelector("circle").getBoundingClientRect().width;
  if (apart(disc) > width / 8) found.push("the ring is not around its disc");
  if (2 * ring.r.baseVal.value < 0.98 * width) found.push("the ring lies on its disc");
  const box = document.querySelector(".tray .hint").getBoundingClientRect();
  const board = document.querySelector(".frame").getBoundingClientRect();
  if (box.top < board.bottom - 1 && box.left < board.right - 1) found.push("the words lie on the board");
  if (box.bottom > innerHeight || box.right > innerWidth) found.push("the words are out of sight");
  return { found, disc: Number(disc.dataset.disc) };
}
"""


def test_a_hint_is_drawn_around_its_pawn_and_disc_and_covers_neither(visitor):
    for kind in (PHONE, {}):
        page = opened(visitor, **kind)
        with page.expect_response(re.compile(r"/hint\?")) as answered:
            page.get_by_role("button", name="Hint", exact=True).locator("visible=true").first.click()
        hint = answered.value.json()
        page.locator("[data-hint=pawn]").wait_for()
        shown = page.evaluate(HINT)
        assert shown["found"] == []
        view = page.evaluate(
            "async () => (await (await fetch(location.pathname.replace('table', 'api/tables'))).json())"
        )
        reach = next(one for one in view["position"]["view"]["reach"] if one["pawn"] == hint["text"][0])
        assert shown["disc"] == reach["ahead" if "+" in hint["text"] else "behind"]
        said = page.locator(".tray .hint").inner_text()
        assert hint["words"] in said
        assert (hint["reason"] or "") in said
        heard = " ".join(page.locator("[aria-live=polite]").all_inner_texts())
        assert hint["words"] in heard
        assert (hint["reason"] or "") in heard
        page.locator("[data-tray=choices] .hinted").click()  # the pawn
        page.locator("[data-hint=pawn]").wait_for(state="detached")
        page.locator("[data-tray=choices] .hinted").click()  # the disc
        page.locator("[data-hint]").first.wait_for(state="detached")
