"""Wrong passwords: bounded for an address and for an account; the owner gets in all the same."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.support.people import PASSWORD, confirm_address

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

ATTACKER, OWNER = "192.0.2.66", "198.51.100.7"
TOO_MANY = "Too many wrong passwords"


def tried(
    address: str, password: str = "wrong", login: str = "mira", client: Client | None = None
) -> Any:
    form = {"login": login, "password": password}
    return (client or Client()).post("/account/login/", form, REMOTE_ADDR=address)


def is_in(answer: Any) -> bool:
    return answer.status_code == 302


def test_who_guesses_is_stopped_and_the_owner_gets_in_from_elsewhere(member: User) -> None:
    answers = [tried(ATTACKER) for _ in range(5)]
    assert not any(TOO_MANY in answer.content.decode() for answer in answers)
    assert TOO_MANY in tried(ATTACKER).content.decode()
    assert TOO_MANY in tried(ATTACKER, PASSWORD).content.decode()
    assert is_in(tried(OWNER, PASSWORD))


@pytest.mark.parametrize("login", ["MIRA", "ｍira", " mira"])
def test_another_spelling_is_no_other_account(member: User, login: str) -> None:
    for _ in range(5):
        tried(ATTACKER)
    assert TOO_MANY in tried(ATTACKER, login=login).content.decode()


def test_neighbours_within_one_network_of_ipv6_count_as_one(member: User) -> None:
    for number in range(5):
        tried(f"2001:db8:1:1::{number + 1}")
    assert TOO_MANY in tried("2001:db8:1:1::99").content.decode()
    assert TOO_MANY not in tried("2001:db8:1:2::1").content.decode()


def test_many_accounts_from_one_address_are_bounded_too(member: User) -> None:
    for number in range(10):
        tried(ATTACKER, login=f"nobody{number}")
    assert TOO_MANY in tried(ATTACKER, PASSWORD).content.decode()


class TestFromManyAddresses:
    @pytest.fixture(autouse=True)
    def few(self, settings: Any) -> None:
        settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"account_failed": "7/d/key"}

    def guess(self) -> None:
        for number in range(7):
            assert TOO_MANY not in tried(f"203.0.113.{number + 1}").content.decode()

    def test_guessing_one_account_is_bounded(self, member: User) -> None:
        self.guess()
        assert TOO_MANY in tried("203.0.113.99", PASSWORD).content.decode()

    def test_the_owners_browser_is_let_in(self, member: User) -> None:
        browser = Client()
        tried(OWNER, PASSWORD, client=browser)
        browser.post("/account/logout/")
        self.guess()
        assert is_in(tried("198.51.100.8", PASSWORD, client=browser))

    def test_but_not_the_browser_of_somebody_else(self, member: User) -> None:
        User.objects.create_user("jon", password=PASSWORD)
        browser = Client()
        tried(OWNER, PASSWORD, login="jon", client=browser)
        browser.post("/account/logout/")
        self.guess()
        assert TOO_MANY in tried(OWNER, PASSWORD, client=browser).content.decode()

    def test_nor_one_from_before_logging_out_everywhere(self, member: User) -> None:
        browser = Client()
        tried(OWNER, PASSWORD, client=browser)
        browser.post("/you/security/log-out-everywhere/", {"here": "1"})
        self.guess()
        assert TOO_MANY in tried(OWNER, PASSWORD, client=browser).content.decode()

    def test_one_address_alone_does_not_use_up_what_all_have(self, member: User) -> None:
        for _ in range(20):
            tried(ATTACKER)
        assert is_in(tried(OWNER, PASSWORD))

    def test_a_right_password_counts_as_no_wrong_one(self, member: User) -> None:
        for number in range(20):
            assert is_in(tried(f"198.51.100.{number + 1}", PASSWORD))

    def test_a_new_password_by_mail_opens_the_account_again(
        self, member: User, django_capture_on_commit_callbacks: Any
    ) -> None:
        confirm_address(member)
        self.guess()
        for _ in range(6):
            tried(OWNER)
        client, new = Client(REMOTE_ADDR=OWNER), "quite-another-pass"
        with django_capture_on_commit_callbacks(execute=True):
            client.post("/account/password/reset/", {"email": member.email})
        link = re.search(r"http://testserver(/\S+)", str(mail.outbox[-1].body))
        assert link
        form = client.get(link.group(1), follow=True)
        client.post(form.redirect_chain[-1][0], {"password1": new, "password2": new})
        assert is_in(tried(OWNER, new))
        assert is_in(tried("203.0.113.99", new))


def test_the_settings_leave_the_owner_room() -> None:
    """The daily limit of an address is far below the limit of all together."""
    from django.conf import settings

    hit = re.search(r"(\d+)/d/key", settings.ACCOUNT_RATE_LIMITS["login_failed"])
    all_ = re.fullmatch(r"(\d+)/d/key", settings.ACCOUNT_RATE_LIMITS["account_failed"])
    assert hit and all_
    assert int(hit.group(1)) * 4 < int(all_.group(1))


def test_too_many_requests_are_told_in_our_look(client: Client) -> None:
    for _ in range(31):
        answer = client.post("/account/login/", {"login": "x", "password": "y"})
    assert answer.status_code == 429
    assert "Wait a few minutes" in answer.content.decode()
    assert "<style" not in answer.content.decode()
