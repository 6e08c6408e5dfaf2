"""A duel from its start to its end: nothing overlaps, nothing is cut, the fight is the largest."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from matches.services.lessons import learn
from tests.browser.felt import laid_match
from tests.browser.player import DESKTOP, LAID_OUT, PHONE, Open, person
from tests.games.boxes import HIDDEN, Boxes, check_boxes
from tests.games.knd_ocg.site.layouts import attacking, calling, full, laid, searching, setting_up
from tests.support.boxes import SCREENS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FELT = Boxes(
    apart=[
        (".fighter .piece", ".fighter-words, .reserve .piece, .clash, .sequence, .panel, .piles"),
        (".reserve .piece", ".fighter-words, .panel, .clash, .piles"),
        (".clash", ".sequence, .piles, .panel"),
        (".side > .panel", ".piles"),
        (".fighter-hp > .numbers", ".fighter-values"),
        (".deed", ".hand-card, .ask-line"),
        (".stage", ".tray"),
    ],
    whole=[
        ".fighter",
        ".fighter-name > button",
        ".one-attack-name",
        ".reserve",
        ".clash",
        ".panel",
        ".panel-counts",
        ".deed",
        ".ask-line",
        ".piles",
    ],
    least={
        "desk": {".fighter > .piece": 150, ".reserve .piece": 95},
        "tablet": {".fighter > .piece": 96, ".reserve .piece": 64},
        "phone": {".fighter > .piece": 95, ".reserve .piece": 44},
    },
)


COVERED = """places => places.map(place => {
    const parts = [".piece", ".waiting-note"].map(part => place.querySelector(part));
    const [card, plate] = parts.map(part => part.getBoundingClientRect());
    return Math.max(0, Math.round(card.bottom - plate.top));
})"""
"""By how many pixels the plate of a Reserve Character covers its card."""


def test_a_duel_from_start_to_end(sit: Open) -> None:
    """The large button is the best attack; a loss says its rule, and no place asks any more."""
    ann = sit(person("Ann"), laid_match(setting_up()).get_absolute_url())
    page, site = ann.page, ann.page.url.split("/matches/")[0]
    check_boxes(page, "knd-start", FELT)
    page.goto(site + laid_match(full()).get_absolute_url())
    check_boxes(page, "knd-full", FELT)
    for screen in ("desk", "phone"):
        page.set_viewport_size(SCREENS[screen])
        page.wait_for_function(LAID_OUT)
        assert page.locator(".stage").evaluate(HIDDEN) <= 0, f"{screen}: both sides are whole"
    page.set_viewport_size(PHONE)
    page.goto(site + learn(user=person("Ann"), game="knd-ocg").get_absolute_url())
    ann.ready()
    page.wait_for_function(LAID_OUT)
    assert page.locator(".stage").evaluate(HIDDEN) <= 0, "one's own Active Character in the lesson"
    six = {"active": "Numbuh 4", "hand": ["A", "A", "Pep Rally", "Relay Rosa", "A", "Snack Break"]}
    page.goto(site + laid_match(laid(six, {"active": "Numbuh 1"})).get_absolute_url())
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        page.wait_for_function(LAID_OUT)
        cards = [card.bounding_box() for card in page.locator(".hand .piece").all()]
        assert all(a and b and a["x"] + a["width"] <= b["x"] + 1 for a, b in pairwise(cards))
    plates = page.locator(".waiting:has(> .waiting-note)").evaluate_all(COVERED)
    assert not any(plates), "the plate of HP lies below the card, not on its numbers"
    page.goto(site + laid_match(calling()).get_absolute_url())
    check_boxes(page, "knd-calling", Boxes(apart=FELT.apart, whole=FELT.whole))
    page.goto(site + laid_match(searching()).get_absolute_url())
    check_boxes(page, "knd-searching", Boxes(apart=FELT.apart, whole=FELT.whole))
    page.keyboard.press("2")  # the digit that the second card has
    expect(page.locator('.hand-card [data-title="Numbuh 2"]')).to_have_count(1)
    page.goto(site + laid_match(attacking()).get_absolute_url())
    check_boxes(page, "knd-fight", FELT)
    expect(page.locator(".deed.is-main")).to_contain_text("Basic Attack")
    page.get_by_role("button", name="End the turn").click()
    expect(page.locator("[data-confirm]")).to_have_count(0)
    own = {"active": "Milo the Mole", "hp active": 5}
    page.goto(site + laid_match(laid(own, {"active": "Trashcan-Lid Tess"})).get_absolute_url())
    ann.ready()
    blow = page.get_by_role("button", name="Basic Attack")
    expect(blow).to_contain_text("you lose the match")
    expect(page.locator(".deed.is-main")).to_have_text("End the turn")
    blow.click()
    expect(page.locator("#to-result")).to_be_visible()
    expect(page.locator(".ask-line")).to_contain_text(
        "you had no Active Character at the end of the turn"
    )
    expect(page.locator(".fighter-none").first).to_have_text("No Active Character")
    check_boxes(page, "knd-end", Boxes(apart=FELT.apart, whole=FELT.whole))
