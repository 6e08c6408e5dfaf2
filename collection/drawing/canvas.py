"""Drawing pieces for card faces: colours, paths, text and a canvas with smooth edges.

Shapes are written as SVG path data, because that is the shortest exact way to say a curve. They
are drawn larger than asked and made smaller at the end, which smooths their edges; letters are
set afterwards at the real size, so that they stay crisp. All of it is a pure function of what is
asked: the same calls give the same pixels.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

FONTS = Path(__file__).resolve().parents[2] / "static" / "fonts"

Point = tuple[float, float]
Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]
Family = Literal["serif", "italic", "sans"]
Anchor = Literal["left", "middle", "right"]


# Colours


@lru_cache(maxsize=512)
def rgb(code: str) -> Colour:
    """``#rrggbb`` as numbers."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def mix(colour: Colour, other: Colour, share: float) -> Colour:
    """``share`` of the way from one colour to the other."""
    r, g, b = (round(a + (b - a) * share) for a, b in zip(colour, other, strict=True))
    return r, g, b


WHITE = rgb("#ffffff")
BLACK = rgb("#000000")
PAPER = rgb("#fbf7ef")
INK = rgb("#1d2430")


# Paths


_TOKEN = re.compile(r"([MLQCAOZ])|(-?\d+(?:\.\d+)?)")
_STEPS = 14


@lru_cache(maxsize=2048)
def trace(data: str) -> tuple[tuple[Point, ...], ...]:
    """The outlines of SVG path data with absolute M, L, Q, C and Z; O x y r is a circle."""
    tokens = [(letter, number) for letter, number in _TOKEN.findall(data)]
    outlines: list[list[Point]] = []
    at = 0
    command = "M"

    def numbers(count: int) -> list[float]:
        nonlocal at
        numbers = [float(number) for _, number in tokens[at : at + count]]
        at += count
        return numbers

    while at < len(tokens):
        if tokens[at][0]:
            command = tokens[at][0]
            at += 1
            if command == "Z":
                continue
        if command == "M":
            x, y = numbers(2)
            outlines.append([(x, y)])
            command = "L"
        elif command == "L":
            x, y = numbers(2)
            outlines[-1].append((x, y))
        elif command == "Q":
            cx, cy, x, y = numbers(4)
            outlines[-1].extend(_curve([outlines[-1][-1], (cx, cy), (x, y)]))
        elif command == "C":
            ax, ay, bx, by, x, y = numbers(6)
            outlines[-1].extend(_curve([outlines[-1][-1], (ax, ay), (bx, by), (x, y)]))
        else:
            x, y, r = numbers(3)
            outlines.append(circle((x, y), r))
    return tuple(tuple(outline) for outline in outlines)


def _curve(points: Sequence[Point]) -> list[Point]:
    """Points of a Bézier curve after its first one."""
    curve = []
    degree = len(points) - 1
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        weights = [math.comb(degree, i) * t**i * (1 - t) ** (degree - i) for i in range(degree + 1)]
        curve.append(
            (
                sum(w * p[0] for w, p in zip(weights, points, strict=True)),
                sum(w * p[1] for w, p in zip(weights, points, strict=True)),
            )
        )
    return curve


def circle(centre: Point, radius: float, steps: int = 48) -> list[Point]:
    return ngon(centre, radius, steps)


def ngon(centre: Point, radius: float, corners: int, turn: float = 0.0) -> list[Point]:
    """A regular polygon with a corner at the top; ``turn`` in degrees."""
    x, y = centre
    return [
        (x + radius * math.sin(a), y - radius * math.cos(a))
        for a in (math.radians(turn + 360 * i / corners) for i in range(corners))
    ]


def star(centre: Point, radius: float, inner: float, points: int, turn: float = 0.0) -> list[Point]:
    """A star with a point at the top."""
    x, y = centre
    corners = []
    for i in range(points * 2):
        r = radius if i % 2 == 0 else inner
        a = math.radians(turn + 180 * i / points)
        corners.append((x + r * math.sin(a), y - r * math.cos(a)))
    return corners


def ellipse(centre: Point, rx: float, ry: float, turn: float = 0.0) -> list[Point]:
    return turned(
        [(centre[0] + x * rx, centre[1] + y * ry) for x, y in circle((0, 0), 1)],
        turn,
        centre,
    )


