"""Notices as the database keeps them, how each person wants them, and what was sent.

All times of sending follow from these rows alone, so a
crash loses none of them.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from notices.kinds import DEFAULT_PAUSE, LONGEST_PAUSE, WAITING_KINDS, Kind

DEFAULT_MINUTES = int(DEFAULT_PAUSE.total_seconds() // 60)
MAX_MINUTES = int(LONGEST_PAUSE.total_seconds() // 60)


_WORDS = {Kind.TRADE: "Trade", Kind.INVITATION: "Invitation"}
_ICONS = {
    Kind.YOUR_TURN: "play",
    Kind.TIME_IS_RUNNING_OUT: "clock",
    Kind.INVITATION: "person",
    Kind.TABLE_BEGAN: "tables",
    Kind.MATCH_OVER: "flag",
    Kind.LOST_BY_TIME: "clock",
    Kind.FRIEND: "person",
    Kind.TRADE: "shuffle",
    Kind.DECK_CHECK: "scales",
    Kind.TOURNAMENT: "flag",
    Kind.CHAT: "chat",
    Kind.DECK_COMMENT: "chat",
    Kind.JOB_FINISHED: "check",
    Kind.REPORT: "flag",
}


class NoticeQuerySet(models.QuerySet["Notice"]):
    """Notices."""

    def open(self) -> NoticeQuerySet:
        """Those that still hold: nobody has answered or taken back what they tell of."""
        return self.filter(withdrawn_at=None)

    def unseen(self) -> NoticeQuerySet:
        """Those of them that the person has not looked at."""
        return self.open().filter(seen_at=None)


class Notice(models.Model):
    """One matter that somebody is to be told of."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices", db_index=False
    )
    kind = models.CharField(max_length=24)
    match = models.CharField(max_length=20, blank=True, help_text="The match's public id.")
    key = models.CharField(
        max_length=64, blank=True, help_text="Tells apart what is of one kind and match."
    )
    text = models.CharField(max_length=300)
    link = models.CharField(max_length=300, help_text="Where it leads, on this site.")
    created_at = models.DateTimeField(default=timezone.now)
    since = models.DateTimeField(
        default=timezone.now,
        help_text="Since when it is news: when it was last written, or a reminder was due.",
    )
    due_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When channels may send it; empty until the person's own pause is known.",
    )
    deadline_at = models.DateTimeField(null=True, blank=True)
    remind_at = models.DateTimeField(null=True, blank=True)
    reminders = models.PositiveSmallIntegerField(
        default=0, help_text="How many reminders there have been."
    )
    planned = models.BooleanField(default=False, help_text="Whether the channels know of it.")
    seen_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ("-since", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("person", "kind", "match", "key"), name="notice_once_a_matter"
            ),
            models.CheckConstraint(
                condition=~Q(text="") & Q(link__startswith="/"), name="notice_says_and_leads"
            ),
        )
        indexes = (
            models.Index(
                fields=("person", "-since"),
                condition=Q(withdrawn_at=None, seen_at=None),
                name="notice_unseen",
            ),
            models.Index(
                fields=("match", "kind"),
                condition=Q(withdrawn_at=None),
                name="notice_open_of_match",
            ),
            models.Index(
                fields=("kind", "key"),
                condition=Q(withdrawn_at=None) & ~Q(key=""),
                name="notice_open_of_key",
            ),
            models.Index(
                fields=("due_at",), condition=Q(planned=False, withdrawn_at=None), name="notice_due"
            ),
            models.Index(
                fields=("remind_at",),
                condition=Q(remind_at__isnull=False, withdrawn_at=None),
                name="notice_remind",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} for {self.person_id}"

    @property
    def told_as(self) -> Kind:
        """The kind that it is told as: a turn of which there was a reminder is time running out."""
        if self.reminders and self.kind == Kind.YOUR_TURN:
            return Kind.TIME_IS_RUNNING_OUT
        return Kind(self.kind)

    @property
    def full_text(self) -> str:
        """The text as channels send it: a reminder begins with the time that is running out."""
        hurries = self.told_as != self.kind  # else the text says so itself
        return f"Your time is running out. {self.text}" if hurries else self.text

    @property
    def word(self) -> str:
        """The kind in one word, for the header."""
        return _WORDS.get(Kind(self.kind), "")

    @property
    def icon(self) -> str:
        """The icon beside it in a list."""
        return _ICONS.get(Kind(self.kind), "bell")

    def due(self, prefs: NoticeSettings) -> datetime:
        """When channels may send it, as its person wants that."""
        if self.due_at is not None:
            return self.due_at
        return self.since + (prefs.pause if self.kind in WAITING_KINDS else timedelta())


class NoticeSettings(models.Model):
    """How one person wants to be told, and when they were here; also what senders lock."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="notice_settings",
    )
    pause_minutes = models.PositiveSmallIntegerField(
        default=DEFAULT_MINUTES,
        help_text="How long a question of a table waits before a message tells of it.",
    )
    visited_at = models.DateTimeField(
        null=True, blank=True, help_text="When they were here first after a channel had spoken."
    )
    awaits_visit = models.BooleanField(default=False, help_text="A channel has spoken since.")

    class Meta:
        verbose_name_plural = "notice settings"
        constraints = (
            models.CheckConstraint(
                condition=Q(pause_minutes__lte=MAX_MINUTES), name="pause_of_a_day_at_most"
            ),
        )

    def __str__(self) -> str:
        return f"how {self.person_id} is told"

    @property
    def pause(self) -> timedelta:
        """How long a question of a table waits before a message tells of it."""
        return timedelta(minutes=self.pause_minutes)


class Pace(models.TextChoices):
    """How often a channel may speak."""

    NOW = "now", "At once"
    DAILY = "daily", "Once a day"
    NEVER = "never", "Never"


class NoticeChannel(models.Model):
    """One channel of one person: how it is wanted, and how far it has come."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_channels", db_index=False
    )
    channel = models.CharField(max_length=20)
    pace = models.CharField(max_length=5, choices=Pace.choices, default=Pace.NOW)
    hour = models.PositiveSmallIntegerField(
        default=8, help_text="At which hour of the person's own day, where it speaks once a day."
    )
    kinds_off = models.JSONField(default=list, blank=True, help_text="What it does not tell.")
    problem = models.CharField(
        max_length=300, blank=True, help_text="Why it was switched off by itself, for the person."
    )
    next_at = models.DateTimeField(
        null=True, blank=True, help_text="When it is to send; empty where there is nothing to send."
    )
    held = models.BooleanField(
        default=False, help_text="It has spoken, and waits until the person has been here."
    )
    claim = models.UUIDField(null=True, blank=True, help_text="Of the worker that is sending.")
    claimed_until = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(
        default=0, help_text="Failures since the last success."
    )
    last_sent_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("person", "channel"), name="channel_once_a_person"),
            models.CheckConstraint(
                condition=Q(hour__lte=23) & Q(pace__in=["now", "daily", "never"]),
                name="channel_speaks_at_an_hour",
            ),
        )
        indexes = (
            models.Index(
                fields=("next_at",), condition=Q(next_at__isnull=False), name="channel_next"
            ),
        )

    def __str__(self) -> str:
        return f"{self.channel} of {self.person_id}"

    def wants(self, kind: str) -> bool:
        """True if it sends this kind."""
        return self.pace != Pace.NEVER and kind not in self.kinds_off

    def is_claimed(self, now: datetime) -> bool:
        """True while a worker sends."""
        return self.claimed_until is not None and self.claimed_until > now

    def claim_for(self, lease: timedelta, now: datetime) -> uuid.UUID:
        """Let one worker send, until the lease is over; to be saved by the caller."""
        self.claim, self.claimed_until = uuid.uuid4(), now + lease
        return self.claim

    def release(self) -> None:
        """Nobody sends any more; to be saved by the caller."""
        self.claim = self.claimed_until = None


class SentNotice(models.Model):
    """A notification that a channel has sent; renewed since, it counts as not sent."""

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="sent", db_index=False)
    channel = models.CharField(max_length=20)
    at = models.DateTimeField(help_text="When what was sent had been read.")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("notice", "channel"), name="notice_sent_once"),
        )

    def __str__(self) -> str:
        return f"{self.notice_id} by {self.channel}"
