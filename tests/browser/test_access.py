"""For everybody: screen readers, keyboards, large print, little motion, thick fingers."""

from __future__ import annotations

from functools import cache

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.support.fitting import misfits
from tests.browser.support.places import (
    WEB,
    closes,
    gathers,
    gives_up,
    home,
    may_choose,
    opens_menu,
    opens_rules,
    opens_set_up,
    opens_settings,
    replays,
    sits_down,
)
from tests.browser.support.playing import CHOICE, plays

STILL = {"viewport": {"width": 768, "height": 640}, "reduced_motion": "reduce"}
FAULTS = """
async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}
"""
FOCUSED = """
() => {
  const element = document.activeElement;
  const sees = (one) => {
    const { outlineStyle, outlineWidth, opacity, clipPath } = getComputedStyle(one);
    return outlineStyle !== "none" && parseFloat(outlineWidth) > 0 && opacity !== "0" && clipPath === "none";
  };
  const at = window.reachable.findIndex((one) => one === element || (one.name && one.name === element.name));
  return [at, [element, element.closest("label")].some((one) => one && sees(one)), element.outerHTML.slice(0, 120)];
}
"""
REACHABLE = """
() => {
  const layer = document.querySelector("dialog[open]") ?? document;
  const found = [...layer.querySelectorAll("a[href], button:not([aria-hidden=true]), select, input, [tabindex='0']")];
  const taken = new Set();
  window.reachable = found.filter((one) => {
    if (one.disabled || !one.checkVisibility()) return false;
    if (one.type !== "radio") return true;
    return !taken.has(one.name) && taken.add(one.name); // of a group one is reached
  });
  return window.reachable.map((one) => one.outerHTML.slice(0, 120));
}
"""
SMALL = """
() => {
  const layer = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const clipped = (one) => one && (getComputedStyle(one).clipPath === "inset(50%)" || clipped(one.parentElement));
  const found = [];
  for (const one of layer.querySelectorAll("a[href], button, select, input, [role=slider]")) {
    const pressed = one.matches("input") ? (one.closest("label") ?? one) : one;
    if (!pressed.checkVisibility() || clipped(pressed)) continue;
    const { width, height } = pressed.getBoundingClientRect();
    const least = one.matches("a:not(.button):not(.icon)") ? 24 : 44;
    if (height < least - 0.5 || width < least - 0.5)
      found.push(`${Math.round(width)} by ${Math.round(height)}: ${one.outerHTML.slice(0, 120)}`);
  }
  return found;
}
"""


