"""Names, themes and what others see of a person."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from accounts.names import tidy_name
from accounts.signals import time_zone_changed


def save_profile(*, user: User, display_name: str, theme: str) -> User:
    """Change what a person may change about themselves."""
    user.display_name = tidy_name(display_name)
    user.theme = theme
    user.save(update_fields=["display_name", "theme"])
    return user


def save_what_is_public(
    *, user: User, shows_record: bool, shows_matches: bool, shows_decks: bool, is_bot: bool
) -> User:
    """Change what others see of somebody, and whether they are told that a program plays."""
    user.shows_record, user.shows_matches = shows_record, shows_matches
    user.shows_decks, user.is_bot = shows_decks, is_bot
    user.save(update_fields=["shows_record", "shows_matches", "shows_decks", "is_bot"])
    return user


def save_theme(*, user: User, theme: str) -> None:
    """Keep the theme with the person, for the next device."""
    User.objects.filter(pk=user.pk).update(theme=theme)


def save_table_settings(*, user: User, shown_pace: str, has_sound: bool) -> None:
    """Keep with the person how tables show what happens, for the next device."""
    User.objects.filter(pk=user.pk).update(shown_pace=shown_pace, has_sound=has_sound)


@transaction.atomic
def adopt_time_zone(*, user: User, name: str) -> None:
    """Take the browser's time zone for a person who has none yet; a chosen one stays."""
    if User.objects.filter(pk=user.pk, time_zone="").update(time_zone=name):
        user.time_zone = name
        time_zone_changed.send(User, user=user, before="")
