"""Films: every frame of an animated picture shows the position after one more decision."""

from __future__ import annotations

import re
from io import BytesIO
from xml.etree import ElementTree as ET

import pytest

from spieltisch import pictures, registry
from spieltisch.core.game import MissingExtra
from tests.pictures.test_still import DRAWN, NAMES, SVG, draw, progress_of

MOST = 2_000_000  # bytes of a film


def film_of(progress, **options) -> str:
    return pictures.film(progress, None, NAMES[: progress.setup.players], **options)


def seen(sheet: str, name: str, seconds: float) -> list[tuple[float, bool]]:
    """The moments, in seconds, at which a class appears or disappears."""
    steps = re.search(rf"@keyframes {name}{{(.*?}})}}", sheet)
    assert steps
    found = re.findall(r"([\d.]+)%{visibility:(\w+)}", steps[1])
    return [(float(share) * seconds / 100, state == "visible") for share, state in found]


def markup_at(root: ET.Element, moment: float) -> list[str]:
    """The shapes that a film shows at a moment, in the order of painting."""
    sheet = root.findtext(f"{SVG}style") or ""
    seconds = float(re.search(r"animation:([\d.]+)s", sheet)[1])
    shown = []
    for part in root:
        name = part.get("class")
        if name is None:
            shown.append(part)
        elif [state for at, state in seen(sheet, name, seconds) if at <= moment + 1e-3][-1]:
            shown += part
    return [
        re.sub(r"\s+", " ", ET.tostring(part, encoding="unicode")).strip() for part in shown if part.tag not in HEAD
    ]


HEAD = {f"{SVG}{name}" for name in ("title", "desc", "defs", "style")}


@pytest.mark.parametrize("name", DRAWN)
def test_a_film_shows_every_position_for_a_second(name):
    progress = pictures.cut(progress_of(name), 5)
    root = ET.fromstring(film_of(progress))
    for ply in range(6):
        still = ET.fromstring(draw(pictures.cut(progress, ply)))
        assert markup_at(root, ply + 0.5) == markup_at_still(still)


def markup_at_still(root: ET.Element) -> list[str]:
    return [re.sub(r"\s+", " ", ET.tostring(part, encoding="unicode")).strip() for part in root if part.tag not in HEAD]


@pytest.mark.parametrize("name", DRAWN)
def test_a_film_of_a_whole_game_can_be_put_into_a_chat(name):
    assert len(film_of(progress_of(name)).encode()) < MOST


def test_a_reader_who_wants_less_motion_sees_the_end():
    progress = pictures.cut(progress_of("template"), 3)
    sheet = ET.fromstring(film_of(progress)).findtext(f"{SVG}style")
    assert "prefers-reduced-motion" in sheet
    seconds = float(re.search(r"animation:([\d.]+)s step-end infinite", sheet)[1])
    for name, visible in re.findall(r"\.(s\w{4}-\d+){(visibility:visible;)?", sheet):
        assert bool(visible) == seen(sheet, name, seconds)[-1][1]


def test_films_on_one_page_do_not_disturb_each_other_or_the_page():
    progress = progress_of("template")
    names = [set(re.findall(r"@keyframes ([\w-]+)", film_of(pictures.cut(progress, ply)))) for ply in (3, 4)]
    assert names[0]
    assert not names[0] & names[1]
    sheet = ET.fromstring(film_of(progress)).findtext(f"{SVG}style")
    for selector in re.findall(r"(?:^|}|{)([^{}@%]+){", sheet):
        assert re.fullmatch(r"\.s\w{4}-\d+|\[class\^=s\w{4}-\]|[\d.]+", selector), selector


def test_a_film_as_gif_has_a_frame_per_decision_and_loops():
    image = pytest.importorskip("PIL.Image")
    progress = pictures.cut(progress_of("template"), 3)
    made = pictures.animate(progress, None, NAMES[: progress.setup.players], width=200)
    film = image.open(BytesIO(made))
    assert (film.n_frames, film.size, film.info["loop"]) == (4, (200, 152), 0)
    times = []
    for frame in range(film.n_frames):
        film.seek(frame)
        times.append(film.info["duration"])
    assert times == [1000, 1000, 1000, 4000]


def test_a_gif_that_would_be_too_large_is_made_narrower(monkeypatch):
    image = pytest.importorskip("PIL.Image")
    monkeypatch.setattr("spieltisch.pictures.bitmap.FILM_WIDTHS", (200, 100))
    progress = pictures.cut(progress_of("template"), 1)
    for most, width in ((MOST, 200), (1, 100)):
        monkeypatch.setattr("spieltisch.pictures.bitmap.MOST_BYTES", most)
        made = pictures.animate(progress, None, NAMES[: progress.setup.players])
        assert image.open(BytesIO(made)).width == width


@pytest.mark.parametrize("dark", [False, True])
def test_a_png_has_the_size_and_is_not_blank(dark):
    image = pytest.importorskip("PIL.Image")
    svg = draw(pictures.cut(progress_of("template"), 3), dark=dark)
    drawn = image.open(BytesIO(pictures.png(svg, 480)))
    assert drawn.format == "PNG"
    assert drawn.size == (480, 364)
    colours = drawn.convert("RGB").resize((60, 46)).getcolors(60 * 46)
    assert len(colours) > 200


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setattr("spieltisch.pictures.bitmap.find_spec", lambda name: None)
    progress = pictures.cut(progress_of("template"), 1)
    makers = {
        "pictures": lambda: pictures.png("<svg/>"),
        "films": lambda: pictures.animate(progress, None, NAMES[:4]),
    }
    for extra, make in makers.items():
        with pytest.raises(MissingExtra) as refused:
            make()
        assert dict(refused.value.message.arguments) == {"extra": f"spieltisch-core[{extra}]"}


def test_every_game_is_drawn():
    assert registry.names() == tuple(DRAWN)
