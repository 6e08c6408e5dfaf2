"""Cards that somebody may lose in a match which is played for keeps."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from collection.models.catalog import Card


class Stake(models.Model):
    """One digital copy of a card that its owner has brought to a match, until that is over."""

    match = models.CharField(max_length=12, help_text="The match's public id.")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="stakes"
    )
    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "owner", "card"], name="stake_once_a_card"),
        ]

    def __str__(self) -> str:
        return f"card {self.card_id} of person {self.owner_id} in {self.match}"
