"""A deck built in a browser: by click, search, keys and drag; two windows; a phone; no scripts."""

from __future__ import annotations

import random
import re
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Locator, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from accounts.services.friends import accept_friend, request_friend
from collection.services.catalog import sync_catalog
from decks.models import Deck, Visibility
from decks.queries.decks import decklist
from decks.services import decks as services
from decks.services.checks import create_check
from matches.services.play import concede
from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.browser.player import DESKTOP, PHONE, enter, look, look_in_both
from tests.games.examples import CLAW, FLAME, GAME, KEEN_EYE, READY_CARDS, STINGER
from tests.support.slow_network import slow_down
from tests.tournaments.conftest import begun, play_round
from tournaments.services import announce, entries

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def mira(db: None) -> User:
    sync_catalog()
    return User.objects.create_user("mira", display_name="Mira")


def make(owner: User, cards: dict[str, dict[str, int]]) -> Deck:
    return services.create_deck(
        owner=owner, game=GAME, mode="tournament", name="Embers", cards=cards
    )


def size(page: Page, number: int) -> None:
    """Wait until the server has said that the deck has so many cards."""
    expect(page.locator(f"#change[data-size='{number}']")).to_be_attached()
    expect(page.locator("[data-sum]")).to_have_text(str(number))


NAME_ENDS = 0.17
"""The name on a card's face ends above this part of its height."""


def names_stay_free(tile: Locator) -> None:
    """How many are in the deck and the minus cover neither the name on the card nor that below."""
    box = {
        part: tile.locator(part).bounding_box()
        for part in (".playing-card", ".pick-name > a", ".pick-held", ".pick-less")
    }
    face, below = box[".playing-card"], box[".pick-name > a"]
    assert face is not None
    assert below is not None
    for part in (".pick-held", ".pick-less"):
        over = box[part]
        assert over is not None, f"{part} is to be seen"
        assert over["y"] > face["y"] + NAME_ENDS * face["height"], part
        beside = over["x"] >= below["x"] + below["width"] or over["x"] + over["width"] <= below["x"]
        assert beside or over["y"] + over["height"] <= below["y"], part


def test_a_legal_deck_by_click_search_keys_and_drag(
    browser: Browser, live_server: LiveServer, mira: User, axe_source: str
) -> None:
    context = enter(browser, live_server, mira)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{live_server.url}/decks/")
    page.get_by_role("link", name="New deck").first.click()
    page.get_by_label("Name").fill("Quick embers")
    page.get_by_role("button", name="Start with an empty deck").click()
    # By click, as quickly as one can.
    for card in (CLAW, CLAW, CLAW, FLAME):
        page.locator(f"#pick-{card}").click()
    size(page, 4)
    expect(page.locator(f".pick[data-card={CLAW}] [data-held]")).to_have_text("3")
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        names_stay_free(page.locator(f".pick[data-card={CLAW}]"))
    page.set_viewport_size({"width": 1440, "height": 900})
    # By search and Enter.
    page.keyboard.press("/")
    page.keyboard.type("keen eye")
    page.keyboard.press("Enter")
    size(page, 5)
    page.get_by_role("searchbox").fill("")
    page.locator(f"#pick-{STINGER}").wait_for()
    # By keys: a tile's plus, a digit, then its neighbour.
    page.locator(f"#pick-{STINGER}").focus()
    page.keyboard.press("+")
    size(page, 6)
    page.keyboard.press("2")
    size(page, 7)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    size(page, 8)
    page.keyboard.press("-")
    size(page, 7)
    # By drag, in and out again.
    page.locator(f".pick[data-card={FLAME}]").drag_to(page.locator("[data-drop=main]"))
    size(page, 8)
    # A drag begins where the pointer went down: the page must not scroll before its first move.
    page.locator(f"[data-row][data-card={FLAME}]").drag_to(
        page.locator("#pick-list"), target_position={"x": 100, "y": 100}
    )
    size(page, 7)
    # What is wrong says how to mend it.
    page.get_by_role("button", name="Take out 1 copy of Red Claw").click()
    size(page, 6)
    page.get_by_role("button", name=re.compile("^Add 34 cards")).click()
    size(page, 40)
    for _ in range(6):
        if page.locator("#change[data-verdict=Legal]").count():
            break
        version = page.locator("#change").get_attribute("data-version")
        page.locator(".builder-verdict [name=fix]").first.click()
        expect(page.locator(f"#change[data-version='{version}']")).not_to_be_attached()
    expect(page.locator("#change[data-verdict=Legal]")).to_be_attached()
    look(page, axe_source, "builder-desktop")
    deck = Deck.objects.get()
    legal = decklist(deck)
    # Back and forth.
    page.locator("h1").click()
    page.keyboard.press("Control+z")
    expect(page.locator(f"#change[data-version='{deck.version - 1}']")).to_be_attached()
    page.keyboard.press("Control+Shift+z")
    expect(page.locator(f"#change[data-version='{deck.version}']")).to_be_attached()
    assert decklist(deck) == legal
    page.emulate_media(color_scheme="dark")
    look(page, axe_source, "builder-dark")
    assert errors == []
    context.close()


