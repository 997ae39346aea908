"""The web as an app: what it loads, remembers and plays, how it starts without a server, and records that are replayed."""

from __future__ import annotations

import base64
import json
import struct
import time
import zlib
from html.parser import HTMLParser

import httpx
from playwright.sync_api import Page, expect

from tests.browser.support.places import home, opens_settings, words
from tests.browser.support.playing import CHOICE, begins
from tests.support.server import Person

STILL = {"viewport": {"width": 768, "height": 640}, "reduced_motion": "reduce"}
FIRST_SCRIPTS = 100_000  # bytes, compressed
DROP = """
([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  const page = document.querySelector(".page");
  page.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true }));
  page.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}
"""
NOTES_STARTED = """
window.audio = { contexts: 0, notes: 0 };
window.AudioContext = class extends AudioContext {
  constructor(...given) {
    super(...given);
    window.audio.contexts++;
  }
};
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...given) {
  window.audio.notes++;
  return start.apply(this, given);
};
"""


def record(server) -> str:
    """A game of two bots that the first seat has left to them."""
    table = Person(server).open_table("bigpoints", "Ada", "level:1")
    table.play(0, steps=2)
    table.do("resign", seat=0)
    return table.record()


def test_the_manifest_names_icons_that_are_what_it_says(server):
    told = httpx.get(f"{server.address}/manifest.webmanifest", timeout=60)
    assert told.headers["content-type"].startswith("application/manifest+json")
    manifest = json.loads(told.text)
    assert {manifest["name"], manifest["short_name"]} == {"Spieltisch"}
    assert manifest["display"] == "standalone"
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])
    for icon in manifest["icons"]:
        answer = httpx.get(server.address + icon["src"], timeout=60)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
            width, height = struct.unpack(">II", answer.content[16:24])
            assert f"{width}x{height}" == icon["sizes"]


