"""The picture that other sites show of a link to a deck: name, owner, mode, a few of its cards.

A private deck has no such picture. Its address holds a hash of all that is on it: a deck that was
changed has another one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import lru_cache, partial
from io import BytesIO
from pathlib import Path

from django.urls import reverse
from PIL import Image, ImageFont

import rules
from collection.drawing import pictures
from collection.drawing.canvas import Canvas, Colour, Family, Point, font
from collection.drawing.layout import PLANS
from collection.drawing.sharing import EDGE, GOLD, ON_FELT, SIZE, SOFT, as_jpeg, felt
from collection.queries.catalog import spoken
from decks.drawing import notes
from decks.queries.decks import DeckPage

MAX_CARDS = 6
LETTERS = 180
_CARD = "table"
_TOP, _GAP = 230, 18
_VERSION = 2
_SMALLEST = 12
"""Pixels; the longest name in wide characters fits."""
_NO_SIGN = "\uffff"


def address(page: DeckPage) -> str:
    """Where the picture of a deck is now."""
    return reverse("decks:preview_picture", args=(page.deck.slug, digest(page)))


def digest(page: DeckPage) -> str:
    """A few signs that are others for every other picture."""
    hashes = [pictures.card_hash(page.deck.game, slug) for slug in _faces(page)]
    words = (
        f"{_VERSION} {page.deck.name} {_about(page)} {page.deck.owner} {page.deck.game} {hashes}"
    )
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def title(page: DeckPage) -> str:
    """The deck's name and whose it is."""
    return f"{page.deck.name} by {page.deck.owner}"


def description(page: DeckPage) -> str:
    """How its notes begin; without any, what the deck is."""
    drawn = notes.draw(page.deck.notes, page.deck.game)
    return drawn.beginning(LETTERS) or f"{_about(page)}."


def picture(page: DeckPage) -> bytes:
    """The picture, as JPEG."""
    canvas = felt(page.deck.game)
    room = SIZE[0] - 2 * EDGE
    _write(canvas, (EDGE, 92), page.deck.name, "serif", 60, 700, ON_FELT)
    _write(canvas, (EDGE, 148), f"by {page.deck.owner}", "sans", 32, 700, GOLD)
    _write(canvas, (EDGE, 192), _about(page), "sans", 28, 400, SOFT)
    name = font("serif", 26, 600)
    canvas.text((SIZE[0] - EDGE, SIZE[1] - 48), "Riffle", name, SOFT, anchor="right")
    wide, tall = PLANS[_CARD].size
    faces = _faces(page)
    height = SIZE[1] - _TOP - 72
    width = round(wide * height / tall)
    step = width + _GAP
    if len(faces) > 1:
        step = min(step, (room - width) // (len(faces) - 1))
    laid = []
    for number, slug in enumerate(faces):
        with Image.open(BytesIO(pictures.card_bytes(page.deck.game, slug, _CARD))) as file:
            card = file.convert("RGBA").resize((width, height), Image.Resampling.LANCZOS)
        laid.append((card, (EDGE + number * step, _TOP)))
    return as_jpeg(canvas, laid)


def _write(
    canvas: Canvas, at: Point, words: str, family: Family, size: int, weight: int, colour: Colour
) -> None:
    """A line as large as it fits, each sign in a font that has it."""
    from decks.drawing.lettering import in_pieces  # with reportlab, which takes 10 MB

    face = font(family, size, weight)
    pieces = in_pieces(words, partial(_has, family, weight))
    room = SIZE[0] - 2 * EDGE
    while True:
        faces = [_face(file, face, size) for file, _ in pieces]
        wide = [run_face.getlength(run) for run_face, (_, run) in zip(faces, pieces, strict=True)]
        if sum(wide) <= room or size == _SMALLEST:
            break
        size -= 1
        face = font(family, size, weight)
    x, y = at[0], at[1] - face.getbbox("H", anchor="ls")[1] / 2
    for run_face, (_, run), width in zip(faces, pieces, wide, strict=True):
        canvas.text((x, y), run, run_face, colour, vertical="baseline")
        x += width


def _face(file: Path | None, own: ImageFont.FreeTypeFont, size: int) -> ImageFont.FreeTypeFont:
    """The font of a piece, whose signs stand in their order already."""
    if file is None:
        return own
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=2048)
def _has(family: Family, weight: int, sign: str) -> bool:
    """True if a font has a character: what it lacks is drawn like ``_NO_SIGN``."""
    face = font(family, 20, weight)
    return sign.isspace() or bytes(face.getmask(sign)) != bytes(face.getmask(_NO_SIGN))


def _about(page: DeckPage) -> str:
    """Game, mode, how many cards, and of which colours, the most frequent first."""
    size = "1 card" if page.size == 1 else f"{page.size} cards"
    parts = [f"{page.game_name}, {page.mode_name}", size]
    game = rules.games().get(page.deck.game)
    colours = Counter[str]()
    for held in page.held:
        card = game.catalog.get(held.slug) if game else None
        if card is not None and card.colour:
            colours[spoken(card.colour)] += held.count
    if colours:
        parts.append(", ".join(colour for colour, _ in colours.most_common(4)))
    return " · ".join(parts)


def _faces(page: DeckPage) -> list[str]:
    """The cards that show what the deck is: those that the game still draws."""
    game = rules.games().get(page.deck.game)
    known = game.catalog if game else {}
    return [slug for slug in dict.fromkeys(held.slug for held in page.held) if slug in known][
        :MAX_CARDS
    ]
