"""Decks as the database keeps them.

A deck may be a draft: whether it is legal is never stored but asked of the rules, which may change.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from collection.models.slugs import SLUG_LENGTH, new_slug

MAIN = "main"
MAX_COPIES = 999
"""More copies of one card than this are a slip of the finger in every game."""


class Visibility(models.TextChoices):
    """Who may look at a deck."""

    PRIVATE = "private", "Private: only you"
    UNLISTED = "unlisted", "Unlisted: anyone with the link"
    PUBLIC = "public", "Public: listed for everyone"


class Deck(models.Model):
    """A list of cards that somebody wants to play a mode of a game with."""

    slug = models.CharField(max_length=SLUG_LENGTH, default=new_slug, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="decks", db_index=False
    )
    game = models.SlugField(max_length=50)
    mode = models.SlugField(max_length=50)
    name = models.CharField(max_length=80)
    visibility = models.CharField(
        max_length=8, choices=Visibility.choices, default=Visibility.PRIVATE
    )
    house = models.ForeignKey(
        "decks.Format",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The custom format that it is built for.",
    )
    pool = models.ForeignKey(
        "decks.CardPool",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="decks",
        help_text="The pool of a sealed or draft tournament that it is built from.",
    )
    typed = models.TextField(
        blank=True,
        help_text="The list as typed, with comments; empty for other sources."
        " Only the entries count.",
    )
    maybe = models.JSONField(
        default=dict, blank=True, help_text="Cards that are considered: copies by card slug."
    )
    notes = models.TextField(max_length=4000, blank=True)
    tags = models.CharField(
        max_length=200, blank=True, help_text="Each word between commas: “,quick,red,”."
    )
    copied_from = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="copies"
    )
    credit = models.CharField(
        max_length=160, blank=True, help_text="Name and owner of the original deck."
    )
    version = models.PositiveIntegerField(
        default=0, help_text="The number of the version that the entries are; 0 for none yet."
    )
    words = models.TextField(
        blank=True,
        default="",
        editable=False,
        help_text="What a public deck is found by; empty for every other.",
    )
    like_count = models.PositiveIntegerField(default=0, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    changed = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-changed", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["slug"], name="deck_slug_once"),
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
            models.Index(
                fields=["-like_count", "-id"],
                condition=Q(visibility="public"),
                name="deck_liked",
            ),
            *(
                models.Index(
                    fields=[*play, f"-{column}", "-id"],
                    condition=Q(visibility="public"),
                    name=f"deck_{name}_by_{play[-1]}",
                )
                for play in (["game"], ["game", "mode"])
                for name, column in (("public", "changed"), ("liked", "like_count"))
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("decks:deck", args=[self.slug])


class DeckEntry(models.Model):
    """So many copies of a card in a section of a deck."""

    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="entries", db_index=False)
    section = models.SlugField(max_length=40, default=MAIN, db_index=False)
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
                condition=Q(count__gte=1, count__lte=MAX_COPIES), name="deck_entry_count"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.count} {self.card}"


class DeckVersion(models.Model):
    """A deck at some time. Undo goes back to one, redo on to the next."""

    deck = models.ForeignKey(
        Deck, on_delete=models.CASCADE, related_name="versions", db_index=False
    )
    number = models.PositiveIntegerField(help_text="Counts from 1; never reused.")
    mode = models.SlugField(
        max_length=50, db_index=False, help_text="What the deck was built for then."
    )
    cards = models.JSONField(help_text="Section, card slug, count.")
    typed = models.TextField(blank=True)
    note = models.CharField(max_length=120, blank=True, help_text="Its owner's name for it.")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["deck_id", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["deck", "number"], name="deck_version_once"),
        ]

    def __str__(self) -> str:
        return f"version {self.number} of {self.deck_id}"


class DeckLike(models.Model):
    """Somebody likes a deck."""

    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="likes", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="deck_likes"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["deck", "user"], name="deck_liked_once_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} likes {self.deck_id}"
