"""Fields shared by all background jobs."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class JobState(models.TextChoices):
    """Where a piece of work stands."""

    WAITING = "waiting", "Queued"
    WORKING = "working", "In progress"
    READY = "ready", "Ready to review"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


UNDER_WAY = (JobState.WAITING, JobState.WORKING)
OVER = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


class FileJob(models.Model):
    """Work that ends in a file; models of it say its folder, and what there is in ``total``."""

    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.WAITING)
    done = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now, help_text="The last sign of a worker.")
    finished_at = models.DateTimeField(null=True, blank=True)
    file = models.FileField(blank=True)

    class Meta:
        abstract = True

    def get_absolute_url(self) -> str:
        """The page with the file."""
        raise NotImplementedError

    @property
    def recipient_id(self) -> int:
        """The key of the person for whom the file is made."""
        raise NotImplementedError

    @property
    def subject(self) -> str:
        """A name for the contents of the file, as notifications have it."""
        raise NotImplementedError

    @property
    def under_way(self) -> bool:
        """True while a worker has it, or is to have it."""
        return self.state in UNDER_WAY
