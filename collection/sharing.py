"""The pictures that other sites show of a link to here: a felt with a game's colours and cards."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

from PIL import Image

from accounts import games
from collection.drawing import Canvas, Colour, mix, rgb, rounded

SIZE = (1200, 630)
EDGE = 56
FELT, ON_FELT, SOFT, GOLD = (rgb(code) for code in ("#1f4a43", "#fbf7ef", "#c9d6cf", "#f3b436"))


def felt_of(game: str) -> Colour:
    """The felt that a game is played on."""
    hue = next((one.hue for one in games.introductions() if one.slug == game), {})
    return rgb(hue["felt"][0]) if "felt" in hue else FELT


def felt(game: str) -> Canvas:
    """An empty picture."""
    colour = felt_of(game)
    canvas = Canvas(SIZE, colour=colour, smooth=1)
    box = (24, 24, SIZE[0] - 24, SIZE[1] - 24)
    canvas.fill(rounded(box, 28), mix(colour, rgb("#000000"), 0.16))
    return canvas


def as_jpeg(canvas: Canvas, cards: Iterable[tuple[Image.Image, tuple[int, int]]]) -> bytes:
    """The finished picture with these cards laid on it."""
    image = canvas.finish()
    for card, at in cards:
        image.paste(card, at, card if card.mode == "RGBA" else None)
    kept = BytesIO()
    image.convert("RGB").save(kept, "JPEG", quality=86)
    return kept.getvalue()
