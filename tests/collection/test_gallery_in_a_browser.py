"""The gallery as people use it: filters, the back button, no scripts, keys; axe is quiet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from collection.models import Card
from collection.services.catalog import Synced
from tests.browser.player import leads_on, quiet, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def found(page: Page, words: str) -> None:
    page.get_by_role("status").filter(has_text=words).wait_for()


def test_filters_work_at_once_and_the_back_button_takes_them_back(
    page: Page, live_server: LiveServer, catalog: Synced
) -> None:
    total = Card.objects.count()
    page.goto(live_server.url + "/cards/")
    found(page, f"{total:,} cards.")
    page.fill("#id_q", "kao-char-gold-claw")  # a word of one game alone
    found(page, "1 card found.")
    page.wait_for_url("**/cards/?q=kao-char-gold-claw")
    page.fill("#id_q", "kao-char claw")
    found(page, "4 cards found.")
    page.select_option("#id_colour", "gold")
    found(page, "1 card found.")
    page.select_option("#id_game", "kaolan")  # after a swap of the filters, they still listen
    page.wait_for_url("**/cards/?q=kao-char+claw&game=kaolan&colour=gold")
    page.go_back()
    page.wait_for_url("**/cards/?q=kao-char+claw&colour=gold")
    found(page, "1 card found.")
    expect(page.locator("#id_q")).to_have_value("kao-char claw")
    expect(page.locator("#id_colour")).to_have_value("gold")
    page.get_by_role("link", name="Gold Claw.").click()
    page.get_by_role("heading", name="Gold Claw").wait_for()


def test_without_scripts_the_form_is_a_form(
    browser: Browser, live_server: LiveServer, catalog: Synced
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url + "/cards/")
    page.select_option("#id_colour", "gold")
    page.get_by_role("button", name="Show the cards").click()
    golden = Card.objects.filter(colour="gold").count()
    found(page, f"{golden} cards")
    assert golden > 21, "Kaolan's and those of another game"
    context.close()


def test_arrow_keys_turn_to_the_next_card(
    page: Page, live_server: LiveServer, catalog: Synced
) -> None:
    page.goto(live_server.url + "/cards/kaolan/kao-char-red-claw/")
    with leads_on(page):
        page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="Green Claw").wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("heading", name="Red Claw").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_pages_are_accessible_and_fit(
    browser: Browser,
    live_server: LiveServer,
    catalog: Synced,
    axe_source: str,
    width: int,
    theme: str,
) -> None:
    with visiting(browser, live_server, width, theme) as page:
        for address in (
            "/cards/?game=kaolan&kind=ability", "/cards/?q=zzz", "/cards/kaolan/kao-char-red-claw/",
        ):  # fmt: skip
            page.goto(live_server.url + address)
            quiet(page, axe_source)
