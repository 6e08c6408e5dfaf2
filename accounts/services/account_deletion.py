"""Deleting an account: at once its name, then all that hangs on it."""

from __future__ import annotations

import secrets

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.utils import timezone

from accounts import account_deletion
from accounts.models import AccessToken, User
from accounts.services.sessions import end_rows
from accounts.signals import account_closing
from core.background import after_commit, enqueue


def close_account(*, user: User) -> None:
    """Delete an account: at once nobody can log in to it, and nothing says who it was.

    What hangs on it goes in the background (:func:`finish_closing`). Idempotent.
    """
    with transaction.atomic():
        row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if row.deleted_at is None:
            _forget_who(row)
        end_rows(UserSession.objects.filter(user=row))
        for theirs in (AccessToken, EmailAddress, Authenticator):
            theirs.objects.filter(user=row).delete()
        User.objects.filter(merged_into=row).update(display_name=account_deletion.NAME)
    after_commit(enqueue, "accounts.tasks.finish_closing", user.pk)


def _forget_who(row: User) -> None:
    row.username = f"gone-{secrets.token_hex(8)}"
    row.display_name, row.first_name, row.last_name, row.email = account_deletion.NAME, "", "", ""
    row.is_active = row.is_staff = row.is_superuser = row.is_guest = row.is_bot = False
    row.shows_record = row.shows_matches = row.shows_decks = False
    row.theme, row.last_login = User.Theme.AUTO, None
    row.shown_pace, row.has_sound = "", None
    row.set_unusable_password()
    row.deleted_at = timezone.now()
    row.save()


def finish_closing(*, user: User) -> None:
    """Let a deleted account leave its tables, and delete all that hangs on it. Safe to repeat."""
    if user.deleted_at is None:
        return
    account_closing.send(sender=User, user=user)
    with transaction.atomic():
        account_deletion.erase(user)
        if account_deletion.is_kept_somewhere(user):
            User.objects.filter(pk=user.pk).update(closed=True)
        else:
            user.delete()


def unfinished_closings(*, limit: int = 100) -> list[int]:
    """Deleted accounts of which something may be left."""
    rows = User.objects.filter(deleted_at__isnull=False, closed=False).order_by("deleted_at")
    return list(rows.values_list("pk", flat=True)[:limit])
