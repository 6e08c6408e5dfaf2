"""Standing orders as the database keeps them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

MAX_WORDS = 1_000


class StandingOrder(models.Model):
    """An answer that a seat has given beforehand: to a kind of question, or to every window.

    With a ``plan`` it is for the next question of its kind alone: conditions, and the steps of the
    answer (decision 32); ``step`` is the next one.

    It goes when it ends; the moves that it made stay (``MoveRow.by_order``). Whoever adds or
    removes one counts ``Match.silent_writes`` on, and nothing that others can see. It answers at
    ``due_at``, which the ply that asked has drawn.
    """

    match = models.ForeignKey("matches.Match", models.CASCADE, related_name="orders")
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(
        max_length=80, blank=True, help_text="Of the questions that it answers; empty: all windows."
    )
    move = models.JSONField(
        null=True, help_text="The answer; empty: to let windows pass, or what the plan says."
    )
    plan = models.JSONField(null=True, help_text="Conditions and steps, by their keys.")
    step = models.PositiveSmallIntegerField(default=0, help_text="The step that is next.")
    words = models.CharField(
        max_length=MAX_WORDS, help_text="The answer as its button said it, or the plan."
    )
    prompt = models.PositiveIntegerField(
        null=True, help_text="The question that it answers next, or answered last."
    )
    due_at = models.DateTimeField(
        null=True, help_text="When it answers the question that is asked now."
    )
    answered = models.PositiveIntegerField(default=0, help_text="So many questions.")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("match_id", "seat", "pk")
        indexes = (
            models.Index(
                fields=("due_at",), condition=Q(due_at__isnull=False), name="order_by_due"
            ),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("match", "seat", "kind"),
                condition=Q(plan__isnull=True),
                name="order_once_a_kind",
            ),
            models.CheckConstraint(
                condition=Q(kind="", move__isnull=True, plan__isnull=True)
                | (~Q(kind="") & Q(move__isnull=False, plan__isnull=True))
                | (~Q(kind="") & Q(move__isnull=True, plan__isnull=False)),
                name="order_of_a_kind_has_an_answer",
            ),
        )

    def __str__(self) -> str:
        return f"seat {self.seat + 1} of {self.match_id}: {self.words}"
