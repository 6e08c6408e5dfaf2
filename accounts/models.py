"""People: guests, members and bot accounts."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models

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
    mail_my_turn = models.BooleanField(
        "tell me by e-mail when it is my turn",
        default=True,
        help_text="Only when you have given an e-mail address.",
    )
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
