"""Power Cards: big numbers on a dial of all 36 rolls of two dice."""

from __future__ import annotations

import math
from collections.abc import Sequence

from collection.drawing import art
from collection.drawing.art import Palette
from collection.drawing.canvas import WHITE, Canvas, Colour, Point, circle, font, mix, ngon, star

#: The 36 rolls by total: two dice as the places of a dial.
TOTALS = sorted(a + b for a in range(1, 7) for b in range(1, 7))


def ways(numbers: Sequence[int]) -> int:
    """How many of the 36 rolls match."""
    return sum(total in numbers for total in TOTALS)


def emblem(canvas: Canvas, numbers: Sequence[int], p: Palette) -> None:
    """A dial with the rolls lit that match, a rosette for each number, and the numbers."""
    art.sky(canvas, p)
    canvas.glow((0, 0), 330, mix(p.sky_bottom, p.light, 0.6), 0.9)
    for number in numbers:
        fold = number if len(numbers) == 1 else sum(numbers)
        art.rosette(canvas, (0, 0), 300, fold, (p.light, p.pale), 0.3)
        if len(numbers) > 1:
            break
    canvas.disc((0, 0), 226, p.dark, 0.42)
    canvas.ring((0, 0), 226, 4, p.light, 0.9)
    canvas.ring((0, 0), 176, 3, p.light, 0.55)
    for place, total in enumerate(TOTALS):
        angle = math.radians(185 / 36 + 360 * place / 36)
        spot = (201 * math.sin(angle), -201 * math.cos(angle))
        if total in numbers:
            canvas.glow(spot, 40, p.accent, 0.8)
            canvas.disc(spot, 15.5, p.dark)
            canvas.disc(spot, 12.5, p.accent)
            canvas.disc((spot[0] - 3, spot[1] - 3), 4.5, WHITE, 0.85)
        else:
            canvas.disc(spot, 6.5, p.light, 0.55)
    if len(numbers) == 1:
        _single(canvas, numbers[0], p)
    else:
        _several(canvas, numbers, p)


def _single(canvas: Canvas, number: int, p: Palette) -> None:
    corners = max(number, 3)
    if number == 2:
        outline = ngon((0, 0), 158, 4)
    elif corners < 6:
        outline = star((0, 0), 164, 120, corners * 2)
    else:
        outline = star((0, 0), 164, 134, corners)
    canvas.fill(star((0, 6), 168, 136, corners * 2), p.dark, 0.5)
    canvas.line(outline, 8, p.dark, closed=True)
    canvas.fade(outline, p.light, p.base)
    canvas.fade(circle((0, 0), 118), p.pale, mix(p.pale, p.light, 0.5))
    canvas.ring((0, 0), 118, 5, p.dark)
    size = round((176 if number < 10 else 144) * canvas.unit)
    canvas.text((0, 2), str(number), font("serif", size, 800), p.dark, anchor="middle")


def _several(canvas: Canvas, numbers: Sequence[int], p: Palette) -> None:
    places: tuple[Point, ...]
    if len(numbers) == 2:
        places, radius, size = ((-78, -44), (78, 44)), 88, 118
    else:
        places, radius, size = ((0, -82), (-84, 62), (84, 62)), 77, 98
    for spot, number in zip(places, numbers, strict=True):
        canvas.line(star(spot, radius + 15, radius + 2, max(number, 4) * 2), 7, p.dark, closed=True)
        canvas.fade(star(spot, radius + 15, radius + 2, max(number, 4) * 2), p.light, p.base)
        canvas.fade(circle(spot, radius - 7), p.pale, mix(p.pale, p.light, 0.5))
        canvas.ring(spot, radius - 7, 4.5, p.dark)
        scale = 1 if number < 10 else 0.86
        face = font("serif", round(size * scale * canvas.unit), 800)
        canvas.text((spot[0], spot[1] + 1), str(number), face, p.dark, anchor="middle")


def lattice(
    canvas: Canvas, numbers: Sequence[int], centre: Point, height: float, lit: Colour, dull: Colour
) -> None:
    """All rolls of two dice, each total a row of dots: the rows that match are lit."""
    step = height / 11
    for total in range(2, 13):
        count = 6 - abs(7 - total)
        y = centre[1] + (total - 7) * step
        for i in range(count):
            spot = (centre[0] + (i - (count - 1) / 2) * step * 1.7, y)
            if total in numbers:
                canvas.fill(ngon(spot, step * 0.72, 4), lit)
            else:
                canvas.fill(ngon(spot, step * 0.42, 4), dull)
