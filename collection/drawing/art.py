"""Pictures grown from a slug: skies, land and the things that live there.

A scene is drawn on a canvas of 640 by 480 units whose (0, 0) is its middle; what matters stays
within 230 units of it, because small cards show less of the sides. The same slug always grows the
same scene.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    Point,
    along,
    ellipse,
    mirrored,
    mix,
    moved,
    ngon,
    rgb,
    ribbon,
    star,
    trace,
    turned,
)

WIDTH, HEIGHT = 640, 480
LEFT, TOP, RIGHT, BOTTOM = -320, -240, 320, 240


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one scene, from its night to its lights."""

    dark: Colour
    deep: Colour
    base: Colour
    light: Colour
    pale: Colour
    accent: Colour
    sky_top: Colour
    sky_bottom: Colour
    disc: Colour

    @classmethod
    def of(cls, *codes: str) -> Palette:
        return cls(*(rgb(code) for code in codes))


def seeded(text: str) -> random.Random:
    """Chance that depends on the text alone, on every machine."""
    return random.Random(hashlib.sha256(text.encode()).digest())


def scene(size: tuple[int, int], smooth: int) -> Canvas:
    """An empty scene that covers a window of so many pixels; what is too wide falls off."""
    unit = max(size[0] / WIDTH, size[1] / HEIGHT)
    origin = (size[0] / unit / 2, size[1] / unit / 2)
    return Canvas(size, unit=unit, origin=origin, smooth=smooth)


# Skies


def sky(canvas: Canvas, palette: Palette) -> None:
    canvas.fade(
        [(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM)],
        palette.sky_top,
        palette.sky_bottom,
    )


def stars(canvas: Canvas, chance: random.Random, colour: Colour, count: int = 26) -> None:
    for _ in range(count):
        x, y = chance.uniform(LEFT, RIGHT), chance.uniform(TOP, 60)
        size = chance.choice((1.6, 2.2, 3.0))
        canvas.fill(star((x, y), size * 2.2, size * 0.7, 4), colour, chance.uniform(0.4, 0.95))


def moon(canvas: Canvas, centre: Point, radius: float, colour: Colour, halo: Colour) -> None:
    """A large disc with a soft light around: what stands before it is seen at any size."""
    canvas.glow(centre, radius * 1.9, halo, 0.75)
    canvas.disc(centre, radius, colour)
    canvas.ring(centre, radius + 13, 3, colour, 0.55)


def rays(canvas: Canvas, centre: Point, count: int, colour: Colour, alpha: float) -> None:
    """Wedges of light to all sides."""
    x, y = centre
    for i in range(count):
        a = math.radians(360 * i / count)
        b = math.radians(360 * (i + 0.5) / count)
        canvas.fill(
            [
                (x, y),
                (x + 640 * math.sin(a), y - 640 * math.cos(a)),
                (x + 640 * math.sin(b), y - 640 * math.cos(b)),
            ],
            colour,
            alpha,
        )


# Land


def hills(
    canvas: Canvas, chance: random.Random, level: float, height: float, colour: Colour
) -> None:
    """A soft line of hills from side to side, ground below it."""
    phases = [(chance.uniform(0, 6.3), chance.uniform(0.5, 1)) for _ in range(3)]
    line = []
    for x in range(LEFT - 20, RIGHT + 21, 20):
        wave = sum(
            s * math.sin(p + x / (150 / (n + 1))) / (n + 1) for n, (p, s) in enumerate(phases)
        )
        line.append((float(x), level - height * wave / 2))
    canvas.fill([*line, (RIGHT + 20, BOTTOM + 20), (LEFT - 20, BOTTOM + 20)], colour)


