"""What concerns all that is somebody's is asked for with the password, by programs too.

A page asks for it with allauth's own form. A token that was lost or stolen is not enough here, so a
program sends the password along, and the code where there is a second factor. Wrong ones count as
they do when somebody logs in.
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
