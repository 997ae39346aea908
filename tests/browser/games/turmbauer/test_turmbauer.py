"""Turmbauer at its drawn table: whole games by mouse in space, by keys on the plan and by touch; replay, rest, leaving."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

import httpx
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import PHONE
from tests.browser.support.places import WEB, home
from tests.browser.support.playing import opens_more, steady, till_it_shows

DRAWN = {"text": False}
SMALL = {"viewport": {"width": 900, "height": 660}}  # so that the processor, which draws here, is soon done
LEARNT = "localStorage['spieltisch.learnt.turmbauer'] = '99'"
FLAT = """
HTMLCanvasElement.prototype.getContext = ((old) => function (kind, ...more) {
  return kind === "webgl2" ? null : old.call(this, kind, ...more);
})(HTMLCanvasElement.prototype.getContext);
"""
LIT = ".tray .stone.lit:enabled"
ON = ".fell .primary"  # from the stones that lie there to who has won
MINE = f"{LIT}, .tray .ring:enabled, .tray .place, .tray .move, .winner, {ON}"
READY = ".turmbauer[aria-busy=false], .winner"
SHOWN = ".tray .build:enabled"
BACK = ".tray .stepper .icon >> nth=0"
STATE = """
() => JSON.stringify([
  document.querySelector(".tray")?.innerText, document.querySelector(".log")?.innerText,
  [...document.querySelectorAll("[data-square][aria-selected=true]")].map((one) => one.dataset.square),
  document.querySelector(".turmbauer")?.ariaBusy, document.querySelector(".winner") !== null,
])
"""
FRAME = "() => Number(document.querySelector('canvas')?.dataset.frame ?? 0)"
CHOSEN = (
    "() => [...document.querySelectorAll('[data-square][aria-selected=true]')].map((one) => one.dataset.square).join()"
)
CUBES = "() => document.querySelectorAll('[data-square] .cube').length"
TOP = """
() => {
  const most = (one) => Number(one.querySelector(".cube text")?.textContent ?? 0);
  const lit = [...document.querySelectorAll("[data-square].lit")];
  return lit.sort((one, other) => most(other) - most(one))[0].dataset.square;
}
"""
SIDES = """
() => [...document.querySelectorAll(".tray button")].flatMap(({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight])
"""
FINGER = 44
ORDER = """
globalThis.order = [];
addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  for (const one of [".fell.sheet", ".winner"])
    if (document.querySelector(one) && !order.includes(one)) order.push(one);
}).observe(document.body, { childList: true, subtree: true }));
"""
RESIZED = """
() => new Promise((tell) => {
  const canvas = document.querySelector("canvas");
  const before = Number(canvas.dataset.frame);
  let sizes = 0;
  new ResizeObserver(() => {
    if (!sizes++) canvas.parentElement.parentElement.style.width = "300px";
    else queueMicrotask(() => tell(Number(canvas.dataset.frame) - before));
  }).observe(canvas);
})
"""  # how many frames are drawn before the page is shown in its new size
COUNTED = """
globalThis.held = { contexts: [], buffers: 0 };
for (const [name, by] of [["createBuffer", 1], ["deleteBuffer", -1]]) {
  const old = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...more) {
    if (!held.contexts.includes(this)) held.contexts.push(this);
    held.buffers += by;
    return old.apply(this, more);
  };
}
"""


def bars() -> str:
    """Stones that are all straight: upright on each other they soon fall, and the game is short."""
    straight = {f"{size}i": {"copies": 2, "cells": [[x, 0, 0] for x in range(size)]} for size in range(2, 7)}
    single = {"cells": [[0, 0, 0]]}
    return json.dumps({"kinds": {"1c": single, "1n": {**single, "natural": True}, **straight}})


def sits_down(page: Page, folder: Path | None = None) -> None:
    """Against one bot; given a folder for a short game, with straight stones and a shaky hand."""
    page.evaluate(LEARNT)
    page.get_by_label("Set up a table for Turmbauer").click()
    sheet = opens_more(page.get_by_role("dialog"))
    sheet.get_by_label("Remove seat 3").click()
    if folder:
        file = folder / "bars.json"
        file.write_text(bars(), encoding="utf-8")
        sheet.locator("select:has([value=shaky])").select_option("shaky")
        sheet.locator("input[type=file]").set_input_files(file)
        sheet.get_by_role("button", name="Back to the reconstructed stones").wait_for()
    sheet.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/table/*")


def goes_on(page: Page) -> bool:
    """Waits until something can be done; whether the game goes on."""
    page.locator(MINE).first.wait_for()
    page.locator(READY).first.wait_for()
    return not page.locator(".winner").count()


def after(page: Page, act: Callable[[], object]) -> None:
    """Does something, and waits until it is seen and something can be done again."""
    till_it_shows(page, STATE, act)
    goes_on(page)


class Hand(ABC):
    """A way to play: presses buttons and points at places and fields."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pointed = self.moved = 0

    def press(self, button: str) -> None:
        after(self.page, self.page.locator(button).last.click)

    @abstractmethod
    def point(self) -> bool:
        """Shows a place for the stone where the tower is high, or a field for the pawn; False where none is found."""

    def plays(self) -> None:
        """Builds ever higher until the tower falls, the largest stones first."""
        there = self.page.locator
        while goes_on(self.page):
            if there(ON).count():
                self.press(ON)
            elif there(".tray .place").count():
                if self.pointed < 3:  # then the boldest of all places, so that the end is near
                    self.pointed += self.point()
                if there(".tray .which").inner_text() != "1 of 1":
                    self.press(BACK)  # to the boldest of the places that are meant
                self.press(SHOWN)
            elif there(".tray .move").count():
                if not self.moved and there(".tray .stepper").count() and self.point():
                    self.press(SHOWN)
                    self.moved += 1
                else:
                    self.press(".tray .move .line .button >> nth=0")  # stays
            elif there(LIT).count():
                self.press(LIT)
            else:
                self.press(".tray .ring:enabled")  # a free choice, or what goes into the box
        assert self.pointed
        expect(there(".end .turmbauer")).to_be_visible()


