"""House formats and deck checks by API: a whole event, and who may do what."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from rest_framework.test import APIClient

from accounts.models import User
from decks.lists.textlist import write_list
from decks.models import DeckCheck
from decks.services import checks as services
from decks.services import decks as deck_services
from tests.games.examples import CLAW, GAME, OTHER_GAME, READY_CARDS, TOO_FEW_CARDS

pytestmark = pytest.mark.django_db

TEXT = write_list(READY_CARDS, GAME)
FORMAT = {
    "game": GAME,
    "mode": "tournament",
    "name": "Clawless",
    "options": {"singleton": True},
    "restricted": {CLAW: {"most": 0, "reason": "Dull"}},
}


def as_(name: str) -> APIClient:
    user, _ = User.objects.get_or_create(username=name)
    api = APIClient()
    api.force_authenticate(user)
    return api


def test_a_whole_event(catalog: object) -> None:
    ada, ben = as_("ada"), as_("ben")
    answer = ada.post("/api/formats/", FORMAT)
    assert answer.status_code == 201
    body = {"title": "Open", "game": GAME, "mode": "tournament"}
    event = ada.post("/api/deck-checks/", body | {"format": answer.json()["slug"]}).json()
    address = f"/api/deck-checks/{event['slug']}/"
    assert event["format_version"] == 1
    added = ada.post(f"{address}decks/", {"decks": [{"player": "Jo", "list": TEXT}]})
    assert added.json() == {"added": 1}
    deck = deck_services.create_deck(
        owner=User.objects.get(username="ben"),
        game=GAME,
        mode="tournament",
        name="Mine",
        cards={"main": {slug: n for slug, n in READY_CARDS["main"].items() if slug != CLAW}},
    )
    mine = ben.put(f"{address}mine/", {"deck": deck.slug})
    assert mine.json()["name"] == "Mine"
    services.judge_check(check_id=DeckCheck.objects.get().pk)
    pile = ada.get(f"{address}decks/").json()["results"]
    verdicts = {row["player"]: {p["rule"] for p in row["report"]["problems"]} for row in pile}
    assert verdicts == {"Jo": {"HOUSE-01"}, "ben": {TOO_FEW_CARDS}}
    assert [row["player"] for row in ada.get(f"{address}decks/?show=legal").json()["results"]] == []
    locked = ada.patch(address, {"lock": True}).json()
    assert locked["locked_at"] and not locked["open"]
    assert ben.put(f"{address}mine/", {"deck": deck.slug}).status_code == 409
    assert ben.delete(f"{address}mine/").status_code == 409
    assert ben.get(f"{address}mine/").json()["sha256"] == mine.json()["sha256"]


def test_formats_have_versions(catalog: object) -> None:
    ada, ben = as_("ada"), as_("ben")
    slug = ada.post("/api/formats/", FORMAT).json()["slug"]
    address = f"/api/formats/{slug}/"
    assert ben.post(address, {"options": {}}).status_code == 403
    assert ada.post(address, {"sets": ["nowhere"]}).status_code == 422
    second = ada.post(address, {"sets": ["master"], "note": "Smaller"}).json()
    assert [row["number"] for row in second["versions"]] == [2, 1]
    report = ben.post(
        "/api/decks/check/",
        {"game": GAME, "mode": "tournament", "deck": READY_CARDS, "format": second["check_format"]},
    )
    assert report.json()["legal"] is True
    assert ben.delete(address).status_code == 403
    assert ada.delete(address).status_code == 204
    assert APIClient().get(address).json()["retired"] is True
    left = APIClient().get("/api/formats/").json()["results"]
    assert address not in {f"/api/formats/{row['slug']}/" for row in left}


def test_a_version_is_announced_by_api(catalog: object) -> None:
    ada = as_("ada")
    slug = ada.post("/api/formats/", FORMAT).json()["slug"]
    address = f"/api/formats/{slug}/"
    day = timezone.now() + timedelta(days=9)
    body = {"sets": ["master"], "valid_from": day.isoformat()}
    answer = ada.post(address, body).json()
    assert [row["number"] for row in answer["versions"]] == [2, 1]
    assert answer["version"] == 1 and answer["check_format"]["singleton"] is True
    assert parse_datetime(answer["versions"][0]["valid_from"]) == day
    past = (day - timedelta(days=10)).isoformat()
    assert ada.post(address, body | {"valid_from": past}).status_code == 422
    assert ada.post(address, body | {"valid_from": "soon"}).status_code == 400
    assert ada.post(address, body | {"valid_from": None}, format="json").json()["version"] == 3


def test_a_format_of_another_game_by_api(catalog: object) -> None:
    options = {"target": 20, "plain_shells": ["gold", "holo"], "set_size": 40}
    body = {"game": OTHER_GAME, "mode": "battle", "name": "Shells", "options": options}
    answer = as_("ada").post("/api/formats/", body, format="json")
    assert answer.status_code == 201
    assert answer.json()["versions"][0]["options"] == options
    bad = as_("ada").post("/api/formats/", body | {"options": {"trump_size": 10}}, format="json")
    assert bad.status_code == 422
    assert "Options: target, doubles" in bad.json()["detail"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"mode": "single"}, 422),
        ({"name": " "}, 400),
        ({"options": {"none": True}}, 422),
        ({"restricted": {"no-card": {"most": 1}}}, 422),
        ({"restricted": {CLAW: {"most": -1}}}, 400),
        ({"restricted": [CLAW]}, 400),
    ],
)
def test_formats_that_cannot_be(catalog: object, change: dict[str, object], status: int) -> None:
    answer = as_("ada").post("/api/formats/", FORMAT | change)
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")


def test_permissions(catalog: object) -> None:
    ada, ben, nobody = as_("ada"), as_("ben"), APIClient()
    body = {"title": "Open", "game": GAME, "mode": "tournament"}
    assert nobody.post("/api/deck-checks/", body).status_code == 401
    slug = ada.post("/api/deck-checks/", body).json()["slug"]
    address = f"/api/deck-checks/{slug}/"
    lists = {"decks": [{"player": "Jo", "list": TEXT}]}
    people = (nobody, ben, ada)
    assert [api.get(address).status_code for api in people] == [200, 200, 200]
    assert [api.get(f"{address}decks/").status_code for api in people] == [401, 404, 200]
    assert [api.post(f"{address}decks/", lists).status_code for api in people] == [401, 404, 201]
    assert [api.get(f"{address}mine/").status_code for api in people] == [401, 404, 404]
    assert [api.patch(address, {"open": False}).status_code for api in people] == [403, 403, 200]
    assert [api.get("/api/deck-checks/").status_code for api in people] == [401, 200, 200]
    assert ben.get("/api/deck-checks/").json()["results"] == []
    assert services.stalled_checks() == []


def test_decks_come_in_any_form_and_as_files(catalog: object) -> None:
    ada = as_("ada")
    event = ada.post(
        "/api/deck-checks/", {"title": "Open", "game": GAME, "mode": "tournament"}
    ).json()
    address = f"/api/deck-checks/{event['slug']}/decks/"
    whole = {"format": "riffle-deck", "version": 1, "game": GAME, "mode": "tournament"}
    whole |= {"name": "Wildfire", "cards": {s: dict(counts) for s, counts in READY_CARDS.items()}}
    lists = [{"player": "Jo", "list": json.dumps(whole)}, {"player": "Al", "list": TEXT}]
    assert ada.post(address, {"decks": lists}).json() == {"added": 2}
    files = [
        SimpleUploadedFile("mira.json", json.dumps(whole).encode()),
        SimpleUploadedFile("bo.txt", TEXT.encode("utf-16")),
    ]
    assert ada.post(address, {"files": files}, format="multipart").json() == {"added": 2}
    services.judge_check(check_id=DeckCheck.objects.get().pk)
    pile = ada.get(address).json()["results"]
    assert [(row["player"], row["name"], row["legal"]) for row in pile] == [
        ("Jo", "Wildfire", True),
        ("Al", "Deck", True),
        ("mira", "Wildfire", True),
        ("bo", "bo", True),
    ]
    bad = SimpleUploadedFile("x.zip", b"PK\x03\x04")
    refused = ada.post(address, {"files": [bad]}, format="multipart")
    assert refused.status_code == 422 and "x.zip" in refused.json()["detail"]
    assert ada.post(address, {"decks": lists}, format="multipart").status_code == 422
    assert ada.post(address, {}, format="multipart").status_code == 400
    assert as_("ben").post(address, {"files": files}, format="multipart").status_code == 404
