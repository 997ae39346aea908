"""The drawing kit of pictures: markup, text, the canvas, and the palette that it shares with the web."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from spieltisch.core.picture import Canvas, PictureStyle
from spieltisch.core.picture.document import caption, still
from spieltisch.core.picture.palette import BROWN_3D, DARK, LIGHT, SYMBOLS, mix, paint
from spieltisch.core.picture.pieces import disc, pawn
from spieltisch.core.picture.seats import Plate, plates
from spieltisch.core.picture.svg import element, escape, fit, label, number, text_width, wrap

WEB = Path(__file__).parents[2] / "web"
SVG = "{http://www.w3.org/2000/svg}"
STYLE = PictureStyle(False, "en")


def variables(sheet: str, theme: str) -> dict[str, str]:
    """The CSS variables of a theme, from a style sheet of the web."""
    found: dict[str, str] = {}
    text = re.sub(r"/\*.*?\*/", "", (WEB / sheet).read_text("utf-8"), flags=re.DOTALL)
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        if theme in [one.strip().replace('"', "") for one in selectors.split(",")]:
            found |= dict(re.findall(r"--([\w-]+)\s*:\s*([^;]+)", body))
    return {name: value.strip() for name, value in found.items()}


def rgb(value: str) -> str:
    """A colour such as "255 196 70" as #rrggbb."""
    return "#" + "".join(f"{int(part):02x}" for part in value.split())


def with_alpha(value: str) -> tuple[str, float]:
    """A colour #rrggbbaa as a colour and an opacity."""
    return value[:7], round(int(value[7:], 16) / 255, 2)


@pytest.mark.parametrize(("theme", "selector"), [(LIGHT, ":root"), (DARK, ":root[data-theme=dark]")])
def test_the_table_has_the_colours_of_the_web(theme, selector):
    app = variables("app.css", selector)
    plain = ["table", "groove", "dent", "board", "paper", "line", "edge", "ink", "ok", "bad", "lit", "trail"]
    assert {name: getattr(theme, name) for name in plain} == {name: app[name] for name in plain}
    hyphened = ["paper_2", "ink_2", "lit_line", "wheel_rim", "wheel_paper", "grey_tile", "grey_line"]
    assert {name: getattr(theme, name) for name in hyphened} == {name: app[name.replace("_", "-")] for name in hyphened}
    assert (theme.glow, theme.shade) == (rgb(app["glow"]), rgb(app["shade"]))
    assert [theme.lamp, theme.rim, theme.grain] == [with_alpha(app[name]) for name in ("lamp", "rim", "grain")]


@pytest.mark.parametrize(("theme", "selector"), [(LIGHT, ":root"), (DARK, ":root[data-theme=dark]")])
def test_pieces_have_the_light_and_shade_of_the_web(theme, selector):
    sheet = variables("art/palette.css", selector)
    near, far = float(sheet["piece-shade-near"]), float(sheet["piece-shade-far"])
    assert theme.piece_shade == (rgb(sheet["piece-shade"]), near, far)
    assert theme.piece_glow == (float(sheet["piece-glow-near"]), float(sheet["piece-glow-far"]))
    assert theme.hatch == sheet["piece-hatch"]
    assert theme.pawn_rim == (None if sheet["pawn-rim"] == "initial" else sheet["pawn-rim"])


@pytest.mark.parametrize(("dark", "selector"), [(False, ":root"), (True, ":root[data-theme=dark]")])
def test_pieces_have_the_colours_of_the_web(dark, selector):
    always, themed = variables("art/palette.css", ":root"), variables("art/palette.css", selector)
    names = [name.removesuffix("-on") for name in always if name.endswith("-on")]
    assert len(names) == 10
    for name in names:
        coat = paint(name, dark=dark)
        assert (coat.solid, coat.on, coat.edge) == (always[name], always[f"{name}-on"], themed[f"{name}-edge"])
        assert (coat.ink, coat.tint) == (themed.get(f"{name}-ink", ""), themed.get(f"{name}-tint", ""))
    assert f'BROWN_3D = "{BROWN_3D}"' in (WEB / "art/palette.ts").read_text("utf-8")


