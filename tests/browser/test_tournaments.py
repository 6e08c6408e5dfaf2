"""A tournament of eight, whole: the organiser on a desktop, the players on phones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from collection.models import Pack
from collection.services.catalog import sync_catalog
from decks.services import checks
from decks.services import decks as services
from tests.browser.player import DESKTOP, PHONE, SIZES, enter, leads_on, look
from tests.games.examples import GAME, PACK, READY_CARDS
from tests.tournaments.conftest import (
    announcement,
    begun,
    open_tables,
    play_all,
    play_round,
    players,
    settle,
)
from tournaments.models import Entry, State, Tournament
from tournaments.services import announce, entries, evenings, ladder, rounds

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.slow(40)
def test_eight_players_from_announcement_to_prizes(
    browser: Browser, live_server: LiveServer, axe_source: str
) -> None:
    sync_catalog()
    ada = User.objects.create_user("ada", display_name="Ada", is_staff=True)
    people = players(8)
    for user in people:
        services.create_deck(
            owner=user, game=GAME, mode="tournament", name="Wildfire", cards=READY_CARDS
        )
    desk = enter(browser, live_server, ada, viewport=DESKTOP)
    page = desk.new_page()
    page.goto(live_server.url + reverse("tournaments:list"))
    with leads_on(page):
        page.get_by_role("link", name="Announce a tournament").click()
    page.get_by_label("Game", exact=True).select_option(f"{GAME}/tournament")
    with leads_on(page):
        page.get_by_role("button", name="Choose").click()
    page.get_by_label("Title").fill("Spring Open")
    page.get_by_label("Description").fill("Be kind to each other.")
    page.get_by_label("Prize 1").select_option(PACK)
    for structure, of_league in (("league", True), ("swiss", False)):  # only the fields that it has
        page.locator("#id_structure").select_option(structure)
        expect(page.get_by_label("Players in a division")).to_be_visible(visible=of_league)
        expect(page.get_by_label("Late entries")).to_be_visible(visible=not of_league)
    look(page, axe_source, "tournament-new")
    with leads_on(page):
        page.get_by_role("button", name="Preview").click()
    look(page, axe_source, "tournament-preview")
    with leads_on(page):
        page.get_by_role("button", name="Announce tournament").click()
    page.get_by_text("Tournament announced.").wait_for()
    tournament = Tournament.objects.get()

    phone = enter(browser, live_server, people[0], viewport=PHONE)
    own = phone.new_page()
    own.goto(live_server.url + tournament.get_absolute_url())
    with leads_on(own):
        own.get_by_role("button", name="Enter tournament").click()
    expect(own.get_by_text("You have entered Spring Open.")).to_be_visible()
    for user in people[1:]:
        deck = user.decks.get()
        entries.enter(tournament=tournament, user=user, deck=deck)
    assert tournament.deck_check is not None
    checks.judge_check(check_id=tournament.deck_check.pk)
    page.goto(live_server.url + reverse("tournaments:organise", args=[tournament.slug]))
    expect(page.get_by_text("8 legal lists")).to_be_visible()
    look(page, axe_source, "tournament-organise-before")
    with leads_on(page):
        page.get_by_role("button", name="Start now").click()
    page.get_by_text("Tournament started.").wait_for()
    settle(tournament)
    page.reload()
    expect(page.get_by_text("Decide …")).to_have_count(4)
    page.get_by_text("Decide …").first.click()
    for name, size in SIZES.items():
        if name != "sideways":
            page.set_viewport_size(size)
            look(page, axe_source, f"tournament-organise-round-{name}")

    own.goto(live_server.url + tournament.get_absolute_url())
    look(own, axe_source, "tournament-own-table-phone")
    with leads_on(own):
        own.get_by_role("link", name="Open your match").click()
    expect(own.locator("#table")).to_be_visible()
    play_round(tournament)
    rival = open_tables(tournament)[-1]
    page.goto(live_server.url + reverse("tournaments:organise", args=[tournament.slug]))
    desk_of = page.locator(".event-desk").last
    desk_of.get_by_text("Decide …").click()
    desk_of.get_by_label("Result").select_option("1,1")
    desk_of.get_by_label("Reason").fill("Both agreed.")
    with leads_on(page):
        desk_of.get_by_role("button", name=f"Decide table {rival.number}").click()
    page.get_by_text("Result saved.").wait_for()
    own.goto(live_server.url + reverse("tournaments:round", args=[tournament.slug, 2]))
    look(own, axe_source, "tournament-round-phone")
    page.goto(live_server.url + reverse("tournaments:rulings", args=[tournament.slug]))
    expect(page.get_by_text("Both agreed.")).to_be_visible()
    look(page, axe_source, "tournament-rulings")

    play_all(tournament)
    assert tournament.state == State.FINISHED
    best = Entry.objects.select_related("user").get(tournament=tournament, rank=1)
    assert Pack.objects.get(source="grant").owner == best.user
    for reader, tab, name in (
        (page, "standings", "standings"),
        (own, "standings", "standings-phone"),
        (page, "tournament", "over"),
        (own, "players", "players-phone"),
        (page, "statistics", "statistics"),
        (own, "statistics", "statistics-phone"),
        (page, "embed", "embed"),
    ):
        reader.goto(live_server.url + reverse(f"tournaments:{tab}", args=[tournament.slug]))
        look(reader, axe_source, f"tournament-{name}")
    own.goto(live_server.url + reverse("tournaments:list") + "?show=over")
    look(own, axe_source, "tournaments-phone")
    for context in (desk, phone):
        context.close()


def test_an_evening_follows_along_and_a_ladder_is_climbed(
    browser: Browser, live_server: LiveServer, axe_source: str
) -> None:
    sync_catalog()
    ada = User.objects.create_user("ada", display_name="Ada")
    people = players(4)
    evening = announce.announce(
        organiser=ada, announcement=announcement(round_minutes=30, time_control="live", rounds=2)
    )
    climb = announce.announce(
        organiser=ada, announcement=announcement(structure="ladder", title="City Ladder")
    )
    for user in people:
        for tournament in (evening, climb):
            entries.enter(tournament=tournament, user=user)
    rounds.start(tournament=evening, by=ada)
    begun(climb)
    phone = enter(browser, live_server, people[0], viewport=PHONE)
    own = phone.new_page()
    own.goto(live_server.url + evening.get_absolute_url())
    look(own, axe_source, "evening-call-phone")
    with leads_on(own):
        own.get_by_role("button", name="I’m here").click()
    expect(own.get_by_text("You have confirmed.")).to_be_visible()
    beamer = browser.new_context(viewport=DESKTOP, timezone_id="Asia/Tokyo")
    screen = beamer.new_page()
    screen.goto(f"{live_server.url}{climb.get_absolute_url()}#main")
    expect(screen.locator("main")).not_to_contain_text("UTC")
    assert any(row["name"] == "riffle_zone" for row in beamer.cookies())
    address = live_server.url + reverse("tournaments:screen", args=[evening.slug])
    screen.goto(address)
    expect(screen.get_by_role("heading", name="Not here yet")).to_be_visible()
    look(screen, axe_source, "screen-call")
    for user in people[1:]:
        evenings.confirm(tournament=evening, user=user)
    settle(evening)
    expect(screen.get_by_role("heading", name="Pairings")).to_be_visible(timeout=20_000)
    expect(own.get_by_role("link", name="Open your match")).to_be_visible(timeout=20_000)
    play_round(evening)
    expect(screen.get_by_role("heading", name="Standings")).to_be_visible(timeout=20_000)
    look(screen, axe_source, "screen-round")
    screen.set_viewport_size(PHONE)
    look(screen, axe_source, "screen-round-phone")

    ranked_entries = Entry.objects.filter(tournament=climb).order_by("rank")
    first, second = ranked_entries.select_related("user")[:2]
    assert first.user is not None and second.user is not None
    ladder.challenge(tournament=climb, user=second.user, number=first.number)
    desk = enter(browser, live_server, first.user, viewport=DESKTOP)
    page = desk.new_page()
    address = live_server.url + reverse("tournaments:ladder", args=[climb.slug])
    page.goto(address)
    page.get_by_text("Decline …").click()
    look(page, axe_source, "ladder-desktop")
    own.goto(address)
    look(own, axe_source, "ladder-phone")
    with leads_on(page):
        page.get_by_role("button", name="Accept challenge").click()
    expect(page.get_by_text("Challenge accepted.")).to_be_visible()
    page.goto(live_server.url + climb.get_absolute_url())
    look(page, axe_source, "ladder-overview")
    for context in (phone, beamer, desk):
        context.close()
