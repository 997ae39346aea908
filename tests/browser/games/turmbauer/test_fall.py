"""A closer look at Turmbauer's tower: how it falls, in motion and as a still, and what carries what."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import httpx
import pytest
from playwright.sync_api import Page, expect

from spieltisch.core.game import Chance, Decision
from spieltisch.games.turmbauer import GAME
from spieltisch.records import Move, Record, begin, write
from tests.browser.conftest import Visitor
from tests.browser.games.turmbauer.test_turmbauer import FLAT, FRAME, goes_on, sits_down
from tests.support.server import Person, TableClient

SMALL = {"viewport": {"width": 640, "height": 480}}  # so that the processor, which draws here, is soon done
MOVES = {"text": False, "speed": "normal"}
STILL = {"text": False}
TURNS = [  # solid stones first, then bold ones that the record lets stand until four of them fall
    ("2d", "@0,0,1;1,0,1", "stands"),
    ("2d", "@0,1,1;1,1,1", "stands"),
    ("1c", "@2,0,0", "stands"),
    ("1n", "@-1,0,0", "stands"),
    ("2d", "@1,0,2;2,0,2", "fall 1"),
    ("2d", "@1,1,2;2,1,2", "stands"),
    ("2d", "@2,1,3;3,1,3", "stands"),
    ("1n", "@2,1,4", "stands"),
    ("1c", "@3,1,4", "fall 4"),
]
LOADS = 5  # in the first four stones and the foundation
ROLLS = [f"{low}+{high}" for low in range(1, 7) for high in range(low, 7)]
MOMENT = "document.querySelector('canvas').dataset.moment"


def made() -> Record:
    """A game of four colours with a stone that falls, and a collapse."""
    game = GAME.for_replay
    setup = game.agree(2, options={"hand": "calm"})
    state, entries = game.initial(setup), []

    def do(text: str) -> None:
        nonlocal state
        asked = game.pending(state)
        entries.append(Move(asked.seat if isinstance(asked, Decision) else None, text))
        state = game.apply(state, game.read(state, text))

    for stone, place, verdict in TURNS:
        asked = game.pending(state)
        if isinstance(asked, Chance):
            do(next(roll for roll in ROLLS if stone in _stones(state, roll)))
        for text in (stone, place, verdict):
            do(text)
        if verdict == "stands":
            do(".")
    assert state.fallen == 4
    return Record((replace(begin(GAME, setup, {0: "Ada", 1: "Ben"}), entries=tuple(entries)),))


def _stones(state, roll: str) -> list[str]:
    """The stones that a roll allows."""
    game = GAME.for_replay
    after_roll = game.apply(state, game.read(state, roll))
    asked = game.pending(after_roll)
    assert isinstance(asked, Decision)
    return [game.write(after_roll, action) for action in asked.actions]


RECORD = write(made())
STEPS = [entry.text for entry in made().games[0].entries]
FIRST_FALL = STEPS.index("fall 1") + 1


@pytest.fixture
def replayed(visitor: Callable[..., Visitor]) -> Callable[..., Page]:
    """Opens the replay of that game, as soon as it is drawn."""

    def opens(settings: dict[str, object], flat: bool = False, **kind: object) -> Page:
        one = visitor(settings, **{**SMALL, **kind})
        if flat:
            one.context.add_init_script(FLAT)
        page = one.opens("/replay")
        file = {"name": "fall.game", "mimeType": "text/plain", "buffer": RECORD.encode()}
        page.get_by_label("Watch a saved game").set_input_files(file)
        page.locator("input[type=range]:not([max='0'])").last.wait_for()
        page.wait_for_function("() => document.querySelector('.tower svg')" if flat else f"() => ({FRAME})() > 0")
        return page

    return opens


def goes_to(page: Page, step: int) -> None:
    """One step before, and then forward onto it."""
    slider = page.locator("input[type=range]:not([max='0'])").last
    slider.fill(str(step - 1))
    slider.fill(str(step))


def is_moving(page: Page, length: float = 1e9) -> None:
    """Waits for a moment in the middle of a fall of so many seconds."""
    page.wait_for_function(f"() => Number({MOMENT}) > 0.2 && Number({MOMENT}) < {length}")


def test_a_collapse_is_played_and_played_again_slowly(replayed):
    page = replayed(MOVES)
    goes_to(page, len(STEPS))
    expect(page.locator(".fell.sheet")).to_contain_text("4 stones fell: the tower has collapsed.")
    is_moving(page)
    assert int(page.locator("canvas").get_attribute("data-calls") or 99) <= 30
    page.locator(".fell.sheet").get_by_role("button", name="Skip").click()
    again = page.get_by_role("button", name="Once more, slowly")
    again.wait_for()
    length = float(page.evaluate(MOMENT))
    assert length > 1
    again.click()
    is_moving(page, length)
    page.mouse.click(5, 240)  # any tap ends it
    again.wait_for()
    page.wait_for_function(f"() => Number({MOMENT}) === {length}")
    page.locator(".turmbauer button").first.focus()
    page.keyboard.press("s")
    is_moving(page, length)
    page.keyboard.press("x")
    again.wait_for()


def test_a_stone_that_falls_is_put_back(replayed):
    page = replayed(MOVES)
    goes_to(page, FIRST_FALL)
    expect(page.locator(".fell.sheet")).to_contain_text("One stone fell. Everything is put back.")
    is_moving(page)
    page.get_by_role("button", name="Once more, slowly").wait_for()  # it has run to its end
    assert page.evaluate(MOMENT)
    page.mouse.click(5, 240)
    page.wait_for_function(f"() => {MOMENT} === ''")
    expect(page.locator(".fell.sheet")).to_be_visible()
    slider = page.locator("input[type=range]:not([max='0'])").last
    slider.fill(str(FIRST_FALL + 1))
    expect(page.locator(".fell.sheet")).to_have_count(0)


def test_who_wants_no_motion_sees_how_it_lies(replayed):
    page = replayed(MOVES, reduced_motion="reduce")
    goes_to(page, len(STEPS))
    page.wait_for_function(f"() => Number({MOMENT}) > 1")
    expect(page.locator(".fell.sheet")).to_contain_text("4 stones fell")
    expect(page.locator(".fell.sheet button")).to_have_count(0)


def test_what_carries_what_is_drawn_and_told(replayed, server):
    step = FIRST_FALL - 4  # after the first round
    asked = {"record": RECORD, "game": 0, "viewer": None, "entry": step}
    inside = httpx.post(f"{server.address}/api/replays/inside", json=asked, timeout=60).json()["inside"]
    assert len(inside["loads"]) == LOADS
    page = replayed(STILL)
    goes_to(page, step)
    page.get_by_role("button", name="What carries what").click()
    expect(page.locator("canvas")).to_have_attribute("data-loads", str(LOADS))
    expect(page.locator(".numbers .rim")).to_have_count(4)
    page.get_by_role("button", name="In words").click()
    rows = page.get_by_role("dialog").locator("tbody tr")
    expect(rows).to_have_count(LOADS)
    expect(rows.first).to_have_text(re.compile(r"Table\s*Foundation\s*8"))
    expect(rows.nth(1)).to_have_text(re.compile(r"Foundation\s*(Red|Blue), 2 cubes, floor 2\s*2"))
    page.keyboard.press("Escape")
    goes_to(page, step + 1)
    expect(page.locator("canvas")).to_have_attribute("data-loads", "0")
    expect(page.locator(".legend")).to_have_count(0)


def test_without_webgl_it_is_told_in_words(replayed):
    page = replayed(STILL, flat=True)
    goes_to(page, len(STEPS))
    expect(page.locator(".fell.sheet")).to_contain_text("4 stones fell")
    expect(page.locator(".fell.sheet button")).to_have_count(0)
    goes_to(page, FIRST_FALL - 4)
    page.locator(".turmbauer button").first.focus()
    page.keyboard.press("c")
    expect(page.get_by_role("dialog").locator("tbody tr")).to_have_count(LOADS)


def test_whoever_builds_boldly_sees_it_fall_and_builds_again(visitor):
    page = visitor({**MOVES, "name": "Ada"}, **SMALL).opens()
    sits_down(page)
    goes_on(page)
    long = page.locator(".tray .stone.lit[data-kind='2d']")
    if not long.count():  # not with these dice
        page.locator(".tray .ring", has_text="Free choice").click()
    long.click()
    bold = page.get_by_role("button", name="Previous fit")
    bold.click()
    for _ in range(12):  # half of it over an edge
        page.locator(".firmness strong").wait_for()
        if page.locator(".firmness strong.falls").count():
            break
        bold.click()
    page.get_by_role("button", name="Build", exact=True).click()
    page.locator(".fell.sheet").wait_for()
    expect(page.locator(".fell.sheet")).to_contain_text("One stone fell")
    is_moving(page)
    page.get_by_role("button", name="Once more, slowly").wait_for()
    page.locator(".tray .stone.lit:enabled, .tray .ring:enabled").first.click()
    page.wait_for_function(f"() => {MOMENT} === ''")


def tries_in_vain(at: TableClient) -> None:
    """Builds something that falls."""
    now = at.play(0, steps=0)
    stones = [one["text"] for one in now["position"]["choices"]]
    asked = {"seat": 0, "version": now["version"]}
    stone = next(one for one in ("2d", "a2d") if one in stones)
    for place in at.ask("preview", **asked, draft=[stone])["choices"]:
        draft = [stone, place["text"]]
        if at.ask("preview", **asked, draft=draft)["signs"] == ["firm.falls"]:
            at.do("actions", **asked, draft=draft)
            return
    raise AssertionError(now)


def test_after_three_tries_one_is_told_that_the_last_stone_goes_into_the_box(visitor, server):
    at = Person(server).open_table("turmbauer", "Ada", "level:1", games=1, options={"hand": "calm"})
    for _ in range(3):
        tries_in_vain(at)
    at.play(0, steps=0)
    page = visitor(STILL, **SMALL).opens()
    page.evaluate("(secret) => (localStorage['spieltisch.secret'] = JSON.stringify(secret))", at.person.secret)
    page.goto(f"{server.address}/table/{at.table}")
    expect(page.locator(".tray h2")).to_have_text("Three tries have failed")
    expect(page.locator(".tray")).to_contain_text("the last stone goes into the box")
    page.locator(".tray .ring", has_text="Into the box").click()
    expect(page.locator(".tray h2")).to_have_text(re.compile("pawn"))  # the turn goes on
