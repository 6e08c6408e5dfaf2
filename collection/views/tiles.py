"""Cards as walls show them: what a picture's link needs, and what stands below it.

Dictionaries, for templates look things up in them without trying anything else first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from collection.copies import Described
from collection.drawing import pictures
from collection.models.catalog import card_address
from collection.queries.catalog import WallCard, spoken, spoken_rarity
from collection.queries.holdings import Copies, ShownCopies, shown


def tile(card: WallCard) -> dict[str, Any]:
    """A card on a wall."""
    printed = card.printed
    return {
        "card": card,
        "address": card_address(printed.game, printed.slug),
        "url": pictures.image_url(printed.game, printed.slug, card.content_hash),
        "alt": pictures.alt_text(printed),
    }


def copies(own: Copies | None) -> dict[str, Any]:
    """Copies owned, on the wishlist, still missing and for trade, as people read them."""
    if own is None:
        return {"own": False}
    numbers = {
        "owned": own.quantity,
        "missing": own.missing,
        "for_trade": own.for_trade,
        "wishlist": own.wishlist,
    }
    texts = {name: f"{number:,}" if number else "" for name, number in numbers.items()}
    return texts | {"own": True}


def rows(described: Iterable[Described], *, mine: bool) -> dict[str, list[str]]:
    """How copies are, a line each: “3 near mint, English”; where they lie is its owner's alone."""
    if mine:
        rows = [(row.quantity, row.told) for row in described]
    else:
        public = shown(described)
        rows = [(row.quantity, in_words(row)) for row in public]
    lines = [(number, ", ".join(words)) for number, words in rows]
    return {"copies": [f"{number:,} × {words}" for number, words in lines if words]}


def in_words(row: ShownCopies) -> list[str]:
    """Details of copies that others may see, in words."""
    return Described(row.quantity, row.condition, row.language, row.finish).words


def words(card: WallCard) -> dict[str, str]:
    """The values of a card's row in a table."""
    return {
        "kind": spoken(card.printed.kind),
        "colour": spoken(card.printed.colour),
        "rarity": spoken_rarity(card.printed.rarity),
    }
