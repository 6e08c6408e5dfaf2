"""People's pages: what others see of somebody, and what nobody but themselves ever does."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.services.guests import create_guest
from matches.models import Match, Seat
from matches.queries import people
from tests.games.examples import GAME
from tests.matches.conftest import MakeMatch, api, person, queries_of
from tests.matches.test_ratings import NOON, over, read

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(ann: User, bob: User) -> list[Match]:
    """Ann's matches: won, drawn and lost against Bob, one of them private, alone, with a bot."""
    matches = [
        over([ann, bob], [1, 2], at=NOON),
        over([ann, bob], [1, 1], at=NOON + timedelta(1)),
        over([bob, ann, "greedy"], [2, 1, 3], at=NOON + timedelta(2)),
        over([bob, ann], [1, 2], at=NOON + timedelta(3), private=True),
        over([ann], [1], at=NOON + timedelta(4), mode="single"),
    ]
    Seat.objects.filter(match=matches[0], user=ann).update(deck_name="Torches")
    Seat.objects.filter(match=matches[3], user=ann).update(deck_name="Secret Plan")
    read(*matches)
    return matches


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_of_many_matches_the_last_are_read(
    played: list[Match],
    ann: User,
    stranger: User,
    make_match: MakeMatch,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those that ended last: however many run, none of them takes a place."""
    make_match()
    Seat.objects.filter(match=played[2], user=ann).update(deck_name="Wildfire")
    monkeypatch.setattr(people, "MAX_RECENT_READ", 1)
    monkeypatch.setattr(people, "MAX_DECKS_READ", 1)
    body = api(stranger).get("/api/people/ann/").json()
    assert [match["match"] for match in body["recent"]] == [played[4].slug]
    assert [deck["name"] for deck in body["decks"]] == ["Wildfire"]


def test_what_others_see(played: list[Match], ann: User, bob: User, stranger: User) -> None:
    body = api(stranger).get("/api/people/ANN/").json()
    counts = ("mode", "played", "won", "drawn", "lost")
    assert [tuple(line[name] for name in counts) for line in body["record"]] == [
        ("match", 3, 2, 1, 0),
        ("single", 1, 0, 0, 0),
    ]
    assert [(deck["name"], deck["played"], deck["won"]) for deck in body["decks"]] == [
        ("Torches", 1, 1)
    ]
    slugs = [played[n].slug for n in (4, 2, 1, 0)]
    assert [match["match"] for match in body["recent"]] == slugs
    assert [bool(match["change"]) for match in body["recent"]] == [False, False, True, True]
    assert body["ratings"][0]["now"]["matches"] == 2
    assert body["between"] == {"played": 0, "ahead": 0, "level": 0, "behind": 0}
    assert api().get("/api/people/ann/").json()["between"] is None


def test_head_to_head_counts_the_private_tables_of_both(
    played: list[Match], ann: User, bob: User
) -> None:
    assert people.person_shown(bob, ann).between == people.Between(4, 2, 1, 1)
    assert people.person_shown(ann, bob).between == people.Between(4, 1, 1, 2)


def test_private_matches_never_show_to_others(
    played: list[Match], ann: User, bob: User, stranger: User
) -> None:
    for user in (None, stranger, bob):
        for path in ("/people/ann/", "/api/people/ann/", "/people/bob/", "/api/people/bob/"):
            if user is bob and "bob" in path:
                continue
            page = client_of(user).get(path).content.decode()
            assert played[3].slug not in page and "Secret Plan" not in page, (user, path)
    own = client_of(ann).get("/people/ann/").content.decode()
    assert played[3].slug in own and "Secret Plan" not in own


def test_what_is_public_is_theirs_to_say(played: list[Match], ann: User, stranger: User) -> None:
    client = client_of(ann)
    parts = {"shows_record": ("record", "ratings"), "shows_matches": ("recent",)}
    for setting, hidden in (parts | {"shows_decks": ("decks",)}).items():
        others = {name: "on" for name in (*parts, "shows_decks") if name != setting}
        assert client.post("/you/public/", others).status_code == 302
        body = api(stranger).get("/api/people/ann/").json()
        nulls = {name for name in ("record", "ratings", "recent", "decks") if body[name] is None}
        assert nulls == set(hidden)
        assert all(api(ann).get("/api/people/ann/").json()[name] is not None for name in hidden)
        if setting == "shows_record":
            assert not any(match["change"] for match in body["recent"])
    assert client.post("/you/public/", {}).status_code == 302
    page = client_of(stranger).get("/people/ann/").content.decode()
    assert "This profile is private." in page
    me = api(ann).patch("/api/me/", {"shows_decks": True, "is_bot": True}).json()
    names = ("shows_record", "shows_decks", "is_bot")
    assert [me[name] for name in names] == [False, True, True]
    assert "Program" in client_of(stranger).get("/people/ann/").content.decode()


def test_guests_have_a_page_and_are_marked(bob: User) -> None:
    guest = create_guest(address="192.0.2.1")
    match = over([guest, bob], [1, 2])
    read(match)
    page = client_of(bob).get(f"/people/{guest.username}/")
    assert page.status_code == 200 and "Guest" in page.content.decode()
    seats = api().get(f"/api/matches/{match.slug}/").json()["seats"]
    assert [(seat["username"], seat["is_guest"]) for seat in seats] == [
        (guest.username, True),
        ("bob", False),
    ]
    assert api().get("/api/people/nobody-at-all/").status_code == 404
    User.objects.filter(pk=guest.pk).update(is_active=False)
    assert api().get(f"/api/people/{guest.username}/").status_code == 404


def test_a_page_takes_as_many_queries_for_many_matches(
    played: list[Match], ann: User, stranger: User
) -> None:
    def ask() -> Any:
        return people.person_shown(stranger, ann)

    few = queries_of(ask)
    others = [person(f"P{n}") for n in range(4)]
    matches = [over([ann, other], [1, 2], game=GAME) for other in others * 3]
    read(*matches)
    assert queries_of(ask) == few <= 8


def test_names_lead_to_their_people(match: Match, ann: User, bob: User) -> None:
    assert '/people/bob/"' in client_of(ann).get(f"/matches/{match.slug}/").content.decode()
    User.objects.filter(pk=bob.pk).update(is_bot=True)
    page = client_of(ann).get(f"/matches/{match.slug}/").content.decode()
    assert "Program" in page
    seats = api(ann).get(f"/api/matches/{match.slug}/").json()["seats"]
    assert [seat["is_bot"] for seat in seats] == [False, True]
