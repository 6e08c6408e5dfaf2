"""A person's own data in the API: the file of it, and the account's deletion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from django.contrib.auth import logout
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from accounts.data_export import download
from accounts.errors import NotSure
from accounts.models import User
from accounts.services.account_deletion import close_account
from accounts.views.reauthentication import confirm
from core.operations import tagged
from core.serializers import Doc
from core.throttles import ScopedThrottle, UserThrottle

operation = tagged("people")

_PASSWORD = Doc("Yours; a guest has none.", max_length=4096, trim_whitespace=False)
_CODE = Doc("Of your second factor, if you use one; a recovery code will do.", max_length=40)


@dataclass(frozen=True, slots=True)
class Proof:
    """Proof that it is you: your password or a code."""

    password: Annotated[str, _PASSWORD] = ""
    code: Annotated[str, _CODE] = ""


@dataclass(frozen=True, slots=True)
class Farewell:
    """Proof that it is you, and your confirmation."""

    sure: Annotated[bool, Doc("Must be true: this can't be undone.")]
    password: Annotated[str, _PASSWORD] = ""
    code: Annotated[str, _CODE] = ""


def _confirm(user: User, request: Request, body: Proof | Farewell) -> None:
    """Raises as ``accounts.views.reauthentication.confirm``."""
    confirm(
        request._request,
        user=user,
        password=body.password,
        code=body.code,
        session=request.auth is None,
    )


class ZipRenderer(JSONRenderer):
    """Lets a program ask for the file; the view itself writes it."""

    media_type = "application/zip"
    format = "zip"


@operation(
    "me_data",
    refuses=(403, 404, 429, 503),
    answers={(200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY)},
    renderer_classes=(JSONRenderer, ZipRenderer),
    throttle_scope="own-data",
    throttle_classes=[UserThrottle, ScopedThrottle],
)
def download_my_data(user: User, request: Request, body: Proof) -> HttpResponseBase:
    """Download your data: a ZIP file of JSON files."""
    _confirm(user, request, body)
    return download(request, user)


@operation(
    "me_delete",
    refuses=(403, 422, 429),
    throttle_scope="close-account",
    throttle_classes=[UserThrottle, ScopedThrottle],
)
def delete_my_account(user: User, request: Request, body: Farewell) -> None:
    """Delete your account, or this guest. All its tokens end with it, this one too.

    Running matches are conceded; finished ones stay, with “Deleted user” in your
    seat.
    """
    if not body.sure:
        raise NotSure("Send “sure”: true if you are. Nothing has been deleted.")
    _confirm(user, request, body)
    close_account(user=user)
    if request.auth is None:
        logout(request._request)
