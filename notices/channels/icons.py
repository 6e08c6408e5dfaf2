"""The icons of the installed site: Riffle's mark, three cards in a fan, as in ``favicon.svg``."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageDraw

_BOX = 48.0  # of the drawing
_FELT, _DIAMOND = "#0f5e5c", "#a83c12"
_CARDS = ((-24.0, "#0a4240"), (-3.0, "#5cbdb2"), (18.0, "#fffaf0"))
_CARD = (14.0, 11.0, 32.0, 36.5)
_HAND = (23.0, 42.0)
_DIAMOND_CORNERS = ((30.8, 17.2), (35.4, 23.7), (28.7, 27.8), (24.7, 21.4))
_FINE = 4
"""Drawn so much larger, and made smaller again, the edges are smooth."""


class Icon(NamedTuple):
    """An icon: its side in pixels, and whether the system cuts its corners itself."""

    side: int
    whole: bool = False


ICONS = {
    "icon-192": Icon(192),
    "icon-512": Icon(512),
    "maskable-512": Icon(512, whole=True),
    "apple-180": Icon(180, whole=True),
}


@cache
def png(name: str) -> bytes:
    """The icon of this name as a PNG; ``KeyError`` for one that there is not."""
    icon = ICONS[name]
    side = icon.side * _FINE
    # What is cut may lose a fifth at each edge, so the mark keeps to the middle.
    scale = side / _BOX * (0.8 if icon.whole else 1.0)
    offset = (side - _BOX * scale) / 2

    def at(*numbers: float) -> list[float]:
        return [offset + number * scale for number in numbers]

    picture = Image.new("RGBA", (side, side), _FELT if icon.whole else "#0000")
    pen = ImageDraw.Draw(picture)
    if not icon.whole:
        pen.rounded_rectangle((0, 0, side - 1, side - 1), 11 * scale, fill=_FELT)
    for angle, colour in _CARDS:
        card = Image.new("RGBA", picture.size, f"{colour}00")
        ImageDraw.Draw(card).rounded_rectangle(at(*_CARD), 2.4 * scale, fill=colour)
        middle = (offset + _HAND[0] * scale, offset + _HAND[1] * scale)
        turned = card.rotate(-angle, Image.Resampling.BICUBIC, center=middle)
        picture.alpha_composite(turned)
    pen.polygon([tuple(at(*corner)) for corner in _DIAMOND_CORNERS], fill=_DIAMOND)
    drawn = picture.resize((icon.side, icon.side), Image.Resampling.LANCZOS)
    file = BytesIO()
    (drawn.convert("RGB") if icon.whole else drawn).save(file, "PNG", optimize=True)
    return file.getvalue()