def peaks(
    canvas: Canvas, chance: random.Random, level: float, height: float, colour: Colour, cap: Colour
) -> None:
    """Mountains with a light side."""
    x = float(LEFT - 60)
    while x < RIGHT + 60:
        width = chance.uniform(110, 190)
        top = level - height * chance.uniform(0.55, 1)
        summit = (x + width / 2 + chance.uniform(-16, 16), top)
        foot = BOTTOM + 10
        slope = [(x - width * 0.3, foot), (x, level), summit, (x + width, level), (x + width, foot)]
        canvas.fill([(x - width * 0.3, foot), summit, (x + width * 1.3, foot)], colour)
        fold = (summit[0] + width * 0.1, top + (level - top) * 0.55)
        canvas.fill(
            [summit, fold, (slope[3][0] + width * 0.3, foot), summit], mix(colour, BLACK, 0.2)
        )
        drop = (level - top) * 0.24
        canvas.fill(
            [
                summit,
                (summit[0] + drop * 0.62, top + drop),
                (summit[0] + drop * 0.15, top + drop * 0.75),
                (summit[0] - drop * 0.2, top + drop * 1.15),
                (summit[0] - drop * 0.62, top + drop * 0.95),
            ],
            cap,
        )
        x += width * chance.uniform(0.6, 0.9)


def woods(
    canvas: Canvas, chance: random.Random, level: float, height: float, colour: Colour
) -> None:
    """A row of firs on dark ground."""
    x = float(LEFT - 30)
    while x < RIGHT + 30:
        tall = height * chance.uniform(0.6, 1)
        wide = tall * 0.27
        for part in range(3):
            top = level - tall + part * tall * 0.24
            canvas.fill(
                [
                    (x, top),
                    (x + wide * (0.6 + part * 0.2), top + tall * 0.44),
                    (x - wide * (0.6 + part * 0.2), top + tall * 0.44),
                ],
                colour,
            )
        x += wide * chance.uniform(1.1, 2.1)
    canvas.fill(
        [(LEFT, level - 8), (RIGHT, level - 8), (RIGHT, BOTTOM + 9), (LEFT, BOTTOM + 9)], colour
    )


def waves(
    canvas: Canvas, chance: random.Random, level: float, colour: Colour, foam: Colour
) -> None:
    """Rows of water."""
    for row in range(4):
        y = level + row * 34
        tone = mix(colour, BLACK, 0.13 * row)
        shift = chance.uniform(0, 90)
        line: list[Point] = []
        for step in range(0, 760, 10):
            x = LEFT - 60 + step
            line.append((x, y - 12 * abs(math.sin((x + shift) / 46 + row))))
        canvas.fill([*line, (RIGHT + 60, BOTTOM + 20), (LEFT - 60, BOTTOM + 20)], tone)
        canvas.line(line, 3.2, foam, 0.65 - row * 0.13)


def tower(canvas: Canvas, x: float, foot: float, height: float, palette: Palette) -> None:
    """A keep with a pointed roof and lit windows."""
    w = height * 0.15
    canvas.fade(
        [(x - w, foot), (x - w * 0.86, foot - height * 0.7), (x + w * 0.86, foot - height * 0.7),
         (x + w, foot)],
        palette.base,
        palette.dark,
    )  # fmt: skip
    canvas.fill(
        [(x, foot), (x, foot - height * 0.7), (x + w * 0.86, foot - height * 0.7), (x + w, foot)],
        BLACK,
        0.22,
    )
    for i in range(5):
        left = x - w * 1.2 + i * w * 0.52
        canvas.fill(
            [(left, foot - height * 0.66), (left, foot - height * 0.77),
             (left + w * 0.32, foot - height * 0.77), (left + w * 0.32, foot - height * 0.66)],
            palette.deep,
        )  # fmt: skip
    canvas.fill(
        [(x - w, foot - height * 0.74), (x, foot - height), (x + w, foot - height * 0.74)],
        palette.accent,
    )
    canvas.fill(
        [(x, foot - height * 0.74), (x, foot - height), (x + w, foot - height * 0.74)], BLACK, 0.2
    )
    for dy in (0.18, 0.36, 0.54):
        canvas.fill(ellipse((x - w * 0.25, foot - height * dy), w * 0.16, w * 0.32), palette.pale)


