"""Comments on decks that others may see, and reports of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models.moderation import Written, WrittenReport

COMMENT_LENGTH = 2_000


class DeckComment(Written):
    """A comment on a deck. Its writer and the deck's owner may remove it."""

    deck = models.ForeignKey("decks.Deck", models.CASCADE, related_name="comments", db_index=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="deck_comments", db_index=False
    )
    text = models.TextField(max_length=COMMENT_LENGTH)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(fields=("deck", "id"), name="comment_of_deck"),
            models.Index(fields=("author", "at"), name="comment_by_author"),
        )
        constraints = (
            models.CheckConstraint(condition=~Q(text=""), name="comment_says_something"),
        )

    def __str__(self) -> str:
        return self.text[:60]


class CommentReport(WrittenReport):
    """Somebody asks the moderators to look at a comment."""

    deck = models.ForeignKey(
        "decks.Deck", models.SET_NULL, null=True, related_name="comment_reports"
    )
    comment = models.ForeignKey(
        DeckComment, models.SET_NULL, null=True, blank=True, related_name="reports"
    )
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="comment_reports_about"
    )
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="comment_reports_made"
    )

    class Meta:
        ordering = ("-pk",)
        indexes = (models.Index(fields=("state", "-at"), name="comment_report_queue"),)
        constraints = (
            models.UniqueConstraint(fields=("reporter", "comment"), name="comment_reported_once"),
            models.CheckConstraint(
                condition=Q(state="open", decided_at__isnull=True)
                | (~Q(state="open") & Q(decided_at__isnull=False)),
                name="comment_report_decided_when",
            ),
        )

    @property
    def subject(self) -> Written | None:
        return self.comment
