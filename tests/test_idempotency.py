"""Requests that come twice under one key, all over the API: made once, and once refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import models
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from collection.models import Card, ImportJob, LedgerRow, PrintJob
from core import idempotency
from core.errors import KeyUsedAgain
from core.models import IdempotencyKey
from core.tasks import forget_keys
from decks.models import CheckedDeck, Deck, DeckCheck, Format
from decks.services.checks import create_check, set_open
from decks.services.decks import create_deck
from matches.models import Match
from tests.games.examples import READY_DECK
from tests.matches.conftest import api
from tests.support.catalog import whole_catalog
from tests.support.world import CLAW, FLAME, GAME, MODE

pytestmark = pytest.mark.django_db

PLACE = {"game": GAME, "mode": MODE}
DECK = {"main": {CLAW: 1}}
SEATS = [{"kind": "person"}, {"kind": "open"}]

# Where, with what, with what else, and what it makes.
REQUESTS: list[tuple[str, dict[str, Any], dict[str, Any], type[models.Model]]] = [
    ("decks/", {**PLACE, "name": "A", "deck": DECK}, {"name": "B"}, Deck),
    ("decks/random/", {**PLACE, "name": "A"}, {"name": "B"}, Deck),
    (f"decks/ready-made/{GAME}/{READY_DECK}/copy/", {}, {"mode": MODE}, Deck),
    ("decks/SLUG/copy/", {}, {"name": "B"}, Deck),
    ("decks/import/", {**PLACE, "text": "1 Red Claw", "keep": True}, {"name": "B"}, Deck),
    ("formats/", {**PLACE, "name": "A", "options": {}}, {"name": "B"}, Format),
    ("deck-checks/", {**PLACE, "title": "A"}, {"title": "B"}, DeckCheck),
    (
        "deck-checks/CHECK/decks/",
        {"decks": [{"player": "Al", "list": "1 Red Claw"}]},
        {"decks": [{"player": "Al", "list": "2 Red Claw"}]},
        CheckedDeck,
    ),
    ("matches/", {**PLACE, "seats": SEATS}, {"time_control": "fast"}, Match),
    (
        "prints/",
        {"cards": [{"game": GAME, "card": CLAW, "count": 1}]},
        {"cards": [{"game": GAME, "card": CLAW, "count": 2}]},
        PrintJob,
    ),
    ("imports/", {"game": GAME, "text": "1 Red Claw"}, {"text": "2 Red Claw"}, ImportJob),
]


@dataclass(frozen=True)
class World:
    """Ann and what is hers, and Bob."""

    ann: User
    bob: User
    public: Deck
    check: DeckCheck


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    whole_catalog()
    monkeypatch.setattr("decks.services.checks._wake", lambda check_id: None)
    monkeypatch.setattr("collection.services.prints._wake", lambda job_id: None)
    ann, bob = (User.objects.create_user(name) for name in ("ann", "bob"))
    deck = create_deck(owner=ann, **PLACE, name="Embers", cards=DECK, visibility="public")
    return World(ann, bob, deck, create_check(organiser=ann, title="Spring Open", **PLACE))


@pytest.mark.parametrize(
    ("path", "body", "change", "made"), REQUESTS, ids=[row[0] for row in REQUESTS]
)
def test_a_key_makes_one_thing_and_is_refused_for_another(
    world: World, path: str, body: dict[str, Any], change: dict[str, Any], made: type[models.Model]
) -> None:
    address = "/api/" + path.replace("SLUG", world.public.slug).replace("CHECK", world.check.slug)
    client, key = api(world.ann), {"Idempotency-Key": "one"}
    before = made.objects.count()  # type: ignore[attr-defined]

    def ask(body: dict[str, Any], **headers: str) -> Any:
        return client.post(address, body, format="json", headers=headers)

    first = ask(body, **key)
    assert first.status_code in (201, 202), first.content
    again = ask(body, **key)
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    refused = ask(body | change, **key)
    assert refused.status_code == 422, refused.content
    assert refused.json()["type"].endswith("/key-used-again/")
    assert made.objects.count() == before + 1  # type: ignore[attr-defined]
    assert ask(body | change, **{"Idempotency-Key": "two"}).status_code == first.status_code
    assert made.objects.count() == before + 2  # type: ignore[attr-defined]
    for wrong in ("x" * 41, "\xe9"):
        assert ask(body, **{"Idempotency-Key": wrong}).status_code == 400


def test_every_address_that_makes_something_takes_a_key() -> None:
    """A POST that answers 201 or 202 has the header, or is known to make a thing once anyway."""
    document = APIClient().get("/api/schema/?format=json").json()
    once_anyway = {
        "/api/collection/starter/",  # one for each game
        "/api/friends/",  # one question between two people
        "/api/guests/",  # there is nobody yet whose key it could be
        "/api/packs/daily/",  # one a day
        "/api/webhook/test/",  # it makes nothing that stays; so many an hour
        "/api/decks/{slug}/versions/",  # a version's number is named
        "/api/tournaments/{slug}/next-season/",  # one after each season
        "/api/tournaments/{slug}/ladder/challenges/",  # one open challenge between two players
    }
    without = {
        path
        for path, methods in document["paths"].items()
        if {"201", "202"} & set(methods.get("post", {}).get("responses", {}))
        and "Idempotency-Key"
        not in {item["name"] for item in methods["post"].get("parameters", ())}
    }
    assert without <= once_anyway, without - once_anyway


def test_files_under_one_key_are_told_apart_by_what_is_in_them(world: World) -> None:
    address, client = f"/api/deck-checks/{world.check.slug}/decks/", api(world.ann)

    def ask(text: str) -> int:
        file = SimpleUploadedFile("Al.txt", text.encode())
        key = {"Idempotency-Key": "one"}
        answer = client.post(address, {"files": [file]}, format="multipart", headers=key)
        return int(answer.status_code)

    before = CheckedDeck.objects.count()
    assert [ask("1 Red Claw\n"), ask("1 Red Claw\n"), ask("2 Red Claw\n")] == [201, 201, 422]
    assert CheckedDeck.objects.count() == before + 1


@pytest.mark.parametrize(
    "other",
    [{"change": 2}, {"physical": 1}, {"change": 1, "wishlist": 3}],
    ids=["number", "way", "marks"],
)
def test_a_count_under_a_used_key_is_refused(world: World, other: dict[str, Any]) -> None:
    client, address = api(world.ann), f"/api/collection/{GAME}/{CLAW}/"
    key = {"key": "my-key-1"}
    rows = LedgerRow.objects.count()
    first = client.patch(address, {"change": 1, **key}, format="json")
    again = client.patch(address, {"change": 1, **key}, format="json")
    assert first.status_code == again.status_code == 200
    assert again.json()["physical"] == first.json()["physical"]
    refused = client.patch(address, {**other, **key}, format="json")
    assert refused.status_code == 422
    elsewhere = f"/api/collection/{GAME}/{FLAME}/"
    assert client.patch(elsewhere, {"change": 1, **key}, format="json").status_code == 422
    assert LedgerRow.objects.count() == rows + 1
    assert client.get(address).json()["physical"] == first.json()["physical"]


def test_a_count_that_changed_nothing_uses_its_key_up(world: World) -> None:
    client, address = api(world.ann), f"/api/collection/{GAME}/{CLAW}/"
    now = client.get(address).json()["physical"]
    assert (
        client.patch(address, {"physical": now, "key": "my-key-1"}, format="json").status_code
        == 200
    )
    refused = client.patch(address, {"change": 1, "key": "my-key-1"}, format="json")
    assert refused.status_code == 422
    assert client.get(address).json()["physical"] == now


def test_a_form_that_was_sent_before_with_another_number_says_so(world: World) -> None:
    client = Client()
    client.force_login(world.ann, backend="django.contrib.auth.backends.ModelBackend")
    address = f"/cards/{GAME}/{CLAW}/count/"
    assert client.post(address, {"change": "1", "token": "one-form"}).status_code == 302
    refused = client.post(address, {"change": "-1", "token": "one-form"})
    assert refused.status_code == 422
    assert "was already used for another request" in refused.content.decode()


def test_what_is_refused_uses_no_key_up(world: World) -> None:
    client, key = api(world.ann), {"Idempotency-Key": "one"}
    body = {**PLACE, "name": "", "options": {}}
    assert client.post("/api/formats/", body, format="json", headers=key).status_code == 400
    refused = {**PLACE, "name": "A", "options": {"nonsense": True}}
    assert client.post("/api/formats/", refused, format="json", headers=key).status_code == 422
    fine = {**PLACE, "name": "A", "options": {}}
    assert client.post("/api/formats/", fine, format="json", headers=key).status_code == 201


def test_a_key_is_its_sender_s_own(world: World) -> None:
    names = {
        idempotency.once(user=user, key="one", content=[user.pk], make=lambda: user.username)  # noqa: B023
        for user in (world.ann, world.bob)
    }
    assert names == {"ann", "bob"}


def test_keys_are_forgotten_after_thirty_days(world: World) -> None:
    def ask(key: str, said: str) -> str:
        return idempotency.once(user=world.ann, key=key, content=said, make=lambda: said)

    assert ask("old", "a") == ask("new", "a") == "a"
    IdempotencyKey.objects.filter(key="old").update(at=timezone.now() - timedelta(days=31))
    forget_keys()
    assert ask("old", "b") == "b"
    with pytest.raises(KeyUsedAgain):
        ask("new", "b")


def test_a_repeat_whose_thing_is_gone_makes_no_second_one(world: World) -> None:
    client, key = api(world.ann), {"Idempotency-Key": "one"}
    body = {**PLACE, "name": "A", "deck": DECK}
    slug = client.post("/api/decks/", body, format="json", headers=key).json()["slug"]
    assert client.delete(f"/api/decks/{slug}/").status_code == 204
    count = Deck.objects.count()
    assert client.post("/api/decks/", body, format="json", headers=key).status_code == 404
    assert Deck.objects.count() == count


def test_a_guest_who_logs_in_leaves_their_keys_behind(world: World) -> None:
    guest = User.objects.create_user("guest-1", is_guest=True)
    for user in (guest, world.ann):
        idempotency.once(user=user, key="one", content=user.pk, make=lambda: "made")
    assert IdempotencyKey.objects.filter(key="one").count() == 2


FORMS: list[tuple[str, dict[str, str], type[models.Model]]] = [
    (
        "/decks/new/text/",
        {"name": "A", "play": f"{GAME}/{MODE}", "visibility": "private", "text": "1 Red Claw"},
        Deck,
    ),
    (
        "/decks/import/",
        {"name": "A", "play": f"{GAME}/{MODE}", "into": "new", "text": "1 Red Claw", "keep": "1"},
        Deck,
    ),
    ("/decks/new/", {"name": "A", "play": f"{GAME}/{MODE}"}, Deck),
    ("/decks/SLUG/copy/", {"name": "A"}, Deck),
    (f"/decks/ready-made/{GAME}/{READY_DECK}/copy/", {"name": "A"}, Deck),
    ("/collection/import/", {"text": "1 Red Claw", "replaces": "add"}, ImportJob),
    (f"/formats/new/?play={GAME}/{MODE}", {"name": "A", "listed": "on"}, Format),
    ("/deck-checks/", {"title": "A", "play": f"{GAME}/{MODE}"}, DeckCheck),
]


@pytest.mark.parametrize(("address", "form", "made"), FORMS, ids=[row[0] for row in FORMS])
def test_a_form_sent_twice_from_one_page_makes_one_thing(
    world: World, address: str, form: dict[str, str], made: type[models.Model]
) -> None:
    """A double click where no script runs; the next page, or another content, makes another."""
    browser = Client()
    browser.force_login(world.ann)
    before = made.objects.count()  # type: ignore[attr-defined]
    address = address.replace("SLUG", world.public.slug)

    def send(page: str, **change: str) -> str:
        answer = browser.post(address, {**form, "csrfmiddlewaretoken": page, **change})
        assert answer.status_code == 302, answer.content.decode()
        return str(answer["Location"])

    first = send("one page")
    assert send("one page") == first
    assert made.objects.count() == before + 1  # type: ignore[attr-defined]
    name = next((name for name in ("title", "text") if name in form), "name")
    assert len({first, send("one page", **{name: "2 Red Claw"}), send("another page")}) == 3
    assert made.objects.count() == before + 3  # type: ignore[attr-defined]


def test_a_print_ordered_twice_from_one_page_is_one(world: World) -> None:
    browser = Client()
    browser.force_login(world.ann)
    claw = Card.objects.get(slug=CLAW).pk
    for page, count in (("one page", 1), ("one page", 1), ("another page", 2)):
        sent = {"action": "send", f"n-{claw}": 3, "title": "Mine", "paper": "letter"}
        answer = browser.post("/prints/new/", sent | {"csrfmiddlewaretoken": page})
        assert answer.status_code == 302
        assert PrintJob.objects.filter(owner=world.ann).count() == count


def test_lists_sent_twice_from_one_page_are_handed_in_once(world: World) -> None:
    address = world.check.get_absolute_url()
    set_open(check=world.check, by=world.ann, open=True)
    judge, player = Client(), Client()
    judge.force_login(world.ann)
    player.force_login(world.bob)

    def add(page: str, text: str) -> int:
        file = SimpleUploadedFile("Al.txt", text.encode())
        form = {"files": [file], "lists": "", "csrfmiddlewaretoken": page}
        assert judge.post(f"{address}add/", form).status_code == 302
        return world.check.decks.count()

    assert [add("page", "1 Red Claw"), add("page", "1 Red Claw")] == [1, 1]
    assert [add("page", "2 Red Claw"), add("another page", "1 Red Claw")] == [2, 3]

    def hand_in(page: str, text: str) -> tuple[int, int]:
        form = {"text": text, "name": "Mine", "anyway": "1", "csrfmiddlewaretoken": page}
        assert player.post(f"{address}hand-in/", form).status_code == 302
        return Deck.objects.filter(owner=world.bob).count(), world.check.decks.count()

    assert [hand_in("page", "1 Red Claw"), hand_in("page", "1 Red Claw")] == [(1, 4), (1, 4)]
    assert hand_in("page", "2 Red Claw") == (2, 4)


def test_each_page_has_a_token_of_its_own(world: World) -> None:
    browser = Client()
    browser.force_login(world.ann)
    pages = [browser.get("/decks/new/text/").content.decode() for _ in range(2)]
    tokens = [re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page) for page in pages]
    assert tokens[0] and not set(tokens[0]) & set(tokens[1])
