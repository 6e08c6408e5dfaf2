"""Guests: made once, named kindly, limited by address, merged when their person logs in."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.test import Client, RequestFactory

from accounts.errors import TooManyGuests
from accounts.models import User
from accounts.names import friendly_name, readable_name
from accounts.services import guests
from accounts.services.guests import create_guest, ensure_guest, merge_guest
from accounts.signals import guest_merged
from core.requests import client_address
from tests.support.tokens import token_of

pytestmark = pytest.mark.django_db


def _visit() -> HttpRequest:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    request.session = SessionStore()
    return request


def test_an_anonymous_visitor_becomes_a_guest_and_is_logged_in() -> None:
    request = _visit()
    guest = ensure_guest(request)
    assert guest.is_guest
    assert not guest.has_usable_password()
    assert len(guest.display_name.split()) == 2
    assert request.user == guest


def test_asking_twice_gives_the_same_guest() -> None:
    request = _visit()
    assert ensure_guest(request) == ensure_guest(request)
    assert User.objects.count() == 1


def test_a_member_stays_who_they_are(member: User) -> None:
    request = _visit()
    request.user = member
    assert ensure_guest(request) == member
    assert User.objects.count() == 1


def test_one_address_may_not_fill_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "GUESTS_PER_HOUR", 2)
    create_guest(address="192.0.2.7")
    create_guest(address="192.0.2.7")
    with pytest.raises(TooManyGuests, match="try again in an hour"):
        create_guest(address="192.0.2.7")
    assert create_guest(address="192.0.2.8").is_guest
    assert User.objects.count() == 3


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
    ],
)
def test_a_household_is_counted_as_one_address(
    address: str, counted: str, rf: RequestFactory
) -> None:
    assert client_address(rf.get("/", REMOTE_ADDR=address)) == counted


def test_friendly_names_are_names_that_the_site_takes() -> None:
    for _ in range(50):
        readable_name(friendly_name())


@pytest.mark.parametrize("name", ["a\u202eb", "a\x00b", "---", "\u200b"])
def test_a_name_that_would_confuse_a_log_line_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        readable_name(name)


class TestMerging:
    @pytest.fixture
    def heard(self) -> Any:
        calls: list[tuple[int, int, bool]] = []

        def receiver(guest: User, user: User, **_: Any) -> None:
            calls.append((guest.pk, user.pk, transaction.get_connection().in_atomic_block))

        guest_merged.connect(receiver)
        yield calls
        guest_merged.disconnect(receiver)

    def test_logging_in_tells_the_others_once_and_ends_the_guest(
        self, client: Client, guest: User, member: User, heard: list[tuple[int, int, bool]]
    ) -> None:
        token_of(guest)
        answer = client.post("/account/login/", {"login": "mira", "password": "a-long-enough-pass"})
        assert answer.status_code == 302
        assert heard == [(guest.pk, member.pk, True)]
        guest.refresh_from_db()
        assert not guest.is_active
        assert guest.merged_into == member
        assert not guest.access_tokens.exists()
        assert client.session["_auth_user_id"] == str(member.pk)

    def test_login_by_address_works_too(
        self, client: Client, guest: User, member: User, heard: list[tuple[int, int, bool]]
    ) -> None:
        client.post(
            "/account/login/", {"login": "mira@example.org", "password": "a-long-enough-pass"}
        )
        assert [call[:2] for call in heard] == [(guest.pk, member.pk)]

    def test_a_wrong_password_leaves_the_guest_alone(
        self, client: Client, guest: User, member: User, heard: list[tuple[int, int, bool]]
    ) -> None:
        answer = client.post("/account/login/", {"login": "mira", "password": "wrong"})
        assert answer.status_code == 200
        assert b"Wrong username or password" in answer.content
        assert heard == []
        guest.refresh_from_db()
        assert guest.is_active
        assert client.session["_auth_user_id"] == str(guest.pk)

    def test_merging_twice_changes_nothing(
        self, guest: User, member: User, heard: list[tuple[int, int, bool]]
    ) -> None:
        merge_guest(guest=guest, user=member)
        merge_guest(guest=guest, user=member)
        assert len(heard) == 1

    def test_a_receiver_that_fails_undoes_everything(
        self, client: Client, guest: User, member: User
    ) -> None:
        def fail(**_: Any) -> None:
            raise RuntimeError("no")

        guest_merged.connect(fail)
        try:
            with pytest.raises(RuntimeError):
                client.post("/account/login/", {"login": "mira", "password": "a-long-enough-pass"})
        finally:
            guest_merged.disconnect(fail)
        guest.refresh_from_db()
        assert guest.is_active
        assert guest.merged_into is None

    def test_a_member_is_never_ended(self, member: User) -> None:
        other = User.objects.create_user("jon", password="another-long-pass")
        merge_guest(guest=other, user=member)
        other.refresh_from_db()
        assert other.is_active

    def test_the_database_refuses_a_merged_guest_that_is_active(
        self, guest: User, member: User
    ) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=guest.pk).update(merged_into=member)
