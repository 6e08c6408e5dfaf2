"""A session that somebody left open takes no account over: what matters asks for the password."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core import mail
from django.test import Client

from accounts.models import AccessToken, User
from config.bodies import body_limit
from notices.models.channels import WebHook
from tests.accounts.test_second_factor import SECRET, code, still  # noqa: F401  (fixture)
from tests.support.people import PASSWORD, prove
from tests.support.tokens import token_of

pytestmark = pytest.mark.django_db

URL = "https://hooks.example.org/told"
TOKEN = {"name": "My bot", "scopes": ["play"], "expires": "90"}
HOOK = {"shape": "json", "url": URL}
GATED = {
    "add an address": ("/account/email/", {"action_add": "", "email": "thief@example.org"}),
    "send a link": ("/account/email/", {"action_send": "", "email": "mira@example.org"}),
    "another main address": ("/account/email/", {"action_primary": "", "email": "b@example.org"}),
    "remove an address": ("/account/email/", {"action_remove": "", "email": "b@example.org"}),
    "turn the second factor on": ("/account/2fa/start/", {"code": "000000"}),
    "turn two-factor authentication off": ("/account/2fa/end/", {}),
    "make recovery codes": ("/account/2fa/recovery-codes/new/", {}),
    "make a token": ("/you/token/new/", TOKEN),
    "set a web hook": ("/you/notices/hook/", HOOK),
    "delete the account": ("/you/data/delete/", {"sure": "on"}),
}


WITH_FACTOR = (
    "/account/2fa/end/",
    "/account/2fa/recovery-codes/",
    "/account/2fa/recovery-codes/new/",
)


def state(user: User) -> Any:
    """Everything a thief would want to change."""
    return (
        sorted(EmailAddress.objects.values_list("email", "verified", "primary")),
        Authenticator.objects.count(),
        AccessToken.objects.count(),
        WebHook.objects.count(),
        User.objects.values_list("email", "password", "is_active").get(pk=user.pk),
    )


@pytest.fixture
def addresses(member: User) -> None:
    """A main address and another one, both confirmed."""
    for email, primary in (("mira@example.org", True), ("b@example.org", False)):
        EmailAddress.objects.create(user=member, email=email, primary=primary, verified=True)


@pytest.mark.usefixtures("addresses")
@pytest.mark.parametrize("action", GATED)
def test_a_stale_session_changes_nothing(as_member: Client, member: User, action: str) -> None:
    address, form = GATED[action]
    if address in WITH_FACTOR:
        TOTP.activate(member, SECRET)
    before = state(member)
    answer = as_member.post(address, form)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/account/reauthenticate/?next=")
    assert as_member.post(answer["Location"], {"password": "wrong"}).status_code == 200
    assert as_member.post(address, form)["Location"].startswith("/account/reauthenticate/")
    assert (state(member), mail.outbox) == (before, [])


@pytest.mark.parametrize(
    "address", ["/you/data/download/", "/account/2fa/recovery-codes/", "/account/2fa/start/"]
)
def test_a_stale_session_is_not_shown_it(as_member: Client, member: User, address: str) -> None:
    if "recovery" in address:
        TOTP.activate(member, SECRET)
        RecoveryCodes.activate(member)
    assert as_member.get(address)["Location"].startswith("/account/reauthenticate/")


@pytest.mark.parametrize("address", ["/account/email/", "/you/token/", "/you/notices/hook/"])
def test_pages_that_show_no_secret_open_without(as_member: Client, address: str) -> None:
    assert as_member.get(address).status_code == 200


def test_what_was_typed_is_done_after_the_password(as_member: Client, member: User) -> None:
    response = as_member.post("/you/token/new/", TOKEN)
    assert "Enter your password to continue" in as_member.get(response["Location"]).content.decode()
    page = as_member.post(response["Location"], {"password": PASSWORD}, follow=True)
    assert "Your new token" in page.content.decode()
    assert member.access_tokens.get().name == "My bot"
    as_member.post("/you/token/new/", TOKEN | {"name": "Another"})
    assert member.access_tokens.count() == 2, "for some minutes it is not asked for again"


@pytest.mark.parametrize("action", GATED)
def test_nobody_s_form_waits_in_a_session(client: Client, action: str) -> None:
    address, form = GATED[action]
    assert client.post(address, form)["Location"].startswith("/account/login/?next=")
    assert not client.session.keys()


def test_what_waits_in_a_session_is_small() -> None:
    for address, _ in GATED.values():
        assert body_limit("POST", address) == 64 * 1024


def test_it_is_asked_for_again_later(
    as_member: Client, member: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    import time

    prove(as_member)
    later = time.time() + 301
    monkeypatch.setattr(time, "time", lambda: later)
    assert "/reauthenticate/" in as_member.post("/you/token/new/", TOKEN)["Location"]
    assert not AccessToken.objects.exists()


@pytest.mark.usefixtures("still")
def test_a_code_or_a_recovery_code_will_do(as_member: Client, member: User) -> None:
    TOTP.activate(member, SECRET)
    codes = RecoveryCodes.activate(member).get_unused_codes()
    for name, typed in (("first", code()), ("second", codes[0])):
        client = Client()
        client.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
        response = client.post("/you/token/new/", TOKEN | {"name": name})
        page = client.get(response["Location"]).content.decode()
        (other,) = re.findall(r'href="(/account/2fa/again/[^"]*)"', page)
        client.post(other, {"code": typed})
        assert member.access_tokens.filter(name=name).exists()


class TestWithoutPassword:
    @pytest.fixture
    def member(self, db: None) -> User:
        user = User.objects.create_user("mira", "mira@example.org", is_guest=False)
        EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
        return user

    def test_nothing_is_asked_of_whoever_has_nothing_to_say(
        self, as_member: Client, member: User
    ) -> None:
        as_member.post("/you/token/new/", TOKEN)
        assert member.access_tokens.count() == 1
        assert as_member.get("/you/data/download/").status_code == 200

    @pytest.mark.usefixtures("still")
    def test_a_second_factor_is_asked_for_its_code(self, as_member: Client, member: User) -> None:
        TOTP.activate(member, SECRET)
        response = as_member.post("/you/data/delete/", {"sure": "on"})
        assert response["Location"].startswith("/account/2fa/again/?next=")
        page = as_member.get(response["Location"]).content.decode()
        assert "Enter the code from" in page and "/account/reauthenticate/" not in page
        member.refresh_from_db()
        assert member.is_active
        as_member.post(response["Location"], {"code": code()})
        member.refresh_from_db()
        assert not member.is_active

    @pytest.mark.usefixtures("still")
    def test_a_first_password_takes_the_code_and_waits_nowhere(
        self, as_member: Client, member: User
    ) -> None:
        TOTP.activate(member, SECRET)
        form = {"password1": PASSWORD, "password2": PASSWORD}
        page = as_member.post("/account/password/set/", form, follow=True)
        assert PASSWORD not in str(dict(as_member.session))
        (result, _) = page.redirect_chain[-1]
        assert result.startswith("/account/2fa/again/?next=")
        as_member.post(result, {"code": code()})
        as_member.post("/account/password/set/", form)
        member.refresh_from_db()
        assert member.check_password(PASSWORD)


def test_a_guest_has_only_the_browser(client: Client, guest: User) -> None:
    client.post("/you/token/new/", TOKEN)
    assert guest.access_tokens.count() == 1
    assert client.get("/you/data/download/").status_code == 200


class TestApi:
    """A browser's session at the API does no more than it does on pages."""

    def put(self, client: Client, **headers: str) -> Any:
        return client.put("/api/webhook/", HOOK, content_type="application/json", headers=headers)

    def test_a_stale_session_sets_no_hook(self, as_member: Client, member: User) -> None:
        refused = self.put(as_member)
        assert refused.status_code == 403
        assert "/account/reauthenticate/" in refused.json()["detail"]
        assert not WebHook.objects.exists()
        prove(as_member)
        assert self.put(as_member).status_code == 200

    def test_a_token_was_given_the_right_to(self, client: Client, member: User) -> None:
        assert self.put(client, Authorization=f"Token {token_of(member)}").status_code == 200

    def test_a_guest_sets_one(self, client: Client, guest: User) -> None:
        assert self.put(client).status_code == 200


