"""Drawings as layers of path data: what all pictures of Batt'l Kha'os are stamped with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    Point,
    mirrored,
    mix,
    moved,
    rgb,
    trace,
    turned,
)

#: (tone, path) from the back to the front, in a square from -100 to 100. A tone is a letter of
#: ``TONES``; a 2 behind it draws the path and its mirror image.
Parts = tuple[tuple[str, str], ...]

TONES: dict[str, Colour] = {
    "b": rgb("#f4ead2"),  # bone
    "d": rgb("#20241c"),  # dark
    "f": rgb("#ffc24a"),  # flame
    "F": rgb("#e2532a"),  # embers
    "g": rgb("#858f90"),  # stone
    "G": rgb("#c6cecb"),  # pale stone
    "h": rgb("#fffdf6"),  # white
    "i": rgb("#59635f"),  # iron
    "m": rgb("#9dbb55"),  # moss
    "M": rgb("#4f6a2a"),  # deep moss
    "o": rgb("#ef8f33"),  # the knights' orange
    "p": rgb("#8c5cc6"),  # the orcs' purple
    "r": rgb("#bf3b30"),
    "u": rgb("#5aa3c4"),  # water
    "w": rgb("#7d5230"),  # wood
    "W": rgb("#bd8850"),  # new wood
    "y": rgb("#f6ce5a"),  # brass
}
EDGE = rgb("#1b2016")


def solid(
    canvas: Canvas,
    points: Sequence[Point],
    tone: Colour,
    edge: Colour = EDGE,
    width: float = 8,
) -> None:
    """A lit body with a dark contour, so that its silhouette holds at thumb size."""
    canvas.solid(points, mix(tone, WHITE, 0.16), mix(tone, BLACK, 0.16), edge, width)


def stamp(
    canvas: Canvas,
    parts: Iterable[tuple[str, str]],
    at: Point = (0, 0),
    size: float = 1,
    *,
    turn: float = 0,
    edge: Colour = EDGE,
    width: float = 8,
    flip: bool = False,
) -> None:
    """A drawing at a place; ``size`` 1 is 100 units to each side."""
    for tone, data in parts:
        for outline in trace(data):
            twins = (outline, tuple(mirrored(outline))) if tone.endswith("2") else (outline,)
            for points in twins:
                outline_points = mirrored(points) if flip else points
                placed = moved(turned(outline_points, turn), *at, size)
                solid(canvas, placed, TONES[tone[0]], edge, width)
