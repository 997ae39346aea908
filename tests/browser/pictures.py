"""Pictures of the web: `python -m tests.browser.pictures` takes those of the documents, with a folder every one."""

from __future__ import annotations

import base64
import struct
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright
from scipy.cluster.vq import kmeans2
from scipy.spatial import KDTree

from spieltisch import registry
from tests.browser import chromium
from tests.browser.conftest import set_before
from tests.browser.support.places import (
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
    words,
)
from tests.support.server import running_server

ROOT = Path(__file__).parents[2]
DOCUMENTS = ROOT / "docs" / "pictures"
SIZES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True},
    "desktop": {"viewport": {"width": 1440, "height": 900}},
}
BOARDS = {**SIZES, "tablet": {"viewport": {"width": 768, "height": 1024}}}
SIGHTS = ("protanopia", "deuteranopia", "tritanopia")
ACT = (
    ".tray .choices .button:enabled, .tray .offer:enabled, .tray .primary:enabled, .board [role=button], "
    ".tray .lit:enabled, .tray .ring:enabled, .tray .stepper button:last-child:enabled, .fell .primary"
)
MIDDLE = 20  # things pressed
MOST_COLOURS = 256
PIXELS = """
async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, width, height);
  let text = "";
  for (let at = 0; at < data.length; at += 30000) text += String.fromCharCode(...data.subarray(at, at + 30000));
  return { width, height, pixels: btoa(text) };
}
"""
FINELY = """
const ask = WebGL2RenderingContext.prototype.getParameter;
WebGL2RenderingContext.prototype.getParameter = function (what) {
  return what === 0x9246 ? "a card" : ask.call(this, what);
};
"""  # what is in space is drawn as a graphics card would
THEMES = ("light", "dark")
LANGUAGES = ("de", "en", "es", "fr", "it", "nl")


def take(page: Page, file: Path) -> None:
    """A picture in 256 colours, which is small and looks the same."""
    page.wait_for_timeout(300)  # what moves comes to rest
    shot = page.screenshot(scale="css", animations="disabled", caret="hide")
    told = page.evaluate(PIXELS, base64.b64encode(shot).decode())
    height, width, pixels = told["height"], told["width"], base64.b64decode(told["pixels"])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(written(np.frombuffer(pixels, np.uint8).reshape(height, width, 4)[..., :3]))


def written(picture: np.ndarray) -> bytes:
    """A picture as PNG with a palette."""
    height, width, _ = picture.shape
    colours, where = np.unique(picture.reshape(-1, 3), axis=0, return_inverse=True)
    palette = colours
    if len(colours) > MOST_COLOURS:
        seen = np.random.default_rng(0).choice(picture.reshape(-1, 3), 30_000).astype(float)
        found, _ = kmeans2(seen, MOST_COLOURS, minit="++", seed=0, missing="warn")
        palette = np.unique(found.round().clip(0, 255).astype(np.uint8), axis=0)
        where = KDTree(palette).query(colours)[1][where]
    rows = np.zeros((height, width + 1), np.uint8)  # every row begins with its filter: none
    rows[:, 1:] = where.reshape(height, width)
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", palette.tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )


@contextmanager
def visiting(browser: Browser, address: str, language: str, size: str, theme: str) -> Iterator[Page]:
    context = browser.new_context(**BOARDS[size], locale=language, color_scheme=theme)
    set_before(context, name="Ada")
    context.add_init_script(FINELY)
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(address)
    home(page)
    yield page
    context.close()


