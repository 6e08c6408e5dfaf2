"""Consequences of a login or logout, a password, an address or a second factor that changed."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.signals import email_added, email_removed, password_reset
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import User
from accounts.services.sessions import end_all_sessions, list_session
from accounts.signals import session_ended


@receiver(user_logged_in)
def list_the_session(request: HttpRequest, **_: Any) -> None:
    """Every way to log in, a guest's too, puts the session on the list."""
    list_session(request)


@receiver(user_logged_out)
def end_the_session(request: HttpRequest, **_: Any) -> None:
    """Whoever sits there next is somebody else."""
    session_ended.send(sender=User, session=request.session)


@receiver(password_reset)
def forget_wrong_passwords(request: HttpRequest, user: User, **_: Any) -> None:
    """Whoever could read the mail gets in, however often somebody guessed before."""
    get_adapter(request).forget_wrong_passwords(request, user)


@receiver(authenticator_added)
def end_sessions_without_it(
    request: HttpRequest, user: User, authenticator: Authenticator, **_: Any
) -> None:
    """A session that began with the password alone does not outlive the second factor's start."""
    if authenticator.type == Authenticator.Type.TOTP:
        end_all_sessions(user=user, but_of=request)


@receiver(email_added)
def tell_of_new_address(user: User, email_address: EmailAddress, **_: Any) -> None:
    """The address until now hears of the new one, and stays the main one."""
    # Allauth takes an address that came without a form (createsuperuser) for a second one, and
    # would put the first that is confirmed in its place without a word.
    if EmailAddress.objects.get_primary(user) is None:
        EmailAddress.objects.filter(user=user, email=user.email).update(primary=True)
    known = EmailAddress.objects.get_primary_email(user)
    if known and known != email_address.email:
        get_adapter().send_notification_mail(
            "accounts/email/address_added", user, {"added": email_address.email}, email=known
        )


@receiver(email_removed)
def tell_removed_address(user: User, email_address: EmailAddress, **_: Any) -> None:
    """The address that is gone hears of it too; it may have been the only one."""
    get_adapter().send_notification_mail(
        "accounts/email/address_removed",
        user,
        {"removed": email_address.email},
        email=email_address.email,
    )
