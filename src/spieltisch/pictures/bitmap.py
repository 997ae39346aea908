"""Bitmaps: pictures as PNG, and films as animated GIF; needs the extra `pictures`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Final

from spieltisch.core.game import MissingExtra, Viewer
from spieltisch.core.picture import WIDTH, PictureStyle
from spieltisch.core.picture.document import still
from spieltisch.core.picture.palette import DARK, LIGHT
from spieltisch.core.picture.svg import SANS
from spieltisch.gameplay.progress import AnyProgress
from spieltisch.i18n.message import Audience, message_factory
from spieltisch.pictures.film import LAST, PACE, frames

if TYPE_CHECKING:
    from PIL.Image import Image

_say = message_factory("")
_COLOURS: Final = 256


def png(svg: str, width: int = WIDTH) -> bytes:
    """An SVG document as PNG, so many pixels wide; MissingExtra if the renderer is not installed."""
    if not find_spec("resvg_py"):
        raise _missing()
    import resvg_py  # noqa: PLC0415 - an extra

    rendered: bytes = resvg_py.svg_to_bytes(svg_string=svg, width=width)
    return rendered


@cache
def has_fonts() -> bool:
    """Whether this computer has a font for the text of bitmaps."""
    empty = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" width="20" height="20">{}</svg>'
    text = f'<text y="15" font-family="{SANS}">M</text>'
    return png(empty.format(text), 20) != png(empty.format(""), 20)


def animate(
    progress: AnyProgress,
    viewer: Viewer,
    names: Sequence[str],
    language: str = "en",
    *,
    dark: bool = False,
    width: int = 640,
) -> bytes:
    """The whole game as an animated GIF that loops; MissingExtra if the renderer is not installed."""
    if not find_spec("PIL"):
        raise _missing()
    style = PictureStyle(dark, language)
    first, *others = _reduced(list(_images(progress, Audience(names, viewer), style, width)))
    times = [int(PACE * 1000)] * len(others) + [int(LAST * 1000)]
    made = BytesIO()
    first.save(made, "GIF", save_all=True, append_images=others, duration=times, loop=0, optimize=True)
    return made.getvalue()


def _images(progress: AnyProgress, audience: Audience, style: PictureStyle, width: int) -> Iterator[Image]:
    """The frames without transparency: the corners have the colour of the table."""
    from PIL import Image  # noqa: PLC0415 - an extra

    for frame in frames(progress, audience, style):
        svg = still(frame.picture, style, frame.title, frame.description, frame.caption)
        drawn = Image.open(BytesIO(png(svg, width)))
        ground = Image.new("RGBA", drawn.size, (DARK if style.dark else LIGHT).table)
        yield Image.alpha_composite(ground, drawn.convert("RGBA")).convert("RGB")


def _reduced(images: Sequence[Image]) -> list[Image]:
    """The images with one common palette, chosen from the first, the middle and the last.

    Pixels that do not change then stay exactly the same, and cost nothing.
    """
    from PIL import Image  # noqa: PLC0415 - an extra

    chosen = [images[0], images[len(images) // 2], images[-1]]
    sheet = Image.new("RGB", (images[0].width, sum(image.height for image in chosen)))
    for at, image in enumerate(chosen):
        sheet.paste(image, (0, at * image.height))
    palette = sheet.quantize(_COLOURS - 1)  # one is left for what stays the same
    return [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]


def _missing() -> MissingExtra:
    return MissingExtra(_say("picture.extra", extra="spieltisch-core[pictures]"))
