"""What the agents are put together from: ink, heads, hair, hats and faces."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    Point,
    circle,
    ellipse,
    mirrored,
    mix,
    moved,
    rgb,
    trace,
    turned,
)

Spot = Callable[[float, float], Point]

EDGE = rgb("#221812")
SKINS = tuple(rgb(code) for code in ("#f6d3b0", "#e0a878", "#b97a4c", "#8a5433", "#fbe0c4"))
HAIRS = {
    "black": rgb("#2b2530"),
    "brown": rgb("#6a3f22"),
    "red": rgb("#c8552a"),
    "blond": rgb("#ecc65a"),
    "blue": rgb("#3f7fb8"),
    "pink": rgb("#dc6f96"),
    "white": rgb("#ece6da"),
}


@dataclass(frozen=True, slots=True)
class Look:
    """How one agent looks. ``skin`` counts in ``SKINS``; ``number`` is worn on the chest."""

    skin: int
    hair: str
    tone: str
    hat: str = ""
    mood: str = "calm"
    glasses: str = ""
    number: str = ""


def inked(
    canvas: Canvas,
    points: Sequence[Point],
    tone: Colour,
    *,
    shade: float = 0.22,
    width: float = 9,
    edge: Colour = EDGE,
) -> None:
    """A shape with a dark contour that gets darker to its foot."""
    canvas.solid(points, mix(tone, WHITE, 0.12), mix(tone, BLACK, shade), edge, width)


def shape(
    canvas: Canvas,
    data: str,
    tone: Colour,
    *,
    at: Point = (0, 0),
    size: float = 1,
    turn: float = 0,
    width: float = 9,
    flip: bool = False,
) -> None:
    """The same from path data, mirrored, turned, scaled and moved."""
    for outline in trace(data):
        points = mirrored(outline) if flip else list(outline)
        inked(canvas, moved(turned(points, turn), *at, size), tone, width=width)


def limb(canvas: Canvas, points: Sequence[Point], width: float, tone: Colour) -> None:
    """An arm or a leg."""
    canvas.line(points, width + 14, EDGE)
    canvas.line(points, width, tone)


def fist(canvas: Canvas, at: Point, radius: float, tone: Colour) -> None:
    x, y = at
    inked(canvas, circle(at, radius), tone)
    for dx in (-0.45, 0.0, 0.45):
        canvas.line(
            [(x + dx * radius, y - radius * 0.25), (x + dx * radius, y + radius * 0.3)],
            radius * 0.12, EDGE,
        )  # fmt: skip


# Hair lies behind the head (long, braid, tails) or on it, around a head of 90 units.

_BACK = {
    "long": "M-90 -30 C-128 40 -126 120 -108 160 C-92 166 -70 160 -62 146 C-80 100 -84 60 -76 0 Z M90 -30 C128 40 126 120 108 160 C92 166 70 160 62 146 C80 100 84 60 76 0 Z",
    "braid": "M60 -40 C120 -20 130 40 116 110 C112 140 120 160 108 176 C92 160 96 140 92 110 C90 70 80 50 50 30 Z",
    "pigtails": "M-84 -30 C-150 -70 -176 -10 -150 40 C-132 50 -110 30 -86 10 Z M84 -30 C150 -70 176 -10 150 40 C132 50 110 30 86 10 Z",
    "ponytail": "M40 -84 C110 -130 160 -80 150 -10 C140 10 120 0 112 -20 C104 -50 80 -60 50 -60 Z",
    "buns": "O-72 -78 40 O72 -78 40",
    "curls": "O-84 -30 34 O-92 20 32 O84 -30 34 O92 20 32 O-56 -76 36 O56 -76 36 O0 -94 38",
}
_FRONT = {
    "long": "M-92 10 C-104 -70 -50 -104 0 -100 C50 -104 104 -70 92 10 C80 -30 50 -46 20 -44 C-20 -44 -70 -40 -92 10 Z",
    "braid": "M-90 0 C-100 -70 -40 -106 10 -98 C70 -96 100 -50 90 10 C60 -10 30 -50 -20 -50 C-50 -46 -80 -30 -90 0 Z",
    "pigtails": "M-90 0 C-96 -66 -50 -100 0 -98 C50 -100 96 -66 90 0 C64 -40 30 -54 0 -30 C-30 -54 -64 -40 -90 0 Z",
    "ponytail": "M-90 -6 C-94 -70 -40 -104 10 -96 C60 -100 98 -50 88 0 C70 -44 20 -60 -40 -44 C-64 -38 -80 -26 -90 -6 Z",
    "buns": "M-90 -4 C-94 -70 -40 -100 0 -98 C40 -100 94 -70 90 -4 C70 -44 40 -52 0 -50 C-40 -52 -70 -44 -90 -4 Z",
    "curls": "O-66 -44 30 O-30 -64 32 O14 -68 32 O54 -52 30 O78 -18 22 O-82 -14 22",
    "bowl": "M-96 4 C-104 -70 -50 -108 0 -106 C50 -108 104 -70 96 4 L70 -16 L40 -22 L10 -14 L-20 -24 L-50 -14 L-74 -20 Z",
    "spikes": "M-94 0 L-128 -50 L-88 -58 L-110 -116 L-52 -92 L-46 -146 L-6 -102 L34 -150 L44 -94 L104 -120 L88 -62 L128 -50 L92 4 C70 -40 40 -50 0 -48 C-40 -50 -70 -40 -94 0 Z",
    "quiff": "M-90 -6 C-100 -60 -60 -84 -30 -88 C-10 -140 60 -140 92 -110 C70 -104 66 -92 76 -78 C94 -60 96 -30 88 0 C72 -40 40 -56 0 -50 C-40 -46 -72 -36 -90 -6 Z",
    "mohawk": "M-22 -46 C-40 -100 -30 -150 0 -172 C30 -150 40 -100 22 -46 Z",
    "buzz": "M-90 -10 C-90 -70 -46 -96 0 -96 C46 -96 90 -70 90 -10 C70 -44 40 -56 0 -56 C-40 -56 -70 -44 -90 -10 Z",
    "tuft": "M-10 -84 C-40 -110 -36 -140 -14 -150 C-18 -124 0 -118 6 -128 C30 -120 26 -96 14 -84 Z",
}
_HATS = {
    "cap": "M-92 -34 C-96 -100 -40 -122 0 -120 C48 -122 94 -96 92 -40 L150 -30 C156 -16 140 -10 120 -14 C50 -32 -40 -34 -92 -34 Z",
    "helmet": "M-102 -14 C-110 -90 -50 -126 0 -126 C50 -126 110 -90 102 -14 C50 -34 -50 -34 -102 -14 Z",
    "beret": "M-84 -46 C-120 -64 -112 -112 -40 -120 C30 -134 116 -116 112 -72 C104 -46 60 -44 0 -52 C-40 -56 -66 -50 -84 -46 Z",
    "beanie": "M-94 -22 C-100 -96 -46 -126 0 -126 C46 -126 100 -96 94 -22 C50 -40 -50 -40 -94 -22 Z",
    "shako": "M-78 -40 L-92 -168 C-40 -184 40 -184 92 -168 L78 -40 C40 -54 -40 -54 -78 -40 Z",
    "paper": "M-104 -30 L0 -172 L104 -30 C50 -52 -50 -52 -104 -30 Z",
    "hood": "M-118 60 C-140 -80 -60 -140 0 -138 C60 -140 140 -80 118 60 C100 50 96 20 92 -10 C80 -70 40 -86 0 -86 C-40 -86 -80 -70 -92 -10 C-96 20 -100 50 -118 60 Z",
    "fedora": "M-134 -38 C-100 -54 -84 -54 -76 -60 C-84 -120 -50 -142 -22 -132 C-8 -126 8 -126 22 -132 C50 -142 84 -120 76 -60 C84 -54 100 -54 134 -38 C140 -26 60 -18 0 -20 C-60 -18 -140 -26 -134 -38 Z",
    "bucket": "M-66 -118 L66 -118 L86 -54 C124 -40 126 -26 110 -22 C60 -36 -60 -36 -110 -22 C-126 -26 -124 -40 -86 -54 Z",
}


def head(
    canvas: Canvas, look: Look, at: Point, size: float, cloth: Colour, *, turn: float = 0
) -> None:
    """A head with all that it wears; ``cloth`` is the colour of its hat."""
    skin, hair = SKINS[look.skin], HAIRS[look.tone]

    def put(data: str, tone: Colour) -> None:
        shape(canvas, data, tone, at=at, size=size, turn=turn, width=9)

    def spot(x: float, y: float) -> Point:
        ((px, py),) = moved(turned([(x, y)], turn), *at, size)
        return px, py

    if look.hair in _BACK:
        put(_BACK[look.hair], hair)
    for side in (-1, 1):
        inked(canvas, circle(spot(side * 90, 14), 20 * size), skin)
    inked(canvas, moved(turned(ellipse((0, 0), 92, 90), turn), *at, size), skin, shade=0.14)
    for side in (-1, 1):
        canvas.fill(ellipse(spot(side * 56, 36), 17 * size, 11 * size), rgb("#e0604f"), 0.35)
    if look.hair in _FRONT:
        put(_FRONT[look.hair], hair)
    _face(canvas, look, spot, size)
    if look.hat in _HATS:
        put(_HATS[look.hat], cloth)
        _trim(canvas, look.hat, spot, size, cloth)
    elif look.hat == "headband":
        band = trace("M-92 -28 C-50 -54 50 -54 92 -28 L90 -52 C50 -78 -50 -78 -90 -52 Z")[0]
        inked(canvas, moved(turned(band, turn), *at, size), cloth, width=7)
    elif look.hat == "wreath":
        for i in range(9):
            x = -88 + i * 22
            y = -44 - 34 * (1 - ((i - 4) / 4) ** 2)
            flower(
                canvas,
                spot(x, y),
                17 * size,
                (rgb("#f6a5c0"), rgb("#fff2c8"), rgb("#b9a2f0"))[i % 3],
            )


def flower(canvas: Canvas, at: Point, radius: float, tone: Colour) -> None:
    x, y = at
    for dx, dy in ((0, -1), (0.95, -0.3), (0.6, 0.8), (-0.6, 0.8), (-0.95, -0.3)):
        canvas.disc((x + dx * radius * 0.72, y + dy * radius * 0.72), radius * 0.66, EDGE, 0.55)
    for dx, dy in ((0, -1), (0.95, -0.3), (0.6, 0.8), (-0.6, 0.8), (-0.95, -0.3)):
        canvas.disc((x + dx * radius * 0.7, y + dy * radius * 0.7), radius * 0.54, tone)
    canvas.disc(at, radius * 0.42, rgb("#f0b429"))


def _trim(canvas: Canvas, hat: str, at: Spot, size: float, cloth: Colour) -> None:
    """What is sewn onto a hat."""
    pale = mix(cloth, WHITE, 0.65)
    if hat in ("beanie", "fedora"):
        y, wide = (-34, 92) if hat == "beanie" else (-62, 76)
        line = [at(x, y - 16 * (1 - (x / wide) ** 2)) for x in range(-wide + 6, wide - 5, 8)]
        canvas.line(line, 20 * size, pale if hat == "beanie" else mix(cloth, BLACK, 0.55))
    if hat == "beanie":
        inked(canvas, circle(at(0, -130), 22 * size), pale, width=7)
    if hat == "cap":
        canvas.disc(at(0, -76), 20 * size, pale)
    if hat == "shako":
        canvas.line([at(-84, -66), at(0, -78), at(84, -66)], 12 * size, pale)
        canvas.fill([at(0, -150), at(22, -118), at(0, -88), at(-22, -118)], pale)
        inked(canvas, ellipse(at(0, -196), 18 * size, 34 * size), pale, width=7)
    if hat == "helmet":
        canvas.line([at(0, -122), at(0, -32)], 10 * size, pale)
        for side in (-1, 1):
            canvas.line([at(side * 92, -14), at(side * 60, 74)], 8 * size, EDGE)
    if hat == "paper":
        canvas.line([at(0, -166), at(0, -48)], 6 * size, mix(cloth, BLACK, 0.25))


def _face(canvas: Canvas, look: Look, at: Spot, size: float) -> None:
    """Eyes and mouth. Moods: calm, cross, happy, sleepy, sly, wild."""
    for side in (-1, 1):
        eye = at(side * 36, 2)
        if look.glasses == "dark":
            lens = [at(side * 36 + x, y) for x, y in ellipse((0, 2), 31, 25)]
            inked(canvas, lens, rgb("#20242e"), width=6)
            canvas.line([at(side * 36 - 14, -6), at(side * 36 + 2, -12)], 6 * size, WHITE, 0.8)
            continue
        if look.mood in ("happy", "sleepy"):
            bend = -16 if look.mood == "happy" else 14
            curve = [at(side * 36 + x, 6 + bend * (1 - (x / 20) ** 2)) for x in range(-20, 21, 4)]
            canvas.line(curve, 8 * size, EDGE)
        else:
            canvas.fill(ellipse(eye, 23 * size, 26 * size), EDGE)
            canvas.fill(ellipse(eye, 18 * size, 21 * size), WHITE)
            x, y = at(side * 36 + (7 if look.mood == "sly" else -side * 4), 6)
            canvas.disc((x, y), (8 if look.mood == "wild" else 12) * size, EDGE)
            canvas.disc((x - 4 * size, y - 5 * size), 4.4 * size, WHITE)
        if look.mood in ("cross", "wild", "sly"):
            inner, outer = (-18, -40) if look.mood != "sly" else (-22, -26)
            canvas.line([at(side * 14, inner), at(side * 62, outer)], 9 * size, EDGE)
        if look.glasses == "round":
            canvas.ring(eye, 31 * size, 7 * size, rgb("#3a2a1c"))
    if look.glasses:
        canvas.line([at(-8, 0), at(8, 0)], 7 * size, rgb("#2a2018"))
    if look.mood in ("wild", "happy"):
        smile = [at(x, y) for x, y in trace("M-34 40 Q0 94 34 40 Q0 52 -34 40 Z")[0]]
        inked(canvas, smile, rgb("#8a2f2a"), width=6)
    elif look.mood == "cross":
        canvas.line([at(-24, 58), at(0, 48), at(24, 58)], 8 * size, EDGE)
    elif look.mood == "sly":
        canvas.line([at(-22, 50), at(8, 56), at(28, 42)], 8 * size, EDGE)
    else:
        canvas.line(
            [at(x, 48 + 12 * (1 - (x / 22) ** 2)) for x in range(-22, 23, 4)], 8 * size, EDGE
        )
