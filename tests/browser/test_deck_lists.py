"""Somebody brings a deck, mends it, keeps it and takes it along; every page accessible, fitting."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from collection.services.catalog import sync_catalog
from decks.lists import read_any
from decks.models import Deck
from decks.queries.decks import decklist
from decks.services import decks as services
from tests.browser.player import PHONE, enter, leads_on, look_in_both
from tests.games.examples import CLAW, GAME, READY_CARDS, RED_7, TILE_GAME

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TYPED = "Deck (6)\n2x Claw (Red) [Emberfall] 12\n3 Rde 7\n1 Unicorn of the deep\n"
WARBAND = "Tokens\n3 Archer\nSomething else\n\nTowers\n1 Lantren Keep\n\nField:\n2 Scrap Camp\n"


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def mira(db: None) -> User:
    sync_catalog()
    mira = User.objects.create_user("mira", display_name="Mira")
    services.create_deck(
        owner=mira, game=GAME, mode="tournament", name="Wildfire", cards=READY_CARDS
    )
    return mira


def test_a_deck_is_brought_mended_kept_and_taken_along(
    browser: Browser, live_server: LiveServer, mira: User, tmp_path: Path
) -> None:
    page = enter(browser, live_server, mira).new_page()
    page.goto(live_server.url + "/decks/import/")
    page.get_by_label("Or paste a deck").fill(TYPED)
    page.get_by_role("button", name="Preview").click()
    unread = page.get_by_role("region", name="Unrecognised lines")
    expect(unread.get_by_role("listitem")).to_have_count(2)
    # By keyboard, as everything on the page.
    unread.get_by_role("button", name="Red 7 in line 3").press("Enter")
    expect(unread.get_by_role("listitem")).to_have_count(1)
    page.get_by_label("Name").fill("Embers")
    page.get_by_role("button", name="Save deck").click()
    page.get_by_text("1 line not recognised").first.wait_for()
    page.get_by_role("button", name="Save with unrecognised lines as comments").click()
    page.get_by_role("heading", name="Embers").wait_for()
    deck = Deck.objects.get(name="Embers")
    assert decklist(deck) == {"main": {CLAW: 2, RED_7: 3}}
    assert "# 1 Unicorn of the deep" in deck.typed

    page.get_by_role("link", name="Export").click()
    code = page.locator("#deck-code").inner_text()
    assert read_any(code).cards == decklist(deck)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download for Cockatrice").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "embers.cod"

    page.goto(live_server.url + f"/decks/import/?into={Deck.objects.get(name='Wildfire').slug}")
    page.get_by_label("Choose a file").set_input_files(file)
    page.get_by_text("embers.cod").first.wait_for()
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("a deck from Cockatrice").first.wait_for()
    page.get_by_role("button", name="Save deck").click()
    page.get_by_role("heading", name="Wildfire").wait_for()
    assert decklist(Deck.objects.get(name="Wildfire")) == decklist(deck)


def test_every_page_is_accessible_and_fits(
    browser: Browser,
    live_server: LiveServer,
    mira: User,
    axe_source: str,
) -> None:
    page = enter(browser, live_server, mira, viewport=PHONE).new_page()
    page.goto(live_server.url + "/decks/import/")
    look_in_both(page, axe_source, "import")
    with leads_on(page):
        page.get_by_role("button", name="Preview").click()
    look_in_both(page, axe_source, "import-empty")
    for name, text in ((GAME, TYPED), ("warband", WARBAND)):
        page.goto(live_server.url + "/decks/import/")
        page.get_by_label("Or paste a deck").fill(text)
        if name == "warband":
            page.get_by_label("Game and mode").select_option(f"{TILE_GAME}/warband")
        with leads_on(page):
            page.get_by_role("button", name="Preview").click()
        look_in_both(page, axe_source, f"preview-{name}")
    with leads_on(page):
        page.get_by_role("button", name="Save deck").click()
    look_in_both(page, axe_source, "refused")
    deck = Deck.objects.get(name="Wildfire")
    page.goto(live_server.url + f"/decks/{deck.slug}/export/")
    look_in_both(page, axe_source, "export")
