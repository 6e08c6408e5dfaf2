"""House formats by API: who defines those of the house, and how much reading them costs."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from accounts.models import User
from decks.models import Format
from decks.services import formats as services
from tests.games.examples import CLAW, GAME

pytestmark = pytest.mark.django_db

HOUSE: dict[str, Any] = {
    "game": GAME,
    "mode": "tournament",
    "name": "House rules",
    "options": {"singleton": True},
    "house": True,
}


def define(by: User, number: int) -> Format:
    custom = services.create_format(
        by=by,
        game=GAME,
        mode="tournament",
        name=f"Format {number}",
        rules_of=services.Rules({"singleton": True}, {CLAW: {"most": 0}}, ["master"]),
    )
    services.publish_version(format=custom, by=by, rules_of=services.Rules({"singleton": True}))
    return custom


def test_the_staff_defines_formats_of_the_house(
    catalog: None, people: dict[str, APIClient]
) -> None:
    for name, expected in (("anonymous", 401), ("stranger", 403), ("friend", 403)):
        refused = people[name].post("/api/formats/", HOUSE)
        assert (refused.status_code, refused["Content-Type"]) == (
            expected,
            "application/problem+json",
        )
    assert not Format.objects.filter(defined_as="").exists()
    answer = people["staff"].post("/api/formats/", HOUSE)
    assert (answer.status_code, answer.json()["owner"]) == (201, None)
    own = people["staff"].post("/api/formats/", HOUSE | {"house": False}).json()
    assert own["owner"] == "sam"


def test_the_staff_alone_changes_and_retires_them(
    catalog: None, people: dict[str, APIClient]
) -> None:
    address = f"/api/formats/{people['staff'].post('/api/formats/', HOUSE).json()['slug']}/"
    for name, expected in (("anonymous", 401), ("stranger", 403), ("owner", 403), ("staff", 200)):
        assert people[name].post(address, {"sets": ["master"]}).status_code == expected
    assert [row["number"] for row in people["stranger"].get(address).json()["versions"]] == [2, 1]
    for name, expected in (("anonymous", 401), ("stranger", 403), ("owner", 403), ("staff", 204)):
        assert people[name].delete(address).status_code == expected
    assert people["staff"].delete(address).status_code == 204, "again changes nothing"
    left = people["anonymous"].get("/api/formats/").json()["results"]
    assert address.rstrip("/").split("/")[-1] not in [row["slug"] for row in left]


def test_a_version_that_goes_on_from_an_old_one_is_refused(
    catalog: None, people: dict[str, APIClient]
) -> None:
    owner = people["owner"]
    address = (
        f"/api/formats/{owner.post('/api/formats/', HOUSE | {'house': False}).json()['slug']}/"
    )
    toml = f'game = "{GAME}"\nmode = "tournament"\nname = "Club"\noptions = {{ no_gold = true }}\n'
    assert owner.post(address, {"sets": ["master"], "follows": 1}).status_code == 200
    for answer in (
        owner.post(address, {"options": {"exact_size": True}, "follows": 1}),
        owner.put(f"{address}toml/", {"toml": toml, "follows": 1}),
    ):
        assert (answer.status_code, answer.json()["title"]) == (409, "Newer version")
    assert len(owner.get(address).json()["versions"]) == 2
    assert owner.put(f"{address}toml/", {"toml": toml, "follows": 2}).status_code == 200


def test_formats_take_as_many_queries_however_many_there_are(
    catalog: None, owner: User, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    api = APIClient()
    api.force_authenticate(owner)
    client.force_login(owner)
    for number in (1, 4):
        for n in range(number):
            define(owner, n)
        with django_assert_num_queries(2):
            rows = api.get("/api/formats/").json()["results"]
        with django_assert_num_queries(6):
            page = client.get("/formats/").content.decode()
        own = [row for row in rows if row["owner"]]
        assert len(own) == page.count("No duplicates") == (1 if number == 1 else 5)


def test_name_and_description_change_with_a_version(
    catalog: None, people: dict[str, APIClient]
) -> None:
    owner = people["owner"]
    new = HOUSE | {"house": False, "summary": "No duplicates."}
    address = f"/api/formats/{owner.post('/api/formats/', new).json()['slug']}/"
    kept = owner.post(address, {"options": {}}).json()
    assert (kept["name"], kept["summary"]) == ("House rules", "No duplicates.")
    renamed = owner.post(address, {"options": {}, "name": " Spring  Club ", "summary": ""}).json()
    assert (renamed["name"], renamed["summary"]) == ("Spring Club", "")
    refused = owner.post(address, {"options": {}, "name": " "})
    assert refused.status_code in (400, 422)
    assert owner.get(address).json()["name"] == "Spring Club"
