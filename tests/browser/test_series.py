"""A best of three between two people: agreed on, played, won, and played on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from matches.models import Match
from matches.services.play import concede
from tests.browser.player import Open, leads_on, look, person
from tests.games.examples import GAME

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def press(page: Page, name: str) -> None:
    with leads_on(page):
        page.get_by_role("button", name=name).click()


def test_a_best_of_three(sit: Open, axe_source: str) -> None:
    ann, bob = person("Ann"), person("Bob")
    host = sit(ann, f"/play/?game={GAME}&opponent=bob").page
    guest = sit(bob, "/you/", "phone").page
    site = guest.url.partition("/you/")[0]
    host.get_by_label("Series").select_option("First to 2 wins")
    look(host, axe_source, "series-setup")
    press(host, "Create table")
    match = Match.objects.get()
    guest.goto(f"{site}{match.get_absolute_url()}")
    expect(guest.get_by_text("First to 2 wins", exact=True)).to_be_visible()
    press(guest, "Join table")
    for number, loser in enumerate((bob, ann, bob), start=1):
        expect(guest.locator("#table")).to_be_visible()
        concede(slug=match.slug, user=loser)
        for page in (host, guest):
            page.goto(f"{site}{match.get_absolute_url()}result/")
        if number < 3:
            look(guest if number == 1 else host, axe_source, f"series-result-{number}")
            for page in (host, guest):
                with leads_on(page):
                    page.get_by_role("link", name=f"Go to match {number + 1}").click()
            match = Match.objects.get(rematch_of=match)
            look(host, axe_source, f"series-table-{number + 1}", full_page=False)
    expect(host.get_by_text("You won the series 2–1.", exact=True)).to_be_visible()
    expect(guest.get_by_text("Ann won the series 2–1.", exact=True)).to_be_visible()
    look(host, axe_source, "series-over")
    expect(host.locator("#rematch-series")).to_have_value("first-to-2")
    press(host, "Rematch")
    guest.reload()
    look(guest, axe_source, "series-offer")
    expect(guest.get_by_role("button", name="Decline")).to_be_visible()
    press(guest, "Accept rematch with Ann")
    expect(guest.locator("#table")).to_be_visible()
    assert Match.objects.filter(series__isnull=False).count() == 4
