"""The API's limits: who is counted, and when the next call is allowed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from core.redis_client import link
from core.throttles import AnonThrottle, UserThrottle

pytestmark = pytest.mark.django_db


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    for throttle in (AnonThrottle, UserThrottle):
        monkeypatch.setattr(throttle, "THROTTLE_RATES", {"anon": "2/min", "user": "4/hour"})


@pytest.mark.usefixtures("few")
def test_a_limit_holds_for_one_person_and_says_when_it_ends(client: Client, member: User) -> None:
    guest = User.objects.create_user("other", password=None)
    client.force_login(member)
    answers = [client.get("/api/me/") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200] * 4 + [429]
    assert 0 < int(answers[-1]["Retry-After"]) <= 3600
    other: Any = Client()
    other.force_login(guest)
    assert other.get("/api/me/").status_code == 200


@pytest.mark.usefixtures("few")
def test_what_was_refused_does_not_put_the_end_off(client: Client) -> None:
    waits = [client.get("/api/games/") for _ in range(6)]
    assert [answer.status_code for answer in waits] == [200, 200, 429, 429, 429, 429]
    assert all(0 < int(answer["Retry-After"]) <= 60 for answer in waits[2:])
    for key in link().client.keys("riffle:*calls*"):
        link().client.expire(key, 0)
    assert client.get("/api/games/").status_code == 200
