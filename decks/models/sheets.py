"""The registration sheets of a whole check, drawn by a worker."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse

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

    def get_absolute_url(self) -> str:
        return reverse("decks:check_sheets_page", args=[self.check_of.slug])

    @property
    def recipient_id(self) -> int:
        return self.check_of.organiser_id

    @property
    def subject(self) -> str:
        return f"Registration sheets, {self.check_of.title}"
