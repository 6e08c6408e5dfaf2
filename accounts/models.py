"""People: guests, members and bot accounts."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person (or a program that plays through the API). A guest is a person without a password yet."""

    display_name = models.CharField(max_length=40, blank=True)
    is_guest = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.display_name or self.username
