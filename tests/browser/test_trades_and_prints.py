"""Two people trade in their browsers, a third makes a PDF; every page is accessible and fits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from collection.models import Card, Collection, Holding, Reason, Trade, TradeState, Visibility
from collection.services import ledger
from collection.services.catalog import sync_catalog
from tests.browser.player import PHONE, enter, leads_on, look_in_both
from tests.games.examples import BLUE_CLAW, CLAW, FLAME, GOLD_CLAW, STINGER

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def person(name: str, *slugs: str) -> User:
    """A member with two each of some cards, shown to everybody."""
    user = User.objects.create_user(name, display_name=name.capitalize())
    cards = {Card.objects.get(slug=slug).pk: 2 for slug in slugs}
    ledger.transfer(
        key=f"grant:{name}", reason=Reason.GRANT, movements=ledger.digital_to(user, cards)
    )
    Collection.objects.create(owner=user, visibility=Visibility.PUBLIC)
    return user


@pytest.fixture
def people(db: None) -> tuple[User, User]:
    sync_catalog()
    ada = person("ada", CLAW, FLAME, STINGER)
    ben = person("ben", BLUE_CLAW, GOLD_CLAW)
    return ada, ben


def test_two_people_trade(
    browser: Browser, live_server: LiveServer, people: tuple[User, User]
) -> None:
    ben = people[1]
    hers, his = (enter(browser, live_server, user) for user in people)
    page = hers.new_page()
    page.goto(live_server.url + "/trades/new/ben/")
    page.get_by_role("button", name="Add Red Claw").click()
    page.locator("input[name^=give-]").wait_for()
    page.get_by_role("searchbox", name="Search Ben’s cards").fill("gold")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Add Blue Claw")).to_have_count(0)
    page.get_by_role("button", name="Add Gold Claw").click()
    page.locator("input[name^=take-]").wait_for()
    page.get_by_label("Message to Ben").fill("For your blue pack")
    page.get_by_role("button", name="Send offer").click()
    page.get_by_text("Offer sent to Ben.").wait_for()

    other = his.new_page()
    other.goto(live_server.url + "/trades/")
    other.get_by_role("link", name="Ada").click()
    other.get_by_text("For your blue pack").wait_for()
    other.get_by_role("link", name="Counter-offer").click()
    other.get_by_role("button", name="Add Red Flame").click()
    other.locator("input[name^=take-]").nth(1).wait_for()
    other.get_by_role("button", name="Send counter-offer").click()
    other.get_by_text("Offer sent to Ada.").wait_for()

    page.goto(live_server.url + "/trades/")
    page.get_by_role("link", name="Ben").first.click()
    page.get_by_role("button", name="Accept trade").click()
    page.get_by_text("Trade with Ben completed.").wait_for()
    assert Trade.objects.filter(state=TradeState.ACCEPTED).count() == 1
    got = Holding.objects.filter(owner=ben, quantity__gt=0)
    assert dict(got.values_list("card__slug", "digital")) == {
        BLUE_CLAW: 2,
        GOLD_CLAW: 1,
        CLAW: 1,
        FLAME: 1,
    }
    hers.close()
    his.close()


def test_an_offer_without_scripts(
    browser: Browser, live_server: LiveServer, people: tuple[User, User]
) -> None:
    context = enter(browser, live_server, people[0], java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url + "/trades/new/ben/")
    offered = page.locator("input[name^=give-]")
    for number, button in enumerate(("Add Red Claw", "Add Red Flame"), 1):
        page.get_by_role("button", name=button).click()
        expect(offered).to_have_count(number)
    page.get_by_role("button", name="Remove Red Claw").click()
    expect(offered).to_have_count(1)
    page.get_by_role("button", name="Send offer").click()
    page.get_by_text("Offer sent to Ben.").wait_for()
    trade = Trade.objects.get()
    assert page.url.endswith(trade.get_absolute_url())
    assert [item.card.title for item in trade.items.all()] == ["Red Flame"]
    context.close()


def test_a_print_from_choosing_to_downloading(
    browser: Browser, live_server: LiveServer, people: tuple[User, User]
) -> None:
    context = enter(browser, live_server, people[0])
    page = context.new_page()
    page.goto(live_server.url + "/prints/new/")
    page.get_by_role("searchbox", name="Search cards").fill("gold claw")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Add Blue Claw")).to_have_count(0)
    page.get_by_role("button", name="Add Gold Claw").click()
    page.locator("input[name^=n-]").fill("3")
    page.get_by_label("Title").fill("Three claws")
    page.get_by_role("button", name="Create PDF").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download PDF").click()
    assert download.value.suggested_filename == "three-claws.pdf"
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF-")
    context.close()


def test_the_pages_are_accessible_and_fit(
    browser: Browser,
    live_server: LiveServer,
    people: tuple[User, User],
    axe_source: str,
) -> None:
    context = enter(browser, live_server, people[0], viewport=PHONE)
    page = context.new_page()
    page.goto(live_server.url + "/friends/")
    page.get_by_label("Username").fill("ben")
    with leads_on(page):
        page.get_by_role("button", name="Send request").click()
    look_in_both(page, axe_source, "friends")
    page.goto(live_server.url + "/trades/")
    look_in_both(page, axe_source, "no-trades")
    page.goto(live_server.url + "/trades/new/ben/")
    page.get_by_role("button", name="Add Red Claw").click()
    page.locator("input[name^=give-]").wait_for()
    page.get_by_role("button", name="Add Gold Claw").click()
    page.locator("input[name^=take-]").wait_for()
    look_in_both(page, axe_source, "trade-sheet")
    page.get_by_role("button", name="Send offer").click()
    page.get_by_role("button", name="Withdraw offer").wait_for()
    look_in_both(page, axe_source, "trade")
    page.goto(live_server.url + "/trades/")
    look_in_both(page, axe_source, "trades")
    page.goto(live_server.url + "/prints/")
    look_in_both(page, axe_source, "no-prints")
    page.goto(live_server.url + "/prints/new/?words=claw")
    page.get_by_role("button", name="Add Gold Claw").click()
    page.locator("input[name^=n-]").wait_for()
    look_in_both(page, axe_source, "print-order")
    page.get_by_role("button", name="Create PDF").click()
    page.get_by_role("link", name="Download PDF").wait_for()
    look_in_both(page, axe_source, "print")
    page.goto(live_server.url + "/prints/")
    look_in_both(page, axe_source, "prints")
    context.close()
