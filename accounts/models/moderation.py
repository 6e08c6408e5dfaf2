"""Texts of people that can be hidden and reported: abstract rows, made real by the apps."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

WHY_LENGTH = 500


class Written(models.Model):
    """Something that somebody wrote for others. Moderators may hide it."""

    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    text: Any
    author: Any
    at: Any

    class Meta:
        abstract = True


class ReportState(models.TextChoices):
    """The outcome of a report."""

    OPEN = "open", "Open"
    ACTED = "acted", "Acted upon"
    DISMISSED = "dismissed", "Dismissed"


class WrittenReport(models.Model):
    """Somebody asks the moderators to look at something.

    The context is a copy of what stood around it, so that it can be judged later.
    """

    why = models.CharField("what is wrong", max_length=WHY_LENGTH, blank=True)
    context = models.JSONField(default=list, editable=False)
    state = models.CharField(max_length=9, choices=ReportState.choices, default=ReportState.OPEN)
    note = models.TextField("moderator's note", blank=True, max_length=2000)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField("reported", default=timezone.now)
    decided_at = models.DateTimeField(null=True, blank=True)

    about: Any
    reporter: Any

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"report {self.pk}"

    @property
    def subject(self) -> Written | None:
        """The reported row, if it still exists."""
        raise NotImplementedError