def rounded(box: Box, radius: float) -> list[Point]:
    """A rectangle with round corners."""
    left, top, right, bottom = box
    radius = min(radius, (right - left) / 2, (bottom - top) / 2)
    corners = []
    for cx, cy, start in (
        (right - radius, top + radius, 0),
        (right - radius, bottom - radius, 90),
        (left + radius, bottom - radius, 180),
        (left + radius, top + radius, 270),
    ):
        for step in range(9):
            a = math.radians(start + step * 90 / 8)
            corners.append((cx + radius * math.sin(a), cy - radius * math.cos(a)))
    return corners


def turned(points: Iterable[Point], degrees: float, centre: Point = (0, 0)) -> list[Point]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    cx, cy = centre
    return [
        (cx + (x - cx) * cos - (y - cy) * sin, cy + (x - cx) * sin + (y - cy) * cos)
        for x, y in points
    ]


def moved(points: Iterable[Point], dx: float, dy: float, scale: float = 1) -> list[Point]:
    """Scaled about the origin, then shifted."""
    return [(x * scale + dx, y * scale + dy) for x, y in points]


def mirrored(points: Iterable[Point]) -> list[Point]:
    return [(-x, y) for x, y in points]


def both(points: Iterable[Point]) -> tuple[list[Point], list[Point]]:
    """Points and their mirror image."""
    here = list(points)
    return here, mirrored(here)


def along(points: Sequence[Point], count: int) -> list[tuple[Point, float]]:
    """``count`` places at equal distances on a line, each with the line's direction in degrees."""
    pieces = [(a, b) for a, b in pairwise(points) if a != b]
    ends = list(accumulate(math.dist(a, b) for a, b in pieces))
    places = []
    for i in range(count):
        walked = ends[-1] * i / max(count - 1, 1)
        at = min(bisect_left(ends, walked), len(pieces) - 1)
        a, b = pieces[at]
        share = min(1 - (ends[at] - walked) / math.dist(a, b), 1.0)
        place = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
        places.append((place, math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))))
    return places


def ribbon(points: Sequence[Point], start: float, end: float, bulge: float = 0) -> list[Point]:
    """A line as a shape: its width goes from ``start`` to ``end``, with a ``bulge`` midway."""
    left, right = [], []
    places = along(points, 48)
    for i, ((x, y), direction) in enumerate(places):
        t = i / (len(places) - 1)
        half = (start + (end - start) * t + bulge * math.sin(math.pi * t)) / 2
        a = math.radians(direction + 90)
        left.append((x + half * math.cos(a), y + half * math.sin(a)))
        right.append((x - half * math.cos(a), y - half * math.sin(a)))
    return left + right[::-1]


# Letters


_FIGURES = ["tnum", "lnum"]
"""Of one width and height; fonts whose signs are only laid side by side know no such things."""


@lru_cache(maxsize=256)
def font(family: Family, size: int, weight: int) -> ImageFont.FreeTypeFont:
    """The site's own fonts. The serif's optical size follows the size asked for."""
    name = {
        "serif": "fraunces-normal",
        "italic": "fraunces-italic",
        "sans": "atkinson-normal",
    }
    face = ImageFont.truetype(FONTS / f"{name[family]}.woff2", size)
    face.set_variation_by_axes(
        [min(max(weight, 200), 800)] if family == "sans" else [min(max(size, 9), 144), weight]
    )
    face.getbbox("H")  # until a first letter is measured, lengths come out a hair different
    return face


def fitted(
    text: str, family: Family, size: int, weight: int, width: float, smallest: int = 8
) -> ImageFont.FreeTypeFont:
    """The largest font up to ``size`` in which the text fits into the width."""
    while size > smallest and font(family, size, weight).getlength(text) > width:
        size -= 1
    return font(family, size, weight)


def lines(text: str, face: ImageFont.FreeTypeFont, width: float) -> list[str]:
    """The text in lines that fit."""
    wrapped: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}".strip()
            if line and face.getlength(longer) > width:
                wrapped.append(line)
                longer = word
            line = longer
        wrapped.append(line)
    return wrapped


def balanced(rows: list[str], face: ImageFont.FreeTypeFont, width: float) -> list[str]:
    """Wrap text into as many lines, as even as they can be: no last word alone."""
    text = " ".join(rows)
    best = rows
    for share in range(95, 40, -5):
        narrower = lines(text, face, width * share / 100)
        if len(narrower) > len(rows):
            break
        best = narrower
    return best


@dataclass(frozen=True, slots=True)
class _Words:
    at: Point
    text: str
    face: ImageFont.FreeTypeFont
    colour: Colour
    anchor: str
    outline: float
    outline_colour: Colour


