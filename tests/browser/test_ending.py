"""The end of a game, what home remembers of it, and who may see it: at tables that were played before."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, WIDE, Visitor, visitors
from tests.browser.support.fitting import misfits
from tests.support.server import Server, running_server

GOLDEN = Path(__file__).parents[1] / "table" / "golden" / "tables-1.sql"
BIGPOINTS, RONDO, TURMBAUER = "255d097a5031597e", "c4ec3cca1c409a12", "99ade3a28daa2f71"
MATCH, RESIGNED = "0be8eb45d52ffc7a", "319ffd70548512c3"
ADA = """try { localStorage["spieltisch.secret"] ??= '"golden-ada-0000000000000000"'; } catch {}"""  # about:blank has no storage
MAKE_LINK, CLOSE_LINK = "Make a link", "Close the link"
Make = Callable[..., Visitor]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with tables at which Ada has played."""
    folder = tmp_path_factory.mktemp("played")
    with contextlib.closing(sqlite3.connect(folder / "tables.sqlite")) as database:
        database.executescript(GOLDEN.read_bytes().decode())
        database.commit()
    with running_server(folder) as server:
        yield server


@pytest.fixture
def guest(browser: Browser, played: Server) -> Iterator[Make]:
    with visitors(browser, played) as make:
        yield make


@pytest.fixture
def ada(guest: Make) -> Make:
    def make(settings: dict[str, Any] = {}, **kind: Any) -> Visitor:  # noqa: B006 - never changed
        visitor = guest(settings, **kind)
        visitor.context.add_init_script(ADA)
        return visitor

    return make


def ended(visitor: Visitor, table: str) -> Page:
    page = visitor.opens(f"/table/{table}")
    page.locator(".winner").wait_for()
    return page


@pytest.mark.parametrize("kind", [PHONE, WIDE], ids=["phone", "desktop"])
def test_the_end_says_who_won_by_how_much_and_why_and_keeps_the_rematch_in_reach(ada, kind):
    visitor = ada({"text": False}, **kind)
    for table, headline, reason in (
        (BIGPOINTS, "Bot 1 wins by 16 points.", "What made the difference: 7 yellow discs worth 4 points each."),
        (RONDO, "Ben wins by 9 points.", "More stones laid face up: 6 against 2."),
        (TURMBAUER, "Bot 1 wins.", "Your stone brought the tower down."),
    ):
        page = ended(visitor, table)
        expect(page.locator(".winner")).to_have_text(headline)
        expect(page.locator(".reason")).to_have_text(reason)
        for name in ("Rematch", "Replay", "Share"):
            expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
        if table == BIGPOINTS and kind is PHONE:
            expect(page.locator("details[open] summary").first).to_contain_text("Ada")
        assert misfits(page) == []
        page.close()


def test_a_resignation_says_what_it_means_and_a_match_has_standings(ada):
    visitor = ada()
    page = ended(visitor, RESIGNED)
    expect(page.locator(".winner")).to_have_text("Ben resigned. You win.")
    page.goto(f"{visitor.address}/table/{MATCH}")
    expect(page.get_by_role("heading", name="wins the match by")).to_be_visible()
    assert page.locator("section section tbody tr").count() == 3


def test_a_finished_game_is_shared_as_a_picture_and_by_a_link_that_can_be_closed(ada, guest):
    page, stranger = ended(ada(), RONDO), guest()
    stranger.allowed = ("404",)
    other = stranger.opens(f"/table/{RONDO}")
    other.get_by_text("This table is private or no longer exists.").wait_for()
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_text("This table is private: only those who played can open this game.")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the picture").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    page.get_by_role("button", name=MAKE_LINK).click()
    other.goto(page.get_by_label("Link to this game").input_value())
    expect(other.locator(".winner")).to_have_text("Ben wins by 9 points.")
    assert not other.get_by_role("button", name="Rematch").count()
    other.get_by_role("button", name="Replay", exact=True).click()
    other.get_by_role("heading", name="Moves").wait_for()
    page.get_by_role("button", name=CLOSE_LINK).click()
    page.get_by_role("button", name=MAKE_LINK).wait_for()
    other.goto(page.url)
    other.get_by_text("This table is private or no longer exists.").wait_for()


def test_home_remembers_finished_games_until_they_are_deleted_after_a_question(ada):
    visitor = ada()
    page = ended(visitor, TURMBAUER)
    for table in (RESIGNED, BIGPOINTS):
        page.goto(f"{visitor.address}/table/{table}")
        page.locator(".winner").wait_for()
    page.goto(visitor.address)
    past = page.get_by_role("region", name="Finished")
    expect(past.get_by_role("listitem")).to_have_count(3)
    page.reload()
    expect(past.get_by_role("link", name="Bot 1 won 58 : 42")).to_contain_text("Big Points with Bot 1")
    past.get_by_role("link", name="You won: Ben resigned").click()
    expect(page.locator(".winner")).to_have_text("Ben resigned. You win.")
    page.goto(visitor.address)

    past.get_by_role("button", name="Delete: You won: Ben resigned").click()
    page.get_by_role("button", name="Cancel").click()
    expect(past.get_by_role("listitem")).to_have_count(3)
    past.get_by_role("button", name="Delete: You won: Ben resigned").click()
    page.get_by_role("button", name="Remove from this list").click()
    past.get_by_role("button", name="Delete: Bot 1 won 58 : 42").click()
    page.get_by_role("button", name="Delete for everyone").click()
    expect(past.get_by_role("listitem")).to_have_count(1)
    page.reload()
    expect(past.get_by_role("listitem")).to_have_count(1)
    visitor.allowed = ("404",)
    page.goto(f"{visitor.address}/table/{BIGPOINTS}")
    page.get_by_text("This table is private or no longer exists.").wait_for()
    page.goto(f"{visitor.address}/table/{RESIGNED}")
    expect(page.locator(".winner")).to_have_text("Ben resigned. You win.")


def test_a_replay_begins_at_the_first_move_and_lists_the_moves(ada):
    page = ended(ada(), RONDO)
    page.get_by_role("button", name="Replay", exact=True).click()
    page.get_by_text("Step 1 of").wait_for()
    moves = page.get_by_role("navigation", name="Moves")
    expect(moves.locator("[aria-current]")).to_have_text("Everyone has drawn 2 stones.")
    fourth = moves.get_by_role("button").nth(4)
    fourth.click()
    expect(fourth).to_have_attribute("aria-current", "step")
    expect(page.locator(".tray p[aria-live]")).to_have_text(fourth.inner_text())
    page.get_by_label("To the start").click()
    page.get_by_text("Step 0 of").wait_for()
    page.get_by_label("One step forward").click()
    expect(moves.locator("[aria-current]")).to_have_text("Everyone has drawn 2 stones.")
