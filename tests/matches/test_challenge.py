"""Challenging a person from their page."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import BlockKind, User
from accounts.services.blocks import block
from matches.models import Match, Status
from tests.games.examples import GAME, READY_DECK
from tests.matches.conftest import person
from tests.matches.test_pages import logged_in

pytestmark = pytest.mark.django_db

ADDRESS = "/people/bob/challenge/"


def sent(**changes: str) -> dict[str, str]:
    return {"play": f"{GAME}/match", "time_control": "fast", "deck": "", **changes}


def test_a_challenge_with_pace_and_casual(ann: User, bob: User) -> None:
    client = logged_in(ann)
    page = client.get("/people/bob/").content.decode()
    assert f'action="{ADDRESS}"' in page and "Send challenge" in page
    response = client.post(ADDRESS, sent())
    match = Match.objects.get()
    assert response["Location"] == match.get_absolute_url()
    assert (match.game, match.mode, match.time_control) == (GAME, "match", "fast")
    assert match.unrated == "casual" and match.status == Status.OPEN
    assert match.seats.get(number=1).invited == bob
    client.post(ADDRESS, sent(rated="on"))
    assert Match.objects.latest("pk").unrated == ""


def test_a_form_that_is_sent_twice_makes_one_table(ann: User, bob: User) -> None:
    client = logged_in(ann)
    seats = {"seat_1": "bot:random", "time_control": "fast"}
    seats |= {"option_guards": "1", "option_turn_limit": "80"}
    for address, form in (
        (ADDRESS, sent()),
        (f"/play/?game={GAME}&mode=match", seats),
        (f"/play/quick/?game={GAME}&mode=match", {}),
    ):
        Match.objects.all().delete()
        token = {"csrfmiddlewaretoken": "of this page"}
        answers = [client.post(address, form | token) for _ in range(2)]
        assert answers[0].status_code == 302, answers[0].content.decode()
        assert answers[1]["Location"] == answers[0]["Location"] and Match.objects.count() == 1
        client.post(address, form | {"csrfmiddlewaretoken": "of another page"})
        assert Match.objects.count() == 2


@pytest.mark.parametrize("deck", [READY_DECK, ""])
def test_a_mode_with_decks(ann: User, bob: User, deck: str) -> None:
    response = logged_in(ann).post(ADDRESS, sent(play=f"{GAME}/tournament", deck=deck))
    assert response.status_code == 302
    assert Match.objects.get().seats.get(number=0).deck is not None


def test_what_is_refused(ann: User, bob: User) -> None:
    client = logged_in(ann)
    wrong = client.post(ADDRESS, sent(play="chess/blitz"))
    assert wrong.status_code == 422 and "Send challenge" in wrong.content.decode()
    assert client.post("/people/ann/challenge/", sent()).status_code == 422
    person("Gast", is_guest=True)
    assert client.get("/people/gast/challenge/").status_code == 422
    assert Client().post(ADDRESS, sent()).status_code == 302, "to the login"
    block(user=bob, username="ann", kind=BlockKind.ALL)
    assert client.post(ADDRESS, sent()).status_code == 422
    assert not Match.objects.exists()
    assert 'id="challenge"' not in client.get("/people/ann/").content.decode()
