"""One's own cards as people use them: find, count, want, see a table, on a phone; axe is quiet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from collection.models import Card, Holding
from collection.services import holdings as services
from collection.services.binders import share_binder
from collection.services.catalog import Synced
from tests.browser.player import keep, leads_on, log_in, quiet, tick, visiting
from tests.games.examples import CHARACTER_SLUGS, CLAW, GAME

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CLAW_PAGE = f"/cards/{GAME}/{CLAW}/"


def found(page: Page, words: str) -> None:
    page.get_by_role("status").filter(has_text=words).first.wait_for()


def begin(page: Page, live_server: LiveServer) -> None:
    """A visitor takes a Master Deck and is a guest from then on."""
    page.goto(live_server.url + "/collection/")
    page.get_by_role("button", name="Claim", exact=True).first.click()
    page.get_by_text("Claimed: Master Deck.").wait_for()
    page.wait_for_load_state()  # its scripts listen


def test_a_collector_s_walk(page: Page, live_server: LiveServer, catalog: Synced) -> None:
    begin(page, live_server)
    found(page, "60 cards.")
    page.fill("#id_q", f"{CHARACTER_SLUGS} claw")  # a word of one game alone
    found(page, "3 cards found.")
    tick(page, "have", "Missing")
    found(page, "1 card found.")
    page.wait_for_url(f"**/collection/?q={CHARACTER_SLUGS}+claw&have=missing")
    tick(page, "have", "Missing")
    found(page, "3 cards found.")
    page.locator("label", has_text="Table").click()
    page.get_by_role("table").wait_for()
    page.wait_for_url(f"**/collection/?q={CHARACTER_SLUGS}+claw&view=table")
    page.reload()
    with leads_on(page):
        page.get_by_role("row", name="Red Claw").get_by_role("link").click()

    number = page.locator("#own-number")
    page.locator("#own-more").click()
    page.get_by_text("1 digital, 1 physical.").wait_for()
    page.locator("#own-more").dblclick()
    page.get_by_text("1 digital, 2 physical.").wait_for()
    expect(number, "a double click is one click").to_have_text("3")
    page.locator("#own-less").click()
    page.get_by_text("1 digital, 1 physical.").wait_for()
    page.locator("#own-less").click()
    page.get_by_text("1 digital, 0 physical.").wait_for()
    page.locator("#own-less").click()
    page.get_by_role("alert").filter(has_text="can only leave by trade").wait_for()

    page.get_by_text("Wishlist, trade, tags and notes").click()
    page.get_by_label("Wishlist quantity").fill("4")
    page.get_by_label("For trade").fill("9")
    page.get_by_label("Tags").fill("binder")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Enter 0 to 1 for trade.").wait_for()
    expect(page.get_by_label("Tags")).to_have_value("binder")
    page.get_by_label("For trade").fill("1")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Wishlist: 3").wait_for()
    page.goto(live_server.url + "/cards/?have=wishlist")
    found(page, "1 card found.")
    row = Holding.objects.get(card__slug=CLAW)
    assert (row.digital, row.physical, row.wishlist, row.for_trade, row.tags) == (
        1,
        0,
        4,
        1,
        "binder",
    )


def test_two_tabs_of_one_card(
    context: BrowserContext, live_server: LiveServer, catalog: Synced
) -> None:
    first, two = context.new_page(), context.new_page()
    begin(first, live_server)
    for page in (first, two):
        page.goto(live_server.url + CLAW_PAGE)
    for number, page in enumerate((first, two), 1):
        page.locator("#own-more").click()
        page.get_by_text(f"1 digital, {number} physical.").wait_for()


def test_without_scripts_all_of_it_works(
    browser: Browser, live_server: LiveServer, catalog: Synced
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    begin(page, live_server)
    tick(page, "have", "Missing")
    page.select_option("#id_game", GAME)
    page.get_by_role("button", name="Show the cards").click()
    found(page, "37 cards found.")
    page.goto(live_server.url + f"/collection/?game={GAME}")
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".wall > li")).to_have_count(12)
    page.get_by_role("link", name="Previous").click()
    expect(page.locator(".wall > li")).to_have_count(48)
    page.goto(live_server.url + CLAW_PAGE)
    page.get_by_role("button", name="Add a physical copy").click()
    page.get_by_text("1 digital, 1 physical.").wait_for()
    page.get_by_text("Wishlist, trade, tags and notes").click()
    page.get_by_label("Wishlist quantity").fill("3")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Wishlist: 1").wait_for()
    page.goto(live_server.url + "/collection/settings/")
    page.get_by_label("Your friends").check(force=True)
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").wait_for()
    context.close()


def test_the_first_copy_of_a_visitor(page: Page, live_server: LiveServer, catalog: Synced) -> None:
    page.goto(live_server.url + CLAW_PAGE)
    page.get_by_role("button", name="I own a physical copy").click()
    page.get_by_text("0 digital, 1 physical.").wait_for()
    page.locator("#own-more").click()
    page.get_by_text("0 digital, 2 physical.").wait_for()
    assert User.objects.get().is_guest


@pytest.mark.parametrize("width", [390, 1440])
def test_pages_are_accessible_and_fit(
    browser: Browser,
    live_server: LiveServer,
    catalog: Synced,
    axe_source: str,
    width: int,
) -> None:
    with visiting(browser, live_server, width) as page:
        page.goto(live_server.url + "/collection/")
        quiet(page, axe_source)
        begin(page, live_server)
        guest = User.objects.get()
        card = Holding.objects.select_related("card").get(card__slug=CLAW).card
        services.mark(owner=guest, card=card, wishlist=3, for_trade=1, tags="binder")
        member = User.objects.create_user("ada")
        services.count_by_hand(owner=member, card=card, token="binder-1", change=1)
        shared = share_binder(owner=member, binder="", cards="all", on_profile=True)
        for address in (
            "/collection/binders/", shared.get_absolute_url(),
            "/collection/", "/collection/?view=table&sort=most", "/collection/?q=zzz",
            "/collection/progress/", "/collection/history/", "/collection/settings/", CLAW_PAGE,
        ):  # fmt: skip
            page.goto(live_server.url + address)
            for more in page.locator(":is(.own-more, .more-starters) > summary").all():
                more.click()
            for row in page.locator(".own-more details > summary").all():
                row.click()
            quiet(page, axe_source)


@pytest.mark.parametrize("view", ["", "&view=table"])
def test_a_binder_is_counted_by_keys(
    page: Page, live_server: LiveServer, catalog: Synced, view: str
) -> None:
    begin(page, live_server)
    page.goto(f"{live_server.url}/cards/?game={GAME}{view}")
    first = page.locator("#wall input").first
    page.get_by_role("button", name="Count cards").click()
    expect(first).to_be_focused()
    cards = list(Card.objects.filter(game__slug=GAME).order_by("place")[:30])
    held = dict(Holding.objects.values_list("card_id", "digital"))
    for number, _ in enumerate(cards):
        page.keyboard.type(str(number + 3))
        page.keyboard.press("Enter")
    for _ in range(6):
        page.keyboard.press("+")
    page.keyboard.press("ArrowLeft")
    page.locator("#wall [data-counter] [data-step='-1']").first.click()
    for number, card in enumerate(cards):
        wanted = number + 3 - (number == 0)
        quantity = f"#wall [data-counter] >> nth={number} >> input"
        expect(page.locator(quantity)).to_have_value(str(wanted))
        assert held.get(card.pk, 0) <= wanted
    page.locator("#wall:not([data-busy])").wait_for()
    page.goto(f"{live_server.url}/collection/history/")
    counts = dict(Holding.objects.values_list("card_id", "quantity"))
    assert [counts[card.pk] for card in cards] == [2, *range(4, len(cards) + 3)]


PILLS = """() => [...document.querySelectorAll(".wall > li")].slice(0, 8).map((card) => {
    const box = (element) => element.getBoundingClientRect();
    const pill = card.querySelector("[data-counter]");
    const steps = [...pill.querySelectorAll("button")].map((step) => {
        const range = document.createRange();
        range.selectNodeContents(step);
        const [sign, button] = [box(range), box(step)];
        return Math.abs((sign.left + sign.right) / 2 - (button.left + button.right) / 2);
    });
    const field = pill.querySelector("input");
    return {
        below: box(pill).top - box(card.querySelector("img")).bottom,
        aside: Math.abs(box(pill).left - box(card).left),
        off: Math.max(...steps),
        cut: field.scrollWidth - field.clientWidth,
        numbers: card.querySelector(".tile-count")?.checkVisibility() ?? false,
    };
})"""


@pytest.mark.parametrize("width", [390, 1440])
def test_a_counting_pill_stands_under_its_card_and_keeps_its_number(
    browser: Browser, live_server: LiveServer, catalog: Synced, width: int
) -> None:
    with visiting(browser, live_server, width) as page:
        begin(page, live_server)
        page.goto(f"{live_server.url}/cards/?game={GAME}&have=owned")
        page.get_by_role("button", name="Count cards").click()
        field = page.locator("#wall [data-counter] input").first
        field.fill("999999")
        for pill in page.evaluate(PILLS):
            assert 0 <= pill["below"] < 16 and pill["aside"] < 2, pill
            assert pill["off"] < 1.5 and pill["cut"] <= 0 and not pill["numbers"], pill
        keep(page, f"counting-{width}", False)
        page.evaluate("() => location.assign('/collection/history/')")  # nothing loses the focus
        page.wait_for_url("**/collection/history/")
        while not Holding.objects.filter(quantity=999_999).exists():
            page.wait_for_timeout(50)  # until the test's own timeout
        page.goto(f"{live_server.url}/cards/?game={GAME}&have=owned")
        expect(page.locator("#wall [data-counter] input").first).to_have_value("999999")
        page.locator("#wall [data-counter] [data-step='-1']").first.click()
        page.locator("#wall:not([data-busy])").wait_for()
        page.get_by_role("button", name="Count cards").click()
        expect(page.locator("#wall .tile-count").first).to_have_text("Owned: ×999,998")


def test_a_new_collection_has_nothing_to_count(
    page: Page, live_server: LiveServer, catalog: Synced, context: BrowserContext
) -> None:
    user = User.objects.create_user("ada")
    log_in(context, live_server, user)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(live_server.url + "/collection/")
    page.get_by_text("Empty so far.").wait_for()
    page.wait_for_load_state("networkidle")
    assert errors == []


def test_copies_are_told_apart(
    page: Page, live_server: LiveServer, catalog: Synced, axe_source: str
) -> None:
    begin(page, live_server)
    page.goto(live_server.url + CLAW_PAGE)
    copies = page.locator("#own-copies")
    page.locator("#own-more").click()
    page.get_by_text("1 digital, 1 physical.").wait_for()
    copies.get_by_text("Condition, language, binder").click()
    expect(copies.get_by_role("listitem"), "a count is known below, too").to_contain_text("2 ×")
    copies.get_by_text("No details").click()
    copies.get_by_label("Copies").fill("1")
    copies.get_by_label("Condition").select_option("Good (lightly played)")
    page.locator("#own-more").click()
    page.get_by_text("1 digital, 2 physical.").wait_for()
    expect(copies.get_by_role("listitem")).to_contain_text("3 ×")
    expect(copies.get_by_label("Copies"), "what is typed stays").to_have_value("1")
    page.locator("#own-less").click()
    page.get_by_text("1 digital, 1 physical.").wait_for()
    copies.get_by_label("Language").select_option("German")
    copies.get_by_label("Finish").select_option("Foil")
    copies.get_by_label("Binder").fill("Trade binder")
    copies.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").wait_for()
    lines = copies.get_by_role("listitem")
    expect(lines).to_have_count(2)
    expect(lines.first).to_contain_text("Good (lightly played), German, Foil")
    quiet(page, axe_source)
    page.locator("#own-less").click()
    page.get_by_text("1 digital, 0 physical.").wait_for()
    expect(lines, "the plain one goes first").to_have_count(1)
    expect(lines).to_contain_text("Trade binder")
    page.goto(live_server.url + "/collection/?view=table")
    page.get_by_label("Binder", exact=True).select_option("Trade binder")
    found(page, "1 card found.")
    with leads_on(page):
        page.get_by_role("link", name="Edit the copies of Red Claw").click()
    expect(page.locator("#own-copies")).to_contain_text("Trade binder")
