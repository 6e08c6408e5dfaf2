"""Packs: earned, then opened once, with chance that can be checked afterwards."""

from __future__ import annotations

from secrets import token_bytes

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from collection.models.slugs import SLUG_LENGTH, new_slug


def new_seed() -> bytes:
    """32 bytes from the operating system."""
    return token_bytes(32)


class PackSource(models.TextChoices):
    """How a pack was earned."""

    GIFT = "gift", "Daily pack"
    MATCH = "match", "Finished match"
    GRANT = "grant", "Gift from Riffle"


class PackQuerySet(models.QuerySet["Pack"]):
    """Reads that pages need."""

    def without_secrets(self) -> PackQuerySet:
        """Leave the seed, and the long list of what could be inside, in the database."""
        return self.defer("server_seed", "contents")


class Pack(models.Model):
    """One sealed or opened pack. Its seed is fixed, and promised, on the day it is earned."""

    slug = models.CharField(max_length=SLUG_LENGTH, default=new_slug, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="packs", db_index=False
    )
    game = models.CharField(max_length=40)
    product = models.CharField(max_length=60)
    source = models.CharField(max_length=8, choices=PackSource.choices)
    key = models.CharField(
        max_length=120,
        help_text="What it was earned for: once a person and key (gift:2026-11-21).",
    )
    granted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="packs_granted",
    )
    note = models.CharField(max_length=200, blank=True)
    contents = models.JSONField(
        editable=False,
        help_text="The product's slots, sheets and weights as promised.",
    )
    server_seed = models.BinaryField(default=new_seed, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    client_seed = models.CharField(
        max_length=64,
        blank=True,
        help_text="What its owner added to the seed on opening.",
    )
    cards = models.JSONField(null=True, editable=False, help_text="Card slugs as drawn, by slot.")
    created_at = models.DateTimeField(default=timezone.now)
    opened_at = models.DateTimeField(null=True, blank=True)

    objects = PackQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["slug"], name="pack_slug_once"),
            models.UniqueConstraint(fields=["owner", "key"], name="pack_once_a_key"),
            models.UniqueConstraint(
                fields=["owner", "note"], condition=Q(source="match"), name="pack_once_a_match"
            ),
            models.CheckConstraint(
                condition=Q(opened_at__isnull=True, cards__isnull=True, client_seed="")
                | Q(opened_at__isnull=False, cards__isnull=False),
                name="pack_opened_means_cards",
            ),
        ]
        indexes = [
            models.Index(
                fields=["owner", "created_at"],
                condition=Q(opened_at__isnull=True),
                name="pack_sealed",
            ),
            models.Index(fields=["owner", "-opened_at"], name="pack_by_opening"),
        ]

    def __str__(self) -> str:
        return f"{self.product} {self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("collection:pack", args=[self.slug])

    @property
    def sealed(self) -> bool:
        """Nobody knows what is inside; the seed stays secret."""
        return self.opened_at is None
