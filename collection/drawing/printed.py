"""The printed content of a card, from which its picture, its hash and its description come.

The rules' catalog is asked first, so a page or a table that shows a hundred cards asks the
database nothing. Only a card that the rules no longer know is looked up there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

import rules
from collection.models import Card
from rules.engine.cards import CardType
from rules.engine.errors import UnknownGame


class NoSuchCard(LookupError):
    """Neither the rules nor the database know this card."""


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """A card as it lies on the table, whoever stored it."""

    game: str
    slug: str
    name: str
    title: str
    kind: str
    colour: str = ""
    rarity: str = ""
    text: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    sets: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash((self.game, self.slug))

    def content_hash(self) -> str:
        """SHA-256 over everything that is printed, in one fixed spelling."""
        words = json.dumps(asdict(self), sort_keys=True, ensure_ascii=False, default=list)
        return hashlib.sha256(words.encode()).hexdigest()


def from_rules(game_slug: str, card: CardType) -> PrintedCard:
    """The printed form of a catalog card; lists inside attributes become plain."""
    attributes = json.loads(json.dumps(dict(card.attributes), default=list))
    return PrintedCard(
        game=game_slug,
        slug=card.slug,
        name=card.name,
        title=card.title,
        kind=card.kind,
        colour=card.colour,
        rarity=card.rarity,
        text=card.text,
        attributes=attributes,
        sets=card.sets,
    )


@lru_cache(maxsize=64)
def _catalog(game_slug: str) -> Mapping[str, PrintedCard]:
    catalog = rules.game(game_slug).catalog
    return {slug: from_rules(game_slug, card) for slug, card in catalog.items()}


def printed_card(game_slug: str, card_slug: str) -> PrintedCard:
    """A card of a game, retired ones included; ``NoSuchCard`` when there is none."""
    try:
        card = _catalog(game_slug).get(card_slug)
    except UnknownGame:
        card = None
    return card or _retired_card(game_slug, card_slug)


def from_row(card: Card) -> PrintedCard:
    """The printed form of a stored card. Reads ``game`` and ``printings``: fetch them before."""
    printings = sorted(card.printings.all(), key=lambda printing: printing.position)
    return PrintedCard(
        game=card.game.slug,
        slug=card.slug,
        name=card.name,
        title=card.title,
        kind=card.kind,
        colour=card.colour,
        rarity=card.rarity,
        text=card.text,
        attributes=card.attributes,
        sets=tuple(printing.card_set.slug for printing in printings),
    )


@lru_cache(maxsize=4096)
def _retired_card(game_slug: str, card_slug: str) -> PrintedCard:
    """A card that only the database remembers. Such a row no longer changes, so it may be kept."""
    try:
        card = (
            Card.objects.select_related("game")
            .prefetch_related("printings__card_set")
            .get(game__slug=game_slug, slug=card_slug)
        )
    except Card.DoesNotExist:
        raise NoSuchCard(f"No card {card_slug} in {game_slug}.") from None
    return from_row(card)


def forget() -> None:
    """Drop what this process remembers, after the catalog has changed."""
    _catalog.cache_clear()
    _retired_card.cache_clear()
