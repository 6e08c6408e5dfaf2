"""The start page, the style page, account pages: who may see them and what they cost."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core import mail
from django.db import DatabaseError
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import User
from collection.queries.packs import shelf
from core.introductions import first_to_play, how_many, introduction, introductions, mark, packs
from rules import games
from tests.support.people import confirm_address

pytestmark = pytest.mark.django_db


def test_the_start_page_says_what_this_is_and_lets_one_play(client: Client) -> None:
    page = client.get("/").content.decode()
    assert "Small card games" in page
    assert 'action="/play/quick/"' in page
    assert f"Play {first_to_play().name} now" in page
    assert f">{how_many()}<" in page
    later = [entry for entry in introductions() if not entry.playable]
    assert page.count("Not playable yet: collect and build decks") == len(later)
    for entry in introductions():
        assert f'/cards/?game={entry.slug}"' in page


@pytest.mark.parametrize("path", ["/", "/decks/", "/decks/shared/"])
def test_who_asks_for_the_head_alone_is_answered(client: Client, db: None, path: str) -> None:
    assert client.head(path).status_code == 200


def test_the_start_page_costs_no_query_for_a_visitor(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        client.get("/")


@pytest.mark.parametrize("address", ["/", "/you/", "/account/email/"])
def test_a_members_page_costs_few_queries(
    as_member: Client, django_assert_max_num_queries: DjangoAssertNumQueries, address: str
) -> None:
    as_member.get(address)  # the session is in the cache from now on
    with django_assert_max_num_queries(7):
        as_member.get(address)


def test_all_games_are_on_the_shelf() -> None:
    shelf = introductions()
    assert [entry.slug for entry in shelf] == list(games())
    assert {entry.slug for entry in shelf if entry.playable} == {
        slug for slug, value in games().items() if any(m.playable for m in value.modes.values())
    }


def test_a_game_without_an_introduction_is_introduced_by_what_it_is() -> None:
    bare = replace(next(iter(games().values())), package="tests", summary="A game.")
    bare.__dict__["catalog"] = {"one": None, "two": None}
    introduction_result = introduction(bare)
    assert introduction_result.sentence == "A game."
    assert introduction_result.fan == ("one", "two")
    assert introduction_result.hue == {}


@pytest.mark.parametrize(
    ("says", "wrong"),
    [
        ({"fan": ["nothing"]}, "not a card"),
        ({"pack": "nothing"}, "not a product"),
        ({"colour": "red"}, "it may have"),
        ({"hue": {"ink": ["#000000", "#ffffff"]}}, "not a hue"),
        ({"hue": {"felt": "red"}}, "two colours"),
    ],
)
def test_an_introduction_that_cannot_be_right_says_what_is_wrong(
    says: dict[str, object], wrong: str
) -> None:
    with (
        mock.patch("core.introductions.load_toml", return_value=says),
        pytest.raises(ValueError, match=wrong),
    ):
        introduction(next(iter(games().values())))


def test_the_hues_come_with_every_page_and_may_be_kept(client: Client) -> None:
    page = client.get("/").content.decode()
    (address,) = re.findall(r'href="(/games\.css\?v=[^"]+)"', page)
    answer = client.get(address)
    assert answer["Content-Type"] == "text/css; charset=utf-8"
    assert "immutable" in answer["Cache-Control"]
    for entry in introductions():
        assert f'[data-game="{entry.slug}"]' in answer.content.decode()


def test_the_style_page_is_for_development_only(client: Client, settings: Settings) -> None:
    assert client.get("/style/").status_code == 404
    settings.DEBUG = True
    assert client.get("/style/").status_code == 200


@pytest.mark.parametrize("name", ["login", "signup", "password/reset", "password/reset/done"])
def test_entrances_are_in_our_look(client: Client, name: str) -> None:
    page = client.get(f"/account/{name}/").content.decode()
    assert 'class="sheet entrance-sheet"' in page
    assert "<style" not in page
    assert 'style="' not in page
    assert "allauth" not in page


@pytest.mark.parametrize("name", ["email", "password/change", "logout", "reauthenticate"])
def test_members_pages_are_in_our_look(as_member: Client, name: str) -> None:
    answer = as_member.get(f"/account/{name}/")
    assert answer.status_code == 200
    assert 'class="sheet entrance-sheet"' in answer.content.decode()


def test_a_lost_password_can_be_replaced(
    client: Client, member: User, django_capture_on_commit_callbacks: Any
) -> None:
    confirm_address(member)
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/account/password/reset/", {"email": member.email})
    assert mail.outbox[0].subject.endswith("Choose a new password for Riffle")
    assert "for the account “mira”" in mail.outbox[0].body
    link = re.search(
        r"http://testserver(/account/password/reset/key/\S+)", str(mail.outbox[0].body)
    )
    assert link
    form = client.get(link.group(1), follow=True)
    assert "Choose a new password" in form.content.decode()
    client.post(
        form.redirect_chain[-1][0],
        {"password1": "quite-another-pass", "password2": "quite-another-pass"},
    )
    member.refresh_from_db()
    assert member.check_password("quite-another-pass")


@pytest.mark.parametrize("name", ["email", "password/change", "password/set"])
def test_a_guest_gets_a_password_and_an_address_by_signing_up(
    client: Client, guest: User, name: str
) -> None:
    answer = client.post(f"/account/{name}/", {"email": "x@example.org", "action_add": ""})
    assert answer.status_code == 302
    assert answer["Location"] == "/account/signup/"
    assert "Sign up first" in client.get("/account/signup/").content.decode()
    assert not EmailAddress.objects.exists()


@pytest.mark.parametrize("status", [403, 404, 413, 500])
def test_the_error_page_needs_neither_request_nor_database(status: int) -> None:
    words = {"status": status, "title": "The error is on our side", "detail": "Try again."}
    with mock.patch("django.db.backends.utils.CursorWrapper.execute", side_effect=DatabaseError):
        page = render_to_string("error.html", words)
    assert "The error is on our side" in page
    assert 'href="/"' in page


def test_the_guest_menu_leads_to_signing_up(client: Client, guest: User) -> None:
    page = client.get("/you/").content.decode()
    assert "You play as a guest" in page
    assert guest.display_name in page


def test_a_name_is_shown_as_text(as_member: Client, member: User) -> None:
    User.objects.filter(pk=member.pk).update(display_name="<b>x</b>")
    assert "<b>x</b>" not in as_member.get("/you/").content.decode()


class TestLook:
    def test_an_avatar_stays_the_same_for_the_same_name(self) -> None:
        draw = Template('{% load look %}{% avatar "Mira" %}').render(Context())
        assert draw == Template('{% load look %}{% avatar "Mira" %}').render(Context())
        assert draw != Template('{% load look %}{% avatar "Jon" %}').render(Context())

    def test_a_new_name_keeps_the_persons_avatar(self, member: User) -> None:
        template = Template("{% load look %}{% avatar user %}")
        before = template.render(Context({"user": member}))
        member.display_name = "Somebody else"
        assert template.render(Context({"user": member})) == before

    def test_a_die_says_what_it_shows(self) -> None:
        assert 'aria-label="4"' in Template("{% load look %}{% die 4 %}").render(Context())

    def test_every_symbol_that_a_template_names_is_drawn(self) -> None:
        drawn = {
            sheet: set(
                re.findall(
                    r'<symbol id="([^"]+)"',
                    (Path(settings.BASE_DIR) / f"static/img/{sheet}.svg").read_text("utf-8"),
                )
            )
            for sheet in ("icons", "marks", "drawings")
        }
        pages = [*(Path(settings.BASE_DIR) / "templates").rglob("*.html")]
        pages += (Path(settings.BASE_DIR) / "games").glob("*/site/templates/**/*.html")
        for path in pages:
            text = path.read_text("utf-8")
            assert set(re.findall(r'{% icon "([^"]+)"', text)) <= drawn["icons"], path
            assert set(re.findall(r'{% drawing "([^"]+)"', text)) <= drawn["drawings"], path
        assert {"riffle", "game"} <= drawn["marks"]

    def test_every_game_has_a_mark_and_one_without_gets_the_plain_one(self) -> None:
        for entry in introductions():
            file, name = mark(entry.slug)
            drawn = Path(str(finders.find(file))).read_text("utf-8")
            assert f'id="{name}"' in drawn
        assert mark("no-such-game") == ("img/marks.svg", "game")


def test_the_start_page_leads_to_packs_and_decks(client: Client) -> None:
    page = client.get("/").content.decode()
    section = page[page.index('id="yours-title"') :]
    for address in ("collection:packs", "decks:new", "decks:shared"):
        assert f'href="{reverse(address)}"' in section, address
    owned = {(game.slug, product.slug) for game, value in shelf() for product in value}
    for slug, product, name in packs():
        assert (slug, product) in owned and f'class="wrapper-title">{name}' in section
