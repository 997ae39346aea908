"""Whole games in a real browser: by mouse, by keyboard alone, by touch."""

from __future__ import annotations

from tests.browser.conftest import PHONE
from tests.browser.support.playing import CHOICE, begins, plays
from tests.browser.test_turmbauer import sits_down


def test_a_whole_game_is_played_by_mouse(visitor, tmp_path):
    """A short one; the others are played by mouse on their boards."""
    page = visitor().opens()
    sits_down(page, tmp_path)
    plays(page)
    assert page.locator(".winner").inner_text().endswith(("win.", "wins.", "victory."))
    page.get_by_role("button", name="Check that chance was fair").click()
    page.get_by_text("This browser has checked").wait_for()
    page.get_by_text("Every draw is proven fair").wait_for()


def test_a_whole_game_is_played_by_keyboard_alone(visitor):
    page = visitor().opens()

    def tab_to(selector: str, most: int = 200) -> None:
        for _ in range(most):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
        raise AssertionError(f"{selector} is not reached by Tab")

    page.locator("article").first.wait_for()
    tab_to("article .primary")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")

    def press(page, at):
        page.locator(CHOICE).first.wait_for()
        for _ in range(at % 3 + 1):
            tab_to(".choices li .button")
        page.keyboard.press("Enter")

    plays(page, press)
    tab_to(".end .primary")
    page.keyboard.press("Enter")
    page.locator(CHOICE).first.wait_for()


def test_a_whole_game_is_played_by_touch_on_a_phone(visitor):
    page = visitor(**PHONE).opens()
    begins(page, "Big Points")
    plays(page, lambda page, at: page.locator(CHOICE).nth(at).tap())
    page.get_by_role("button", name="Watch the replay").tap()
    page.wait_for_url("**/replay")
    page.get_by_label("One step forward").tap()
    page.get_by_text("Step 1 of").wait_for()
