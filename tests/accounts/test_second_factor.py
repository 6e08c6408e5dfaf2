"""The second factor: set up, asked for, bounded, turned off; and recovery codes."""

from __future__ import annotations

import base64
import re
import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from tests.support.people import PASSWORD

pytestmark = pytest.mark.django_db

SECRET = "JBSWY3DPEHPK3PXP"
NOW = 1_790_000_000.0


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands, so that no code changes while it is typed."""
    monkeypatch.setattr(time, "time", lambda: NOW)


def code(secret: str = SECRET) -> str:
    return format_hotp_value(hotp_value(secret, int(NOW) // 30))


@pytest.fixture
def factor(member: User) -> None:
    TOTP.activate(member, SECRET)
    RecoveryCodes.activate(member)


def with_password(client: Client) -> Any:
    return client.post("/account/login/", {"login": "mira", "password": PASSWORD})


def is_in(client: Client) -> bool:
    return client.get("/you/").status_code == 200


class TestSettingUp:
    @pytest.fixture
    def laptop(self, member: User) -> Client:
        client = Client()
        with_password(client)
        return client

    def start(self, laptop: Client) -> str:
        """Go as far as the picture; its key."""
        response = laptop.get("/account/2fa/start/")
        assert response["Location"].startswith("/account/reauthenticate/")
        page = laptop.post(response["Location"], {"password": PASSWORD}, follow=True)
        text = page.content.decode()
        picture = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', text)
        assert picture and b"<svg" in base64.b64decode(picture.group(1))
        key = re.search(r'<code class="secret">(\w+)</code>', text)
        assert key
        return key.group(1)

    @pytest.mark.django_db(transaction=True)
    def test_from_the_page_to_the_codes(self, laptop: Client, member: User) -> None:
        other = Client()
        with_password(other)
        secret = self.start(laptop)
        done = laptop.post("/account/2fa/start/", {"code": code(secret)}, follow=True)
        assert done.redirect_chain[-1][0] == "/account/2fa/recovery-codes/"
        hit = re.search(r'id="recovery-codes"[^>]*>([^<]+)<', done.content.decode())
        assert hit and len(hit.group(1).split()) == 10
        page = laptop.get("/you/security/").content.decode()
        assert "You have 10 recovery codes left" in " ".join(page.split())
        assert not is_in(other), "logged in with the password alone"
        with_password(other)
        other.post("/account/2fa/code/", {"code": code(secret)})
        assert not is_in(other), "the code that turned it on is used up"
        assert "no-store" in laptop.get("/account/2fa/recovery-codes/file/")["Cache-Control"]

    def test_a_wrong_code_turns_nothing_on(self, laptop: Client) -> None:
        self.start(laptop)
        answer = laptop.post("/account/2fa/start/", {"code": "000000"})
        assert "Wrong code" in answer.content.decode()
        assert not Authenticator.objects.exists()

    def test_it_can_be_turned_off(self, laptop: Client, member: User) -> None:
        self.start(laptop)
        TOTP.activate(member, SECRET)
        RecoveryCodes.activate(member)
        assert "Turn off" in laptop.get("/account/2fa/end/").content.decode()
        laptop.post("/account/2fa/end/")
        assert not Authenticator.objects.exists()
        assert 'badge">Off' in laptop.get("/you/security/").content.decode()

    def test_new_codes_end_the_old_ones(self, laptop: Client, member: User) -> None:
        self.start(laptop)
        TOTP.activate(member, SECRET)
        before = RecoveryCodes.activate(member).get_unused_codes()
        page = laptop.get("/account/2fa/recovery-codes/new/").content.decode()
        assert "your 10 remaining codes" in " ".join(page.split())
        laptop.post("/account/2fa/recovery-codes/new/")
        page = laptop.get("/account/2fa/recovery-codes/").content.decode()
        assert not any(item in page for item in before)

    @pytest.mark.parametrize("path", ["start/", "end/", "recovery-codes/", "again/"])
    def test_a_guest_signs_up_first(self, client: Client, guest: User, path: str) -> None:
        assert client.get(f"/account/2fa/{path}")["Location"] == "/account/signup/"


@pytest.mark.usefixtures("factor")
class TestLoggingIn:
    def test_the_password_alone_opens_nothing(self, client: Client) -> None:
        assert with_password(client)["Location"] == "/account/2fa/code/"
        assert not is_in(client)
        page = client.get("/account/2fa/code/").content.decode()
        assert 'class="sheet entrance-sheet"' in page and 'inputmode="numeric"' in page
        client.post("/account/2fa/code/", {"code": code()})
        assert is_in(client)

    def test_a_code_works_once(self, client: Client) -> None:
        for expected in (True, False):
            client = Client()
            with_password(client)
            client.post("/account/2fa/code/", {"code": code()})
            assert is_in(client) is expected

    def test_a_recovery_code_works_once(self, member: User) -> None:
        codes = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()
        for expected in (True, False):
            client = Client()
            with_password(client)
            client.post("/account/2fa/code/", {"code": codes[0]})
            assert is_in(client) is expected

    def test_guessing_codes_is_bounded(self, client: Client) -> None:
        with_password(client)
        for _ in range(5):
            answer = client.post("/account/2fa/code/", {"code": "000000"})
            assert "Wrong code" in answer.content.decode()
        answer = client.post("/account/2fa/code/", {"code": code()})
        assert "Too many wrong passwords" in answer.content.decode()
        assert not is_in(client)

    def test_there_is_no_code_without_the_password(self, client: Client) -> None:
        answer = client.post("/account/2fa/code/", {"code": code()})
        assert answer["Location"] == "/account/login/"
        assert not is_in(client)

    def test_a_guests_things_move_after_the_code_and_not_before(
        self, client: Client, guest: User, member: User
    ) -> None:
        with_password(client)
        guest.refresh_from_db()
        assert guest.is_active and client.session["_auth_user_id"] == str(guest.pk)
        page = client.get("/account/2fa/code/")
        assert page.status_code == 200 and str(guest) in page.content.decode()
        client.post("/account/2fa/code/", {"code": "000000"})
        guest.refresh_from_db()
        assert guest.is_active
        client.post("/account/2fa/code/", {"code": code()})
        guest.refresh_from_db()
        assert guest.merged_into == member
        assert client.session["_auth_user_id"] == str(member.pk)

    def test_a_new_password_by_mail_does_not_go_round_it(
        self, client: Client, member: User
    ) -> None:
        member.set_password("quite-another-pass")
        member.save()
        cache.clear()
        client.post("/account/login/", {"login": "mira", "password": "quite-another-pass"})
        assert not is_in(client)

    def test_before_what_matters_a_code_will_do(self, client: Client) -> None:
        with_password(client)
        client.post("/account/2fa/code/", {"code": code()})
        cache.clear()
        response = client.get("/account/2fa/recovery-codes/")
        page = client.get(response["Location"]).content.decode()
        assert "Use authenticator app or code" in page
        answer = client.post(
            "/account/2fa/again/?next=/account/2fa/recovery-codes/", {"code": code()}, follow=True
        )
        assert "logs you in once" in answer.content.decode()


@pytest.mark.usefixtures("factor")
def test_whoever_runs_the_site_can_turn_it_off(client: Client, member: User) -> None:
    client.force_login(member)
    call_command("end_second_factor", "MIRA", verbosity=0)
    assert not Authenticator.objects.exists()
    assert not is_in(client)
    with_password(client)
    assert is_in(client)
    call_command("end_second_factor", "mira", verbosity=0)
    with pytest.raises(CommandError, match="No user named"):
        call_command("end_second_factor", "nobody", verbosity=0)
