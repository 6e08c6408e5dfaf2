"""The beasts' symbols on Kaolan's Character Cards (KAO-C-05), told apart by their outlines alone.

Path data in a square from -100 to 100.
"""

from __future__ import annotations

from collections.abc import Mapping

from collection.drawing.canvas import Canvas, Colour, Point

SYMBOLS: Mapping[str, str] = {
    "flame": (
        "M4 -92 C12 -50 64 -28 64 28 C64 66 34 92 0 92 C-34 92 -64 66 -64 28 "
        "C-64 -4 -44 -20 -34 -50 C-26 -38 -22 -28 -20 -14 C-6 -32 6 -60 4 -92 Z"
    ),
    "claw": (
        "M-84 -78 C-40 -40 -42 30 -66 88 C-96 34 -100 -30 -84 -78 Z "
        "M-14 -92 C30 -44 30 36 4 96 C-28 34 -32 -36 -14 -92 Z "
        "M58 -78 C100 -36 100 32 72 84 C42 32 40 -32 58 -78 Z"
    ),
    "sting": (
        "M-30 96 C-96 40 -76 -56 10 -62 L4 -96 L92 -40 L24 10 L16 -22 C-28 -16 -42 36 8 76 Z"
    ),
    "diamond": "M0 -98 L64 0 L0 98 L-64 0 Z",
    "star": ("M0 -98 L24 -34 L94 -30 L40 14 L58 82 L0 44 L-58 82 L-40 14 L-94 -30 L-24 -34 Z"),
    "sun": (
        "O0 0 46 M-12 -60 L0 -98 L12 -60 Z M-12 60 L0 98 L12 60 Z M-60 -12 L-98 0 L-60 12 Z "
        "M60 -12 L98 0 L60 12 Z M-52 -34 L-70 -70 L-34 -52 Z M52 -34 L70 -70 L34 -52 Z "
        "M-52 34 L-70 70 L-34 52 Z M52 34 L70 70 L34 52 Z"
    ),
}


def symbol(canvas: Canvas, name: str, at: Point, radius: float, ink: Colour, slip: Colour) -> None:
    """A symbol on a round slip; nothing where the name is none."""
    if name in SYMBOLS:
        canvas.disc(at, radius, ink)
        canvas.disc(at, radius * 0.88, slip)
        canvas.path(SYMBOLS[name], ink, at=at, size=radius * 0.62 / 100)
