"""Sheets of cards to cut out."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse

from collection.models.jobs import FileJob
from collection.models.slugs import SLUG_LENGTH, new_slug


class Paper(models.TextChoices):
    """The sheets' size."""

    A4 = "a4", "A4"
    LETTER = "letter", "Letter"


class Backs(models.TextChoices):
    """The picture behind the cards."""

    NONE = "none", "No backs"
    LONG = "long", "Backs, flipped on the long edge"
    SHORT = "short", "Backs, flipped on the short edge"


class PrintJob(FileJob):
    """One PDF: which cards, on what paper, and how far it has come."""

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="prints"
    )
    title = models.CharField(max_length=120)
    cards = models.JSONField(help_text="Game slug, card slug and copies, in order.")
    paper = models.CharField(max_length=8, choices=Paper.choices, default=Paper.A4)
    backs = models.CharField(max_length=8, choices=Backs.choices, default=Backs.NONE)
    marks = models.BooleanField(default=True, help_text="Cut marks in the margins.")
    gap = models.PositiveSmallIntegerField(default=0, help_text="Millimetres between cards.")
    total = models.PositiveIntegerField(default=0, help_text="Pages, counting both sides.")
    file = models.FileField(upload_to="prints/", blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["owner", "-created_at"], name="print_by_owner"),
            models.Index(fields=["state", "touched_at"], name="print_by_state"),
        ]

    def __str__(self) -> str:
        return f"print {self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("collection:print", args=[self.slug])

    @property
    def recipient_id(self) -> int:
        return self.owner_id

    @property
    def subject(self) -> str:
        return self.title
