"""The catalog in the database: games, their sets, their cards and who was printed where.

The rules' files are the truth; these rows are a copy that can be searched and pointed at. Only
``collection.services.catalog`` writes them. A card that people may own never disappears: when its
file forgets it, it is retired.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from django.db import models
from django.db.models import Q
from django.urls import get_script_prefix, reverse

#: What rarity words are worth when cards are sorted by it.
RARITIES = {"common": 1, "uncommon": 2, "rare": 3, "ultra": 4, "epic": 4, "legendary": 5}
#: How people say a rarity where its word alone is not enough.
RARITY_WORDS = {"ultra": "ultra rare"}


def plain(words: str) -> str:
    """Normalise words for the search: lower case, no accents, single spaces."""
    spread = unicodedata.normalize("NFKD", words.casefold())
    characters = "".join(sign for sign in spread if not unicodedata.combining(sign))
    return " ".join(characters.split())


def searched_words(title: str, slug: str, text: str) -> str:
    """The search text of a card: a line with its title, a line with all else."""
    return f"{plain(title)}\n{plain(f'{slug} {text}')}"


def card_address(game_slug: str, card_slug: str) -> str:
    """The page of a card."""
    return _card_address(get_script_prefix(), game_slug, card_slug)


@lru_cache(maxsize=4096)
def _card_address(prefix: str, game_slug: str, card_slug: str) -> str:
    """Kept, for a wall links to dozens of cards; the prefix is what addresses here begin with."""
    return reverse("collection:card", args=[game_slug, card_slug])


class Game(models.Model):
    """A game that the site knows (or once knew)."""

    slug = models.SlugField(max_length=50, unique=True)
    name = models.CharField(max_length=80)
    summary = models.TextField(blank=True)
    sort_number = models.PositiveIntegerField(default=0)
    retired = models.BooleanField(default=False, help_text="No longer among the rules' games.")

    class Meta:
        ordering = ["sort_number", "slug"]

    def __str__(self) -> str:
        return self.name


class CardSet(models.Model):
    """Cards that appeared together."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="sets")
    slug = models.SlugField(max_length=50)
    name = models.CharField(max_length=80)
    number = models.PositiveIntegerField(help_text="The order of a game's sets, from 1.")
    retired = models.BooleanField(default=False)
    card_count = models.PositiveIntegerField(default=0, help_text="How many cards appear in it.")

    class Meta:
        ordering = ["game__sort_number", "number", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["game", "slug"], name="card_set_once_a_game"),
        ]

    def __str__(self) -> str:
        return self.name


class Card(models.Model):
    """One catalog card. All printed copies of it, in every set, are this one row."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="cards")
    slug = models.SlugField(max_length=80)
    name = models.CharField(max_length=80, help_text="What is printed on the card.")
    title = models.CharField(
        max_length=80,
        help_text="What lists and messages say, where the name alone is not enough.",
    )
    kind = models.CharField(max_length=40)
    colour = models.CharField(max_length=40, blank=True)
    rarity = models.CharField(max_length=20)
    rarity_rank = models.PositiveSmallIntegerField(default=0)
    text = models.TextField(blank=True)
    attributes = models.JSONField(default=dict, blank=True)
    sets = models.ManyToManyField(CardSet, through="CardInSet", related_name="cards")
    sort_number = models.PositiveIntegerField(
        help_text="The card's place in its game's catalog, from 1."
    )
    retired = models.BooleanField(default=False)
    content_hash = models.CharField(
        max_length=64,
        help_text="Of all that is printed on the card; differs when a word differs.",
    )
    # Where the card stands among all cards of all games, in each order that people choose: a page
    # of any of them is then one stretch of an index, however many cards there are.
    place = models.PositiveIntegerField(default=0, help_text="By game and number.")
    name_place = models.PositiveIntegerField(default=0, help_text="By title.")
    rarity_place = models.PositiveIntegerField(default=0, help_text="Rarest first.")
    words = models.TextField(
        blank=True, default="", help_text="Title, slug and text as they are searched."
    )

    class Meta:
        ordering = ["game__sort_number", "sort_number", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["game", "slug"], name="card_once_a_game"),
            models.CheckConstraint(condition=~Q(name=""), name="card_has_a_name"),
            models.CheckConstraint(
                condition=Q(content_hash__regex=r"^[0-9a-f]{64}$"),
                name="card_hash_is_sha256",
            ),
        ]
        # Nobody pages through retired cards. One index for each order and for each filter that is
        # often set alone: the database walks along it and stops when a page is full.
        indexes = [
            models.Index(fields=fields, name=name, condition=Q(retired=False))
            for name, fields in {
                "card_by_place": ["place"],
                "card_by_name": ["name_place"],
                "card_by_rareness": ["rarity_place"],
                "card_by_game": ["game", "place"],
                "card_by_game_name": ["game", "name_place"],
                "card_by_game_rareness": ["game", "rarity_place"],
                "card_by_kind": ["kind", "place"],
                "card_by_colour": ["colour", "place"],
                "card_by_rarity_word": ["rarity", "place"],
                "card_by_all": ["game", "kind", "colour", "rarity", "place"],
                "card_by_printed_name": ["game", "name", "place"],
            }.items()
        ]
        # Where somebody's cards stand, without reading all that is printed on them. SQLite finds a
        # card by its key alone anyhow, and takes no notice.
        indexes.append(
            models.Index(
                fields=["id"],
                include=["game", "place", "name_place", "rarity_place", "retired"],
                name="card_by_key",
            )
        )

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return card_address(self.game.slug, self.slug)


class CardInSet(models.Model):
    """A printing: this card appears in that set, under this number there."""

    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="printings")
    card_set = models.ForeignKey(CardSet, on_delete=models.PROTECT, related_name="printings")
    number = models.PositiveIntegerField(
        null=True,
        help_text="The card's number in the set, from 1; none once it is retired.",
    )
    position = models.PositiveSmallIntegerField(help_text="0 for the card's first printing.")

    class Meta:
        ordering = ["card_set", "number"]
        constraints = [
            models.UniqueConstraint(fields=["card", "card_set"], name="card_once_a_set"),
            models.UniqueConstraint(fields=["card_set", "number"], name="card_number_once_a_set"),
        ]

    def __str__(self) -> str:
        return f"{self.card_set} {self.number or '(retired)'}"


class Facet(models.Model):
    """How many cards share game, kind, colour and rarity: what the gallery's choices come from.

    A few hundred rows, however many cards there are.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="facets")
    kind = models.CharField(max_length=40)
    colour = models.CharField(max_length=40, blank=True)
    rarity = models.CharField(max_length=20)
    rarity_rank = models.PositiveSmallIntegerField(default=0)
    card_count = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "kind", "colour", "rarity"], name="facet_once"),
        ]

    def __str__(self) -> str:
        return f"{self.card_count} of {self.kind} {self.colour} {self.rarity}"


class CatalogWord(models.Model):
    """A word that some card says: what a mistyped one may have been meant to be."""

    word = models.CharField(max_length=40, unique=True)
    card_count = models.PositiveIntegerField(help_text="How many cards say it.")

    def __str__(self) -> str:
        return self.word
