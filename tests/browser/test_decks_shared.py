"""Two people and their decks in browsers: versions, likes, copies; every page accessible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from collection.services.catalog import sync_catalog
from decks.models import Deck
from decks.queries.decks import decklist
from decks.services import decks as services
from decks.services import versions
from tests.browser.player import PHONE, enter, leads_on, look_in_both
from tests.conftest import PATIENCE
from tests.games.examples import AMBUSH, CLAW, EXAMPLE, FLAME, GAME, READY_DECKS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def make(owner: User, starter: str, name: str, **about: Any) -> Deck:
    cards = EXAMPLE.starter_decks[starter].cards
    return services.create_deck(
        owner=owner, game=GAME, mode="tournament", name=name, cards=cards, **about
    )


@pytest.fixture
def people(db: None) -> tuple[User, User]:
    """Mira shows some decks, one of them with a history; Otto has one of his own."""
    sync_catalog()
    mira, otto = (
        User.objects.create_user(name, display_name=name.capitalize()) for name in ("mira", "otto")
    )
    deck = make(mira, READY_DECKS[0], "Wildfire", visibility="public", tags=["quick", "red"])
    services.update_deck(
        user=mira,
        slug=deck.slug,
        notes="Open with Flame.\n\nKeep the gold ones back until somebody is out of guards.",
    )
    for card, by in ((CLAW, 1), (AMBUSH, -1), (FLAME, 1)):
        services.change_cards(user=mira, slug=deck.slug, section="main", changes={card: by})
    versions.name_version(user=mira, slug=deck.slug, number=2, note="Club evening in May")
    versions.undo_deck(user=mira, slug=deck.slug)
    make(mira, READY_DECKS[1], "Deepwood, slow and sure", visibility="public", tags=["beginners"])
    make(mira, READY_DECKS[2], "Stormcoal", visibility="public")
    make(otto, READY_DECKS[2], "Otto’s coal")
    services.like_deck(user=otto, slug=deck.slug, on=True)
    return mira, otto


def test_an_owner_goes_back_and_forth(
    browser: Browser, live_server: LiveServer, people: tuple[User, User]
) -> None:
    deck = Deck.objects.get(name="Wildfire")
    changed = decklist(deck)
    context = enter(browser, live_server, people[0])
    page = context.new_page()
    page.goto(live_server.url + deck.get_absolute_url())
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("link", name="History, version 2").click()
    page.get_by_role("button", name="Redo").click()
    page.locator("#version-3.is-now").wait_for()
    assert decklist(deck) == changed
    page.locator("#version-1").get_by_role("button", name="Restore").click()
    page.get_by_text("Restored version 1.").wait_for()
    # The undone version without a name made room; the named one stayed.
    assert list(deck.versions.values_list("number", flat=True)) == [5, 3, 2, 1]
    page.locator("#version-5").get_by_text("Name this version (version 5)").click()
    page.get_by_label("Name of version 5").fill("The first one")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Version 5 is now named “The first one”.").wait_for()
    page.locator("#version-1").get_by_label("Before").check()
    page.locator("#version-2").get_by_label("After").check()
    page.get_by_role("button", name="Compare").click()
    row = page.get_by_role("row", name="Red Claw")
    expect(row.get_by_text("+1")).to_be_visible()
    context.close()


def test_a_visitor_finds_likes_and_copies_a_deck(
    browser: Browser, live_server: LiveServer, people: tuple[User, User]
) -> None:
    deck = Deck.objects.get(name="Wildfire")
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce", locale="en-GB")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(live_server.url + "/decks/shared/")
    page.get_by_role("searchbox", name="Search").fill("mira wildf")
    page.wait_for_url("**/decks/shared/?q=mira*wildf*")
    page.locator("#found .deck-tile").get_by_text("Wildfire").click()
    page.get_by_role("button", name="Like 1").click()
    page.get_by_role("button", name="Like 2", pressed=True).wait_for()
    page.get_by_role("button", name="Clone").click()
    page.get_by_text("Cloned as “Wildfire”.").wait_for()
    copy = Deck.objects.get(copied_from=deck)
    assert copy.owner.is_guest and decklist(copy) == decklist(deck)
    page.get_by_role("link", name="Wildfire by Mira").click()
    page.wait_for_url("**" + deck.get_absolute_url())
    page.get_by_role("button", name="Clone").click()
    page.get_by_text("Cloned as “Wildfire”.").wait_for()
    page.go_back()  # the very same page: one more copy is meant
    page.wait_for_url("**" + deck.get_absolute_url())
    page.get_by_role("button", name="Clone").click()
    page.get_by_text("Cloned as “Wildfire”.").wait_for()
    assert Deck.objects.filter(copied_from=deck).count() == 3
    context.close()


def test_a_deck_goes_to_the_printer(
    browser: Browser, live_server: LiveServer, people: tuple[User, User]
) -> None:
    deck = Deck.objects.get(name="Wildfire")
    context = enter(browser, live_server, people[1])
    page = context.new_page()
    page.goto(live_server.url + deck.get_absolute_url())
    page.get_by_role("button", name="Print cards").click()
    expect(page.get_by_label("Title")).to_have_value("Wildfire")
    expect(page.locator("input[name^=n-]")).to_have_count(len(decklist(deck)["main"]))
    context.close()


def test_the_pages_are_accessible_and_fit(
    browser: Browser,
    live_server: LiveServer,
    people: tuple[User, User],
    axe_source: str,
) -> None:
    deck = Deck.objects.get(name="Wildfire")
    for user in people:
        context = enter(browser, live_server, user, viewport=PHONE)
        page = context.new_page()
        page.goto(live_server.url + "/decks/")
        look_in_both(page, axe_source, f"decks-{user}")
        page.goto(live_server.url + deck.get_absolute_url())
        look_in_both(page, axe_source, f"deck-{user}")
        if user == people[0]:
            page.get_by_text("Notes, tags, visibility").click()
            page.get_by_text("Text list").click()
            look_in_both(page, axe_source, "deck-about")
            page.goto(f"{live_server.url}{deck.get_absolute_url()}history/")
            page.locator("#version-1").get_by_text("Name this version (version 1)").click()
            look_in_both(page, axe_source, "deck-history")
            page.goto(f"{live_server.url}{deck.get_absolute_url()}compare/?a=1&b=3")
            look_in_both(page, axe_source, "deck-compare")
            page.goto(live_server.url + deck.get_absolute_url())
            page.get_by_text("Notes, tags, visibility").click()
            page.get_by_role("textbox", name="Notes").fill("Open with Claw.")
            page.get_by_role("textbox", name="Tags").fill("slow, red")
            services.update_deck(user=user, slug=deck.slug, notes="Never open.", tags=["red"])
            page.get_by_role("button", name="Save").click()
            expect(page.get_by_role("alert")).to_contain_text("Nothing was saved")
            expect(page.get_by_role("radio", name="Keep mine").first).to_be_focused()
            look_in_both(page, axe_source, "deck-about-late")
            page.goto(f"{live_server.url}{deck.get_absolute_url()}edit/")
            page.get_by_role("textbox", name="Name").fill("Bushfire")
            services.update_deck(user=user, slug=deck.slug, name="Wildfire again")
            page.get_by_role("button", name="Save", exact=True).click()
            expect(page.get_by_role("alert")).to_contain_text("Nothing was saved")
            look_in_both(page, axe_source, "deck-edit-late")
        else:
            other = Deck.objects.get(owner=user)
            page.goto(f"{live_server.url}{deck.get_absolute_url()}compare/?other={other.slug}")
            look_in_both(page, axe_source, "deck-beside")
            page.goto(live_server.url + "/decks/shared/?tag=red")
            look_in_both(page, axe_source, "decks-tagged")
            page.goto(live_server.url + "/decks/shared/")
            look_in_both(page, axe_source, "decks-shared")
        context.close()


def test_notes_and_what_others_say_to_them(
    browser: Browser,
    live_server: LiveServer,
    people: tuple[User, User],
    axe_source: str,
) -> None:
    deck = Deck.objects.get(name="Wildfire")
    hers = enter(browser, live_server, people[0])
    page = hers.new_page()
    page.goto(live_server.url + deck.get_absolute_url())
    page.locator("summary", has_text="Notes, tags").click()
    notes = page.get_by_label("Notes (optional)")
    notes.fill("")
    notes.press_sequentially("## Plan\n\nOpen with [[Red Flame]], *then* [[Rde Clwa]].")
    preview = page.locator("#notes-preview")
    expect(preview.get_by_role("heading", name="Plan")).to_be_visible()
    expect(preview.get_by_text("No single card named “Rde Clwa”")).to_be_visible()
    look_in_both(page, axe_source, "deck-notes-written")
    plan = "## Plan\n\n- Open with [[Red Flame]].\n- Keep the *gold* ones back.\n\n"
    notes.fill(f"{plan}| Against | Do |\n|---|---|\n| Deepwood | Be quick. |")
    expect(preview.get_by_role("table")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.")).to_be_visible()

    his = enter(browser, live_server, people[1])
    other = his.new_page()
    other.goto(live_server.url + deck.get_absolute_url())
    card = other.get_by_role("region", name="Notes").get_by_role("link", name="Red Flame")
    card.hover()
    expect(other.locator(".glance.sheet img")).to_be_visible()
    other.mouse.move(2, 2)
    other.get_by_label("Your comment").fill("[[Red Claw]] does it better, **every** time.")
    other.get_by_role("button", name="Comment", exact=True).click()
    comment = other.locator(".deck-comment")
    expect(comment.get_by_role("link", name="Red Claw")).to_be_visible()
    look_in_both(other, axe_source, "deck-notes-and-comments")
    comment.locator("summary").click()
    expect(comment.get_by_role("link", name="Report")).to_have_count(0)

    page.goto(live_server.url + deck.get_absolute_url())
    comment = page.locator(".deck-comment")
    comment.locator("summary").click()
    with leads_on(page):
        comment.get_by_role("link", name="Report").click()
    expect(page.get_by_text("does it better")).to_be_visible()
    look_in_both(page, axe_source, "deck-comment-report")
    page.go_back()
    page.locator(".deck-comment summary").click()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No comments yet.")).to_be_visible()
    hers.close()
    his.close()
