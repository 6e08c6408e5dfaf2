"""How allauth logs people in here: guests, wrong passwords, known browsers, second factors."""

from __future__ import annotations

import unicodedata
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context as allauth_context
from allauth.core import ratelimit
from allauth.core.internal.ratelimit import get_ip
from allauth.mfa.adapter import DefaultMFAAdapter
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from accounts.names import readable_name, tidy_name
from accounts.queries import devices
from accounts.queries.people import current_guest
from accounts.services.guests import GUEST_PREFIX, guest_for_upgrade, merge_guest
from core.background import after_commit

_ACCOUNT_FAILED = "account_failed"


class AccountAdapter(DefaultAccountAdapter):
    """Signing up turns the guest's row into a member; logging in hands the guest's things over.

    Wrong passwords count for an account and the address that they come from, so that nobody keeps
    the owner out from elsewhere. All addresses together have a limit too, which a browser that its
    person has logged in with before does not meet.
    """

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": ("Wrong username or password."),
        "email_password_mismatch": (
            "This address and password do not belong together. Check both and try again."
        ),
        "too_many_login_attempts": (
            "Too many wrong passwords. Wait a few minutes, or reset your password."
        ),
        "incorrect_password": "This is not your password. Check it and try again.",
        "username_taken": "That username is taken.",
        "email_taken": "An account with this address exists. Log in instead.",
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        if username.lower().startswith(GUEST_PREFIX):
            raise ValidationError(f"Names that begin with “{GUEST_PREFIX}” are for guests.")
        return str(super().clean_username(username, shallow=shallow))

    def new_user(self, request: HttpRequest) -> User:
        guest = current_guest(request)
        if guest is not None:
            return guest_for_upgrade(guest=guest)
        user: User = super().new_user(request)
        return user

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        name = tidy_name(form.cleaned_data.get("display_name", ""))
        if name:
            readable_name(name)
        user.display_name = name or form.cleaned_data.get("username", "")
        saved: User = super().save_user(request, user, form, commit=commit)
        return saved

    def login(self, request: HttpRequest, user: User) -> None:
        guest = current_guest(request) or getattr(request, "guest_who_logs_in", None)
        with transaction.atomic():
            if guest is not None and guest.pk != user.pk:
                merge_guest(guest=guest, user=user)
            super().login(request, user)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        super().pre_authenticate(request, **credentials)
        allowed = ratelimit.consume(
            request, action=_ACCOUNT_FAILED, key=_account(**credentials), dry_run=True
        )
        if not allowed and not _has_logged_in_here(request, _account(**credentials)):
            raise self.validation_error("too_many_login_attempts")

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        ratelimit.consume(request, action=_ACCOUNT_FAILED, key=_account(**credentials))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        return f"{_account(**credentials)} from {get_ip(request)}"

    def forget_wrong_passwords(self, request: HttpRequest, user: User) -> None:
        """Let somebody who has just proved to be the owner try again at once."""
        addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
        for name in {user.username, user.email, *addresses}:
            key = self._get_login_attempts_cache_key(request, username=name)
            ratelimit.clear(request, action="login_failed", key=key)
            ratelimit.clear(request, action=_ACCOUNT_FAILED, key=_account(username=name))

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **kwargs)
        if not kwargs.get("signup") and not devices.is_known(request, user):
            self.send_notification_mail("accounts/email/new_device", user)
        devices.remember(response, request, user)
        return response

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell of what has happened, and from where; a command of ours is not told of."""
        if self.request is not None:
            browser = devices.described(self.get_http_user_agent(self.request))
            known = (context or {}) | {"user_agent": browser}
            super().send_notification_mail(template_prefix, user, known, email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send once what it tells of has happened; a mail server that is away undoes nothing."""
        request = allauth_context.request or self.request
        around = {"request": request, "email": email, "current_site": get_current_site(request)}
        message = self.render_mail(template_prefix, email, around | context)
        after_commit(message.send)


class SecondFactorAdapter(DefaultMFAAdapter):
    """Our words, and the username in the authenticator app: an address is optional here."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": (
            "Wrong code. The app shows a new one every 30 seconds: enter the current one."
        ),
    }

    def get_totp_label(self, user: User) -> str:
        return user.username


def _account(**credentials: str) -> str:
    """The account that somebody wants to enter, however its name is written."""
    name = credentials.get("email") or credentials.get("username") or ""
    return unicodedata.normalize("NFKC", name).casefold()


def _has_logged_in_here(request: HttpRequest, account: str) -> bool:
    """True if the owner of an account has used this browser for it before."""
    known = [mark.partition(".")[0] for mark in devices.people_of(request)]
    people = User.objects.filter(pk__in=known) if known else ()
    return any(
        account in {_account(username=user.username), _account(username=user.email)}
        and devices.is_known(request, user)
        for user in people
    )
