"""How allauth's sign-up and login treat somebody who already plays as a guest."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest

from accounts import queries, services
from accounts.models import User
from accounts.names import readable_name, tidy_name


class AccountAdapter(DefaultAccountAdapter):
    """Signing up turns the guest's row into a member; logging in hands the guest's things over."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": (
            "This name and password do not belong together. Check both and try again."
        ),
        "email_password_mismatch": (
            "This address and password do not belong together. Check both and try again."
        ),
        "too_many_login_attempts": (
            "Too many wrong passwords. Wait a few minutes, or reset your password."
        ),
        "username_taken": "Somebody already has this username. Choose another one.",
        "email_taken": "An account with this address exists. Log in instead.",
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        if username.lower().startswith(services.GUEST_PREFIX):
            raise ValidationError(
                f"Names that begin with “{services.GUEST_PREFIX}” are for guests."
            )
        return str(super().clean_username(username, shallow=shallow))

    def new_user(self, request: HttpRequest) -> User:
        guest = queries.current_guest(request)
        if guest is not None:
            return services.guest_for_upgrade(guest=guest)
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
        guest = queries.current_guest(request)
        with transaction.atomic():
            if guest is not None and guest.pk != user.pk:
                services.merge_guest(guest=guest, user=user)
            super().login(request, user)
