"""Pictures of Pebbles: every seat's pile of pebbles, the bag, and the hands on the name plates."""

from __future__ import annotations

from typing import Final

from spieltisch.core.picture import BOARD, Canvas, Picture, PictureStyle
from spieltisch.core.picture.pieces import bag, disc, ring
from spieltisch.core.picture.seats import LAYER, Plate, plates, rack
from spieltisch.core.picture.svg import element, fit, label, number
from spieltisch.games.template.view import Pile, View
from spieltisch.i18n.message import Audience, message_factory

say = message_factory("template")
_COLOURS: Final = ("red", "blue", "green")


def draw(view: View, audience: Audience, style: PictureStyle, before: View | None) -> Picture:
    """The piles in rows, one per seat; pebbles that were laid in the last turn are ringed."""
    canvas = Canvas(style)
    _draw_bag(canvas, view)
    row = min(120.0, (BOARD.height - 110) / view.setup.players)
    for seat, name in enumerate(audience.names):
        _draw_pile(canvas, view, before, seat, name, BOARD.y + 110 + row * seat, row)
    seats = [
        Plate(
            name,
            str(view.outcome.scores[seat]) if view.outcome else "",
            to_move=seat == view.seat and view.outcome is None,
            won=view.outcome is not None and view.outcome.ranks[seat] == 1,
        )
        for seat, name in enumerate(audience.names)
    ]
    for seat, box in enumerate(plates(canvas, seats, 56)):
        canvas.add(rack(canvas, box.x, box.y + box.height - 8, box.width), LAYER + 1)
        for at, colour in enumerate(_colours(view.hands[seat])):
            canvas.add(disc(canvas, colour, box.x + 30 + 56 * at, box.y + box.height - 30, 21), LAYER + 2)
    return canvas.picture()


def _colours(pile: Pile) -> list[str]:
    """The pebbles of a pile by their paints; `back` if the viewer may not know them."""
    if pile.pebbles is None:
        return ["back"] * pile.size
    return [colour for colour, n in zip(_COLOURS, pile.pebbles, strict=True) for _ in range(n)]


def _draw_bag(canvas: Canvas, view: View) -> None:
    theme = canvas.theme
    canvas.add(bag(canvas, BOARD.x + 52, BOARD.y + 52), 10)
    sentence = canvas.style.format(say("bag", n=view.bag.size))
    canvas.add(label(BOARD.x + 100, BOARD.y + 60, fit(sentence, 19, 520), 19, theme.ink, serif=True, weight=600), 10)


def _draw_pile(canvas: Canvas, view: View, before: View | None, seat: int, name: str, y: float, height: float) -> None:
    """A row in a groove: pebbles face up, then those face down with a dashed ring."""
    shown, hidden = view.shown[seat], view.hidden[seat]
    colours = _colours(shown) + _colours(hidden)
    groove = element(
        "rect", x=BOARD.x, y=number(y + 24), width=BOARD.width, height=number(height - 38),
        rx=number((height - 38) / 2), fill=canvas.theme.groove,
    )  # fmt: skip
    canvas.add(groove, 10)
    canvas.add(label(BOARD.x + 14, y + 16, fit(name, 16, 600), 16, canvas.theme.ink_2, weight=600), 10)
    r = min(30.0, (height - 50) / 2)
    step = min(2.2 * r, (BOARD.width - 3 * r) / max(1, len(colours) - 1))
    fresh = _fresh(view, before, seat)
    middle = y + 24 + (height - 38) / 2
    for at, colour in enumerate(colours):
        x = BOARD.x + 1.5 * r + step * at
        canvas.add(disc(canvas, colour, x, middle, r), 20, at)
        if at in fresh or at >= shown.size:
            canvas.add(ring(canvas, x, middle, r * 1.02, dashed=at not in fresh), 20, at + 0.5)


def _fresh(view: View, before: View | None, seat: int) -> set[int]:
    """The places in the row of the pebbles that were laid in the last turn; the last of each colour stand for them."""
    if before is None:
        return set()
    places, start = set[int](), 0
    for now, then in ((view.shown[seat], before.shown[seat]), (view.hidden[seat], before.hidden[seat])):
        if now.pebbles is None or then.pebbles is None:
            places |= set(range(start + then.size, start + now.size))
            start += now.size
            continue
        for more, less in zip(now.pebbles, then.pebbles, strict=True):
            start += more
            places |= set(range(start - max(0, more - less), start))
    return places
