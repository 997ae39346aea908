"""Bitmaps: pictures as PNG (extra `pictures`), and films as animated GIF (extra `films`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple

from spieltisch.core.game import MissingExtra, Refusal, Viewer
from spieltisch.core.picture import WIDTH, PictureStyle
from spieltisch.core.picture.document import still
from spieltisch.core.picture.palette import DARK, LIGHT
from spieltisch.core.picture.svg import SANS
from spieltisch.gameplay.progress import AnyProgress
from spieltisch.i18n.message import Audience, message_factory
from spieltisch.pictures.film import LAST, PACE
from spieltisch.pictures.still import cut, draw, plies

if TYPE_CHECKING:
    from PIL.Image import Image

_say = message_factory("")
_COLOURS: Final = 256
WIDEST_FILM: Final = 1280  # pixels: all frames are in memory at once
FILM_WIDTHS: Final = (640, 512, 400)  # that are tried
MOST_BYTES: Final = 2_000_000  # what chats accept


class TooWide(Refusal):
    """A film that would take too much memory."""

    code = "too-wide"


def png(svg: str, width: int = WIDTH) -> bytes:
    """An SVG document as PNG of that width in pixels; MissingExtra if the renderer is not installed."""
    if not find_spec("resvg_py"):
        raise _missing("pictures")
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
    width: int | None = None,
) -> bytes:
    """The whole game as an animated GIF that loops, of that width in pixels; by default 640, or less if it would be too large.

    Raises:
        MissingExtra: if the renderer is not installed.
        TooWide: if the film would take too much memory.

    """
    if not find_spec("PIL"):
        raise _missing("films")
    if width is not None and width > WIDEST_FILM:
        raise TooWide(_say("picture.wide", most=WIDEST_FILM))
    made = b""
    for tried in FILM_WIDTHS if width is None else (width,):
        made = Reel(progress, Audience(names, viewer), PictureStyle(dark, language), tried).gif()
        if len(made) <= MOST_BYTES:
            break
    return made


class Reel(NamedTuple):
    """The bitmaps of a film."""

    progress: AnyProgress
    audience: Audience
    style: PictureStyle
    width: int

    def gif(self) -> bytes:
        """The film."""
        last = plies(self.progress)
        palette = self._palette((0, last // 2, last))
        first, *others = (self._image(ply, palette) for ply in range(last + 1))
        times = [int(PACE * 1000)] * last + [int(LAST * 1000)]
        made = BytesIO()
        first.save(made, "GIF", save_all=True, append_images=others, duration=times, loop=0, optimize=True)
        return made.getvalue()

    def _palette(self, chosen: Sequence[int]) -> Image:
        """A common palette for the whole film, from a few positions.

        With one palette, pixels that do not change stay exactly the same, and cost nothing.
        """
        from PIL import Image  # noqa: PLC0415 - an extra

        images = [self._drawn(ply) for ply in chosen]
        sheet = Image.new("RGB", (self.width, sum(image.height for image in images)))
        for at, image in enumerate(images):
            sheet.paste(image, (0, at * image.height))
        return sheet.quantize(_COLOURS - 1)  # one is left for what stays the same

    def _image(self, ply: int, palette: Image) -> Image:
        """The position after that many decisions."""
        from PIL import Image  # noqa: PLC0415 - an extra

        return self._drawn(ply).quantize(palette=palette, dither=Image.Dither.NONE)

    def _drawn(self, ply: int) -> Image:
        """The position without transparency: the corners have the colour of the table."""
        from PIL import Image  # noqa: PLC0415 - an extra

        frame = draw(cut(self.progress, ply), self.audience, self.style)
        svg = still(frame.picture, self.style, frame.title, frame.description, frame.caption)
        drawn = Image.open(BytesIO(png(svg, self.width)))
        ground = Image.new("RGBA", drawn.size, (DARK if self.style.dark else LIGHT).table)
        return Image.alpha_composite(ground, drawn.convert("RGBA")).convert("RGB")


def _missing(extra: str) -> MissingExtra:
    return MissingExtra(_say("picture.extra", extra=f"spieltisch-core[{extra}]"))
