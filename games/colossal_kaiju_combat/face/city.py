"""The city by night: its skylines, its Locations and the Opponents that defend it."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from collection.drawing import art
from collection.drawing.art import BOTTOM, LEFT, RIGHT, Palette
from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    Point,
    circle,
    ellipse,
    mix,
    moved,
    rgb,
    trace,
)

NIGHT = Palette.of(
    "#080f26", "#142350", "#2a4080", "#7d97d8", "#dfe7ff", "#ff8a2a", "#0a1330", "#4a4a86",
    "#ffb25a",
)  # fmt: skip
SIGNAL = rgb("#ff7a1f")
LIT, GLASS = rgb("#ffd98a"), rgb("#8fb4ee")
STEEL, CONCRETE = rgb("#5f77ad"), rgb("#8e9cc4")
EDGE = rgb("#060b1c")


def sky(canvas: Canvas, chance: random.Random, palette: Palette = NIGHT) -> None:
    """Night above, the glow of the streets below, searchlights between them."""
    art.sky(canvas, palette)
    art.stars(canvas, chance, palette.pale, 18)
    for _ in range(2):
        x, lean = chance.uniform(-260, 260), chance.uniform(-150, 150)
        beam = [(x - 8, 240), (x + 8, 240), (x + lean + 62, -260), (x + lean - 38, -260)]
        canvas.fill(beam, palette.pale, 0.13)
    canvas.glow((0, 250), 330, palette.accent, 0.55)


def skyline(
    canvas: Canvas, chance: random.Random, foot: float, height: float, colour: Colour, lit: float
) -> None:
    """A row of houses, a share ``lit`` of their windows bright."""
    x = float(LEFT - 20)
    while x < RIGHT + 20:
        width, tall = chance.uniform(34, 66), height * chance.uniform(0.45, 1)
        top = foot - tall
        canvas.fill([(x, BOTTOM + 9), (x, top), (x + width, top), (x + width, BOTTOM + 9)], colour)
        roof = chance.randrange(4)
        if roof == 0:
            canvas.line([(x + width / 2, top), (x + width / 2, top - 26)], 4, colour)
        elif roof == 1:
            canvas.fill([(x, top + 1), (x + width / 2, top - 18), (x + width, top + 1)], colour)
        for row in range(int(tall / 20)):
            for column in range(int(width / 15)):
                if chance.random() < lit:
                    wx, wy = x + 6 + column * 15, top + 10 + row * 20
                    canvas.fill(
                        [(wx, wy), (wx + 7, wy), (wx + 7, wy + 10), (wx, wy + 10)],
                        LIT if chance.random() < 0.8 else GLASS,
                        0.9,
                    )
        x += width + chance.uniform(1, 5)


def ground(canvas: Canvas, level: float, colour: Colour = EDGE) -> None:
    """A street with a dashed line."""
    canvas.fill([(LEFT, level), (RIGHT, level), (RIGHT, BOTTOM), (LEFT, BOTTOM)], colour)
    y = (level + BOTTOM) / 2
    for x in range(LEFT, RIGHT, 70):
        canvas.line([(x, y), (x + 34, y)], 5, SIGNAL, 0.8)


def block(canvas: Canvas, left: float, top: float, right: float, foot: float, tone: Colour) -> None:
    """A house with a light and a dark side."""
    e = 7
    canvas.fill(
        [(left - e, foot), (left - e, top - e), (right + e, top - e), (right + e, foot)], EDGE
    )
    canvas.fade(
        [(left, foot), (left, top), (right, top), (right, foot)], tone, mix(tone, BLACK, 0.55)
    )
    side = right - (right - left) * 0.3
    canvas.fill([(side, foot), (side, top), (right, top), (right, foot)], BLACK, 0.25)


def windows(
    canvas: Canvas, chance: random.Random, box: tuple[float, float, float, float],
    columns: int, rows: int, lit: float = 0.62,
) -> None:  # fmt: skip
    left, top, right, bottom = box
    w, h = (right - left) / columns, (bottom - top) / rows
    for row in range(rows):
        for column in range(columns):
            x, y = left + (column + 0.22) * w, top + (row + 0.2) * h
            tone = LIT if chance.random() < lit else mix(GLASS, EDGE, 0.65)
            canvas.fill(
                [(x, y), (x + w * 0.56, y), (x + w * 0.56, y + h * 0.6), (x, y + h * 0.6)], tone
            )


def solid(
    canvas: Canvas, data: str, tone: Colour, *, at: Point = (0, 0), size: float = 1, edge: float = 9
) -> None:
    """Path data as bodies with a dark contour."""
    for outline in trace(data):
        points = moved(outline, *at, size)
        canvas.solid(points, mix(tone, WHITE, 0.18), mix(tone, BLACK, 0.42), EDGE, edge)


# Locations


def _office(canvas: Canvas, chance: random.Random) -> None:
    for left, top, right, tone in (
        (-205, -60, -75, STEEL), (80, -20, 205, STEEL), (-78, -196, 84, CONCRETE),
    ):  # fmt: skip
        block(canvas, left, top, right, 205, tone)
        windows(
            canvas,
            chance,
            (left + 8, top + 12, right - 8, 190),
            4 if right - left < 140 else 5,
            int((200 - top) / 34),
        )
    canvas.line([(0, -200), (0, -236)], 7, EDGE)
    canvas.disc((0, -236), 8, SIGNAL)


def _plant(canvas: Canvas, chance: random.Random) -> None:
    for x, size in ((-112, 0.94), (108, 1.06)):
        for i in range(5):
            puff = (x + chance.uniform(-34, 34), -150 - i * 20)
            canvas.disc(puff, 34 + i * 5, rgb("#c9d4f0"), 0.5)
        solid(
            canvas,
            "M-96 200 C-66 90 -54 0 -70 -130 L70 -130 C54 0 66 90 96 200 Z",
            CONCRETE,
            at=(x, 5),
            size=size,
        )
        canvas.fill(ellipse((x, -130 * size + 6), 66 * size, 15 * size), EDGE)
        for y in (-60, -20):
            canvas.line([(x - 58 * size, y), (x + 58 * size, y)], 9, SIGNAL, 0.85)
    block(canvas, -40, 96, 44, 205, STEEL)
    canvas.disc((2, 142), 31, rgb("#ffd23c"))
    for i in range(3):
        a = math.radians(120 * i - 30)
        wedge = [(2.0, 142.0)] + [
            (2 + 27 * math.cos(a + math.radians(d)), 142 + 27 * math.sin(a + math.radians(d)))
            for d in range(0, 61, 10)
        ]
        canvas.fill(wedge, EDGE)
    canvas.disc((2, 142), 9, rgb("#ffd23c"))
    canvas.disc((2, 142), 5, EDGE)


def _docks(canvas: Canvas, chance: random.Random) -> None:
    art.waves(canvas, chance, 138, rgb("#1d4a80"), rgb("#9fd0ff"))
    for x, lean in ((-150, 1), (70, 1)):
        for leg in (-40, 40):
            canvas.line([(x + leg, 150), (x + leg * 0.6, -120)], 22, EDGE)
            canvas.line([(x + leg, 150), (x + leg * 0.6, -120)], 12, SIGNAL)
        for y in (80, -10):
            canvas.line([(x - 34, y), (x + 34, y - 50)], 7, SIGNAL)
        boom = [(x - 90 * lean, -122), (x + 170 * lean, -122)]
        canvas.line(boom, 30, EDGE)
        canvas.line(boom, 18, SIGNAL)
        canvas.line([(x, -210), (x + 160 * lean, -128)], 6, EDGE)
        canvas.line([(x, -210), (x - 86 * lean, -128)], 6, EDGE)
        canvas.line([(x, -212), (x, -120)], 14, EDGE)
        canvas.line([(x + 118, -110), (x + 118, -30)], 5, EDGE)
    for x, y, tone in (
        (-32, -30, "#d8443a"),
        (188, -30, "#3aa06a"),
        (-20, 108, "#3a7ad0"),
        (0, 60, "#e0b03a"),
    ):
        solid(canvas, "M-44 0 L44 0 L44 44 L-44 44 Z", rgb(tone), at=(x, y), edge=8)
        for i in range(-30, 40, 15):
            canvas.line([(x + i, y + 5), (x + i, y + 39)], 4, EDGE, 0.45)


def _stadium(canvas: Canvas, chance: random.Random) -> None:
    for x in (-190, -70, 70, 190):
        canvas.line([(x, 100), (x, -140)], 12, EDGE)
        solid(canvas, "M-40 -30 L40 -30 L34 24 L-34 24 Z", STEEL, at=(x, -150), edge=8)
        for i in range(6):
            canvas.disc((x - 22 + i % 3 * 22, -162 + i // 3 * 22), 8, rgb("#fff6d0"))
        canvas.glow((x, -150), 110, rgb("#fff0b0"), 0.6)
    canvas.fill(ellipse((0, 96), 246, 118), EDGE)
    canvas.fade(ellipse((0, 94), 236, 108), CONCRETE, mix(STEEL, BLACK, 0.4))
    for _ in range(170):
        a, r = chance.uniform(0, 2 * math.pi), chance.uniform(0.72, 0.95)
        canvas.disc(
            (236 * r * math.cos(a), 94 + 108 * r * math.sin(a)),
            5,
            chance.choice((SIGNAL, WHITE, GLASS, LIT)),
        )
    canvas.fill(ellipse((0, 98), 160, 66), EDGE)
    canvas.fade(ellipse((0, 98), 152, 60), rgb("#5fc46a"), rgb("#237a42"))
    canvas.line(ellipse((0, 98), 42, 18), 4, WHITE, closed=True)
    canvas.line([(0, 40), (0, 157)], 4, WHITE)


def _bridge(canvas: Canvas, chance: random.Random) -> None:
    art.waves(canvas, chance, 150, rgb("#1d4a80"), rgb("#9fd0ff"))
    cable = [(x, 70 - 260 * ((abs(x) - 0) / 130) ** 2 * 0.97 + 0) for x in range(-130, 131, 10)]
    canvas.line([(LEFT, 86), (RIGHT, 86)], 34, EDGE)
    canvas.line([(LEFT, 84), (RIGHT, 84)], 20, SIGNAL)
    for side in (-1, 1):
        for x in range(160, 321, 28):
            y = -182 + (x - 130) * 1.34
            canvas.line([(side * x, y), (side * x, 80)], 4, CONCRETE)
        canvas.line([(side * 130, -182), (side * 330, 86)], 12, EDGE)
        canvas.line([(side * 130, -182), (side * 330, 86)], 6, SIGNAL)
    for x in range(-104, 105, 26):
        canvas.line([(x, 70 - 252 * (x / 130) ** 2), (x, 80)], 4, CONCRETE)
    canvas.line(cable, 12, EDGE)
    canvas.line(cable, 6, SIGNAL)
    for x in (-130, 130):
        for leg in (-22, 22):
            canvas.line([(x + leg, 200), (x + leg * 0.7, -196)], 28, EDGE)
            canvas.line([(x + leg, 200), (x + leg * 0.7, -196)], 16, mix(SIGNAL, BLACK, 0.15))
        for y in (-170, -90, 0):
            canvas.line([(x - 18, y), (x + 18, y)], 14, mix(SIGNAL, BLACK, 0.3))
    for x in range(LEFT, RIGHT, 54):
        canvas.disc((x, 66), 6, LIT)


def _tower(canvas: Canvas, chance: random.Random) -> None:
    for r in (60, 104, 148):
        for side in (-1, 1):
            turns = [math.radians(d) for d in range(-38, 39, 4)]
            arc = [(side * r * math.cos(a), -158 + r * math.sin(a)) for a in turns]
            canvas.line(arc, 19, EDGE)
            canvas.line(arc, 10, SIGNAL)
    for side in (-1, 1):
        canvas.line([(side * 118, 210), (side * 10, -150)], 24, EDGE)
        canvas.line([(side * 118, 210), (side * 10, -150)], 13, rgb("#e8ecf8"))
    for y, tone in ((-90, SIGNAL), (-20, WHITE), (50, SIGNAL), (120, WHITE), (180, SIGNAL)):
        half = 10 + (y + 150) * 0.3
        canvas.line([(-half, y), (half, y)], 18, EDGE)
        canvas.line([(-half, y), (half, y)], 10, tone)
        canvas.line([(-half, y), (half + 18, y + 56)], 6, STEEL)
        canvas.line([(half, y), (-half - 18, y + 56)], 6, STEEL)
    solid(canvas, "M-52 -40 L52 -40 L38 -6 L-38 -6 Z", CONCRETE)
    canvas.line([(0, -150), (0, -226)], 14, EDGE)
    canvas.line([(0, -150), (0, -226)], 7, SIGNAL)
    canvas.disc((0, -158), 20, EDGE)
    canvas.disc((0, -158), 13, rgb("#ff4a3a"))


def _refinery(canvas: Canvas, chance: random.Random) -> None:
    canvas.glow((90, -190), 130, SIGNAL, 1)
    solid(canvas, "M90 -236 C128 -196 120 -156 90 -146 C60 -156 56 -196 90 -236 Z", SIGNAL, edge=6)
    canvas.path("M90 -206 C106 -186 104 -164 90 -156 C78 -164 76 -186 90 -206 Z", LIT)
    solid(canvas, "M72 -146 L108 -146 L118 205 L62 205 Z", CONCRETE)
    for y in (-90, -20, 50):
        canvas.line([(68, y), (112, y)], 13, rgb("#d8443a"))
    solid(canvas, "M150 -60 L206 -60 L214 205 L142 205 Z", STEEL)
    for x, r in ((-150, 74), (-20, 60)):
        canvas.line([(x - r * 0.7, 205), (x - r * 0.5, 110)], 12, EDGE)
        canvas.line([(x + r * 0.7, 205), (x + r * 0.5, 110)], 12, EDGE)
        canvas.disc((x, 92), r + 8, EDGE)
        canvas.fade(circle((x, 92), r), rgb("#e4e9f6"), rgb("#65759f"))
        canvas.line([(x - r, 92), (x + r, 92)], 10, SIGNAL)
        canvas.fill(ellipse((x - r * 0.36, 92 - r * 0.42), r * 0.26, r * 0.14, -30), WHITE, 0.8)
    canvas.line([(-150, 10), (-150, -50), (70, -50)], 22, EDGE)
    canvas.line([(-150, 14), (-150, -50), (70, -50)], 12, STEEL)
    canvas.line([(-20, 30), (-20, 0), (142, 0)], 20, EDGE)
    canvas.line([(-20, 30), (-20, 0), (142, 0)], 10, STEEL)


def _hospital(canvas: Canvas, chance: random.Random) -> None:
    block(canvas, -200, 20, 200, 205, rgb("#c6cfe6"))
    windows(canvas, chance, (-194, 36, 194, 190), 10, 4, 0.7)
    block(canvas, -92, -170, 92, 205, rgb("#e9eefb"))
    canvas.disc((0, -80), 72, EDGE)
    canvas.disc((0, -80), 64, WHITE)
    canvas.path(
        "M-18 -50 L18 -50 L18 -18 L50 -18 L50 18 L18 18 L18 50 L-18 50 L-18 18 L-50 18 L-50 -18 L-18 -18 Z",
        rgb("#d8342c"),
        at=(0, -80),
    )
    windows(canvas, chance, (-84, 16, 84, 130), 4, 3, 0.9)
    solid(canvas, "M-34 205 L-34 140 L34 140 L34 205 Z", rgb("#2a4080"))


def _quarter(canvas: Canvas, chance: random.Random) -> None:
    for x, w, top, tone in (
        (-206, 84, -20, "#a85a48"), (-118, 76, -70, "#7a6aa8"), (-38, 88, -110, "#b8864a"),
        (54, 74, -54, "#5a7a9a"), (132, 84, -6, "#a85a6a"),
    ):  # fmt: skip
        block(canvas, x, top, x + w, 205, rgb(tone))
        windows(canvas, chance, (x + 6, top + 20, x + w - 6, 190), 3, int((190 - top) / 52), 0.75)
        solid(
            canvas,
            f"M{x - 8} {top} L{x + w / 2:.0f} {top - 62} L{x + w + 8} {top} Z",
            rgb("#8a3a34"),
        )
    solid(canvas, "M-14 -172 L26 -172 L26 -110 L-14 -110 Z", rgb("#d8c08a"))
    solid(canvas, "M-22 -172 L6 -234 L34 -172 Z", rgb("#3a6a6a"))
    canvas.disc((6, -142), 17, WHITE)
    canvas.line([(6, -154), (6, -142), (15, -138)], 4, EDGE)


LOCATIONS: Mapping[str, Callable[[Canvas, random.Random], None]] = {
    "office-complex": _office,
    "nuclear-power-plant": _plant,
    "harbor-docks": _docks,
    "grand-stadium": _stadium,
    "suspension-bridge": _bridge,
    "broadcast-tower": _tower,
    "oil-refinery": _refinery,
    "field-hospital": _hospital,
    "old-quarter": _quarter,
}


def location(canvas: Canvas, slug: str) -> None:
    chance = art.seeded(slug)
    sky(canvas, chance)
    art.moon(canvas, (0, -30), 176, rgb("#f3c48a"), NIGHT.accent)
    if slug not in ("harbor-docks", "suspension-bridge"):
        skyline(canvas, chance, 190, 170, mix(NIGHT.deep, NIGHT.base, 0.4), 0.12)
        ground(canvas, 204)
    LOCATIONS[slug](canvas, chance)


# Opponents

_ARMY, _NAVY, _JET = rgb("#7d8a5a"), rgb("#8a97ad"), rgb("#a8b4c8")


def _tank(canvas: Canvas, at: Point, size: float) -> None:
    x, y = at
    solid(
        canvas,
        "M-150 20 L150 20 L176 50 L140 92 L-140 92 L-176 50 Z",
        rgb("#3c4430"),
        at=at,
        size=size,
    )
    for i in range(6):
        canvas.disc((x + (-118 + i * 47) * size, y + 58 * size), 21 * size, EDGE)
        canvas.disc((x + (-118 + i * 47) * size, y + 58 * size), 13 * size, STEEL)
    solid(canvas, "M-140 -14 L150 -14 L166 24 L-158 24 Z", _ARMY, at=at, size=size)
    solid(
        canvas,
        "M70 -52 L240 -78 L240 -58 L70 -26 Z M228 -86 L254 -88 L254 -50 L228 -52 Z",
        _ARMY,
        at=at,
        size=size,
    )
    solid(canvas, "M-86 -14 L-70 -66 L60 -74 L92 -14 Z", mix(_ARMY, WHITE, 0.12), at=at, size=size)
    canvas.disc((x - 4 * size, y - 42 * size), 16 * size, SIGNAL)


def _jet(canvas: Canvas, at: Point, size: float) -> None:
    x, y = at
    for side in (-1, 1):
        canvas.glow((x + side * 16 * size, y + 118 * size), 42 * size, SIGNAL, 1)
    solid(
        canvas,
        "M0 -140 C14 -110 20 -70 22 -30 L130 70 L130 92 L24 62 L22 84 L58 112 L58 124 L-58 124 L-58 112 L-22 84 L-24 62 L-130 92 L-130 70 L-22 -30 C-20 -70 -14 -110 0 -140 Z",
        _JET,
        at=at,
        size=size,
    )
    canvas.path(
        "M0 -104 C10 -86 12 -60 8 -44 L-8 -44 C-12 -60 -10 -86 0 -104 Z",
        rgb("#2a5ab0"),
        at=at,
        size=size,
    )
    canvas.path("M-108 64 L-46 14 L-46 40 Z M108 64 L46 14 L46 40 Z", SIGNAL, at=at, size=size)


def _missiles(canvas: Canvas) -> None:
    solid(canvas, "M-196 130 L196 130 L210 190 L-210 190 Z", rgb("#3c4430"))
    for x in (-150, -60, 60, 150):
        canvas.disc((x, 186), 32, EDGE)
        canvas.disc((x, 186), 18, STEEL)
    solid(canvas, "M110 60 L190 60 L204 130 L96 130 Z", _ARMY)
    canvas.path("M128 72 L178 72 L186 100 L120 100 Z", GLASS)
    for i in range(4):
        x, y = -164 + i * 58, -70 + i * 8
        solid(
            canvas,
            "M-16 150 L-16 -70 C-16 -100 -6 -116 0 -124 C6 -116 16 -100 16 -70 L16 150 Z",
            rgb("#dfe4ee"),
            at=(x + 60, y),
            edge=10,
        )
        canvas.fill([(x + 44, y - 66), (x + 60, y - 124), (x + 76, y - 66)], SIGNAL)
        canvas.line([(x + 46, y - 20), (x + 74, y - 20)], 10, SIGNAL)
    solid(canvas, "M-176 30 L100 62 L96 134 L-186 134 Z", _ARMY)


def _artillery(canvas: Canvas) -> None:
    canvas.glow((214, -176), 130, SIGNAL, 1)
    canvas.path("M206 -170 L320 -250 L276 -170 L320 -130 L250 -140 L240 -84 Z", LIT)
    solid(canvas, "M-60 60 L-30 20 L226 -190 L250 -160 L4 82 Z", _ARMY, edge=11)
    solid(canvas, "M180 -168 L222 -204 L262 -156 L224 -122 Z", rgb("#4c5640"))
    solid(canvas, "M-130 120 L-80 10 L30 10 L84 120 Z", mix(_ARMY, BLACK, 0.15))
    for x in (-96, 60):
        canvas.disc((x, 140), 66, EDGE)
        canvas.disc((x, 140), 54, rgb("#4a5368"))
        canvas.disc((x, 140), 36, mix(_ARMY, WHITE, 0.1))
        for i in range(6):
            a = math.radians(60 * i)
            canvas.line([(x, 140), (x + 46 * math.cos(a), 140 + 46 * math.sin(a))], 7, EDGE)
        canvas.disc((x, 140), 11, SIGNAL)
    solid(canvas, "M-120 150 L-236 196 L-226 210 L-96 176 Z", rgb("#4c5640"))


def _battleship(canvas: Canvas, chance: random.Random) -> None:
    for x, y, w, h in ((-60, -54, 150, 90), (-34, -120, 90, 74), (-14, -186, 44, 74)):
        solid(canvas, f"M{x} {y} L{x + w} {y} L{x + w + 12} {y + h} L{x - 12} {y + h} Z", _NAVY)
    canvas.line([(8, -186), (8, -238)], 8, EDGE)
    canvas.fill([(10, -236), (52, -222), (10, -208)], SIGNAL)
    for row, y in enumerate((-104, -38)):
        for i in range(4 + row * 2):
            canvas.disc((-16 + i * 19 - row * 18, y), 6, LIT)
    for x, side in ((-140, -1), (150, 1)):
        for dy in (0, 22):
            canvas.line([(x, 6 + dy), (x + side * 104, -34 + dy)], 19, EDGE)
            canvas.line([(x, 6 + dy), (x + side * 104, -34 + dy)], 10, _NAVY)
        solid(canvas, "M-48 40 L-36 -8 L36 -8 L48 40 Z", mix(_NAVY, BLACK, 0.15), at=(x, 0))
    solid(
        canvas,
        "M-250 36 L250 36 C236 90 210 140 190 170 L-190 170 C-214 140 -236 90 -250 36 Z",
        mix(_NAVY, BLACK, 0.1),
    )
    canvas.line([(-240, 66), (240, 66)], 9, SIGNAL)
    art.waves(canvas, chance, 138, rgb("#1d4a80"), rgb("#bfe0ff"))


def _gunship(canvas: Canvas, at: Point, size: float) -> None:
    x, y = at
    solid(canvas, "M60 -20 L226 -54 L232 -98 L256 -98 L262 -20 L90 46 Z", _ARMY, at=at, size=size)
    solid(
        canvas,
        "M-150 20 C-150 -50 -80 -86 0 -80 C70 -76 110 -40 110 0 C110 54 60 80 -30 80 C-100 80 -150 70 -150 20 Z",
        _ARMY,
        at=at,
        size=size,
    )
    canvas.path("M-136 10 C-132 -36 -88 -62 -44 -62 L-44 14 Z", GLASS, at=at, size=size)
    canvas.path(
        "M-30 -62 C-6 -66 20 -62 34 -54 L34 10 L-30 12 Z", mix(GLASS, EDGE, 0.4), at=at, size=size
    )
    solid(canvas, "M-60 86 L60 86 L40 112 L-84 112 Z", rgb("#4c5640"), at=at, size=size)
    canvas.line([(x - 14 * size, y - 80 * size), (x - 14 * size, y - 116 * size)], 16 * size, EDGE)
    canvas.line(
        [(x - 250 * size, y - 128 * size), (x + 216 * size, y - 108 * size)], 13 * size, EDGE
    )
    canvas.line([(x + 244 * size, y - 120 * size), (x + 244 * size, y - 20 * size)], 9 * size, EDGE)
    canvas.disc((x + 66 * size, y + 6 * size), 17 * size, SIGNAL)


def _coils(canvas: Canvas, chance: random.Random) -> None:
    heads = [(-160, -60), (0, -130), (160, -60)]
    for x, y in heads:
        solid(canvas, f"M-30 205 L-20 {y + 30} L20 {y + 30} L30 205 Z", STEEL, at=(x, 0))
        for ring in range(6):
            ry = y + 60 + ring * (150 - y) / 7
            canvas.fill(ellipse((x, ry), 46, 13), EDGE)
            canvas.fill(ellipse((x, ry - 2), 39, 9), SIGNAL)
        canvas.glow((x, y), 120, rgb("#7fd8ff"), 0.9)
        canvas.disc((x, y), 47, EDGE)
        canvas.fade(circle((x, y), 39), rgb("#eafaff"), rgb("#3a8ad0"))
    for start, end in (
        (heads[0], heads[1]),
        (heads[1], heads[2]),
        (heads[0], (-236, -220)),
        (heads[2], (240, -214)),
    ):
        line: list[Point] = [start]
        for i in range(1, 7):
            t = i / 7
            line.append(
                (
                    start[0] + (end[0] - start[0]) * t + chance.uniform(-16, 16),
                    start[1] + (end[1] - start[1]) * t + chance.uniform(-22, 22),
                )
            )
        line.append(end)
        canvas.line(line, 13, rgb("#3a8ad0"), 0.8)
        canvas.line(line, 5, WHITE)


def _paladin(canvas: Canvas) -> None:
    white, blue = rgb("#dfe6f4"), rgb("#3a62b8")
    for side in (-1, 1):

        def flip(points: Sequence[Point], side: int = side) -> list[Point]:
            return [(px * side, py) for px, py in points]

        for data, tone in (
            ("M20 90 L86 90 L104 240 L24 240 Z", blue),
            ("M96 -40 L176 -20 L192 120 L120 130 Z", white),
            ("M60 -130 C130 -160 196 -130 200 -50 L176 -14 L70 -50 Z", blue),
        ):
            points = flip(trace(data)[0])
            canvas.line(points, 10, EDGE, closed=True)
            canvas.fade(points, mix(tone, WHITE, 0.15), mix(tone, BLACK, 0.4))
    solid(canvas, "M-100 -110 L100 -110 L78 40 L52 104 L-52 104 L-78 40 Z", white)
    canvas.path("M-60 -84 L0 -58 L60 -84 L50 0 L0 40 L-50 0 Z", SIGNAL)
    canvas.path("M-26 -40 L0 -26 L26 -40 L20 -4 L0 14 L-20 -4 Z", LIT)
    solid(canvas, "M-46 -120 L-52 -186 L-22 -216 L22 -216 L52 -186 L46 -120 L0 -104 Z", white)
    canvas.path("M-42 -176 L42 -176 L34 -148 L-34 -148 Z", EDGE)
    canvas.path("M-34 -170 L-6 -164 L-30 -154 Z M34 -170 L6 -164 L30 -154 Z", rgb("#7fe0ff"))
    solid(canvas, "M-8 -216 L0 -250 L8 -216 Z", SIGNAL, edge=6)
    solid(
        canvas,
        "M0 -94 C32 -74 62 -68 82 -68 C84 12 58 64 0 96 C-58 64 -84 12 -82 -68 C-62 -68 -32 -74 0 -94 Z",
        blue,
        at=(-150, 90),
        size=1.15,
        edge=12,
    )
    canvas.path(
        "M-12 -50 L12 -50 L12 -12 L46 -12 L46 12 L12 12 L12 60 L-12 60 L-12 12 L-46 12 L-46 -12 L-12 -12 Z",
        SIGNAL,
        at=(-150, 86),
    )


def _defended_by_tank_column(canvas: Canvas, chance: random.Random) -> None:
    _tank(canvas, (-120, 62), 0.5)
    _tank(canvas, (110, 66), 0.62)
    _tank(canvas, (-36, 122), 1.02)


def _defended_by_fighter_squadron(canvas: Canvas, chance: random.Random) -> None:
    for at, size in (((-170, 60), 0.62), ((172, 70), 0.62), ((0, -40), 1.15)):
        _jet(canvas, at, size)


def _defended_by_missile_battery(canvas: Canvas, chance: random.Random) -> None:
    _missiles(canvas)


def _defended_by_siege_artillery(canvas: Canvas, chance: random.Random) -> None:
    _artillery(canvas)


def _defended_by_battleship(canvas: Canvas, chance: random.Random) -> None:
    _battleship(canvas, chance)


def _defended_by_gunship_patrol(canvas: Canvas, chance: random.Random) -> None:
    _gunship(canvas, (120, -130), 0.44)
    _gunship(canvas, (-6, 40), 0.92)


def _defended_by_guardian_mech(canvas: Canvas, chance: random.Random) -> None:
    _paladin(canvas)


def _defended_by_tesla_grid(canvas: Canvas, chance: random.Random) -> None:
    _coils(canvas, chance)


_OPPONENTS: Final[Mapping[str, Callable[[Canvas, random.Random], None]]] = {
    "tank-column": _defended_by_tank_column,
    "fighter-squadron": _defended_by_fighter_squadron,
    "missile-battery": _defended_by_missile_battery,
    "siege-artillery": _defended_by_siege_artillery,
    "battleship": _defended_by_battleship,
    "gunship-patrol": _defended_by_gunship_patrol,
    "guardian-mech": _defended_by_guardian_mech,
    "tesla-grid": _defended_by_tesla_grid,
}


def opponent(canvas: Canvas, slug: str) -> None:
    chance = art.seeded(slug)
    dawn = Palette.of(
        "#12182a", "#2a2f4a", "#5a4a5a", "#e08a5a", "#ffe0b8", "#ff7a1f", "#141a36", "#8a4a4a",
        "#ffb066",
    )  # fmt: skip
    sky(canvas, chance, dawn)
    art.moon(canvas, (0, -30), 180, dawn.disc, dawn.accent)
    if slug != "battleship":
        skyline(canvas, chance, 200, 130, mix(dawn.dark, dawn.deep, 0.6), 0.1)
    if slug in ("tank-column", "missile-battery", "siege-artillery", "guardian-mech", "tesla-grid"):
        ground(canvas, 196)
    # What an older catalog called otherwise stands behind the grid, too.
    _OPPONENTS.get(slug, _defended_by_tesla_grid)(canvas, chance)
