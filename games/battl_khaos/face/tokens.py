"""Power tokens: emblems on wooden rounds (basic) and steel octagons (advanced)."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

import math

from collection.drawing import art
from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    Point,
    circle,
    ellipse,
    mix,
    ngon,
    rgb,
    star,
)
from games.battl_khaos.face.stamps import EDGE, Parts, solid, stamp

_DRUM: Parts = (
    ("r", "M-76 -30 L-66 72 C-36 94 36 94 66 72 L76 -30 Z"),
    (
        "y",
        "M-74 -6 L-50 68 L-26 4 L0 76 L26 4 L50 68 L74 -6 L70 30 L52 78 L26 26 L0 88 L-26 26 L-52 78 L-70 30 Z",
    ),
    ("b", "M-76 -30 C-66 -72 66 -72 76 -30 C66 8 -66 8 -76 -30 Z"),
)
_STICKS: Parts = (("W2", "M-96 -98 L-84 -106 L-22 -36 L-34 -28 Z"), ("b2", "O-28 -32 11"))
_BOW: Parts = (
    (
        "w",
        "M-44 -104 C34 -78 62 -30 62 0 C62 30 34 78 -44 104 C6 66 36 30 36 0 C36 -30 6 -66 -44 -104 Z",
    ),
    ("b", "M-46 -98 L-41 -98 L-41 98 L-46 98 Z"),
)
_ARROW: Parts = (
    ("W", "M-92 -6 L70 -6 L70 6 L-92 6 Z"),
    ("G", "M62 -24 L110 0 L62 24 Z"),
    ("r", "M-112 -22 L-80 -22 L-64 0 L-80 22 L-112 22 L-98 0 Z"),
)

EMBLEMS: dict[str, Parts] = {
    "leader": (
        ("r", "M-100 90 C-96 20 -60 -4 0 -4 C60 -4 96 20 100 90 Z"),
        ("h", "M-34 0 L34 0 L20 40 L0 62 L-20 40 Z"),
        ("G", "M-48 -16 C-50 -84 50 -84 48 -16 C48 22 26 44 0 44 C-26 44 -48 22 -48 -16 Z"),
        ("d", "M-38 -20 L38 -20 L38 -4 L8 -2 L8 34 L-8 34 L-8 -2 L-38 -4 Z"),
        ("y", "M-58 -48 L-70 -114 L-32 -84 L0 -122 L32 -84 L70 -114 L58 -48 C30 -60 -30 -60 -58 -48 Z"),
        ("r", "O0 -72 9"),
    ),
    "banner": (
        ("w", "M-74 112 L-60 112 L-60 -112 L-74 -112 Z"),
        ("y", "O-67 -112 13"),
        ("o", "M-60 -96 C-20 -118 20 -72 96 -94 C82 -50 84 -20 98 20 C30 42 -10 0 -60 24 Z"),
        ("h", "M16 -76 L28 -46 L60 -44 L35 -24 L44 8 L16 -10 L-12 8 L-3 -24 L-28 -44 L4 -46 Z"),
    ),
    "halberd": (
        ("w", "M-8 116 L8 116 L8 -60 L-8 -60 Z"),
        ("G", "M0 -122 L20 -66 L0 -50 L-20 -66 Z"),
        ("G", "M8 -62 C40 -82 76 -74 86 -58 C72 -40 72 -16 88 6 C56 16 30 6 8 -14 Z"),
        ("G", "M-8 -58 L-70 -34 L-44 -28 L-8 -20 Z"),
        ("r", "M-14 -8 L14 -8 L18 30 L6 22 L0 40 L-6 22 L-18 30 Z"),
    ),
    "mage": (
        ("w", "M-78 112 L-62 116 L12 -34 L-4 -42 Z"),
        ("y", "M-26 -46 C-56 -110 26 -140 50 -84 C58 -54 34 -36 10 -38 C34 -52 36 -76 20 -86 C0 -98 -22 -76 -10 -44 Z"),
        ("u", "O8 -66 22"),
        ("h", "M66 -14 L73 6 L94 8 L78 21 L83 42 L66 30 L49 42 L54 21 L38 8 L59 6 Z"),
        ("f", "M32 56 L37 68 L50 70 L40 78 L43 92 L32 84 L21 92 L24 78 L14 70 L27 68 Z"),
        ("h", "M88 62 L92 72 L102 74 L94 80 L96 90 L88 84 L80 90 L82 80 L74 74 L84 72 Z"),
    ),
    "giant": (
        ("w", "M66 -112 C104 -118 122 -74 106 -40 L74 40 L46 30 L52 -44 C48 -80 52 -106 66 -112 Z"),
        ("W", "M-78 6 C-90 -60 -48 -104 0 -104 C48 -104 84 -66 74 6 C72 60 40 104 0 104 C-40 104 -72 60 -78 6 Z"),
        ("r", "M-72 20 C-66 82 -36 114 0 114 C36 114 66 82 70 20 C50 44 26 40 0 40 C-26 40 -52 44 -72 20 Z"),
        ("r", "M-60 -30 L-14 -22 L-14 -8 L-60 -14 Z"), ("r", "M60 -30 L14 -22 L14 -8 L60 -14 Z"),
        ("h2", "O-32 -2 14"), ("d2", "O-30 0 7"),
        ("W", "M-16 0 L16 0 L24 32 C10 40 -10 40 -24 32 Z"),
        ("d", "M-22 62 C-8 54 8 54 22 62 C8 72 -8 72 -22 62 Z"),
    ),
    "catapult": (
        ("w", "M-30 -4 L-14 -14 L60 66 L44 76 Z"),
        ("w", "M22 74 L8 66 L-92 -74 L-80 -84 Z"),
        ("i", "M-118 -70 C-112 -102 -76 -112 -64 -84 L-80 -66 Z"),
        ("g", "O-92 -100 26"),
        ("W", "M-92 56 L102 56 L102 78 L-92 78 Z"),
        ("w2", "O-62 84 27"), ("W2", "O-62 84 12"),
        ("w", "M66 60 L78 60 L78 4 L66 4 Z"),
    ),
}  # fmt: skip
EMBLEMS["drums"] = (*_DRUM, *_STICKS)


def emblem(canvas: Canvas, name: str, at: Point, size: float) -> None:
    """The sign of a token, in a square of 100 units to each side."""
    x, y = at
    if name == "drums2":
        stamp(canvas, _DRUM, (x - 44 * size, y - 22 * size), 0.68 * size)
        stamp(canvas, (*_DRUM, *_STICKS), (x + 34 * size, y + 34 * size), 0.74 * size)
    elif name in ("archer", "archer2"):
        if name == "archer2":
            stamp(canvas, _BOW, (x + 34 * size, y - 16 * size), 0.86 * size, turn=-26)
            stamp(canvas, _ARROW, (x + 4 * size, y - 46 * size), 0.86 * size, turn=-26)
            stamp(canvas, _BOW, (x + 10 * size, y + 34 * size), 0.86 * size, turn=-26)
            stamp(canvas, _ARROW, (x - 16 * size, y + 34 * size), 0.86 * size, turn=-26)
        else:
            stamp(canvas, _BOW, (x + 16 * size, y), size, turn=-26)
            stamp(canvas, _ARROW, at, size, turn=-26)
    elif name in EMBLEMS:  # else one that the game no longer has: a blank token
        stamp(canvas, EMBLEMS[name], (x, y + 4 * size), size, turn=32 if name == "halberd" else 0)


NAMES = (*EMBLEMS, "drums2", "archer", "archer2")


def scene(canvas: Canvas, slug: str, name: str, advanced: bool) -> None:
    """The token on the table of a war tent."""
    chance = art.seeded(slug)
    cloth = rgb("#4f5f74" if advanced else "#6f4b2c")
    canvas.fade([(-330, -250), (330, -250), (330, 250), (-330, 250)], mix(cloth, WHITE, 0.12), mix(cloth, BLACK, 0.45))  # fmt: skip
    for i in range(9):
        y = -240 + i * 60 + chance.uniform(-6, 6)
        canvas.line([(-330, y), (330, y + chance.uniform(-8, 8))], 3, BLACK, 0.22)
    canvas.glow((0, -20), 300, rgb("#ffe9b8"), 0.45)
    rim: Colour = rgb("#9fb0ba" if advanced else "#c58a4a")

    def outline(radius: float) -> list[Point]:
        return ngon((0, 0), radius * 1.06, 8, 22.5) if advanced else circle((0, 0), radius, 72)

    canvas.fill([(x + 8, y + 14) for x, y in outline(208)], BLACK, 0.4)
    solid(canvas, outline(205), rim, EDGE, 10)
    canvas.line(outline(190), 4, mix(rim, WHITE, 0.5), 0.8, closed=True)
    solid(canvas, outline(170), rgb("#efe2c0"), mix(rim, BLACK, 0.55), 8)
    for i in range(8):
        a = math.radians(i * 45 + (0 if advanced else 22.5))
        at = (187 * math.sin(a), -187 * math.cos(a))
        if advanced:
            canvas.fill(star(at, 12, 5, 4), mix(rim, BLACK, 0.5))
        else:
            canvas.disc(at, 8, mix(rim, BLACK, 0.5))
            canvas.disc((at[0] - 2, at[1] - 2), 4, mix(rim, WHITE, 0.6))
    canvas.fill(ellipse((0, 118), 104, 18), BLACK, 0.14)
    emblem(canvas, name, (0, 0), 1.22)