class Mouse(Hand):
    """Taps faces of the tower in space, from above."""

    def point(self) -> bool:
        box = self.page.locator("canvas").bounding_box()
        assert box
        for far in (12, 26, 40):
            for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
                self.page.mouse.click(box["x"] + box["width"] / 2 + far * x, box["y"] + box["height"] / 2 + far * y)
                goes_on(self.page)
                if self.page.locator(SHOWN).count():
                    return True
        return False


class Touch(Hand):
    """Taps the floor plan."""

    def press(self, button: str) -> None:
        after(self.page, self.page.locator(button).last.tap)

    def point(self) -> bool:
        square = self.page.evaluate(TOP)
        after(self.page, self.page.locator(f"[data-square='{square}'] .hit").tap)
        assert min(self.page.evaluate(SIDES), default=FINGER) >= FINGER
        return True


class Keys(Hand):
    """Goes over the floor plan with arrow keys."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.reached: set[str] = set()

    def reach(self, wanted: str) -> None:
        """Goes on with Tab until it is reached; once that is known, at once."""
        if wanted in self.reached:
            self.page.locator(wanted).last.focus()
        self.reached.add(wanted)
        last = self.page.locator(wanted).last.element_handle()
        for _ in range(100):
            if self.page.evaluate("one => one === document.activeElement", last):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{wanted} is not reached by Tab")

    def press(self, button: str) -> None:
        key = {SHOWN: "b", BACK: "p"}.get(button)
        self.reach("[data-square][tabindex='0']" if key else button)
        after(self.page, lambda: self.page.keyboard.press(key or "Enter"))

    def point(self) -> bool:
        column, row = map(int, self.page.evaluate(TOP).split(","))
        self.reach("[data-square][tabindex='0']")
        while (now := self.page.locator("[data-square]:focus").get_attribute("data-square")) != f"{column},{row}":
            x, y = map(int, (now or "").split(","))
            across, along = "ArrowRight" if x < column else "ArrowLeft", "ArrowUp" if y < row else "ArrowDown"
            self.page.keyboard.press(across if x != column else along)
        after(self.page, lambda: self.page.keyboard.press("Enter"))
        return True


def test_a_whole_game_by_mouse_in_space_and_its_replay(visitor, tmp_path):
    one = visitor({**DRAWN, "speed": "fast"}, **SMALL)
    one.allowed = ("422",)  # the browser says that the server refused
    one.context.add_init_script(ORDER)
    page = one.opens()
    sits_down(page, tmp_path)
    goes_on(page)
    page.wait_for_function(f"() => ({FRAME})() > 0")
    page.get_by_label("Look from above").click()
    Mouse(page).plays()
    assert page.evaluate("order") == [".fell.sheet", ".winner"]  # the collapse is seen before who has won
    expect(page.locator(".end canvas")).to_be_visible()
    page.get_by_role("button", name="Replay").click()
    slider = page.locator("input[type=range][max]:not([max='0']):not(.floors *)")
    slider.wait_for()
    page.wait_for_function(f"() => ({FRAME})() > 0")
    assert page.evaluate(CUBES) == 4  # the foundation
    drawn, seen = page.evaluate(FRAME), [4]
    while len(set(seen)) < 3:  # two stones later
        slider.press("ArrowRight")
        seen.append(page.evaluate(CUBES))
    assert seen == sorted(seen)
    slider.press("End")
    page.locator(".tray .winner").wait_for()
    assert page.evaluate(CUBES) >= seen[-1]  # what fell was never built
    page.wait_for_function(f"drawn => ({FRAME})() > drawn", arg=drawn)


def test_a_whole_game_by_keys_alone_without_a_tower_in_space(visitor, tmp_path):
    one = visitor(DRAWN)
    one.context.add_init_script(FLAT)
    page = one.opens()
    sits_down(page, tmp_path)
    Keys(page).plays()


def test_a_whole_game_by_touch_on_a_phone(visitor, tmp_path):
    page = visitor(DRAWN, **PHONE).opens()
    sits_down(page, tmp_path)
    goes_on(page)
    page.get_by_label("Plan from above").tap()
    Touch(page).plays()


def shifts(page: Page) -> None:
    """Shifts the stone by a cell: to another place, or the server says why there is none."""
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))  # noqa: PLW0108 - Playwright cannot call a built-in
    for at in range(200):
        arrow = ("Up", "Right", "Down", "Left")[at % 4]
        before = page.evaluate(CHOSEN)
        page.keyboard.press(f"Shift+Arrow{arrow}")
        page.evaluate("() => new Promise(requestAnimationFrame)")
        if page.evaluate(CHOSEN) != before:
            return
        while asked:
            asked.pop().response()
        expect(page.locator(".turmbauer")).to_have_attribute("aria-busy", "false")
        if arrow == "Left":
            page.keyboard.press("n")  # from the next place, where none is beside this
    raise AssertionError("the stone is never shifted")


def test_why_a_place_is_not_possible_is_said_and_stones_are_shifted_by_keys(visitor):
    one = visitor(DRAWN)
    one.allowed = ("422",)  # the browser says that the server refused
    one.context.add_init_script(FLAT)
    page = one.opens()
    sits_down(page)
    goes_on(page)
    hand = Keys(page)
    if not page.locator(LIT).count():
        hand.press(".tray .ring:enabled")
    hand.press(LIT)
    far = page.locator("[data-square]:not(.lit)").first
    far.focus()
    till_it_shows(page, STATE, lambda: page.keyboard.press("Enter"))
    expect(page.locator(".notice")).to_contain_text("R")
    hand.point()
    shifts(page)
    page.evaluate((WEB.parent / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8"))
    faults = page.evaluate(
        "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"
        ".map(({ id, nodes }) => [id, nodes[0].html.slice(0, 150)])"
    )
    assert faults == []


def test_a_canvas_of_another_size_is_never_seen_empty(visitor):
    """Once it was drawn a frame later, and flickered whenever the tray grew."""
    page = visitor(DRAWN, **SMALL).opens()
    sits_down(page)
    goes_on(page)
    page.wait_for_function(f"() => ({FRAME})() > 0")
    steady(page, FRAME)
    assert page.evaluate(RESIZED) > 0


def test_turning_the_table_draws_rest_draws_nothing_and_leaving_gives_everything_back(visitor):
    one = visitor(DRAWN, **SMALL)
    one.context.add_init_script(COUNTED)
    page = one.opens()
    sits_down(page)
    table = page.url
    for _ in range(3):
        goes_on(page)
        page.wait_for_function(f"() => ({FRAME})() > 0")
        box = page.locator("canvas").bounding_box()
        assert box
        before = steady(page, FRAME)
        page.mouse.move(box["x"] + 60, box["y"] + box["height"] - 20)
        page.mouse.down()
        page.mouse.move(box["x"] + 260, box["y"] + box["height"] - 20, steps=3)
        page.mouse.up()
        page.wait_for_function(f"before => ({FRAME})() > before", arg=before)
        still = steady(page, FRAME)
        page.wait_for_timeout(200)  # a while in which nothing happens
        assert page.evaluate(FRAME) == still
        assert page.evaluate("held.buffers") > 0
        home(page)
        assert page.evaluate("held.contexts.every((one) => one.isContextLost())")
        assert page.evaluate("held.buffers") == 0
        page.evaluate("to => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')); }", table)


def test_only_this_game_loads_what_draws_in_space(visitor):
    one = visitor(DRAWN)
    page = one.opens()
    scripts: set[str] = set()
    page.on("requestfinished", lambda done: done.url.endswith(".js") and scripts.add(done.url))
    page.reload()
    for game in ("Big Points", "Rondo"):
        page.get_by_role("article", name=game).get_by_role("button", name="Play").click()
        page.locator(".board [role=button], .board [data-field]").first.wait_for()
        home(page)
    assert scripts
    assert not any("WebGLRenderer" in httpx.get(one, timeout=60).text for one in scripts)
    page.get_by_role("article", name="Turmbauer").get_by_role("button", name="Play").click()
    page.wait_for_function(f"() => ({FRAME})() > 0")
    assert any("WebGLRenderer" in httpx.get(one, timeout=60).text for one in scripts)


def test_the_rules_are_drawn(visitor):
    page = visitor(DRAWN).opens("/rules/turmbauer")
    expect(page.locator(".rules figure .turmbauer svg")).to_have_count(3)


def test_a_hint_shows_the_stone_its_place_and_the_way_up(visitor):
    page = visitor(DRAWN, **SMALL).opens()
    page.context.add_init_script(FLAT)
    sits_down(page)
    page.locator(LIT).first.wait_for()

    def asks() -> str:
        page.get_by_role("button", name="Hint", exact=True).locator("visible=true").first.click()
        page.locator(".tray .hint").wait_for()
        return page.locator(".tray .hint").inner_text()

    assert re.search(r"build the \w+ \w+", asks())
    page.locator(".tray .stone.hinted").click()
    page.locator(".tray .place").wait_for()
    expect(page.locator(SHOWN)).to_have_count(0)
    assert re.search(r"build the .+ on .+, up to height \d", asks())
    page.locator(SHOWN).wait_for()  # the stone is shown at its place
    page.locator(".tray .firmness .firm, .tray .firmness .wobbles").first.wait_for()
    page.locator(SHOWN).click()
    page.locator(".tray .move").wait_for()
    assert re.search(r"height \d|leave the \w+ pawn", asks())
    page.locator(f"{SHOWN}, .tray .hinted").first.wait_for()
