"""Where somebody is logged in: listed, ended one by one, and everywhere."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from accounts.queries.devices import described
from accounts.services.sessions import forget_what_has_ended
from accounts.sessions import SessionStore
from tests.support.people import PASSWORD

pytestmark = pytest.mark.django_db

PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
LAPTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"


def logged_in(agent: str = LAPTOP, address: str = "192.0.2.1") -> Client:
    client = Client(REMOTE_ADDR=address, headers={"User-Agent": agent})
    client.post("/account/login/", {"login": "mira", "password": PASSWORD})
    return client


def is_in(client: Client) -> bool:
    return client.get("/you/").status_code == 200


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (PHONE, "Firefox on Android"),
        (LAPTOP, "Chrome on Linux"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18) Version/18.0 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140 Safari/537 Edg/140", "Edge on Windows"),
        ("curl/8.5.0", "curl"),
        ("", "Unknown browser"),
    ],
)
def test_a_browser_in_words(agent: str, words: str) -> None:
    assert described(agent) == words


class TestList:
    def test_every_place_is_listed_the_one_here_first(self, member: User) -> None:
        phone, laptop = logged_in(PHONE, "198.51.100.7"), logged_in()
        page = phone.get("/you/security/").content.decode()
        assert "Firefox on Android" in page and "198.51.100.7" in page
        assert "Chrome on Linux" in page and "192.0.2.1" in page
        assert page.index("Here") < page.index("Chrome on Linux")
        assert is_in(laptop)

    def test_what_is_over_is_not(self, member: User) -> None:
        phone, laptop = logged_in(PHONE), logged_in()
        phone.post("/account/logout/")
        assert "Firefox" not in laptop.get("/you/security/").content.decode()

    def test_it_is_everybodys_own(self, member: User) -> None:
        laptop = logged_in()
        other = Client(headers={"User-Agent": PHONE})
        other.force_login(User.objects.create_user("jon"))
        other.get("/you/security/")
        assert "Firefox" not in laptop.get("/you/security/").content.decode()

    def test_a_guest_has_one_too(self, client: Client) -> None:
        client.post("/play/quick/", headers={"User-Agent": PHONE})
        page = client.get("/you/security/", headers={"User-Agent": PHONE}).content.decode()
        assert "Firefox on Android" in page
        assert "here too" not in page

    def test_last_sight_is_written_once_in_a_while(
        self, member: User, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        laptop = logged_in()
        long_ago = timezone.now() - timedelta(days=1)
        UserSession.objects.update(last_seen_at=long_ago)
        # session, who it is, the same for the form, all that the header counts
        with django_assert_num_queries(4):
            laptop.get("/you/")
        assert UserSession.objects.get().last_seen_at == long_ago
        caches["process"].clear()
        laptop.get("/you/")
        assert UserSession.objects.get().last_seen_at > long_ago

    def test_a_page_of_many_costs_as_much_as_one_of_few(
        self, member: User, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        laptop = logged_in()
        laptop.get("/you/security/")
        with django_assert_num_queries(8):
            laptop.get("/you/security/")
        for _ in range(4):
            logged_in(PHONE)
        with django_assert_num_queries(8):
            laptop.get("/you/security/")

    def test_addresses_of_what_is_over_are_forgotten(self, member: User) -> None:
        gone, here = logged_in(PHONE), logged_in()
        gone.session.delete()
        forget_what_has_ended()
        assert [row.user_agent for row in UserSession.objects.all()] == [LAPTOP]
        assert is_in(here)


class TestEnding:
    def test_one_place_is_logged_out(self, member: User) -> None:
        phone, laptop, third = logged_in(PHONE), logged_in(), logged_in()
        row = UserSession.objects.get(user_agent=PHONE)
        laptop.post("/you/security/log-out/", {"session": row.pk})
        assert (is_in(phone), is_in(laptop), is_in(third)) == (False, True, True)
        again = laptop.post("/you/security/log-out/", {"session": row.pk}, follow=True)
        assert "logged out already" in again.content.decode()

    def test_nobody_ends_anothers(self, member: User) -> None:
        laptop, other = logged_in(), Client()
        other.force_login(User.objects.create_user("jon"))
        other.post("/you/security/log-out/", {"session": UserSession.objects.get().pk})
        assert is_in(laptop)

    def test_everywhere_else(self, member: User) -> None:
        phone, laptop = logged_in(PHONE), logged_in()
        answer = laptop.post("/you/security/log-out-everywhere/", follow=True)
        assert (is_in(phone), is_in(laptop)) == (False, True)
        assert "Firefox" not in answer.content.decode()

    def test_sessions_that_no_list_knows_of_end_too(self, member: User) -> None:
        phone, laptop = logged_in(PHONE), logged_in()
        UserSession.objects.filter(user_agent=PHONE).delete()
        laptop.post("/you/security/log-out-everywhere/")
        assert not is_in(phone)

    def test_everywhere(self, member: User) -> None:
        phone, laptop = logged_in(PHONE), logged_in()
        laptop.post("/you/security/log-out-everywhere/", {"here": "1"})
        assert (is_in(phone), is_in(laptop)) == (False, False)
        assert is_in(logged_in())

    def test_a_guest_is_never_shut_out(self, client: Client, guest: User) -> None:
        client.post("/you/security/log-out-everywhere/", {"here": "1"})
        assert is_in(client)

    def test_a_new_password_logs_out_everywhere_else(self, member: User) -> None:
        phone, laptop, new = logged_in(PHONE), logged_in(), "quite-another-pass"
        form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
        laptop.post("/account/password/change/", form)
        assert (is_in(phone), is_in(laptop)) == (False, True)
        assert "Firefox" not in laptop.get("/you/security/").content.decode()

    def test_who_never_did_has_djangos_own_hash(self, member: User, settings: Any) -> None:
        from django.contrib.auth.base_user import AbstractBaseUser

        assert member.get_session_auth_hash() == AbstractBaseUser.get_session_auth_hash(member)


def test_a_merged_guests_address_is_forgotten(client: Client, member: User) -> None:
    client.post("/play/quick/")
    assert UserSession.objects.filter(user__is_guest=True).exists()
    client.post("/account/login/", {"login": "mira", "password": PASSWORD})
    assert not UserSession.objects.filter(user__is_guest=True).exists()
    assert UserSession.objects.get().user == member


def test_a_session_of_djangos_own_store_is_read(member: User, client: Client) -> None:
    client.force_login(member)
    key = client.session.session_key
    assert db.SessionStore(key).load() == SessionStore(key).load()
    assert SessionStore(key)["_auth_user_id"] == str(member.pk)


def test_a_session_that_is_over_or_unknown_leaves_no_key(member: User, client: Client) -> None:
    client.force_login(member)
    key = client.session.session_key
    Session.objects.filter(session_key=key).update(expire_date=timezone.now())
    assert not is_in(client)
    for old in (key, "a" * 32):
        session = SessionStore(old)
        assert session.load() == {}
        # Else whoever has planted a key would know that of the next session.
        assert session.session_key is None
