"""Orcs and knights: their heads, the ground they hold, and how they stand in a tile's corner."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

from dataclasses import dataclass

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
    rounded,
    star,
    trace,
)
from games.battl_khaos.face.stamps import solid


@dataclass(frozen=True, slots=True)
class Side:
    """A side's words and colours: ``ground`` is what its units stand on."""

    single: str
    many: str
    tone: Colour
    deep: Colour
    ground: Colour
    edge: Colour

    def counted(self, number: int) -> str:
        return f"{number} {self.single if number == 1 else self.many}"


SIDES = {
    "O": Side("orc", "orcs", rgb("#b088e6"), rgb("#7a4bb8"), rgb("#3a2357"), rgb("#1d0f30")),
    "K": Side("knight", "knights", rgb("#ffb458"), rgb("#d9701a"), rgb("#ffe9c6"), rgb("#4a2206")),
}
_ORC = "M-74 -34 C-70 -88 70 -88 74 -34 C84 22 70 76 40 90 C16 100 -16 100 -40 90 C-70 76 -84 22 -74 -34 Z"
_EAR = "M-66 -36 L-128 -74 L-112 -20 L-76 22 Z"
_TUFT = "M-20 -72 C-40 -104 -30 -128 -6 -134 C-14 -118 0 -112 4 -104 C14 -118 22 -122 34 -122 C24 -108 28 -90 22 -72 Z"
_TUSK = "M-58 58 C-76 26 -66 -2 -48 -22 C-48 6 -34 26 -16 44 L-24 74 Z"
_EYE = "M-54 -26 L-10 -8 L-18 8 L-44 2 Z"
_HELM = "M-70 -14 C-70 -92 70 -92 70 -14 L66 56 C52 96 -52 96 -66 56 Z"
_PLUME = "M-8 -62 C-26 -110 10 -146 60 -134 C92 -128 116 -100 118 -66 C92 -92 52 -90 30 -60 Z"
_SLIT = "M-60 -24 L-8 -16 L-8 0 L-60 -4 Z"
_BREATH = "M-7 -18 L7 -18 L7 70 L-7 70 Z"


def head(canvas: Canvas, side: str, at: Point, radius: float, *, plain: bool = False) -> None:
    """An orc with ears and tusks, or a knight's helm with its plume. ``plain``: for small signs on
    paper, without the light from above."""
    look = SIDES[side]
    size = radius / 100
    edge = max(radius * 0.17, 0.1)

    def part(data: str, tone: Colour, *, both: bool = False, contour: bool = True) -> None:
        outline = trace(data)[0]
        for points in (outline, tuple(mirrored(outline))) if both else (outline,):
            placed = moved(points, *at, size)
            if contour:
                canvas.line(placed, edge, look.edge, closed=True)
            canvas.fill(placed, tone)

    top, low = (look.deep, look.deep) if plain else (look.tone, look.deep)
    if side == "O":
        part(_EAR, low, both=True)
        part(_TUFT, look.edge)
        part(_ORC, top)
        canvas.fade(moved(trace(_ORC)[0], *at, size), top, low)
        part(_EYE, rgb("#fff2a8"), both=True, contour=False)
        part(_TUSK, rgb("#fffaf0"), both=True)
    else:
        part(_PLUME, rgb("#c23a2c"))
        part(_HELM, top)
        canvas.fade(moved(trace(_HELM)[0], *at, size), top, low)
        part(_SLIT, look.edge, both=True, contour=False)
        part(_BREATH, look.edge, contour=False)
        for x in (-38, 38):
            for y in (28, 52):
                canvas.disc((at[0] + x * size, at[1] + y * size), 7 * size, look.edge)


#: Where the warriors of a unit stand, and how large they are.
_PLACES: dict[int, tuple[tuple[Point, ...], float]] = {
    1: (((0, 8),), 60),
    2: (((-44, 10), (44, 10)), 43),
    3: (((0, -34), (-46, 42), (46, 42)), 39),
}


def unit(canvas: Canvas, side: str, number: int, at: Point) -> None:
    """A unit in a corner: orcs on a dark, jagged camp, knights on a pale, square one."""
    look = SIDES[side]
    x, y = at
    if side == "O":
        camp = star(at, 104, 86, 11, 12)
    else:
        camp = rounded((x - 92, y - 92, x + 92, y + 92), 20)
    canvas.fill(moved(camp, 3, 6), BLACK, 0.3)
    solid(canvas, camp, look.ground, look.edge, 7)
    inner = star(at, 92, 77, 11, 12) if side == "O" else rounded(
        (x - 82, y - 82, x + 82, y + 82), 13
    )  # fmt: skip
    canvas.line(inner, 3.5, mix(look.deep, WHITE, 0.1), 0.9, closed=True)
    places, radius = _PLACES[number]
    for dx, dy in places:
        head(canvas, side, (x + dx, y + dy), radius)
