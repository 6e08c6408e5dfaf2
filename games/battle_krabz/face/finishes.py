"""The six finishes of Battle Krabz's cards: each a colour, a sign, a disc and a pattern of its own.

Whoever does not see colours still tells them apart by the sign in the header, by the shape of the
disc behind the figure and by the weave of the frame.
"""

# ruff: noqa: E501 - rows of colours and of corners read best in one piece

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    Point,
    circle,
    mix,
    ngon,
    rgb,
    star,
    turned,
)
from collection.drawing.layout import Sign, Skin

RAINBOW: tuple[Colour, ...] = tuple(
    rgb(code) for code in ("#ff7d8f", "#ffb65c", "#f4ec6a", "#6fdc8c", "#62c3f5", "#b48bf2")
)


@dataclass(frozen=True, slots=True)
class Finish(Skin):
    """A skin that knows which finish it is, what the disc shines like and how it is called."""

    slug: str = ""
    word: str = ""
    disc: Colour = WHITE
    halo: Colour = WHITE


def _finish(slug: str, word: str, *codes: str) -> Finish:
    top, bottom, dark, tint, disc, halo = (rgb(code) for code in codes)
    return Finish(top, bottom, dark, tint, slug, word, disc, halo)


FINISHES = {
    finish.slug: finish
    for finish in (
        _finish("silver", "Silver", "#d3dae2", "#8b98a8", "#28323f", "#94a3b5", "#eef2f6", "#c3d0de"),
        _finish("gold", "Gold", "#fbd968", "#c18a12", "#4e3203", "#e2ad27", "#fff0b3", "#ffcf4d"),
        _finish("platinum", "Platinum", "#f3efe4", "#a59f92", "#37342c", "#b9b19f", "#fffdf4", "#e4dccb"),
        _finish("saphire", "Saphire", "#5f97f2", "#16409f", "#081d52", "#2a66d4", "#cfe1ff", "#5f9bff"),
        _finish("emerald", "Emerald", "#45c184", "#08673d", "#032d1b", "#149359", "#d3f7df", "#4fd592"),
        _finish("holo", "Holo", "#e79bf0", "#5b46b8", "#251350", "#a45fd6", "#fdf3ff", "#d9a6ff"),
    )
}  # fmt: skip

SIGNS = {
    slug: Sign("", slug, finish.tint, finish.word.lower()) for slug, finish in FINISHES.items()
}


def outline(slug: str, at: Point, radius: float) -> list[Point]:
    """The shape that stands for a finish: coin, sun, hexagon, brilliant, octagon, spark."""
    if slug == "gold":
        return star(at, radius * 1.1, radius * 0.84, 12)
    if slug == "platinum":
        return ngon(at, radius * 1.05, 6)
    x, y = at
    cut: tuple[Point, ...]
    if slug == "saphire":
        cut = ((-0.6, -0.84), (0.6, -0.84), (1.08, -0.28), (0, 1.08), (-1.08, -0.28))
        return [(x + dx * radius, y + dy * radius) for dx, dy in cut]
    if slug == "emerald":
        cut = (
            (-0.5, -1.06), (0.5, -1.06), (0.86, -0.68), (0.86, 0.68),
            (0.5, 1.06), (-0.5, 1.06), (-0.86, 0.68), (-0.86, -0.68),
        )  # fmt: skip
        return [(x + dx * radius, y + dy * radius) for dx, dy in cut]
    if slug == "holo":
        return star(at, radius * 1.22, radius * 0.56, 6)
    return circle(at, radius)


def draw_sign(canvas: Canvas, slug: str, at: Point, radius: float, edge: Colour) -> None:
    """The sign in the header, with the lines by which such a thing is cut."""
    finish = FINISHES[slug]
    x, y = at
    canvas.fill(outline(slug, at, radius), edge)
    canvas.fade(outline(slug, at, radius * 0.82), mix(finish.top, WHITE, 0.25), finish.bottom)
    thin = max(radius * 0.09, 0.5)
    light = mix(finish.top, WHITE, 0.75)
    if slug == "silver":
        canvas.ring(at, radius * 0.5, thin * 1.2, light)
    elif slug == "gold":
        canvas.disc(at, radius * 0.42, light)
    elif slug == "platinum":
        for dy in (-0.34, 0, 0.34):
            canvas.line(
                [(x - radius * 0.5, y + dy * radius), (x + radius * 0.5, y + dy * radius)],
                thin, edge, 0.75,
            )  # fmt: skip
    elif slug == "saphire":
        left, right = (x - radius * 0.88, y - radius * 0.23), (x + radius * 0.88, y - radius * 0.23)
        canvas.line([left, right], thin, light)
        canvas.line(
            [(x - radius * 0.36, y - radius * 0.23), (x, y + radius * 0.86),
             (x + radius * 0.36, y - radius * 0.23)],
            thin, light,
        )  # fmt: skip
    elif slug == "emerald":
        canvas.line(outline(slug, at, radius * 0.46), thin, light, closed=True)
    else:
        for i, tone in enumerate(RAINBOW):
            a, b = math.radians(60 * i - 30), math.radians(60 * i + 30)
            canvas.fill(
                [at, (x + radius * 0.52 * math.sin(a), y - radius * 0.52 * math.cos(a)),
                 (x + radius * 0.98 * math.sin((a + b) / 2), y - radius * 0.98 * math.cos((a + b) / 2)),
                 (x + radius * 0.52 * math.sin(b), y - radius * 0.52 * math.cos(b))],
                tone,
            )  # fmt: skip
        canvas.disc(at, radius * 0.2, WHITE)


