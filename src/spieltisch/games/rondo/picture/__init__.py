"""Pictures of Rondo: the wheel with its fields and stones, the bag, and the racks."""

from __future__ import annotations

from typing import Final

from spieltisch.core.picture import BOARD, Canvas, Picture, PictureStyle
from spieltisch.core.picture.pieces import badge, bag, disc, ring
from spieltisch.core.picture.seats import LAYER, Plate, plates, rack
from spieltisch.core.picture.svg import element, group, label, number, path, place
from spieltisch.games.rondo.board import CENTRE, LETTERS
from spieltisch.games.rondo.picture.layout import Layout, layout_of
from spieltisch.games.rondo.picture.wheel import frame, printed, tile, xy
from spieltisch.games.rondo.view import Field, Phase, Pile, View
from spieltisch.i18n.message import Audience, message_factory

say = message_factory("rondo")
COLOURS: Final = dict(zip(LETTERS, ("purple", "blue", "yellow", "green", "red"), strict=True))
_STONE: Final = 0.42  # the radius of a stone, in widths of a field
_HIGHEST: Final = 5  # drawn stones of a stack; a badge says how many there are
_RISE: Final = 0.09
_LARGEST: Final = 62.0  # pixels: the width of a field on a small board


def draw(view: View, audience: Audience, style: PictureStyle, before: View | None) -> Picture:
    """The table; the chain of the last turn is lit."""
    canvas = Canvas(style)
    layout = layout_of(view.setup.option("board"))
    u = min(BOARD.width / layout.width, BOARD.height / layout.height, _LARGEST)
    middle = place(BOARD.x + BOARD.width / 2, BOARD.y + BOARD.height / 2, u)
    canvas.add(group(frame(canvas, layout), transform=middle), 10)
    prints = [tile(canvas, layout, field.name) for field in view.fields if field.grey]
    prints += [printed(canvas, COLOURS[field.colour], field.value, *layout.spots[field.name]) for field in view.fields]
    canvas.add(group(*prints, transform=middle), 11)
    _draw_stones(canvas, view, before, layout, u)
    _draw_corners(canvas, view)
    _draw_seats(canvas, view, before, audience)
    return canvas.picture()


def is_covered(field: Field) -> bool:
    return field.face_up > 0 or field.bridge is not None


def _chain(view: View, before: View | None) -> list[str]:
    """The fields that were laid on in the last turn."""
    if before is None:
        return []
    return [
        now.name
        for now, then in zip(view.fields, before.fields, strict=True)
        if (now.face_up, now.bridge) != (then.face_up, then.bridge)
    ]


def _draw_stones(canvas: Canvas, view: View, before: View | None, layout: Layout, u: float) -> None:
    chain = _chain(view, before)
    _draw_trail(canvas, view, chain, layout, u)
    for field in view.fields:
        if not is_covered(field):
            continue
        x, y = layout.spots[field.name]
        x, y = BOARD.x + BOARD.width / 2 + x * u, BOARD.y + BOARD.height / 2 + y * u
        if field.bridge is not None:
            canvas.add(disc(canvas, "back", x, y, _STONE * u), 20, y)
            if field.hidden:
                canvas.add(disc(canvas, COLOURS[field.hidden], x + 0.3 * u, y + 0.26 * u, 0.2 * u), 22, y)
        else:
            height = min(_HIGHEST, field.face_up)
            stack = [
                disc(
                    canvas, COLOURS[field.colour], x, y - _RISE * u * at, _STONE * u,
                    marked=at == height - 1, shaded=at == 0,
                )
                for at in range(height)
            ]  # fmt: skip
            canvas.add(stack[0] if height == 1 else group(*stack), 20, y)
            if field.face_up > 1:
                canvas.add(badge(canvas, x + 0.34 * u, y + 0.3 * u, 0.2 * u, str(field.face_up)), 22, y)
        if field.name in chain:
            canvas.add(ring(canvas, x, y + 0.02 * u, 0.43 * u), 21, y)


def _draw_trail(canvas: Canvas, view: View, chain: list[str], layout: Layout, u: float) -> None:
    """The links between the fields of the chain, and one over which it is attached."""
    covered = {field.name for field in view.fields if is_covered(field)} | {CENTRE}
    links = [link for link in layout.links if set(link) <= {*chain}]
    outward = [link for link in layout.links if len({*link} & {*chain}) == 1 and {*link} <= covered]
    if not chain:
        return
    if outward:
        links.append(min(outward, key=lambda link: (CENTRE not in link, link)))
    drawn = "".join(f"M{xy(*layout.spots[one])}L{xy(*layout.spots[other])}" for one, other in links)
    trail = group(
        path(drawn, stroke=canvas.theme.lit_line, stroke_width=0.3),
        path(drawn, stroke=canvas.theme.trail, stroke_width=0.22),
        stroke_linecap="round",
        transform=place(BOARD.x + BOARD.width / 2, BOARD.y + BOARD.height / 2, u),
    )
    canvas.add(trail, 15)


def _draw_corners(canvas: Canvas, view: View) -> None:
    """The bag with the number of its stones, and how many grey fields are covered."""
    theme = canvas.theme
    canvas.add(bag(canvas, BOARD.x + 26, BOARD.y + 36, 0.85), 30)
    size = label(BOARD.x + 58, BOARD.y + 44, str(view.bag.size), 26, theme.ink, weight=700, serif=True)
    canvas.add(size, 30)
    grey = sorted((is_covered(field) for field in view.fields if field.grey), reverse=True)
    rows = (len(grey) + 3) // 4
    for at, covered in enumerate(grey):
        row, column = divmod(at, 4)
        spot = element(
            "rect", x=number(BOARD.x + 4 + 20 * column), y=number(BOARD.y + BOARD.height - 20 * (rows - row)), width=15,
            height=15, rx=3, fill=theme.grey_line if covered else theme.grey_tile, stroke=theme.grey_line,
            stroke_width=1.5, fill_opacity=1 if covered else 0.25,
        )  # fmt: skip
        canvas.add(spot, 30)


def _draw_seats(canvas: Canvas, view: View, before: View | None, audience: Audience) -> None:
    def gained(seat: int) -> str:
        points = view.scores[seat] - before.scores[seat] if before else 0
        return f"+{points}" if points else ""

    seats = [
        Plate(
            name,
            str(view.scores[seat]),
            gained(seat),
            to_move=seat == view.seat and view.phase is not Phase.OVER,
            won=view.outcome is not None and view.outcome.ranks[seat] == 1,
        )
        for seat, name in enumerate(audience.names)
    ]
    for box, pile in zip(plates(canvas, seats, 56), view.racks, strict=True):
        canvas.add(rack(canvas, box.x, box.y + box.height - 8, box.width), LAYER + 1)
        for at, colour in enumerate(_stones(pile)):
            canvas.add(disc(canvas, colour, box.x + 24 + 48 * at, box.y + box.height - 29, 20), LAYER + 2)


def _stones(pile: Pile) -> list[str]:
    """The stones of a rack by their paints; `back` if the viewer may not know them."""
    if pile.stones is None:
        return ["back"] * pile.size
    return [COLOURS[letter] for letter, n in zip(LETTERS, pile.stones, strict=True) for _ in range(n)]
