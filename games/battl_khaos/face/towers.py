"""Twelve towers, crooked or straight, each before its own evening, and the flag it flies."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

import random

from collection.drawing import art
from collection.drawing.art import Palette
from collection.drawing.canvas import BLACK, WHITE, Canvas, ellipse, font, mix, rgb, trace
from games.battl_khaos.face.stamps import Parts, solid, stamp
from games.battl_khaos.face.warriors import SIDES, head

ROMAN = {1: "I", 2: "II", 3: "III", 4: "IV"}
_SKIES = {
    "O": Palette.of(
        "#1b1028", "#35204e", "#5b3a7c", "#9a78c0", "#efe4ff", "#c792f5", "#24143a", "#8f5f9e",
        "#e7cbe4",
    ),
    "K": Palette.of(
        "#3a2a18", "#6a5a2c", "#8fa04c", "#e0c47a", "#fff6de", "#ef8f33", "#5f9cb8", "#f6dca0",
        "#fff1c8",
    ),
}  # fmt: skip
_DOOR = ("d", "M-16 100 L-16 62 C-16 42 16 42 16 62 L16 100 Z")
_WINDOW = "M{a} {b} L{a} {c} C{a} {d} {e} {d} {e} {c} L{e} {b} Z"


def _window(x: float, y: float, tone: str = "d") -> tuple[str, str]:
    return tone, _WINDOW.format(a=x - 7, e=x + 7, b=y + 14, c=y - 4, d=y - 16)


#: Towers from foot (100) to top (about -120).
TOWERS: dict[str, Parts] = {
    "t1o": (
        ("W2", "M-66 96 L-116 44 L-92 104 Z"),
        ("b", "M-56 26 L-72 -48 L-30 8 Z"), ("b", "M-24 6 L-10 -84 L12 4 Z"), ("b", "M20 8 L58 -56 L54 26 Z"),
        ("w", "M-82 100 L-62 24 C-44 -8 44 -8 62 24 L82 100 Z"),
        ("W", "M-56 40 C-30 24 30 24 56 40 L58 52 C30 38 -30 38 -58 52 Z"),
        _DOOR,
    ),
    "t2o": (
        ("g", "M-60 100 L-42 -14 L-78 -60 L-30 -46 L0 -122 L30 -46 L78 -60 L42 -14 L60 100 Z"),
        ("d", "M-36 -2 L36 -2 L42 54 L-42 54 Z"),
        ("b", "M-38 -4 L38 -4 L28 22 L15 2 L0 28 L-15 2 L-28 22 Z"),
        ("b", "M-44 56 L-28 28 L-14 52 L0 26 L14 52 L28 28 L44 56 Z"),
        ("f2", "O-18 -30 9"),
    ),
    "t3o": (
        ("F", "M0 -52 C-58 -52 -52 -92 -30 -110 C-28 -96 -20 -92 -14 -96 C-22 -122 0 -140 12 -148 C10 -124 50 -108 46 -78 C44 -60 26 -52 0 -52 Z"),
        ("f", "M0 -54 C-26 -56 -24 -82 -8 -96 C-4 -86 4 -90 6 -104 C24 -88 26 -56 0 -54 Z"),
        ("i", "M-48 100 L-34 -46 L34 -46 L48 100 Z"),
        ("i", "M-60 -40 L-52 -72 L-36 -56 L-18 -66 L0 -54 L18 -66 L36 -56 L52 -72 L60 -40 Z"),
        ("F", "M-14 96 L6 46 L-10 14 L8 -30 L16 -26 L4 14 L20 46 L2 98 Z"),
        _window(-22, 20), _window(24, -4),
    ),
    "t4o": (
        ("i", "M-66 100 L-54 -10 L-36 -78 L36 -78 L54 -10 L66 100 Z"),
        ("b2", "M-54 40 C-122 26 -126 -58 -94 -120 C-92 -64 -78 -24 -46 -12 Z"),
        ("b2", "M-40 -44 C-70 -58 -72 -100 -50 -126 C-50 -96 -38 -82 -22 -76 Z"),
        ("p", "M-28 -70 L-22 -118 L0 -96 L22 -118 L28 -70 Z"),
        ("b", "M-26 6 C-26 -34 26 -34 26 6 C26 20 16 22 14 36 L-14 36 C-16 22 -26 20 -26 6 Z"), ("d2", "O-11 4 7"),
        _DOOR,
    ),
    "t1k": (
        ("y", "M-26 -16 L26 -16 L26 -60 L-26 -60 Z"), ("i", "M-5 -16 L5 -16 L5 -60 L-5 -60 Z"),
        ("o", "M-40 -58 L0 -96 L40 -58 Z"),
        ("G", "M-60 100 L-60 -20 L-36 -20 L-36 -4 L-12 -4 L-12 -20 L12 -20 L12 -4 L36 -4 L36 -20 L60 -20 L60 100 Z"),
        _window(-36, 34), _window(36, 34), _DOOR,
    ),
    "t2k": (
        ("G", "M-50 100 L-42 -40 L42 -40 L50 100 Z"),
        ("G", "M-58 -36 L-58 -84 L-34 -84 L-34 -64 L-12 -64 L-12 -84 L12 -84 L12 -64 L34 -64 L34 -84 L58 -84 L58 -36 Z"),
        ("o", "M-26 -22 L26 -22 L26 10 C24 34 10 44 0 50 C-10 44 -24 34 -26 10 Z"),
        ("h", "M-5 -18 L5 -18 L5 40 L0 44 L-5 40 Z"), ("h", "M-23 -4 L23 -4 L23 7 L-23 7 Z"),
        _DOOR,
    ),
    "t3k": (
        ("h", "M-40 100 L-30 -30 L30 -30 L40 100 Z"),
        ("h", "M-28 -46 L-28 -84 L28 -84 L28 -46 Z"), ("d", "M-18 -52 L-18 -76 L-4 -76 L-4 -52 Z"), ("d", "M4 -52 L4 -76 L18 -76 L18 -52 Z"),
        ("W", "M-58 -50 L58 -50 L46 -26 L-46 -26 Z"),
        ("o", "M-48 -80 L0 -136 L48 -80 Z"),
        _window(0, 8), _window(0, 42), _DOOR,
    ),
    "t4k": (
        ("G2", "M-86 100 L-80 -8 L-44 -8 L-42 100 Z"), ("o2", "M-94 -4 L-62 -66 L-32 -4 Z"),
        ("h", "M-42 100 L-34 -58 L34 -58 L42 100 Z"),
        ("y", "M-46 -50 L-60 -118 L-26 -86 L0 -136 L26 -86 L60 -118 L46 -50 Z"), ("r", "O0 -70 9"), ("u2", "O-26 -66 6"),
        _window(0, -14), _window(-62, 30), _window(62, 30), _window(0, 26), _DOOR,
    ),
    "t2o-b": (
        ("g", "M-58 100 L-48 -36 L-28 -16 L-12 -72 L6 -30 L22 -52 L34 20 L58 100 Z"),
        ("g2", "M-104 104 L-92 78 L-72 84 L-66 104 Z"),
        _window(-14, 10), _window(18, 40),
        ("d", "M-14 -70 C-40 -86 -34 -116 -10 -116 C2 -134 24 -130 24 -114 L42 -106 L24 -102 C24 -88 10 -72 -2 -70 L-4 -60 L-10 -60 Z"),
        ("d", "M-30 -104 L-74 -92 L-28 -78 Z"), ("f", "O12 -113 5"),
        _DOOR,
    ),
    "t3o-b": (
        ("i", "M-40 100 L-36 -84 L36 -84 L40 100 Z"),
        ("G", "M-62 84 L50 44 L56 62 L-54 102 Z"), ("G", "M-60 34 L48 -6 L54 12 L-52 52 Z"), ("G", "M-58 -16 L46 -56 L52 -38 L-50 2 Z"),
        ("p", "M-54 -80 L-66 -122 L-34 -100 L0 -128 L34 -100 L66 -122 L54 -80 Z"),
        _window(0, -72),
    ),
    "t2k-b": (
        ("h", "M-76 100 L-76 -14 L34 -14 L34 100 Z"),
        ("w", "M-76 36 L34 36 L34 46 L-76 46 Z"), ("w", "M-26 -14 L-16 -14 L-16 36 L-26 36 Z"),
        ("r", "M-92 -8 L-21 -92 L50 -8 Z"), ("w", "M8 -58 L8 -96 L28 -96 L28 -36 Z"),
        ("d", "M-62 100 L-62 66 C-62 48 -34 48 -34 66 L-34 100 Z"), _window(-50, 14), _window(8, 14), _window(4, 70),
        ("w", "M44 100 L44 48 L58 48 L58 100 Z"), ("h", "M40 66 L112 6 L122 18 L50 78 Z"), ("o", "M62 48 L78 34 L88 46 L72 60 Z"), ("o", "M90 24 L104 12 L114 24 L100 38 Z"),
    ),
    "t3k-b": (
        ("G", "M-44 100 L-40 -82 L40 -82 L44 100 Z"),
        ("d", "M-28 -14 L-28 -48 C-28 -76 28 -76 28 -48 L28 -14 Z"),
        ("y", "M-20 -22 C-12 -30 -16 -58 0 -60 C16 -58 12 -30 20 -22 Z"), ("y", "O0 -17 5"),
        ("G", "M-52 -14 L52 -14 L48 2 L-48 2 Z"),
        ("u", "M-54 -78 L0 -142 L54 -78 Z"),
        _window(0, 28), _DOOR,
    ),
}  # fmt: skip


def _banner(canvas: Canvas, flag: str, value: int) -> None:
    """The flag of a side on a pole, with the value below the sign."""
    side = SIDES[flag]
    x = 168.0
    canvas.line([(x - 66, 232), (x - 66, -214)], 15, rgb("#1b2016"))
    canvas.line([(x - 66, 232), (x - 66, -214)], 8, rgb("#bd8850"))
    canvas.disc((x - 66, -216), 12, rgb("#1b2016"))
    canvas.disc((x - 66, -216), 8, rgb("#f6ce5a"))
    if flag == "O":  # torn
        cloth = "M-62 0 L62 6 L52 60 L64 120 L54 180 L36 236 L22 196 L2 246 L-16 200 L-40 240 L-62 206 Z"
    else:  # forked
        cloth = "M-62 0 L62 0 L62 236 L0 196 L-62 236 Z"
    points = [(px + x, py - 196) for px, py in trace(cloth)[0]]
    solid(canvas, points, mix(side.ground, side.deep, 0.25), side.edge, 9)
    head(canvas, flag, (x, -116), 46)
    tone = WHITE if flag == "O" else side.edge
    face = font("serif", max(round(92 * canvas.unit), 9), 800)
    canvas.text((x, -22), ROMAN[value], face, tone, anchor="middle")


def scene(canvas: Canvas, slug: str, flag: str, value: int) -> None:
    """The tower before its sky."""
    chance = art.seeded(slug)
    palette = _SKIES[flag]
    art.sky(canvas, palette)
    if flag == "O":
        art.stars(canvas, chance, palette.pale, 22)
    else:
        _clouds(canvas, chance)
    art.moon(canvas, (-60 + chance.uniform(-20, 20), -50), 158, palette.disc, palette.light)
    if chance.random() < 0.5:
        art.peaks(
            canvas, chance, 176, 150, mix(palette.base, palette.sky_bottom, 0.3), palette.pale
        )
    else:
        art.hills(canvas, chance, 130, 60, mix(palette.base, palette.sky_bottom, 0.35))
    art.woods(canvas, chance, 206, 74, mix(palette.deep, palette.base, 0.35))
    canvas.fill(ellipse((-64, 232), 190, 26), BLACK, 0.35)
    art.hills(canvas, chance, 224, 18, mix(palette.deep, palette.dark, 0.4))
    name = slug.removeprefix("bkh-")
    any_tower = sorted(TOWERS)[chance.randrange(len(TOWERS))]  # for one that the game has no more
    stamp(canvas, TOWERS.get(name, TOWERS[any_tower]), (-64, 34), 1.88, width=9)
    _banner(canvas, flag, value)


def _clouds(canvas: Canvas, chance: random.Random) -> None:
    for _ in range(6):
        at = (chance.uniform(-300, 300), chance.uniform(-220, -60))
        canvas.fill(ellipse(at, chance.uniform(60, 130), chance.uniform(9, 18)), WHITE, 0.35)
