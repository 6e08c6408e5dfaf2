"""Pictures of cards: their addresses, their files and their words.

A picture's address holds a hash of everything that is printed on the card and of the renderer's
version. So a picture never changes under its address, and browsers may keep it for ever. It is
drawn when it is first asked for, or ahead of that by a worker, and then kept as a file; the files
may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import cast

import structlog
from django.conf import settings
from django.urls import get_script_prefix, reverse
from PIL import Image

import rules
from collection.drawing import printed
from collection.drawing.faces import face_for, face_of, renderer_version
from collection.drawing.layout import PLANS, Size
from collection.drawing.printed import PrintedCard, from_row, printed_card
from collection.models import RARITY_WORDS, Card
from rules.engine.errors import UnknownGame

logger = structlog.get_logger(__name__)

#: Width and height of each size, in pixels.
SIZES: Mapping[str, tuple[int, int]] = {name: plan.size for name, plan in PLANS.items()}

#: What is drawn before anybody asks for it: what walls and tables show, then what lists show.
AHEAD = ("table", "thumb")

_QUALITY = {"thumb": 88, "table": 88, "full": 84}


class NoSuchPicture(LookupError):
    """An unknown size, card or game."""


# Addresses


def card_image_url(game_slug: str, card_slug: str, size: str = "table") -> str:
    """Where the picture of a card lies. Asks the database only about retired cards, and once."""
    digest = card_hash(game_slug, card_slug)
    return _card_url(game_slug, card_slug, size, digest)


def row_image_url(card: Card, size: str = "table") -> str:
    """Name the picture of a catalog row, from the hash that it carries. Reads ``card.game``."""
    return image_url(card.game.slug, card.slug, card.content_hash, size)


def image_url(game_slug: str, card_slug: str, content_hash: str, size: str = "table") -> str:
    """Name the picture from the values of a row."""
    return _card_url(game_slug, card_slug, size, picture_hash(game_slug, content_hash))


def card_back_url(game_slug: str, size: str = "table") -> str:
    return reverse("collection:card_back", args=[game_slug, _known(size), back_hash(game_slug)])


def picture_hash(game_slug: str, content_hash: str) -> str:
    """The part of an address that changes when the picture does."""
    words = f"{renderer_version()} {game_slug} {content_hash}"
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def back_hash(game_slug: str) -> str:
    try:
        rules.game(game_slug)
    except UnknownGame as error:
        raise NoSuchPicture(str(error)) from None
    return picture_hash(game_slug, f"back of {game_slug}")


@lru_cache(maxsize=8192)
def card_hash(game_slug: str, card_slug: str) -> str:
    """The present hash of a card's picture."""
    return picture_hash(game_slug, printed_card(game_slug, card_slug).content_hash())


def _card_url(game_slug: str, card_slug: str, size: str, digest: str) -> str:
    return _kept_card_url(get_script_prefix(), game_slug, card_slug, size, digest)


@lru_cache(maxsize=4096)
def _kept_card_url(prefix: str, game_slug: str, card_slug: str, size: str, digest: str) -> str:
    return reverse("collection:card_image", args=[game_slug, card_slug, _known(size), digest])


def _known(size: str) -> str:
    if size not in SIZES:
        raise NoSuchPicture(f"Unknown size “{size}”. Sizes: {', '.join(SIZES)}.")
    return size


def forget() -> None:
    """Drop what this process remembers about cards, after the catalog has changed."""
    printed.forget()
    card_hash.cache_clear()
    alt_text.cache_clear()


# Words


@lru_cache(maxsize=1024)
def alt_text(card: PrintedCard) -> str:
    """Describe a card's picture, from the layout that it is drawn from."""
    layout = face_for(card).layout(card)
    sentences = [layout.title, *layout.facts]
    if card.rarity:
        sentences.append(f"{RARITY_WORDS.get(card.rarity, card.rarity)} card")
    return ". ".join(_sentence(words) for words in sentences if words) + "."


def row_alt_text(card: Card) -> str:
    return alt_text(from_row(card))


def _sentence(words: str) -> str:
    words = words.strip().rstrip(".")
    return words[:1].upper() + words[1:]


# Files


def card_picture(game_slug: str, card_slug: str, size: str) -> Path:
    """The file of a card's picture, drawn now if need be."""
    card = printed_card(game_slug, card_slug)
    path = _card_path(card, size)
    if not path.exists():
        _keep(_draw_card(card, size), path, size)
    return path


def back_picture(game_slug: str, size: str) -> Path:
    """The file of the back of a game's cards, drawn now if need be."""
    path = _back_path(game_slug, size)
    if not path.exists():
        _keep(_draw_back(game_slug, size), path, size)
    return path


def card_bytes(game_slug: str, card_slug: str, size: str) -> bytes:
    """A card's picture as WebP; unlike ``card_picture`` also where the disk is full."""
    card = printed_card(game_slug, card_slug)
    return _read_or_draw(_card_path(card, size), size, lambda: _draw_card(card, size))


def back_bytes(game_slug: str, size: str) -> bytes:
    """The back of a game's cards as WebP, also where the disk is full."""
    return _read_or_draw(_back_path(game_slug, size), size, lambda: _draw_back(game_slug, size))


def _card_path(card: PrintedCard, size: str) -> Path:
    name = f"{_known(size)}-{card_hash(card.game, card.slug)}.webp"
    return _folder() / card.game / card.slug / name


def _back_path(game_slug: str, size: str) -> Path:
    return _folder() / game_slug / "@back" / f"{_known(size)}-{back_hash(game_slug)}.webp"


def _draw_card(card: PrintedCard, size: str) -> bytes:
    return _encoded(face_for(card).draw(card, cast(Size, size)), size)


def _draw_back(game_slug: str, size: str) -> bytes:
    return _encoded(face_of(game_slug).back(cast(Size, size)), size)


def _read_or_draw(path: Path, size: str, draw: Callable[[], bytes]) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        picture = draw()
    try:
        _keep(picture, path, size)
    except OSError as error:
        logger.warning("picture_not_kept", path=str(path), error=str(error))
    return picture


def draw_ahead(seconds: float) -> bool:
    """Draw pictures that are not there yet for so many seconds; says whether there are more.

    Game by game, as the gallery shows them. On Linux whoever else wants the processor goes first.
    """
    with ThreadPoolExecutor(1, initializer=_stand_back) as aside:
        return aside.submit(_draw_missing, time.monotonic() + seconds).result()


def _draw_missing(end: float) -> bool:
    for size in AHEAD:
        for slug, game in rules.games().items():
            back_picture(slug, size)
            for card in game.catalog:
                if time.monotonic() > end:
                    return True
                card_picture(slug, card, size)
    return False


def _stand_back() -> None:
    """Let this thread alone, not its process, wait for all others: a thing that Linux can do."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)


def _folder() -> Path:
    return Path(settings.MEDIA_ROOT) / "cards"


def _encoded(picture: Image.Image, size: str) -> bytes:
    encoded = BytesIO()
    picture.save(encoded, "WEBP", quality=_QUALITY[size], method=4)
    return encoded.getvalue()


def _keep(picture: bytes, path: Path, size: str) -> None:
    """Write the file in one step, so that nobody ever reads half of it, and drop its elders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, suffix=".draft")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(picture)
        Path(draft).chmod(0o644)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    for old in path.parent.glob(f"{size}-*.webp"):
        if old != path:
            old.unlink(missing_ok=True)
