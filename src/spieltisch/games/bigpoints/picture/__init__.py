"""Pictures of Big Points: the winding track with its discs and pawns, the staircase, and the hands."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.core.picture import BOARD, Box, Canvas, Picture, PictureStyle
from spieltisch.core.picture.pieces import badge, disc, pawn, ring
from spieltisch.core.picture.seats import LAYER, Plate, plates, rack
from spieltisch.core.picture.svg import Attribute, Markup, element, group, label, number, path, place
from spieltisch.games.bigpoints.picture.stairs import COLOURS, STEP_PAWN, TOP, base_on_step, draw_stairs
from spieltisch.games.bigpoints.picture.track import Layout, Point, fit_track, section
from spieltisch.games.bigpoints.speech import score_now
from spieltisch.games.bigpoints.state import LETTERS, ON_TRACK, PAWNS
from spieltisch.games.bigpoints.view import GONE, Discs, Phase, View
from spieltisch.i18n.message import Audience, message_factory

say = message_factory("bigpoints")
_PAWN, _BASE = 1.08, 0.16  # the height of a pawn, and its base below the centre of its disc


def draw(view: View, audience: Audience, style: PictureStyle, before: View | None) -> Picture:
    """The table; the groove is lit where pawns walked in the last turn, and rings show the discs that were taken."""
    canvas = Canvas(style)
    discs = sum(ON_TRACK) if view.phase is Phase.DEAL else len(view.laid)
    layout = fit_track(BOARD.width, BOARD.height - TOP, discs)
    _draw_groove(canvas, view, before, layout)
    _draw_discs(canvas, view, before, layout)
    draw_stairs(canvas, view, layout)
    _draw_pawns(canvas, view, before, layout)
    _draw_seats(canvas, view, audience)
    return canvas.picture()


def _line(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{number(point.x)} {number(point.y)}" for point in points)


def at_board(x: float = 0, y: float = 0) -> str:
    """The transform to a place on the board."""
    return place(BOARD.x + x, BOARD.y + TOP + y)


def _draw_groove(canvas: Canvas, view: View, before: View | None, layout: Layout) -> None:
    theme, d = canvas.theme, layout.d
    end = layout.line[-1]
    line = _line([*layout.line, Point(end.x + 0.3 * d, end.y)])
    look: dict[str, Attribute] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    groove = group(
        path(line, stroke=theme.shade, stroke_opacity=0.35, stroke_width=number(0.46 * d)),
        path(
            line, stroke=theme.board, stroke_width=number(0.46 * d - 1), transform=f"translate(0 {number(0.025 * d)})"
        ),
        path(line, stroke=theme.groove, stroke_width=number(0.46 * d - 2)),
        **look,
        transform=at_board(),
    )
    canvas.add(groove, 10)
    for walked, start, goal in _walks(view, before):
        trail = _line(section(layout, start, goal) if start is not None else [])
        look["stroke_opacity"] = 0.9
        canvas.add(
            path(trail, stroke=theme.trail, stroke_width=number(0.4 * d), **look, transform=at_board()), 11, walked
        )
    if sum(place == 0 for place in view.pawns) < 4:
        word = canvas.style.format(say("label.start")).rstrip(":").upper()
        first, way = layout.line[0], 1 if layout.line[1].x > layout.line[0].x else -1
        text = f"{word} →" if way > 0 else f"← {word}"
        x = BOARD.x + first.x - way * 0.4 * d
        y = BOARD.y + TOP + first.y + 0.62 * d
        anchor = "start" if way > 0 else "end"
        canvas.add(label(x, y, text, 13, theme.ink_2, anchor=anchor, weight=600), 11)


def _walks(view: View, before: View | None) -> list[tuple[int, int | None, int | None]]:
    """The pawns that moved, each with the place that it left and the one that it reached."""
    if before is None:
        return []
    pairs = enumerate(zip(before.pawns, view.pawns, strict=True))
    return [(number_, then, now) for number_, (then, now) in pairs if then != now and then is not None]


def _draw_discs(canvas: Canvas, view: View, before: View | None, layout: Layout) -> None:
    d = layout.d
    for at, letter in enumerate(view.track):
        spot = layout.spots[at + 1]
        x, y = BOARD.x + spot.x, BOARD.y + TOP + spot.y
        if letter != GONE:
            canvas.add(disc(canvas, COLOURS[letter], x, y, d / 2), 20, spot.y + at / 1000)
            continue
        canvas.add(canvas.use("dent", lambda key: _dent(canvas, key), place(x, y, d)), 12)
        if before is not None and before.track[at : at + 1] not in {GONE, ""}:
            tint = element(
                "circle", r=number(0.42 * d), fill=canvas.paint(COLOURS[before.track[at]]).solid, opacity=0.3
            )
            canvas.add(group(tint, transform=place(x, y)), 13)
            canvas.add(ring(canvas, x, y, 0.42 * d, dashed=True), 13, 1)


def _dent(canvas: Canvas, key: str) -> Markup:
    return group(
        element("circle", r=0.13, fill=canvas.theme.dent),
        element("circle", cy=0.02, r=0.13, fill="none", stroke="#fff", stroke_opacity=0.3, stroke_width=0.02),
        id=key,
    )


def _draw_pawns(canvas: Canvas, view: View, before: View | None, layout: Layout) -> None:
    d = layout.d
    moved = {number_ for number_, _, _ in _walks(view, before)}
    waiting = [number_ for number_ in PAWNS if view.pawns[number_] == 0]
    for number_ in PAWNS:
        where, colour = view.pawns[number_], COLOURS[LETTERS[number_]]
        if where is None:
            step = next(step.value for step in view.steps if step.pawn == LETTERS[number_])
            x, y = base_on_step(layout, step)
        elif where:
            x, y = layout.spots[where].x, layout.spots[where].y + _BASE * d
        else:
            x, y = _at_start(layout, waiting.index(number_))
        x, y = BOARD.x + x, BOARD.y + TOP + y
        if number_ in moved and where:
            canvas.add(ring(canvas, x, y - (_BASE - 0.03) * d, d / 2), 29, y)
        canvas.add(pawn(canvas, colour, x, y, d * (STEP_PAWN if where is None else _PAWN)), 30, y)


def _at_start(layout: Layout, at: int) -> tuple[float, float]:
    """The base of a pawn that waits before the first disc: three in a row, the others before them."""
    first, d = layout.line[0], layout.d
    way = 1 if layout.line[1].x > first.x else -1
    front = at >= 3
    return first.x + way * d * (0.12 + 0.44 * (at % 3 + front / 2)), first.y + d * (0.2 + 0.28 * front)


def _draw_seats(canvas: Canvas, view: View, audience: Audience) -> None:
    seats = [
        Plate(
            name,
            "" if hand.discs is None else str(score_now(view, hand.discs)),
            to_move=seat == view.seat and view.phase in {Phase.MOVE, Phase.EXTRA},
            won=view.outcome is not None and view.outcome.ranks[seat] == 1,
        )
        for seat, (name, hand) in enumerate(zip(audience.names, view.hands, strict=True))
    ]
    for box, hand in zip(plates(canvas, seats, 46), view.hands, strict=True):
        _draw_hand(canvas, hand, box)


def _draw_hand(canvas: Canvas, hand: Discs, box: Box) -> None:
    """Stacks by colour with their numbers; backs and one number if the hand is hidden."""
    ledge = box.y + box.height - 8
    canvas.add(rack(canvas, box.x, ledge, box.width), LAYER + 1)
    r, y = 15.0, ledge - 17
    if hand.discs is None:
        step = min(26.0, (box.width - 2 * r - 30) / max(1, hand.size - 1))
        for at in range(hand.size):
            canvas.add(disc(canvas, "back", box.x + r + at * step, y, r), LAYER + 2, at)
        if hand.size:
            canvas.add(badge(canvas, box.x + box.width - 13, y, 11, str(hand.size)), LAYER + 3)
        return
    held = [(COLOURS[letter], n) for letter, n in zip(LETTERS, hand.discs, strict=True) if n]
    for at, (colour, n) in enumerate(held):
        x = box.x + r + at * (box.width - 2 * r) / 6
        canvas.add(disc(canvas, colour, x, y, r), LAYER + 2, at)
        if n > 1:
            canvas.add(badge(canvas, x + 11, y + 9, 8.5, str(n)), LAYER + 3, at)
