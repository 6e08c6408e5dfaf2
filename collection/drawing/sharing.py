"""The pictures that other sites show of a link to here: a felt with a game's colours and cards.

Nobody has to be logged in to ask for them, and there is one of each move of each match: so what is
drawn is kept in files that may be forgotten, and how much is drawn is limited.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO

from django.core.cache import cache
from django.http import HttpRequest
from PIL import Image

from collection.drawing.canvas import Canvas, Colour, mix, rgb, rounded
from collection.drawing.drawn_files import DrawnFiles
from collection.drawing.faces import renderer_version
from collection.errors import PicturesBusy, TooManyPictures
from core import introductions
from core.requests import client_address

SIZE = (1200, 630)
EDGE = 56
DRAWN_PER_MINUTE = 30
"""So many new pictures one address may have drawn."""
DRAWN_BY_ALL_PER_MINUTE = 300
"""So many may all addresses together: half a minute of one processor."""
MAX_WAITING = 2
"""In each process one picture is drawn, so many requests wait for that, others are refused."""
FELT, ON_FELT, SOFT, GOLD = (rgb(code) for code in ("#1f4a43", "#fbf7ef", "#c9d6cf", "#f3b436"))


_pictures = DrawnFiles("shared", 256 * 1024 * 1024)
_drawing = threading.Lock()
_places = threading.BoundedSemaphore(1 + MAX_WAITING)


def shared_picture(
    request: HttpRequest, key: str, draw: Callable[[], bytes], *, max_age: float
) -> bytes:
    """The picture of this key, drawn now unless it was within ``max_age`` seconds.

    Raises ``TooManyPictures`` and ``PicturesBusy`` where it would have to be drawn.
    """
    versioned = f"{renderer_version()} {key}"
    kept = _pictures.read(versioned, max_age)
    if kept is None:
        _count_drawing(client_address(request))
        with _turn():
            kept = _pictures.read(versioned, max_age)  # perhaps drawn while this request waited
            if kept is None:
                kept = draw()
                _pictures.keep(versioned, kept)
    return kept


def _count_drawing(address: str) -> None:
    for counted, limit in ((address, DRAWN_PER_MINUTE), ("all", DRAWN_BY_ALL_PER_MINUTE)):
        count, _ = cache.count(f"pictures:{counted}", 60)  # type: ignore[attr-defined]
        if count > limit:
            raise TooManyPictures


@contextmanager
def _turn() -> Iterator[None]:
    """One request at a time; the other threads of a process are for pages."""
    if not _places.acquire(blocking=False):
        raise PicturesBusy
    try:
        with _drawing:
            yield
    finally:
        _places.release()


def felt_of(game: str) -> Colour:
    """The felt that a game is played on."""
    hue = next(
        (
            introduction.hue
            for introduction in introductions.introductions()
            if introduction.slug == game
        ),
        {},
    )
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
