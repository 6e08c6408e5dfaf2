"""Where somebody is reached beside mail. ``accounts.models`` has these models too."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

LONGEST_ADDRESS = 1000


class PushBrowser(models.Model):
    """A browser that takes messages for somebody, also while no page of ours is open in it."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_browsers"
    )
    endpoint = models.CharField(max_length=LONGEST_ADDRESS, unique=True)
    key = models.CharField(max_length=100, help_text="Its public key (p256dh).")
    auth = models.CharField(max_length=40, help_text="The secret that it shares with us.")
    name = models.CharField(max_length=60, help_text="Such as “Firefox on Windows”.")
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)
    sent_names = models.JSONField(
        default=list, help_text="The matters of the last message, so that none is sent twice."
    )
    failing_since = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=300, blank=True)
    test_due_at = models.DateTimeField(
        null=True, blank=True, help_text="When a worker is to send it a test; empty after that."
    )
    test_error = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        ordering = ("created_at", "pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(endpoint__startswith="https://"), name="push_over_https"
            ),
        )
        indexes = (
            models.Index(
                fields=("test_due_at",),
                condition=Q(test_due_at__isnull=False),
                name="browser_to_be_tested",
            ),
        )

    def __str__(self) -> str:
        return f"{self.name} of {self.person_id}"

    @property
    def is_tested_now(self) -> bool:
        """A test is on its way."""
        return self.test_due_at is not None


class HookShape(models.TextChoices):
    """The form of a web hook's messages."""

    DISCORD = "discord", "Discord"
    SLACK = "slack", "Slack, and what understands its hooks"
    NTFY = "ntfy", "ntfy"
    TELEGRAM = "telegram", "Telegram, by a bot of your own"
    JSON = "json", "A program of your own (signed JSON)"


class WebHook(models.Model):
    """An address of somebody's own that is called when they are to be told something."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="web_hook"
    )
    shape = models.CharField(max_length=10, choices=HookShape.choices)
    url = models.CharField(
        max_length=LONGEST_ADDRESS, help_text="Who knows it may write there, so it is a secret."
    )
    secret = models.CharField(max_length=80, blank=True, help_text="Signs what a program gets.")
    saved_at = models.DateTimeField(default=timezone.now)
    test_due_at = models.DateTimeField(
        null=True, blank=True, help_text="When a worker is to try it; empty after a test."
    )
    tested_at = models.DateTimeField(null=True, blank=True)
    test_error = models.CharField(max_length=300, blank=True)
    proven_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When it first answered a test well. Nothing else is sent before.",
    )
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(url__startswith="https://"), name="hook_over_https"),
            models.CheckConstraint(
                condition=Q(("secret", ""), shape__in=["discord", "slack", "ntfy", "telegram"])
                | (Q(shape="json") & ~Q(("secret", ""))),
                name="hook_of_a_program_is_signed",
            ),
        )
        indexes = (
            models.Index(
                fields=("test_due_at",),
                condition=Q(test_due_at__isnull=False),
                name="hook_to_be_tested",
            ),
        )

    def __str__(self) -> str:
        return f"{self.shape} hook of {self.person_id}"

    @property
    def is_tested_now(self) -> bool:
        """A test is on its way."""
        return self.test_due_at is not None


class AddressUse(models.TextChoices):
    """The use of a secret address."""

    CALENDAR = "calendar", "Calendar"
    FEED = "feed", "Feed"


class SecretAddress(models.Model):
    """An address that is open to whoever knows it: a calendar's or a feed reader's."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="secret_addresses", db_index=False
    )
    use = models.CharField(max_length=10, choices=AddressUse.choices)
    key = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=timezone.now)
    content = models.JSONField(
        default=dict,
        editable=False,
        help_text="Its last content, so that a change can be dated and counted.",
    )
    changed_at = models.DateTimeField(
        default=timezone.now, editable=False, help_text="When that last changed."
    )

    class Meta:
        verbose_name_plural = "secret addresses"
        constraints = (
            models.UniqueConstraint(fields=("person", "use"), name="secret_address_once_a_use"),
            models.CheckConstraint(condition=Q(use__in=["calendar", "feed"]), name="known_use"),
        )

    def __str__(self) -> str:
        return f"{self.use} of {self.person_id}"
