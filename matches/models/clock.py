"""When people's clocks run, and the site's heartbeat."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from matches.clock.hours import MIN_WINDOW, Hours

MINUTES_PER_DAY = 24 * 60


MIN_WINDOW_MINUTES = int(MIN_WINDOW.total_seconds()) // 60


class OwnHours(models.Model):
    """When a person's clocks run: the hours of a day, the weekend, the days away, in their zone.

    Whoever has no row plays day and night.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="own_hours"
    )
    opens = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Minutes after midnight; empty: day and night."
    )
    closes = models.PositiveSmallIntegerField(null=True, blank=True)
    weekend = models.BooleanField(default=False, help_text="Saturdays and Sundays do not count.")
    away = models.TextField(blank=True, help_text="The days away (ISO), with commas.")

    class Meta:
        verbose_name_plural = "own hours"
        constraints = (
            models.CheckConstraint(
                condition=Q(opens__isnull=True, closes__isnull=True)
                | Q(opens__lt=MINUTES_PER_DAY, closes__gte=F("opens") + MIN_WINDOW_MINUTES)
                | Q(
                    closes__lt=F("opens"),
                    opens__lte=F("closes") + (MINUTES_PER_DAY - MIN_WINDOW_MINUTES),
                ),
                name="hours_are_long_enough",
            ),
            models.CheckConstraint(
                condition=Q(opens__isnull=True)
                | Q(opens__lt=MINUTES_PER_DAY, closes__lt=MINUTES_PER_DAY),
                name="hours_of_one_day",
            ),
        )

    def __str__(self) -> str:
        return f"hours of {self.user_id}"

    @property
    def hours(self) -> Hours:
        """The hours as :class:`matches.clock.hours.Hours`, for computing."""
        return Hours.stored(self.user.time_zone, self.opens, self.closes, self.weekend, self.away)


class Heartbeat(models.Model):
    """When the site was last seen at work: one row, written by every sweep.

    After a gap all deadlines move by it, so nobody loses time to an outage.
    """

    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(pk=1), name="heartbeat_is_one_row"),)

    def __str__(self) -> str:
        return f"alive at {self.at}"
