"""The home page and setting up a table: how many, who begins, in which colour, and how long; reactions in landscape."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE
from tests.browser.support.fitting import misfits
from tests.browser.support.playing import comes, invites, opens_more

LANDSCAPE = {**PHONE, "viewport": {"width": 640, "height": 360}}
TABLET = {"viewport": {"width": 768, "height": 1024}}
SHIFTS = """
globalThis.shifted = 0;
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) shifted += value;
}).observe({ type: "layout-shift", buffered: true });
"""


def test_a_colour_and_who_begins_are_chosen_under_more(visitor):
    page = visitor({"name": "Ada"}).opens()
    page.get_by_label("Set up a table for Turmbauer").click()
    sheet = opens_more(page.get_by_role("dialog"))
    expect(sheet.get_by_role("radio", name="Red")).to_be_checked()
    sheet.get_by_text("Green", exact=True).click()
    sheet.get_by_label("Who begins").select_option(label="Me")
    sheet.locator("summary", has_text="Your picture at the table").click()
    sheet.get_by_title("Fox").click()
    assert misfits(page) == []
    sheet.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/table/*")
    mine = page.locator(".seats li").nth(2)
    expect(mine).to_contain_text("Ada")
    expect(mine).to_contain_text("your turn")
    expect(page.locator("main")).to_contain_text("You play Green.")


def test_a_friend_chooses_among_the_colours_that_are_free_and_reacts_in_landscape(visitor):
    host = visitor({"text": False}, **LANDSCAPE).opens()
    link = invites(host, "Turmbauer")
    host.get_by_role("button", name="Add a seat").click()
    friend = visitor().context.new_page()
    friend.goto(link)
    expect(friend.get_by_role("radio", name="Red")).to_be_disabled()
    friend.get_by_text("Green", exact=True).click()
    friend.get_by_label("Your name").fill("Grete")
    friend.get_by_role("button", name="Sit down").click()
    friend.get_by_text("You have a seat.").wait_for()
    expect(host.locator("main ol li").nth(2)).to_contain_text("Grete")
    comes(visitor(), link, "Hans")
    host.get_by_role("button", name="Begin").click()
    host.get_by_role("button", name="React").wait_for()
    assert misfits(host) == []
    host.get_by_role("button", name="React").click()
    bravo = host.get_by_role("button", name="Bravo!")
    expect(bravo).to_be_in_viewport(ratio=1)
    bravo.click()
    friend.locator(".seats li .reaction").wait_for()


@pytest.mark.parametrize("kind", [PHONE, TABLET, WIDE], ids=["phone", "tablet", "desktop"])
def test_home_does_not_shift_while_it_loads_and_a_picture_begins_its_game(visitor, kind):
    guest = visitor(**kind)
    guest.context.add_init_script(SHIFTS)
    page = guest.opens()
    page.locator("article .lid svg").nth(2).wait_for()
    page.locator("footer").wait_for()
    assert page.evaluate("shifted") < 0.02
    page.locator("article .lid").first.click(position={"x": 150, "y": 12})
    page.wait_for_url("**/table/*")


def test_the_last_seconds_of_a_turn_are_announced(visitor):
    page = visitor({"text": False}, **PHONE).opens()
    page.get_by_label("Set up a table for Rondo").click()
    sheet = opens_more(page.get_by_role("dialog"))
    sheet.get_by_label("Who begins").select_option(label="Me")
    sheet.get_by_label("Time per turn").select_option(label="30 seconds")
    sheet.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("alert").filter(has_text="10 seconds left for your turn.")).to_be_attached()
    expect(page.locator(".clock.short")).to_be_in_viewport(ratio=1)
