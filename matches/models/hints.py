"""Hints, as they were asked for at tables against bots."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.utils import timezone

from matches.models.matches import Match


class Hint(models.Model):
    """A person asked what to play; one row a prompt, which is kept with the match.

    ``advice`` is None until a worker has found it (``matches.services.hints``).
    """

    GIVE_UP_AFTER: Final = timedelta(minutes=10)
    """One that has waited for so long is sent again only when it is asked for again."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="hints", db_index=False)
    seat = models.PositiveSmallIntegerField()
    prompt = models.PositiveIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="hints")
    advice = models.JSONField(null=True, editable=False)
    asked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("match", "seat", "prompt"), name="hint_once_a_prompt"),
        )
        indexes = (
            models.Index(
                fields=("asked_at",), condition=models.Q(advice__isnull=True), name="hint_waiting"
            ),
        )

    def __str__(self) -> str:
        return f"hint at prompt {self.prompt} of {self.match_id}"

    @property
    def is_awaited(self) -> bool:
        """True while a worker is to find it."""
        return self.advice is None and self.asked_at > timezone.now() - self.GIVE_UP_AFTER
