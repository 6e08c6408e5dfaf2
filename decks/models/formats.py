"""House formats: what an organiser adds to a game's own rules for decks.

A format's rules stand in versions that never change: a report names the one it was made with, and
an event takes the one that held when its registration closed. A version may be announced for a
later day; of those whose day has come, the newest holds.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from collection.models.slugs import SLUG_LENGTH, new_slug


class Format(models.Model):
    """A format of somebody's, or of the house (no owner)."""

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="formats",
    )
    game = models.SlugField(max_length=50)
    mode = models.SlugField(max_length=50)
    defined_as = models.SlugField(
        blank=True, help_text="The game's own name of a format that the game defines."
    )
    default = models.BooleanField(
        default=False, help_text="Deck checks use it if their organiser chooses no other."
    )
    name = models.CharField(max_length=80)
    summary = models.CharField(max_length=300, blank=True)
    listed = models.BooleanField(default=True, help_text="Shown to everyone who builds a deck.")
    retired = models.BooleanField(default=False, help_text="No longer selectable; still readable.")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["game", "mode", "name", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="format_has_a_name"),
            models.UniqueConstraint(
                fields=["game", "mode", "defined_as"],
                condition=~Q(defined_as=""),
                name="game_format_once",
            ),
            models.UniqueConstraint(
                fields=["game", "mode"], condition=Q(default=True), name="one_default_format"
            ),
        ]
        indexes = [models.Index(fields=["game", "mode", "retired"], name="format_by_mode")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("decks:format", args=[self.slug])


class FormatVersion(models.Model):
    """The rules of a format from a day on. Never changed once written."""

    format = models.ForeignKey(Format, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField(help_text="Counts from 1.")
    options = models.JSONField(default=dict, help_text="The game's own format options.")
    restricted = models.JSONField(
        default=dict, help_text="Maximum copies and a reason, by card slug; 0 bans the card."
    )
    sets = models.JSONField(default=list, help_text="Allowed sets; empty: all.")
    owned_only = models.BooleanField(default=False, help_text="Only cards that the player owns.")
    rules = models.JSONField(
        default=list, help_text="Rules in the words of docs/house-formats.md, one a table."
    )
    valid_from = models.DateTimeField(default=timezone.now)
    note = models.CharField(max_length=300, blank=True, help_text="What changed, and why.")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["format_id", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["format", "number"], name="format_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.format}, version {self.number}"
