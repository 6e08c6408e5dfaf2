"""Mails about what has happened to an account, where there is an address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.core import mail
from django.test import Client

from accounts.models import User
from accounts.services.tokens import issue_token
from tests.support.people import PASSWORD, confirm_address, prove

pytestmark = pytest.mark.django_db

LAPTOP = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36"


@pytest.fixture
def client(client: Client) -> Client:
    return Client(headers={"User-Agent": LAPTOP})


@pytest.fixture
def inside(member: User, client: Client) -> Client:
    confirm_address(member)
    client.post("/account/login/", {"login": "mira", "password": PASSWORD})
    prove(client)
    return client


@pytest.fixture
def commits(django_capture_on_commit_callbacks: Any) -> Iterator[Callable[[], Any]]:
    return lambda: django_capture_on_commit_callbacks(execute=True)


def subjects(address: str = "mira@example.org") -> list[str]:
    return [letter.subject for letter in mail.outbox if letter.to == [address]]


def test_a_new_password(inside: Client, commits: Any) -> None:
    new = "quite-another-pass"
    with commits():
        inside.post(
            "/account/password/change/",
            {"oldpassword": PASSWORD, "password1": new, "password2": new},
        )
    assert subjects() == ["Your Riffle password was changed"]
    body = str(mail.outbox[0].body)
    assert "127.0.0.1" in body and "Chrome on Linux" in body and "UTC" in body
    assert "http://testserver/account/password/reset/" in body
    assert "&" not in body


def test_a_new_token(inside: Client, commits: Any) -> None:
    with commits():
        inside.post("/you/token/new/", {"name": "Ann's bot", "scopes": ["play"], "expires": "30"})
    assert subjects() == ["New API token for your Riffle account"]
    assert "“Ann's bot”" in str(mail.outbox[0].body)
    assert "riffle_" not in str(mail.outbox[0].body)


def test_addresses_come_and_go(inside: Client, commits: Any, member: User) -> None:
    with commits():
        inside.post("/account/email/", {"action_add": "", "email": "new@example.org"})
    assert "Email address added to your Riffle account" in subjects()
    assert subjects("new@example.org") == ["Confirm your email address for Riffle"] or not subjects(
        "new@example.org"
    )
    EmailAddress.objects.filter(email="new@example.org").update(verified=True)
    with commits():
        inside.post("/account/email/", {"action_primary": "", "email": "new@example.org"})
    assert subjects()[-1] == "Your primary email address at Riffle was changed"
    with commits():
        inside.post("/account/email/", {"action_remove": "", "email": "mira@example.org"})
    assert subjects()[-1] == "This address was removed from a Riffle account"
    assert subjects("new@example.org")[-1] == "Email address removed from your Riffle account"


def test_the_second_factor(inside: Client, member: User, commits: Any) -> None:
    TOTP.activate(member, "JBSWY3DPEHPK3PXP")
    with commits():
        inside.post("/account/2fa/recovery-codes/new/")
        inside.post("/account/2fa/end/")
    assert set(subjects()) == {
        "New recovery codes for your Riffle account",
        "Two-factor authentication is off for your Riffle account",
    }


class TestNewBrowser:
    def log_in(self, client: Client) -> None:
        client.post("/account/login/", {"login": "mira", "password": PASSWORD})

    def test_it_is_told_once_for_each(self, client: Client, member: User, commits: Any) -> None:
        with commits():
            self.log_in(client)
        assert subjects() == ["New login to your Riffle account"]
        body = str(mail.outbox[0].body)
        assert "Browser: Chrome on Linux\n" in body and "Mozilla" not in body
        client.post("/account/logout/")
        with commits():
            self.log_in(client)
        assert len(subjects()) == 1
        with commits():
            self.log_in(Client())
        assert len(subjects()) == 2

    def test_signing_up_is_no_news(self, client: Client, commits: Any) -> None:
        form = {"username": "heron", "password1": PASSWORD, "password2": PASSWORD}
        with commits():
            client.post("/account/signup/", form | {"email": "heron@example.org"})
            client.post("/account/logout/")
            client.post("/account/login/", {"login": "heron", "password": PASSWORD})
        assert "New login to your Riffle account" not in subjects("heron@example.org")

    def test_a_forged_cookie_is_no_news_to_us(
        self, client: Client, member: User, commits: Any
    ) -> None:
        client.cookies["riffle_device"] = f"{member.pk}.0"
        with commits():
            self.log_in(client)
        assert len(subjects()) == 1


def test_without_an_address_there_is_no_mail(client: Client, commits: Any) -> None:
    User.objects.create_user("jon", password=PASSWORD)
    with commits():
        client.post("/account/login/", {"login": "jon", "password": PASSWORD})
        prove(client)
        client.post("/you/token/new/", {"name": "Bot", "expires": "30"})
    assert mail.outbox == []


def test_what_is_taken_back_is_not_told(member: User, commits: Any) -> None:
    from django.db import transaction

    with commits():
        try:
            with transaction.atomic():
                issue_token(user=member, name="Bot", scopes=[])
                raise RuntimeError
        except RuntimeError:
            pass
    assert mail.outbox == []


@pytest.mark.django_db(transaction=True)
def test_a_mail_server_that_is_away_breaks_nothing(
    client: Client, member: User, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    answer = client.post("/account/login/", {"login": "mira", "password": PASSWORD})
    assert answer.status_code == 302
    prove(client)
    response = client.post("/you/token/new/", {"name": "Bot", "expires": "30"}, follow=True)
    assert "Your new token" in response.content.decode()
    assert "after_commit_failed" in caplog.text