@pytest.mark.parametrize("latency", [0, 400])
def test_every_press_counts_however_quickly_one_types(
    browser: Browser, live_server: LiveServer, mira: User, latency: int
) -> None:
    deck = make(mira, {})
    client = Client()
    client.force_login(mira)
    first: dict[str, str] = {}
    for words in ("keen eye", "flame", "red", "st", "claw"):
        response = client.get(
            f"/decks/{deck.slug}/build/", {"q": words}, headers={"HX-Request": "1"}
        )
        first[words] = re.findall(r'class="pick[^"]*" data-card="([^"]+)"', response.text)[0]
    context = enter(browser, live_server, mira)
    page = context.new_page()
    page.goto(f"{live_server.url}/decks/{deck.slug}/build/")
    slow_down(page, latency)
    page.keyboard.press("/")
    lots, wanted = random.Random(latency), Counter[str]()
    for _ in range(6):
        words = lots.choice(list(first))
        page.keyboard.type(words, delay=30)
        for _ in range(presses := lots.randint(1, 4)):
            page.keyboard.press("Enter")
            page.wait_for_timeout(lots.choice([0, 30, 150]))
        wanted[first[words]] += presses
    # The last search's cards are there before anything else is pressed.
    page.locator(f".pick:first-child[data-card='{first[words]}']").wait_for()
    page.locator(".pick-face").first.click()
    wanted[first[words]] += 1
    size(page, wanted.total())
    assert decklist(deck) == {"main": dict(wanted)}
    for card, number in wanted.items():
        row = page.locator(f"[data-row][data-card={card}]")
        expect(row.locator("[data-number]")).to_have_text(str(number))
    page.get_by_role("searchbox").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".pick-face").first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.locator("h1").hover()
    page.locator(".pick-face").first.hover()
    expect(page.locator(".glance")).to_contain_text(
        page.locator(".pick").first.get_attribute("data-title") or ""
    )
    page.locator("h1").hover()
    expect(page.locator(".glance")).to_be_hidden()
    context.close()


def test_another_window_overwrites_nothing(
    browser: Browser, live_server: LiveServer, mira: User
) -> None:
    deck = make(mira, {"main": {CLAW: 1}})
    context = enter(browser, live_server, mira)
    result, two = context.new_page(), context.new_page()
    for page in (result, two):
        page.goto(f"{live_server.url}/decks/{deck.slug}/build/")
    result.locator(f"#pick-{FLAME}").click()
    size(result, 2)
    two.locator(f"#more-main-{CLAW}").click()
    two.get_by_text("changed in another window").first.wait_for()
    assert decklist(deck) == {"main": {CLAW: 1, FLAME: 1}}
    size(two, 2)
    two.get_by_role("button", name="Apply my change anyway").click()
    size(two, 3)
    assert decklist(deck) == {"main": {CLAW: 2, FLAME: 1}}
    context.close()


def test_a_step_that_does_not_arrive_is_taken_back(
    browser: Browser, live_server: LiveServer, mira: User
) -> None:
    deck = make(mira, {"main": {CLAW: 1}})
    context = enter(browser, live_server, mira)
    page = context.new_page()
    page.goto(f"{live_server.url}/decks/{deck.slug}/build/")
    page.route("**/build/", lambda route: route.abort())
    page.locator(f"#more-main-{CLAW}").click()
    page.get_by_text("Your last change was not saved").wait_for()
    expect(page.locator(f"[data-row][data-card={CLAW}] [data-number]")).to_have_text("1")
    expect(page.locator("[data-sum]")).to_have_text("1")
    page.unroute("**/build/")
    page.locator(f"#more-main-{CLAW}").click()
    size(page, 2)
    assert decklist(deck) == {"main": {CLAW: 2}}
    context.close()


