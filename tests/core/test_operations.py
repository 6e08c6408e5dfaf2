"""Operations: who may call them, and what of a view they may set."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory

from accounts.models import User, Viewer
from core.operations import operations, tagged

operation = tagged("things")


@operation("things_list")
def list_things(user: Viewer) -> Response:
    return Response([])


@operation("things_create")
def create_thing(user: User) -> Response:
    return Response(user.username, 201)


@operation("things_forget")
def forget_things() -> Response:
    return Response()


@operation("things_slow", throttle_clases=())
def misspelt() -> Response:
    return Response()


@pytest.mark.parametrize(
    ("method", "view", "status"),
    [
        ("get", operations(get=list_things, post=create_thing), 200),
        ("post", operations(get=list_things, post=create_thing), 401),
        ("get", operations(get=create_thing), 401),
        ("post", operations(post=forget_things), 401),
    ],
)
def test_a_user_is_logged_in_and_so_is_who_writes(
    settings: object, method: str, view: object, status: int
) -> None:
    settings.API_SCOPES = {"tests": "play"}  # type: ignore[attr-defined]
    request = getattr(APIRequestFactory(), method)("/api/things/")
    request.user = AnonymousUser()
    assert view(request).status_code == status  # type: ignore[operator]


def test_a_misspelt_attribute_is_refused() -> None:
    with pytest.raises(TypeError, match="throttle_clases"):
        operations(get=misspelt)
