"""The five special tiles: places of power on tiles of their own."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

import math
import random
from collections.abc import Callable

from collection.drawing import art
from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    circle,
    ellipse,
    mix,
    moved,
    ngon,
    rgb,
    rounded,
    star,
    turned,
)
from games.battl_khaos.face.stamps import Parts, solid, stamp
from games.battl_khaos.face.terrain import HALF, plate, tile_edge

_TEMPLE: Parts = (
    ("G", "M-112 96 L112 96 L104 78 L-104 78 Z"),
    ("h", "M-98 80 L98 80 L90 62 L-90 62 Z"),
    ("d", "M-82 62 L82 62 L82 -18 L-82 -18 Z"),
    ("f", "M-18 62 L-18 14 C-18 -10 18 -10 18 14 L18 62 Z"),
    *(
        ("h", f"M{x - 13} 62 L{x - 10} -16 L{x + 10} -16 L{x + 13} 62 Z")
        for x in (-74, -40, 40, 74)
    ),
    ("G", "M-100 -14 L100 -14 L100 -36 L-100 -36 Z"),
    ("y", "M-110 -34 L0 -102 L110 -34 Z"),
    ("o", "O0 -58 16"),
)
_TOMB: Parts = (
    ("G", "M-50 90 L-50 -30 C-50 -86 50 -86 50 -30 L50 90 Z"),
    (
        "d",
        "M-6 -44 L6 -44 L6 -22 L26 -22 L26 -10 L6 -10 L6 30 L-6 30 L-6 -10 L-26 -10 L-26 -22 L-6 -22 Z",
    ),
)
_CROSS: Parts = (
    (
        "g",
        "M-16 90 L-16 -14 L-58 -14 L-58 -44 L-16 -44 L-16 -88 L16 -88 L16 -44 L58 -44 L58 -14 L16 -14 L16 90 Z",
    ),
)
_TREE: Parts = (
    (
        "d",
        "M-18 100 L-10 20 L-60 -22 L-84 -24 L-54 -36 L-50 -70 L-34 -32 L-8 -14 L-4 -60 L-30 -100 L4 -76 L30 -112 L18 -58 L16 -14 L52 -40 L60 -80 L72 -46 L100 -44 L70 -26 L18 22 L24 100 Z",
    ),
)


def _square(canvas: Canvas, top: Colour, bottom: Colour) -> None:
    canvas.fade(rounded((-HALF, -HALF, HALF, HALF), 16), top, bottom)


def _temple(canvas: Canvas, chance: random.Random) -> None:
    _square(canvas, rgb("#f3d79a"), rgb("#a9b464"))
    canvas.glow((0, -40), 250, rgb("#fff6d8"), 0.9)
    for i in range(12):
        ray = turned([(-13, -100), (0, -236), (13, -100)], i * 30)
        canvas.fill(
            [(max(-218, min(218, x)), max(-218, min(218, y - 20))) for x, y in ray],
            rgb("#fff0b8"), 0.55,
        )  # fmt: skip
    canvas.fill(ellipse((0, 172), 200, 24), BLACK, 0.25)
    stamp(canvas, _TEMPLE, (0, 8), 1.66)


def _circle(canvas: Canvas, chance: random.Random) -> None:
    _square(canvas, rgb("#24466a"), rgb("#122038"))
    canvas.glow((0, 0), 240, rgb("#6fe0e8"), 0.75)
    solid(canvas, circle((0, 0), 190), rgb("#1c3152"), width=9)
    for radius, width in ((178, 7), (142, 4), (70, 5)):
        canvas.ring((0, 0), radius, width, rgb("#8ff0ea"))
    for turn in (0, 60):
        canvas.line(ngon((0, 0), 138, 3, turn), 8, rgb("#ffd884"), closed=True)
    for i in range(12):
        a = math.radians(i * 30 + 15)
        at = (160 * math.sin(a), -160 * math.cos(a))
        rune = chance.choice(("M-7 -9 L7 9", "M-7 9 L0 -9 L7 9", "M0 -10 L0 10", "M-7 -8 L7 -8"))
        numbers = [float(word) for word in rune.replace("M", "").replace("L", "").split()]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        canvas.line(moved(turned(points, i * 30 + 15), *at, 1.2), 4.5, rgb("#d8fffb"))
    canvas.glow((0, 0), 120, WHITE, 0.8)
    canvas.fill(star((0, 0), 66, 20, 4), rgb("#fffdf0"))
    canvas.fill(star((0, 0), 40, 16, 4, 45), rgb("#8ff0ea"))


def _crystal(canvas: Canvas, chance: random.Random) -> None:
    _square(canvas, rgb("#5b4a80"), rgb("#2c2346"))
    canvas.glow((0, 30), 240, rgb("#f09adf"), 0.55)
    canvas.fill(ellipse((0, 150), 190, 44), BLACK, 0.35)
    shards = ((-62, 150, 34), (58, 160, 36), (-34, 250, 44), (32, 226, 42), (0, 330, 54))
    for x, long, wide in ((-150, 90, 22), (146, 100, 24)):
        _shard(canvas, (x, 176), x / 9, long, wide, rgb("#b98cf0"))
    for lean, long, wide in shards:
        _shard(
            canvas,
            (lean * 0.5, 168),
            lean * 0.62,
            long,
            wide,
            rgb("#e79af0" if lean else "#ffb8ef"),
        )
    for _ in range(9):
        at = (chance.uniform(-190, 190), chance.uniform(-200, 120))
        canvas.fill(star(at, chance.uniform(8, 17), 3.5, 4), WHITE, 0.9)


def _shard(
    canvas: Canvas, foot: tuple[float, float], lean: float, long: float, wide: float, tone: Colour
) -> None:
    def placed(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
        return moved(turned(points, lean), *foot)

    whole = [(-wide, 0.0), (-wide, -long * 0.76), (0.0, -long), (wide, -long * 0.76), (wide, 0.0)]
    canvas.line(placed(whole), 10, rgb("#1d1230"), closed=True)
    canvas.fade(placed(whole), mix(tone, WHITE, 0.35), mix(tone, BLACK, 0.25))
    side = [(wide * 0.2, 0.0), (wide * 0.2, -long * 0.68), (wide, -long * 0.76), (wide, 0.0)]
    canvas.fill(placed(side), mix(tone, BLACK, 0.35), 0.6)
    light = [(-wide * 0.7, -long * 0.1), (-wide * 0.7, -long * 0.7), (-wide * 0.35, -long * 0.66), (-wide * 0.35, -long * 0.1)]  # fmt: skip
    canvas.fill(placed(light), WHITE, 0.45)


def _stones(canvas: Canvas, chance: random.Random) -> None:
    _square(canvas, rgb("#8fa65a"), rgb("#5c7a3c"))
    for radius in (196, 150, 104):
        canvas.line(ellipse((0, 20), radius, radius * 0.8), 5, rgb("#43602c"), 0.45, closed=True)
    canvas.fill(ellipse((0, 26), 86, 62), rgb("#c9bd86"))
    canvas.fill(ellipse((0, 26), 60, 42), rgb("#a8996a"))
    solid(canvas, ellipse((0, 22), 40, 26), rgb("#9aa3a2"), width=7)
    canvas.line([(-16, 16), (16, 28)], 4, rgb("#4d5654"))
    canvas.line([(16, 16), (-16, 28)], 4, rgb("#4d5654"))
    ring = sorted(
        ((150 * math.sin(math.radians(a)), 24 - 118 * math.cos(math.radians(a))) for a in range(0, 360, 45)),
        key=lambda at: at[1],
    )  # fmt: skip
    for x, y in ring:
        tall, wide = 96 + chance.uniform(-8, 14), 30 + chance.uniform(-3, 5)
        lean = chance.uniform(-6, 6)
        canvas.fill(ellipse((x + 12, y + 22), wide + 16, 13), BLACK, 0.35)
        stone = [(-wide, 24.0), (-wide * 0.86, -tall * 0.7), (-wide * 0.2, -tall), (wide * 0.74, -tall * 0.86), (wide, 24.0)]  # fmt: skip
        solid(canvas, moved(turned(stone, lean), x, y), rgb("#a9b1ae"))
        canvas.fill(moved(turned([(wide * 0.3, 20.0), (wide * 0.3, -tall * 0.8), (wide * 0.72, -tall * 0.82), (wide * 0.9, 20.0)], lean), x, y), BLACK, 0.22)  # fmt: skip
        canvas.fill(ellipse((x - wide * 0.4, y + 8), wide * 0.5, 11), rgb("#7f9c3f"))


def _graveyard(canvas: Canvas, chance: random.Random) -> None:
    _square(canvas, rgb("#2f4a52"), rgb("#263a2e"))
    art.moon(canvas, (76, -96), 84, rgb("#f4f0d0"), rgb("#a9c0b0"))
    stamp(canvas, _TREE, (-120, -46), 1.3, edge=rgb("#11170f"), width=6)
    canvas.fade(
        [(-220, 90), (-100, 60), (60, 74), (220, 50), (220, 218), (-220, 218)],
        rgb("#5d7440"), rgb("#3b4f2c"),
    )  # fmt: skip
    for parts, at, size, lean in (
        (_CROSS, (120, 40), 0.78, 9),
        (_TOMB, (-66, 96), 0.9, -7),
        (_TOMB, (66, 118), 1.06, 4),
    ):
        canvas.fill(ellipse((at[0], at[1] + 88 * size), 76 * size, 15), BLACK, 0.4)
        stamp(canvas, parts, at, size, turn=lean)
    for _ in range(16):
        x, y = chance.uniform(-206, 206), chance.uniform(150, 212)
        for dx in (-6, 0, 6):
            canvas.line([(x, y), (x + dx, y - 15)], 4, rgb("#9dbb55"), 0.8)
    canvas.fill(ellipse((-30, 178), 190, 14), WHITE, 0.16)


WONDERS: dict[str, Callable[[Canvas, random.Random], None]] = {
    "temple": _temple,
    "circle": _circle,
    "crystal": _crystal,
    "stones": _stones,
    "graveyard": _graveyard,
}


def scene(canvas: Canvas, slug: str, name: str) -> None:
    """The special tile on the iron that all tiles lie on."""
    chance = art.seeded(slug)
    plate(canvas, chance)
    if name in WONDERS:  # else one that the game no longer has: bare iron
        WONDERS[name](canvas, chance)
    tile_edge(canvas)
