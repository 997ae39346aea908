"""Pictures of positions: the protocol of a game's picture.py, and the canvas that games draw on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from spieltisch.core.picture.palette import DARK, LIGHT, Paint, Theme, paint
from spieltisch.core.picture.svg import Attribute, Markup, element
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import Audience, Message

V_in = TypeVar("V_in", contravariant=True)


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float


WIDTH: Final = 960
HEIGHT: Final = 672
BOARD: Final = Box(16, 16, 640, 640)
SEATS: Final = Box(672, 16, 272, 640)


class PictureStyle(NamedTuple):
    """Style of a picture: light or dark, and the language."""

    dark: bool
    language: str

    def format(self, message: Message) -> str:
        """The message as a sentence in the style's language."""
        return format_message(message, self.language)


class Shape(NamedTuple):
    """A part of a picture, and its place in the order of painting: later shapes cover earlier ones.

    Shapes with the same place must not overlap.
    """

    order: tuple[float, float]
    markup: Markup


class Picture(NamedTuple):
    """A drawn table, WIDTH by HEIGHT: shapes, and the definitions that they refer to by id."""

    shapes: Sequence[Shape]
    definitions: Mapping[str, Markup]


class Draw(Protocol[V_in]):
    """A game's pictures: the function `draw` in its picture.py."""

    def __call__(self, view: V_in, audience: Audience, style: PictureStyle, before: V_in | None) -> Picture:
        """The table as this viewer may see it.

        What is different from `before`, the same viewer's view at the start of the last turn, is marked.
        """
        ...


AnyDraw: TypeAlias = Draw[Any]


class Canvas:
    """Collects the shapes of a picture."""

    def __init__(self, style: PictureStyle) -> None:
        self.style = style
        self.theme: Theme = DARK if style.dark else LIGHT
        self._prefix = "d-" if style.dark else "l-"  # two pictures on one page may have different themes
        self._shapes: list[Shape] = []
        self._definitions: dict[str, Markup] = {}

    def paint(self, name: str) -> Paint:
        """The colours of a piece in this theme."""
        return paint(name, dark=self.style.dark)

    def add(self, markup: Markup, layer: float, order: float = 0) -> None:
        """Adds a shape: layers are painted in order, and within a layer shapes are, too."""
        self._shapes.append(Shape((layer, round(order, 3)), markup))

    def define(self, name: str, build: Callable[[str], Markup]) -> str:
        """The id of a definition; `build` is called with the id when it is needed for the first time."""
        key = self._prefix + name
        if key not in self._definitions:
            made = build(key)
            self._definitions[key] = made  # after what it refers to
        return key

    def use(self, name: str, build: Callable[[str], Markup], transform: str, **attributes: Attribute) -> Markup:
        """A copy of a definition, moved and scaled."""
        return element("use", href=f"#{self.define(name, build)}", transform=transform, **attributes)

    def url(self, name: str, build: Callable[[str], Markup]) -> str:
        """A gradient or pattern as a value for `fill` or `stroke`."""
        return f"url(#{self.define(name, build)})"

    def picture(self) -> Picture:
        """Everything that was drawn, in the order of painting."""
        return Picture(sorted(self._shapes), dict(self._definitions))
