"""The six Energies: a letter, a colour and a shape each, because no colour may speak alone."""

from __future__ import annotations

from collections.abc import Mapping

from collection.drawing.canvas import (
    BLACK,
    INK,
    WHITE,
    Canvas,
    Colour,
    Point,
    font,
    mix,
    moved,
    rgb,
    trace,
)
from collection.drawing.layout import Sign, Skin

#: Shapes in a square from -100 to 100: star, shield, diamond, eye, heart, disc.
SHAPES: Mapping[str, str] = {
    "star": "M0 -112 L34 -48 L108 -38 L54 14 L68 90 L0 56 L-68 90 L-54 14 L-108 -38 L-34 -48 Z",
    "shield": "M0 -106 C34 -86 66 -80 92 -82 C96 14 66 76 0 108 C-66 76 -96 14 -92 -82 "
    "C-66 -80 -34 -86 0 -106 Z",
    "diamond": "M0 -118 L106 0 L0 118 L-106 0 Z",
    "eye": "M-122 0 C-74 -84 74 -84 122 0 C74 84 -74 84 -122 0 Z",
    "heart": "M0 102 C-134 12 -120 -94 -48 -94 C-22 -94 -6 -80 0 -62 C6 -80 22 -94 48 -94 "
    "C120 -94 134 12 0 102 Z",
    "disc": "O0 0 98",
}
#: Where the letter's middle lies in its shape, and how large it may be.
_LETTERS = {
    "star": (0.02, 1.0),
    "shield": (-0.06, 1.2),
    "diamond": (0.0, 1.0),
    "eye": (0.0, 1.05),
    "heart": (-0.14, 1.05),
    "disc": (0.0, 1.25),
}

SIGNS: Mapping[str, Sign] = {
    "L": Sign("L", "star", rgb("#cf3a30"), "Leader"),
    "D": Sign("D", "shield", rgb("#2f66c4"), "Defender"),
    "S": Sign("S", "eye", rgb("#23854a"), "Spy"),
    "A": Sign("A", "diamond", rgb("#e6ad22"), "Attacker"),
    "P": Sign("P", "heart", rgb("#26242b"), "Pacifist"),
    "N": Sign("N", "disc", rgb("#85898f"), "Normal"),
}
LETTERS: Mapping[str, str] = {sign.word.lower(): letter for letter, sign in SIGNS.items()}
SKINS: Mapping[str, Skin] = {
    "L": Skin(rgb("#dc5044"), rgb("#96211d"), rgb("#4a0c0c"), rgb("#d6443a")),
    "D": Skin(rgb("#4a84dc"), rgb("#1c4493"), rgb("#0c2250"), rgb("#3a72d2")),
    "S": Skin(rgb("#43a76a"), rgb("#14603a"), rgb("#07301c"), rgb("#2f9758")),
    "A": Skin(rgb("#f3ca52"), rgb("#c08a17"), rgb("#4e3206"), rgb("#dfa927")),
    "P": Skin(rgb("#5b5862"), rgb("#1d1b22"), rgb("#111015"), rgb("#6a6774")),
    "N": Skin(rgb("#b4b8bd"), rgb("#6d7278"), rgb("#2c3035"), rgb("#90959b")),
}


def draw(canvas: Canvas, letter: str, at: Point, radius: float, edge: Colour | None = None) -> None:
    """An Energy's sign with its letter."""
    sign = SIGNS[letter]
    x, y = at
    (outline,) = trace(SHAPES[sign.shape])
    canvas.fill(moved(outline, x, y, radius / 100), edge or SKINS[letter].dark)
    canvas.fade(
        moved(outline, x, y, radius * 0.84 / 100), mix(sign.fill, WHITE, 0.16),
        mix(sign.fill, BLACK, 0.1),
    )  # fmt: skip
    drop, share = _LETTERS[sign.shape]
    size = max(round(radius * share * canvas.unit), 7)
    tone = INK if sum(sign.fill) > 420 else WHITE
    canvas.text((x, y + drop * radius), letter, font("sans", size, 800), tone, anchor="middle")
