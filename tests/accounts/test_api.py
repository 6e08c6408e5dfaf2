"""People in the API."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from accounts.services import guests
from accounts.services.guests import merge_guest
from core.throttles import ScopedThrottle

pytestmark = pytest.mark.django_db


def test_a_guest_made_by_the_api_can_ask_who_it_is(client: Client) -> None:
    response = client.post("/api/guests/")
    assert response.status_code == 201
    body = response.json()
    me = client.get("/api/me/", headers={"Authorization": f"Token {body['token']}"})
    assert me.status_code == 200
    assert me.json()["username"] == body["username"]
    assert me.json()["name"] == body["name"]
    assert me.json()["is_guest"] is True
    assert User.objects.count() == 1


def test_each_call_makes_another_guest(client: Client) -> None:
    first, second = client.post("/api/guests/").json(), client.post("/api/guests/").json()
    assert first["token"] != second["token"]


@pytest.mark.parametrize("token", ["", "Token nonsense"])
def test_me_needs_somebody(client: Client, token: str) -> None:
    answer = client.get("/api/me/", headers={"Authorization": token} if token else {})
    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"


def test_me_never_tells_secrets(as_member: Client) -> None:
    body = as_member.get("/api/me/").json()
    assert set(body) == {
        "username",
        "name",
        "is_guest",
        "theme",
        "date_joined",
        "is_bot",
        "shows_record",
        "shows_matches",
        "shows_decks",
    }


def test_guests_are_throttled(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScopedThrottle, "THROTTLE_RATES", {"token": "2/min"})
    answers = [client.post("/api/guests/").status_code for _ in range(3)]
    assert answers == [201, 201, 429]


def test_the_hourly_limit_is_a_problem_document(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "GUESTS_PER_HOUR", 0)
    answer = client.post("/api/guests/")
    assert answer.status_code == 429
    assert answer["Retry-After"] == "3600"
    assert answer["Content-Type"] == "application/problem+json"
    assert "try again in an hour" in answer.json()["detail"]
    assert User.objects.count() == 0


def test_a_merged_guests_token_ends(client: Client, member: User) -> None:
    body = client.post("/api/guests/").json()
    merge_guest(guest=User.objects.get(username=body["username"]), user=member)
    answer = client.get("/api/me/", headers={"Authorization": f"Token {body['token']}"})
    assert answer.status_code == 401


@pytest.mark.parametrize("address", ["/api/me/", "/api/notifications/settings/", "/api/clock/"])
def test_settings_that_there_are_not_are_refused(as_member: Client, address: str) -> None:
    body = {"nickname": "Mira the Bold"}
    answer = as_member.patch(address, body, content_type="application/json")
    assert answer.status_code == 422 and answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["type"] == "/api/problems/unknown-member/"
    assert problem["errors"] == {"nickname": ["Unknown member."]}
    assert "“nickname” is not known here. What may be sent: " in problem["detail"]
    assert as_member.get(problem["type"]).json()["title"] == "Unknown member"
