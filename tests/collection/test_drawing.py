"""The drawing pieces: paths, lines of text, places along a line, the canvas."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from collection.drawing.canvas import (
    Canvas,
    along,
    balanced,
    cut_corners,
    fitted,
    font,
    lines,
    mix,
    rgb,
    ribbon,
    rounded,
    trace,
)


def test_colours() -> None:
    assert rgb("#0a64ff") == (10, 100, 255)
    assert mix((0, 0, 0), (200, 100, 50), 0.5) == (100, 50, 25)


def test_path_data_becomes_outlines() -> None:
    square, circle = trace("M0 0 L10 0 L10 10 L0 10 Z O5 -5 2")
    assert square == ((0, 0), (10, 0), (10, 10), (0, 10))
    assert all(math.dist(point, (5, -5)) == pytest.approx(2) for point in circle)
    (curve,) = trace("M0 0 Q5 10 10 0")
    assert curve[0] == (0, 0)
    assert curve[-1] == pytest.approx((10, 0))
    assert max(y for _, y in curve) == pytest.approx(5)


def test_places_along_a_line_are_equally_far_apart() -> None:
    places = along([(0, 0), (10, 0), (10, 10)], 5)
    assert [place for place, _ in places] == [(0, 0), (5, 0), (10, 0), (10, 5), (10, 10)]
    assert [direction for _, direction in places] == [0, 0, 0, 90, 90]


def test_a_ribbon_is_as_wide_as_asked() -> None:
    shape = ribbon([(0, 0), (100, 0)], 10, 20)
    assert min(y for x, y in shape if x < 1) == pytest.approx(-5)
    assert max(y for x, y in shape if x > 99) == pytest.approx(10)


def test_text_is_wrapped_shrunk_and_balanced() -> None:
    face = font("sans", 20, 450)
    rows = lines("See a hand, discard from it", face, 230)
    assert " ".join(rows) == "See a hand, discard from it"
    assert all(face.getlength(row) <= 230 for row in rows)
    even = balanced(rows, face, 230)
    assert len(even) == len(rows)
    widths = [face.getlength(row) for row in even]
    assert max(widths) - min(widths) < max(map(face.getlength, rows)) - min(
        map(face.getlength, rows)
    )
    small = fitted("A very long name for a card", "serif", 40, 600, 120)
    assert small.size < 40
    assert small.getlength("A very long name for a card") <= 120


def test_figures_stand_under_each_other() -> None:
    face = font("sans", 40, 450)
    assert face.getlength("1111", features=["tnum"]) == face.getlength("0000", features=["tnum"])


def test_words_are_as_long_at_first_as_ever_after() -> None:
    """Else the first picture of a process would differ from the others."""
    font.cache_clear()
    face = font("serif", 93, 800)
    first = face.getlength("III")
    face.getbbox("III")
    assert face.getlength("III") == first


def test_units_and_origin_place_a_shape() -> None:
    canvas = Canvas((40, 40), unit=2, origin=(10, 10), smooth=2, colour=(0, 0, 0))
    canvas.fill(rounded((-5, -5, 5, 5), 0), (255, 0, 0))
    picture = canvas.finish()
    assert picture.size == (40, 40)
    assert picture.getpixel((20, 20)) == (255, 0, 0)
    assert picture.getpixel((5, 20)) == (0, 0, 0)


def test_a_glow_may_lie_outside() -> None:
    canvas = Canvas((20, 20), colour=(0, 0, 0))
    canvas.glow((-50, -50), 10, (255, 255, 255))
    assert canvas.finish().getextrema() == ((0, 0), (0, 0), (0, 0))
    canvas.glow((0, 0), 15, (255, 255, 255))
    corner = canvas.finish().getpixel((0, 0))
    assert isinstance(corner, tuple)
    assert corner[0] > 150


def test_a_glow_has_no_edge() -> None:
    canvas = Canvas((100, 100), colour=(0, 0, 0))
    canvas.glow((50, 50), 40, (255, 255, 255))
    row = [canvas.image.getpixel((x, 100)) for x in range(100)]
    steps = [abs(b[0] - a[0]) for a, b in pairwise(row)]  # type: ignore[index]
    assert row[0] == (0, 0, 0)
    assert max(steps) < 10


def test_corners_are_cut() -> None:
    picture = cut_corners(Canvas((100, 140)).finish(), 10)
    assert picture.mode == "RGBA"
    alpha = picture.getchannel("A")
    assert alpha.getpixel((0, 0)) == 0
    assert alpha.getpixel((50, 70)) == 255
