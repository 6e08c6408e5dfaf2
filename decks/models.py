"""Decks as the database keeps them.

A deck may be a draft: whether it is legal is never stored but asked of the rules, which may change.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

SLUG_LENGTH = 12
_SLUG_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
MAIN = "main"
MOST_COPIES = 999
"""More copies of one card than this are a slip of the finger in every game."""


def new_slug() -> str:
    """A public deck id that nobody can guess: 12 letters and digits, none easily confused."""
    return "".join(secrets.choice(_SLUG_LETTERS) for _ in range(SLUG_LENGTH))


class Visibility(models.TextChoices):
    """Who may look at a deck."""

    PRIVATE = "private", "Private: only you"
    UNLISTED = "unlisted", "Unlisted: everybody with the link"
    PUBLIC = "public", "Public: everybody, and it is listed"


class Deck(models.Model):
    """A list of cards that somebody wants to play a mode of a game with."""

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="decks"
    )
    game = models.SlugField(max_length=50)
    mode = models.SlugField(max_length=50)
    name = models.CharField(max_length=80)
    visibility = models.CharField(
        max_length=8, choices=Visibility.choices, default=Visibility.PRIVATE
    )
    typed = models.TextField(
        blank=True,
        help_text="The list as its owner typed it, with comments; empty when it came otherwise."
        " The entries are what counts.",
    )
    created = models.DateTimeField(default=timezone.now, editable=False)
    changed = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-changed", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="deck_has_a_name"),
            models.CheckConstraint(
                condition=Q(visibility__in=["private", "unlisted", "public"]),
                name="deck_visibility_known",
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "-changed", "-id"], name="deck_by_owner"),
            models.Index(
                fields=["-changed", "-id"],
                condition=Q(visibility="public"),
                name="deck_public",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("decks:deck", args=[self.slug])


class DeckEntry(models.Model):
    """So many copies of a card in a section of a deck."""

    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="entries")
    section = models.SlugField(max_length=40, default=MAIN)
    card = models.ForeignKey("collection.Card", on_delete=models.PROTECT, related_name="+")
    count = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name_plural = "deck entries"
        ordering = ["section", "card__sort_number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["deck", "section", "card"], name="deck_entry_once_a_section"
            ),
            models.CheckConstraint(
                condition=Q(count__gte=1, count__lte=MOST_COPIES), name="deck_entry_count"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.count} {self.card}"
