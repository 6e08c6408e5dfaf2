"""The profile and the theme."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db

OWN_PAGES = ["/you/", "/you/token/", "/you/security/"]


@pytest.mark.parametrize("address", OWN_PAGES)
def test_own_pages_ask_the_anonymous_to_log_in(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 302
    assert answer["Location"] == f"/account/login/?next={address}"


@pytest.mark.parametrize("address", OWN_PAGES)
def test_guests_and_members_have_own_pages(
    client: Client, guest: User, as_member: Client, address: str
) -> None:
    assert client.get(address).status_code == 200
    assert as_member.get(address).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/you/token/new/",
        "/you/token/revoke/",
        "/you/security/log-out/",
        "/you/security/log-out-everywhere/",
        "/theme/",
    ],
)
def test_what_writes_is_not_done_by_a_link(as_member: Client, address: str) -> None:
    assert as_member.get(address).status_code == 405


def test_the_profile_is_saved(as_member: Client, member: User) -> None:
    answer = as_member.post("/you/", {"display_name": "  Mira  the   Bold ", "theme": "dark"})
    assert answer.status_code == 302
    member.refresh_from_db()
    assert member.display_name == "Mira the Bold"
    assert member.theme == "dark"
    assert answer.cookies["riffle_theme"].value == "dark"


@pytest.mark.parametrize("name", ["", "   ", "...", "x" * 41, "a\u202eb"])
def test_a_bad_name_is_refused_and_not_shown_in_the_header(
    as_member: Client, member: User, name: str
) -> None:
    answer = as_member.post("/you/", {"display_name": name, "theme": "auto"})
    assert answer.status_code == 200
    page = answer.content.decode()
    assert 'aria-invalid="true"' in page
    assert "<h1>Mira</h1>" in page
    member.refresh_from_db()
    assert member.display_name == "Mira"


class TestTheme:
    def test_a_visitors_choice_is_in_the_next_page(self, client: Client) -> None:
        answer = client.post("/theme/", {"theme": "dark", "next": "/account/login/"})
        assert answer["Location"] == "/account/login/"
        assert 'data-theme="dark"' in client.get("/account/login/").content.decode()

    def test_a_members_choice_follows_to_another_device(
        self, as_member: Client, member: User, client: Client
    ) -> None:
        as_member.post("/theme/", {"theme": "light"})
        client.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
        assert 'data-theme="light"' in client.get("/you/").content.decode()

    def test_the_script_gets_an_empty_answer(self, client: Client) -> None:
        answer = client.post("/theme/", {"theme": "dark"}, headers={"X-Requested-With": "fetch"})
        assert answer.status_code == 204
        assert answer.cookies["riffle_theme"].value == "dark"

    def test_an_unknown_theme_is_refused(self, client: Client) -> None:
        answer = client.post("/theme/", {"theme": "pink"})
        assert answer.status_code == 400
        assert "riffle_theme" not in answer.cookies

    def test_a_forged_cookie_never_reaches_the_page(self, client: Client) -> None:
        client.cookies["riffle_theme"] = "x onload=alert(1)"
        assert 'data-theme="auto"' in client.get("/account/login/").content.decode()

    def test_it_does_not_lead_to_another_site(self, client: Client) -> None:
        answer = client.post("/theme/", {"theme": "dark", "next": "//evil.example/"})
        assert answer["Location"] == "/"
