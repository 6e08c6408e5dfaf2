"""Binders that their owners show to everyone."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from collection.copies import MAX_LENGTHS
from collection.models.slugs import SLUG_LENGTH, new_slug


class BinderCards(models.TextChoices):
    """Which copies of a shared binder others see."""

    ALL = "all", "All cards"
    FOR_TRADE = "for_trade", "Only cards for trade"


class SharedBinder(models.Model):
    """A binder that everyone with its link sees. Copies are in it by their details' ``binder``."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="shared_binders",
        db_index=False,  # the constraint below has an index that begins with it
    )
    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug)
    binder = models.CharField(
        max_length=MAX_LENGTHS["binder"], blank=True, help_text="Empty for the whole collection."
    )
    cards = models.CharField(
        max_length=9, choices=BinderCards.choices, default=BinderCards.FOR_TRADE
    )
    on_profile = models.BooleanField(default=False, help_text="Linked from the owner's profile.")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "binder"], name="binder_shared_once"),
            models.CheckConstraint(
                condition=models.Q(cards__in=BinderCards.values), name="binder_known_cards"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        """Its public page."""
        return reverse("collection:binder", args=[self.slug])

    @property
    def title(self) -> str:
        """The binder's name."""
        return self.binder or "Whole collection"
