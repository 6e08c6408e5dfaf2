"""Deck checks by API: one deck of a pile, papers, judging anew, and what one has handed in."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from accounts.models import User
from decks.lists.textlist import write_list
from decks.models import CheckedDeck, DeckCheck
from decks.queries import checks as queries
from decks.services import checks as services
from decks.services import decks as deck_services
from decks.services import formats
from decks.services.checks import Entry
from tests.games.examples import GAME, READY_CARDS
from tests.support.tokens import token_of

pytestmark = pytest.mark.django_db

TEXT = write_list(READY_CARDS, GAME)
SHORT = "1 Red Claw\n"


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker hears of anything."""
    monkeypatch.setattr(services, "_wake", lambda check_id: None)


@pytest.fixture
def player(catalog: None) -> User:
    return User.objects.create_user("jo")


@pytest.fixture
def check(owner: User, player: User, asleep: None) -> DeckCheck:
    """The owner's; its first deck is the player's, the second one illegal and nobody's."""
    created = announced(owner)
    hand_in(created, player)
    services.add_decks(check=created, by=owner, entries=[Entry("=Al", "Short", SHORT)])
    services.judge_check(check_id=created.pk)
    return created


def announced(organiser: User, title: str = "Spring Open") -> DeckCheck:
    return services.create_check(organiser=organiser, title=title, game=GAME, mode="tournament")


def hand_in(check: DeckCheck, player: User) -> None:
    deck = deck_services.create_deck(
        owner=player, game=GAME, mode="tournament", name="Wildfire", cards=READY_CARDS
    )
    services.hand_in(check=check, user=player, deck=deck)


def at(check: DeckCheck, end: str = "") -> str:
    return f"/api/deck-checks/{check.slug}/{end}"


def as_user(user: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def read(answer: Any) -> bytes:
    whole: bytes = answer.getvalue()
    return whole


def test_one_deck_is_read_by_its_number(check: DeckCheck, owner: User) -> None:
    client = as_user(owner)
    second = client.get(at(check, "decks/2/")).json()
    assert (second["number"], second["player"], second["legal"]) == (2, "=Al", False)
    assert second == client.get(at(check, "decks/")).json()["results"][1]
    for number in (9, 10**30):
        assert client.get(at(check, f"decks/{number}/")).status_code == 404


def test_an_organiser_takes_a_deck_off_the_pile(check: DeckCheck, owner: User) -> None:
    client = as_user(owner)
    for _ in range(2):
        assert client.delete(at(check, "decks/1/")).status_code == 204
    assert [row.number for row in queries.pile(check)] == [2]
    assert client.get(at(check)).json()["total"] == 1
    services.lock_check(check=check, by=owner)
    late = client.delete(at(check, "decks/2/"))
    assert (late.status_code, late["Content-Type"]) == (409, "application/problem+json")
    assert CheckedDeck.objects.count() == 1


def test_a_player_takes_their_own_out_while_registration_is_open(
    check: DeckCheck, owner: User, player: User
) -> None:
    services.set_open(check=check, by=owner, open=False)
    assert as_user(player).delete(at(check, "decks/1/")).status_code == 409
    services.set_open(check=check, by=owner, open=True)
    assert as_user(player).delete(at(check, "decks/1/")).status_code == 204


def test_an_event_is_described_and_judged_by_others_too(
    check: DeckCheck, owner: User, player: User
) -> None:
    cleo = User.objects.create_user("cleo")
    about = {"held_on": "2031-05-04", "place": "The Hall", "closes_at": "2031-05-03T18:00:00Z"}
    path = at(check, "event/")
    assert as_user(player).put(path, about, format="json").status_code == 403
    answer = as_user(owner).put(path, about | {"judges": ["cleo"]}, format="json")
    assert answer.json() == about | {"judges": ["cleo"]}
    event = as_user(player).get(at(check)).json()
    assert {name: event[name] for name in about} == about
    assert as_user(cleo).put(path, {"place": "Outside"}, format="json").json()["judges"] == ["cleo"]
    assert as_user(owner).put(path, {"judges": ["nobody-here"]}, format="json").status_code == 404
    mended = {"list": write_list(READY_CARDS, GAME), "reason": "A slip"}
    assert as_user(player).put(at(check, "decks/2/"), mended, format="json").status_code == 403
    assert as_user(cleo).put(at(check, "decks/2/"), mended, format="json").json()["unread"] == []
    assert as_user(cleo).put(at(check, "decks/2/"), mended, format="json").status_code == 422
    services.judge_check(check_id=check.pk)
    assert as_user(owner).get(at(check, "decks/2/")).json()["legal"] is True
    deck = {"deck": check.decks.get(number=1).deck.slug, "player_number": " 12  34 "}
    mine = as_user(player).put(at(check, "mine/"), deck, format="json").json()
    assert (mine["player_number"], mine["number"]) == ("12 34", 1)


def test_all_are_judged_anew(check: DeckCheck, owner: User) -> None:
    client = as_user(owner)
    tally = {"legal": 1, "illegal": 1, "waiting": 0, "total": 2}
    assert client.get(at(check, "tally/")).json() == tally
    for _ in range(2):
        again = client.post(at(check, "recheck/")).json()
        assert (again["state"], again["done"], again["total"]) == ("waiting", 0, 2)
    assert client.get(at(check, "tally/")).json()["waiting"] == 2
    services.judge_check(check_id=check.pk)
    assert client.get(at(check, "tally/")).json() == tally


def test_papers_come_with_a_token(check: DeckCheck, owner: User, player: User) -> None:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token_of(owner)}")
    sheets = client.get(at(check, "sheets/"), headers={"Accept": "application/pdf"})
    assert (sheets.status_code, sheets["Content-Type"]) == (200, "application/pdf")
    assert sheets["Content-Disposition"] == 'attachment; filename="spring-open.pdf"'
    assert read(sheets).count(b"/Type /Page\n") == 2
    rest = client.get(at(check, "sheets/"), {"after": 1})
    assert read(rest).count(b"/Type /Page\n") == 1
    table = client.get(at(check, "results/"), headers={"Accept": "text/csv"})
    lines = read(table).decode().splitlines()
    assert lines[0] == "number,player,deck,legal,rules,cards,sha256,locked,notices,player_number"
    assert lines[1].startswith("1,jo,Wildfire,yes,,40,")
    assert lines[2].startswith("2,'=Al,Short,no,")
    client.credentials(HTTP_AUTHORIZATION=f"Token {token_of(player)}")
    sheet = client.get(at(check, "decks/1/sheet/"))
    assert sheet["Content-Disposition"] == 'attachment; filename="jo-spring-open.pdf"'
    assert sheet["Cache-Control"] == "private, no-store"
    assert read(sheet).startswith(b"%PDF-")


