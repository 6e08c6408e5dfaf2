"""Counts of finished matches, kept beside them so that no page has to read them all.

Both follow from the matches alone: ``manage.py recount_matches`` makes them anew.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SeatTally(models.Model):
    """The public finished matches of a mode, by seat; the sums stand at each seat."""

    game = models.CharField(max_length=40)
    mode = models.CharField(max_length=40)
    seat = models.PositiveSmallIntegerField()
    played = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0, help_text="Wins in company.")
    plies = models.PositiveBigIntegerField(default=0)
    seconds = models.PositiveBigIntegerField(default=0, help_text="From the start to the end.")

    class Meta:
        verbose_name_plural = "seat tallies"
        constraints = (
            models.UniqueConstraint(fields=("game", "mode", "seat"), name="seat_tally_once"),
        )

    def __str__(self) -> str:
        return f"{self.game}, {self.mode}, seat {self.seat + 1}: {self.won} of {self.played}"


class PersonTally(models.Model):
    """A person's finished matches of a mode; private ones are counted apart."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="match_tallies", db_index=False
    )
    game = models.CharField(max_length=40)
    mode = models.CharField(max_length=40)
    private = models.BooleanField()
    played = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    drawn = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "person tallies"
        constraints = (
            models.UniqueConstraint(
                fields=("user", "game", "mode", "private"), name="person_tally_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id}, {self.game}, {self.mode}: {self.won} of {self.played}"
