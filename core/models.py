"""Rows that every app stands on: requests answered once, matches that are over."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class IdempotencyKey(models.Model):
    """A request that somebody sent under a key, and what came of it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    key = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, help_text="SHA-256 of what was asked for.")
    result = models.CharField(max_length=40, blank=True, help_text="The slug of what it made.")
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.user_id}"


class MatchFinished(models.Model):
    """A match was played to its end: what everybody who has to know is told of it, once.

    It is written in the transaction that ends the match, and never changed. Every app may read it
    here; those above ``matches`` find more by the match's public id.
    """

    match = models.CharField(max_length=20, help_text="The match's public id.")
    game = models.CharField(max_length=40)
    mode = models.CharField(max_length=40)
    seats = models.JSONField(
        help_text="By seat: the person's key, the bot, the place, and whether it stayed to the end."
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "matches finished"
        ordering = ["at"]
        constraints = [models.UniqueConstraint(fields=["match"], name="match_finished_once")]

    def __str__(self) -> str:
        return f"match {self.match}"

    @property
    def who_stayed(self) -> list[int]:
        """Keys of the people who neither conceded nor left the last answer to the clock."""
        return sorted(seat["user"] for seat in self.seats if seat["user"] and seat["stayed"])


class UnreadMatch(models.Model):
    """A finished match that one subscriber has not read yet; it goes when it is read."""

    finished = models.ForeignKey(
        MatchFinished, on_delete=models.CASCADE, related_name="unread", db_index=False
    )
    subscriber = models.CharField(max_length=40)
    tries = models.PositiveIntegerField(default=0, help_text="How often reading it has failed.")
    due_at = models.DateTimeField(
        db_index=True, help_text="When the sweep has it read (again), if nobody has by then."
    )

    class Meta:
        verbose_name_plural = "unread matches"
        constraints = [
            models.UniqueConstraint(fields=["finished", "subscriber"], name="match_read_once"),
        ]

    def __str__(self) -> str:
        return f"match {self.finished_id} for {self.subscriber}"
