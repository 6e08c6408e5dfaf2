"""Thinking for people: a hint at the table, a look back, and a deck in the lab."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from collection.services.catalog import sync_catalog
from decks.models import LabRun
from decks.services.decks import create_deck
from decks.services.versions import keep as keep_version
from matches.models import LookBack, Match, SeatKind
from matches.services import hints, lookback
from matches.services.play import concede
from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.browser.player import SIZES, Open, leads_on, look, person, play_until
from tests.games.examples import EXAMPLE, GAME, READY_CARDS, READY_DECKS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BOTH = ("phone", "desktop")
DRAWN_ANEW = """() => document.dispatchEvent(new CustomEvent("table:drawn",
    { detail: { table: document.getElementById("table"), news: [] } }))"""
"""An offer has come: the table is drawn, and the question is the same."""


def test_a_hint_at_the_table_and_a_look_back_after_the_end(
    sit: Open, axe_source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "PLAYOUTS", 24)
    monkeypatch.setattr(lookback, "PLAYOUTS", 16)
    ann = person("Ann")
    seats = [SeatPlan(user=ann), SeatPlan(SeatKind.BOT, bot="greedy")]
    match = create_match(host=ann, setup=MatchSetup(game=GAME, mode="match", seats=seats))
    page = sit(ann, match.get_absolute_url()).page
    page.set_viewport_size({"width": 1024, "height": 768})
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Hint", exact=True).click()
    panel = page.locator("#hint")
    panel.get_by_role("button", name="Show a hint").click()
    expect(panel.get_by_text("Chance to win")).to_be_visible()
    expect(page.locator("#more-tools")).to_be_hidden()
    page.set_viewport_size(SIZES["desktop"])
    felt, hint = page.locator("#table").bounding_box(), panel.bounding_box()
    assert felt and hint and felt["x"] + felt["width"] <= hint["x"], "it covers what it speaks of"
    dimmed = panel.evaluate("panel => getComputedStyle(panel, '::backdrop').backgroundColor")
    assert dimmed == "rgba(0, 0, 0, 0)"
    expect(panel.get_by_text("Hints so far in this match: 1")).to_be_visible()
    look(page, axe_source, "hint-desktop", full_page=False)
    page.set_viewport_size(SIZES["phone"])
    look(page, axe_source, "hint-phone", full_page=False)
    tray, hint = page.locator("#tray").bounding_box(), panel.bounding_box()
    assert tray and hint and hint["y"] + hint["height"] <= tray["y"], "it covers what is asked"
    page.evaluate(DRAWN_ANEW)
    expect(panel).to_be_visible()  # until something else is asked
    page.keyboard.press("1")  # it can be played while it is read, and goes then
    expect(panel).to_be_hidden()
    play_until(match, lambda table: table.state.turns > 12)
    concede(slug=match.slug, user=ann)
    page.goto(page.url.partition("/matches/")[0] + f"{match.get_absolute_url()}result/")
    expect(page.get_by_text("1 hint used")).to_be_visible()
    with leads_on(page):
        page.get_by_role("link", name="Look back").click()
    look(page, axe_source, "lookback-start", full_page=False)
    page.get_by_role("main").get_by_role("button", name="Look back").click()
    expect(page.get_by_role("heading", name="Decisions")).to_be_visible()
    assert LookBack.objects.get().state == "done"
    for size in BOTH:
        page.set_viewport_size(SIZES[size])
        look(page, axe_source, f"lookback-{size}")
        table = page.get_by_role("region", name="Table of decisions")
        assert table.evaluate("box => box.scrollWidth <= box.clientWidth"), size
    page.get_by_role("button", name="Share this look back").click()
    expect(page.get_by_text("All who may see this match can see this page.")).to_be_visible()
    sam = sit(None, f"{match.get_absolute_url()}lookback/?seat=1").page
    expect(sam.get_by_role("heading", name="Decisions")).to_be_visible()
    move = page.locator("tbody th a").nth(3)
    ply = move.inner_text()
    with leads_on(page):
        move.click()
    expect(page.locator(".lookback-here")).to_be_attached()
    assert f"ply={ply}" in page.url
    for size in BOTH:
        page.set_viewport_size(SIZES[size])
        look(page, axe_source, f"lookback-replay-{size}", full_page=False)
    assert Match.objects.count() == 1


def test_two_versions_of_a_deck_in_the_lab(sit: Open, axe_source: str) -> None:
    sync_catalog()
    mira = person("Mira")
    deck = create_deck(owner=mira, game=GAME, mode="tournament", name="Embers", cards=READY_CARDS)
    keep_version(deck, EXAMPLE.starter_decks[READY_DECKS[1]].cards)
    page = sit(mira, f"/decks/{deck.slug}/build/").page
    with leads_on(page):
        page.get_by_role("link", name="Lab", exact=True).click()
    page.get_by_label("Bot for all decks").select_option("random")
    page.get_by_label("Pairs of matches").fill("5")
    page.get_by_label("Compare with").select_option("1")
    for size in BOTH:
        page.set_viewport_size(SIZES[size])
        look(page, axe_source, f"lab-form-{size}")
    with leads_on(page):
        page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("The change from version 1 to 2 is worth")).to_be_visible()
    assert LabRun.objects.get().state == "done"
    for size in BOTH:
        page.set_viewport_size(SIZES[size])
        look(page, axe_source, f"lab-run-{size}")
    with leads_on(page):
        page.get_by_role("link", name="Lab", exact=True).click()
    expect(page.get_by_text("20 of 20 matches")).to_be_visible()