def test_every_colour_has_the_symbol_of_the_web():
    text = (WEB / "art/symbols.ts").read_text("utf-8")
    assert dict(re.findall(r'(\w+):\s+"(M[^"]+)"', text)) == SYMBOLS


def test_a_mixture_lies_between_its_two_colours():
    assert mix("#000000", "#ffffff", 0.2) == "#333333"
    assert (mix("#20559f", "#ffffff", 0), mix("#20559f", "#ffffff", 1)) == ("#20559f", "#ffffff")


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "0"), (-0.04, "0"), (0.5, ".5"), (-0.25, "-.2"), (100, "100"), (12.04, "12"), (3.06, "3.1")],
)
def test_numbers_are_short(value, written):
    assert number(value) == written


def test_text_cannot_become_markup():
    name = '<script>alert("&")</script>\x00\ud800\x1b'
    text = label(1, 2, name, 12, "#000")
    assert ET.fromstring(text).text == '<script>alert("&")</script>' + "\ufffd" * 3
    assert ET.fromstring(element("a", b=name)).get("b") == '<script>alert("&")</script>' + "\ufffd" * 3
    assert escape("a & b") == "a &amp; b"


def test_a_long_name_ends_with_an_ellipsis():
    assert fit("Ida", 16, 100) == "Ida"
    short = fit("Konstantin-Maximilian", 16, 100)
    assert short.endswith("…")
    assert text_width(short, 16) <= 100


def test_a_long_sentence_is_wrapped_and_then_cut():
    sentence = "one two three four five six seven eight nine ten " * 4
    lines = wrap(sentence, 16, 300, 2)
    assert len(lines) == 2
    assert lines[1].endswith("…")
    assert all(text_width(line, 16) <= 300 for line in lines)
    assert wrap("short", 16, 300, 2) == ["short"]
    assert wrap("", 16, 300, 2) == [""]


def test_shapes_are_painted_by_layer_and_then_by_order():
    canvas = Canvas(STYLE)
    for layer, order in ((2, 0), (1, 5), (1, -5)):
        canvas.add(element("g", id=f"{layer}/{order}"), layer, order)
    assert [shape.order for shape in canvas.picture().shapes] == [(1, -5), (1, 5), (2, 0)]


def test_a_document_can_be_read_without_any_other_file():
    canvas = Canvas(STYLE)
    plates(canvas, [Plate("Ben <b>", "7", to_move=True), Plate("Ida", "", won=True), Plate("Eve", "1", pawn="red")], 50)
    canvas.add(disc(canvas, "blue", 10, 10, 5), 1)
    canvas.add(pawn(canvas, "black", 10, 10, 5), 1)
    text = still(canvas.picture(), STYLE, "Title & more", "What <there> is", "A caption")
    root = ET.fromstring(text)
    assert root.get("viewBox") == "0 0 960 728"
    assert root.get("role") == "img"
    assert (root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")) == ("Title & more", "What <there> is")
    ids = {one.get("id") for one in root.iter() if one.get("id")}
    used = set(re.findall(r'(?:href="|url\()#([\w-]+)', text))
    assert used
    assert used <= ids
    assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]


def test_pictures_of_both_themes_can_be_on_one_page():
    ids = []
    for dark in (False, True):
        canvas = Canvas(PictureStyle(dark, "en"))
        disc(canvas, "blue", 0, 0, 1)
        ids.append(set(canvas.picture().definitions))
    assert not ids[0] & ids[1]


def test_a_caption_has_at_most_two_lines():
    for text in ("", "Short.", "A long sentence about what happened. " * 20):
        assert caption(Canvas(STYLE), text).count("<text") <= 2
