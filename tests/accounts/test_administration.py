"""The administration: one login for the whole site, its limits, and a second factor."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client

from accounts.models import User
from tests.support.people import PASSWORD
from tests.support.tokens import token_of

pytestmark = pytest.mark.django_db

SECRET = "JBSWY3DPEHPK3PXP"


@pytest.fixture
def olga(db: None) -> User:
    return User.objects.create_superuser("olga", password=PASSWORD)


@pytest.fixture
def as_olga(olga: User) -> Client:
    client = Client()
    client.post("/account/login/", {"login": "olga", "password": PASSWORD})
    return client


@pytest.fixture
def strict(settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = True


def test_it_has_no_login_of_its_own(client: Client, olga: User) -> None:
    to_login = "/account/login/?next=%2Fadmin%2Fauth%2Fgroup%2F"
    assert client.get("/admin/login/?next=/admin/auth/group/")["Location"] == to_login
    form = {"username": "olga", "password": PASSWORD, "next": "/admin/auth/group/"}
    assert client.post("/admin/login/", form)["Location"] == to_login
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == (
        "/account/login/?next=%2Fadmin%2F"
    )
    assert "_auth_user_id" not in client.session


def test_guessing_there_is_bounded(client: Client, olga: User) -> None:
    for _ in range(6):
        address = client.get("/admin/", follow=True).redirect_chain[-1][0]
        answer = client.post(address, {"login": "olga", "password": "wrong"})
    assert "Too many wrong passwords" in answer.content.decode()
    answer = client.post(address, {"login": "olga", "password": PASSWORD})
    assert "Too many wrong passwords" in answer.content.decode()


def test_after_the_login_it_opens(client: Client, olga: User) -> None:
    address = client.get("/admin/", follow=True).redirect_chain[-1][0]
    answer = client.post(address, {"login": "olga", "password": PASSWORD}, follow=True)
    assert answer.redirect_chain[-1][0] == "/admin/"
    assert answer.status_code == 200


def test_members_are_told_no_and_guests_may_log_in(
    as_member: Client, client: Client, guest: User
) -> None:
    assert as_member.get("/admin/", follow=True).status_code == 403
    assert client.get("/admin/login/")["Location"].startswith("/account/login/")


def test_it_shows_nothing_that_opens_an_account(as_olga: Client, olga: User) -> None:
    factor = TOTP.activate(olga, SECRET).instance
    key = token_of(olga)
    token = olga.access_tokens.get()
    for address in (
        "/admin/mfa/authenticator/",
        f"/admin/mfa/authenticator/{factor.pk}/change/",
        "/admin/accounts/accesstoken/",
        f"/admin/accounts/accesstoken/{token.pk}/change/",
    ):
        page = as_olga.get(address).content.decode()
        assert "olga" in page
        assert not any(secret in page for secret in (SECRET, key, token.digest))


def test_it_leads_to_no_other_site(as_olga: Client) -> None:
    assert as_olga.get("/admin/login/?next=//evil.example/")["Location"] == "/admin/"


class TestSecondFactor:
    @pytest.mark.parametrize("path", ["/admin/", "/admin/accounts/user/", "/admin/jsi18n/"])
    def test_without_one_it_stays_shut(self, as_olga: Client, strict: None, path: str) -> None:
        answer = as_olga.get(path, follow=True)
        assert "/account/2fa/start/" in [step[0] for step in answer.redirect_chain]

    def test_the_way_to_one_is_told(self, as_olga: Client, strict: None) -> None:
        as_olga.get("/admin/", follow=True)
        answer = as_olga.post("/account/reauthenticate/", {"password": PASSWORD}, follow=True)
        assert "Required for admin access" in as_olga.get("/you/security/").content.decode()
        assert answer.status_code == 200

    def test_with_one_it_opens(self, as_olga: Client, olga: User, strict: None) -> None:
        TOTP.activate(olga, SECRET)
        assert as_olga.get("/admin/").status_code == 200

    def test_the_embedded_site_does_not_ask(self, as_olga: Client, settings: Any) -> None:
        assert settings.EMBEDDED and not settings.STAFF_SECOND_FACTOR
        assert as_olga.get("/admin/").status_code == 200
