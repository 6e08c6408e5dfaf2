"""Decks in the API: check anything without an account, keep one's own with one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from accounts.models import User
from collection.models import Card, Holding
from decks.api import decks as api
from decks.lists import textlist
from decks.models import Deck, Format
from decks.services import formats
from tests.games.examples import (
    CLAW,
    GAME,
    GOLD_6,
    LEFT_OUT,
    NOT_OWNED,
    NOT_SINGLE,
    OTHER_GAME,
    READY_CARDS,
    RED_7,
    TOO_FEW_CARDS,
    TOO_FEW_CHARACTERS,
    TOO_MANY_COPIES,
    UNKNOWN_CARD,
)

CHECK = "/api/decks/check/"
MakeDeck = Callable[..., Deck]

pytestmark = pytest.mark.django_db


def checked(status: int = 200, **body: Any) -> Any:
    """The answer to a check by somebody without an account."""
    about = {"game": GAME, "mode": "tournament"} | body
    answer = APIClient().post(CHECK, json.dumps(about), content_type="application/json")
    assert answer.status_code == status, answer.json()
    return answer.json()


def as_user(user: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


# Checking


def test_a_legal_deck() -> None:
    assert checked(deck=READY_CARDS, format=None) == {"legal": True, "problems": [], "unread": []}


def test_a_list_as_text_is_checked_like_a_judge_would() -> None:
    answer = checked(list="3 Claw (Red)\n", format=None, name="Old Guard")
    assert answer["legal"] is False
    assert [problem["rule"] for problem in answer["problems"]] == [
        TOO_FEW_CARDS,
        TOO_FEW_CHARACTERS,
        TOO_MANY_COPIES,
    ]
    assert answer["problems"][2] == {
        "rule": TOO_MANY_COPIES,
        "severity": "error",
        "message": "Red Claw: 3 copies found, 2 allowed.",
        "cards": [CLAW],
        "found": 3,
        "allowed": 2,
        "fix": {
            "section": "main",
            "changes": {CLAW: -1},
            "label": "Take out 1 copy of Red Claw",
        },
    }
    assert answer["problems"][0]["message"].startswith("Old Guard has 3 cards;")


def test_an_unread_line_is_a_problem_with_suggestions() -> None:
    answer = checked(list="# beasts\n2 Rde Claw")
    assert answer["problems"][0]["rule"] == UNKNOWN_CARD
    assert answer["problems"][0]["cards"] == ["Rde Claw"]
    (unread,) = answer["unread"]
    assert (unread["line"], unread["text"], unread["suggestions"][0]) == (2, "Rde Claw", CLAW)


def test_a_format_is_obeyed() -> None:
    deck = {"main": {**READY_CARDS["main"], RED_7: 2}}
    assert checked(deck=deck)["legal"] is True
    answer = checked(deck=deck, format={"singleton": True})
    assert [problem["rule"] for problem in answer["problems"]] == [LEFT_OUT, NOT_SINGLE]


def test_the_last_slash_may_be_left_out() -> None:
    body = {"game": GAME, "mode": "tournament", "deck": {}}
    assert APIClient().post(CHECK.rstrip("/"), body).status_code == 200


@pytest.mark.parametrize(
    ("body", "field", "status"),
    [
        ({}, "non_field_errors", 400),
        ({"deck": {}, "list": ""}, "non_field_errors", 400),
        ({"deck": {}, "game": "chess"}, "game", 422),
        ({"deck": {}, "mode": "blitz"}, "mode", 422),
        ({"deck": [CLAW]}, "deck", 400),
        ({"deck": {"main": [CLAW]}}, "deck", 400),
        ({"deck": {"main": {CLAW: -1}}}, "deck", 400),
        ({"deck": {"main": {CLAW: 1.5}}}, "deck", 400),
        ({"deck": {"main": {CLAW: True}}}, "deck", 400),
        ({"deck": {"main": {CLAW: 10**30}}}, "deck", 400),
        ({"deck": {"side": {CLAW: 1}}}, "deck", 422),
        ({"deck": {"main": {f"card-{n}": 1 for n in range(501)}}}, "deck", 422),
        ({"list": "Red Claw\n" * 501}, "list", 422),
        ({"list": "x" * 30_001}, "list", 400),
        ({"deck": {}, "format": {"vintage": True}}, "format", 422),
        ({"deck": {}, "format": {"singleton": "perhaps"}}, "format", 422),
        ({"deck": {}, "format": ["singleton"]}, "format", 400),
        ({"deck": {}, "name": "x" * 81}, "name", 400),
    ],
)
def test_what_cannot_be_checked_is_named(body: dict[str, Any], field: str, status: int) -> None:
    answer = checked(status, **body)
    assert field in answer["errors"]
    assert answer["status"] == status
    assert answer["type"].endswith("/bad-deck/" if status == 422 else "/invalid/")


def test_what_is_no_json_is_a_problem_document() -> None:
    answer = Client().post(CHECK, "2 Red Claw", content_type="application/json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


def test_checks_without_an_account_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api.CheckAnonThrottle, "rate", "2/min")
    for _ in range(2):
        checked(deck={})
    assert int(APIClient().post(CHECK, {}).headers["Retry-After"]) > 0
    checked(429, deck={})


def test_a_session_without_its_token_cannot_be_made_to_write(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    body = {"game": GAME, "mode": "tournament", "name": "x"}
    answer = client.post("/api/decks/", body, content_type="application/json")
    assert answer.status_code == 403


def test_a_check_touches_no_database(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        checked(list="2 Red Claw\nUnicorn")


def test_a_long_wrong_list_gets_suggestions_for_its_first_lines_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(textlist, "SUGGESTED_LINES", 3)
    unread = checked(list="\n".join(f"2 Red Clow {n}" for n in range(500)))["unread"]
    assert [bool(line["suggestions"]) for line in unread] == [True] * 3 + [False] * 497


# Keeping


def test_a_deck_is_kept_and_read(catalog: None, owner: User) -> None:
    client = as_user(owner)
    body = {"game": GAME, "mode": "tournament", "name": "Embers", "list": "2 Red Claw # strong"}
    answer = client.post("/api/decks/", body)
    assert answer.status_code == 201
    kept = answer.json()
    assert kept["deck"] == {"main": {CLAW: 2}}
    assert (kept["name"], kept["owner"], kept["size"], kept["legal"]) == (
        "Embers",
        "mira",
        2,
        False,
    )
    assert kept["visibility"] == "private"
    assert kept["report"]["problems"][0]["rule"] == TOO_FEW_CARDS
    assert client.get(f"/api/decks/{kept['slug']}/").json() == kept

    data = client.post("/api/decks/", {**body, "list": "", "name": "Empty"}).json()
    assert data["deck"] == {}
    del body["list"]
    both = client.post("/api/decks/", {**body, "deck": READY_CARDS}).json()
    assert (both["deck"], both["legal"]) == (READY_CARDS, True)


def test_a_deck_with_unread_lines_is_refused_or_kept_with_comments(
    catalog: None, owner: User
) -> None:
    client = as_user(owner)
    body = {"game": GAME, "mode": "match", "name": "x", "list": "1 Unicorn\n1 Red 7"}
    answer = client.post("/api/decks/", body)
    assert answer.status_code == 422
    assert answer.json()["detail"] == "Line 1: no card named “Unicorn”."
    assert answer.json()["errors"] == {"list": ["Line 1: no card named “Unicorn”."]}
    kept = client.post("/api/decks/", {**body, "skip_unread": True}).json()
    assert kept["deck"] == {"main": {RED_7: 1}}
    assert Deck.objects.get().typed == "# 1 Unicorn\n1 Red 7\n"


def house(by: User | None, **about: Any) -> str:
    """The address of a house format that bans the red Claw; nobody's is one of the house.

    In other modes, whose decks need it, one copy is allowed.
    """
    most = int("mode" in about)
    custom = formats.create_format(
        by=by or User.objects.create_user("judge", is_staff=True),
        game=GAME,
        name="Club night",
        rules_of=formats.Rules(restricted={CLAW: {"most": most, "reason": "too strong"}}),
        house=by is None,
        **{"mode": "tournament"} | about,
    )
    return custom.slug


def house_problems(answer: Any) -> list[str]:
    """The rules of formats that a deck breaks."""
    rules = [problem["rule"] for problem in answer.json()["report"]["problems"]]
    return [rule for rule in rules if rule.startswith("HOUSE")]


def test_a_deck_says_and_changes_what_format_it_is_for(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    client, deck = as_user(owner), make_deck(visibility="public")
    address = f"/api/decks/{deck.slug}/"
    assert client.get(address).json()["format"] is None
    slug = house(stranger)
    chosen = client.patch(address, {"format": slug}, format="json")
    assert chosen.json()["format"] == {"slug": slug, "name": "Club night", "version": 1}
    assert house_problems(chosen) == ["HOUSE-01"]
    # What is not said stays, and the list of decks knows it too.
    renamed = client.patch(address, {"name": "Cinders"}, format="json").json()
    assert renamed["format"] == chosen.json()["format"]
    assert client.get("/api/decks/").json()["results"][0]["format"] == renamed["format"]
    for nothing in (None, ""):
        client.patch(address, {"format": slug}, format="json")
        cleared = client.patch(address, {"format": nothing}, format="json")
        assert cleared.json()["format"] is None
        assert house_problems(cleared) == []
    assert deck.versions.count() == 1


def test_a_new_deck_is_for_a_format_at_once(catalog: None, owner: User) -> None:
    slug = house(None)
    body = {"game": GAME, "mode": "tournament", "name": "x", "list": "1 Red Claw"}
    answer = as_user(owner).post("/api/decks/", {**body, "format": slug}, format="json")
    assert answer.status_code == 201
    assert answer.json()["format"]["slug"] == slug
    assert house_problems(answer) == ["HOUSE-01"]
    none = as_user(owner).post("/api/decks/", {**body, "format": None}, format="json")
    assert none.json()["format"] is None


def test_a_format_goes_with_its_mode_or_comes_with_it(make_deck: MakeDeck, owner: User) -> None:
    client = as_user(owner)
    address = f"/api/decks/{make_deck().slug}/"
    here, other = house(owner), house(owner, mode="match")
    client.patch(address, {"format": here}, format="json")
    both = client.patch(address, {"mode": "match", "format": other}, format="json").json()
    assert (both["mode"], both["format"]["slug"]) == ("match", other)
    back = client.patch(address, {"mode": "tournament"}, format="json").json()
    assert back["format"] is None


def test_formats_that_a_deck_cannot_be_for_are_refused(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    deck = make_deck(visibility="public")
    address = f"/api/decks/{deck.slug}/"
    hidden, other = house(stranger, listed=False), house(owner, mode="match")
    retired = house(owner)
    formats.retire_format(by=owner, format=Format.objects.get(slug=retired))
    for wrong in (hidden, other, retired, "no-such-format", 7, ["x"], "x" * 41):
        answer = as_user(owner).patch(address, {"name": "New", "format": wrong}, format="json")
        assert answer.status_code in (400, 422), wrong
        assert list(answer.json()["errors"]) == ["format"]
    own = house(owner)
    assert as_user(stranger).patch(address, {"format": own}, format="json").status_code == 403
    assert APIClient().patch(address, {"format": own}, format="json").status_code in (401, 403)
    late = as_user(owner).patch(address, {"format": own, "expected": 9}, format="json")
    assert late.status_code == 409
    deck.refresh_from_db()
    assert (deck.name, deck.house) == ("Embers", None)


def test_others_learn_the_address_of_listed_formats_only(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    deck = make_deck(visibility="public")
    address = f"/api/decks/{deck.slug}/"
    for listed in (True, False):
        slug = house(owner, listed=listed)
        as_user(owner).patch(address, {"format": slug}, format="json")
        assert as_user(owner).get(address).json()["format"]["slug"] == slug
        for client in (as_user(stranger), APIClient()):
            seen = client.get(address).json()["format"]
            assert seen == ({"slug": slug, "name": "Club night", "version": 1} if listed else None)
            public = client.get("/api/decks/shared/").json()["results"][0]
            assert public["format"] == seen


def test_the_format_of_a_deck_is_documented() -> None:
    schemas = APIClient().get("/api/schema/?format=json").json()["components"]["schemas"]
    assert set(schemas["House"]["properties"]) == {"slug", "name", "version"}
    for name in ("Deck", "DeckSummary"):
        assert "House" in json.dumps(schemas[name]["properties"]["format"])
    for name in ("NewDeckRequest", "PatchedChangedDeckRequest"):
        assert schemas[name]["properties"]["format"]["nullable"] is True
        assert "Null or empty for none" in schemas[name]["properties"]["format"]["description"]


def test_a_deck_is_changed_in_parts(make_deck: MakeDeck, owner: User) -> None:
    client = as_user(owner)
    address = f"/api/decks/{make_deck().slug}/"
    renamed = client.patch(address, {"name": "Cinders", "visibility": "public"}).json()
    assert (renamed["name"], renamed["visibility"]) == ("Cinders", "public")
    assert renamed["deck"] == {"main": {CLAW: 2}}
    relisted = client.patch(address, {"deck": {"main": {RED_7: 1}}}).json()
    assert (relisted["name"], relisted["deck"]) == ("Cinders", {"main": {RED_7: 1}})
    wrong = client.patch(address, {"mode": "blitz"})
    assert (wrong.status_code, list(wrong.json()["errors"])) == (422, ["mode"])


def test_my_decks_are_listed_without_anybody_elses(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    make_deck(name="Mine")
    make_deck(name="Other", owner=stranger, visibility="public")
    answer = as_user(owner).get("/api/decks/").json()
    assert [row["name"] for row in answer["results"]] == ["Mine"]
    assert answer["results"][0]["size"] == 2
    assert "deck" not in answer["results"][0]


def test_my_list_takes_the_same_number_of_queries_however_long_it_is(
    make_deck: MakeDeck, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = as_user(owner)
    make_deck()
    with django_assert_num_queries(4):
        client.get("/api/decks/")
    for _ in range(3):
        make_deck(cards=READY_CARDS)
    with django_assert_num_queries(4):
        assert client.get("/api/decks/").json()["count"] == 4


VISITORS = ("anonymous", "stranger", "owner")
READ = {
    "private": {"anonymous": 404, "stranger": 404, "owner": 200},
    "unlisted": {"anonymous": 200, "stranger": 200, "owner": 200},
    "public": {"anonymous": 200, "stranger": 200, "owner": 200},
}
WRITE = {
    "private": {"anonymous": 401, "stranger": 404, "owner": 200},
    "unlisted": {"anonymous": 401, "stranger": 403, "owner": 200},
    "public": {"anonymous": 401, "stranger": 403, "owner": 200},
}


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("visibility", READ)
def test_who_may_do_what(
    make_deck: MakeDeck, owner: User, stranger: User, visibility: str, visitor: str
) -> None:
    deck = make_deck(visibility=visibility)
    client = APIClient()
    if visitor != "anonymous":
        client.force_authenticate({"owner": owner, "stranger": stranger}[visitor])
    address = f"/api/decks/{deck.slug}/"
    assert client.get(address).status_code == READ[visibility][visitor]
    expected = WRITE[visibility][visitor]
    assert client.patch(address, {"name": "New"}).status_code == expected
    deleted = client.delete(address).status_code
    assert deleted == (204 if expected == 200 else expected)
    assert Deck.objects.exists() == (visitor != "owner")


def test_the_list_and_new_decks_need_an_account() -> None:
    assert APIClient().get("/api/decks/").status_code == 401
    assert APIClient().post("/api/decks/", {}).status_code == 401


def test_an_unknown_deck_is_not_found(owner: User) -> None:
    for slug in ("nothing-here", "check2", "0"):
        assert as_user(owner).get(f"/api/decks/{slug}/").status_code == 404


def judged_by(client: APIClient, cards: dict[str, int], format: object) -> Any:
    body = {"game": GAME, "mode": "tournament", "deck": {"main": cards}, "format": format}
    return client.post(CHECK, body, format="json")


def test_a_check_takes_a_format_by_its_slug(catalog: None, owner: User) -> None:
    slug = house(owner)
    report = judged_by(APIClient(), {CLAW: 1}, slug).json()
    assert "HOUSE-01" in {problem["rule"] for problem in report["problems"]}
    in_full = APIClient().get(f"/api/formats/{slug}/").json()["check_format"]
    assert judged_by(APIClient(), {CLAW: 1}, in_full).json() == report
    plain = judged_by(APIClient(), {CLAW: 1}, None).json()
    assert plain == judged_by(APIClient(), {CLAW: 1}, "").json() != report


@pytest.mark.parametrize("format", ["no-such-one", 7, True, ["singleton"], "another mode"])
def test_a_check_refuses_what_is_no_format_of_the_mode(
    catalog: None, owner: User, format: object
) -> None:
    if format == "another mode":
        format = house(owner, mode="match")
    answer = judged_by(APIClient(), {CLAW: 1}, format)
    assert answer.status_code == 400 and "format" in str(answer.json())


def test_a_check_for_own_cards_asks_the_collection_of_who_is_logged_in(
    catalog: None, owner: User
) -> None:
    mine = formats.create_format(
        by=owner,
        game=GAME,
        mode="tournament",
        name="Own cards",
        rules_of=formats.Rules(owned_only=True),
    )
    for format in (mine.slug, {"house": {"owned_only": True}}):

        def rules_of(client: APIClient, format: object = format) -> set[str]:
            problems = judged_by(client, {GOLD_6: 1}, format).json()["problems"]
            return {problem["rule"] for problem in problems} & {"HOUSE-03", NOT_OWNED}

        assert rules_of(APIClient()) == {"HOUSE-03"}
        assert rules_of(as_user(owner)) == {NOT_OWNED}
    card = Card.objects.get(slug=GOLD_6)
    Holding.objects.create(owner=owner, card=card, physical=1)
    assert rules_of(as_user(owner)) == set()
    # Who asks for nothing of the kind is not held to a collection.
    plain = judged_by(as_user(owner), {GOLD_6: 2}, None).json()
    assert NOT_OWNED not in str(plain)


def test_what_the_rules_take_for_a_card_is_kept_as_that_card(catalog: None, owner: User) -> None:
    client, alias = as_user(owner), "Krabi Long Legs (Silver)"
    card = "krabbi-long-legs-silver"
    body = {"game": OTHER_GAME, "mode": "battle", "name": "Shore"}
    typed = client.post("/api/decks/", {**body, "list": f"1 {alias}"}, format="json")
    assert typed.status_code == 201, typed.json()
    assert typed.json()["deck"] == {"main": {card: 1}}
    cards = {"main": {alias: 1, card: 1}}
    sent = client.post("/api/decks/", {**body, "deck": cards}, format="json")
    assert sent.status_code == 201, sent.json()
    assert sent.json()["deck"] == {"main": {card: 2}}
    unknown = client.post("/api/decks/", {**body, "deck": {"main": {"Krabi": 1}}}, format="json")
    assert unknown.status_code == 422 and "“Krabi” is not a card" in str(unknown.json())
