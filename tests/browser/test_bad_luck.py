"""Bad luck: whatever goes wrong is said in a sentence with a way on, and no move is lost or made twice."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.support.places import words
from tests.browser.support.playing import (
    CHOICE,
    OWN_MOVE,
    asks_first,
    begins_at_once,
    comes,
    drafts,
    invites,
    meet,
    own_server,
    plays,
    reads_sentences,
    takes_turn,
)

BLOCKED = "Service Worker registration blocked"
OFFLINE = ("ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED")
AWAY = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "503")
NOTHING_KEPT = """
const refuse = { get() { throw new DOMException("denied", "SecurityError"); } };
Object.defineProperty(window, "localStorage", refuse);
Object.defineProperty(window, "sessionStorage", refuse);
Object.defineProperty(document, "cookie", { get: () => "", set: () => {} });
Object.defineProperty(navigator, "cookieEnabled", { get: () => false });
"""
UNSENT = "Your move has not reached the table yet."


def leads_home(page: Page) -> None:
    page.get_by_role("link", name=re.compile("All games|Back to the games")).click()
    page.get_by_role("heading", name="What shall we play?").wait_for()


def test_a_turn_chosen_without_a_network_is_played_once_when_it_is_back(visitor):
    somebody = visitor()
    somebody.allowed = OFFLINE
    page = somebody.opens()
    begins_at_once(page, "Big Points")
    asks_first(page)
    somebody.context.set_offline(True)
    page.get_by_text("You are offline.").wait_for()
    page.locator(CHOICE).first.click()  # the server has to say what can follow
    page.get_by_text(UNSENT).wait_for()
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text(UNSENT)).to_have_count(0)
    page.locator(CHOICE).first.click()
    page.get_by_text(UNSENT).wait_for()
    somebody.context.set_offline(False)
    page.get_by_role("button", name="Done", exact=True).wait_for()
    somebody.context.set_offline(True)
    page.get_by_text("You are offline.").wait_for()
    page.get_by_role("button", name="Done", exact=True).click()
    page.get_by_text(UNSENT).wait_for()
    somebody.context.set_offline(False)
    expect(page.locator(OWN_MOVE)).to_have_count(1)
    page.locator(CHOICE).first.wait_for()
    expect(page.get_by_text(UNSENT)).to_have_count(0)
    assert page.locator(OWN_MOVE).count() == 1


@pytest.mark.parametrize("arrives", [False, True], ids=["the command is lost", "its answer is lost"])
def test_a_command_on_its_way_outlives_a_reload_and_is_carried_out_once(visitor, arrives):
    somebody = visitor(service_workers="block")
    somebody.allowed = (BLOCKED, "ERR_FAILED")
    keys: list[str] = []

    def lose(route: Route) -> None:
        keys.append(route.request.post_data_json["key"])
        if arrives:
            route.fetch()
        route.abort()

    page = somebody.opens()
    begins_at_once(page, "Big Points")
    asks_first(page)
    drafts(page)
    page.route("**/actions?*", lose)
    page.get_by_role("button", name="Done", exact=True).click()
    page.get_by_text(UNSENT).wait_for()
    page.unroute("**/actions?*")
    with page.expect_request("**/actions?*") as again:
        page.reload()
    assert {*keys, again.value.post_data_json["key"]} == {keys[0]}
    expect(page.locator(OWN_MOVE)).to_have_count(1)
    page.locator(CHOICE).first.wait_for()
    assert page.locator(OWN_MOVE).count() == 1


def test_a_server_that_goes_and_comes_back_is_waited_for(browser, tmp_path):
    with own_server(browser, tmp_path) as (server, visitor):
        somebody = visitor(service_workers="block")
        somebody.allowed = (BLOCKED, "ERR_FAILED", *AWAY)
        page = somebody.opens()
        begins_at_once(page, "Big Points")
        page.reload()
        takes_turn(page)
        page.locator(CHOICE).first.wait_for()

        drafted: list[str] = []

        def dies_after_the_commit(route: Route) -> None:
            drafted.extend(route.request.post_data_json["draft"])  # two moves, if a black disc pays for another
            route.fetch()
            server.kill()
            route.abort()

        before = page.locator(OWN_MOVE).count()
        page.route("**/actions?*", dies_after_the_commit, times=1)
        while server.process.poll() is None:
            page.locator(CHOICE).first.click()
            page.locator(CHOICE).or_(page.get_by_text(UNSENT)).first.wait_for()
        server.start()
        expect(page.get_by_text(UNSENT)).to_have_count(0)
        page.locator(CHOICE).first.wait_for()
        assert page.locator(OWN_MOVE).count() == before + len(drafted)
        assert server.stop() == 0
        page.get_by_text("Connection lost.").wait_for()
        page.get_by_label("Back to the games").click()
        page.get_by_text("The server is not answering.").wait_for()
        again = page.get_by_role("button", name="Try again")
        again.click()
        page.get_by_text("The server is not answering.").wait_for()
        server.start()
        again.click()
        page.get_by_role("link", name="Continue").click()
        takes_turn(page)


def test_a_page_that_was_kept_says_that_the_server_is_away(browser, tmp_path):
    with own_server(browser, tmp_path) as (server, visitor):
        somebody = visitor()
        somebody.allowed = AWAY
        page = somebody.opens()
        page.locator("article").first.wait_for()
        page.evaluate("navigator.serviceWorker.ready.then(() => {})")
        page.reload()
        page.locator("article").first.wait_for()
        assert server.stop() == 0
        page.reload()
        page.get_by_text("The server is not answering.").wait_for()
        server.start()
        page.get_by_role("button", name="Try again").click()
        page.locator("article").first.wait_for()


def test_a_table_that_is_not_there_leads_home(visitor):
    somebody = visitor()
    somebody.allowed = ("404",)
    page = somebody.opens("/table/nowhere")
    page.get_by_text("This table is private or no longer exists.").wait_for()
    leads_home(page)
    page = somebody.opens("/nowhere")
    page.get_by_text("There is nothing here.").wait_for()
    leads_home(page)


def test_a_wrong_invitation_leads_home(visitor):
    somebody = visitor()
    somebody.allowed = ("404",)
    link = invites(visitor().opens(), "Big Points")
    page = somebody.opens(link.removeprefix(somebody.address)[:-3])
    page.get_by_text("Ask for a new link.").wait_for()
    leads_home(page)


def test_a_table_that_is_deleted_says_so_to_everybody(visitor):
    host, guest = visitor(), visitor()
    pages = meet(host, guest, "Big Points")
    mine, other = pages if pages[0].context == host.context else pages[::-1]
    mine.get_by_label("Menu").click()
    mine.get_by_role("dialog").get_by_role("button", name="Delete the table").click()
    mine.get_by_role("dialog").get_by_role("button", name="Delete the table").click()
    mine.get_by_role("heading", name="What shall we play?").wait_for()
    other.get_by_text("This table has been deleted.").wait_for()
    guest.allowed = ("404",)
    leads_home(other)
    assert not other.get_by_role("link", name="Continue").count()


def test_of_two_people_who_sit_down_at_once_one_is_told_that_no_seat_is_free(visitor):
    link = invites(visitor().opens(), "Big Points")
    slow, quick = visitor(), visitor()
    slow.allowed = ("409",)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page = slow.opens(link.removeprefix(slow.address))
    page.get_by_label("Your name").fill("Hans")
    page.route("**/join?*", hold)
    page.get_by_role("button", name="Sit down").click()
    comes(quick, link, "Grete")
    held[0].continue_()
    expect(page.get_by_role("alert")).to_have_text("No seat is free.")
    page.get_by_text("Every seat is taken.").wait_for()
    leads_home(page)


def test_a_tab_that_missed_the_news_says_so_and_shows_it(visitor):
    somebody = visitor(service_workers="block")
    somebody.allowed = (BLOCKED, "ERR_FAILED", "409")
    page = somebody.opens()
    with somebody.context.expect_event("request", lambda request: "/stream?" in request.url):
        begins_at_once(page, "Big Points")
    old = somebody.opens(page.url.removeprefix(somebody.address))
    old.locator(CHOICE).first.wait_for()
    old.route("**/events?*", lambda route: route.abort())
    takes_turn(page)
    page.locator(CHOICE).first.wait_for()
    assert old.locator(OWN_MOVE).count() == 0
    old.unroute("**/events?*")
    old.locator(CHOICE).first.click()
    expect(old.get_by_role("alert")).to_contain_text("the game has moved on")
    expect(old.locator(".log li.move")).to_have_count(page.locator(".log li.move").count())
    with old.expect_request("**/actions?*") as sent:
        takes_turn(old)
    drafted = sent.value.post_data_json["draft"]  # two moves, if the first turn took a black disc
    expect(page.locator(OWN_MOVE)).to_have_count(1 + len(drafted))
    page.locator(CHOICE).first.wait_for()
    assert page.locator(OWN_MOVE).count() == 1 + len(drafted)


def test_a_browser_that_keeps_nothing_plays_as_long_as_the_page_stays_open(visitor):
    somebody = visitor()
    somebody.context.add_init_script(NOTHING_KEPT)
    page = somebody.opens()
    reads_sentences(page)
    begins_at_once(page, "Big Points")
    page.get_by_text("your seat lasts as long as this page stays open").wait_for()
    plays(page, most=4)
    assert page.locator(OWN_MOVE).count() >= 2


@pytest.mark.parametrize(
    ("part", "reached", "shown"), [("TablePage", "Play", CHOICE), ("RulesPage", "Rules", "main h1")]
)
def test_a_part_of_the_page_that_does_not_load_is_said_and_can_be_tried_again(visitor, part, reached, shown):
    somebody = visitor(service_workers="block")
    somebody.allowed = (BLOCKED, "ERR_FAILED", "Failed to fetch dynamically imported module")
    page = somebody.opens()
    page.route(f"**/assets/{part}*.js", lambda route: route.abort())
    with page.expect_event("domcontentloaded"):  # a newer page is looked for, once
        page.get_by_role("article").first.locator(".button, a").get_by_text(reached).click()
    page.get_by_text("Something went wrong on this page. Your game is not lost.").wait_for()
    page.unroute(f"**/assets/{part}*.js")
    page.get_by_role("button", name="Try again").click()
    page.locator(shown).first.wait_for()


@pytest.mark.parametrize("answered", [True, False], ids=["is refused", "is never answered"])
def test_a_page_whose_language_does_not_arrive_is_english_until_it_does(visitor, answered):
    somebody = visitor(service_workers="block", locale="nl")
    somebody.allowed = (BLOCKED, "ERR_FAILED")
    file = "**/assets/nl-*.json"
    somebody.context.route(file, lambda route: route.abort() if answered else None)
    page = somebody.opens()
    missing = page.get_by_text("Nederlands could not be loaded.")
    missing.wait_for()
    page.get_by_role("heading", name=words("en")["home.title"]).wait_for()
    begins_at_once(page, "Big Points")
    takes_turn(page)
    missing.wait_for()
    somebody.context.unroute(file)
    again = page.get_by_role("button", name="Try again")
    again.evaluate_all(
        "buttons => buttons.forEach((button) => button.click())"
    )  # unless the page has just tried by itself
    expect(page.locator("html")).to_have_attribute("lang", "nl")
    expect(page.get_by_role("button", name=words("en")["again"])).to_have_count(0)
    page.get_by_role("heading", name=words("nl")["turn.choose"]).wait_for()


def test_a_language_that_does_not_arrive_is_remembered_and_leaves_the_page_as_it_is(visitor):
    somebody = visitor(service_workers="block")
    somebody.allowed = (BLOCKED, "ERR_FAILED")
    somebody.context.route("**/assets/de-*.json", lambda route: route.abort())
    page = somebody.opens()
    page.locator("header select").select_option("de")
    page.get_by_text("Deutsch could not be loaded.").wait_for()
    page.get_by_role("heading", name=words("en")["home.title"]).wait_for()
    somebody.context.unroute("**/assets/de-*.json")
    page.reload()
    page.get_by_role("heading", name=words("de")["home.title"]).wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_an_invitation_outlives_a_connection_that_is_lost(visitor):
    somebody = visitor(service_workers="block")
    somebody.allowed = (BLOCKED, "ERR_FAILED")
    link = invites(visitor().opens(), "Big Points")
    somebody.context.route("**/watch?*", lambda route: route.abort())
    page = somebody.opens(link.removeprefix(somebody.address))
    page.get_by_text("Connection lost.").wait_for()
    somebody.context.unroute("**/watch?*")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_text("You have a seat.").wait_for()


def test_a_name_is_shown_as_the_text_that_it_is(visitor):
    markup, turned = "<img src=x onerror=alert(1)>", "\u202e<b>{name}</b> \u05e9\u05dc\u05d5\u05dd"
    host, guest = visitor({"name": markup}), visitor()
    first = host.opens()
    second = comes(guest, invites(first, "Big Points"), turned)
    assert first.locator("main li bdi").all_text_contents() == [markup, turned]
    first.get_by_role("button", name="Begin").click()
    for page in (first, second):
        expect(page.locator(".seats bdi")).to_have_text([markup, turned])
        assert page.locator("#app img, #app b").count() == 0
    assert f"\u2068{turned}\u2069 sits down." in first.locator(".log").text_content()
    assert f"{markup} sits down." in second.locator(".log").text_content()
