"""The five Domains: a mark, colours and a country each."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from collection.drawing import art
from collection.drawing.art import Palette
from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    Point,
    ellipse,
    mix,
    moved,
    rgb,
    trace,
)


@dataclass(frozen=True, slots=True)
class Domain:
    slug: str
    name: str
    fill: Colour
    mark: str
    palette: Palette


DOMAINS = {
    domain.slug: domain
    for domain in (
        Domain(
            "shore", "Shining Shore", rgb("#0f7f93"),
            "M-78 38 C-60 18 -40 18 -20 38 C0 58 20 58 40 38 C52 26 66 22 80 32 L80 58 C62 46 52 54 40 64 C18 82 -2 80 -22 62 C-38 48 -50 48 -78 68 Z M-62 6 L-80 -4 L-50 -16 L-60 -46 L-26 -34 L0 -72 L26 -34 L60 -46 L50 -16 L80 -4 L62 6 C40 -6 24 -18 0 -18 C-24 -18 -40 -6 -62 6 Z",
            Palette.of("#073b4c", "#0d6c80", "#f0c987", "#7fd8d2", "#fff4d6", "#ff8a5c", "#57c4d8", "#d9f5ea", "#fff7e0"),
        ),
        Domain(
            "sky", "Open Sky", rgb("#3f6fc4"),
            "M-70 44 C-96 44 -98 4 -66 2 C-66 -42 -10 -54 8 -20 C34 -44 78 -22 66 12 C92 16 90 44 66 44 Z",
            Palette.of("#1b2f6b", "#4a73c9", "#9cc7f7", "#cfe6ff", "#ffffff", "#ffd166", "#3f7fe0", "#bfe0ff", "#ffffff"),
        ),
        Domain(
            "ember", "Ember Deep", rgb("#c0402a"),
            "M4 -86 C12 -46 64 -26 58 28 C54 64 28 82 0 82 C-28 82 -56 62 -58 26 C-58 -4 -36 -14 -34 -44 C-20 -34 -14 -22 -14 -8 C2 -26 8 -56 4 -86 Z",
            Palette.of("#23060a", "#6b1616", "#c8412a", "#ff8f3d", "#ffe0a3", "#ffcf3f", "#2d0a18", "#b4362a", "#ffb45e"),
        ),
        Domain(
            "grove", "Tangle Grove", rgb("#3f7d2c"),
            "M-70 66 C-78 -10 -30 -70 74 -74 C80 14 34 70 -30 62 C-18 30 8 2 36 -28 C0 -8 -34 24 -50 72 Z",
            Palette.of("#0d2412", "#1f5227", "#3f8f3a", "#9ad05c", "#f0fbd0", "#ff9f4a", "#123a2a", "#7cbf6a", "#e8f7b4"),
        ),
        Domain(
            "frost", "Frost Shelf", rgb("#4b8fb0"),
            "M-8 -86 L8 -86 L8 -56 L26 -72 L36 -60 L8 -36 L8 -14 L27 -25 L34 -61 L49 -58 L45 -35 L70 -50 L78 -36 L53 -22 L75 -14 L70 0 L35 -11 L16 0 L35 11 L70 0 L75 14 L53 22 L78 36 L70 50 L45 35 L49 58 L34 61 L27 25 L8 14 L8 36 L36 60 L26 72 L8 56 L8 86 L-8 86 L-8 56 L-26 72 L-36 60 L-8 36 L-8 14 L-27 25 L-34 61 L-49 58 L-45 35 L-70 50 L-78 36 L-53 22 L-75 14 L-70 0 L-35 11 L-16 0 L-35 -11 L-70 0 L-75 -14 L-53 -22 L-78 -36 L-70 -50 L-45 -35 L-49 -58 L-34 -61 L-27 -25 L-8 -14 L-8 -36 L-36 -60 L-26 -72 L-8 -56 Z",
            Palette.of("#12304a", "#3d7ea6", "#a9d9ec", "#e2f5fb", "#ffffff", "#ff9d76", "#2f5f95", "#cfeaf5", "#f4fcff"),
        ),
    )
}  # fmt: skip


def mark(canvas: Canvas, slug: str, at: Point, radius: float, edge: Colour) -> None:
    """A Domain's mark on a coin."""
    domain = DOMAINS[slug]
    canvas.disc(at, radius, edge)
    canvas.disc(at, radius * 0.9, WHITE)
    canvas.disc(at, radius * 0.8, domain.fill)
    for part in trace(domain.mark):
        canvas.fill(moved(part, *at, radius * 0.62 / 100), WHITE)