class Scripts(HTMLParser):
    """Notes what a page would run that does not come from a file."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = False
        self.inline: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.inside = tag in {"script", "style"}
        self.inline += [f"{tag} {name}" for name, _ in attrs if name.startswith("on") or name == "style"]

    def handle_data(self, data):
        if self.inside and data.strip():
            self.inline.append(data)

    def handle_endtag(self, tag):
        self.inside = False


def test_the_page_has_no_script_and_no_style_of_its_own(server):
    found = Scripts()
    found.feed(httpx.get(server.address, timeout=60).text)
    assert found.inline == []


def test_the_page_loads_little_script_at_first(visitor):
    guest = visitor(**STILL)
    sizes: dict[str, int] = {}

    def note(response) -> None:
        if response.request.resource_type == "script":
            sizes[response.url] = len(zlib.compress(response.body(), 9))

    guest.context.on("response", note)
    page = guest.opens()
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_load_state("networkidle")
    assert len(sizes) > 2
    assert sum(sizes.values()) <= FIRST_SCRIPTS, sizes


def test_the_app_starts_without_a_server_and_says_so(visitor):
    guest = visitor(**STILL)
    guest.allowed = ("net::ERR_INTERNET_DISCONNECTED", "net::ERR_FAILED", "404")  # a picture alone has no icon
    page = guest.opens()
    page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    page.reload()  # what the first visit loaded before the worker was there is kept now
    page.locator("article .lid svg").nth(2).wait_for()
    page.goto(guest.address + "/favicon.svg")  # whatever else is looked at is not kept as the app
    guest.context.set_offline(True)
    page.goto(guest.address)
    page.get_by_text("The server is not answering.").wait_for()
    guest.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    page.locator("article").nth(2).wait_for()


def replay_is_used(page: Page) -> None:
    """The slider, the buttons and the keys all lead to the same steps."""
    page.wait_for_url("**/replay")
    slider = page.get_by_role("slider", name="Step")
    slider.wait_for()
    last = int(slider.get_attribute("max") or 0)
    assert last > 3
    step = page.locator(".chip.number")

    def at(number: int) -> None:
        expect(step).to_have_text(f"Step {number} of {last}")

    at(1)  # after the deal, before the first move
    page.keyboard.press("ArrowLeft")
    at(0)
    page.get_by_text("The beginning.").wait_for()
    first = page.locator(".position").inner_text()
    page.keyboard.press("ArrowRight")
    at(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    at(1)
    page.keyboard.press("End")
    at(last)
    assert page.locator(".position").inner_text() != first
    page.keyboard.press("ArrowRight")
    at(last)
    page.keyboard.press("Home")
    at(0)
    assert page.locator(".position").inner_text() == first
    slider.focus()
    page.keyboard.press("End")
    at(last)
    page.get_by_label("One step back").click()
    at(last - 1)
    page.get_by_label("To the start").click()
    at(0)


def test_a_record_that_is_chosen_is_replayed(visitor, server):
    page = visitor(**STILL).opens()
    file = {"name": "evening.game", "mimeType": "text/plain", "buffer": record(server).encode()}
    page.get_by_label("Watch a saved game").set_input_files(file)
    replay_is_used(page)
    page.get_by_label("Seen by").select_option("Ada")
    page.get_by_label("Close").click()
    page.get_by_role("heading", name="What shall we play?").wait_for()


def test_a_record_that_is_dropped_is_replayed(visitor, server):
    page = visitor(**STILL).opens()
    page.get_by_role("heading", level=1).wait_for()
    page.evaluate(DROP, ["evening.game", record(server)])
    replay_is_used(page)


def test_a_replay_runs_by_itself_and_stops(visitor, server):
    page = visitor(**STILL).opens()
    page.clock.install()
    page.get_by_role("heading", level=1).wait_for()
    page.evaluate(DROP, ["evening.game", record(server)])
    page.get_by_role("slider").wait_for()
    page.clock.pause_at(time.time() + 3600)
    page.get_by_title("Speed").select_option("fast")
    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(1100)  # two steps and a bit
    page.get_by_text("Step 3 of").wait_for()
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(5000)
    page.get_by_text("Step 3 of").wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(200_000)
    page.get_by_role("button", name="Play", exact=True).wait_for()
    last = page.get_by_role("slider").get_attribute("max")
    expect(page.locator(".chip.number")).to_have_text(f"Step {last} of {last}")


def test_a_broken_record_is_answered_by_a_sentence(visitor, server):
    guest = visitor(**STILL)
    guest.allowed = ("the server responded with a status of 4",)
    page = guest.opens()
    for broken in ("This is no record.", "", record(server).replace("seats", "chairs", 1)[:200]):
        page.get_by_role("heading", level=1).wait_for()
        page.evaluate(DROP, ["broken.game", broken])
        page.get_by_role("alert").wait_for()
        said = page.get_by_role("alert").inner_text().strip()
        assert said.endswith("."), said
        assert "Something went wrong" not in said
        home(page)


def test_a_picture_is_no_record_either(visitor):
    guest = visitor(**STILL)
    guest.allowed = ("the server responded with a status of 4",)
    page = guest.opens()
    noise = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAA//79") * 50
    file = {"name": "evening.png", "mimeType": "image/png", "buffer": noise}
    page.get_by_label("Watch a saved game").set_input_files(file)
    page.get_by_role("alert").wait_for()


def test_settings_are_remembered(visitor):
    guest = visitor(**STILL)
    page = guest.opens()
    home(page)
    sheet = opens_settings(page)
    sheet.get_by_label("Your name").fill("Änne")
    sheet.get_by_label("Appearance").select_option("dark")
    sheet.get_by_label("Animations").select_option("off")
    sheet.get_by_label("Ask before my turn is played").check()
    sheet.get_by_label("Symbols on colours").uncheck()
    sheet.get_by_label("Language").select_option("nl")
    page.reload()
    root = page.locator("html")
    expect(root).to_have_attribute("lang", "nl")
    for name, value in {"theme": "dark", "speed": "off", "symbols": "off"}.items():
        expect(root).to_have_attribute(f"data-{name}", value)
    sheet = opens_settings(page)
    expect(sheet.locator("input").first).to_have_value("Änne")
    expect(sheet.locator("select").nth(1)).to_have_value("dark")
    expect(sheet.get_by_label(words("nl")["settings.confirm"])).to_be_checked()
    expect(sheet.get_by_label(words("nl")["settings.symbols"])).not_to_be_checked()


def test_a_button_rests_under_a_pointer_at_its_edge(visitor):
    """Once it rose from under the pointer, fell back, and so on, and could hardly be clicked."""
    page = visitor().opens()
    button = page.locator("article .primary").first
    button.wait_for()
    resting = button.bounding_box()
    page.mouse.move(resting["x"] + resting["width"] / 2, resting["y"] + resting["height"] - 0.5)
    page.wait_for_function(
        "at => document.querySelector('article .primary').getBoundingClientRect().y < at", arg=resting["y"]
    )
    assert (
        page.evaluate(
            """async () => {
          const seen = new Set();
          for (let frame = 0; frame < 10; frame++) {
            await new Promise(requestAnimationFrame);
            seen.add(document.querySelector("article .primary").getBoundingClientRect().y);
          }
          return seen.size;
        }"""
        )
        == 1
    )


def test_a_turn_is_confirmed_by_those_who_want_to(visitor):
    guest = visitor({"confirm": True}, **STILL)
    page = guest.opens()
    page.locator("article .primary").first.click()
    page.locator(".choices .button").first.click()
    page.get_by_role("heading", name="Your turn is complete.").wait_for()
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("heading", name="Your turn: what do you choose?").wait_for()
    page.locator(".choices .button").first.click()
    page.get_by_role("button", name="Done", exact=True).click()
    page.get_by_role("button", name="Done", exact=True).wait_for(state="detached")


def test_the_theme_follows_the_device_until_the_person_chooses(visitor):
    page = visitor(**STILL, color_scheme="dark").opens()
    ground = "getComputedStyle(document.body).backgroundColor"
    page.get_by_role("button", name="Daylight").click()
    light = page.evaluate(ground)
    page.get_by_role("button", name="Evening light").click()
    dark = page.evaluate(ground)
    assert dark != light
    page.emulate_media(color_scheme="light")
    assert page.evaluate(ground) == dark


def heard(page: Page) -> dict[str, int]:
    found: dict[str, int] = page.evaluate("window.audio")
    return found


def test_nothing_sounds_before_a_tap_and_then_moves_do(visitor):
    ada = visitor()
    ada.context.add_init_script(NOTES_STARTED)
    page = ada.opens()
    begins(page, "Big Points")
    page.reload()
    page.locator(CHOICE).first.wait_for()  # the turn has started, and would be announced
    assert heard(page) == {"contexts": 0, "notes": 0}
    page.locator("h1").first.click()
    page.wait_for_function("window.audio.contexts === 1")
    page.locator(CHOICE).first.click()
    page.wait_for_function("window.audio.notes > 0")
    assert heard(page)["contexts"] == 1


def test_sounds_can_be_switched_off_for_good(visitor):
    ada = visitor()
    ada.context.add_init_script(NOTES_STARTED)
    page = ada.opens()
    volume = opens_settings(page).get_by_label("Sounds")
    expect(volume).to_have_value("normal")
    volume.select_option("off")
    page.reload()
    expect(opens_settings(page).get_by_label("Sounds")).to_have_value("off")
    page.keyboard.press("Escape")
    begins(page, "Big Points")
    page.locator(CHOICE).first.click()
    page.locator(".log li.move").first.wait_for()
    assert heard(page) == {"contexts": 0, "notes": 0}
