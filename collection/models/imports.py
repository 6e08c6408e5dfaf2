"""Lists that people bring: read, shown line by line, then applied all or nothing."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from collection.models.catalog import Card
from collection.models.holdings import Transfer
from collection.models.jobs import JobState
from collection.models.slugs import SLUG_LENGTH, new_slug


class ImportJob(models.Model):
    """One uploaded list and how far it has come."""

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="imports"
    )
    filename = models.CharField(max_length=200, blank=True)
    upload = models.BinaryField(null=True, editable=False, help_text="Gone once it is over.")
    game = models.CharField(
        max_length=40, blank=True, help_text="Default game, for lines that don't name one."
    )
    dialect = models.CharField(max_length=20, blank=True, help_text="Whose columns it has.")
    encoding = models.CharField(max_length=20, blank=True)
    replaces = models.BooleanField(
        default=False, help_text="Replaces the counts of its cards instead of adding to them."
    )
    skips_bad = models.BooleanField(default=False, help_text="Skip unrecognised lines.")
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.WAITING)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)
    summary = models.JSONField(default=dict, editable=False)
    transfer = models.ForeignKey(
        Transfer, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    undone = models.ForeignKey(
        Transfer, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now, help_text="The last sign of a worker.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["owner", "-created_at"], name="import_by_owner"),
            models.Index(fields=["state", "touched_at"], name="import_by_state"),
        ]

    def __str__(self) -> str:
        return f"import {self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("collection:import", args=[self.slug])


class LineVerdict(models.TextChoices):
    """The effect of applying a line."""

    NEW = "new", "New card"
    CHANGED = "changed", "Changed"
    SAME = "same", "Unchanged"
    UNKNOWN = "unknown", "Unknown card"
    BAD = "bad", "Invalid"
    SKIPPED = "skipped", "Skipped"


UNDERSTOOD = (LineVerdict.NEW, LineVerdict.CHANGED, LineVerdict.SAME)
OPEN = (LineVerdict.UNKNOWN, LineVerdict.BAD)
"""Lines that stand in the way until they are answered or left out."""


class ImportLine(models.Model):
    """One line of a list, as understood."""

    job = models.ForeignKey(
        ImportJob, on_delete=models.CASCADE, related_name="lines", db_index=False
    )
    number = models.PositiveIntegerField(help_text="Where it begins in the file, from 1.")
    text = models.CharField(max_length=500)
    verdict = models.CharField(max_length=8, choices=LineVerdict.choices)
    problem = models.CharField(
        max_length=300, blank=True, help_text="What is wrong, or worth knowing."
    )
    suggestions = models.JSONField(default=list, help_text="Slugs and titles of nearest cards.")
    card = models.ForeignKey(Card, on_delete=models.CASCADE, null=True, related_name="+")
    quantity = models.PositiveIntegerField(null=True)
    for_trade = models.PositiveIntegerField(null=True)
    wishlist = models.PositiveIntegerField(null=True)
    tags = models.CharField(max_length=200, blank=True)
    notes = models.TextField(max_length=2000, blank=True)
    digital = models.BooleanField(
        default=False, help_text="The line is about digital copies, so it adds none."
    )
    extra = models.JSONField(default=dict)
    outcome = models.JSONField(
        null=True,
        help_text="Once applied, at a card's first line: the holding before and after.",
    )

    class Meta:
        ordering = ["job_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["job", "number"], name="import_line_once"),
        ]
        indexes = [
            models.Index(fields=["job", "verdict", "number"], name="import_line_by_verdict"),
            models.Index(fields=["job", "card"], name="import_line_by_card"),
        ]

    def __str__(self) -> str:
        return f"line {self.number} of {self.job_id}"