def _back_of_shore(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    for i in range(5):
        y = -170 + i * 34 + chance.uniform(-8, 8)
        x = chance.uniform(-280, 200)
        canvas.fill(ellipse((x, y), 70, 7), WHITE, 0.5)


def _back_of_sky(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    for i in range(9):
        _cloud(canvas, (chance.uniform(-300, 300), -210 + i * 50), chance.uniform(0.5, 1.0), 0.5)


def _back_of_ember(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    art.stars(canvas, chance, p.accent, 30)


def _back_of_grove(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    for i in range(9):
        x = -310 + i * 76 + chance.uniform(-16, 16)
        canvas.fill([(x - 16, 250), (x - 10, -250), (x + 14, -250), (x + 20, 250)], p.deep, 0.75)


def _back_of_frost(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    for i in range(3):
        canvas.path(
            f"M-340 {-150 + i * 46} C-160 {-240 + i * 60} 60 {-70 + i * 30} 340 {-190 + i * 50} L340 {-164 + i * 50} C60 {-30 + i * 30} -160 {-200 + i * 60} -340 {-120 + i * 46} Z",
            (rgb("#8ff0d0"), rgb("#a8c8ff"), rgb("#d7b8ff"))[i], 0.35,
        )  # fmt: skip


_BACKS: Final[Mapping[str, Callable[[Canvas, Palette, random.Random], None]]] = {
    "shore": _back_of_shore,
    "sky": _back_of_sky,
    "ember": _back_of_ember,
    "grove": _back_of_grove,
    "frost": _back_of_frost,
}


def back_of(canvas: Canvas, slug: str, chance: random.Random) -> None:
    """The sky and what is far away; the finish's disc comes next."""
    p = DOMAINS[slug].palette
    art.sky(canvas, p)
    _BACKS[slug](canvas, p, chance)


def _front_of_shore(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    art.waves(canvas, chance, 66, rgb("#1f9cb0"), WHITE)
    art.hills(canvas, chance, 176, 34, p.base)
    for _ in range(12):
        at = (chance.uniform(-300, 300), chance.uniform(196, 236))
        canvas.disc(at, chance.uniform(2, 5), mix(p.base, BLACK, 0.25), 0.6)


def _front_of_sky(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    for i in range(8):
        _cloud(
            canvas,
            (-310 + i * 90, 216 + 20 * math.sin(i * 2.3)),
            chance.uniform(1.1, 1.5),
            0.95,
        )


def _front_of_ember(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    art.peaks(canvas, chance, 168, 210, mix(p.dark, p.deep, 0.5), p.light)
    art.hills(canvas, chance, 184, 30, p.dark)
    for _ in range(4):
        x = chance.uniform(-280, 280)
        canvas.line(
            [(x, 196), (x + chance.uniform(-30, 30), 212), (x + chance.uniform(-40, 40), 244)],
            6, p.light, 0.9,
        )  # fmt: skip


def _front_of_grove(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    art.hills(canvas, chance, 160, 50, mix(p.deep, p.base, 0.4))
    for i in range(16):
        x = -312 + i * 42
        canvas.path(
            "M-24 60 C-30 0 -14 -40 12 -62 C16 -20 14 20 4 60 Z",
            p.dark,
            at=(x, 216),
            size=chance.uniform(0.7, 1.1),
        )


def _front_of_frost(canvas: Canvas, p: Palette, chance: random.Random) -> None:
    art.peaks(canvas, chance, 150, 150, mix(p.base, p.deep, 0.35), WHITE)
    art.hills(canvas, chance, 182, 34, p.light)
    for _ in range(22):
        canvas.disc(
            (chance.uniform(-310, 310), chance.uniform(-220, 160)),
            chance.uniform(2, 5),
            WHITE,
            0.85,
        )


_FRONTS: Final[Mapping[str, Callable[[Canvas, Palette, random.Random], None]]] = {
    "shore": _front_of_shore,
    "sky": _front_of_sky,
    "ember": _front_of_ember,
    "grove": _front_of_grove,
    "frost": _front_of_frost,
}


def front_of(canvas: Canvas, slug: str, chance: random.Random) -> None:
    """The ground on which the figure stands."""
    p = DOMAINS[slug].palette
    _FRONTS[slug](canvas, p, chance)


def _cloud(canvas: Canvas, at: Point, size: float, alpha: float) -> None:
    x, y = at
    for dx, dy, r in ((-44, 6, 24), (-14, -12, 34), (26, -4, 30), (52, 10, 20)):
        canvas.fill(
            ellipse((x + dx * size, y + dy * size), r * size * 1.1, r * size * 0.8), WHITE, alpha
        )