@pytest.mark.django_db(transaction=True)
class TestMainAddress:
    @pytest.mark.parametrize("is_listed", [True, False])
    def test_the_old_one_hears_of_each_step(
        self, as_member: Client, member: User, is_listed: bool
    ) -> None:
        """Also where the address came with the account, as ``createsuperuser`` makes it."""
        if is_listed:
            EmailAddress.objects.create(
                user=member, email=member.email, primary=True, verified=True
            )
        prove(as_member)
        as_member.post("/account/email/", {"action_add": "", "email": "new@example.org"})
        (letter,) = [letter for letter in mail.outbox if letter.to == ["new@example.org"]]
        link = re.search(r"http://testserver(/account/confirm-email/\S+)", str(letter.body))
        assert link
        Client().post(link.group(1))
        member.refresh_from_db()
        assert member.email == "mira@example.org", "a confirmed address is not the main one yet"
        as_member.post("/account/email/", {"action_primary": "", "email": "new@example.org"})
        member.refresh_from_db()
        assert member.email == "new@example.org"
        assert [letter.subject for letter in mail.outbox if letter.to == ["mira@example.org"]] == [
            "Email address added to your Riffle account",
            "Your primary email address at Riffle was changed",
        ]


class TestReset:
    def ask(self, commits: Any, email: str) -> list[str]:
        with commits(execute=True):
            Client().post("/account/password/reset/", {"email": email})
        return [str(letter.body) for letter in mail.outbox if letter.to == [email]]

    @pytest.mark.usefixtures("addresses")
    def test_every_confirmed_address_gets_the_link(
        self, django_capture_on_commit_callbacks: Any
    ) -> None:
        for email in ("mira@example.org", "b@example.org"):
            (body,) = self.ask(django_capture_on_commit_callbacks, email)
            assert "/account/password/reset/key/" in body

    @pytest.mark.usefixtures("addresses")
    def test_an_address_that_was_never_confirmed_gets_none(
        self, member: User, django_capture_on_commit_callbacks: Any
    ) -> None:
        EmailAddress.objects.create(user=member, email="thief@example.org", verified=False)
        (body,) = self.ask(django_capture_on_commit_callbacks, "thief@example.org")
        assert "/account/password/reset/key/" not in body and "mira" not in body
        assert "confirmed" in body

    def test_neither_does_the_main_one(
        self, member: User, django_capture_on_commit_callbacks: Any
    ) -> None:
        (body,) = self.ask(django_capture_on_commit_callbacks, member.email)
        assert "/account/password/reset/key/" not in body

    def test_another_s_claim_to_a_confirmed_address_gets_none(
        self, member: User, django_capture_on_commit_callbacks: Any
    ) -> None:
        jon = User.objects.create_user("jon", "jon@example.org", PASSWORD)
        EmailAddress.objects.create(user=jon, email=jon.email, primary=True, verified=True)
        EmailAddress.objects.create(user=member, email=jon.email, verified=False)
        (body,) = self.ask(django_capture_on_commit_callbacks, jon.email)
        assert "for the account “jon”" in body
