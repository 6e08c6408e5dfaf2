"""Chat messages, notes, mutes, read markers and reports around a match.

Nothing of it belongs to the truth of a match: the engine never hears of it, and no write here
touches a match's version.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models.moderation import Written, WrittenReport

MAX_MESSAGE_LENGTH = 500


class ChatRoom(models.TextChoices):
    """Whose chat a line belongs to."""

    TABLE = "table", "Table"
    SPECTATORS = "spectators", "Spectators"


class ChatLine(Written):
    """One line of a chat. A moderator may hide it; nobody else changes it."""

    match = models.ForeignKey(
        "matches.Match", models.CASCADE, related_name="chat_lines", db_index=False
    )
    room = models.CharField(max_length=10, choices=ChatRoom.choices)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="chat_lines",
        db_index=False,
    )
    text = models.CharField(max_length=MAX_MESSAGE_LENGTH)
    ply = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="The move that it comments on, in the replay of a match that is over.",
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(fields=("match", "id"), name="chat_of_match"),
            models.Index(fields=("author", "at"), name="chat_by_author"),
        )
        constraints = (
            models.CheckConstraint(condition=~Q(text=""), name="chat_line_says_something"),
            models.CheckConstraint(
                condition=Q(room__in=("table", "spectators")), name="known_chat_room"
            ),
            models.CheckConstraint(
                condition=Q(ply__isnull=True) | Q(room="table"), name="comments_of_the_table"
            ),
        )

    def __str__(self) -> str:
        return self.text[:60]


class ChatMute(models.Model):
    """Somebody who does not want to read somebody else at one table."""

    match = models.ForeignKey("matches.Match", models.CASCADE, related_name="chat_mutes")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="chat_mutes", db_index=False
    )
    other = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "match", "other"), name="mute_once"),
            models.CheckConstraint(condition=~Q(user=models.F("other")), name="mute_of_others"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} mutes {self.other_id}"


class Note(models.Model):
    """A person's private note at a table."""

    match = models.ForeignKey("matches.Match", models.CASCADE, related_name="notes")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="match_notes", db_index=False
    )
    text = models.CharField(max_length=MAX_MESSAGE_LENGTH)
    ply = models.PositiveIntegerField(help_text="As its author counted the moves then.")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("author", "match"), name="note_of_author"),)
        constraints = (models.CheckConstraint(condition=~Q(text=""), name="note_says_something"),)

    def __str__(self) -> str:
        return f"note {self.pk}"


class TableVisit(models.Model):
    """How far somebody has read at a table."""

    match = models.ForeignKey("matches.Match", models.CASCADE, related_name="visits")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="table_visits", db_index=False
    )
    line = models.PositiveBigIntegerField(default=0, help_text="The last line of chat read.")
    saw_end = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "match"), name="visit_once"),)

    def __str__(self) -> str:
        return f"{self.user_id} at {self.match_id}"


class Report(WrittenReport):
    """Somebody asks the moderators to look at a line, or at how a seat behaves."""

    match = models.ForeignKey("matches.Match", models.SET_NULL, null=True, related_name="reports")
    line = models.ForeignKey(
        ChatLine, models.SET_NULL, null=True, blank=True, related_name="reports"
    )
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="reports_about"
    )
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="reports_made"
    )

    class Meta:
        ordering = ("-pk",)
        indexes = (models.Index(fields=("state", "-at"), name="report_queue"),)
        constraints = (
            models.UniqueConstraint(
                fields=("reporter", "line"),
                condition=Q(line__isnull=False),
                name="line_reported_once",
            ),
            models.UniqueConstraint(
                fields=("reporter", "match", "about"),
                condition=Q(line__isnull=True),
                name="person_reported_once_a_match",
            ),
            models.CheckConstraint(
                condition=Q(state="open", decided_at__isnull=True)
                | (~Q(state="open") & Q(decided_at__isnull=False)),
                name="report_decided_means_when",
            ),
        )

    @property
    def subject(self) -> Written | None:
        return self.line