# Ornaments


def rosette(
    canvas: Canvas,
    centre: Point,
    radius: float,
    fold: int,
    colours: tuple[Colour, Colour],
    alpha: float,
) -> None:
    """Interlaced polygons with ``fold`` corners: a different flower for each number."""
    fold = max(fold, 2)
    layers = 3 if fold > 3 else 5
    corners = fold if fold > 2 else 4
    for i in range(layers):
        turn = 360 / corners * i / layers
        r = radius * (1 - 0.1 * (i % 2))
        canvas.line(ngon(centre, r, corners, turn), 3, colours[i % 2], alpha, closed=True)
    for i in range(fold):
        a = math.radians(360 * i / fold)
        spot = (centre[0] + radius * 0.55 * math.sin(a), centre[1] - radius * 0.55 * math.cos(a))
        canvas.ring(spot, radius * 0.45, 2.5, colours[0], alpha * 0.8)


def band(points: list[Point], width: float, teeth: int) -> list[list[Point]]:
    """Small triangles along a line, as on a mane or a ridge."""
    bands = []
    for (x, y), direction in along(points, teeth):
        tooth = [(-width / 2, 0.0), (0.0, -width), (width / 2, 0.0)]
        bands.append(moved(turned(tooth, direction), x, y))
    return bands


# Figures for games without drawings of their own


def creature(canvas: Canvas, chance: random.Random, palette: Palette) -> None:
    """A round, watchful animal with ears or horns, seen from the front."""
    width, height = chance.uniform(115, 150), chance.uniform(120, 160)
    body = ellipse((0, 60), width, height)
    ears = chance.choice(
        (
            "M-120 -10 C-150 -110 -120 -170 -95 -190 C-60 -150 -40 -100 -35 -60 Z",
            "M-60 -40 C-70 -120 -40 -200 -62 -226 C-110 -200 -120 -110 -110 -20 Z",
            "M-50 -60 L-120 -205 L-150 -60 L-110 10 Z",
            "M-40 -50 C-150 -60 -200 -150 -176 -222 C-160 -150 -110 -120 -60 -110 Z",
        )
    )
    for flip in (lambda p: list(p), mirrored):
        canvas.fill(flip(trace(ears)[0]), palette.deep)
        canvas.fill(flip(moved(trace(ears)[0], 0, 6, 0.82)), palette.light)
    canvas.fade(body, palette.light, palette.deep)
    canvas.fill(ellipse((0, 60 + height * 0.35), width * 0.62, height * 0.6), palette.pale, 0.55)
    for x in range(chance.randint(2, 4)):
        y = 95 + x * 30
        canvas.line([(-34 + x * 6, y), (0, y + 14), (34 - x * 6, y)], 6, palette.deep, 0.6)
    gap = chance.uniform(40, 62)
    for side in (-1, 1):
        canvas.disc((side * gap, -2), 32, palette.pale)
        canvas.disc((side * gap, 0), 19, palette.dark)
        canvas.disc((side * gap - 6, -8), 7, WHITE)
    canvas.fill([(-15, 36), (15, 36), (0, 56)], palette.dark)


def shell(canvas: Canvas, chance: random.Random, palette: Palette) -> None:
    """A fan of ribs."""
    ribs = chance.randint(7, 11)
    foot = (0.0, 150.0)
    for i in range(ribs):
        a, b = (math.radians(-78 + 156 * (i + d) / ribs) for d in (0, 1))
        rim = chance.uniform(0.95, 1.05) * 300
        rib = [
            foot,
            (rim * math.sin(a), 150 - rim * math.cos(a)),
            (rim * 1.07 * math.sin((a + b) / 2), 150 - rim * 1.07 * math.cos((a + b) / 2)),
            (rim * math.sin(b), 150 - rim * math.cos(b)),
        ]
        canvas.fade(rib, palette.light if i % 2 else palette.base, palette.deep)
    for r in (110, 180, 245):
        arc = [
            (r * math.sin(math.radians(d)), 150 - r * math.cos(math.radians(d)))
            for d in range(-76, 77, 4)
        ]
        canvas.line(arc, 6, palette.pale, 0.6)
    canvas.fill(star(foot, 44, 26, 8), palette.accent)


