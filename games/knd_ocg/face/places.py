"""Where the agents are: a place for each type. Special Cards lie on a slate, Energy in the wood."""

from __future__ import annotations

import math
import random

from collection.drawing import art
from collection.drawing.art import BOTTOM, LEFT, RIGHT, TOP, Palette
from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    mix,
    moved,
    rgb,
    rounded,
    trace,
    turned,
)

PALETTES = {
    "leader": Palette.of(
        "#3a0e12", "#7c2320", "#c9483a", "#f39a78", "#ffe9d6", "#f0dc6e", "#5a2340", "#f08a5a",
        "#ffd9a0",
    ),
    "defender": Palette.of(
        "#0c1c42", "#1f3f82", "#3f72c8", "#9cc2f0", "#eef6ff", "#f0dc6e", "#16306a", "#86b4ea",
        "#e8f2ff",
    ),
    "attacker": Palette.of(
        "#3e2404", "#8a5a0c", "#d89a1e", "#f8d470", "#fff5d2", "#e2502e", "#c26a12", "#fbd56a",
        "#fff0b8",
    ),
    "spy": Palette.of(
        "#04180f", "#0c3a24", "#1f7a48", "#7cc79a", "#e8faee", "#f0dc6e", "#03140f", "#14553a",
        "#cdeeb4",
    ),
    "pacifist": Palette.of(
        "#1c1a26", "#3c3850", "#7c74a0", "#c2b8dc", "#f7f3ff", "#f6a5c0", "#8ea4d4", "#f3dfe8",
        "#fff4e4",
    ),
}  # fmt: skip


def draw(canvas: Canvas, word: str, chance: random.Random) -> None:
    """The background for an agent of that type."""
    palette = PALETTES[word]
    {
        "leader": _treetop,
        "defender": _fort,
        "attacker": _playground,
        "spy": _corridor,
        "pacifist": _meadow,
    }[word](canvas, palette, chance)


