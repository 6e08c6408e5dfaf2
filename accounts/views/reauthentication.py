"""Proof of identity, for changes that an open session or a lost token must not make.

Pages ask for the password or a code once more (allauth's ``reauthentication_required``) before
addresses, a password where there is none, the second factor, tokens and the web hook change, and
before the account is downloaded or deleted; changing a password asks for the old one. What ends
access (logging out, revoking a token, removing a hook) asks for nothing. Whoever has neither
password nor second factor, as a guest, is not asked.

In the API a browser's session gets no further (:func:`confirm_session`), and programs send the
password along for the last two, with the code where there is a second factor (:func:`confirm`).
Wrong ones count as they do when somebody logs in.
"""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from allauth.mfa.utils import is_mfa_enabled
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts.errors import NotConfirmed, TooManyPasswords
from accounts.forms import SecondFactorAgainForm
from accounts.models import User


def confirm(
    request: HttpRequest, *, user: User, password: str, code: str, session: bool = False
) -> None:
    """Whoever asks is the owner. Raises ``NotConfirmed`` and ``TooManyPasswords``.

    A guest has no password. ``session``: the browser's own session asks; it may have given the
    password on a page a moment ago.
    """
    if not user.has_usable_password():
        return
    if session and did_recently_reauthenticate(request):
        return
    if not password:
        raise NotConfirmed("Send your password, too, as “password”.")
    try:
        right = get_adapter().reauthenticate(user, password)
    except ValidationError as refusal:
        raise TooManyPasswords from refusal
    if not right:
        raise NotConfirmed("That is not your password. Check it and try again.")
    if is_mfa_enabled(user):
        _check_code(user, code)


def confirm_session(request: HttpRequest) -> None:
    """Raise ``NotConfirmed`` unless the session's owner gave the password or a code lately."""
    if not did_recently_reauthenticate(request):
        address = get_adapter(request).get_reauthentication_methods(request.user)[0]["url"]
        raise NotConfirmed(
            f"Confirm that it is you first, at {request.build_absolute_uri(address)}"
        )


def _check_code(user: User, code: str) -> None:
    if not code:
        raise NotConfirmed("Send a code of your second factor, too, as “code”.")
    form = SecondFactorAgainForm({"code": code}, user=user)
    if form.is_valid():
        form.authenticator.record_usage()
        return
    if form.has_error("code", "too_many_login_attempts"):
        raise TooManyPasswords
    raise NotConfirmed(form.errors["code"][0])
