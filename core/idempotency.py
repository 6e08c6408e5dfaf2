"""Requests that may come twice: what one has made under a key is made once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, cast

from django.contrib.auth.models import AbstractBaseUser
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from core.errors import KeyUsedAgain
from core.models import IdempotencyKey

HEADER = "Idempotency-Key"
KEY_LENGTH = 40
KEPT = timedelta(days=30)
"""How long a key is remembered."""

ONCE = OpenApiParameter(
    HEADER,
    location="header",
    description=f"Up to {KEY_LENGTH} characters. The same request with the same key makes nothing "
    "a second time and gives what it made; another request with that key is refused (422). A key "
    f"is remembered for {KEPT.days} days.",
)


def once(*, user: AbstractBaseUser, key: str, content: Any, make: Callable[[], str]) -> str:
    """Call ``make``, or return what it gave for an earlier request with this key and content.

    ``content`` is plain data. Raises ``KeyUsedAgain`` if it differs from the earlier request's. A
    refusal by ``make`` uses up no key.
    """
    digest = _digest(content)
    with transaction.atomic():
        try:
            with transaction.atomic():
                # The same request at the same moment waits here until this one has ended.
                row = IdempotencyKey.objects.create(user_id=user.pk, key=key, digest=digest)
        except IntegrityError:
            row = IdempotencyKey.objects.get(user_id=user.pk, key=key)
            if row.digest != digest:
                raise KeyUsedAgain from None
            return row.result
        row.result = make()
        row.save(update_fields=["result"])
        return row.result


def once_per_key(request: Request, make: Callable[[], str]) -> str:
    """Call ``make``: once for each idempotency key, each time for requests without one."""
    key = key_of(request)
    if not key:
        return make()
    content = [request.method, request.path, _content(request)]
    return once(
        user=cast(AbstractBaseUser, request.user), key=f"api:{key}", content=content, make=make
    )


def once_per_page(request: HttpRequest, user: AbstractBaseUser, make: Callable[[], str]) -> str:
    """Call ``make`` once for a form of one page; a repetition gets what it gave before.

    Each page has a CSRF token of its own: it is masked anew whenever a page is drawn.
    """
    if not request.POST.get("csrfmiddlewaretoken"):
        return make()
    content = [request.get_full_path(), _plain_lists(request.POST, request.FILES)]
    return once(user=user, key=f"page:{_digest(content)}", content=content, make=make)


def key_of(request: Request) -> str:
    """The key that a request came under; "" for none."""
    key = request.headers.get(HEADER, "").strip()
    if len(key) > KEY_LENGTH or not (key.isascii() and key.isprintable()):
        raise serializers.ValidationError(
            {HEADER: [f"A key has up to {KEY_LENGTH} ASCII characters."]}
        )
    return key


def forget_keys() -> int:
    """Drop the keys whose time is over; how many."""
    gone, _ = IdempotencyKey.objects.filter(at__lt=timezone.now() - KEPT).delete()
    return gone


def _content(request: Request) -> Any:
    """The body as plain data; of a file its name and its hash."""
    data = request.data
    return _plain_lists(data) if isinstance(data, MultiValueDict) else data


def _plain_lists(*forms: MultiValueDict[str, Any]) -> list[tuple[str, list[Any]]]:
    """The fields of forms, as plain data."""
    lists = [(name, values) for form in forms for name, values in form.lists()]
    return sorted((name, [_plain(value) for value in values]) for name, values in lists)


def _plain(value: Any) -> Any:
    if not isinstance(value, UploadedFile):
        return value
    value.seek(0)
    digest = hashlib.file_digest(value, "sha256").hexdigest()
    value.seek(0)
    return [value.name, digest]


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