def document(browser: Browser, address: str) -> None:
    """The pictures of the documents: the home page, and a game of each kind in the middle."""
    with visiting(browser, address, "en", "desktop", "light") as page:
        take(page, DOCUMENTS / "home.png")
    for game in registry.offered():
        record = max((ROOT / "src/spieltisch/games" / game.name / "tests/golden").glob("*.game"))
        with visiting(browser, address, "en", "desktop", "light") as page:
            page.goto(f"{address}/replay")
            page.locator("input[type=file]").set_input_files(record)
            slider = page.locator("input[type=range]:not([max='0'])").last
            slider.wait_for()
            slider.fill(str(int(slider.get_attribute("max") or 0) * 3 // 5))
            slider.blur()
            page.wait_for_timeout(2000)  # what is drawn in space needs a while
            take(page, DOCUMENTS / f"{game.name}.png")


def everything(browser: Browser, address: str, folder: Path) -> None:
    for size in SIZES:
        for theme in THEMES:
            for language in LANGUAGES:
                with visiting(browser, address, language, size, theme) as page:
                    take(page, folder / f"home-{size}-{theme}-{language}.png")
                    sits_down(page)
                    may_choose(page)
                    take(page, folder / f"table-{size}-{theme}-{language}.png")
            with visiting(browser, address, "en", size, theme) as page:
                others(page, lambda name, size=size, theme=theme: folder / f"{name}-{size}-{theme}.png")


def boards(browser: Browser, address: str, folder: Path) -> None:
    """Every game's table as it opens, in the middle, and at the end; and as people see it who see fewer colours."""
    for size in BOARDS:
        for theme in THEMES:
            with visiting(browser, address, "en", size, theme) as page:
                for game in range(page.locator("article").count()):
                    name = f"game-{game + 1}-{size}-{theme}"
                    sits_down(page, game, ("bot.level:1", "bot.level:1"))
                    may_act(page)
                    take(page, folder / f"opening-{name}.png")
                    acts(page, MIDDLE)
                    take(page, folder / f"middle-{name}.png")
                    if size == "desktop" and theme == "light":
                        sights(page, lambda sight, name=name: folder / f"{sight}-{name}.png")
                    ends(page)
                    take(page, folder / f"end-{name}.png")
                    home(page)


def sights(page: Page, file: Any) -> None:
    """The same picture for the three kinds of colour-blindness."""
    devtools = page.context.new_cdp_session(page)
    for sight in SIGHTS:
        devtools.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
        take(page, file(sight))
    devtools.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
    devtools.detach()


def may_act(page: Page) -> None:
    page.locator(f"{ACT}, .winner").first.wait_for()


def acts(page: Page, times: int) -> None:
    """Presses what can be chosen in the tray, or on the board where the tray offers nothing; ends with the game."""
    for turn in range(times):
        may_act(page)
        if page.locator(".winner").count():
            return
        found = page.locator(ACT)
        found.nth(turn % max(1, found.count())).dispatch_event("click")
        page.wait_for_timeout(40)


def ends(page: Page) -> None:
    """A bot plays on; any key shows at once what it does."""
    if not page.locator(".winner").count():
        menu = opens_menu(page, "en")
        menu.get_by_role("button", name=words("en")["menu.lend"]).click()
    while not page.locator(".winner").count():
        page.keyboard.press("Shift")
        page.wait_for_timeout(200)


def others(page: Page, file: Any) -> None:
    """The places that one language shows well enough."""
    opens_settings(page)
    take(page, file("settings"))
    closes(page)
    opens_set_up(page)
    take(page, file("set-up"))
    closes(page)
    opens_rules(page)
    take(page, file("rules"))
    home(page)
    gathers(page)
    take(page, file("gathering"))
    home(page)
    sits_down(page, 1, ("device",))
    page.locator("main[data-theme=dark]").wait_for()
    take(page, file("pass"))
    home(page)
    sits_down(page, 2)
    may_choose(page)
    take(page, file("table-3"))
    gives_up(page, "en")
    take(page, file("end"))
    replays(page, "en")
    take(page, file("replay"))


def main(folder: Path | None) -> None:
    with (
        tempfile.TemporaryDirectory() as data,
        running_server(Path(data)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        if folder:
            everything(browser, server.address, folder)
            boards(browser, server.address, folder)
        else:
            document(browser, server.address)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
