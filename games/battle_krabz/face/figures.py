"""What the figures of Battle Krabz are put together from: bodies, eyes, pincers, mouths."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    Point,
    both,
    ellipse,
    mirrored,
    mix,
    moved,
    rgb,
    trace,
    turned,
)

_IRIS = rgb("#26303f")
PINCERS = {
    "round": (
        "M0 74 C-66 70 -94 12 -78 -40 C-68 -76 -40 -92 -14 -86 C-34 -64 -30 -36 -8 -18 C6 -40 30 -62 60 -58 C86 -18 66 66 0 74 Z",
    ),
    "long": (
        "M-6 92 C-44 60 -56 -20 -30 -124 C-24 -70 -14 -48 0 -30 C10 -56 26 -84 52 -106 C62 -30 44 62 -6 92 Z",
    ),
    "hook": (
        "M0 76 C-60 60 -84 -6 -58 -74 C-46 -102 -14 -110 14 -96 C-16 -84 -28 -56 -10 -26 C0 -46 24 -58 54 -48 C76 -8 56 66 0 76 Z",
    ),
    "saw": (
        "M0 76 C-66 66 -92 4 -72 -66 L-58 -96 L-50 -62 L-34 -66 L-34 -40 L-16 -42 L-8 -16 L4 -40 L18 -36 L22 -62 L40 -58 L56 -84 C84 -20 70 62 0 76 Z",
    ),
    "mitt": (
        "M0 76 C-54 76 -78 34 -72 -18 C-68 -66 -40 -92 -8 -88 C26 -84 36 -50 32 -22 C44 -46 82 -42 74 -8 C68 26 46 76 0 76 Z",
    ),
}


def shape(
    canvas: Canvas,
    data: str,
    top: Colour,
    bottom: Colour,
    edge: Colour,
    *,
    at: Point = (0, 0),
    size: float = 1,
    turn: float = 0,
    width: float = 9,
) -> None:
    """Bodies from path data, turned, scaled and moved."""
    for outline in trace(data):
        canvas.solid(moved(turned(outline, turn), *at, size), top, bottom, edge, width)


def twin(
    canvas: Canvas, data: str, top: Colour, bottom: Colour, edge: Colour, width: float = 9
) -> None:
    """A shape and its mirror image."""
    for outline in trace(data):
        for side in both(outline):
            canvas.solid(side, top, bottom, edge, width)


def limb(canvas: Canvas, points: Sequence[Point], width: float, tone: Colour, edge: Colour) -> None:
    """A leg or an arm."""
    canvas.line(points, width + 10, edge)
    canvas.line(points, width, tone)


def pincer(
    canvas: Canvas,
    kind: str,
    at: Point,
    size: float,
    tones: tuple[Colour, Colour, Colour],
    *,
    turn: float = 0,
    flip: bool = False,
) -> None:
    """A claw that opens upwards; ``tones``: light, deep, edge."""
    light, deep, edge = tones
    for data in PINCERS[kind]:
        points = list(trace(data)[0])
        if flip:
            points = mirrored(points)
        placed = moved(turned(points, -turn if flip else turn), *at, size)
        canvas.solid(placed, light, deep, edge, 10)
        x = sum(p[0] for p in placed) / len(placed)
        y = sum(p[1] for p in placed) / len(placed)
        shine = ellipse((x - 16 * size, y + 14 * size), 13 * size, 24 * size, 24)
        canvas.fill(shine, mix(light, WHITE, 0.55), 0.75)


def eyes(
    canvas: Canvas,
    apart: float,
    y: float,
    radius: float,
    *,
    iris: Colour = _IRIS,
    lid: Colour | None = None,
    mood: str = "calm",
    look: Point = (0, 0),
) -> None:
    """A pair of eyes. Moods: calm, cross, sleepy, wild."""
    for side in (-1, 1):
        at = (side * apart, y)
        canvas.disc(at, radius + 5, BLACK, 0.85)
        canvas.disc(at, radius, WHITE)
        pupil = (at[0] - side * radius * 0.16 + look[0], y + radius * 0.1 + look[1])
        small = 0.42 if mood == "wild" else 0.58
        canvas.disc(pupil, radius * small, iris)
        canvas.disc(pupil, radius * small * 0.55, BLACK)
        canvas.disc((pupil[0] - radius * 0.18, pupil[1] - radius * 0.2), radius * 0.17, WHITE)
        if lid and mood in ("cross", "sleepy"):
            inner, outer = (0.3, -0.7) if mood == "cross" else (-0.15, -0.15)
            r = radius + 5
            cut = [
                (at[0] + side * r, y + outer * radius),
                (at[0] - side * r, y + inner * radius),
                (at[0] - side * r, y - r),
                (at[0], y - r * 1.25),
                (at[0] + side * r, y - r),
            ]
            canvas.fill(cut, lid)
            canvas.line(cut[:2], 6, BLACK, 0.9)


def stalks(canvas: Canvas, apart: float, foot: float, y: float, tone: Colour, edge: Colour) -> None:
    """What a crab's eyes stand on."""
    for side in (-1, 1):
        limb(canvas, [(side * apart * 0.8, foot), (side * apart, y)], 15, tone, edge)


