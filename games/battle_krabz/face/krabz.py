"""The fifteen Krabz. Each has a body, claws and something that nobody else carries."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from collection.drawing.canvas import (
    WHITE,
    Canvas,
    Colour,
    along,
    both,
    circle,
    ellipse,
    mix,
    moved,
    ngon,
    rgb,
    rounded,
    star,
    trace,
    turned,
)
from games.battle_krabz.face.figures import (
    bolt,
    eyes,
    flame,
    limb,
    mouth,
    pincer,
    shape,
    stalks,
    twin,
)

_BODIES = {
    "round": "M0 -20 C90 -20 140 30 136 84 C132 140 70 172 0 172 C-70 172 -132 140 -136 84 C-140 30 -90 -20 0 -20 Z",
    "wide": "M0 6 C70 2 130 14 178 52 C160 116 90 162 0 162 C-90 162 -160 116 -178 52 C-130 14 -70 2 0 6 Z",
    "tall": "M0 -60 C64 -60 104 0 104 70 C104 136 60 176 0 176 C-60 176 -104 136 -104 70 C-104 0 -64 -60 0 -60 Z",
    "box": "M-104 -10 C-60 -24 60 -24 104 -10 C134 40 132 110 106 156 C60 176 -60 176 -106 156 C-132 110 -134 40 -104 -10 Z",
    "heart": "M0 0 C40 -46 130 -30 140 40 C146 104 70 160 0 180 C-70 160 -146 104 -140 40 C-130 -30 -40 -46 0 0 Z",
    "shield": "M-122 -4 C-60 -30 60 -30 122 -4 C142 40 124 120 0 182 C-124 120 -142 40 -122 -4 Z",
    "kite": "M0 -70 L132 50 L0 186 L-132 50 Z",
    "spiky": "M0 -34 L32 0 L78 -34 L88 6 L142 -4 L130 42 L176 62 L140 94 L158 136 L106 138 L92 176 L40 164 L0 184 L-40 164 L-92 176 L-106 138 L-158 136 L-140 94 L-176 62 L-130 42 L-142 -4 L-88 6 L-78 -34 L-32 0 Z",
}


@dataclass(frozen=True, slots=True)
class Coat:
    """A crab's colours: light and deep shell, contour, belly, and one for ornaments."""

    light: Colour
    deep: Colour
    edge: Colour
    pale: Colour
    accent: Colour

    @classmethod
    def of(cls, *codes: str) -> Coat:
        return cls(*(rgb(code) for code in codes))

    @property
    def claw(self) -> tuple[Colour, Colour, Colour]:
        return self.light, self.deep, self.edge


def _legs(
    canvas: Canvas, coat: Coat, spread: float = 1.0, y: float = 96, width: float = 18
) -> None:
    for side in (-1, 1):
        for i in range(3):
            start = (side * 90, y + i * 18)
            knee = (side * (152 + i * 6) * spread, y - 8 + i * 34)
            foot = (side * (194 - i * 14) * spread, y + 66 + i * 30)
            limb(canvas, [start, knee, foot], width, coat.deep, coat.edge)


def _arms(
    canvas: Canvas,
    coat: Coat,
    kind: str,
    left: tuple[float, float, float, float] = (-178, -60, 0.92, -10),
    right: tuple[float, float, float, float] = (178, -60, 0.92, -10),
) -> None:
    """Both claws: x, y, size and turn of each."""
    for (x, y, size, turn), flip in ((left, False), (right, True)):
        side = 1 if flip else -1
        limb(
            canvas,
            [(side * 92, 70), (side * 160, 62), (x, y + 60 * size)],
            30,
            coat.deep,
            coat.edge,
        )
        pincer(canvas, kind, (x, y), size, coat.claw, turn=turn, flip=flip)


def _body(canvas: Canvas, coat: Coat, kind: str) -> None:
    shape(canvas, _BODIES[kind], coat.light, coat.deep, coat.edge, width=13)


