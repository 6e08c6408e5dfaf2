"""The registration sheets of a whole check, drawn by a worker."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from collection.models.jobs import JobState
from decks.models.checks import DeckCheck

UNDER_WAY = (JobState.WAITING, JobState.WORKING)


class SheetJob(models.Model):
    """One PDF with a sheet for every deck of a check, and how far it has come."""

    check_of = models.ForeignKey(DeckCheck, on_delete=models.CASCADE, related_name="sheet_jobs")
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.WAITING)
    total = models.PositiveIntegerField(default=0, help_text="Decks.")
    done = models.PositiveIntegerField(default=0)
    drawn_from = models.CharField(
        max_length=300, blank=True, help_text="How the pile stood when drawing began."
    )
    problem = models.TextField(blank=True)
    file = models.FileField(upload_to="registration/", blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now, help_text="The last sign of a worker.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["check_of"],
                condition=Q(state__in=["waiting", "working"]),
                name="sheet_job_one_under_way",
            ),
        ]
        indexes = [models.Index(fields=["state", "touched_at"], name="sheet_job_by_state")]

    def __str__(self) -> str:
        return f"sheets of {self.check_of_id}"

    @property
    def under_way(self) -> bool:
        """Whether a worker has it, or is to have it."""
        return self.state in UNDER_WAY
