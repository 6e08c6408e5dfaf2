"""A day of regulars on a phone and at a desk: playing by web, collecting, building, organising."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from collection.models import Card, Holding
from collection.services.catalog import sync_catalog
from collection.services.holdings import count_by_hand
from decks.models import CheckedDeck, DeckCheck
from decks.queries.formats import present
from decks.services import checks, formats
from decks.services import decks as deck_services
from matches.models import Match
from matches.models.series import SeriesTerms
from matches.services.play import concede
from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.browser.player import LAID_OUT, SIZES, Open, leads_on, person
from tests.games.examples import CARD_SET, CLAW, GAME, PACK, READY_CARDS
from tests.support.sizes import LARGE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.parametrize("size", ["phone", *["desktop"] * LARGE]),
]


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    sync_catalog()


def press(page: Page, name: str | re.Pattern[str], role: str = "button") -> None:
    with leads_on(page):
        page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]


def fits(page: Page) -> None:
    """Nothing hangs over the edge, on a phone and on a desktop."""
    size = page.viewport_size
    assert size
    for seen in (SIZES["phone"], SIZES["desktop"], size):
        page.set_viewport_size(seen)
        page.wait_for_function(LAID_OUT)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (page.url, seen)


def test_a_correspondence_player(sit: Open, size: str) -> None:
    """An unknown zone, the waiting tables one after another, a series that is declined."""
    ann, bob = person("Ann"), person("Bob")
    plans = [SeatPlan(user=ann), SeatPlan(user=bob)]
    waiting = Match.objects.filter(seats__user=ann, seats__prompt__isnull=False)
    while waiting.count() < 3:  # who begins is drawn
        create_match(host=ann, setup=MatchSetup(game=GAME, mode="match", seats=plans))
    seats = [SeatPlan(user=bob), SeatPlan(kind="open", user=ann)]
    terms = SeriesTerms(first_to=2)
    create_match(host=bob, setup=MatchSetup(game=GAME, mode="match", seats=seats, series=terms))
    over = create_match(host=ann, setup=MatchSetup(game=GAME, mode="match", seats=plans))
    concede(slug=over.slug, user=ann)
    over.refresh_from_db()
    result = f"{over.get_absolute_url()}result/"
    page = sit(ann, result, size, timezone_id="Asia/Tokyo").page
    tokyo = over.finished_at.astimezone(ZoneInfo("Asia/Tokyo"))  # type: ignore[union-attr]
    expect(page.locator("main")).to_contain_text(tokyo.strftime("%H:%M"))
    site = page.url.removesuffix(result)
    page.goto(f"{site}/matches/")
    expect(page.locator("[data-next-table]")).to_have_count(3)
    expect(page.get_by_role("heading", name="Invitations")).to_be_visible()
    fits(page)
    visited = set()
    with leads_on(page):
        page.keyboard.press("n")
    for _ in range(3):
        visited.add(page.url)
        fits(page)
        with leads_on(page):
            page.locator("#next-table").click()
    assert len(visited) == 3
    expect(page.get_by_text("That was all: no other table waits for you.")).to_be_visible()
    invited = Match.objects.get(series__isnull=False)
    page.goto(site + invited.get_absolute_url())
    expect(page.get_by_text("First to 2 wins", exact=True)).to_be_visible()
    fits(page)
    press(page, "Decline")
    expect(page.get_by_text("Invitation declined")).to_be_visible()


def test_a_collector(sit: Open, size: str) -> None:
    """A list comes in, copies are counted, a set's goal is looked at, and the odds of its packs."""
    ann = person("Ann")
    page = sit(ann, "/collection/import/", size).page
    site = page.url.partition("/collection/")[0]
    page.locator("[name=text]").fill("3 Red Claw *F*\n1,000 Red Flame\n")
    press(page, "Preview")
    press(page, re.compile("^Import"))
    fits(page)
    press(page, "View my collection", "link")
    page.get_by_role("button", name="Count cards").click()
    pill = page.locator("#wall [data-counter]").first
    expect(pill).to_be_visible()
    fits(page)
    pill.locator("[data-step='1']").click()
    page.locator("#wall:not([data-busy])").wait_for()
    page.goto(f"{site}/sets/{GAME}/{CARD_SET}/")
    press(page, "Playsets", "link")
    expect(page.get_by_text(re.compile("missing copies")).first).to_be_visible()
    fits(page)
    press(page, "Add missing to wishlist")
    expect(page.get_by_text(re.compile("copies to your wishlist"))).to_be_visible()
    page.goto(f"{site}/packs/odds/{GAME}/{PACK}/")
    page.locator("#odds-packs").fill("20")
    press(page, "Show")
    # It has to fit on a phone without scrolling.
    expect(page.get_by_role("columnheader", name="After 20 packs")).to_be_in_viewport(ratio=0.9)
    fits(page)
    foils = Holding.objects.get(owner=ann, card__slug=CLAW).copies.get()
    assert (foils.finish, foils.quantity) == ("foil", 3)


