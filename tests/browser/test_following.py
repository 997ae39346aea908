"""Following the others' moves: skipping them, and choosing how fast they are shown, at the table and in a replay."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE
from tests.browser.support.fitting import misfits
from tests.browser.support.playing import CHOICE, gives_up, opens_more

LANDSCAPE = {**PHONE, "viewport": {"width": 640, "height": 360}}


@pytest.mark.parametrize("kind", [PHONE, LANDSCAPE], ids=["phone", "landscape"])
def test_the_moves_of_several_bots_are_skipped_until_it_is_ones_own_turn(visitor, kind):
    page = visitor({"speed": "slow", "text": False}, **kind).opens()
    page.evaluate("localStorage['spieltisch.learnt.bigpoints'] = '99'")
    page.get_by_label("Set up a table for Big Points").click()
    sheet = opens_more(page.get_by_role("dialog"))
    for _ in range(2):
        sheet.get_by_role("group", name="How many bots").get_by_role("button", name="One more").click()
    sheet.get_by_label("Who begins").select_option(label="Seat 2: Bot, level 1")
    sheet.get_by_role("button", name="Begin").click()
    skip = page.get_by_role("button", name="Skip the others’ moves")
    skip.click()
    expect(page.locator(".seats li.turn")).to_contain_text("your turn")
    expect(skip).to_have_count(0)
    assert misfits(page) == []


def test_a_speed_is_chosen_in_the_menu_of_the_table_and_in_a_replay(visitor):
    page = visitor({"speed": "slow"}).opens()
    page.get_by_role("article", name="Big Points").get_by_role("button", name="Play").click()
    page.locator(CHOICE).first.wait_for()
    page.get_by_label("Menu").click()
    page.get_by_label("Animations").select_option("fast")
    expect(page.locator("html")).to_have_attribute("data-speed", "fast")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    gives_up(page)
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.get_by_label("Speed")).to_have_value("fast")
    page.get_by_label("Speed").select_option("normal")
    expect(page.locator("html")).to_have_attribute("data-speed", "normal")
