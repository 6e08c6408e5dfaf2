"""Ratings and what changed them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models.matches import Match


class Speed(models.TextChoices):
    """At what speed a match was played, for ratings."""

    LIVE = "live", "Live"
    WEB = "web", "Correspondence"


class Ladder(models.Model):
    """The ratings of one mode at one speed; whoever writes any of them locks this row."""

    game = models.CharField(max_length=40)
    mode = models.CharField(max_length=40)
    speed = models.CharField(max_length=4, choices=Speed.choices)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("game", "mode", "speed"), name="ladder_once"),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.mode} {self.speed}"


class Rating(models.Model):
    """Where a person or a bot stands on a ladder; it follows from the rated matches."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="ratings", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="ratings"
    )
    bot = models.CharField(max_length=40, blank=True)
    mu = models.FloatField()
    sigma = models.FloatField(help_text="As it was after the last match; absence lets it grow.")
    matches = models.PositiveIntegerField(default=0)
    opponents = models.PositiveIntegerField(
        default=0,
        help_text="Different people in these matches, counted as far as a leaderboard asks.",
    )
    at = models.DateTimeField(help_text="The end of the last match that counted.")
    settled_until = models.DateTimeField(
        null=True, help_text="How long the board has it, if no further match counts."
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("ladder", "user"),
                condition=Q(user__isnull=False),
                name="rating_once_a_person",
            ),
            models.UniqueConstraint(
                fields=("ladder", "bot"), condition=~Q(bot=""), name="rating_once_a_bot"
            ),
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot="") | (Q(user__isnull=True) & ~Q(bot="")),
                name="rating_of_one",
            ),
        )
        indexes = (models.Index(fields=("ladder", "-mu"), name="rating_by_strength"),)

    def __str__(self) -> str:
        return f"{self.bot or self.user_id}: {self.mu:.1f} ± {self.sigma:.1f}"


class RatingChange(models.Model):
    """The change of one rating by one match."""

    rating = models.ForeignKey(Rating, models.CASCADE, related_name="changes", db_index=False)
    match = models.ForeignKey(Match, models.CASCADE, related_name="rating_changes", db_index=False)
    seat = models.PositiveSmallIntegerField()
    at = models.DateTimeField(help_text="The end of the match.")
    mu_before = models.FloatField()
    sigma_before = models.FloatField(help_text="With what absence had added.")
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("match", "seat"), name="rating_changes_once_a_seat"),
        )
        indexes = (
            models.Index(fields=("rating", "at", "match"), name="rating_changes_in_order"),
            models.Index(fields=("at", "match"), name="rating_changes_by_time"),
        )

    def __str__(self) -> str:
        return f"match {self.match_id}, seat {self.seat + 1}: {self.mu_before:.1f} → {self.mu:.1f}"