def towers(canvas: Canvas, chance: random.Random, palette: Palette) -> None:
    """A castle on its rock."""
    for x in (-120, 110, -45, 50, 0):
        tower(
            canvas,
            x + chance.uniform(-14, 14),
            190,
            chance.uniform(220, 330) * (1.2 if not x else 1),
            palette,
        )
    canvas.path("M-230 240 C-190 160 -90 170 0 165 C90 170 200 150 240 240 Z", palette.dark)


def crystal(canvas: Canvas, chance: random.Random, palette: Palette) -> None:
    """A cluster of cut stones."""
    for turn in sorted((chance.uniform(-58, 58) for _ in range(6)), key=abs, reverse=True):
        long, wide = chance.uniform(230, 380) * (1 - abs(turn) / 160), chance.uniform(34, 58)
        left = [(-wide, 0), (-wide, -long * 0.75), (0, -long), (0, 0)]
        right = [(wide, 0), (wide, -long * 0.75), (0, -long), (0, 0)]
        for part, tone in ((left, palette.light), (right, palette.base)):
            canvas.fade(moved(turned(part, turn), 0, 190), tone, palette.deep)
        ridge = [(-wide, -long * 0.75), (0, -long * 0.66), (wide, -long * 0.75)]
        canvas.line(moved(turned(ridge, turn), 0, 190), 4, palette.pale, 0.8)


def serpent(canvas: Canvas, chance: random.Random, palette: Palette) -> None:
    """A long neck rising from the ground."""
    lean = chance.choice((-1, 1))
    spine = trace("M-150 230 C-160 90 150 130 110 0 C80 -90 -70 -60 -40 -150")[0]
    spine = tuple((x * lean, y) for x, y in spine)
    canvas.fill(ribbon(spine, 130, 52), palette.deep)
    canvas.fill(ribbon(spine, 104, 36), palette.base)
    for (x, y), _ in along(spine, 14):
        canvas.disc((x, y), 13, palette.light)
    for tooth in band(list(spine), 40, 15):
        canvas.fill(tooth, palette.accent, 0.9)
    x, y = spine[-1]
    canvas.fill(ellipse((x - 26 * lean, y - 8), 62, 40, 12 * lean), palette.base)
    canvas.disc((x - 30 * lean, y - 20), 11, palette.pale)
    canvas.disc((x - 32 * lean, y - 20), 5, palette.dark)


FIGURES: tuple[Callable[[Canvas, random.Random, Palette], None], ...] = (
    creature, shell, towers, crystal, serpent,
)  # fmt: skip
LANDS = (
    lambda canvas, chance, p: hills(canvas, chance, 150, 70, p.dark),
    lambda canvas, chance, p: peaks(canvas, chance, 170, 220, p.deep, p.light),
    lambda canvas, chance, p: woods(canvas, chance, 190, 170, p.dark),
    lambda canvas, chance, p: waves(canvas, chance, 120, p.deep, p.pale),
)


def wonder(canvas: Canvas, slug: str, palette: Palette) -> None:
    """A whole scene for any slug: some sky, some land and one figure before a bright disc."""
    chance = seeded(slug)
    sky(canvas, palette)
    stars(canvas, chance, palette.pale)
    chance.choice(LANDS)(canvas, chance, palette)
    moon(canvas, (0, -10), 185, palette.disc, palette.light)
    chance.choice(FIGURES)(canvas, chance, palette)