def _treetop(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    """Evening above the leaves, with a tree house."""
    art.sky(canvas, p)
    side = chance.choice((-1, 1))
    art.moon(canvas, (side * 30, -30), 150, p.disc, p.light)
    x = -side * chance.uniform(190, 235)
    canvas.line([(x, BOTTOM), (x + 10, -40)], 52, rgb("#4a2f1c"))
    canvas.line([(x, BOTTOM), (x + 10, -40)], 34, rgb("#6b4629"))
    for dx, dy, r in ((-60, -90, 62), (0, -130, 78), (64, -86, 64), (-10, -60, 70)):
        canvas.disc((x + dx, dy), r, mix(p.deep, rgb("#2f4a24"), 0.75))
    house = [(x - 52, -40), (x - 52, -112), (x, -158), (x + 52, -112), (x + 52, -40)]
    canvas.line(house, 9, rgb("#2a1a10"), closed=True)
    canvas.fill(house, rgb("#a8713f"))
    canvas.fill(rounded((x - 18, -96, x + 18, -60), 6), rgb("#ffe08a"))
    art.hills(canvas, chance, 150, 60, mix(p.dark, rgb("#24381c"), 0.5))
    for i in range(9):
        canvas.disc((LEFT + i * 82 + chance.uniform(-14, 14), 232), chance.uniform(44, 62),
                    rgb("#22361c"))  # fmt: skip


def _fort(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    """A wall of cushions under a clear sky, with pennants."""
    art.sky(canvas, p)
    for _ in range(4):
        x, y = chance.uniform(-280, 280), chance.uniform(-210, -90)
        for dx, r in ((-40, 22), (-10, 32), (26, 26)):
            canvas.disc((x + dx, y), r, WHITE, 0.5)
    shift = chance.uniform(0, 80)
    for row in range(4):
        y = 20 + row * 62
        for i in range(-5, 6):
            x = i * 104 + (52 if row % 2 else 0) - shift * 0.4
            box = (x - 50, y - 29, x + 50, y + 29)
            tone = mix(p.base, p.light, chance.uniform(0.1, 0.75))
            canvas.fill(rounded((box[0] - 4, box[1] - 4, box[2] + 4, box[3] + 4), 24), p.dark)
            canvas.fade(rounded(box, 21), mix(tone, WHITE, 0.2), mix(tone, BLACK, 0.15))
    for pole in (-250, 250):
        canvas.line([(pole, 10), (pole, -170)], 9, p.dark)
        canvas.fill([(pole, -170), (pole + 76, -146), (pole, -118)], p.accent)


def _playground(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    """Noon, and everything moves: rays, dust and a climbing frame."""
    art.sky(canvas, p)
    art.rays(canvas, (chance.uniform(-60, 60), -20), chance.choice((18, 22, 26)), p.pale, 0.4)
    tone = mix(p.deep, p.base, 0.25)
    lean = chance.choice((-1, 1))
    for i in range(4):
        foot, rung = lean * (160 + i * 54), -100 + i * 76
        canvas.line([(foot, 190), (foot - lean * 30, -120)], 9, tone)
        canvas.line([(lean * 140, rung), (lean * 330, rung)], 8, tone)
    art.hills(canvas, chance, 186, 24, mix(p.deep, rgb("#6a4a1a"), 0.4))
    for _ in range(12):
        x, y = chance.uniform(-300, 300), chance.uniform(150, 225)
        canvas.disc((x, y), chance.uniform(8, 26), p.light, 0.5)


def _corridor(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    """Lockers at night, and a torch that looks for somebody."""
    art.sky(canvas, p)
    shift = chance.uniform(-40, 40)
    for i in range(-4, 5):
        x = i * 92 + shift
        box = (x - 42, -220, x + 42, 176)
        canvas.fade(rounded(box, 6), mix(p.deep, p.base, 0.4), p.dark)
        for k in range(4):
            canvas.line([(x - 22, -190 + k * 14), (x + 22, -190 + k * 14)], 5, BLACK, 0.45)
        canvas.disc((x + 28, -10), 6, p.light, 0.7)
    canvas.fill(
        [(LEFT, 176), (RIGHT, 176), (RIGHT, BOTTOM), (LEFT, BOTTOM)], mix(p.dark, BLACK, 0.3)
    )
    lean = chance.choice((-1, 1))
    beam = [(lean * 360, -280), (-150, BOTTOM), (190, BOTTOM)]
    canvas.fill(beam, p.disc, 0.22)
    canvas.disc((0, -30), 168, p.disc, 0.55)
    canvas.glow((0, -30), 250, p.disc, 0.7)


def _meadow(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    """A soft afternoon with a rainbow and daisies."""
    art.sky(canvas, p)
    centre = (chance.uniform(-50, 50), 150)
    for i, code in enumerate(("#f2a0a8", "#f7cf9a", "#f6efa8", "#b4dcae", "#a9c9ee", "#c8b2e8")):
        canvas.ring(centre, 292 - i * 19, 19, rgb(code), 0.8)
    art.hills(canvas, chance, 120, 46, rgb("#8fb98a"))
    art.hills(canvas, chance, 168, 36, rgb("#6a9a6a"))
    for _ in range(26):
        x, y = chance.uniform(-310, 310), chance.uniform(168, 236)
        size = (y - 120) / 9
        for turn in range(0, 360, 72):
            petal = moved(turned(trace("O0 -60 30")[0], turn), x, y, size / 100)
            canvas.fill(petal, WHITE)
        canvas.disc((x, y), size * 0.28, rgb("#f0b429"))


def chalkboard(canvas: Canvas, chance: random.Random, ground: Colour) -> None:
    """A slate with the dust of what was wiped off it."""
    canvas.fade(
        [(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM)], mix(ground, WHITE, 0.08),
        mix(ground, BLACK, 0.25),
    )  # fmt: skip
    for _ in range(7):
        x, y = chance.uniform(-260, 260), chance.uniform(-180, 180)
        turn = math.radians(chance.uniform(-30, 30))
        long = chance.uniform(90, 240)
        ends = [(x, y), (x + long * math.cos(turn), y + long * math.sin(turn))]
        canvas.line(ends, chance.uniform(24, 60), WHITE, 0.035)
    for _ in range(120):
        x, y = chance.uniform(LEFT, RIGHT), chance.uniform(TOP, BOTTOM)
        canvas.disc((x, y), chance.uniform(0.8, 2.4), WHITE, 0.16)


def rings(canvas: Canvas, chance: random.Random, wood: Colour) -> None:
    """The year rings of a tree that was cut."""
    canvas.fade(
        [(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM)], mix(wood, BLACK, 0.45),
        mix(wood, BLACK, 0.62),
    )  # fmt: skip
    waves = [(chance.uniform(0, 6.3), n, chance.uniform(3, 7)) for n in (3, 5, 8)]
    for step in range(18, 0, -1):
        radius = step * 24
        line = []
        for degree in range(0, 360, 6):
            a = math.radians(degree)
            bend = sum(size * math.sin(phase + n * a) for phase, n, size in waves) * radius / 240
            line.append(((radius + bend) * math.sin(a), -(radius + bend) * math.cos(a) * 0.94))
        if step == 12:
            canvas.fill(line, mix(wood, BLACK, 0.5))
        if step == 11:
            canvas.fill(line, mix(wood, WHITE, 0.16))
        canvas.line(line, 3, mix(wood, BLACK, 0.4), 0.4, closed=True)
