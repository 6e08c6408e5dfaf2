"""Somebody who goes: the file of all that is theirs, and what stays of them afterwards."""

from __future__ import annotations

import json
import time
import zipfile
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from allauth.usersessions.models import UserSession
from django.db import connection
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import account_deletion, tasks
from accounts.models import AccessToken, User
from accounts.services.account_deletion import close_account, unfinished_closings
from accounts.services.guests import create_guest
from collection.models import Holding, LedgerRow, Pack, Trade, TradeState
from core.throttles import ScopedThrottle
from decks.models import CheckedDeck, Deck, DeckCheck, Format
from matches.models import Match, Rating, Seat, Status
from matches.services import people
from matches.services import ratings as ratings_services
from matches.services.setup import MatchSetup, SeatPlan, create_match
from notices.models import Notice
from tests.games.examples import GAME
from tests.matches.test_ratings import over, read
from tests.support.tokens import token_of
from tests.support.world import World, make_world

pytestmark = pytest.mark.django_db
PASSWORD = "a-long-enough-pass"
SECRET = "JBSWY3DPEHPK3PXP"


@pytest.fixture
def world(db: None) -> World:
    return make_world()


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def with_token(user: User) -> Any:
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {token_of(user)}")
    return api


def one_code() -> str:
    return str(format_hotp_value(hotp_value(SECRET, int(time.time()) // 30)))


def test_an_account_is_deleted_and_its_matches_stay(
    world: World, django_capture_on_commit_callbacks: Any
) -> None:
    ann, tom = world.ann, world.tom
    ann.set_password(PASSWORD)
    ann.email = "ann@example.org"
    ann.save()
    token = token_of(ann)
    rated = over([ann, tom], [1, 2])
    read(rated)
    sealed = Seat.objects.filter(match=world.finished).values_list("deck", flat=True)
    decks_before = list(sealed)
    client = logged_in(ann)
    response = client.get("/you/data/delete/")
    assert response.status_code == 302 and "/account/reauthenticate/" in response["Location"]
    elsewhere = logged_in(ann)
    assert "/reauthenticate/" in elsewhere.post("/you/data/delete/", {"sure": "on"})["Location"]
    assert User.objects.filter(username="ann", is_active=True).exists()
    client.post(response["Location"], {"password": PASSWORD})
    assert client.post("/you/data/delete/").status_code == 422
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post("/you/data/delete/", {"sure": "on"}).status_code == 302

    gone = User.objects.get(pk=ann.pk)
    assert str(gone) == account_deletion.NAME and gone.closed and not gone.is_active
    stored = json.dumps(User.objects.filter(pk=ann.pk).values().get(), default=str)
    assert "ann@" not in stored and '"ann"' not in stored and "Ann" not in stored
    for model in (AccessToken, Holding, Pack, Deck):
        owner = "user" if model is AccessToken else "owner"
        assert not model._base_manager.filter(**{owner: ann.pk}).exists()
    assert client.get("/you/").status_code == 302
    with_token = Client().get("/api/me/", headers={"Authorization": f"Token {token}"})
    assert with_token.status_code == 401
    assert Client().get("/people/ann/").status_code == 404

    # What others played, traded and checked stays theirs.
    for match in (world.match, world.private):
        match.refresh_from_db()
        assert match.status == Status.FINISHED  # conceded
        notice = Notice.objects.get(person=tom, kind="match_over", match=match.slug)
        assert notice.text.startswith("You won ")
        assert notice.text.endswith(". A player deleted their account.")
    Format.objects.get(owner=gone, pk=world.format.pk)
    formats = logged_in(tom).get(world.format.get_absolute_url()).content.decode()
    assert f"by {account_deletion.NAME}" in formats and "official" not in formats
    page = logged_in(tom).get(f"/matches/{world.finished.slug}/result/").content.decode()
    assert account_deletion.NAME in page and ">Ann<" not in page and "/people/gone-" not in page
    assert list(sealed.all()) == decks_before
    trade = Trade.objects.get(pk=world.trade.pk)
    assert trade.state != TradeState.OPEN and trade.message == ""
    assert DeckCheck.objects.filter(pk=world.check.pk).exists()
    assert CheckedDeck.objects.filter(user=tom).exists()
    rows = LedgerRow.objects.filter(taker=tom)
    assert Holding.objects.filter(owner=tom).exists() and rows.exists()
    assert Rating.objects.filter(user=gone, matches=3).exists()  # with what was conceded
    for ladder in ratings_services.all_ladders():
        ratings_services.recompute(ladder)
        assert ratings_services.recompute(ladder) == 0

    # Again, after a crash at any place: nothing more happens.
    counted = _rows()
    close_account(user=gone)
    for _ in range(2):
        tasks.finish_closing(ann.pk)
    assert _rows() == counted and unfinished_closings() == []


def _rows() -> dict[str, int]:
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        counts = {}
        for table in tables:
            cursor.execute(f'SELECT COUNT(*) FROM "{table}"')
            counts[table] = cursor.fetchone()[0]
    return counts


def test_what_a_crash_left_is_found_by_the_sweep(
    world: World, django_capture_on_commit_callbacks: Any
) -> None:
    close_account(user=world.ann)  # and nothing after the commit
    assert Deck.objects.filter(owner=world.ann).exists()
    with django_capture_on_commit_callbacks(execute=True):
        tasks.sweep()
    assert not Deck.objects.filter(owner=world.ann).exists()
    assert unfinished_closings() == []


def test_a_table_that_plays_on_is_told(world: World) -> None:
    seats = [SeatPlan(user=user) for user in (world.ann, world.bob, world.tom)]
    match = create_match(host=world.ann, setup=MatchSetup(game=GAME, mode="match", seats=seats))
    close_account(user=world.ann)
    for _ in range(2):
        tasks.finish_closing(world.ann.pk)
    match.refresh_from_db()
    assert match.status == Status.RUNNING
    notices = Notice.objects.filter(match=match.slug, key="replacement").order_by("person")
    assert [(row.person, row.text.partition(" and ")[0]) for row in notices] == [
        (world.bob, "A player deleted their account"),
        (world.tom, "A player deleted their account"),
    ]


def test_whoever_sat_nowhere_leaves_no_row(world: World) -> None:
    guest = create_guest(address="192.0.2.1")
    close_account(user=guest)
    tasks.finish_closing(guest.pk)
    assert not User.objects.filter(pk=guest.pk).exists()
    tasks.finish_closing(guest.pk)


def test_all_that_is_one_s_own(world: World) -> None:
    client = logged_in(world.ann)
    answer = client.get("/you/data/download/")
    assert answer["Content-Type"] == "application/zip" and answer.streaming
    data = b"".join(answer.streaming_content)  # type: ignore[arg-type]
    with zipfile.ZipFile(BytesIO(data)) as file:
        assert file.testzip() is None
        parts = {name: file.read(name).decode() for name in file.namelist()}
    values = {name: json.loads(text) for name, text in parts.items() if name.endswith(".json")}
    assert values["account.json"][0]["username"] == "ann"
    assert {deck["name"] for deck in values["decks.json"]} == {"Embers", "Torches"}
    matches = {match["match"]: match for match in values["matches.json"]}
    assert world.private.slug in matches and matches[world.match.slug]["seat"] == 0
    assert values["friends.json"][0]["username"] == "bob" and values["cards.json"]

    everything = "".join(parts.values())
    for match in Match.objects.all():
        assert bytes(match.server_seed).hex() not in everything
    assert bytes(world.sealed.server_seed).hex() not in everything
    others = Seat.objects.filter(match=world.match, user=world.tom).get()
    own = [move["notation"] for move in matches[world.match.slug]["moves"]]
    moves = world.match.moves.filter(seat=others.number).values_list("notation", flat=True)
    assert len(own) == world.match.moves.filter(seat=0).count() and len(moves)
    assert "Tom's" not in parts["decks.json"]


def test_the_file_asks_for_the_password(world: World) -> None:
    world.ann.set_password(PASSWORD)
    world.ann.save()
    response = logged_in(world.ann).get("/you/data/download/")
    assert response.status_code == 302 and "/account/reauthenticate/" in response["Location"]


DATA, DELETE = "/api/me/data/", "/api/me/delete/"


def test_programs_give_the_password_and_the_code_as_pages_do(
    world: World, django_capture_on_commit_callbacks: Any, monkeypatch: Any
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)  # a code is good for 30 seconds
    ann = world.ann
    ann.set_password(PASSWORD)
    ann.save()
    api = with_token(ann)
    for address in (DATA, DELETE):
        for sent, words in (
            ({}, "Send your password"),
            ({"password": "wrong"}, "not your password"),
            ({"password": f" {PASSWORD}"}, "not your password"),
        ):
            refused = api.post(address, sent | ({"sure": True} if address == DELETE else {}))
            assert refused.status_code == 403 and words in refused.json()["detail"], sent
    answer = api.post(DATA, {"password": PASSWORD}, headers={"Accept": "application/zip"})
    with zipfile.ZipFile(BytesIO(b"".join(answer.streaming_content))) as file:
        assert json.loads(file.read("account.json"))[0]["username"] == "ann"

    TOTP.activate(ann, SECRET)
    for sent, words in (({}, "code of your second factor"), ({"code": "000000"}, "Wrong code")):
        refused = api.post(DATA, {"password": PASSWORD, **sent})
        assert refused.status_code == 403 and words in refused.json()["detail"]
    proof = {"password": PASSWORD, "code": one_code()}
    assert api.post(DELETE, proof).status_code == 400, "whether one is sure has to be said"
    assert api.post(DELETE, {"sure": False, **proof}).status_code == 422
    with django_capture_on_commit_callbacks(execute=True):
        assert api.post(DELETE, {"sure": True, **proof}).status_code == 204
    assert User.objects.get(pk=ann.pk).closed
    assert api.post(DELETE, {"sure": True, **proof}).status_code == 401, "the token went, too"


def test_guesses_are_counted_as_when_somebody_logs_in(world: World) -> None:
    world.ann.set_password(PASSWORD)
    world.ann.save()
    api = with_token(world.ann)
    statuses = [api.post(DATA, {"password": f"guess {n}"}).status_code for n in range(6)]
    assert statuses == [403] * 5 + [429]
    refused = api.post(DATA, {"password": PASSWORD})
    assert refused.status_code == 429 and refused["Retry-After"]
    login = Client().post("/account/login/", {"login": "ann", "password": PASSWORD})
    assert "Too many wrong passwords" in login.content.decode()


def test_a_browser_that_gave_the_password_a_moment_ago_is_believed(world: World) -> None:
    world.ann.set_password(PASSWORD)
    world.ann.save()
    client = logged_in(world.ann)
    assert client.post(DATA, "{}", "application/json").status_code == 403
    client.post(client.get("/you/data/delete/")["Location"], {"password": PASSWORD})
    assert client.post(DATA, "{}", "application/json").status_code == 200
    assert client.post(DELETE, '{"sure": true}', "application/json").status_code == 204
    assert client.get("/you/").status_code == 302, "nobody is logged in any more"


def test_a_guest_goes_with_the_token_alone_and_not_too_often(monkeypatch: Any) -> None:
    guest = create_guest(address="192.0.2.1")
    api = with_token(guest)
    monkeypatch.setattr(
        ScopedThrottle, "THROTTLE_RATES", {"own-data": "2/hour", "close-account": "2/hour"}
    )
    answers = [api.post(DATA) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert api.post(DELETE, {"sure": True}).status_code == 204


def test_guests_who_do_not_come_back_go() -> None:
    now = timezone.now()
    old = now - timedelta(days=120)
    idle, played, sitting, fresh, visiting, member = (
        User.objects.create_user(name, is_guest=name != "member", date_joined=old)
        for name in ("idle", "played", "sitting", "fresh", "visiting", "member")
    )
    User.objects.filter(pk=fresh.pk).update(date_joined=now)
    over([played, member], [1, 2], at=now - timedelta(days=10))
    over([idle, member], [1, 2], at=now - timedelta(days=100))
    running = Match.objects.create(game="g", mode="m", rules_version="1", host=sitting)
    Seat.objects.create(match=running, number=0, kind="person", user=sitting)
    UserSession.objects.create(
        user=visiting, session_key="visits", ip="192.0.2.1", last_seen_at=now - timedelta(days=9)
    )
    assert people.forget_guests(now=now) == 1 and people.forget_guests(now=now) == 0
    assert list(User.objects.filter(is_active=False)) == [idle]
