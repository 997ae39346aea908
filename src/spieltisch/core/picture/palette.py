"""Palette of the pictures: the colours of pieces and table in both themes, and a symbol for each colour.

The same values as in the web (web/app.css, web/art/palette.ts, web/art/symbols.ts); a test compares them.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Paint(NamedTuple):
    """The colours of a painted piece: its surface, what is drawn on it, and its outline; ink and tint if it has them."""

    solid: str
    on: str
    edge: str
    ink: str
    tint: str


class Theme(NamedTuple):
    """The colours of the table and of everything that is read, in light or dark."""

    table: str
    groove: str
    dent: str
    board: str
    paper: str
    paper_2: str
    line: str
    edge: str
    ink: str
    ink_2: str
    ok: str
    bad: str
    lit: str
    lit_line: str
    glow: str
    trail: str
    shade: str
    wheel_rim: str
    wheel_paper: str
    grey_tile: str
    grey_line: str
    lamp: tuple[str, float]
    rim: tuple[str, float]
    grain: tuple[str, float]
    piece_shade: tuple[str, float, float]
    piece_glow: tuple[float, float]
    hatch: str
    pawn_rim: str | None


LIGHT: Final = Theme(
    table="#e6d8bf", groove="#d5c09a", dent="#bba274", board="#f3e9d8", paper="#fffbf3", paper_2="#f6eddd",
    line="#dccdb3", edge="#7e674c", ink="#2a2018", ink_2="#5c4b38", ok="#2a6547", bad="#a32e17",
    lit="#fffdf5", lit_line="#2a2018", glow="#ffc446", trail="#ffc445", shade="#462d0f",
    wheel_rim="#c99f5e", wheel_paper="#fbf3e3", grey_tile="#a59b8d", grey_line="#574d42",
    lamp=("#fff8e8", 0.85), rim=("#9c7a48", 0.18), grain=("#7a5426", 0.07),
    piece_shade=("#3c2408", 0.5, 0.36), piece_glow=(0.95, 0.6), hatch="#3a2a1a", pawn_rim="#fff8ea",
)  # fmt: skip
DARK: Final = Theme(
    table="#1e1813", groove="#140f0a", dent="#070504", board="#2a221b", paper="#332a22", paper_2="#3f342a",
    line="#54473a", edge="#a08b70", ink="#f7eddd", ink_2="#cdbba1", ok="#8fd3ae", bad="#ff9b85",
    lit="#ffe2a0", lit_line="#17110c", glow="#ffcd6e", trail="#e9b24c", shade="#000000",
    wheel_rim="#6b4f31", wheel_paper="#3a2f25", grey_tile="#857b6f", grey_line="#cfc4b4",
    lamp=("#7a5a34", 0.5), rim=("#000000", 0.35), grain=("#f3d9b0", 0.04),
    piece_shade=("#000000", 0.75, 0.6), piece_glow=(0.75, 0.45), hatch="#ffffff", pawn_rim=None,
)  # fmt: skip

_COATS: Final = {  # solid, on; then light and dark: edge, ink, tint
    "blue": ("#20559f", "#ffffff", ("#123768", "#1b4a8c", "#dfe8f4"), ("#6fa0e8", "#a3c6fa", "#24354f")),
    "red": ("#d63e24", "#ffffff", ("#8c2310", "#a62a13", "#fbe0d8"), ("#ff8b70", "#ffa28d", "#52281e")),
    "yellow": ("#f3c033", "#3a2800", ("#8a6100", "#765200", "#fbecc6"), ("#ffdd85", "#f6cf66", "#4b3b14")),
    "green": ("#4b9673", "#06251a", ("#1f573d", "#22613f", "#dcece3"), ("#82cba7", "#93d6b2", "#203d30")),
    "purple": ("#ae82e0", "#220a45", ("#5f3c99", "#6a3ea8", "#ede3f9"), ("#d2b6f6", "#d3b8f6", "#3c2e53")),
    "white": ("#faf6ee", "#4b3f31", ("#86704f", "#5c4b38", "#f4ecdd"), ("#ffffff", "#f4ebdc", "#4a4036")),
    "black": ("#1b1918", "#f2e9da", ("#000000", "#1b1918", "#e2dad0"), ("#a09384", "#cbbfb0", "#15110e")),
    "natural": ("#e8c78d", "#5a3d14", ("#8d6830", "", ""), ("#ffe6ba", "", "")),
    "brown": ("#632d15", "#f2d9c4", ("#341407", "", ""), ("#bc7d5e", "", "")),
    "back": ("#2e1c12", "#f2d9c4", ("#120801", "", ""), ("#b58c6c", "", "")),
}
BROWN_3D: Final = "#84452a"  # of shaded cubes; a darker one would look black

SYMBOLS: Final = {  # a path in a box of 24 by 24, fill rule even-odd
    "blue": "M12 .8C10 5.2 5 10 5 15.6a7 7 0 0 0 14 0C19 10 14 5.2 12 .8Z",
    "red": "M12 21.8C6 17.2 1.6 13.4 1.6 8.4A5.6 5.6 0 0 1 12 5.5a5.6 5.6 0 0 1 10.4 2.9c0 5-4.4 8.8-10.4 13.4Z",
    "yellow": "M12 1L15.2 8.2L23 9L17.2 14.3L18.8 22L12 18.1L5.2 22L6.8 14.3L1 9L8.8 8.2Z",
    "green": "M12 1a4.9 4.9 0 0 1 3.9 7.9l-1.4 2.2 2.6-.6a4.9 4.9 0 1 1-3.2 7.6q.4 2.6 2 4.9H8.1q1.6-2.3 2-4.9a4.9 4.9 0 1 1-3.2-7.6l2.6.6-1.4-2.2A4.9 4.9 0 0 1 12 1Z",
    "purple": "M12 3L23.5 12L12 21L.5 12Z",
    "white": "M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20Zm0 5.4a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2Z",
    "black": "M14.6 1.8A10.4 10.4 0 1 0 21.9 15.6A8.6 8.6 0 0 1 14.6 1.8Z",
    "back": "M3 18.5v-3a9 9 0 0 1 18 0v3h-5.2v-3a3.8 3.8 0 0 0-7.6 0v3Z",
}


def paint(name: str, *, dark: bool) -> Paint:
    """The colours of a piece in a theme."""
    solid, on, light, night = _COATS[name]
    return Paint(solid, on, *(night if dark else light))


def mix(start: str, goal: str, share: float) -> str:
    """Linear interpolation between two colours #rrggbb."""
    one, two = (tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5)) for colour in (start, goal))
    return "#" + "".join(f"{int(a + (b - a) * share + 0.5):02x}" for a, b in zip(one, two, strict=True))


class Shades(NamedTuple):
    """Shades of a turned piece: towards the lamp, away from it, on its side, and in its grooves."""

    bright: str
    dim: str
    side: str
    groove: str


_GLINTS: Final = {"white": ("#ffffff", 0.9), "black": ("#8a7f76", 0.26), "back": ("#c08a5a", 0.26)}
WOOD_DARK: Final = "#1a0c00"


def shades(name: str) -> Shades:
    """The shades of a piece, the same in both themes."""
    solid, white = _COATS[name][0], name == "white"
    glint, share = _GLINTS.get(name, ("#ffffff", 0.26))
    return Shades(
        bright=mix(solid, glint, share),
        dim=mix(solid, WOOD_DARK, 0.1 if white else 0.14),
        side=mix(solid, WOOD_DARK, 0.34 if white else 0.42),
        groove=mix(solid, WOOD_DARK, 0.2 if white else 0.35),
    )
