"""People at one table: each with a browser of their own, several at one device, in two tabs, or watching."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Request, expect

from tests.browser.support.playing import (
    CHOICE,
    ENDED,
    OWN_MOVE,
    begins_at_once,
    comes,
    gives_up,
    in_turn,
    invites,
    meet,
    opens_more,
    own_server,
    plays,
    takes_turn,
)

LISTEN = """
const ask = window.fetch;
window.received = [];
window.fetch = async (...what) => {
  const answer = await ask(...what);
  if (!answer.body) return answer;
  const [mine, theirs] = answer.body.tee();
  mine.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({
    write: (text) => void received.push([answer.url, text]),
  })).catch(() => {});
  return new Response(theirs, answer);
};
"""
AWAY = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "503")


def moves(page: Page) -> int:
    return page.locator(".log li.move").count()


def opens_stream(request: Request) -> bool:
    return "/stream?" in request.url


def racks(page: Page) -> set[str]:
    """What somebody reads of the stones that are theirs."""
    return set(page.locator("main li:text-matches('^You have .* on the rack')").all_inner_texts())


def test_an_invitation_shows_its_link_as_a_code_too(visitor):
    page = visitor().opens()
    link = invites(page, "Big Points")
    address, _, code = link.partition("#")
    assert address == page.url
    assert len(code) >= 8
    picture = page.get_by_role("img", name="QR code of the invitation")
    assert picture.bounding_box()["width"] >= 100
    assert picture.locator("path").get_attribute("d").count("M") > 200
    page.get_by_role("button", name="Add a seat").click()
    expect(page.locator("main ol li")).to_have_count(3)
    assert comes(visitor(), link, "Grete").url == address  # the code is not left in the address
    friend = visitor()
    friend.allowed = ("404",)
    home = friend.opens()
    home.get_by_role("button", name="Join with a code").click()
    home.get_by_label("Code", exact=True).fill("222 222")
    home.get_by_role("button", name="Go to the table").click()
    home.get_by_text("No table has this code.").wait_for()
    home.get_by_label("Code", exact=True).fill(page.locator(".code strong").inner_text().lower())
    home.get_by_role("button", name="Go to the table").click()
    home.get_by_role("button", name="Sit down").click()
    home.get_by_text("You have a seat.").wait_for()
    assert home.url == address
    page.get_by_role("button", name="Begin").click()
    page.locator(".seats li").nth(2).wait_for()


def test_two_people_play_by_link_through_a_reload_and_a_restart(browser, tmp_path):
    with own_server(browser, tmp_path) as (server, visitor):
        host, guest = visitor(), visitor()
        host.allowed = guest.allowed = AWAY
        first, second = meet(host, guest, "Big Points")
        for page in (first, second, first):
            takes_turn(page)
        second.reload()
        takes_turn(second)
        expect(first.locator(".log li.move")).to_have_count(moves(second))

        assert server.stop() == 0
        for page in (first, second):
            page.get_by_text("Connection lost.").wait_for()
        server.start()
        for page in (first, second, first, second):
            takes_turn(page)
        for page in (first, second):
            expect(page.get_by_text("Connection lost.")).to_be_hidden()

        other = second.context
        second.close()
        expect(first.locator(".seats li:not(.turn)")).to_contain_text("away")
        second = other.new_page()
        second.goto(first.url)
        expect(first.locator(".seats li:not(.turn)")).to_contain_text("here")

        gives_up(first)
        for page in (first, second):
            page.locator(ENDED).wait_for()
        assert re.fullmatch(r"You resigned\. .+ wins\.", first.locator(ENDED).inner_text())
        assert re.fullmatch(r".+ resigned\. You win\.", second.locator(ENDED).inner_text())
        assert second.locator(".log li").last.inner_text() == "You win."
        second.get_by_role("link", name="All games").click()
        second.get_by_role("heading", name="What shall we play?").wait_for()
        second.go_back()

        first.get_by_role("button", name="Another game").click()
        first.get_by_role("dialog").get_by_role("button", name="Rondo").click()
        second.get_by_role("button", name="On to Rondo").click()
        for page in (first, second):
            page.locator(".seats li").nth(1).wait_for()
            expect(page.get_by_role("heading", name="Rondo")).to_be_visible()
        takes_turn(in_turn(first, second)[0])


def test_everybody_sees_who_asks_for_a_hint_but_not_what_it_says(visitor):
    first, second = meet(visitor({"text": False}), visitor({"text": False}), "Big Points")
    first.get_by_role("button", name="Hint", exact=True).locator("visible=true").first.click()
    first.locator("[data-hint=pawn]").wait_for()
    assert first.locator(".log li").last.inner_text() == "You ask for a hint."
    expect(second.locator(".log li").last).to_have_text(re.compile(r".+ asks for a hint\."))
    expect(second.locator(".seats li.turn .bulb")).to_be_visible()
    assert second.locator("[data-hint], .tray .hint").count() == 0
    first.locator("[data-tray=choices] .hinted").click()
    first.locator("[data-tray=choices] .hinted").click()
    expect(second.locator(".seats .bulb")).to_have_count(0)


def test_a_phone_that_slept_keeps_its_seat_and_shows_what_happened_meanwhile(visitor):
    host, guest = visitor(), visitor()
    guest.allowed = ("ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED")
    pages = first, second = meet(host, guest, "Big Points")
    if first.context is guest.context:
        takes_turn(first)
        first, second = second, first
    sleeper = guest.context.new_cdp_session(second)
    sleeper.send("Page.setWebLifecycleState", {"state": "frozen"})
    guest.context.set_offline(True)
    takes_turn(first)
    first.locator(".seats .coin.away").wait_for()
    guest.context.set_offline(False)
    sleeper.send("Page.setWebLifecycleState", {"state": "active"})
    expect(second.locator(".log li.move")).to_have_count(moves(first))
    takes_turn(second)
    for page in pages:
        expect(page.locator(".log li.move")).to_have_count(moves(second))
        expect(page.locator(".seats .coin.away")).to_have_count(0)


def test_a_reaction_is_shown_to_the_others_until_they_hide_them(visitor):
    first, second = meet(visitor(), visitor(), "Big Points")
    second.get_by_role("button", name="React").press("Enter")
    second.get_by_role("button", name="Bravo!").press("Enter")
    for page in (first, second):
        page.locator(".seats .reaction").wait_for()
        expect(page.get_by_text(re.compile(": Bravo!"))).to_have_count(1)
    expect(first.locator(".seats .reaction")).to_have_count(0)
    first.get_by_role("button", name="React").click()
    first.get_by_role("button", name="Hide reactions").click()
    assert not first.get_by_role("button", name="React").count()
    gives_up(first)
    second.get_by_role("button", name="React").click()
    second.get_by_role("button", name="Thank you!").click()
    expect(second.get_by_text(re.compile(": Thank you!"))).to_have_count(1)
    assert not first.get_by_text(re.compile(": Thank you!")).count()


def test_nobody_reads_or_receives_what_is_on_anothers_rack(visitor):
    people = visitor(), visitor()
    for one in people:
        one.context.add_init_script(LISTEN)
    pages = meet(*people, "Rondo")
    seen: dict[Page, set[str]] = {page: racks(page) for page in pages}
    for mine, others in (pages, pages[::-1]) * 10:
        if all(len(seen[one] - seen[other]) >= 2 for one, other in (pages, pages[::-1])):
            break
        takes_turn(mine)
        expect(others.locator(".log li.move")).to_have_count(moves(mine))
        for page in pages:
            seen[page] |= racks(page)
    for mine, others in (pages, pages[::-1]):
        received = [*mine.evaluate("received"), [mine.url, mine.content()]]
        told = "".join(text for path, text in received if "/preview" not in path)  # drafts may lead to the same rack
        secrets = seen[others] - seen[mine]
        assert len(secrets) >= 2
        assert any(sentence in told for sentence in seen[mine])
        assert not [sentence for sentence in secrets if sentence in told]
        racks_of_others = re.findall(r"(?:Grete|Player 1) has [^.]* on the rack", "".join(text for _, text in received))
        assert racks_of_others
        assert not [rack for rack in racks_of_others if re.search("purple|blue|yellow|green|red", rack)]


def test_a_device_that_is_passed_on_shows_nothing_before_the_next_person_is_there(visitor):
    page = visitor().opens()
    page.get_by_label("Set up a table for Rondo").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Your name").fill("Anna")
    bots, people = (sheet.get_by_role("group", name=name) for name in ("How many bots", "People at this device"))
    people.get_by_role("button", name="One more").click()
    for _ in range(2):
        bots.get_by_role("button", name="One fewer").click()
    sheet.get_by_label("Seat 2: Name").fill("Ben")
    sheet.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/table/*")

    asked = page.get_by_role("heading", name="Give the device to")
    asked.wait_for()
    name = "Anna" if "Anna" in asked.inner_text() else "Ben"
    hands: dict[str, set[str]] = {"Anna": set(), "Ben": set()}
    for _ in range(4):
        expect(asked).to_have_text(f"Give the device to {name}")
        here = page.get_by_role("button", name=f"I am {name}")
        here.wait_for()
        assert page.locator(".sheet, .choices, .log, .seats, [data-choice]").count() == 0
        assert "on the rack" not in page.content()
        here.click()
        page.locator(CHOICE).first.wait_for()
        other = {"Anna": "Ben", "Ben": "Anna"}[name]
        told = page.locator("main").inner_text()
        assert f"\n{other} has " in told
        assert f"\n{name} has " not in told
        assert "Your turn." in told
        hands[name] |= racks(page)
        while not asked.count():
            plays(page, seed=len(hands[name]), most=1)
            page.locator(CHOICE).or_(asked).first.wait_for()
        name = other
    assert all(hands.values())


def test_whoever_opens_a_full_public_table_watches_without_choices(visitor):
    player, friend = visitor().opens(), visitor()
    player.get_by_label("Set up a table for Big Points").click()
    opens_more(player.get_by_role("dialog")).get_by_label("List the table publicly").check()
    player.get_by_role("dialog").get_by_role("button", name="Begin").click()
    player.wait_for_url("**/table/*")
    player.locator(CHOICE).first.wait_for()

    watching = friend.opens()
    watching.get_by_role("link", name="Watch").first.click()
    assert watching.url == player.url
    watching.get_by_text("You’re watching.").wait_for()
    player.get_by_role("img", name="One person is watching").wait_for()
    takes_turn(player)
    player.locator(CHOICE).first.wait_for()
    expect(watching.locator(".log li.move")).to_have_count(moves(player))
    assert watching.locator(".choices, [data-choice]").count() == 0
    assert not watching.get_by_role("button", name="Undo").count()
    assert "You " not in watching.locator(".log").inner_text()


def test_playing_again_leads_both_to_one_new_table_that_begins_by_itself(visitor):
    first, second = meet(visitor(), visitor(), "Big Points")
    before = first.url
    takes_turn(first)
    gives_up(second)
    first.get_by_role("button", name="Rematch").click()
    second.get_by_role("button", name="Go to the next table").click()
    first, second = in_turn(first, second)
    assert first.url == second.url != before
    takes_turn(first)
    takes_turn(second)


def test_among_people_a_turn_is_taken_back_when_the_other_agrees(visitor):
    first, second = meet(visitor(), visitor(), "Big Points")
    takes_turn(first)
    first.get_by_role("button", name="Undo").click()
    first.get_by_text("The others haven’t answered yet.").wait_for()
    question = second.get_by_role("alertdialog")
    expect(question).to_contain_text("would like to take the last turn back.")
    question.get_by_role("button", name="Yes").click()
    for page in (first, second):
        expect(page.locator(".log li.undo")).to_have_text("A turn is taken back.")
        expect(page.get_by_role("alertdialog")).to_have_count(0)
    takes_turn(first)
    first.get_by_role("button", name="Undo").click()
    question.get_by_role("button", name="No").click()
    first.get_by_text("says no.").first.wait_for()
    takes_turn(second)
    assert not second.get_by_text("Practice").count()


def test_against_bots_a_turn_is_taken_back_at_once_and_it_is_practice(visitor):
    page = visitor().opens()
    begins_at_once(page, "Big Points")
    takes_turn(page)
    page.locator(CHOICE).first.wait_for()
    page.get_by_role("button", name="Undo").click()
    page.locator("header").get_by_text("Practice", exact=True).wait_for()
    assert page.locator(".log li.undo").count() == 1
    page.locator(CHOICE).first.wait_for()
    assert not page.locator(OWN_MOVE).count()  # it is not in the log as if played
    page.locator(".log li.undo summary").click()
    expect(page.locator(".log li.undo p").first).to_contain_text("You ")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_two_tabs_have_one_stream_and_the_other_takes_it_over(visitor):
    somebody = visitor()
    streams: list[str] = []
    somebody.context.on("request", lambda request: opens_stream(request) and streams.append(request.url))
    leading = somebody.opens()
    with somebody.context.expect_event("request", opens_stream):
        begins_at_once(leading, "Big Points")
    leading.locator(CHOICE).first.wait_for()
    following = somebody.opens(leading.url.removeprefix(somebody.address))
    takes_turn(leading)
    leading.locator(CHOICE).first.wait_for()
    expect(following.locator(".log li.move")).to_have_count(moves(leading))
    assert len(streams) == 1

    with somebody.context.expect_event("request", opens_stream):
        leading.close()
    takes_turn(following)
    following.locator(CHOICE).first.wait_for()
    assert len(streams) == 2
    assert following.locator(OWN_MOVE).count() >= 2
