"""Sheets with the pictures of a game's cards, for tables that show many cards from one picture.

Every card of a game has a place on one of its sheets, in the order in which the catalog first knew
them; so a card never moves, and all decks of a game share a few pictures. A sheet's address holds
a hash of the pictures on it. Drawing one takes half a minute where none of its cards was drawn
before: a worker does it when the sheet is first asked for, and the file is kept. The files may be
deleted at any time.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from PIL import Image

from collection.drawing import pictures
from collection.models import Card
from decks.lists.tabletop import SHEET_SIZE, sheet_shape

CELL = (408, 570)
"""A card on a sheet, in pixels: ten by seven of them are below 4096 each way."""
BACK = 0
"""The number of the picture of the cards' back."""
_QUALITY = 90
_VERSION = 1
_PAPER = (24, 22, 20)


class NoSuchSheet(LookupError):
    """The game has no such sheet."""


@dataclass(frozen=True, slots=True)
class CardSheet:
    """A sheet of a game's cards; number 0 is one card's back."""

    game: str
    number: int
    slugs: tuple[str, ...]
    digest: str

    @property
    def shape(self) -> tuple[int, int]:
        """Columns and rows."""
        return sheet_shape(len(self.slugs)) if self.number != BACK else (1, 1)

    @property
    def address(self) -> str:
        return reverse("decks:card_sheet", args=[self.game, self.number, self.digest])

    @property
    def path(self) -> Path:
        """The file, whether it is there yet or not."""
        folder = Path(settings.MEDIA_ROOT) / "sheets" / self.game
        return folder / f"{self.number}-{self.digest}.jpg"


def sheets_of(game: str) -> list[CardSheet]:
    """All sheets of a game's cards, retired ones included: somebody may still hold them."""
    cards = Card.objects.filter(game__slug=game).order_by("pk")
    rows = list(cards.values_list("slug", "content_hash"))
    return [
        _sheet(game, number, rows[start : start + SHEET_SIZE])
        for number, start in enumerate(range(0, len(rows), SHEET_SIZE), start=1)
    ]


def find_sheet(game: str, number: int) -> CardSheet:
    """The sheet of this number; raises ``NoSuchSheet``."""
    if number == BACK:
        try:
            return CardSheet(game, BACK, (), pictures.back_hash(game))
        except pictures.NoSuchPicture as error:
            raise NoSuchSheet(str(error)) from None
    for sheet in sheets_of(game):
        if sheet.number == number:
            return sheet
    raise NoSuchSheet(f"Sheet {number} not found.")


def draw_sheet(sheet: CardSheet) -> Path:
    """The sheet's file, drawn now if need be."""
    if sheet.path.exists():
        return sheet.path
    if sheet.number == BACK:
        faces = [pictures.back_picture(sheet.game, "full")]
    else:
        faces = [pictures.card_picture(sheet.game, slug, "full") for slug in sheet.slugs]
    columns, rows = sheet.shape
    picture = Image.new("RGB", (columns * CELL[0], rows * CELL[1]), _PAPER)
    for place, path in enumerate(faces):
        row, column = divmod(place, columns)
        with Image.open(path) as face:
            card = face.convert("RGBA").resize(CELL, Image.Resampling.LANCZOS)
        # Round corners show what is beneath: the colour of the card's own edge.
        edge = Image.new("RGBA", CELL, card.getpixel((CELL[0] // 2, 2)))
        edge.alpha_composite(card)
        picture.paste(edge.convert("RGB"), (column * CELL[0], row * CELL[1]))
    _keep(picture, sheet.path)
    return sheet.path


def _sheet(game: str, number: int, rows: Sequence[tuple[str, str]]) -> CardSheet:
    hashes = [pictures.picture_hash(game, content) for _, content in rows]
    words = f"{_VERSION} {CELL} {_QUALITY} {' '.join(hashes)}"
    digest = hashlib.sha256(words.encode()).hexdigest()[:16]
    return CardSheet(game, number, tuple(slug for slug, _ in rows), digest)


def _keep(picture: Image.Image, path: Path) -> None:
    """Write the file in one step, so that nobody ever reads half of it, and drop its elders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, suffix=".draft")
    try:
        with os.fdopen(handle, "wb") as file:
            picture.save(file, "JPEG", quality=_QUALITY, optimize=True)
        Path(draft).chmod(0o644)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    number = path.name.partition("-")[0]
    for old in path.parent.glob(f"{number}-*.jpg"):
        if old != path:
            old.unlink(missing_ok=True)
