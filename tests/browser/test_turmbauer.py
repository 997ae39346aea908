"""Turmbauer at its drawn table: whole games by mouse, key and touch, in space and on the plan, and places by the hundred."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, Visitor
from tests.browser.playing import begins

DRAWN = {"text": False}
SMALL = {"viewport": {"width": 640, "height": 640}}  # so that the processor, which draws here, is soon done
LEARNT = "localStorage['spieltisch.learnt.turmbauer'] = '99'"
FLAT = """
HTMLCanvasElement.prototype.getContext = ((old) => function (kind, ...more) {
  return kind === "webgl2" ? null : old.call(this, kind, ...more);
})(HTMLCanvasElement.prototype.getContext);
"""
READY = ".turmbauer[aria-busy=false], .winner"
MINE = ".tray .stone.lit:enabled, .tray .ring:enabled, .tray .place, .tray .move, .winner"
STATE = """
() => JSON.stringify([
  document.querySelector(".tray")?.innerText, document.querySelector(".log")?.innerText,
  [...document.querySelectorAll("[data-square][aria-selected=true]")].map((one) => one.dataset.square),
  document.querySelector(".turmbauer")?.ariaBusy, document.querySelector(".winner") !== null,
])
"""
DRAWN_ONCE = "() => Number(document.querySelector('canvas')?.dataset.frame) > 0"


@pytest.fixture
def flat(visitor: Callable[..., Visitor]) -> Callable[..., Page]:
    """Opens the page of somebody without WebGL."""

    def opens(**kind: object) -> Page:
        one = visitor(DRAWN, **kind)
        one.context.add_init_script(FLAT)
        return one.opens()

    return opens


def sits_down(page: Page, others: int = 1) -> None:
    page.evaluate(LEARNT)
    begins(page, "Turmbauer", others)


def goes_on(page: Page) -> bool:
    """Waits until something can be done; whether the game goes on."""
    page.locator(MINE).first.wait_for()
    page.locator(READY).first.wait_for()
    return not page.locator(".winner").count()


def after(page: Page, act: Callable[[], object]) -> None:
    """Does something, and waits until it is seen and something can be done again."""
    before = page.evaluate(STATE)
    act()
    page.wait_for_function(f"before => ({STATE})() !== before", arg=before)
    goes_on(page)


def takes_a_stone(page: Page, dice: random.Random, press: Callable[[Locator], None]) -> None:
    """Takes a lit stone; where none is lit, one for the box or with a ring."""
    lit = page.locator(".tray .stone.lit:enabled")
    if not lit.count():
        after(page, lambda: press(page.locator(".tray .ring:enabled").last))
    after(page, lambda: press(lit.nth(dice.randrange(lit.count()))))


def plays(page: Page, dice: random.Random, point: Callable[[Page, random.Random], None], most: int = 10_000) -> None:
    """Plays until the game is over, or so many times: points at places and fields, and takes what the tray offers."""
    for _ in range(most):
        if not goes_on(page):
            return
        if page.locator(".tray .place, .tray .move .stepper").count():
            point(page, dice)
            decide = page.locator(".tray .build:enabled")
            if decide.count():
                after(page, decide.click)
        elif page.locator(".tray .move").count():
            after(page, page.get_by_role("button", name="Stay").click)
        else:
            takes_a_stone(page, dice, lambda button: button.click())


def boldly(page: Page) -> None:
    """Goes to the boldest of the places there, so that the tower will not stand for long."""
    which = page.locator(".tray .place .which")
    if which.count() and which.inner_text() != "1 of 1":
        after(page, page.get_by_role("button", name="Previous place").click)


def on_the_plan(page: Page, dice: random.Random) -> None:
    """Clicks a lit square."""
    squares = page.locator("[data-square].lit")
    after(page, squares.nth(dice.randrange(squares.count())).locator(".hit").click)
    boldly(page)


def by_key(page: Page, dice: random.Random) -> None:
    """Goes over the plan with the arrow keys to something lit, and presses Enter."""
    squares = page.locator("[data-square].lit")
    wanted = squares.nth(dice.randrange(squares.count())).get_attribute("data-square")
    assert wanted
    column, row = map(int, wanted.split(","))
    page.locator("[data-square][tabindex='0']").focus()
    while (now := page.locator("[data-square]:focus").get_attribute("data-square")) != wanted:
        assert now
        x, y = map(int, now.split(","))
        key = ("ArrowRight" if x < column else "ArrowLeft") if x != column else ("ArrowUp" if y < row else "ArrowDown")
        page.keyboard.press(key)
    after(page, lambda: page.keyboard.press("Enter"))
    which = page.locator(".tray .place .which")
    if which.count() and which.inner_text() != "1 of 1":
        after(page, lambda: page.keyboard.press("p"))


def collapses_or_ends(page: Page) -> None:
    """The end names the winner, and shows heights and the tower."""
    page.locator(".winner").wait_for()
    expect(page.locator(".end .turmbauer")).to_be_visible()


def test_a_whole_game_on_the_plan_by_mouse_and_its_replay(flat):
    page = flat()
    sits_down(page)
    plays(page, random.Random(3), on_the_plan)
    collapses_or_ends(page)
    page.get_by_role("button", name="Watch the replay").click()
    slider = page.locator("input[type=range]:not([max='0'])[aria-label]").last
    slider.wait_for()
    page.locator(".turmbauer [data-square]").first.wait_for()
    before = page.locator("[data-square] .cube").count()
    slider.press("End")
    page.wait_for_function("before => document.querySelectorAll('[data-square] .cube').length > before", arg=before)


def test_a_whole_game_on_the_plan_by_keys_alone(flat):
    page = flat()
    sits_down(page)

    def press(button):
        button.focus()
        page.keyboard.press("Enter")

    dice = random.Random(5)
    while goes_on(page):
        if page.locator(".tray .place, .tray .move .stepper").count():
            by_key(page, dice)
            after(page, lambda: page.keyboard.press("b"))
        elif page.locator(".tray .move").count():
            after(page, lambda: press(page.get_by_role("button", name="Stay")))
        else:
            takes_a_stone(page, dice, press)
    collapses_or_ends(page)


def test_a_whole_game_on_a_phone(flat):
    page = flat(**PHONE)
    sits_down(page)
    page.get_by_label("Plan from above").tap()

    def touch(page, dice):
        squares = page.locator("[data-square].lit")
        after(page, squares.nth(dice.randrange(squares.count())).locator(".hit").tap)
        boldly(page)

    plays(page, random.Random(7), touch)
    collapses_or_ends(page)


def test_the_tower_stands_in_space_and_is_built_by_tapping_its_faces(visitor):
    page = visitor(DRAWN, **SMALL).opens()
    sits_down(page)
    goes_on(page)
    page.wait_for_function(DRAWN_ONCE)
    takes_a_stone(page, random.Random(1), lambda button: button.click())
    canvas = page.locator("canvas")
    box = canvas.bounding_box()
    assert box
    drawn = canvas.evaluate("one => Number(one.dataset.frame)")
    for down in (0.5, 0.45, 0.55, 0.4, 0.6, 0.35):  # somewhere in the middle there is a face with a place
        page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * down)
        if page.locator(".tray .build:enabled").count():
            break
    expect(page.locator(".firmness strong")).to_be_visible()
    page.wait_for_function("drawn => Number(document.querySelector('canvas').dataset.frame) > drawn", arg=drawn)
    boldly(page)
    seen = canvas.evaluate("one => ({ ...one.dataset })")
    assert int(seen["calls"]) <= 30
    assert int(seen["triangles"]) <= 60_000
    after(page, page.locator(".tray .build:enabled").click)


def test_turning_the_table_draws_and_rest_draws_nothing(visitor):
    page = visitor(DRAWN, **SMALL).opens()
    sits_down(page)
    goes_on(page)
    page.wait_for_function(DRAWN_ONCE)
    frame = "() => document.querySelector('canvas').dataset.frame"
    box = page.locator("canvas").bounding_box()
    assert box
    before = page.evaluate(frame)
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 220, box["y"] + 20, steps=3)
    page.mouse.up()
    page.wait_for_function(f"before => ({frame})() !== before", arg=before)
    still = page.evaluate(frame)
    page.wait_for_timeout(400)  # a while in which nothing happens
    assert page.evaluate(frame) == still
