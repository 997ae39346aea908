"""Films: a whole game as one animated SVG document.

Every shape is written once, with the frames in which it is seen as CSS keyframes. A viewer that does not animate, or a
reader who wants less motion, sees the last frame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final, TypeAlias

from spieltisch.core.game import Viewer
from spieltisch.core.picture import Canvas, PictureStyle, Shape
from spieltisch.core.picture.document import background, caption, document
from spieltisch.core.picture.svg import Markup, element, group, number
from spieltisch.gameplay.progress import AnyProgress
from spieltisch.i18n.message import Audience
from spieltisch.pictures.still import Frame, cut, draw, plies

PACE: Final = 1.0  # seconds per frame
LAST: Final = 4.0  # seconds that the last frame is seen

Frames: TypeAlias = frozenset[int]


def frames(progress: AnyProgress, audience: Audience, style: PictureStyle) -> Iterator[Frame]:
    """The position after every decision, from the start on."""
    for ply in range(plies(progress) + 1):
        yield draw(cut(progress, ply), audience, style)


def film(
    progress: AnyProgress, viewer: Viewer, names: Sequence[str], language: str = "en", *, dark: bool = False
) -> str:
    """The whole game as an animated SVG document that loops."""
    style = PictureStyle(dark, language)
    shots = list(frames(progress, Audience(names, viewer), style))
    canvas = Canvas(style)
    seen: dict[Shape, set[int]] = {}
    for at, shot in enumerate(shots):
        for shape in (*shot.picture.shapes, Shape((99, 0), caption(canvas, shot.caption))):
            seen.setdefault(shape, set()).add(at)
    ground = background(canvas)
    definitions = dict(canvas.picture().definitions)
    for shot in shots:
        definitions.update(shot.picture.definitions)
    shapes = [(shape.markup, frozenset(seen[shape])) for shape in sorted(seen)]
    sheet = Stylesheet(len(shots), _prefix(shapes))
    body = list(sheet.runs(shapes))
    last = shots[-1]
    return document([sheet.markup(), ground, *body], definitions, last.title, last.description)


def _prefix(shapes: Sequence[tuple[Markup, Frames]]) -> str:
    """A prefix for the names of a film, since a page may have several and other elements."""
    content = "".join(f"{markup}{sorted(shown)}" for markup, shown in shapes)
    return f"s{sha256(content.encode()).hexdigest()[:4]}-"


class Stylesheet:
    """The animations of a film: one class per set of frames in which something is seen."""

    def __init__(self, length: int, prefix: str) -> None:
        self._length = length
        self._prefix = prefix
        self._seconds = (length - 1) * PACE + LAST
        self._names: dict[Frames, str] = {}

    def runs(self, shapes: Sequence[tuple[Markup, Frames]]) -> Iterator[Markup]:
        """The shapes in order; neighbours that are seen in the same frames share a group."""
        start = 0
        for at in range(1, len(shapes) + 1):
            if at < len(shapes) and shapes[at][1] == shapes[start][1]:
                continue
            markup, shown = [shape for shape, _ in shapes[start:at]], shapes[start][1]
            start = at
            if len(shown) == self._length:
                yield from markup
            else:
                yield group(*markup, class_=self._name(shown))

    def _name(self, shown: Frames) -> str:
        return self._names.setdefault(shown, f"{self._prefix}{len(self._names)}")

    def markup(self) -> Markup:
        """The style element."""
        last = self._length - 1
        rules = [f"[class^={self._prefix}]{{visibility:hidden;animation:{number(self._seconds)}s step-end infinite}}"]
        for shown, name in self._names.items():
            rules.append(f".{name}{{{'visibility:visible;' if last in shown else ''}animation-name:{name}}}")
            rules.append(f"@keyframes {name}{{{''.join(self._steps(shown))}}}")
        rules.append(f"@media(prefers-reduced-motion:reduce){{[class^={self._prefix}]{{animation:none}}}}")
        return element("style", Markup("".join(rules)))

    def _steps(self, shown: Frames) -> Iterator[str]:
        """The moments at which something appears or disappears."""
        for at in range(self._length):
            if at == 0 or (at in shown) != (at - 1 in shown):
                share = number(100 * at * PACE / self._seconds, 3)
                yield f"{share}%{{visibility:{'visible' if at in shown else 'hidden'}}}"
