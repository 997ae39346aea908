"""Rondo on its drawn board: whole games by mouse, key and touch, the lens, another board, hidden stones."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.support.places import WEB
from tests.browser.support.playing import begins, opens_more, steady, till_it_shows

DRAWN = {"text": False}
LIT = "[data-field].lit"
DONE = ".tray [data-tray=choices] .end:enabled"
READY = f".rondo[aria-busy=false] {LIT}, .shell:has(.rondo[aria-busy=false]) {DONE}, .winner"
LEARNT = "localStorage['spieltisch.learnt.rondo'] = '99'"
BOARD = Path(__file__).parents[3] / "src/spieltisch/games/rondo/board.json"
STATE = """
() => JSON.stringify([
  [...document.querySelectorAll("[data-field].lit")].map((one) => one.dataset.field),
  document.querySelector(".tray")?.innerText, document.querySelector(".rondo svg.zoomed") !== null,
  [...document.querySelectorAll(".tray [aria-pressed]")].map((one) => one.ariaPressed),
  document.querySelector(".winner") !== null,
])
"""
IN_REACH = """
() => [...document.querySelectorAll("[data-field].lit")].map((one) => {
  const { x, y, width, height } = one.querySelector(".hit").getBoundingClientRect();
  return { name: one.dataset.field, x: x + width / 2, y: y + height / 2 };
}).filter(({ name, x, y }) =>
  document.elementFromPoint(x, y)?.closest("[data-field]")?.dataset.field === name)
