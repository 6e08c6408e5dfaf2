"""The gallery as people use it: filters, the back button, no scripts, keys; axe is quiet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from collection.models import Card
from collection.services.catalog import Synced
from tests.browser.player import leads_on, quiet, tick, visiting
from tests.games.examples import CHARACTER_SLUGS, CLAW, GAME, GAME_NAME, GOLD_CLAW

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def found(page: Page, words: str) -> None:
    page.get_by_role("status").filter(has_text=words).wait_for()


def test_several_colours_are_ticked_one_after_another_with_keys_alone(
    page: Page, live_server: LiveServer, catalog: Synced
) -> None:
    page.goto(live_server.url + f"/cards/?game={GAME}")
    found(page, "97 cards found.")
    page.locator("summary", has=page.locator("#said_colour")).focus()
    page.keyboard.press("Enter")
    for key, words, address in (
        ("Tab", "Blue", "colour=blue"),
        ("Tab", "Blue or Gold", "colour=blue&colour=gold"),
    ):
        page.keyboard.press(key)
        page.keyboard.press("Space")
        page.wait_for_url(f"**/cards/?game={GAME}&{address}")
        expect(page.locator("#said_colour")).to_have_text(words)
        expect(page.locator("input:focus")).to_be_checked()
    number = Card.objects.filter(game__slug=GAME, colour__in=["blue", "gold"]).count()
    found(page, f"{number} cards found.")
    page.keyboard.press("Escape")
    expect(page.locator("summary:focus #said_colour")).to_have_count(1)
    page.reload()
    expect(page.locator("#said_colour")).to_have_text("Blue or Gold")
    tick(page, "colour", "Blue")
    tick(page, "colour", "Gold")
    found(page, "97 cards found.")
    page.wait_for_url(f"**/cards/?game={GAME}")


def test_filters_work_at_once_and_the_back_button_takes_them_back(
    page: Page, live_server: LiveServer, catalog: Synced
) -> None:
    total = Card.objects.count()
    page.goto(live_server.url + "/cards/")
    found(page, f"{total:,} cards.")
    page.fill("#id_q", GOLD_CLAW)  # a word of one game alone
    found(page, "1 card found.")
    page.wait_for_url(f"**/cards/?q={GOLD_CLAW}")
    page.fill("#id_q", f"{CHARACTER_SLUGS} claw")
    found(page, "4 cards found.")
    tick(page, "colour", "Gold")
    found(page, "1 card found.")
    page.select_option("#id_game", GAME)  # after a swap of the filters, they still listen
    page.wait_for_url(f"**/cards/?q={CHARACTER_SLUGS}+claw&game={GAME}&colour=gold")
    page.go_back()
    page.wait_for_url(f"**/cards/?q={CHARACTER_SLUGS}+claw&colour=gold")
    found(page, "1 card found.")
    expect(page.locator("#id_q")).to_have_value(f"{CHARACTER_SLUGS} claw")
    expect(page.locator("#said_colour")).to_have_text("Gold")
    page.get_by_role("link", name="Gold Claw.").click()
    page.get_by_role("heading", name="Gold Claw").wait_for()


def test_without_scripts_the_form_is_a_form(
    browser: Browser, live_server: LiveServer, catalog: Synced
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url + "/cards/")
    tick(page, "colour", "Gold")
    page.get_by_role("button", name="Show the cards").click()
    golden = Card.objects.filter(colour="gold").count()
    found(page, f"{golden} cards")
    assert golden > 21, f"{GAME_NAME}'s and those of another game"
    tick(page, "colour", "Red")
    page.get_by_role("button", name="Show the cards").click()
    both = Card.objects.filter(colour__in=["gold", "red"]).count()
    found(page, f"{both} cards")
    expect(page.locator("#said_colour")).to_have_text("Gold or Red")
    context.close()


def test_arrow_keys_turn_to_the_next_card(
    page: Page, live_server: LiveServer, catalog: Synced
) -> None:
    page.goto(live_server.url + f"/cards/{GAME}/{CLAW}/")
    with leads_on(page):
        page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="Green Claw").wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("heading", name="Red Claw").wait_for()


@pytest.mark.parametrize("width", [390, 1440])
def test_pages_are_accessible_and_fit(
    browser: Browser,
    live_server: LiveServer,
    catalog: Synced,
    axe_source: str,
    width: int,
) -> None:
    with visiting(browser, live_server, width) as page:
        for address in (
            f"/cards/?game={GAME}&kind=ability&kind=power", "/cards/?q=zzz",
            f"/cards/{GAME}/{CLAW}/",
        ):  # fmt: skip
            page.goto(live_server.url + address)
            if page.locator("#said_kind").count():
                page.locator("summary", has=page.locator("#said_kind")).click()
            quiet(page, axe_source)