@cache
def axe() -> str:
    return (WEB.parent / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def faults(page: Page, where: str) -> list[str]:
    """What axe finds on a page, in daylight and in the evening."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe())
    found = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        found += [f"{where}, {theme}: {fault}" for fault in page.evaluate(FAULTS)]
    return found


def opened(visitor, **kind) -> Page:
    guest = visitor({"name": "Ada"}, **{**STILL, **kind})
    page = guest.opens()
    home(page)
    return page


def test_a_checker_finds_no_fault_before_a_game(visitor):
    page = opened(visitor)
    found = faults(page, "home")
    opens_settings(page)
    found += faults(page, "settings")
    closes(page)
    opens_set_up(page)
    found += faults(page, "set-up")
    closes(page)
    opens_rules(page)
    found += faults(page, "rules")
    home(page)
    gathers(page)
    found += faults(page, "gathering")
    assert not found, "\n".join(found)


def test_a_checker_finds_no_fault_in_a_game_and_after_it(visitor):
    page = opened(visitor, viewport={"width": 1440, "height": 640})
    sits_down(page)
    may_choose(page)
    found = faults(page, "table")
    opens_menu(page, "en")
    found += faults(page, "menu")
    closes(page)
    gives_up(page, "en")
    found += faults(page, "end")
    replays(page, "en")
    found += faults(page, "replay")
    assert not found, "\n".join(found)


def test_a_checker_finds_no_fault_where_the_device_is_passed_on(visitor):
    page = opened(visitor)
    sits_down(page, 1, ("device",))
    expect(page.get_by_role("button", name="I am")).to_be_focused()
    assert faults(page, "pass") == []


def reached(page: Page) -> list[str]:
    """What Tab does not reach, or without being seen to."""
    wanted = page.evaluate(REACHABLE)
    missed = set(range(len(wanted)))
    wrong = []
    for _ in range(2 * len(wanted) + 10):
        page.keyboard.press("Tab")
        at, seen, what = page.evaluate(FOCUSED)
        missed.discard(at)
        if not seen and what.startswith(("<a", "<button", "<select", "<input")):
            wrong.append(f"no focus is seen on {what}")
        if not missed:
            break
    return wrong + [f"not reached: {wanted[at]}" for at in missed]


def test_every_control_is_reached_by_keyboard_and_is_seen_to_be(visitor):
    page = opened(visitor)
    assert reached(page) == []
    opens_set_up(page)
    assert reached(page) == []
    page.keyboard.press("Escape")
    gathers(page)
    assert reached(page) == []
    home(page)
    sits_down(page)
    may_choose(page)
    assert reached(page) == []


def test_on_a_phone_too_every_control_is_reached_and_is_seen_to_be(visitor):
    page = opened(visitor, viewport={"width": 360, "height": 640})
    assert reached(page) == []
    sits_down(page)
    may_choose(page)
    gives_up(page, "en")
    assert reached(page) == []
    replays(page, "en")
    assert reached(page) == []


def test_the_keyboard_comes_back_to_where_a_sheet_was_opened(visitor):
    page = opened(visitor)
    page.locator("article .set").nth(1).focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").locator(".steppers").wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("article .set").nth(1)).to_be_focused()


def test_what_happens_is_spoken(visitor):
    page = opened(visitor, viewport={"width": 1440, "height": 640})
    sits_down(page)
    may_choose(page)
    spoken = page.locator(".hidden[aria-live=polite]")
    assert spoken.locator("p").count() < 10  # not every disc that is laid out
    plays(page, most=1)
    page.locator(CHOICE).first.wait_for()
    said = spoken.locator("p").all_inner_texts()
    assert said[-1] == "Your turn"
    assert said[-2] in page.locator(".log li .line").all_inner_texts()


@pytest.mark.parametrize("way", ["the browser's zoom", "large letters"])
def test_everything_can_be_used_at_twice_the_size(visitor, way):
    zoomed = {"viewport": {"width": 640, "height": 450}, "device_scale_factor": 2}
    page = opened(visitor, **(zoomed if way == "the browser's zoom" else {"viewport": {"width": 1280, "height": 900}}))

    def look() -> list[str]:
        if way == "large letters":
            page.evaluate("document.documentElement.style.fontSize = '200%'")
        return misfits(page)

    assert look() == []
    opens_settings(page)
    assert look() == []
    closes(page)
    opens_set_up(page)
    assert look() == []
    closes(page)
    gathers(page)
    assert look() == []
    home(page)
    sits_down(page)
    may_choose(page)
    assert look() == []
    plays(page, most=1)
    may_choose(page)
    gives_up(page, "en")
    assert look() == []
    replays(page, "en")
    assert look() == []
    page.get_by_label("One step forward").click()
    page.get_by_text("Step 2 of").wait_for()


def test_nothing_moves_for_those_who_want_no_motion(visitor):
    page = opened(visitor)

    def rests() -> None:
        page.wait_for_function("() => !document.getAnimations().some((one) => one.playState === 'running')")

    rests()
    opens_settings(page)
    rests()
    closes(page)
    sits_down(page)
    may_choose(page)
    rests()
    plays(page, most=1)
    may_choose(page)
    rests()


def test_everything_is_big_enough_for_a_finger(visitor):
    page = opened(visitor, **PHONE)
    found = {"home": page.evaluate(SMALL)}
    opens_settings(page)
    found["settings"] = page.evaluate(SMALL)
    closes(page)
    opens_set_up(page)
    found["set-up"] = page.evaluate(SMALL)
    closes(page)
    opens_rules(page)
    found["rules"] = page.evaluate(SMALL)
    home(page)
    gathers(page)
    found["gathering"] = page.evaluate(SMALL)
    home(page)
    sits_down(page)
    may_choose(page)
    found["table"] = page.evaluate(SMALL)
    opens_menu(page, "en")
    found["menu"] = page.evaluate(SMALL)
    closes(page)
    gives_up(page, "en")
    found["end"] = page.evaluate(SMALL)
    replays(page, "en")
    found["replay"] = page.evaluate(SMALL)
    assert {where: what for where, what in found.items() if what} == {}


def test_the_page_opens_with_colours_of_the_system_alone(visitor):
    page = opened(visitor, forced_colors="active")
    sits_down(page)
    may_choose(page)
    line = page.locator(CHOICE).first.evaluate("element => getComputedStyle(element).borderStyle")
    assert line == "solid"
