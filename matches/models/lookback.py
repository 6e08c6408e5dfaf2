"""Looking back at finished matches: what a thinker finds about each decision of a seat."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from matches.models.matches import Match


class LookBackState(models.TextChoices):
    """How far the work has come."""

    WORKING = "working", "In progress"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"


class LookBack(models.Model):
    """The numbers on the decisions of one seat of a finished match, and how far the work has come.

    ``plies`` are the decisions that are looked at, ``points`` what was found about the first
    ``done`` of them. ``engine`` says by which rules and search.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="look_backs", db_index=False)
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="look_backs")
    engine = models.CharField(max_length=80)
    state = models.CharField(
        max_length=8, choices=LookBackState.choices, default=LookBackState.WORKING
    )
    decisions = models.PositiveIntegerField(default=0, help_text="All that the seat made.")
    plies = models.JSONField(default=list, editable=False)
    done = models.PositiveIntegerField(default=0, editable=False)
    points = models.JSONField(default=list, editable=False)
    shared = models.BooleanField(
        default=False, help_text="All who may see the match may see it, not only its person."
    )
    seconds = models.FloatField(default=0, editable=False, help_text="Processor time so far.")
    asked_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now, help_text="A worker’s last sign.")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("match", "seat"), name="look_back_once_a_seat"),
            models.UniqueConstraint(
                fields=("user",), condition=Q(state="working"), name="look_back_one_at_a_time"
            ),
        )
        indexes = (
            models.Index(
                fields=("touched_at",), condition=Q(state="working"), name="look_back_working"
            ),
            models.Index(F("user"), F("asked_at").desc(), name="look_back_by_user"),
        )

    def __str__(self) -> str:
        return f"look back at seat {self.seat + 1} of {self.match_id}"
