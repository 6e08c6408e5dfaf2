"""The fifteen Enemigos: villains of every build, none of them quite serious."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

import math
import random
from collections.abc import Callable

from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    both,
    circle,
    ellipse,
    mix,
    moved,
    ngon,
    rgb,
    ribbon,
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
    twin,
)


def _bunny(canvas: Canvas, chance: random.Random) -> None:
    fur, deep, edge = rgb("#f2b8c6"), rgb("#c46a86"), rgb("#4a1530")
    limb(canvas, [(-250, -130), (250, -130)], 14, rgb("#b7c0cc"), edge)
    for side in (-1, 1):
        for x, h in ((196, 74), (232, 54)):
            canvas.solid(
                rounded((side * x - 16, -130 - h, side * x + 16, -130 + h), 10),
                rgb("#5a6676"),
                rgb("#2c3440"),
                edge,
                8,
            )
        limb(canvas, [(side * 84, 60), (side * 172, 30), (side * 142, -120)], 50, fur, edge)
        canvas.disc((side * 164, 18), 40, edge)
        canvas.disc((side * 164, 18), 34, fur)
        canvas.disc((side * 142, -130), 33, edge)
        canvas.disc((side * 142, -130), 26, fur)
    twin(canvas, "M18 -96 C0 -170 10 -232 44 -240 C76 -228 80 -150 58 -90 Z", fur, deep, edge, 10)
    for ear in both(trace("M30 -110 C22 -170 30 -212 44 -218 C60 -206 60 -150 48 -104 Z")[0]):
        canvas.fill(ear, rgb("#ffe3ea"), 0.9)
    shape(
        canvas,
        "M-130 50 C-90 10 90 10 130 50 C124 130 96 180 78 250 L-78 250 C-96 180 -124 130 -130 50 Z",
        fur,
        deep,
        edge,
        width=12,
    )
    shape(
        canvas,
        "M-78 24 C-70 120 -92 160 -78 250 L78 250 C92 160 70 120 78 24 L52 18 C40 70 -40 70 -52 18 Z",
        rgb("#3b7dd8"),
        rgb("#1e4a94"),
        edge,
    )
    canvas.fill(star((0, 150), 34, 15, 5), rgb("#ffd84d"))
    shape(
        canvas,
        "M0 -118 C62 -118 92 -76 88 -30 C84 14 50 38 0 38 C-50 38 -84 14 -88 -30 C-92 -76 -62 -118 0 -118 Z",
        fur,
        deep,
        edge,
        width=11,
    )
    canvas.fill(ellipse((0, 4), 44, 28), WHITE, 0.85)
    canvas.fill([(-92, -78), (92, -78), (88, -52), (-88, -52)], rgb("#e6404f"))
    eyes(canvas, 36, -32, 24, lid=fur, mood="cross")
    canvas.fill(ellipse((0, -6), 13, 9), edge)
    mouth(canvas, "flat", 16, edge, 22)
    canvas.fill([(-11, 18), (11, 18), (9, 38), (-9, 38)], WHITE)
    canvas.line([(0, 18), (0, 38)], 3, edge)


def _picker(canvas: Canvas, chance: random.Random) -> None:
    coat, deep, edge = rgb("#7f8f6a"), rgb("#43533c"), rgb("#191f14")
    limb(canvas, [(170, 190), (190, -140)], 15, rgb("#8a5a33"), edge)
    hook = trace("M190 -130 C196 -216 90 -220 96 -150")[0]
    canvas.line(hook, 26, edge)
    canvas.line(hook, 14, rgb("#ccd5de"))
    shape(
        canvas,
        "M-230 230 L-196 60 C-150 30 -90 40 -70 70 L-60 230 Z",
        rgb("#a87748"),
        rgb("#6a4524"),
        edge,
        width=11,
    )
    for x, y, tone in ((-170, 44, "#ffd84d"), (-130, 34, "#cfd8e2"), (-96, 46, "#ff8f6b")):
        canvas.disc((x, y), 24, edge)
        canvas.disc((x, y), 18, rgb(tone))
    shape(
        canvas,
        "M0 40 C80 40 138 90 146 250 L-146 250 C-138 90 -80 40 0 40 Z",
        coat,
        deep,
        edge,
        width=12,
    )
    for y in (130, 176, 222):
        canvas.disc((0, y), 11, edge)
        canvas.disc((0, y), 7, rgb("#e2b23c"))
    limb(canvas, [(100, 110), (150, 130), (178, 80)], 38, coat, edge)
    canvas.disc((180, 78), 27, edge)
    canvas.disc((180, 78), 20, rgb("#b99a86"))
    shape(
        canvas,
        "M0 -128 C74 -128 104 -70 98 -10 C92 50 50 72 0 72 C-50 72 -92 50 -98 -10 C-104 -70 -74 -128 0 -128 Z",
        rgb("#cdb7a4"),
        rgb("#8d7564"),
        edge,
        width=11,
    )
    canvas.path(
        "M-98 -16 C-60 -58 60 -58 98 -16 C70 26 44 30 0 10 C-44 30 -70 26 -98 -16 Z", rgb("#2f3136")
    )
    eyes(canvas, 44, -16, 24, mood="wild", iris=rgb("#d9a520"))
    shape(
        canvas,
        "M-26 14 C-14 0 14 0 26 14 C20 36 8 44 0 46 C-8 44 -20 36 -26 14 Z",
        rgb("#33302e"),
        BLACK,
        edge,
        width=5,
    )
    mouth(canvas, "flat", 58, edge, 24)
    shape(
        canvas,
        "M-140 -82 C-80 -112 80 -112 140 -82 L102 -104 C96 -180 60 -200 0 -200 C-60 -200 -96 -180 -102 -104 Z",
        rgb("#f0c23a"),
        rgb("#c08a14"),
        edge,
        width=11,
    )
    canvas.line(trace("M-100 -112 C-50 -128 50 -128 100 -112")[0], 12, edge)


def _bandit(canvas: Canvas, chance: random.Random) -> None:
    cloak, deep, edge = rgb("#f4f1e8"), rgb("#b4b0a2"), rgb("#2b2a33")
    for _ in range(18):
        at = (chance.uniform(-230, 230), chance.uniform(-60, 210))
        canvas.fill(ngon(at, chance.uniform(6, 13), 4, 20), WHITE, 0.9)
    shape(
        canvas,
        "M0 -20 C90 -10 150 80 196 250 L-196 250 C-150 80 -90 -10 0 -20 Z",
        rgb("#3f6d8f"),
        rgb("#1c3a55"),
        edge,
        width=12,
    )
    for flip in (False, True):
        side = 1 if flip else -1
        limb(
            canvas, [(side * 96, 120), (side * 172, 90), (side * 186, 0)], 34, rgb("#3f6d8f"), edge
        )
        shape(
            canvas,
            "M-14 30 L-9 -110 C-2 -134 10 -134 14 -110 L14 30 Z",
            rgb("#eef3f8"),
            rgb("#9fb0c0"),
            edge,
            at=(side * 188, -40),
            turn=side * 12,
            width=8,
        )
        canvas.solid(
            ellipse((side * 186, 0), 30, 12, side * 12),
            rgb("#e2b23c"),
            rgb("#a8761a"),
            edge,
            7,
        )
        canvas.disc((side * 186, 14), 22, edge)
        canvas.disc((side * 186, 14), 16, rgb("#e0b48c"))
    shape(
        canvas,
        "M0 -106 C62 -106 88 -66 86 -16 C84 42 46 70 0 70 C-46 70 -84 42 -86 -16 C-88 -66 -62 -106 0 -106 Z",
        rgb("#e8bf98"),
        rgb("#b98a63"),
        edge,
        width=11,
    )
    canvas.path("M-92 -44 L92 -44 L90 6 C50 22 30 -2 0 -2 C-30 -2 -50 22 -90 6 Z", edge)
    eyes(canvas, 38, -22, 22, lid=edge, mood="cross")
    shape(
        canvas,
        "M-88 22 C-40 40 40 40 88 22 C84 76 44 116 0 134 C-44 116 -84 76 -88 22 Z",
        rgb("#e6404f"),
        rgb("#a81f33"),
        edge,
    )
    for x, y in ((-40, 60), (0, 76), (40, 60), (0, 106)):
        canvas.disc((x, y), 7, WHITE)
    shape(
        canvas,
        "M-176 -76 C-110 -116 110 -116 176 -76 C110 -50 -110 -50 -176 -76 Z",
        cloak,
        deep,
        edge,
        width=10,
    )
    shape(
        canvas,
        "M-92 -84 C-92 -190 -44 -196 -6 -172 C40 -206 92 -186 92 -84 C40 -66 -40 -66 -92 -84 Z",
        cloak,
        deep,
        edge,
        width=10,
    )
    canvas.path("M-92 -98 C-40 -80 40 -80 92 -98 L92 -82 C40 -64 -40 -64 -92 -82 Z", rgb("#3f6d8f"))


def _gale(canvas: Canvas, chance: random.Random) -> None:
    light, deep, edge = rgb("#9fe3d4"), rgb("#2f8e9a"), rgb("#0b2f42")
    swirl = trace("M0 240 C-90 220 -110 160 20 150 C150 140 140 84 -20 80 C-150 70 -120 16 0 20")[0]
    canvas.line(ribbon(swirl, 30, 96, 26), 12, edge, closed=True)
    canvas.fade(ribbon(swirl, 30, 96, 26), light, deep)
    canvas.line(trace("M-50 200 C-40 180 60 182 88 140")[0], 7, WHITE, 0.8)
    canvas.line(trace("M-110 100 C-60 116 60 96 84 110")[0], 7, WHITE, 0.8)
    shape(
        canvas,
        "M116 -30 C196 -60 256 -10 250 60 C246 130 176 146 130 112 C100 80 96 10 116 -30 Z",
        rgb("#c79a58"),
        rgb("#7d5726"),
        edge,
        width=11,
    )
    shape(canvas, "M112 -44 L146 -72 L160 -24 L122 -14 Z", rgb("#c79a58"), rgb("#7d5726"), edge)
    canvas.fill(star((186, 56), 34, 15, 5), rgb("#ffd84d"))
    limb(canvas, [(60, -4), (110, 10), (134, -30)], 30, light, edge)
    limb(canvas, [(-70, 0), (-150, -10), (-206, -70)], 30, light, edge)
    for i in range(3):
        limb(canvas, [(-206, -70), (-240 + i * 26, -116 + abs(i - 1) * 10)], 13, light, edge)
    shape(
        canvas,
        "M-20 80 C-120 70 -130 -60 -84 -120 C-100 -160 -90 -204 -76 -222 C-60 -190 -40 -170 -14 -160 C12 -170 40 -190 64 -218 C76 -190 78 -150 64 -118 C104 -50 90 70 -20 80 Z",
        light,
        deep,
        edge,
        width=12,
    )
    canvas.path(
        "M-112 -62 C-60 -92 40 -92 88 -62 L84 -18 C50 0 20 -16 -12 -18 C-44 -16 -76 0 -108 -18 Z",
        edge,
    )
    for side in (-1, 1):
        at = (-12 + side * 44, -44)
        canvas.fill(ellipse(at, 25, 17, side * 12), WHITE)
        canvas.disc((at[0] - 4, at[1]), 9, edge)
    canvas.path("M-60 18 Q-10 64 44 14 Q-8 38 -60 18 Z", edge)
    canvas.fill([(-34, 27), (-20, 31), (-28, 46)], WHITE)


def _gull(canvas: Canvas, chance: random.Random) -> None:
    body, deep, edge = rgb("#8c97a8"), rgb("#4a5468"), rgb("#171c28")
    twin(
        canvas,
        "M60 60 C150 -40 220 -60 270 -30 C240 0 246 20 226 40 C236 60 206 76 190 84 C190 110 130 130 70 130 Z",
        body,
        deep,
        edge,
        11,
    )
    shape(
        canvas,
        "M0 -40 C80 -40 120 40 110 130 C100 200 50 226 0 226 C-50 226 -100 200 -110 130 C-120 40 -80 -40 0 -40 Z",
        body,
        deep,
        edge,
        width=12,
    )
    canvas.fill(ellipse((0, 140), 70, 74), rgb("#e4e8ee"), 0.9)
    for side in (-1, 1):
        shape(
            canvas,
            "M-8 -14 L8 -14 L34 16 L10 10 L0 22 L-10 10 L-34 16 Z",
            rgb("#ff9f3d"),
            rgb("#c4661f"),
            edge,
            at=(side * 44, 222),
            width=8,
        )
    shape(
        canvas,
        "M0 -126 C60 -126 92 -84 90 -30 C88 24 50 54 0 54 C-50 54 -88 24 -90 -30 C-92 -84 -60 -126 0 -126 Z",
        rgb("#e4e8ee"),
        rgb("#a9b2c0"),
        edge,
        width=11,
    )
    eyes(canvas, 44, -40, 31, lid=body, mood="sleepy")
    shape(
        canvas,
        "M-34 -12 C-10 -26 10 -26 34 -12 C34 20 20 62 0 70 C-6 52 -28 30 -34 -12 Z",
        rgb("#ffb84d"),
        rgb("#d9761f"),
        edge,
    )
    canvas.line(trace("M-28 14 Q0 2 28 14")[0], 5, edge)
    for x, y, r in (
        (-120, -168, 44),
        (-60, -196, 54),
        (10, -206, 58),
        (78, -190, 50),
        (130, -164, 38),
    ):
        canvas.disc((x, y), r + 8, edge)
    for x, y, r in (
        (-120, -168, 44),
        (-60, -196, 54),
        (10, -206, 58),
        (78, -190, 50),
        (130, -164, 38),
    ):
        canvas.disc((x, y), r, rgb("#5f6b82"))
    canvas.fill([(-130, -176), (130, -176), (130, -130), (-130, -130)], rgb("#5f6b82"))
    for i in range(7):
        x = -126 + i * 42
        canvas.line([(x, -112), (x - 12, -84)], 8, rgb("#8fd0ff"))


def _static(canvas: Canvas, chance: random.Random) -> None:
    skin, deep, edge = rgb("#a7c7ff"), rgb("#4a5fc4"), rgb("#141a48")
    zap = rgb("#fff27a")
    canvas.glow((0, -60), 230, rgb("#7fd8ff"), 0.6)
    for x, y, size, turn in (
        (-206, -60, 0.8, 18),
        (206, -60, 0.8, -18),
        (-220, 120, 0.55, -10),
        (220, 120, 0.55, 10),
    ):
        bolt(canvas, (x, y), size, zap, edge, turn)
    shape(
        canvas,
        "M-70 60 C-96 120 -110 190 -116 250 L116 250 C110 190 96 120 70 60 Z",
        rgb("#3c4468"),
        rgb("#1b2040"),
        edge,
        width=12,
    )
    canvas.path("M-14 70 L14 70 L22 250 L-22 250 Z", zap)
    for side in (-1, 1):
        limb(
            canvas,
            [(side * 78, 110), (side * 150, 120), (side * 160, 40)],
            30,
            rgb("#3c4468"),
            edge,
        )
        canvas.disc((side * 160, 34), 27, edge)
        canvas.disc((side * 160, 34), 20, skin)
        for a in (-30, 0, 30):
            tip = (side * 160 + 54 * math.sin(math.radians(a)), 34 - 54 * math.cos(math.radians(a)))
            canvas.line([(side * 160, 14), tip], 5, zap)
    hair = star((0, -66), 178, 96, 13, 10)
    canvas.solid(hair, zap, rgb("#f0a92a"), edge, 12)
    canvas.fill(star((0, -66), 132, 84, 13, 10), rgb("#fffbd0"), 0.7)
    shape(
        canvas,
        "M0 -132 C60 -132 92 -96 92 -40 C92 30 52 76 0 76 C-52 76 -92 30 -92 -40 C-92 -96 -60 -132 0 -132 Z",
        skin,
        deep,
        edge,
        width=11,
    )
    canvas.line([(-92, -42), (92, -42)], 10, edge)
    for side in (-1, 1):
        canvas.disc((side * 42, -42), 38, edge)
        canvas.disc((side * 42, -42), 29, rgb("#9ff6ff"))
        canvas.line(
            trace(
                f"M{side * 42 - 14} -42 Q{side * 42} -62 {side * 42 + 6} -42 Q{side * 42} -28 {side * 42 - 4} -40"
            )[0],
            5,
            edge,
        )
    mouth(canvas, "teeth", 32, edge, 40)


def _flaman(canvas: Canvas, chance: random.Random) -> None:
    light, deep, edge = rgb("#ff6a3d"), rgb("#b3151f"), rgb("#3a0410")
    canvas.glow((0, -30), 250, rgb("#ffb03a"), 0.7)
    for x, y, size in ((-96, -70, 1.15), (96, -70, 1.15), (0, -108, 1.5)):
        flame(canvas, (x, y), size, edge)
    for side in (-1, 1):
        for i in range(3):
            limb(
                canvas,
                [
                    (side * 90, 100 + i * 18),
                    (side * (160 + i * 4), 90 + i * 36),
                    (side * (200 - i * 14), 168 + i * 28),
                ],
                17,
                deep,
                edge,
            )
    for flip in (False, True):
        side = 1 if flip else -1
        limb(canvas, [(side * 92, 80), (side * 170, 70), (side * 190, 0)], 30, deep, edge)
        pincer(canvas, "hook", (side * 190, -66), 1.06, (light, deep, edge), turn=-6, flip=flip)
        flame(canvas, (side * 186, -150), 0.42, edge)
    shape(
        canvas,
        "M-130 20 C-80 -30 80 -30 130 20 C156 70 130 150 80 178 C40 190 -40 190 -80 178 C-130 150 -156 70 -130 20 Z",
        light,
        deep,
        edge,
        width=13,
    )
    for side in (-1, 1):
        shape(
            canvas,
            "M58 -6 C64 -52 92 -70 118 -74 C112 -46 116 -12 100 14 Z"
            if side > 0
            else "M-58 -6 C-64 -52 -92 -70 -118 -74 C-112 -46 -116 -12 -100 14 Z",
            rgb("#ffe3a0"),
            rgb("#d98a2a"),
            edge,
        )
    eyes(canvas, 48, 46, 33, lid=deep, mood="cross", iris=rgb("#ffb03a"))
    mouth(canvas, "teeth", 116, edge, 58)


def _fallen(canvas: Canvas, chance: random.Random) -> None:
    plume, deep, edge = rgb("#4a4560"), rgb("#1e1a2e"), rgb("#0a0812")
    ember = rgb("#ff7a3d")
    for i in range(6):
        y = -190 + i * 46
        long = 262 - i * 24
        data = f"M50 {40 + i * 14} C120 {y + 20} {long - 60} {y - 20} {long} {y} C{long - 20} {y + 40} 150 {y + 100} 62 {90 + i * 12} Z"
        twin(canvas, data, mix(plume, WHITE, 0.06 * i), deep, edge, 8)
        for side in (-1, 1):
            canvas.line([(side * 90, 40 + i * 12), (side * (long - 14), y + 4)], 3, ember, 0.55)
    shape(
        canvas,
        "M0 -10 C60 0 96 40 110 110 C124 170 130 210 140 250 L-140 250 C-130 210 -124 170 -110 110 C-96 40 -60 0 0 -10 Z",
        rgb("#6a1f2e"),
        rgb("#2a0a16"),
        edge,
        width=12,
    )
    shape(
        canvas,
        "M-60 30 L0 60 L60 30 L44 170 L0 196 L-44 170 Z",
        rgb("#8d8aa0"),
        rgb("#3f3c52"),
        edge,
    )
    canvas.fill(ngon((0, 108), 26, 4), ember)
    shape(
        canvas,
        "M0 -118 C54 -118 82 -80 80 -34 C78 20 42 60 0 66 C-42 60 -78 20 -80 -34 C-82 -80 -54 -118 0 -118 Z",
        rgb("#8d8aa0"),
        rgb("#4a4760"),
        edge,
        width=11,
    )
    twin(
        canvas,
        "M40 -104 C60 -150 110 -160 124 -214 C150 -160 128 -92 76 -72 Z",
        rgb("#d8cbb2"),
        rgb("#8a7a60"),
        edge,
    )
    canvas.path(
        "M-66 -50 C-30 -40 -20 -26 0 -14 C20 -26 30 -40 66 -50 C70 -10 50 8 20 6 L8 52 L-8 52 L-20 6 C-50 8 -70 -10 -66 -50 Z",
        deep,
    )
    for side in (-1, 1):
        canvas.fill([(side * 16, -14), (side * 56, -32), (side * 46, -8)], ember)
        canvas.fill([(side * 24, -14), (side * 48, -25), (side * 42, -12)], rgb("#fff0b0"))
    ring = ellipse((14, -176), 66, 19, -12)
    canvas.line(ring[4:40], 15, edge)
    canvas.line(ring[4:40], 8, rgb("#ffcf4d"))


def _cinder(canvas: Canvas, chance: random.Random) -> None:
    coal, deep, edge = rgb("#565059"), rgb("#231f27"), rgb("#0d0a10")
    glow = rgb("#ff8a2e")
    canvas.glow((0, 40), 240, glow, 0.55)
    for x, y, size in (
        (-60, -150, 0.9),
        (60, -150, 0.9),
        (0, -168, 1.2),
        (-104, -104, 0.7),
        (104, -104, 0.7),
    ):
        flame(canvas, (x, y), size, edge)
    for side in (-1, 1):
        limb(canvas, [(side * 96, 60), (side * 180, 90), (side * 196, 170)], 46, coal, edge)
        canvas.solid(ngon((side * 198, 186), 48, 7, 12), coal, deep, edge, 11)
        canvas.line([(side * 184, 160), (side * 200, 186), (side * 190, 214)], 6, glow)
    body = [
        (-98, 20),
        (-60, -6),
        (58, -10),
        (104, 22),
        (126, 110),
        (96, 206),
        (40, 246),
        (-46, 246),
        (-100, 204),
        (-128, 112),
    ]
    canvas.solid(body, coal, deep, edge, 13)
    for crack in (
        [(-90, 60), (-50, 96), (-62, 140), (-20, 190)],
        [(96, 80), (56, 110), (70, 160), (30, 216)],
        [(-10, 30), (8, 70), (-8, 104)],
    ):
        canvas.line(crack, 13, rgb("#c43a14"))
        canvas.line(crack, 6, rgb("#ffd06a"))
    head = [(-82, -60), (-50, -112), (40, -116), (86, -66), (80, 4), (36, 42), (-40, 42), (-84, 0)]
    canvas.solid(head, mix(coal, WHITE, 0.12), deep, edge, 11)
    for side in (-1, 1):
        canvas.fill(ellipse((side * 38, -42), 26, 21, side * -16), edge)
        canvas.fill(ellipse((side * 38, -42), 20, 15, side * -16), glow)
        canvas.disc((side * 36, -42), 7, rgb("#fff2b0"))
        canvas.line([(side * 62, -80), (side * 16, -62)], 10, edge)
        canvas.line([(side * 58, -58), (side * 72, -72)], 6, edge)
    canvas.path("M-34 0 Q0 26 34 0 Q0 -8 -34 0 Z", rgb("#ff5a2e"))
    canvas.disc((56, 18), 6, edge)


def _bramble(canvas: Canvas, chance: random.Random) -> None:
    vine, deep, edge = rgb("#7a8f3a"), rgb("#3d5220"), rgb("#161f0a")
    thorn = rgb("#e8d9a0")
    for i in range(20):
        a = math.radians(i * 18)
        at = (150 * math.sin(a), 60 - 132 * math.cos(a))
        canvas.fill(moved(turned([(-22, 14), (0, -66), (22, 14)], i * 18), *at), edge)
        canvas.fill(moved(turned([(-13, 10), (0, -48), (13, 10)], i * 18), *at), thorn)
    canvas.solid(ellipse((0, 60), 158, 140), vine, deep, edge, 13)
    for i in range(6):
        path = trace(
            f"M{-150 + i * 12} {20 + i * 26} C{-60} {-60 + i * 44} 60 {140 - i * 10} {148 - i * 10} {0 + i * 34}"
        )[0]
        canvas.line(path, 16, edge)
        canvas.line(path, 9, mix(vine, rgb("#c8dc6a"), 0.3 + 0.1 * (i % 2)))
    for side in (-1, 1):
        limb(canvas, [(side * 130, 90), (side * 206, 90), (side * 222, 10)], 34, vine, edge)
        canvas.solid(circle((side * 222, -10), 44), vine, deep, edge, 11)
        for a in (-50, 0, 50):
            tip = moved(turned([(-10, -40), (0, -70), (10, -40)], a), side * 222, -10)
            canvas.fill(tip, thorn)
            canvas.line([tip[0], tip[1], tip[2]], 5, edge)
        limb(canvas, [(side * 60, 180), (side * 70, 232)], 34, vine, edge)
    canvas.fill(ellipse((0, 60), 108, 82), edge, 0.55)
    eyes(canvas, 48, 34, 34, lid=vine, mood="cross", iris=rgb("#c4302b"))
    canvas.line([(-96, -18), (-18, 14)], 18, edge)
    canvas.line([(96, -18), (18, 14)], 18, edge)
    mouth(canvas, "teeth", 106, edge, 56)


def _rat(canvas: Canvas, chance: random.Random) -> None:
    fur, deep, edge = rgb("#a98463"), rgb("#5e4230"), rgb("#23150c")
    tail = trace("M90 210 C220 230 260 130 200 80 C150 40 170 -30 240 -40")[0]
    canvas.line(ribbon(tail, 34, 8), 9, edge, closed=True)
    canvas.fill(ribbon(tail, 34, 8), rgb("#e2a08a"))
    for i in range(5):
        root = trace(
            f"M{-70 + i * 34} 220 C{-110 + i * 40} 230 {-150 + i * 60} 226 {-190 + i * 80} 252"
        )[0]
        canvas.line(root, 18, edge)
        canvas.line(root, 9, rgb("#7a5a34"))
    shape(
        canvas,
        "M0 10 C90 10 130 100 124 240 L-124 240 C-130 100 -90 10 0 10 Z",
        fur,
        deep,
        edge,
        width=12,
    )
    canvas.fill(ellipse((0, 168), 66, 72), rgb("#e8cfae"), 0.85)
    for side in (-1, 1):
        canvas.disc((side * 108, -118), 68, edge)
        canvas.disc((side * 108, -118), 58, fur)
        canvas.disc((side * 108, -116), 40, rgb("#e2a08a"))
    shape(
        canvas,
        "M0 -150 C70 -150 110 -90 96 -30 C80 30 40 84 0 92 C-40 84 -80 30 -96 -30 C-110 -90 -70 -150 0 -150 Z",
        fur,
        deep,
        edge,
        width=12,
    )
    eyes(canvas, 42, -60, 30, lid=fur, mood="cross", iris=rgb("#8a1f2a"))
    canvas.fill(ellipse((0, 46), 52, 40), rgb("#e8cfae"))
    canvas.fill(ellipse((0, 24), 24, 17), edge)
    canvas.fill(ellipse((-6, 19), 8, 5), WHITE, 0.8)
    canvas.fill([(-20, 62), (20, 62), (16, 104), (-16, 104)], edge)
    canvas.fill([(-16, 62), (-1, 62), (-2, 98), (-13, 98)], WHITE)
    canvas.fill([(1, 62), (16, 62), (13, 98), (2, 98)], WHITE)
    for side in (-1, 1):
        for dy in (-8, 8, 24):
            canvas.line([(side * 40, 44 + dy * 0.4), (side * 130, 34 + dy * 1.6)], 4, edge, 0.8)
        limb(canvas, [(side * 92, 110), (side * 120, 150), (side * 60, 150)], 28, fur, edge)
    shape(
        canvas,
        "M-70 150 C-40 130 50 134 80 144 C110 150 120 168 90 172 C40 180 -40 178 -70 150 Z",
        rgb("#f07a3d"),
        rgb("#b84a1a"),
        edge,
    )
    for i in range(3):
        shape(
            canvas,
            "M0 0 C-10 -30 4 -50 16 -56 C22 -34 16 -12 0 0 Z",
            rgb("#7fc24a"),
            rgb("#3f7d2c"),
            edge,
            at=(-74, 152),
            turn=-70 + i * 34,
            width=6,
        )


def _duke(canvas: Canvas, chance: random.Random) -> None:
    skin, deep, edge = rgb("#8cbf4f"), rgb("#47752c"), rgb("#15280e")
    shape(
        canvas,
        "M-170 250 C-180 120 -110 60 0 60 C110 60 180 120 170 250 Z",
        rgb("#5b2f6e"),
        rgb("#2c1240"),
        edge,
        width=12,
    )
    shape(canvas, "M-50 92 L50 92 L36 250 L-36 250 Z", WHITE, rgb("#dfe6d2"), edge)
    for side in (-1, 1):
        shape(
            canvas,
            "M0 0 L54 -26 L54 26 Z" if side > 0 else "M0 0 L-54 -26 L-54 26 Z",
            rgb("#e6404f"),
            rgb("#a81f33"),
            edge,
            at=(0, 112),
        )
    canvas.disc((0, 112), 14, edge)
    canvas.disc((0, 112), 9, rgb("#ffd84d"))
    shape(
        canvas,
        "M-156 40 C-160 -40 -90 -70 0 -70 C90 -70 160 -40 156 40 C150 96 80 112 0 112 C-80 112 -150 96 -156 40 Z",
        skin,
        deep,
        edge,
        width=12,
    )
    canvas.path(
        "M-130 40 C-60 64 60 64 130 40 C110 90 60 100 0 100 C-60 100 -110 90 -130 40 Z",
        rgb("#e6f0b4"),
        0.85,
    )
    canvas.line(trace("M-134 34 C-70 62 70 62 134 34")[0], 9, edge)
    for x, y, r in ((-96, 4, 9), (-70, -22, 7), (104, -2, 8), (78, -26, 6), (-20, -44, 7)):
        canvas.disc((x, y), r, deep)
    for side in (-1, 1):
        canvas.disc((side * 74, -70), 52, edge)
        canvas.disc((side * 74, -70), 44, skin)
    eyes(canvas, 74, -72, 34, lid=deep, mood="sleepy", iris=rgb("#c98a14"))
    canvas.ring((74, -72), 45, 9, rgb("#ffd84d"))
    canvas.line(trace("M112 -48 C150 0 140 60 120 96")[0], 5, rgb("#ffd84d"))
    shape(
        canvas,
        "M-110 -112 C-60 -128 60 -128 110 -112 L110 -98 C60 -112 -60 -112 -110 -98 Z",
        rgb("#33303f"),
        BLACK,
        edge,
        width=9,
    )
    shape(
        canvas,
        "M-70 -118 L-82 -226 C-40 -240 40 -240 82 -226 L70 -118 C30 -126 -30 -126 -70 -118 Z",
        rgb("#4a4558"),
        rgb("#1c1926"),
        edge,
        width=10,
    )
    canvas.path(
        "M-73 -146 C-30 -156 30 -156 73 -146 L70 -120 C30 -130 -30 -130 -70 -120 Z", rgb("#e6404f")
    )


def _hail(canvas: Canvas, chance: random.Random) -> None:
    ice, deep, edge = rgb("#dff3ff"), rgb("#7fb2e0"), rgb("#15305c")
    limb(canvas, [(150, 130), (236, -150)], 22, rgb("#c98a45"), edge)
    limb(canvas, [(196, -10), (238, -156)], 38, rgb("#e2a862"), edge)
    for i in range(4):
        canvas.line([(196 + i * 11, -14 - i * 40), (222 + i * 9, -4 - i * 40)], 6, edge)
    for side in (-1, 1):
        limb(canvas, [(side * 70, 200), (side * 84, 240)], 40, rgb("#33407a"), edge)
    limb(canvas, [(-116, 80), (-196, 110), (-212, 30)], 40, ice, edge)
    canvas.solid(circle((-212, 12), 40), rgb("#e6404f"), rgb("#a81f33"), edge, 10)
    limb(canvas, [(116, 80), (170, 120), (166, 110)], 40, ice, edge)
    canvas.solid(ngon((0, 70), 156, 9, 8), ice, deep, edge, 13)
    for a, b in (
        ((-120, 10), (-30, 60)),
        ((-30, 60), (-60, 190)),
        ((-30, 60), (60, 20)),
        ((60, 20), (136, 70)),
        ((60, 20), (70, 160)),
        ((70, 160), (-60, 190)),
    ):
        canvas.line([a, b], 4, WHITE, 0.85)
    canvas.solid(circle((166, 108), 38), rgb("#e6404f"), rgb("#a81f33"), edge, 10)
    eyes(canvas, 50, 48, 33, lid=deep, mood="cross")
    mouth(canvas, "grin", 102, edge, 46)
    canvas.fill([(14, 98), (30, 98), (28, 112), (16, 112)], edge)
    shape(
        canvas,
        "M-126 -16 C-128 -110 -60 -148 0 -148 C60 -148 128 -110 126 -16 C60 -44 -60 -44 -126 -16 Z",
        rgb("#33407a"),
        rgb("#182050"),
        edge,
        width=11,
    )
    canvas.solid(
        trace("M-138 -2 C-80 -50 80 -50 138 -2 L132 26 C70 -18 -70 -18 -132 26 Z")[0],
        rgb("#e6404f"),
        rgb("#a81f33"),
        edge,
        9,
    )
    canvas.fill(star((0, -90), 34, 10, 6), WHITE)


def _shoulder(canvas: Canvas, chance: random.Random) -> None:
    coat, deep, edge = rgb("#3d5a8a"), rgb("#172a52"), rgb("#081330")
    ice = rgb("#e8f8ff")
    shape(
        canvas, "M-60 250 C-90 160 -80 40 0 0 C90 -10 150 60 150 250 Z", coat, deep, edge, width=12
    )
    canvas.path(
        "M30 90 C90 80 130 140 128 250 L20 250 C40 200 10 140 30 90 Z", rgb("#eef2f6"), 0.92
    )
    shape(
        canvas,
        "M-30 -30 C-20 -120 70 -150 128 -112 C172 -80 164 0 120 30 C70 60 -10 40 -30 -30 Z",
        coat,
        deep,
        edge,
        width=12,
    )
    canvas.path(
        "M60 -100 C110 -110 150 -70 142 -30 C132 10 90 24 60 10 C40 -10 36 -70 60 -100 Z",
        rgb("#eef2f6"),
    )
    for x, y in ((78, -50), (124, -52)):
        canvas.disc((x, y), 20, edge)
        canvas.disc((x, y), 15, WHITE)
        canvas.disc((x + 6, y + 2), 8, edge)
        canvas.fill(
            [(x - 22, y - 22), (x + 22, y - 22), (x + 22, y - 4), (x - 22, y - 4)],
            coat if x < 100 else rgb("#9fb0c8"),
        )
        canvas.line([(x - 20, y - 4), (x + 20, y - 4)], 6, edge)
    shape(
        canvas,
        "M100 -32 L190 -20 L112 0 C96 -8 94 -22 100 -32 Z",
        rgb("#ffb03a"),
        rgb("#d9761f"),
        edge,
    )
    berg = [
        (-236, 150),
        (-214, 20),
        (-168, -40),
        (-150, -150),
        (-96, -100),
        (-60, -176),
        (-20, -60),
        (26, -20),
        (40, 110),
        (-20, 190),
        (-150, 200),
    ]
    canvas.solid(berg, ice, rgb("#7fc0e6"), edge, 13)
    for facet in (
        [(-150, -150), (-168, -40), (-110, 20), (-96, -100)],
        [(-60, -176), (-96, -100), (-40, 0), (-20, -60)],
        [(-214, 20), (-110, 20), (-150, 200), (-236, 150)],
    ):
        canvas.fill(facet, WHITE, 0.6)
    for facet in (
        [(-20, -60), (-40, 0), (40, 110), (26, -20)],
        [(-110, 20), (-40, 0), (-20, 190), (-150, 200)],
    ):
        canvas.fill(facet, rgb("#4f98cf"), 0.35)
    for x in (-196, -130, -70, -10):
        canvas.fill([(x - 16, 194), (x + 16, 194), (x, 244)], edge)
        canvas.fill([(x - 10, 190), (x + 10, 190), (x, 230)], ice)


def _bob(canvas: Canvas, chance: random.Random) -> None:
    dark, deep, edge = rgb("#46587a"), rgb("#131a2c"), rgb("#05080f")
    shine = rgb("#9fd8ff")
    canvas.fill(ellipse((0, 232), 220, 22), shine, 0.55)
    for side in (-1, 1):
        arm = [(side * 104, 40), (side * 180, 0), (side * 214, -80)]
        limb(canvas, arm, 15, rgb("#6b4a33"), edge)
        for dx, dy in ((-24, -34), (6, -44), (32, -26)):
            limb(canvas, [(side * 212, -76), (side * 212 + dx, -76 + dy)], 9, rgb("#6b4a33"), edge)
    canvas.solid(rounded((-128, 70, 128, 240), 40), dark, deep, edge, 13)
    canvas.solid(rounded((-104, -60, 104, 96), 34), dark, deep, edge, 12)
    canvas.solid(rounded((-80, -184, 80, -36), 28), mix(dark, WHITE, 0.08), deep, edge, 12)
    for box in ((-108, 90, -76, 210), (-84, -40, -58, 60), (-62, -166, -42, -80)):
        canvas.fill(rounded(box, 14), shine, 0.75)
    for y in (-8, 40, 130, 180):
        canvas.disc((0, y), 13, edge)
        canvas.disc((0, y), 8, rgb("#e6404f"))
    shape(
        canvas,
        "M-92 -50 C-40 -24 40 -24 92 -50 L96 -22 C40 6 -40 6 -96 -22 Z",
        rgb("#e6404f"),
        rgb("#8f1b2c"),
        edge,
    )
    shape(canvas, "M40 -22 L84 -28 L92 70 L54 74 Z", rgb("#e6404f"), rgb("#8f1b2c"), edge)
    for side in (-1, 1):
        canvas.disc((side * 32, -128), 21, edge)
        canvas.disc((side * 32, -128), 14, shine)
        canvas.disc((side * 32, -128), 6, WHITE)
        canvas.line([(side * 58, -164), (side * 12, -148)], 10, edge)
    shape(canvas, "M-12 -108 L96 -92 L-8 -82 Z", rgb("#ff9f3d"), rgb("#c4661f"), edge, width=7)
    canvas.path("M-44 -70 L-28 -62 L-12 -70 L4 -62 L20 -70 L36 -62 L40 -54 L-44 -54 Z", shine)
    shape(canvas, "M-60 -180 L-48 -232 L48 -232 L60 -180 Z", rgb("#8fa0b4"), rgb("#48566a"), edge)
    canvas.ring((0, -236), 20, 7, edge)


FIGURES: dict[str, Callable[[Canvas, random.Random], None]] = {
    "gym-bunny": _bunny,
    "wreck-picker": _picker,
    "salt-bandit": _bandit,
    "gale-thief": _gale,
    "gloom-gull": _gull,
    "static-sid": _static,
    "flaman-krab": _flaman,
    "fallen": _fallen,
    "cinder-lou": _cinder,
    "bramble-bully": _bramble,
    "root-rat": _rat,
    "swamp-duke": _duke,
    "hail-hooligan": _hail,
    "cold-shoulder": _shoulder,
    "black-ice-bob": _bob,
}
