"""API tokens: named, several, stored as digests, with scopes and an end."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from rest_framework.views import APIView

from accounts.errors import NameTaken, ScopeMissing, TooManyTokens
from accounts.models import AccessToken, User
from accounts.services import tokens
from accounts.services.sessions import SEEN_EVERY, forget_what_has_ended
from accounts.services.tokens import issue_token
from core.scopes import EVERYBODYS, Scope, needed
from tests.games.examples import GAME
from tests.support.people import PASSWORD, prove
from tests.support.races import at_once
from tests.support.tokens import token_of

pytestmark = pytest.mark.django_db

FORM = {"name": "My bot", "scopes": ["play"], "expires": "90"}


def me(client: Client, key: str) -> Any:
    return client.get("/api/me/", headers={"Authorization": f"Token {key}"})


def key_on(page: str) -> str:
    return page.partition('id="new-token">')[2].partition("<")[0]


class TestPage:
    @pytest.fixture(autouse=True)
    def proved(self, as_member: Client) -> None:
        prove(as_member)

    def test_a_new_token_is_shown_once_and_works(
        self, as_member: Client, client: Client, member: User
    ) -> None:
        page = as_member.post("/you/token/new/", FORM, follow=True).content.decode()
        key = key_on(page)
        assert me(client, key).json()["username"] == "mira"
        again = as_member.get("/you/token/").content.decode()
        assert key not in again
        assert "My bot" in again and key[:13] in again and "Play: tables, moves" in again

    def test_only_a_digest_is_kept(self, as_member: Client, member: User) -> None:
        key = key_on(as_member.post("/you/token/new/", FORM, follow=True).content.decode())
        (row,) = AccessToken.objects.values()
        assert row["digest"] == hashlib.sha256(key.encode()).hexdigest()
        assert key not in str(row)
        assert len(row["prefix"]) < len(key) / 3

    def test_the_page_is_not_kept_by_caches(self, as_member: Client) -> None:
        assert "no-store" in as_member.get("/you/token/")["Cache-Control"]

    def test_there_are_several_and_each_ends_alone(
        self, as_member: Client, client: Client, member: User
    ) -> None:
        result, other = token_of(member), token_of(member)
        ended = AccessToken.objects.get(digest=hashlib.sha256(result.encode()).hexdigest())
        as_member.post("/you/token/revoke/", {"token": ended.pk})
        assert (me(client, result).status_code, me(client, other).status_code) == (401, 200)
        assert as_member.post("/you/token/revoke/", {"token": ended.pk}).status_code == 302
        assert as_member.post("/you/token/revoke/", {"token": "x²"}).status_code == 302

    def test_nobody_ends_anothers(self, as_member: Client) -> None:
        token_of(User.objects.create_user("jon"))
        as_member.post("/you/token/revoke/", {"token": AccessToken.objects.get().pk})
        assert AccessToken.objects.count() == 1

    def test_a_second_press_makes_no_second_token(self, as_member: Client, member: User) -> None:
        as_member.post("/you/token/new/", FORM)
        again = as_member.post("/you/token/new/", FORM)
        assert again.status_code == 409
        assert "already. Choose another name" in again.content.decode()
        assert member.access_tokens.count() == 1

    def test_a_refused_form_keeps_what_was_typed(self, as_member: Client) -> None:
        page = as_member.post("/you/token/new/", FORM | {"name": "---"}).content.decode()
        assert 'value="---"' in page and 'aria-invalid="true"' in page
        assert not AccessToken.objects.exists()

    def test_it_expires_when_it_was_said_to(self, as_member: Client, member: User) -> None:
        as_member.post("/you/token/new/", FORM)
        as_member.post("/you/token/new/", FORM | {"name": "Other", "expires": "never"})
        ends = member.access_tokens.get(name="My bot").expires_at
        assert ends is not None
        assert timedelta(days=89) < ends - timezone.now() <= timedelta(days=90)
        assert member.access_tokens.get(name="Other").expires_at is None

    def test_only_the_staff_is_offered_its_rights(self, as_member: Client, member: User) -> None:
        assert 'value="staff"' not in as_member.get("/you/token/").content.decode()
        as_member.post("/you/token/new/", FORM | {"scopes": ["staff"]})
        with pytest.raises(ScopeMissing):
            issue_token(user=member, name="No", scopes=[Scope.STAFF])
        assert not AccessToken.objects.exists()
        User.objects.filter(pk=member.pk).update(is_staff=True)
        assert 'value="staff"' in as_member.get("/you/token/").content.decode()

    def test_a_page_of_many_costs_as_much_as_one_of_few(
        self, as_member: Client, member: User, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        token_of(member)
        as_member.get("/you/token/")
        with django_assert_num_queries(4):
            as_member.get("/you/token/")
        for _ in range(10):
            token_of(member)
        with django_assert_num_queries(4):
            as_member.get("/you/token/")


def test_nobody_has_more_than_anybody_needs(member: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MAX_TOKENS", 1)
    token_of(member)
    with pytest.raises(TooManyTokens):
        token_of(member)


@pytest.mark.django_db(transaction=True)
def test_two_of_one_name_at_once_are_one() -> None:
    user = User.objects.create_user("ada")

    def make() -> str:
        return issue_token(user=user, name="Bot", scopes=[])

    answers = at_once(make, make)
    assert sorted(isinstance(answer, NameTaken) for answer in answers) == [False, True]
    assert user.access_tokens.count() == 1


class TestUse:
    def test_an_expired_one_is_none(self, client: Client, member: User) -> None:
        key = token_of(member)
        member.access_tokens.update(expires_at=timezone.now() - timedelta(seconds=1))
        answer = me(client, key)
        assert answer.status_code == 401
        assert "expired on" in answer.json()["detail"]

    def test_its_person_has_to_be_there(self, client: Client, member: User) -> None:
        key = token_of(member)
        User.objects.filter(pk=member.pk).update(is_active=False)
        assert me(client, key).status_code == 401

    def test_last_use_is_written_once_in_a_while(
        self, client: Client, member: User, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        key = token_of(member)
        member.access_tokens.update(last_used_at=None)
        with django_assert_num_queries(2):
            me(client, key)
        first = member.access_tokens.get().last_used_at
        assert first is not None
        with django_assert_num_queries(1):
            me(client, key)
        long_ago = timezone.now() - SEEN_EVERY
        member.access_tokens.update(last_used_at=long_ago)
        me(client, key)
        again = member.access_tokens.get().last_used_at
        assert again is not None and again > long_ago

    def test_those_that_expired_long_ago_are_forgotten(self, member: User) -> None:
        for days in (1, 29, 31):
            ended = timezone.now() - timedelta(days=days)
            issue_token(user=member, name=str(days), scopes=[], expires_at=ended)
        forget_what_has_ended()
        assert set(member.access_tokens.values_list("name", flat=True)) == {"1", "29"}


class TestScopes:
    MATCH = {"game": GAME, "mode": "match", "seats": [{"kind": "person"}, {"kind": "open"}]}

    def post(self, client: Client, path: str, body: Any, key: str) -> Any:
        return client.post(
            path, body, "application/json", headers={"Authorization": f"Token {key}"}
        )

    def test_what_a_token_may_not_is_refused_and_named(self, client: Client, member: User) -> None:
        key = token_of(member, [Scope.READ])
        assert me(client, key).status_code == 200
        answer = self.post(client, "/api/matches/", self.MATCH, key)
        assert answer.status_code == 403
        assert answer.json()["type"] == "/api/problems/scope-missing/"
        assert answer.json()["needed"] == "play"
        assert answer.json()["scopes"] == ["read"]

    def test_what_it_may_is_done(self, client: Client, member: User) -> None:
        key = token_of(member, [Scope.PLAY])
        assert self.post(client, "/api/matches/", self.MATCH, key).status_code == 201
        friend = client.put("/api/friends/jon/", headers={"Authorization": f"Token {key}"})
        assert (friend.status_code, friend.json()["needed"]) == (403, "account")

    def test_a_list_is_judged_for_every_token(self, client: Client, member: User) -> None:
        body = {"game": GAME, "mode": "tournament", "list": "1 x"}
        key = token_of(member, [Scope.READ])
        assert self.post(client, "/api/decks/check/", body, key).status_code != 403

    def test_the_house_gives_nothing_to_a_token_without_its_rights(self, client: Client) -> None:
        olga = User.objects.create_user("olga", is_staff=True)
        for scopes, status in ((EVERYBODYS, 403), (tuple(Scope), 400)):
            key = token_of(olga, scopes)
            assert self.post(client, "/api/packs/grant/", {}, key).status_code == status

    def test_a_session_needs_no_scope(self, as_member: Client) -> None:
        answer = as_member.post("/api/matches/", self.MATCH, "application/json")
        assert answer.status_code == 201

    def test_every_view_has_one_and_says_so(self, client: Client) -> None:
        views = []
        for part in get_resolver().url_patterns:
            for pattern in getattr(part, "url_patterns", ()):
                view = getattr(pattern.callback, "cls", None)
                if view is not None and issubclass(view, APIView):
                    views.append(view)
        ours = [view for view in views if not view.__module__.startswith("drf_spectacular")]
        assert len(ours) > 60
        assert {needed(view(), "GET") for view in ours} == {Scope.READ}
        assert {needed(view(), "POST") for view in ours} == set(Scope)
        paths = client.get("/api/schema/?format=json").json()["paths"]
        assert "Scope of the token: `play`." in paths["/api/matches/"]["post"]["description"]
        assert "403" in paths["/api/matches/"]["post"]["responses"]
        assert "Scope" not in paths["/api/guests/"]["post"]["description"]


class TestNewPassword:
    NEW = "quite-another-pass"

    @pytest.fixture
    def key(self, member: User) -> str:
        return token_of(member)

    def test_changed_on_the_page(self, as_member: Client, client: Client, key: str) -> None:
        form = {"oldpassword": PASSWORD, "password1": self.NEW, "password2": self.NEW}
        as_member.post("/account/password/change/", form)
        assert me(client, key).status_code == 401

    def test_changed_by_a_command(
        self, client: Client, key: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("getpass.getpass", lambda *_, **__: self.NEW)
        call_command("changepassword", "mira", verbosity=0)
        assert get_user_model().objects.get().check_password(self.NEW)
        assert me(client, key).status_code == 401

    def test_a_guests_token_goes_on_when_the_guest_signs_up(
        self, client: Client, guest: User
    ) -> None:
        key = token_of(guest)
        form = {"username": "heron", "password1": self.NEW, "password2": self.NEW}
        assert client.post("/account/signup/", form).status_code == 302
        assert me(Client(), key).json()["username"] == "heron"

    def test_the_same_password_hashed_anew_ends_nothing(
        self, client: Client, key: str, member: User, settings: Any
    ) -> None:
        settings.PASSWORD_HASHERS = [
            "django.contrib.auth.hashers.PBKDF2PasswordHasher",
            "django.contrib.auth.hashers.MD5PasswordHasher",
        ]
        before = member.password
        assert Client().login(username="mira", password=PASSWORD)
        member.refresh_from_db()
        assert member.password != before
        assert me(client, key).status_code == 200