"""


def sits_down(page: Page, others: int = 1) -> None:
    page.evaluate(LEARNT)
    begins(page, "Rondo", others)


def sits_down_for_a_short_game(page: Page, folder: Path, grey: str) -> None:
    """The wheel with one grey field, so that its end is near."""
    wheel = folder / "wheel.json"
    wheel.write_text(json.dumps(json.loads(BOARD.read_text(encoding="utf-8")) | {"grey": [grey]}), "utf-8")
    page.evaluate(LEARNT)
    page.get_by_label("Set up a table for Rondo").click()
    sheet = opens_more(page.get_by_role("dialog"))
    sheet.get_by_label("Remove seat 3").click()
    sheet.locator("input[type=file]").set_input_files(wheel)
    sheet.locator(".preview [data-field]").first.wait_for()
    sheet.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/table/*")


def sits_down_beside_somebody(page: Page) -> None:
    """Two people at one device, so that nothing lies on the wheel yet."""
    page.evaluate(LEARNT)
    page.get_by_label("Set up a table for Rondo").click()
    sheet = opens_more(page.get_by_role("dialog"))
    sheet.get_by_label("Remove seat 3").click()
    sheet.locator(".seat select").nth(1).select_option("device")
    sheet.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="I am").click()


def ready(page: Page) -> bool:
    """Waits until something can be done; whether the game goes on."""
    page.locator(READY).first.wait_for()
    return not page.locator(".winner").count()


def after(page: Page, act: Callable[[], object]) -> None:
    """Does something, and waits until it is seen and something can be done again."""
    till_it_shows(page, STATE, act)
    ready(page)


def takes_face_down(page: Page) -> None:
    """Chooses the first stone of the rack for a bridge."""
    after(page, page.locator(".tray .slot:enabled").first.click)
    turn = page.locator(".tray .down")
    if turn.is_enabled():  # else it fits nowhere face up
        after(page, turn.click)


def plays(page: Page, dice: random.Random, point: Callable[[float, float], object]) -> None:
    """Points at lit fields and takes the first offer, until the game is over."""
    while ready(page):
        offers = page.locator(".tray .offer:enabled")
        fields = steady(page, IN_REACH)
        if offers.count():
            box = offers.first.bounding_box()
            assert box
            after(page, lambda box=box: point(box["x"] + 20, box["y"] + 20))
        elif fields and (page.locator(".tray .slot:enabled").count() > 2 or dice.random() < 0.5):
            field = dice.choice(fields)
            after(page, lambda field=field: point(field["x"], field["y"]))
        else:
            after(page, page.locator(DONE).last.click)


def test_a_whole_game_by_mouse_and_its_replay(visitor, tmp_path):
    page = visitor(DRAWN).opens()
    sits_down_for_a_short_game(page, tmp_path, "I2")
    plays(page, random.Random(1), page.mouse.click)
    page.locator(".end .rondo [data-stone]").nth(2).wait_for()
    page.get_by_role("button", name="Replay").click()
    slider = page.locator("input[type=range]:not([max='0'])")
    slider.wait_for()
    page.locator(".rondo svg[role=group]").wait_for()
    assert page.locator("[data-stone]").count() == 0
    expect(page.locator("main .points")).to_have_text(["0", "0"])
    slider.press("End")
    page.locator("[data-stone]").nth(2).wait_for()
    page.locator(".tray .winner").wait_for()
    assert page.locator("main .points").all_inner_texts() != ["0", "0"]


def test_a_whole_game_by_touch_on_a_phone(visitor, tmp_path):
    page = visitor(DRAWN, **PHONE).opens()
    sits_down_for_a_short_game(page, tmp_path, "AN")
    plays(page, random.Random(2), page.touchscreen.tap)


def test_a_whole_game_by_keyboard_alone(visitor, tmp_path):
    page = visitor(DRAWN).opens()
    sits_down_for_a_short_game(page, tmp_path, "AN")
    dice = random.Random(3)
    focused = "selector => document.activeElement?.matches(selector) ?? false"

    def tab_to(selector: str) -> None:
        for _ in range(60):
            if page.evaluate(focused, selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{selector} is not reached by Tab")

    while ready(page):
        lit = page.locator(LIT).count()
        if not lit or (page.locator(".tray .slot:enabled").count() <= 2 and dice.random() < 0.5):
            ends = page.locator(".tray .primary.end").count()
            tab_to("[data-field]" if ends else "[data-tray=choices] .end")
            after(page, lambda ends=ends: page.keyboard.press("." if ends else "Enter"))
            continue
        tab_to("[data-field]")
        after(page, lambda: page.keyboard.press("1"))  # the first stone of the rack
        page.keyboard.press("PageDown")
        assert page.evaluate(focused, LIT)
        after(page, lambda: page.keyboard.press("Enter"))


def test_a_chain_grows_is_taken_back_and_is_explained(visitor):
    one = visitor(DRAWN)
    one.allowed = ("422", "409", "400")  # the browser says that the server refused
    page = one.opens()
    sits_down_beside_somebody(page)
    ready(page)
    open_fields = page.locator(LIT).count()
    name = page.locator(LIT).first.get_attribute("data-field")
    field, stone = page.locator(f"[data-field={name}]"), page.locator(f"[data-stone={name}]")
    assert ", free; next to " in (field.get_attribute("aria-label") or "")
    takes_face_down(page)
    after(page, field.locator(".hit").click)
    expect(stone).to_be_visible()
    expect(page.locator(LIT).first).to_be_visible()  # where the chain can go on
    assert ": a bridge, a" in (field.get_attribute("aria-label") or "")
    page.locator("[data-field=O16] .hit").click(force=True)
    page.get_by_text("doesn’t branch").first.wait_for()
    after(page, page.get_by_role("button", name="Take back").click)
    expect(stone).to_have_count(0)
    expect(page.locator(LIT)).to_have_count(open_fields)


def two_fingers(page: Page, start: list[tuple[int, int]], end: list[tuple[int, int]]) -> None:
    devtools = page.context.new_cdp_session(page)
    for kind, spots in (("touchStart", start), ("touchMove", end), ("touchEnd", [])):
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(spots)]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    devtools.detach()


def test_small_fields_are_brought_near(visitor):
    page = visitor(DRAWN, **PHONE).opens()
    sits_down_beside_somebody(page)
    ready(page)
    expect(page.locator("svg.zoomed")).to_have_count(0)
    after(page, page.locator(".tray .slot:enabled").first.tap)
    after(page, page.locator(f"{LIT} .hit").first.tap)  # a stone is laid, or two fields were too near
    page.locator("svg.zoomed").wait_for()
    width = page.locator("[data-field=I0] .hit").bounding_box()["width"]  # type: ignore[index]
    assert width > 44
    lens = page.locator(".lens")
    near = lens.get_attribute("style")
    two_fingers(page, [(150, 300), (210, 300)], [(130, 320), (230, 320)])
    expect(lens).not_to_have_attribute("style", near or "")
    assert page.locator("[data-field=I0] .hit").bounding_box()["width"] > 1.5 * width  # type: ignore[index]
    page.get_by_role("button", name="Show the whole board").last.tap()
    expect(page.locator("svg.zoomed")).to_have_count(0)
    page.get_by_role("button", name="Show it larger").tap()
    page.locator("svg.zoomed").wait_for()


def test_what_is_hidden_stays_hidden_when_the_device_is_passed_on(visitor):
    page = visitor(DRAWN | {"name": "Ada"}).opens()
    sits_down_beside_somebody(page)
    ready(page)
    takes_face_down(page)
    field, seen = page.locator("[data-field=AS]"), page.locator("[data-badge=AS]")
    after(page, field.locator(".hit").click)
    expect(seen).to_have_count(0)
    field.locator(".hit").click(force=True)
    expect(seen).to_have_count(1)  # one's own stone from below
    page.locator(DONE).click()
    again = page.get_by_role("button", name="I am")
    again.wait_for()
    expect(page.locator(".rondo")).to_have_count(0)
    again.click()
    ready(page)
    assert "’s bridge" in (field.get_attribute("aria-label") or "")
    expect(seen).to_have_count(0)
    expect(page.locator("[data-stone=AS]")).to_be_visible()
    page.get_by_label("Menu").click()
    page.get_by_text("We don’t have the printed board").wait_for()


def test_a_board_of_ones_own(visitor, tmp_path):
    ring = [f"Z{at}" for at in range(12)]
    links = {name: [ring[at - 1], ring[(at + 1) % 12]] for at, name in enumerate(ring)}
    for name in ring[::3]:
        links[name].append("C")
    side = {name: {"colour": "PBYGR"[at % 5], "value": 1 + at} for at, name in enumerate(ring)}
    board = {"cells": ring, "adjacency": {**links, "C": ring[::3]}, "grey": ring[1::3], "sides": {"blue": side}}
    good, bad, refused = (tmp_path / f"{name}.json" for name in ("good", "bad", "refused"))
    good.write_text(json.dumps(board), encoding="utf-8")
    bad.write_text(json.dumps(board | {"grey": ["Z99"]}), encoding="utf-8")
    refused.write_text(
        json.dumps(board | {"adjacency": board["adjacency"] | {"Z1": ["Z0", "Z2", "Z7"]}}), encoding="utf-8"
    )  # type: ignore[operator]
    one = visitor(DRAWN)
    one.allowed = ("422", "400")
    page = one.opens()
    page.evaluate(LEARNT)

    page.get_by_label("Set up a table for Rondo").click()
    sheet = opens_more(page.get_by_role("dialog"))
    sheet.get_by_label("Remove seat 3").click()
    file = sheet.locator("input[type=file]")
    file.set_input_files(bad)
    sheet.get_by_text("This file is not a board: grey").wait_for()
    file.set_input_files(refused)
    sheet.locator(".preview [data-field=Z7]").wait_for()
    sheet.get_by_role("button", name="Begin").click()
    sheet.get_by_text("the link from Z1 to Z7 does not go back").wait_for()
    expect(sheet.locator(".seat")).to_have_count(2)
    file.set_input_files(good)
    sheet.get_by_text("good.json: 12 fields, 4 of them grey").wait_for()
    sheet.get_by_role("button", name="Begin").click()
    ready(page)
    expect(page.locator("[data-field]")).to_have_count(12)
    after(page, page.locator(".tray .slot:enabled").first.click)
    after(page, page.locator(f"{LIT} .hit").first.click)
    expect(page.locator("[data-stone]").first).to_be_visible()


def test_the_rules_are_drawn_and_the_board_has_no_faults_for_screen_readers(visitor):
    page = visitor(DRAWN | {"symbols": False}).opens("/rules/rondo")
    expect(page.locator(".rules figure .rondo svg[role=group]")).to_have_count(5)
    page.goto(page.url.rsplit("/", 2)[0])
    sits_down(page, 2)
    ready(page)
    after(page, page.locator(".tray .slot:enabled").first.click)
    page.evaluate((WEB.parent / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8"))
    faults = page.evaluate(
        "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"
        ".map(({ id, nodes }) => [id, nodes[0].html.slice(0, 150)])"
    )
    assert faults == []


HINTED = """
(name) => {
  const [field, ring] = ["hit", "hint circle"].map((one) => document.querySelector(`[data-field="${name}"] .${one}`));
  const [inside, around] = [field, ring].map((one) => one.getBoundingClientRect());
  return getComputedStyle(ring).fill === "none" && around.width > inside.width && around.left < inside.left
    && Math.abs(around.x + around.width / 2 - inside.x - inside.width / 2) < 1;
}
"""


def test_a_hint_rings_its_field_and_covers_nothing(visitor):
    page = visitor(DRAWN, **PHONE).opens()
    sits_down(page)
    for _ in range(20):  # at first, a strong bot mostly passes
        page.locator(READY).first.wait_for()
        with page.expect_response(re.compile(r"/hint\?")) as answered:
            page.get_by_role("button", name="Hint", exact=True).locator("visible=true").first.click()
        hint = answered.value.json()
        expect(page.locator(".tray p.hint")).to_contain_text(hint["words"])
        field, laid, _ = hint["text"].partition(":")
        if laid:
            break
        page.locator(".tray .end.hinted").click()
        page.locator(".tray p.hint").wait_for(state="detached")
    assert page.evaluate(HINTED, field)
    assert field not in hint["words"]
    expect(page.locator(".tray p.hint")).to_contain_text(hint["reason"] or "")
