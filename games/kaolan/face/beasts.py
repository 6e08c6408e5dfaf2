"""The six beasts of Kaolan, each in the colours and the country of its card."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

import math
import random
from collections.abc import Callable

from collection.drawing import art
from collection.drawing.art import Palette
from collection.drawing.canvas import (
    WHITE,
    Canvas,
    Point,
    along,
    both,
    ellipse,
    mirrored,
    mix,
    moved,
    ngon,
    ribbon,
    star,
    trace,
    turned,
)

PALETTES = {
    "red": Palette.of(
        "#2b0a14", "#7d1420", "#d63a2c", "#ff8a4a", "#ffe3b8", "#ffc53d",
        "#2a0c22", "#c8492f", "#f6b872",
    ),
    "green": Palette.of(
        "#082420", "#14573a", "#2f9c55", "#8ddb6f", "#eefbd0", "#f4e25a",
        "#0a2c30", "#5fae7a", "#d4eaa6",
    ),
    "blue": Palette.of(
        "#0a1438", "#173a86", "#2f72d8", "#74bdff", "#e4f4ff", "#8ff2e6",
        "#0b1440", "#4f93d6", "#bfe2f7",
    ),
    "gold": Palette.of(
        "#3a1c05", "#8a4d08", "#dfa01a", "#ffd861", "#fff6d2", "#c2391f",
        "#4a1f0c", "#e2a545", "#fff0bd",
    ),
}  # fmt: skip


def flame(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    """A fox made of fire."""
    coat = (
        "M0 214 C-122 214 -190 142 -178 46 C-172 4 -152 -26 -166 -96 C-130 -78 -110 -52 -104 -22 "
        "C-112 -96 -84 -150 -28 -228 C-22 -164 2 -136 22 -104 C36 -138 44 -160 86 -202 "
        "C82 -142 104 -108 116 -66 C126 -88 142 -104 170 -116 C152 -58 188 -16 182 56 "
        "C178 150 116 214 0 214 Z"
    )
    canvas.solid(trace(coat)[0], p.base, p.deep, p.dark, 12)
    for size, lift, top, bottom in (
        (0.8, 42, p.light, p.base),
        (0.6, 82, mix(p.light, p.accent, 0.6), p.light),
    ):
        canvas.fade(moved(trace(coat)[0], 0, lift, size), top, bottom)
    snout = "M0 196 C-60 190 -96 140 -92 78 C-60 96 -34 104 0 70 C34 104 60 96 92 78 C96 140 60 190 0 196 Z"
    canvas.fade(trace(snout)[0], p.pale, mix(p.pale, p.light, 0.55))
    eye = "M-104 26 C-74 14 -46 30 -34 66 C-66 72 -92 58 -104 26 Z"
    for side in both(trace(eye)[0]):
        canvas.fill(side, p.dark)
    for x in (-1, 1):
        canvas.fill(ellipse((x * 66, 46), 11, 17, x * -30), p.accent)
        canvas.fill(ellipse((x * 66, 46), 4.5, 15, x * -18), p.dark)
        canvas.disc((x * 60, 38), 5, WHITE)
    canvas.path(
        "M-22 128 C-12 120 12 120 22 128 C18 148 8 154 0 156 C-8 154 -18 148 -22 128 Z", p.dark
    )
    canvas.line([(0, 154), (0, 168), (-22, 178)], 5, p.dark)
    canvas.line([(0, 168), (22, 178)], 5, p.dark)
    for _ in range(13):
        spark = (chance.choice((-1, 1)) * chance.uniform(90, 270), chance.uniform(-210, 30))
        size = chance.uniform(7, 17)
        canvas.fill(
            ngon(spark, size, 4, chance.uniform(-12, 12)), chance.choice((p.accent, p.light)), 0.95
        )


def claw(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    """A striking paw, and the marks it leaves in the air."""
    for i in range(4):
        x = -150 + i * 92
        tear = [(x + 66, -226), (x + 28, -60), (x - 46, 120), (x + 2, -64)]
        canvas.fill(tear, p.dark, 0.5)
        canvas.fill(moved(tear, 7, 2), p.pale, 0.6)
    arm = "M-84 250 C-128 160 -118 96 -96 46 C-52 2 70 2 112 54 C136 108 126 174 96 250 Z"
    toes: tuple[tuple[Point, Point, Point], ...] = (
        ((-92, 96), (-182, 74), (-238, -14)),
        ((-66, 52), (-126, -50), (-118, -186)),
        ((-10, 26), (-24, -84), (16, -226)),
        ((52, 34), (84, -64), (138, -192)),
        ((92, 76), (166, 6), (226, -98)),
    )
    for _base, knuckle, tip in toes:
        dx, dy = tip[0] - knuckle[0], tip[1] - knuckle[1]
        length = math.hypot(dx, dy)
        nx, ny = -dy / length * 23, dx / length * 23
        bow = (knuckle[0] + dx * 0.55 - nx * 1.5, knuckle[1] + dy * 0.55 - ny * 1.5)
        inner = (knuckle[0] + dx * 0.5 + nx * 0.2, knuckle[1] + dy * 0.5 + ny * 0.2)
        nail = trace(
            f"M{knuckle[0] - nx:.1f} {knuckle[1] - ny:.1f} Q{bow[0]:.1f} {bow[1]:.1f} {tip[0]} {tip[1]} "
            f"Q{inner[0]:.1f} {inner[1]:.1f} {knuckle[0] + nx:.1f} {knuckle[1] + ny:.1f} Z"
        )[0]
        canvas.solid(nail, p.pale, mix(p.pale, p.light, 0.8), p.dark, 8)
        canvas.line([nail[2], nail[8], nail[13]], 4, WHITE, 0.7)
    for base, knuckle, _tip in toes:
        canvas.solid(ribbon([base, knuckle], 74, 54), p.base, p.deep, p.dark)
    canvas.solid(trace(arm)[0], p.base, p.deep, p.dark)
    for base, knuckle, _tip in toes:
        canvas.fill(ribbon([base, knuckle], 62, 44), p.base)
        for spot, direction in along([base, knuckle], 4)[1:]:
            scale = moved(turned([(-14, -20), (13, 0), (-14, 20), (-3, 0)], direction), *spot)
            canvas.fill(scale, p.light, 0.9)
        canvas.disc(knuckle, 17, p.light)
        canvas.disc(knuckle, 9, p.accent)
    for row in range(5):
        for i in range(-2, 3):
            x, y = i * 34 + (17 if row % 2 else 0), 86 + row * 34
            if abs(x) < 92:
                canvas.fill(
                    [(x - 14, y - 7), (x, y + 13), (x + 14, y - 7), (x, y - 1)], p.light, 0.85
                )


def stinger(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    """A scorpion with its tail raised above its back."""
    for side in (-1, 1):
        for i in range(4):
            knee = (side * (128 + i * 9), 66 + i * 36)
            foot = (side * (176 + (i - 1) * 9), 128 + i * 34)
            canvas.line([(side * 50, 84 + i * 24), knee, foot], 19, p.dark)
            canvas.line([(side * 50, 84 + i * 24), knee, foot], 10, p.base)
    tail = trace("M8 96 C150 60 176 -70 96 -142 C44 -186 -40 -186 -72 -132")[0]
    joints = along(tail, 8)
    for i, (spot, direction) in enumerate(joints):
        size = 46 - i * 2.6
        canvas.fill(ellipse(spot, size + 5, size * 0.82 + 5, direction), p.dark)
        canvas.fill(ellipse(spot, size - 1, size * 0.82 - 1, direction), p.base)
        canvas.fill(
            ellipse((spot[0] - 5, spot[1] - 8), size * 0.6, size * 0.34, direction), p.light
        )
    barb = (
        "M-52 -150 C-104 -150 -132 -112 -110 -78 C-98 -60 -88 -44 -94 0 C-64 -36 -44 -70 -42 -108 Z"
    )
    canvas.solid(trace(barb)[0], p.accent, mix(p.accent, p.deep, 0.5), p.dark)
    canvas.path("M-76 -132 C-100 -128 -108 -106 -98 -88 C-94 -104 -88 -118 -76 -132 Z", WHITE, 0.7)
    arm = "M-52 130 C-120 120 -176 110 -190 44"
    for flip in (False, True):
        line = trace(arm)[0]
        line = tuple(mirrored(line)) if flip else line
        canvas.line(line, 42, p.dark)
        canvas.line(line, 26, p.base)
        pincer = trace(
            "M-190 70 C-252 52 -270 -10 -246 -74 C-236 -44 -222 -28 -204 -12 C-198 -36 -186 -58 -160 -78 "
            "C-138 -24 -144 46 -190 70 Z"
        )[0]
        pincer = tuple(mirrored(pincer)) if flip else pincer
        canvas.solid(pincer, p.light, p.base, p.dark)
        canvas.fill(moved(pincer, (-1 if flip else 1) * -68, -2, 0.64), p.pale, 0.35)
    for i in range(4):
        y, w = 108 + i * 29, 82 - i * 11
        canvas.fill(ellipse((0, y), w + 6, 34), p.dark)
        canvas.fade(ellipse((0, y), w, 28), p.light, p.base)
    head = "M-88 84 C-92 30 -44 4 0 4 C44 4 92 30 88 84 C60 112 -60 112 -88 84 Z"
    canvas.solid(trace(head)[0], p.light, p.base, p.dark)
    canvas.path(
        "M-58 62 C-50 34 -20 24 0 24 C20 24 50 34 58 62 C30 46 -30 46 -58 62 Z", p.pale, 0.55
    )
    for x, y, r in ((-36, 68, 13), (36, 68, 13), (-62, 72, 7), (62, 72, 7)):
        canvas.disc((x, y), r, p.dark)
        canvas.disc((x - 3, y - 4), r * 0.38, p.accent)


def diamondback(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    """A coiled snake with diamonds down its back."""
    coil = trace(
        "M-236 196 C-150 246 214 250 214 170 C214 100 -196 150 -196 66 C-196 -12 158 46 150 -38 "
        "C146 -96 70 -96 34 -112"
    )[0]
    canvas.line(ribbon(coil, 40, 84, 30), 14, p.dark, closed=True)
    parts = (coil[:17], coil[14:31], coil[28:45], coil[42:])
    widths = (40, 74, 96, 100, 84)
    for i, part in enumerate(parts):
        a, b = widths[i], widths[i + 1]
        canvas.line(ribbon(part, a, b, 6), 11, p.dark, closed=True)
        canvas.fade(ribbon(part, a, b, 6), p.light, p.base)
        canvas.fill(moved(ribbon(part, a * 0.3, b * 0.3), 0, b * 0.33), p.deep, 0.35)
    for i, (spot, direction) in enumerate(along(coil, 20)[1:-1]):
        long, wide = 27 + min(i, 8), 13 + min(i, 8) * 1.6
        diamond = moved(turned([(-long, 0), (0, -wide), (long, 0), (0, wide)], direction), *spot)
        canvas.fill(diamond, p.dark)
        canvas.fill(
            moved(
                turned(
                    [(-long * 0.66, 0), (0, -wide * 0.66), (long * 0.66, 0), (0, wide * 0.66)],
                    direction,
                ),
                *spot,
            ),
            p.accent,
        )
        canvas.fill(
            moved(
                turned(
                    [(-long * 0.3, 0), (0, -wide * 0.3), (long * 0.3, 0), (0, wide * 0.3)],
                    direction,
                ),
                *spot,
            ),
            p.deep,
        )
    for i in range(4):
        canvas.fill(ellipse((-240 - i * 15, 186 - i * 16), 18 - i * 2.4, 13 - i * 1.6, 42), p.dark)
        canvas.fill(ellipse((-240 - i * 15, 186 - i * 16), 12 - i * 2.2, 8 - i * 1.4, 42), p.pale)
    tongue = [(-104, -112), (-168, -98), (-206, -118)]
    canvas.line(tongue, 8, p.accent if p.accent != p.light else p.deep)
    canvas.line([(-168, -98), (-202, -82)], 8, p.accent)
    head = (
        "M76 -66 C84 -128 44 -182 -22 -196 C-60 -202 -126 -164 -140 -124 C-134 -106 -116 -98 -92 -100 "
        "C-70 -60 -24 -28 34 -30 C56 -34 72 -46 76 -66 Z"
    )
    canvas.solid(trace(head)[0], p.light, p.base, p.dark)
    canvas.path("M-92 -100 C-70 -60 -24 -28 34 -30 C10 -62 -30 -92 -92 -100 Z", p.pale, 0.9)
    for x in (-104, -76):
        canvas.fill([(x - 6, -101), (x + 14, -98), (x - 2, -58)], WHITE)
    canvas.line([(-136, -116), (-90, -100), (-20, -88), (40, -62)], 6, p.dark)
    canvas.fill([(16, -176), (52, -136), (24, -110), (-4, -146)], p.dark)
    canvas.fill([(17, -164), (40, -137), (23, -121), (6, -146)], p.accent)
    canvas.fill(ellipse((-42, -140), 26, 20, -24), p.dark)
    canvas.fill(ellipse((-42, -140), 19, 14, -24), p.accent)
    canvas.fill(ellipse((-42, -140), 4.5, 14, -10), p.dark)


def starmaster(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    """A cloaked being with a star for a head, and worlds that circle it."""
    orbit = ellipse((0, -18), 268, 74, -14)
    canvas.line(orbit[24:] + orbit[:1], 5, p.pale, 0.7)
    cloak = (
        "M0 -66 C-40 -62 -92 -44 -116 0 C-150 64 -178 160 -208 250 L208 250 C178 160 150 64 116 0 "
        "C92 -44 40 -62 0 -66 Z"
    )
    canvas.solid(trace(cloak)[0], p.base, p.dark, p.dark, 11)
    fold = "M-30 -40 C-70 10 -100 130 -120 250 L-52 250 C-50 150 -40 60 -30 -40 Z"
    for side in both(trace(fold)[0]):
        canvas.fill(side, p.deep, 0.75)
    canvas.fade([(-26, -30), (26, -30), (46, 250), (-46, 250)], p.pale, p.light)
    for i in range(5):
        canvas.fill(star((0, 44 + i * 44), 15, 6.5, 4), p.deep)
    for _ in range(22):
        x = chance.uniform(-150, 150)
        y = chance.uniform(40, 230)
        if 60 < abs(x) < 60 + (y + 60) * 0.32:
            canvas.fill(star((x, y), chance.uniform(4, 9), 2.4, 4), p.pale, 0.95)
    collar = "M0 20 C-60 6 -104 -26 -132 -72 C-84 -66 -40 -54 0 -14 Z"
    for side in both(trace(collar)[0]):
        canvas.solid(side, p.accent, mix(p.accent, p.deep, 0.55), p.dark, 7)
    canvas.glow((0, -116), 190, p.accent, 0.55)
    for radius, inner, tone in ((136, 62, p.dark), (124, 54, p.accent), (96, 44, p.pale)):
        canvas.fill(star((0, -112), radius, inner, 5), tone)
    for i in range(5):
        tip = star((0, -112), 124, 54, 5)
        a, b, c = tip[i * 2], tip[i * 2 + 1], (0.0, -112.0)
        canvas.fill([a, b, c], p.deep, 0.18)
    for x in (-1, 1):
        canvas.fill(ellipse((x * 22, -114), 9, 15, x * 12), p.dark)
        canvas.disc((x * 22 - 3, -120), 3.4, WHITE)
    canvas.line(orbit[:25], 6, p.pale)
    for at, size, tone in (
        (3, 23, p.light),
        (11, 15, p.accent),
        (19, 19, p.light),
        (40, 12, p.pale),
    ):
        canvas.disc(orbit[at], size + 5, p.dark)
        canvas.disc(orbit[at], size, tone)
        canvas.disc((orbit[at][0] - size * 0.3, orbit[at][1] - size * 0.3), size * 0.4, WHITE, 0.7)


def sunmane(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    """A lion whose mane is the sun."""
    art.rays(canvas, (0, 0), 16, p.pale, 0.16)
    for count, radius, inner, turn, tone in (
        (16, 236, 150, 0, p.dark),
        (16, 226, 148, 0, p.deep),
        (16, 206, 140, 11.25, p.accent),
        (16, 182, 128, 0, p.base),
        (16, 154, 112, 11.25, p.light),
    ):
        canvas.fill(star((0, 4), radius, inner, count, turn), tone)
    for side in (-1, 1):
        canvas.fill(ellipse((side * 84, -76), 35, 35), p.dark)
        canvas.fill(ellipse((side * 84, -76), 27, 27), p.base)
        canvas.fill(ellipse((side * 82, -72), 15, 15), p.deep)
    head = "M0 148 C-50 146 -84 112 -92 62 C-104 20 -108 -32 -84 -66 C-58 -98 58 -98 84 -66 C108 -32 104 20 92 62 C84 112 50 146 0 148 Z"
    canvas.solid(trace(head)[0], p.light, p.base, p.dark)
    canvas.path(
        "M0 -94 C-26 -94 -40 -86 -44 -76 L-24 26 L0 40 L24 26 L44 -76 C40 -86 26 -94 0 -94 Z",
        p.pale,
        0.75,
    )
    for i in range(3):
        y = -66 + i * 22
        canvas.fill([(-15 + i * 3, y - 8), (0, y + 4), (15 - i * 3, y - 8), (0, y - 2)], p.accent)
    canvas.path(
        "M-60 74 C-56 38 -24 30 0 44 C24 30 56 38 60 74 C56 116 26 136 0 138 C-26 136 -56 116 -60 74 Z",
        p.pale,
    )
    canvas.path("M-30 32 C-14 24 14 24 30 32 C26 54 10 66 0 70 C-10 66 -26 54 -30 32 Z", p.dark)
    canvas.line([(0, 66), (0, 88), (-30, 104)], 6, p.dark)
    canvas.line([(0, 88), (30, 104)], 6, p.dark)
    for side in (-1, 1):
        brow = [(side * x, y) for x, y in ((22, -20), (50, -44), (84, -44), (54, -26))]
        canvas.fill(brow, p.dark)
        eye = [(side * x, y) for x, y in ((24, -4), (50, -24), (78, -14), (54, 4))]
        canvas.fill(eye, p.dark)
        canvas.disc((side * 53, -10), 9, p.accent)
        canvas.disc((side * 50, -13), 3, WHITE)
        for dot in ((28, 86), (40, 78), (38, 96)):
            canvas.disc((side * dot[0], dot[1]), 2.8, p.deep)


_BEASTS: dict[str, Callable[[Canvas, Palette, random.Random], None]] = {
    "flame": flame,
    "claw": claw,
    "sting": stinger,
    "diamond": diamondback,
    "star": starmaster,
    "sun": sunmane,
}


def portrait(canvas: Canvas, slug: str, symbol: str, colour: str) -> None:
    """The beast of a Character Card before its country's sky."""
    p = PALETTES.get(colour, PALETTES["gold"])
    chance = art.seeded(slug)
    art.sky(canvas, p)
    if colour == "gold":
        art.rays(canvas, (0, -20), 20, p.pale, 0.2)
    else:
        art.stars(canvas, chance, p.pale)
    art.moon(canvas, (0, -14), 196, p.disc, p.light)
    if colour == "red":
        art.peaks(canvas, chance, 190, 190, p.deep, p.accent)
    elif colour == "green":
        art.hills(canvas, chance, 120, 60, p.deep)
        art.woods(canvas, chance, 210, 150, p.dark)
    elif colour == "blue":
        art.waves(canvas, chance, 110, p.deep, p.pale)
    else:
        art.hills(canvas, chance, 120, 60, p.base)
        art.hills(canvas, chance, 175, 60, p.deep)
    beast = _BEASTS.get(symbol)
    if beast:
        beast(canvas, p, chance)
    else:
        chance.choice(art.FIGURES)(canvas, chance, p)
