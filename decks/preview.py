"""What other sites show of a link to a deck: its name, whose it is, what for, a few of its cards.

A private deck has no such picture. Its address holds a hash of all that is on it: a deck that was
changed has another one.
"""

from __future__ import annotations

import hashlib
from collections import Counter

from django.urls import reverse
from PIL import Image

import rules
from collection import pictures
from collection.drawing import balanced, fitted, lines
from collection.face import PLANS
from collection.queries.catalog import spoken
from collection.sharing import EDGE, GOLD, ON_FELT, SIZE, SOFT, as_jpeg, felt
from decks import notes
from decks.queries.decks import DeckPage

MOST_CARDS = 6
LETTERS = 180
_CARD = "table"
_TOP, _GAP = 230, 18
_VERSION = 1


def address(page: DeckPage) -> str:
    """Where the picture of a deck is now."""
    return reverse("decks:preview_picture", args=(page.deck.slug, digest(page)))


def digest(page: DeckPage) -> str:
    """A few signs that are others for every other picture."""
    shown = [pictures.card_hash(page.deck.game, slug) for slug in _faces(page)]
    words = f"{_VERSION} {_title(page)} {_about(page)} {page.deck.owner} {page.deck.game} {shown}"
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def title(page: DeckPage) -> str:
    """The deck's name and whose it is."""
    return f"{page.deck.name} by {page.deck.owner}"


def description(page: DeckPage) -> str:
    """How its notes begin; without any, what the deck is."""
    return notes.plain(page.deck.notes, LETTERS) or f"{_about(page)}."


def picture(page: DeckPage) -> bytes:
    """The picture, as JPEG."""
    canvas = felt(page.deck.game)
    room = SIZE[0] - 2 * EDGE
    face = fitted(_title(page), "serif", 60, 700, room, 34)
    row = balanced(lines(_title(page), face, room), face, room)[0]
    canvas.text((EDGE, 92), row, face, ON_FELT)
    owner = f"by {page.deck.owner}"
    canvas.text((EDGE, 148), owner, fitted(owner, "sans", 32, 700, room, 20), GOLD)
    about = _about(page)
    canvas.text((EDGE, 192), about, fitted(about, "sans", 28, 400, room, 16), SOFT)
    canvas.text((SIZE[0] - EDGE, SIZE[1] - 48), "Riffle", fitted("", "serif", 26, 600, 200), SOFT,
                anchor="right")  # fmt: skip
    wide, tall = PLANS[_CARD].size
    faces = _faces(page)
    height = SIZE[1] - _TOP - 72
    width = round(wide * height / tall)
    step = width + _GAP
    if len(faces) > 1:
        step = min(step, (room - width) // (len(faces) - 1))
    laid = []
    for number, slug in enumerate(faces):
        with Image.open(pictures.card_picture(page.deck.game, slug, _CARD)) as file:
            card = file.convert("RGBA").resize((width, height), Image.Resampling.LANCZOS)
        laid.append((card, (EDGE + number * step, _TOP)))
    return as_jpeg(canvas, laid)


def _title(page: DeckPage) -> str:
    return page.deck.name


def _about(page: DeckPage) -> str:
    """Game, mode, how many cards, and of which colours, the most frequent first."""
    size = "1 card" if page.size == 1 else f"{page.size} cards"
    said = [f"{page.game_name}, {page.mode_name}", size]
    game = rules.games().get(page.deck.game)
    colours = Counter[str]()
    for held in page.held:
        card = game.catalog.get(held.slug) if game else None
        if card is not None and card.colour:
            colours[spoken(card.colour)] += held.count
    if colours:
        said.append(", ".join(colour for colour, _ in colours.most_common(4)))
    return " · ".join(said)


def _faces(page: DeckPage) -> list[str]:
    """The cards that show what the deck is: those that the game still draws."""
    game = rules.games().get(page.deck.game)
    known = game.catalog if game else {}
    return [slug for slug in dict.fromkeys(held.slug for held in page.held) if slug in known][
        :MOST_CARDS
    ]