def _smile(canvas: Canvas, w: float, y: float, edge: Colour) -> None:
    canvas.line(trace(f"M{-w} {y} Q0 {y + w * 0.9} {w} {y}")[0], 8, edge)


def _grin(canvas: Canvas, w: float, y: float, edge: Colour) -> None:
    canvas.path(f"M{-w} {y - 6} Q0 {y + w * 1.5} {w} {y - 6} Z", edge)
    canvas.path(
        f"M{-w * 0.8} {y - 2} L{w * 0.8} {y - 2} L{w * 0.62} {y + 12} L{-w * 0.62} {y + 12} Z",
        WHITE,
    )


def _teeth(canvas: Canvas, w: float, y: float, edge: Colour) -> None:
    canvas.path(f"M{-w} {y - 14} L{w} {y - 14} L{w * 0.8} {y + 24} L{-w * 0.8} {y + 24} Z", edge)
    for i in range(6):
        x = -w * 0.86 + i * w * 0.3
        canvas.fill([(x, y - 12), (x + w * 0.25, y - 12), (x + w * 0.12, y + 4)], WHITE)
        canvas.fill([(x + w * 0.12, y + 22), (x + w * 0.34, y + 22), (x + w * 0.23, y + 7)], WHITE)


def _oh(canvas: Canvas, w: float, y: float, edge: Colour) -> None:
    canvas.fill(ellipse((0, y + 4), w * 0.36, w * 0.42), edge)


def _flat(canvas: Canvas, w: float, y: float, edge: Colour) -> None:
    canvas.line([(-w, y), (w, y)], 8, edge)


_MOUTHS: Final[Mapping[str, Callable[[Canvas, float, float, Colour], None]]] = {
    "smile": _smile,
    "grin": _grin,
    "teeth": _teeth,
    "oh": _oh,
    "flat": _flat,
}


def mouth(canvas: Canvas, kind: str, y: float, edge: Colour, width: float = 44) -> None:
    """Kinds: smile, grin, flat, teeth, oh."""
    _MOUTHS[kind](canvas, width, y, edge)


def bolt(
    canvas: Canvas, at: Point, size: float, tone: Colour, edge: Colour, turn: float = 0
) -> None:
    """A stroke of lightning."""
    shape(
        canvas, "M10 -90 L-40 10 L-6 6 L-22 90 L42 -20 L8 -14 L34 -90 Z", tone, tone, edge,
        at=at, size=size, turn=turn, width=7,
    )  # fmt: skip


def flame(canvas: Canvas, at: Point, size: float, edge: Colour) -> None:
    data = "M4 -96 C12 -46 62 -26 58 28 C54 70 28 88 0 88 C-28 88 -56 68 -58 26 C-58 -4 -36 -14 -34 -50 C-20 -36 -14 -22 -14 -8 C2 -26 8 -56 4 -96 Z"
    shape(canvas, data, rgb("#ffb03a"), rgb("#e2401f"), edge, at=at, size=size, width=8)
    inner = moved(trace(data)[0], at[0], at[1] + 26 * size, size * 0.58)
    canvas.fade(inner, rgb("#fff2a6"), rgb("#ffb03a"))