def test_there_is_no_paper_of_nothing(check: DeckCheck, owner: User) -> None:
    client = as_user(owner)
    for query, status in (({"after": 2}, 404), ({"after": "x"}, 400), ({"after": -1}, 400)):
        answer = client.get(at(check, "sheets/"), query)
        assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    empty = announced(owner)
    assert client.get(at(empty, "sheets/")).status_code == 404
    assert len(read(client.get(at(empty, "results/"))).splitlines()) == 1


def test_what_i_have_handed_in(check: DeckCheck, owner: User, player: User, stranger: User) -> None:
    other = announced(stranger, "Autumn Cup")
    hand_in(other, player)
    rows = as_user(player).get("/api/deck-checks/submitted/").json()["results"]
    assert [row["check"]["title"] for row in rows] == ["Autumn Cup", "Spring Open"]
    assert [row["legal"] for row in rows] == [None, True]
    assert rows[1]["check"] == as_user(player).get(at(check)).json()
    assert rows[1]["deck"] == READY_CARDS
    first = as_user(player).get("/api/deck-checks/submitted/", {"page_size": 1}).json()
    assert as_user(player).get(first["next"]).json()["results"] == rows[1:]
    assert as_user(owner).get("/api/deck-checks/submitted/").json()["results"] == []


ORGANISER = {
    "anonymous": 401, "stranger": 404, "friend": 404, "staff": 404, "player": 404, "owner": 200,
}  # fmt: skip
EITHER = ORGANISER | {"stranger": 403, "friend": 403, "staff": 403, "player": 200}


@pytest.mark.parametrize(
    ("method", "end", "answers"),
    [
        ("get", "tally/", ORGANISER),
        ("post", "recheck/", ORGANISER),
        ("get", "sheets/", ORGANISER),
        ("get", "results/", ORGANISER),
        ("get", "decks/1/", EITHER),
        ("get", "decks/1/sheet/", EITHER),
        ("delete", "decks/1/", EITHER | {"player": 204, "owner": 204}),
        ("get", "decks/2/", EITHER | {"player": 403}),
        ("get", "decks/2/sheet/", EITHER | {"player": 403}),
        ("delete", "decks/2/", EITHER | {"player": 403, "owner": 204}),
    ],
)
def test_who_may_do_what(
    check: DeckCheck,
    people: dict[str, APIClient],
    player: User,
    method: str,
    end: str,
    answers: dict[str, int],
) -> None:
    clients = people | {"player": as_user(player)}
    for name, expected in answers.items():
        answer = getattr(clients[name], method)(at(check, end))
        assert answer.status_code == expected, name
        if expected >= 400:
            assert answer["Content-Type"] == "application/problem+json"
    assert APIClient().get("/api/deck-checks/submitted/").status_code == 401


def _handed_in(owner: User, player: User, number: int) -> None:
    for n in range(number):
        hand_in(announced(owner, f"Event {n}"), player)


def test_lists_take_as_many_queries_however_long_they_are(
    asleep: None, owner: User, player: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in (1, 4):
        _handed_in(owner, player, number)
        with django_assert_num_queries(1):
            rows = as_user(player).get("/api/deck-checks/submitted/").json()["results"]
        with django_assert_num_queries(1):
            mine = as_user(owner).get("/api/deck-checks/").json()["results"]
        assert len(rows) == len(mine) == (1 if number == 1 else 5)


def test_a_pile_takes_as_many_queries_however_high_it_is(
    asleep: None, catalog: None, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    check = announced(owner)
    for number in (1, 4):
        entries = [Entry(f"Player {n}", "", TEXT) for n in range(number)]
        services.add_decks(check=check, by=owner, entries=entries)
        services.judge_check(check_id=check.pk)
        for end, queries_needed in (("decks/", 2), ("sheets/", 2), ("results/", 2)):
            with django_assert_num_queries(queries_needed):
                answer = as_user(owner).get(at(check, end))
                if end == "results/":
                    read(answer)


def test_the_page_of_checks_takes_as_many_queries_however_many_there_are(
    asleep: None,
    owner: User,
    player: User,
    client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client.force_login(player)
    for number in (1, 4):
        _handed_in(owner, player, number)
        for n in range(number):
            hand_in(announced(player, f"Own {n}"), player)
            formats.create_format(
                by=player, game=GAME, mode="tournament", name="F", rules_of=formats.Rules()
            )
        with django_assert_num_queries(7):
            page = client.get("/deck-checks/").content.decode()
        rows = 3 if number == 1 else 15
        assert page.count("check-row") == rows