def test_a_phone_shows_one_part_at_a_time(
    browser: Browser, live_server: LiveServer, mira: User, axe_source: str
) -> None:
    deck = make(mira, READY_CARDS)  # type: ignore[arg-type]
    context = enter(browser, live_server, mira, viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.goto(f"{live_server.url}/decks/{deck.slug}/build/")
    look(page, axe_source, "builder-phone-cards")
    page.locator(f"#pick-{STINGER}").tap()
    expect(page.locator("[data-sum]")).to_have_text("41")
    page.get_by_role("link", name="Deck", exact=True).tap()
    expect(page.locator("#cards")).to_be_hidden()
    page.locator(f"#less-main-{STINGER}").tap()
    size(page, 40)
    look(page, axe_source, "builder-phone-deck")
    page.get_by_role("link", name="Stats", exact=True).tap()
    hope = page.locator(".shape-cards label").first
    hope.tap()
    page.locator(".shape-answer strong").wait_for()
    hand = page.locator(".shape-fan img").first
    before = page.locator("#shape-form [name=seed]").input_value()
    page.get_by_role("button", name="Another hand").tap()
    expect(page.locator("#shape-form [name=seed]")).not_to_have_value(before)
    hand.wait_for()
    expect(hope.locator("input")).to_be_checked()
    look(page, axe_source, "builder-phone-shape")
    context.close()


def test_without_scripts_it_is_plain_forms(
    browser: Browser, live_server: LiveServer, mira: User
) -> None:
    deck = make(mira, {"main": {CLAW: 2}})
    context = enter(browser, live_server, mira, java_script_enabled=False, viewport=DESKTOP)
    page = context.new_page()
    page.goto(f"{live_server.url}/decks/{deck.slug}/build/")
    page.get_by_role("searchbox").fill("flame")
    page.get_by_role("button", name="Show the cards").click()
    page.wait_for_url("**/build/?*q=flame*")
    page.locator(f"#pick-{FLAME}").click()
    size(page, 3)
    assert "q=flame" in page.url
    page.locator(f"#less-main-{CLAW}").click()
    size(page, 2)
    page.get_by_role("button", name="Undo").click()
    size(page, 3)
    assert decklist(deck) == {"main": {CLAW: 2, FLAME: 1}}
    page.get_by_role("button", name="Random legal deck").click()
    page.get_by_text("Replaced with a random legal deck.").wait_for()
    expect(page.get_by_text("Legal", exact=True).first).to_be_visible()
    context.close()


def test_a_list_typed_in_one_window_meets_what_another_changed(
    browser: Browser,
    live_server: LiveServer,
    mira: User,
    axe_source: str,
) -> None:
    deck = make(mira, READY_CARDS)
    context = enter(browser, live_server, mira, viewport=PHONE)
    page = context.new_page()
    page.goto(f"{live_server.url}{deck.get_absolute_url()}edit/")
    services.change_cards(
        user=mira, slug=deck.slug, section="main", changes={CLAW: 1, STINGER: 2, FLAME: -1}
    )
    text = page.locator("#id_text")
    text.fill("# with an eye\n1 Keen Eye\n" + text.input_value())
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name="This deck was changed in another window").wait_for()
    look_in_both(page, axe_source, "deck-late")
    page.get_by_role("button", name="Add these changes to mine").click()
    page.get_by_text("The other window’s changes were added to your list").wait_for()
    look_in_both(page, axe_source, "deck-merged")
    expect(page.locator("#id_text")).to_have_value(re.compile("# with an eye"))
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").wait_for()
    cards = decklist(deck)["main"]
    assert cards[KEEN_EYE] == READY_CARDS["main"].get(KEEN_EYE, 0) + 1
    assert cards[STINGER] == READY_CARDS["main"].get(STINGER, 0) + 2
    context.close()


WIDER = """() => ["html", "#ask", ".table-wrap:has(.event-standings)"]
    .flatMap(selector => [...document.querySelectorAll(selector)])
    .filter(box => box.scrollWidth > box.clientWidth)
    .map(box => [box.id, box.scrollWidth - box.clientWidth])"""
"""The page, a table's tray and a tournament's standings, where wider than their room; by so many
pixels."""


def test_the_longest_name_widens_no_page(
    browser: Browser, live_server: LiveServer, mira: User
) -> None:
    deck = make(mira, READY_CARDS)
    Deck.objects.update(name="W" * 80, visibility=Visibility.PUBLIC)
    request_friend(sender=User.objects.create_user("noa"), username=mira.username)
    accept_friend(user=mira, username="noa")
    soon = timezone.now() + timedelta(hours=1)
    event = announce.Announcement(
        title="W" * 80, game=GAME, mode="match", structure="swiss", rounds=2,
        closes_at=soon, starts_at=soon,
    )  # fmt: skip
    tournament = announce.announce(organiser=mira, announcement=event)
    for person in User.objects.all():
        entries.enter(tournament=tournament, user=person)
    play_round(begun(tournament))
    User.objects.update(display_name="W" * 40)
    context = enter(browser, live_server, mira, viewport=PHONE)
    page = context.new_page()
    create_check(organiser=mira, title="W" * 80, game=GAME, mode="tournament")
    players = User.objects.in_bulk(("mira", "noa"), field_name="username")
    setup = MatchSetup(GAME, "match", [SeatPlan(user=players[name]) for name in ("mira", "noa")])
    match, over = (create_match(host=players["mira"], setup=setup) for _ in range(2))
    concede(slug=over.slug, user=players["mira"])
    own = ("", "build/", "edit/", "history/", "export/", "shape/", "compare/", "lab/")
    others = (
        "/decks/shared/", "/deck-checks/", "/play/", f"/decks/with/{GAME}/{CLAW}/", "/trades/",
        "/trades/new/noa/", tournament.get_absolute_url(),
        f"{tournament.get_absolute_url()}standings/", match.get_absolute_url(),
        over.get_absolute_url(), reverse("matches:result", args=(over.slug,)),
        reverse("matches:replay", args=(over.slug,)),
    )  # fmt: skip
    for path in (*(f"/decks/{deck.slug}/{part}" for part in own), *others):
        page.goto(f"{live_server.url}{path}")
        wider = page.evaluate(WIDER)
        assert wider == [], (path, wider)
    context.close()
