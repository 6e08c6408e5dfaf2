"""The deck lab: runs of matches that tell how a deck does, and their shares of work."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from collection.models.jobs import JobState
from collection.models.slugs import SLUG_LENGTH, new_slug
from decks.models.decks import Deck


class LabRun(models.Model):
    """A version of a deck, or two of them, against a field; kept as they were when it began."""

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lab_runs"
    )
    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="lab_runs")
    mode = models.SlugField(max_length=50)
    options = models.JSONField(default=dict)
    versions = models.JSONField(help_text="Number and cards of each version that plays.")
    field = models.JSONField(help_text="Name, owner and cards of each deck of the field.")
    player = models.CharField(max_length=40, help_text="The bot that plays all decks.")
    pairs = models.PositiveIntegerField()
    state = models.CharField(
        max_length=10, choices=JobState.choices, default=JobState.WORKING, editable=False
    )
    done = models.PositiveIntegerField(default=0, editable=False, help_text="Finished shares.")
    total = models.PositiveIntegerField(default=0, editable=False, help_text="All shares.")
    problem = models.TextField(blank=True)
    results = models.JSONField(
        null=True, editable=False, help_text="What its shares came to, once it has ended."
    )
    created_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now, help_text="A worker’s last sign.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner"], condition=Q(state="working"), name="lab_run_one_at_a_time"
            ),
        ]
        indexes = [
            models.Index(fields=["deck", "-created_at"], name="lab_run_by_deck"),
            models.Index(
                fields=["touched_at"], condition=Q(state="working"), name="lab_run_working"
            ),
        ]

    def __str__(self) -> str:
        return f"lab run {self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("decks:lab_run", args=[self.slug])


class LabShare(models.Model):
    """A few pairs of a run under way; ``results`` is None until a worker has played them."""

    run = models.ForeignKey(LabRun, on_delete=models.CASCADE, related_name="shares")
    number = models.PositiveIntegerField()
    units = models.JSONField(help_text="Version and number of each pair.")
    results = models.JSONField(null=True)
    claimed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["run_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="lab_share_once"),
        ]

    def __str__(self) -> str:
        return f"share {self.number} of {self.run_id}"
