"""People: guests, members and bot accounts."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Greatest, Least
from django.utils import timezone

from accounts.names import readable_name


class User(AbstractUser):
    """A person, or a program that plays through the API; a guest has no password yet."""

    class Theme(models.TextChoices):
        AUTO = "auto", "As the device"
        LIGHT = "light", "Light"
        DARK = "dark", "Dark"

    display_name = models.CharField(
        "display name",
        max_length=40,
        blank=True,
        validators=[readable_name],
        help_text="What others see at the table.",
    )
    is_guest = models.BooleanField(default=False)
    theme = models.CharField(max_length=5, choices=Theme.choices, default=Theme.AUTO)
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="former_guests"
    )

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(
                name="merged_guest_is_inactive",
                condition=models.Q(merged_into=None) | models.Q(is_active=False),
            ),
            models.CheckConstraint(
                name="known_theme", condition=models.Q(theme__in=["auto", "light", "dark"])
            ),
        ]

    def __str__(self) -> str:
        return self.display_name or self.username


class Friendship(models.Model):
    """Two people who let each other see more; a question until the asked one has said yes."""

    asker = models.ForeignKey(User, on_delete=models.CASCADE, related_name="friendships_asked")
    asked = models.ForeignKey(User, on_delete=models.CASCADE, related_name="friendships_received")
    created_at = models.DateTimeField(default=timezone.now)
    accepted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Least("asker", "asked"), Greatest("asker", "asked"), name="friendship_once_a_pair"
            ),
            models.CheckConstraint(
                condition=~models.Q(asker=models.F("asked")), name="friendship_of_two"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.asker_id} and {self.asked_id}"


class IdempotencyKey(models.Model):
    """A request that somebody sent under a key, and what came of it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, help_text="SHA-256 of what was asked for.")
    made = models.CharField(max_length=40, blank=True, help_text="What it made, by its slug.")
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.user_id}"