# The canvas


class Canvas:
    """A picture in the making. Its units are whatever the caller likes: ``unit`` pixels each.

    ``origin`` is where (0, 0) lies, in units from the top left corner. Shapes may have an alpha
    from 0 to 1. Letters are kept back until ``finish``.
    """

    def __init__(
        self,
        size: tuple[int, int],
        *,
        unit: float = 1.0,
        origin: Point = (0.0, 0.0),
        smooth: int = 2,
        colour: Colour = PAPER,
    ) -> None:
        self.size = size
        self.unit = unit
        self.smooth = smooth
        self.scale = unit * smooth
        self.origin = origin
        self.image = Image.new("RGB", (size[0] * smooth, size[1] * smooth), colour)
        self._pen = ImageDraw.Draw(self.image, "RGBA")
        self._words: list[_Words] = []

    def _at(self, points: Iterable[Point]) -> list[Point]:
        ox, oy = self.origin
        s = self.scale
        return [((x + ox) * s, (y + oy) * s) for x, y in points]

    def fill(self, points: Sequence[Point], colour: Colour, alpha: float = 1.0) -> None:
        """A filled polygon."""
        self._pen.polygon(self._at(points), (*colour, round(255 * alpha)))

    def path(
        self,
        data: str,
        colour: Colour,
        alpha: float = 1.0,
        *,
        at: Point = (0, 0),
        size: float = 1,
    ) -> None:
        """Filled path data, each outline by itself."""
        for outline in trace(data):
            self.fill(moved(outline, *at, size), colour, alpha)

    def line(
        self,
        points: Sequence[Point],
        width: float,
        colour: Colour,
        alpha: float = 1.0,
        *,
        closed: bool = False,
    ) -> None:
        """A line with round joints and ends."""
        pixels = self._at(points)
        if closed:
            pixels.append(pixels[0])
        thick = max(round(width * self.scale), 1)
        paint = (*colour, round(255 * alpha))
        self._pen.line(pixels, paint, thick, joint="curve")
        if alpha == 1 and thick > 2 and not closed:
            for x, y in (pixels[0], pixels[-1]):
                r = thick / 2
                self._pen.ellipse((x - r, y - r, x + r, y + r), paint)

    def disc(self, centre: Point, radius: float, colour: Colour, alpha: float = 1.0) -> None:
        ((x, y),) = self._at([centre])
        r = radius * self.scale
        self._pen.ellipse((x - r, y - r, x + r, y + r), (*colour, round(255 * alpha)))

    def ring(
        self,
        centre: Point,
        radius: float,
        width: float,
        colour: Colour,
        alpha: float = 1.0,
    ) -> None:
        ((x, y),) = self._at([centre])
        r = (radius + width / 2) * self.scale
        thick = max(round(width * self.scale), 1)
        self._pen.ellipse(
            (x - r, y - r, x + r, y + r),
            outline=(*colour, round(255 * alpha)),
            width=thick,
        )

    def solid(
        self,
        points: Sequence[Point],
        top: Colour,
        bottom: Colour,
        edge: Colour,
        width: float = 9,
    ) -> None:
        """A shaded body with a dark contour, so that its silhouette holds at thumb size."""
        self.line(points, width, edge, closed=True)
        self.fade(points, top, bottom)

    def fade(
        self, points: Sequence[Point], top: Colour, bottom: Colour, alpha: float = 1.0
    ) -> None:
        """A polygon filled with a gradient from its top to its bottom."""
        pixels = self._at(points)
        left = math.floor(min(x for x, _ in pixels))
        upper = math.floor(min(y for _, y in pixels))
        width = math.ceil(max(x for x, _ in pixels)) - left + 1
        height = math.ceil(max(y for _, y in pixels)) - upper + 1
        colours = _gradient(top, bottom, (width, height))
        if alpha == 1 and len({x for x, _ in pixels}) == len({y for _, y in pixels}) == 2:
            self.image.paste(colours, (left, upper))  # an upright rectangle needs no mask
            return
        mask = Image.new("L", (width, height), 0)
        ImageDraw.Draw(mask).polygon([(x - left, y - upper) for x, y in pixels], round(255 * alpha))
        self.image.paste(colours, (left, upper), mask)

    def glow(self, centre: Point, radius: float, colour: Colour, strength: float = 1.0) -> None:
        """Light that fades out from a place."""
        ((x, y),) = self._at([centre])
        r = radius * self.scale
        left, top = max(round(x - r), 0), max(round(y - r), 0)
        right = min(round(x + r), self.image.width)
        bottom = min(round(y + r), self.image.height)
        if right <= left or bottom <= top:
            return
        share = 256 / (2 * r)
        part = (
            max((left - x + r) * share, 0),
            max((top - y + r) * share, 0),
            min((right - x + r) * share, 256),
            min((bottom - y + r) * share, 256),
        )
        light = _light(round(strength * 100)).resize(
            (right - left, bottom - top), Image.Resampling.BILINEAR, box=part
        )
        self.image.paste(colour, (left, top), light)

    def inlay(self, other: Canvas, box: Box, shape: Sequence[Point]) -> None:
        """Place another canvas's shapes in a box, cut to a shape; its text stays with it."""
        (left, top), (right, bottom) = self._at([box[:2], box[2:]])
        place = (round(left), round(top))
        size = (round(right) - place[0], round(bottom) - place[1])
        picture = other.image
        if picture.size != size:
            picture = picture.resize(size, Image.Resampling.LANCZOS)
        mask = Image.new("L", size, 0)
        ImageDraw.Draw(mask).polygon(
            [(x - place[0], y - place[1]) for x, y in self._at(shape)], 255
        )
        self.image.paste(picture, place, mask)

    def text(
        self,
        at: Point,
        text: str,
        face: ImageFont.FreeTypeFont,
        colour: Colour,
        *,
        anchor: Anchor = "left",
        vertical: Literal["middle", "baseline", "top"] = "middle",
        outline: float = 0,
        outline_colour: Colour = PAPER,
    ) -> None:
        """Letters, set when the picture is finished, in front of all shapes.

        The middle of a line is the middle of its capitals and figures.
        """
        x, y = at
        if vertical == "middle":
            y += face.getbbox("H", anchor="ls")[1] / -2 / self.unit
        elif vertical == "top":
            y += face.getmetrics()[0] / self.unit
        spot = {"left": "ls", "middle": "ms", "right": "rs"}[anchor]
        self._words.append(_Words((x, y), text, face, colour, spot, outline, outline_colour))

    def letters_onto(self, other: Canvas, at: Point) -> None:
        """Hand this canvas's text to another one whose units are pixels, from ``at`` on."""
        for words in self._words:
            x = (words.at[0] + self.origin[0]) * self.unit + at[0]
            y = (words.at[1] + self.origin[1]) * self.unit + at[1]
            other._words.append(replace(words, at=(x, y)))

    def finish(self) -> Image.Image:
        """The picture in its real size, with its text."""
        picture = self.image.reduce(self.smooth) if self.smooth > 1 else self.image.copy()
        pen = ImageDraw.Draw(picture)
        ox, oy = self.origin
        for words in self._words:
            at = ((words.at[0] + ox) * self.unit, (words.at[1] + oy) * self.unit)
            pen.text(
                at,
                words.text,
                fill=words.colour,
                font=words.face,
                anchor=words.anchor,
                features=_FIGURES if words.face.layout_engine == ImageFont.Layout.RAQM else None,
                stroke_width=words.outline,
                stroke_fill=words.outline_colour if words.outline else None,
            )
        return picture


def _gradient(top: Colour, bottom: Colour, size: tuple[int, int]) -> Image.Image:
    ramp = Image.linear_gradient("L").resize((1, size[1]), Image.Resampling.BILINEAR)
    strip = Image.merge(
        "RGB",
        [
            ramp.point([round(a + (b - a) * v / 255) for v in range(256)])
            for a, b in zip(top, bottom, strict=True)
        ],
    )
    return strip.resize(size, Image.Resampling.NEAREST)


@lru_cache(maxsize=32)
def _light(strength: int) -> Image.Image:
    """Bright in the middle, black at the rim, softly; the strength in hundredths."""
    rim = 180  # Pillow's gradient reaches 255 in the corners: this is the middle of a side
    falling = [round(2.55 * strength * max(1 - v / rim, 0) ** 1.7) for v in range(256)]
    return Image.radial_gradient("L").point(falling)


def cut_corners(picture: Image.Image, radius: float) -> Image.Image:
    """The picture with round, transparent corners."""
    mask = Image.new("L", (picture.width * 4, picture.height * 4), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), radius * 4, 255)
    picture = picture.convert("RGBA")
    picture.putalpha(mask.reduce(4))
    return picture