def disc(canvas: Canvas, slug: str, at: Point, radius: float) -> None:
    """What shines behind the figure: the finish's shape, large."""
    finish = FINISHES[slug]
    x, y = at
    canvas.glow(at, radius * 1.9, finish.halo, 0.85)
    edge = mix(finish.disc, finish.tint, 0.55)
    if slug == "silver":
        canvas.fade(circle(at, radius), finish.disc, mix(finish.disc, finish.tint, 0.4))
        canvas.ring(at, radius * 1.09, 4, finish.disc, 0.7)
    elif slug == "gold":
        canvas.fill(star(at, radius * 1.26, radius * 0.98, 24), finish.halo, 0.9)
        canvas.fade(circle(at, radius), finish.disc, mix(finish.disc, finish.tint, 0.45))
        canvas.ring(at, radius * 0.93, 3, edge, 0.7)
    elif slug == "platinum":
        canvas.fade(
            outline(slug, at, radius * 1.06), finish.disc, mix(finish.disc, finish.tint, 0.5)
        )
        for i in range(1, 5):
            canvas.line(outline(slug, at, radius * (1.06 - i * 0.1)), 3, edge, 0.7, closed=True)
        canvas.line(outline(slug, at, radius * 1.16), 4, finish.disc, 0.7, closed=True)
    elif slug in ("saphire", "emerald"):
        high = (x, y + (radius * 0.06 if slug == "saphire" else 0))
        gem = outline(slug, high, radius * 1.2)
        canvas.fade(gem, finish.disc, mix(finish.disc, finish.tint, 0.7))
        _facets(canvas, gem, high, finish)
        canvas.line(outline(slug, high, radius * 1.28), 4, finish.disc, 0.75, closed=True)
    else:
        for i, tone in enumerate(RAINBOW * 3):
            a, b = math.radians(20 * i), math.radians(20 * i + 20)
            far = radius * 1.3
            canvas.fill(
                [at, (x + far * math.sin(a), y - far * math.cos(a)),
                 (x + far * math.sin(b), y - far * math.cos(b))],
                tone, 0.85,
            )  # fmt: skip
        canvas.fill(star(at, radius * 1.12, radius * 0.9, 18, 10), WHITE, 0.55)
        for i in range(4):
            canvas.ring(at, radius * (0.9 - i * 0.13), 8, RAINBOW[i], 0.55)


def _facets(canvas: Canvas, gem: Sequence[Point], at: Point, finish: Finish) -> None:
    x, y = at
    inner = [(x + (px - x) * 0.6, y + (py - y) * 0.6) for px, py in gem]
    for i, corner in enumerate(gem):
        following = (i + 1) % len(gem)
        part = [corner, gem[following], inner[following], inner[i]]
        canvas.fill(part, WHITE if i % 2 else finish.tint, 0.22)
        canvas.line([corner, inner[i]], 3, finish.tint, 0.55)
    canvas.line(inner, 3, finish.tint, 0.6, closed=True)


def weave(canvas: Canvas, slug: str, box: tuple[float, float, float, float], step: float) -> None:
    """The pattern of the coloured band around everything."""
    finish = FINISHES[slug]
    left, top, right, bottom = box
    light, dark = mix(finish.top, WHITE, 0.55), mix(finish.bottom, BLACK, 0.25)
    if slug == "holo":
        x = left
        wide = (right - left) / 18
        for i in range(24):
            tone = RAINBOW[i % 6]
            shift = x + i * wide - 5 * wide
            canvas.fill(
                [(shift, top), (shift + wide, top), (shift + 6 * wide, bottom), (shift + 5 * wide, bottom)],
                tone, 0.5,
            )  # fmt: skip
        return
    across = int((right - left) / step) + 2
    down = int((bottom - top) / step) + 2
    if slug == "silver":
        for i in range(down * 2):
            y = top + i * step / 2
            canvas.line([(left, y), (right, y)], step * 0.07, light, 0.5)
    elif slug == "platinum":
        for i in range(-down, across):
            x = left + i * step
            canvas.line([(x, top), (x + bottom - top, bottom)], step * 0.16, dark, 0.28)
            canvas.line(
                [(x + step / 2, top), (x + step / 2 + bottom - top, bottom)],
                step * 0.16,
                WHITE,
                0.6,
            )
    else:
        shape = {"gold": star, "saphire": ngon, "emerald": ngon}[slug]
        for row in range(down * 2):
            for column in range(across):
                at = (left + column * step + (step / 2 if row % 2 else 0), top + row * step / 2)
                if shape is star:
                    canvas.fill(star(at, step * 0.3, step * 0.11, 4), light, 0.7)
                elif slug == "saphire":
                    canvas.fill(ngon(at, step * 0.24, 3, 180), light, 0.5)
                else:
                    canvas.line(
                        turned(ngon(at, step * 0.24, 4), 45, at),
                        step * 0.07,
                        light,
                        0.7,
                        closed=True,
                    )


def sparkles(canvas: Canvas, slug: str, places: Sequence[tuple[Point, float]]) -> None:
    """Small shines in front of the figure."""
    finish = FINISHES[slug]
    for i, (at, size) in enumerate(places):
        tone = RAINBOW[i % 6] if slug == "holo" else finish.disc
        if slug == "silver":
            canvas.ring(at, size * 0.5, size * 0.22, tone, 0.9)
        elif slug in ("gold", "holo"):
            canvas.fill(
                star(at, size * 1.3, size * 0.34, 4), WHITE if slug == "holo" else tone, 0.95
            )
            if slug == "holo":
                canvas.disc(at, size * 0.35, tone)
        else:
            canvas.fill(outline(slug, at, size * 0.6), tone, 0.95)
