"""What work that takes a while has in common."""

from __future__ import annotations

from django.db import models


class JobState(models.TextChoices):
    """Where a piece of work stands."""

    WAITING = "waiting", "Waiting for a worker"
    WORKING = "working", "Under way"
    READY = "ready", "Ready for your word"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


OVER = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)