def test_a_builder(sit: Open, size: str) -> None:
    """A format, what is wrong, own copies, another grouping, the maybeboard, a hand by turns."""
    ann = person("Ann")
    formats.create_format(
        by=ann,
        game=GAME,
        mode="tournament",
        name="Clawless",
        rules_of=formats.Rules(restricted={CLAW: {"most": 0}}),
    )
    count_by_hand(owner=ann, card=Card.objects.get(slug=CLAW), token="journey-1", to=2)
    deck = deck_services.create_deck(
        owner=ann, game=GAME, mode="tournament", name="Embers", cards=READY_CARDS
    )
    page = sit(ann, f"/decks/{deck.slug}/build/", size).page

    def part(name: str) -> None:
        """A phone shows one part at a time."""
        if size == "phone":
            page.get_by_role("link", name=name, exact=True).click()

    part("Deck")
    page.locator("#house").select_option(label="Clawless")
    expect(page.get_by_text("is not allowed in Clawless").first).to_be_visible()
    row = page.locator(f"[data-row][data-card={CLAW}][data-section=main]")
    expect(row).to_contain_text("own 2")
    page.locator("#group").select_option("colour")
    expect(page.locator(".builder-kind").first).to_contain_text(
        re.compile("blue|gold|green|red", re.I)
    )
    page.locator(f"#maybe-main-{CLAW}").click()
    expect(page.locator("#part-maybe")).to_contain_text("1")
    fits(page)
    part("Stats")
    page.get_by_role("button", name="Another hand").click()
    page.get_by_role("button", name="Next turn").click()
    expect(page.get_by_role("heading", name="Turn 1", exact=True)).to_be_visible()
    fits(page)


def test_an_organiser(sit: Open, size: str) -> None:
    """A format changes while a check is open: judges see it, judge again, and lock."""
    ann, bob = person("Ann"), person("Bob")
    house = formats.create_format(
        by=ann, game=GAME, mode="tournament", name="Open", rules_of=formats.Rules()
    )
    check = checks.create_check(
        organiser=ann, title="Spring Open", game=GAME, mode="tournament", house=present(house)
    )
    deck = deck_services.create_deck(
        owner=bob, game=GAME, mode="tournament", name="Wildfire", cards=READY_CARDS
    )
    theirs = sit(bob, check.get_absolute_url(), size).page
    press(theirs, "Submit")
    expect(theirs.get_by_text(f"{deck.name} submitted.")).to_be_visible()
    rules_of = formats.Rules(restricted={CLAW: {"most": 0}})
    formats.publish_version(format=house, by=ann, rules_of=rules_of)
    page = sit(ann, check.get_absolute_url(), size).page
    expect(page.get_by_text("These results are by version 1: recheck all decks.")).to_be_visible()
    fits(page)
    press(page, "Recheck all")
    checks.judge_check(check_id=check.pk)
    theirs.reload()
    expect(theirs.get_by_text("is not allowed in Open").first).to_be_visible()
    fits(theirs)
    page.reload()
    press(page, "Lock decklists", "link")
    press(page, "Lock 1 decklist")
    expect(page.get_by_text("Decklists locked.")).to_be_visible()
    assert CheckedDeck.objects.get().legal is False and DeckCheck.objects.get().locked_at
