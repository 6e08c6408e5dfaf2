"""Signing up: a guest's row becomes a member's, and nothing happens twice."""

from __future__ import annotations

from unittest import mock

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.errors import AlreadyMember
from accounts.models import User
from accounts.services.guests import guest_for_upgrade

pytestmark = pytest.mark.django_db

FORM = {
    "username": "heron",
    "display_name": "",
    "email": "heron@example.org",
    "password1": "a-long-enough-pass",
    "password2": "a-long-enough-pass",
}


def test_a_guest_who_signs_up_keeps_the_row(client: Client, guest: User) -> None:
    answer = client.post("/account/signup/", FORM | {"display_name": guest.display_name})
    assert answer.status_code == 302
    assert User.objects.count() == 1
    member = User.objects.get(pk=guest.pk)
    assert not member.is_guest
    assert member.username == "heron"
    assert member.display_name == guest.display_name
    assert member.email == "heron@example.org"
    assert member.check_password("a-long-enough-pass")
    assert client.session["_auth_user_id"] == str(guest.pk)


def test_the_form_offers_the_guests_name(client: Client, guest: User) -> None:
    page = client.get("/account/signup/").content.decode()
    assert f'value="{guest.display_name}"' in page
    assert "keeps your name, your tables and your cards" in " ".join(page.split())


def test_somebody_new_is_shown_by_the_username(client: Client) -> None:
    client.post("/account/signup/", FORM)
    member = User.objects.get()
    assert str(member) == "heron"
    assert not member.is_guest


def test_sending_the_form_twice_makes_one_member(client: Client) -> None:
    first = client.post("/account/signup/", FORM)
    second = client.post("/account/signup/", FORM)
    assert (first.status_code, second.status_code) == (302, 302)
    assert User.objects.count() == 1


def test_two_people_who_choose_one_name_at_once_get_a_clear_answer(client: Client) -> None:
    with mock.patch("accounts.adapters.AccountAdapter.save_user", side_effect=IntegrityError):
        answer = client.post("/account/signup/", FORM)
    assert answer.status_code == 200
    assert "username is taken" in answer.content.decode()
    assert User.objects.count() == 0


def test_a_guest_cannot_be_upgraded_twice(guest: User) -> None:
    with transaction.atomic():
        guest_for_upgrade(guest=guest).save()
    with pytest.raises(AlreadyMember), transaction.atomic():
        guest_for_upgrade(guest=guest)


def test_a_second_tab_that_comes_too_late_is_told_so(client: Client, guest: User) -> None:
    with mock.patch("accounts.adapters.guest_for_upgrade", side_effect=AlreadyMember):
        answer = client.post("/account/signup/", FORM)
    assert answer.status_code == 302
    guest.refresh_from_db()
    assert guest.is_guest


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("username", "guest-of-honour", "are for guests"),
        ("password2", "another-pass-word", "same password"),
        ("password1", "12345678", "password"),
        ("display_name", "a\u202eb", "letters, digits"),
        ("display_name", "x" * 41, "40"),
    ],
)
def test_a_bad_field_keeps_what_was_typed_and_changes_nothing(
    client: Client, guest: User, field: str, value: str, words: str
) -> None:
    answer = client.post("/account/signup/", FORM | {field: value})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert words in page
    assert 'value="heron@example.org"' in page
    assert 'aria-invalid="true"' in page
    guest.refresh_from_db()
    assert guest.is_guest


def test_a_taken_name_is_refused(client: Client, member: User) -> None:
    answer = client.post("/account/signup/", FORM | {"username": "Mira"})
    assert "username is taken" in answer.content.decode()


def test_members_are_sent_on_from_login_and_signup(as_member: Client) -> None:
    for address in ("/account/login/", "/account/signup/"):
        answer = as_member.get(f"{address}?next=/you/")
        assert answer.status_code == 302
        assert answer["Location"] == "/you/"


def test_nobody_is_sent_to_another_site(as_member: Client) -> None:
    answer = as_member.get("/account/login/?next=https://evil.example/")
    assert answer["Location"] == "/"


def test_logging_out_warns_a_guest_only(client: Client, guest: User, as_member: Client) -> None:
    assert "for good" in client.get("/account/logout/").content.decode()
    assert "lost" not in as_member.get("/account/logout/").content.decode()
    client.post("/account/logout/")
    assert "_auth_user_id" not in client.session


def test_where_an_address_is_asked_for_it_is_said_what_for(
    client: Client, as_member: Client
) -> None:
    assert "turn notifications" in client.get("/account/signup/").content.decode()
    assert "Turn notifications go to" in as_member.get("/account/email/").content.decode()
