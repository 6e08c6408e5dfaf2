"""Sealed on a desktop, from packs to a submitted deck; a pick of a draft on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from collection.services.catalog import sync_catalog
from decks.models import Deck
from tests.browser.player import DESKTOP, PHONE, enter, leads_on, look
from tests.tournaments.conftest import announcement, players
from tests.tournaments.test_limited import MODE, give, person
from tournaments.models import Tournament
from tournaments.models.limited import DraftPick
from tournaments.services import announce, entries
from tournaments.services.limited_terms import LimitedTerms

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def with_packs(kind: str, ada: User) -> Tournament:
    """A tournament of two people whose packs have been given."""
    tournament = announce.announce(
        organiser=ada, announcement=announcement(mode=MODE, limited=LimitedTerms(kind))
    )
    for number in (1, 2):
        entries.enter(tournament=tournament, user=person(number))
    return give(tournament)


def test_sealed_on_a_desktop_and_a_pick_on_a_phone(
    browser: Browser, live_server: LiveServer, axe_source: str
) -> None:
    sync_catalog()
    ada = User.objects.create_user("ada", display_name="Ada")
    first, second = players(2)
    sealed, draft = with_packs("sealed", ada), with_packs("draft", ada)
    page = enter(browser, live_server, first, viewport=DESKTOP).new_page()
    page.goto(live_server.url + reverse("tournaments:limited", args=[sealed.slug]))
    look(page, axe_source, "limited-sealed")
    with leads_on(page):
        page.get_by_role("button", name="Open all packs").click()
    expect(page.get_by_role("heading", name="Your pool 30")).to_be_visible()
    with leads_on(page):
        page.get_by_role("button", name="Build a deck").click()
    expect(page.get_by_text("Built from the pool of Spring Open")).to_be_visible()
    page.get_by_role("button", name="Complete with cards from the pool").click()
    expect(page.get_by_text("This deck is legal.")).to_be_visible()
    look(page, axe_source, "limited-builder", full_page=False)
    page.goto(live_server.url + reverse("tournaments:limited", args=[sealed.slug]))
    with leads_on(page):
        page.get_by_role("button", name="Submit").click()
    deck = Deck.objects.get(owner=first)
    expect(page.get_by_text(f"Submitted: {deck.name}")).to_be_visible()
    look(page, axe_source, "limited-pool")

    phone = enter(browser, live_server, second, viewport=PHONE).new_page()
    phone.goto(live_server.url + reverse("tournaments:limited", args=[draft.slug]))
    look(phone, axe_source, "limited-pick-phone")
    phone.locator(".limited-choice label").nth(3).click()
    look(phone, axe_source, "limited-chosen-phone", full_page=False)
    with leads_on(phone):
        phone.get_by_role("button", name="Take this card").click()
    expect(phone.get_by_role("heading", name="Waiting for the next pile")).to_be_visible()
    assert DraftPick.objects.get().place == 3
    look(phone, axe_source, "limited-wait-phone")
    page.goto(live_server.url + reverse("tournaments:limited", args=[draft.slug]))
    look(page, axe_source, "limited-pick")
