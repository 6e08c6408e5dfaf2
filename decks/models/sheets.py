"""The registration sheets of a whole check, drawn by a worker."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from collection.models.jobs import FileJob
from decks.models.checks import DeckCheck


class SheetJob(FileJob):
    """One PDF with a sheet for every deck of a check, and how far it has come."""

    check_of = models.ForeignKey(DeckCheck, on_delete=models.CASCADE, related_name="sheet_jobs")
    total = models.PositiveIntegerField(default=0, help_text="Decks.")
    drawn_from = models.CharField(
        max_length=300, blank=True, help_text="Fingerprint of the decks when rendering began."
    )
    file = models.FileField(upload_to="registration/", blank=True)

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
