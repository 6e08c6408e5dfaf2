"""Pools: what somebody's decks for a sealed or draft tournament are built from."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class CardPool(models.Model):
    """The cards that a player of a deck check builds from; nothing else is allowed there.

    ``cards`` includes what everybody is given. Nobody but the owner sees it before the event's end.
    """

    check_of = models.ForeignKey("decks.DeckCheck", models.CASCADE, related_name="pools")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="card_pools",
        help_text="Empty for a bot's.",
    )
    game = models.SlugField(max_length=50)
    mode = models.SlugField(max_length=50)
    title = models.CharField(max_length=120)
    cards = models.JSONField(help_text="Copies by card slug.")
    format = models.JSONField(default=dict, help_text="The game's options that judge its decks.")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("check_of", "owner"),
                condition=models.Q(owner__isnull=False),
                name="card_pool_once_a_person",
            ),
        )

    def __str__(self) -> str:
        return self.title