def _krabbi(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#ff8a66", "#d43f35", "#4a0d14", "#ffe3cf", "#ffd166")
    for side in (-1, 1):
        for i, (kx, ky, fx) in enumerate(((150, -150, 236), (118, -96, 176), (84, -44, 112))):
            limb(
                canvas,
                [(side * 52, -8 + i * 18), (side * kx, ky), (side * fx, 236)],
                13,
                coat.light,
                coat.edge,
            )
            canvas.disc((side * kx, ky), 13, coat.edge)
            canvas.disc((side * kx, ky), 8, coat.accent)
    for flip in (False, True):
        side = 1 if flip else -1
        limb(canvas, [(side * 56, 20), (side * 86, 62), (side * 64, 108)], 20, coat.deep, coat.edge)
        pincer(canvas, "long", (side * 58, 150), 0.55, coat.claw, turn=190, flip=flip)
    stalks(canvas, 34, -60, -128, coat.light, coat.edge)
    shape(
        canvas, _BODIES["round"], coat.light, coat.deep, coat.edge, at=(0, -66), size=0.78, width=12
    )
    canvas.fill(ellipse((0, 30), 66, 26), coat.pale, 0.7)
    for x, y, r in ((-58, -40, 12), (54, -46, 15), (0, -62, 9), (82, -2, 8), (-84, 4, 9)):
        canvas.disc((x, y), r, coat.accent, 0.9)
    eyes(canvas, 36, -138, 31)
    mouth(canvas, "grin", 4, coat.edge, 40)


def _drum(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#4fd0c2", "#138a8a", "#06363e", "#dff7ee", "#ff6f59")
    _legs(canvas, coat)
    for side in (-1, 1):
        limb(canvas, [(side * 60, 30), (side * 216, -150)], 9, rgb("#c98a45"), coat.edge)
        canvas.disc((side * 56, 34), 15, coat.edge)
        canvas.disc((side * 56, 34), 10, rgb("#ffe2b0"))
    _arms(canvas, coat, "round", (-176, -84, 0.8, -4), (176, -84, 0.8, -4))
    stalks(canvas, 46, 0, -76, coat.light, coat.edge)
    _body(canvas, coat, "box")
    eyes(canvas, 48, -88, 31)
    mouth(canvas, "grin", 22, coat.edge, 36)
    canvas.solid(rounded((-92, 92, 92, 214), 20), coat.accent, rgb("#b8322c"), coat.edge, 11)
    canvas.line(
        [(-88, 200), (-56, 112), (-22, 200), (12, 112), (46, 200), (80, 112), (90, 140)],
        8,
        rgb("#ffe9b8"),
    )
    canvas.solid(ellipse((0, 94), 98, 26), WHITE, rgb("#f4e3c4"), coat.edge, 9)


def _sandy(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#f3cf8e", "#c08a45", "#4a2c0c", "#fff3d4", "#e8654a")
    _arms(canvas, coat, "mitt", (-196, 20, 1.05, 6), (196, 20, 1.05, 6))
    stalks(canvas, 58, 30, -54, coat.light, coat.edge)
    shape(canvas, _BODIES["wide"], coat.light, coat.deep, coat.edge, at=(0, 14), width=13)
    for _ in range(26):
        x, y = chance.uniform(-140, 140), chance.uniform(34, 130)
        if abs(x) / 170 + abs(y - 84) / 90 < 0.95:
            canvas.disc(
                (x, y), chance.uniform(3, 9), coat.deep if chance.random() < 0.7 else coat.pale, 0.8
            )
    eyes(canvas, 60, -66, 34, lid=coat.light, mood="sleepy")
    mouth(canvas, "flat", 84, coat.edge, 48)
    canvas.path(
        "M-330 250 L-330 178 C-250 140 -190 168 -130 146 C-70 122 -30 158 20 150 C90 134 140 160 200 140 C260 128 300 150 330 160 L330 250 Z",
        coat.edge,
        0.9,
    )
    canvas.path(
        "M-330 250 L-330 188 C-250 150 -190 178 -130 156 C-70 132 -30 168 20 160 C90 144 140 170 200 150 C260 138 300 160 330 170 L330 250 Z",
        rgb("#f6dca6"),
    )
    for x, y in ((-120, 196), (-20, 206), (90, 190), (180, 210)):
        canvas.fill(star((x, y), 13, 6, 5), coat.accent, 0.9)


def _eagle(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#a8703f", "#5f3719", "#2a1406", "#fff6e4", "#ffc23d")
    for i in range(5):
        y = -170 + i * 44
        long = 236 - i * 22
        feather = f"M60 {60 + i * 12} C120 {y + 10} {long - 50} {y - 24} {long} {y - 4} C{long - 40} {y + 44} 150 {y + 90} 70 {100 + i * 10} Z"
        twin(canvas, feather, mix(coat.light, WHITE, 0.12 * i), coat.deep, coat.edge, 8)
    _legs(canvas, coat, 0.92, 110)
    _body(canvas, coat, "round")
    canvas.solid(
        trace(
            "M0 -112 C62 -112 98 -70 100 -8 C96 34 66 52 44 36 C30 60 -30 60 -44 36 C-66 52 -96 34 -100 -8 C-98 -70 -62 -112 0 -112 Z"
        )[0],
        WHITE,
        coat.pale,
        coat.edge,
        10,
    )
    eyes(canvas, 44, -44, 29, lid=WHITE, mood="cross", iris=coat.accent)
    shape(
        canvas,
        "M-34 -26 C-16 -40 20 -40 36 -26 C40 10 22 34 4 52 C0 30 -26 14 -34 -26 Z",
        coat.accent,
        rgb("#d98512"),
        coat.edge,
    )
    for flip in (False, True):
        pincer(
            canvas,
            "hook",
            ((1 if flip else -1) * 118, 132),
            0.78,
            (coat.accent, rgb("#d98512"), coat.edge),
            turn=-14,
            flip=flip,
        )
    for row in range(2):
        for i in range(-1, 2):
            canvas.path(
                "M-18 -8 L18 -8 L0 18 Z", coat.pale, 0.8, at=(i * 44 + 22 * row - 11, 96 + row * 34)
            )


def _kite(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#ff5f8f", "#c42468", "#3d0a2a", "#fff0d8", "#ffd23f")
    tail = trace("M0 180 C70 210 120 190 150 150 C190 100 220 160 240 220")[0]
    canvas.line(tail, 8, coat.edge)
    for (x, y), turn in along(tail, 6)[1:]:
        bow = turned([(-26, -15), (0, 0), (-26, 15), (26, 15), (0, 0), (26, -15)], turn + 90)
        canvas.fill(moved(bow, x, y, 1.25), coat.edge)
        canvas.fill(moved(bow, x, y, 0.95), coat.accent)
    _arms(canvas, coat, "long", (-178, -76, 0.8, -18), (178, -76, 0.8, -18))
    for side in (-1, 1):
        for i in range(2):
            limb(
                canvas,
                [
                    (side * 70, 100 + i * 14),
                    (side * (118 - i * 20), 150 + i * 26),
                    (side * (140 - i * 34), 216 + i * 8),
                ],
                13,
                coat.deep,
                coat.edge,
            )
    stalks(canvas, 34, -10, -114, coat.light, coat.edge)
    _body(canvas, coat, "kite")
    canvas.fill([(0, -64), (126, 50), (0, 50)], coat.accent)
    canvas.fill([(0, 180), (-126, 50), (0, 50)], rgb("#48c6ef"))
    canvas.line([(0, -64), (0, 180)], 7, coat.edge)
    canvas.line([(-126, 50), (126, 50)], 7, coat.edge)
    eyes(canvas, 38, -120, 30)
    canvas.fill(circle((0, 56), 42), coat.pale)
    mouth(canvas, "grin", 52, coat.edge, 28)


def _cloud(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#b9a7ff", "#6c56cf", "#22194f", "#f4f0ff", "#ffd166")
    for side in (-1, 1):
        for i in range(2):
            x = side * (58 + i * 58)
            spring = [(x + (16 if n % 2 else -16), 120 + n * 14) for n in range(6)]
            limb(canvas, spring, 9, rgb("#d8dee8"), coat.edge)
    _arms(canvas, coat, "round", (-170, -74, 0.82, -18), (170, -74, 0.82, -18))
    for ear in both(trace("M26 -10 C20 -90 40 -170 78 -186 C104 -130 92 -50 66 0 Z")[0]):
        canvas.solid(ear, coat.light, coat.deep, coat.edge, 10)
    for ear in both(trace("M44 -30 C42 -90 54 -140 74 -156 C88 -110 78 -60 62 -20 Z")[0]):
        canvas.fill(ear, coat.pale, 0.8)
    shape(
        canvas, _BODIES["round"], coat.light, coat.deep, coat.edge, at=(0, -26), size=0.94, width=13
    )
    canvas.fill(ellipse((0, 96), 74, 40), coat.pale, 0.75)
    eyes(canvas, 44, 20, 34)
    mouth(canvas, "smile", 76, coat.edge, 34)
    for x, y, r in ((-150, 206, 44), (-84, 186, 56), (0, 196, 62), (86, 186, 54), (150, 208, 44)):
        canvas.disc((x, y), r + 7, rgb("#6f8fc9"))
    for x, y, r in ((-150, 206, 44), (-84, 186, 56), (0, 196, 62), (86, 186, 54), (150, 208, 44)):
        canvas.disc((x, y), r, WHITE)
    canvas.fill([(-170, 210), (170, 210), (190, 260), (-190, 260)], WHITE)


def _lantern(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#5b6b7d", "#2a3442", "#10151d", "#ffe9a8", "#ffb52e")
    canvas.glow((0, 40), 260, coat.accent, 0.9)
    _legs(canvas, coat)
    _arms(canvas, coat, "hook", (-180, -44, 0.86, -10), (180, -44, 0.86, -10))
    shape(
        canvas,
        "M-84 -40 L84 -40 L120 10 L120 150 L84 190 L-84 190 L-120 150 L-120 10 Z",
        coat.light,
        coat.deep,
        coat.edge,
        width=13,
    )
    shape(canvas, "M-40 -96 L40 -96 L90 -40 L-90 -40 Z", coat.light, coat.deep, coat.edge)
    canvas.ring((0, -122), 30, 11, coat.edge)
    canvas.ring((0, -122), 30, 5, coat.light)
    canvas.fill(rounded((-92, 0, 92, 160), 22), coat.edge)
    canvas.fade(rounded((-84, 8, 84, 152), 16), coat.pale, coat.accent)
    flame(canvas, (0, 106), 0.5, rgb("#c4511a"))
    for x in (-28, 28):
        canvas.line([(x, 8), (x, 152)], 6, coat.edge, 0.8)
    eyes(canvas, 46, 34, 29, iris=rgb("#8a3a0a"))
    for x in (-100, 100):
        canvas.line([(x, 10), (x, 150)], 5, mix(coat.light, WHITE, 0.4))


def _kiln(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#c9603f", "#7d2f1e", "#2e0d08", "#ffd9a8", "#ff9f2e")
    canvas.glow((0, 90), 240, coat.accent, 0.7)
    for x, y, r in ((20, -206, 26), (52, -226, 34), (-6, -186, 18)):
        canvas.disc((x, y), r, rgb("#e9dfd8"), 0.75)
    _legs(canvas, coat)
    _arms(canvas, coat, "round", (-184, -40, 0.94, -4), (184, -40, 0.94, -4))
    canvas.solid(rounded((-22, -170, 30, -90), 6), coat.light, coat.deep, coat.edge, 10)
    dome = "M-138 180 L-138 60 C-138 -50 -76 -108 0 -108 C76 -108 138 -50 138 60 L138 180 Z"
    shape(canvas, dome, coat.light, coat.deep, coat.edge, width=13)
    for row in range(7):
        y = -60 + row * 36
        half = 136 if y > 50 else 136 * math.sqrt(max(0.0, 1 - ((50 - y) / 158) ** 2))
        canvas.line([(-half, y), (half, y)], 5, coat.edge, 0.55)
        for i in range(-3, 4):
            x = i * 46 + (23 if row % 2 else 0)
            if abs(x) < half - 8:
                canvas.line([(x, y), (x, min(y + 36, 180))], 5, coat.edge, 0.55)
    canvas.fill(ellipse((0, 120), 74, 62), coat.edge)
    canvas.fill([(-74, 120), (74, 120), (74, 182), (-74, 182)], coat.edge)
    flame(canvas, (-26, 142), 0.46, rgb("#a02a10"))
    flame(canvas, (30, 146), 0.42, rgb("#a02a10"))
    flame(canvas, (2, 128), 0.56, rgb("#a02a10"))
    eyes(canvas, 52, 4, 32, lid=coat.light, mood="cross")


def _spark(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#ffd83d", "#e08a12", "#2d1a04", "#fff7cf", "#3ad6ff")
    canvas.glow((0, -140), 170, coat.accent, 0.7)
    _legs(canvas, coat)
    _arms(canvas, coat, "saw", (-172, -104, 1.28, 8), (172, -104, 1.28, 8))
    canvas.line(
        [(-116, -190), (-70, -152), (-40, -198), (0, -146), (40, -200), (72, -152), (116, -190)],
        15,
        rgb("#0d5f86"),
    )
    canvas.line(
        [(-116, -190), (-70, -152), (-40, -198), (0, -146), (40, -200), (72, -152), (116, -190)],
        7,
        rgb("#d8fbff"),
    )
    stalks(canvas, 34, 0, -64, coat.light, coat.edge)
    _body(canvas, coat, "shield")
    for i in range(3):
        y = 40 + i * 40
        half = 120 - i * 34
        canvas.line(
            [
                (-half, y),
                (-half * 0.4, y + 22),
                (-half * 0.1, y + 4),
                (half * 0.1, y + 4),
                (half * 0.4, y + 22),
                (half, y),
            ],
            13,
            coat.edge,
            0.85,
        )
    bolt(canvas, (0, 104), 0.62, rgb("#eaffff"), coat.edge)
    eyes(canvas, 38, -72, 30, mood="wild")
    mouth(canvas, "teeth", 18, coat.edge, 40)


def _moss(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#7fae4a", "#3f6a26", "#16290c", "#e6f2b8", "#f06a5a")
    stone = Coat.of("#9aa38d", "#5c6655", "#20261c", "#dfe5d2", "#f06a5a")
    _legs(canvas, stone)
    _arms(canvas, stone, "round", (-190, 10, 1.08, 0), (190, 10, 1.08, 0))
    shape(
        canvas,
        "M-160 166 C-170 40 -120 -80 0 -80 C120 -80 170 40 160 166 C100 188 -100 188 -160 166 Z",
        stone.light,
        stone.deep,
        stone.edge,
        width=13,
    )
    canvas.path(
        "M-152 60 C-150 -30 -100 -86 0 -86 C100 -86 150 -30 152 60 C132 92 124 40 100 66 C84 96 70 24 44 44 C24 66 10 22 -16 40 C-36 76 -58 28 -76 56 C-96 88 -112 40 -126 70 C-138 84 -148 78 -152 60 Z",
        coat.edge,
    )
    canvas.path(
        "M-146 52 C-142 -28 -98 -78 0 -78 C98 -78 142 -28 146 52 C130 78 124 30 98 54 C84 80 68 14 42 34 C24 54 10 12 -16 30 C-36 62 -58 18 -76 44 C-94 74 -112 30 -126 58 C-136 70 -144 66 -146 52 Z",
        coat.light,
    )
    for _ in range(34):
        x = chance.uniform(-120, 120)
        y = chance.uniform(-70, 20)
        if (x / 146) ** 2 + ((y - 40) / 118) ** 2 < 0.9:
            canvas.disc(
                (x, y),
                chance.uniform(4, 9),
                coat.deep if chance.random() < 0.5 else rgb("#b8d96a"),
                0.85,
            )
    for x, y, size in ((-52, -92, 1.0), (44, -98, 1.25), (96, -56, 0.8)):
        limb(canvas, [(x, y + 26 * size), (x, y - 14 * size)], 13 * size, rgb("#fff3dc"), coat.edge)
        cap = moved(
            trace("M-42 0 C-40 -44 40 -44 42 0 C20 10 -20 10 -42 0 Z")[0], x, y - 12 * size, size
        )
        canvas.solid(cap, coat.accent, rgb("#b8322c"), coat.edge, 8)
        for dx, dy in ((-16, -16), (8, -22), (20, -8)):
            canvas.disc((x + dx * size, y - 12 * size + dy * size), 5 * size, WHITE)
    eyes(canvas, 50, 92, 31, lid=stone.light, mood="sleepy")
    mouth(canvas, "smile", 138, stone.edge, 28)


def _banjo(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#f59e4c", "#b85a1c", "#3d1906", "#ffeccd", "#3fae6a")
    _legs(canvas, coat)
    limb(canvas, [(-92, 70), (-170, 40), (-200, -40)], 30, coat.deep, coat.edge)
    stalks(canvas, 46, 0, -66, coat.light, coat.edge)
    _body(canvas, coat, "round")
    shape(
        canvas,
        "M-120 -104 L120 -104 L84 -138 C80 -190 -80 -190 -84 -138 Z",
        rgb("#f2d583"),
        rgb("#c99a3a"),
        coat.edge,
        at=(0, -6),
    )
    canvas.fill([(-84, -144), (84, -144), (80, -126), (-80, -126)], coat.accent)
    eyes(canvas, 48, -62, 30)
    mouth(canvas, "smile", 0, coat.edge, 36)
    neck = turned([(-15, -40), (15, -40), (12, -250), (-12, -250)], -58)
    canvas.solid(moved(neck, 30, 104), rgb("#a8683a"), rgb("#6b3a1a"), coat.edge, 8)
    head = turned([(-24, -250), (24, -250), (18, -300), (-18, -300)], -58)
    canvas.solid(moved(head, 30, 104), rgb("#6b3a1a"), rgb("#4a2410"), coat.edge, 8)
    canvas.disc((40, 112), 84, coat.edge)
    canvas.disc((40, 112), 76, rgb("#c98a45"))
    canvas.disc((40, 112), 62, rgb("#fff7e4"))
    canvas.ring((40, 112), 62, 5, coat.edge)
    for i in (-8, 0, 8):
        line = turned([(i, 40), (i, -280)], -58)
        canvas.line(moved(line, 30, 104), 2.6, coat.edge, 0.8)
    pincer(canvas, "round", (-196, -66), 0.8, coat.claw, turn=-6)
    limb(canvas, [(110, 40), (150, 90), (84, 128)], 28, coat.deep, coat.edge)
    pincer(canvas, "mitt", (66, 124), 0.54, coat.claw, turn=70, flip=True)


def _thorn(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#5fa65a", "#23583a", "#0b2318", "#d9f2c0", "#f0518a")
    _legs(canvas, coat)
    for side in (-1, 1):
        for x, y, turn in ((122, 40, 30), (150, 6, 10), (136, 84, 60)):
            canvas.fill(
                moved(turned([(-12, 10), (0, -38), (12, 10)], side * turn), side * x, y), coat.edge
            )
    _arms(canvas, coat, "saw", (-182, -70, 1.06, -14), (182, -70, 1.06, -14))
    stalks(canvas, 52, 0, -62, coat.light, coat.edge)
    _body(canvas, coat, "spiky")
    for i in range(5):
        canvas.line(
            trace(f"M{-110 + i * 10} {46 + i * 22} Q0 {86 + i * 22} {110 - i * 10} {46 + i * 22}")[
                0
            ],
            6,
            coat.edge,
            0.4,
        )
    eyes(canvas, 54, -72, 29, lid=coat.light, mood="cross")
    for i in range(8):
        petal = ellipse((0, -34), 20, 32)
        placed = moved(turned(petal, i * 45), 0, 100)
        canvas.fill(moved(turned(ellipse((0, -34), 25, 37), i * 45), 0, 100), coat.edge)
        canvas.fill(placed, coat.accent if i % 2 else mix(coat.accent, WHITE, 0.35))
    canvas.disc((0, 100), 26, coat.edge)
    canvas.disc((0, 100), 20, rgb("#ffd84d"))
    mouth(canvas, "teeth", 26, coat.edge, 38)


def _iglu(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#ff8f7a", "#cf4a4a", "#3d0f1c", "#ffe6dc", "#57b8e6")
    ice, shade, edge = rgb("#fbfeff"), rgb("#a9d3ea"), rgb("#1d4566")
    _legs(canvas, coat, 1.0, 110)
    _arms(canvas, coat, "round", (-188, 30, 0.98, 0), (188, 30, 0.98, 0))
    shape(
        canvas,
        "M-156 178 L-156 60 C-156 -60 -90 -130 0 -130 C90 -130 156 -60 156 60 L156 178 Z",
        ice,
        shade,
        edge,
        width=13,
    )
    for row in range(6):
        y = -76 + row * 46
        half = 154 if y > 60 else 154 * math.sqrt(max(0.0, 1 - ((60 - y) / 190) ** 2))
        canvas.line(trace(f"M{-half} {y} Q0 {y + 20} {half} {y}")[0], 6, edge, 0.5)
        for i in range(-2, 3):
            x = i * 66 + (33 if row % 2 else 0)
            if abs(x) < half - 10:
                canvas.line([(x, y + 8), (x, y + 52)], 6, edge, 0.5)
    shape(
        canvas,
        "M-92 182 L-92 92 C-92 20 -50 -12 0 -12 C50 -12 92 20 92 92 L92 182 Z",
        ice,
        shade,
        edge,
    )
    canvas.path("M-70 182 L-70 94 C-70 40 -40 14 0 14 C40 14 70 40 70 94 L70 182 Z", rgb("#12304a"))
    shape(
        canvas,
        "M-62 182 C-66 110 -40 78 0 78 C40 78 66 110 62 182 Z",
        coat.light,
        coat.deep,
        coat.edge,
    )
    eyes(canvas, 28, 78, 26)
    mouth(canvas, "smile", 130, coat.edge, 24)
    limb(canvas, [(0, -130), (0, -200)], 6, rgb("#a8683a"), edge)
    canvas.fill([(3, -204), (70, -184), (3, -160)], edge)
    canvas.fill([(6, -196), (56, -183), (6, -168)], coat.light)


def _mitten(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#7cc4ea", "#2f74b5", "#0d2747", "#eaf7ff", "#e6404f")
    wool = (coat.accent, rgb("#a81f3a"), coat.edge)
    _legs(canvas, coat)
    for x, flip in ((-176, False), (176, True)):
        side = 1 if flip else -1
        limb(canvas, [(side * 92, 70), (side * 160, 62), (x, 8)], 30, coat.deep, coat.edge)
        pincer(canvas, "mitt", (x, -70), 1.24, wool, turn=-8, flip=flip)
        for i in range(3):
            canvas.fill(ngon((x + side * (i * 18 - 14), -72 + (i % 2) * 16), 12, 4), WHITE)
        canvas.solid(rounded((x - 52, 6, x + 52, 40), 14), WHITE, rgb("#dfe6ee"), coat.edge, 9)
    _body(canvas, coat, "round")
    eyes(canvas, 48, 44, 34)
    shape(
        canvas,
        "M-116 10 C-112 -92 -50 -122 0 -122 C50 -122 112 -92 116 10 Z",
        coat.accent,
        rgb("#a81f3a"),
        coat.edge,
    )
    for i in range(5):
        canvas.line(
            [(-84 + i * 42, -8), (-66 + i * 33, -70 - (12 if i == 2 else 0))], 7, WHITE, 0.55
        )
    canvas.solid(rounded((-128, -16, 128, 22), 18), WHITE, rgb("#dfe6ee"), coat.edge, 9)
    canvas.disc((0, -136), 40, coat.edge)
    canvas.disc((0, -136), 33, WHITE)
    mouth(canvas, "smile", 104, coat.edge, 34)
    for side in (-1, 1):
        canvas.fill(ellipse((side * 92, 98), 20, 13), coat.accent, 0.45)


def _sleet(canvas: Canvas, chance: random.Random) -> None:
    coat = Coat.of("#8ff0e4", "#2a9fa8", "#083a47", "#f0fffd", "#ff7a59")
    for i in range(5):
        y = -60 + i * 62
        canvas.line([(-310 + i * 16, y), (-170, y)], 7, WHITE, 0.65)
    for x, foot in ((-96, -132), (-20, -30), (70, 92), (128, 190)):
        limb(canvas, [(x * 0.6, 110), (x + 14, 156), (foot, 202)], 16, coat.deep, coat.edge)
        shape(
            canvas,
            "M-24 -12 L22 -12 L34 8 L-24 8 Z",
            coat.accent,
            rgb("#c24328"),
            coat.edge,
            at=(foot, 204),
            width=7,
        )
        canvas.line([(foot - 32, 222), (foot + 36, 222), (foot + 46, 214)], 7, rgb("#eef6fb"))
        canvas.line([(foot - 32, 228), (foot + 38, 228)], 4, coat.edge)
    scarf = "M-60 -6 C-130 -30 -170 10 -236 -20 C-220 20 -232 40 -214 60 C-160 50 -120 60 -50 44 Z"
    shape(canvas, scarf, coat.accent, rgb("#c24328"), coat.edge)
    canvas.path("M-176 -6 C-160 10 -164 34 -152 54 L-132 52 C-142 30 -140 10 -150 -8 Z", WHITE, 0.8)
    limb(canvas, [(90, 50), (168, 20), (206, -70)], 26, coat.deep, coat.edge)
    pincer(canvas, "long", (206, -116), 0.84, coat.claw, turn=-12, flip=True)
    limb(canvas, [(-70, 84), (-140, 120), (-196, 92)], 26, coat.deep, coat.edge)
    pincer(canvas, "long", (-218, 76), 0.66, coat.claw, turn=-70)
    stalks(canvas, 40, -30, -104, coat.light, coat.edge)
    body = moved(turned(trace(_BODIES["tall"])[0], 12), 10, -6, 0.92)
    canvas.solid(body, coat.light, coat.deep, coat.edge, 13)
    shape(
        canvas,
        "M-98 -10 C-40 20 50 34 110 12 L106 48 C50 66 -40 52 -104 26 Z",
        coat.accent,
        rgb("#c24328"),
        coat.edge,
    )
    for x, y in ((-34, 108), (22, 128), (60, 92), (6, 84)):
        canvas.fill(star((x, y), 17, 5, 6), WHITE, 0.95)
    eyes(canvas, 44, -116, 31, look=(6, 0))
    mouth(canvas, "grin", -36, coat.edge, 30)


FIGURES: dict[str, Callable[[Canvas, random.Random], None]] = {
    "krabbi-long-legs": _krabbi,
    "drum-krab": _drum,
    "sandy-shuffler": _sandy,
    "eagle-krab": _eagle,
    "kite-krab": _kite,
    "cloud-hopper": _cloud,
    "lantern-krab": _lantern,
    "kiln-krab": _kiln,
    "spark-snapper": _spark,
    "moss-krab": _moss,
    "banjo-krab": _banjo,
    "thorn-pincher": _thorn,
    "iglu-krab": _iglu,
    "mitten-krab": _mitten,
    "sleet-skater": _sleet,
}
