"""Kaolan's tables from start to end: nothing overlaps, nothing is cut."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from matches.services.lessons import learn
from matches.services.play import concede
from tests.browser.felt import laid_match
from tests.browser.player import LAID_OUT, SIZES, Open, person
from tests.games.boxes import HIDDEN, Boxes, check_boxes, measured
from tests.games.kaolan.site.layouts import TABLES, escaping, passed
from tests.games.kaolan.site.test_tables_in_a_browser import table_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FELT = Boxes(
    apart=[
        (
            ".own > .panel",
            ".board-own .piece, .place-note, .challenge, .own-piles, .opponent .piece",
        ),
        (
            ".board-own .piece",
            ".challenge, .opponent .piece, .middle .pile, .own-piles, .own-prize",
        ),
        (".challenge", ".middle .pile, .opponent .piece, .place-note"),
        (".chain .piece", ".middle"),
        (".action, .option", ".hand-card, .ask-line, .odds"),
        (".foe-odds", ".foe-odds"),
        (".stage", ".tray"),
    ],
    whole=[
        ".board",
        ".board-own .piece",
        ".panel",
        ".challenge",
        ".action",
        ".option",
        ".hand-card",
        ".chain",
    ],
    least={
        "desk": {".own .piece-leader": 96, ".opponent .piece-leader": 64},
        "tablet": {".own .piece-leader": 68},
        "phone": {".own .piece-leader": 50},
    },
)


COVERED_NAMES = """spots => spots.filter(spot => {
    const parts = [".piece", ".seal"].map(part => spot.querySelector(part));
    const [card, seal] = parts.map(part => part.getBoundingClientRect());
    return seal.top < card.top + card.height * 0.13 || seal.right > card.left + card.width * 0.75;
}).map(spot => spot.dataset.slot)"""
"""Places where the seal of an ability lies over the name of the card, or its level."""
KEYCAP = """button => {
    const { color, backgroundColor } = getComputedStyle(button, "::before");
    return [color, backgroundColor];
}"""


def test_a_challenge_from_start_to_end(sit: Open) -> None:
    """Greyed actions say why; a Challenge can be declined; dice stand beside the question."""
    match = laid_match(TABLES["match-2"]())
    ann = sit(person("Ann"), match.get_absolute_url())
    page, site = ann.page, ann.page.url.split("/matches/")[0]
    page.goto(site + table_of("match", 2).get_absolute_url())
    check_boxes(page, "kaolan-start", FELT)
    for name in ("match-4", "tournament-4", "tournament-8", "power-2", "single-1"):
        page.goto(site + laid_match(TABLES[name]()).get_absolute_url())
        check_boxes(page, f"kaolan-{name}", FELT)
        assert page.locator(".stage").evaluate(HIDDEN) <= 0, f"{name}: on a phone all is in sight"
        assert not page.locator(".spot:has(> .seal)").evaluate_all(COVERED_NAMES), name
        page.set_viewport_size(SIZES["sideways"])
        page.wait_for_function(LAID_OUT)
        assert not measured(page, FELT, "sideways"), name
    keycap = page.locator(".option-main > .option").evaluate(KEYCAP)
    assert keycap[0] != keycap[1], "the key of Deal can be read"
    page.goto(site + laid_match(escaping()).get_absolute_url())
    check_boxes(page, "kaolan-escaping", FELT)
    assert page.locator(".stage").evaluate(HIDDEN) <= 0, "with a card in play, too"
    page.set_viewport_size({"width": 667, "height": 320})
    page.wait_for_function(LAID_OUT)
    felt, tray = (page.locator(box).bounding_box() for box in (".table-felt", ".tray"))
    assert felt and tray and tray["height"] <= felt["height"], "none of the tray is cut"
    page.set_viewport_size(SIZES["phone"])
    page.goto(site + learn(user=person("Ann"), game="kaolan").get_absolute_url())
    ann.ready()
    assert page.locator(".stage").evaluate(HIDDEN) <= 0, "one's own Leader in the lesson"
    page.goto(site + laid_match(passed()).get_absolute_url())
    ann.ready()
    for size in SIZES.values():
        page.set_viewport_size(size)
        expect(page.locator(".options .option").first).to_be_hidden()  # the cards are pressed
    page.keyboard.press("3")  # the digit that the third card has
    expect(page.locator(".hand-card")).to_have_count(4)
    page.goto(site + match.get_absolute_url())
    ann.ready()
    page.evaluate("document.getElementById('missed').hidden = false")
    check_boxes(page, "kaolan-missed", FELT)
    expect(page.locator(".action:disabled .action-hint").first).to_be_visible()  # on the phone
    page.locator(".opponent [data-aim]").click()
    check_boxes(page, "kaolan-fight", FELT)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("[data-question]")).to_have_text("Choose what to do.")
    expect(page.locator("[data-confirm]")).to_have_count(0)
    page.locator(".opponent [data-aim]").click()
    page.get_by_role("button", name="Challenge Bob").click()
    die = page.locator(".ask-kept .die").first
    expect(die).to_be_visible()
    assert (die.bounding_box() or {})["width"] >= 28
    tops = {(box.bounding_box() or {})["y"] for box in page.locator(".ask-kept .die").all()}
    assert len(tops) == 1, "the dice of an answer stand in one line"
    check_boxes(page, "kaolan-dice", FELT)
    match.refresh_from_db()
    if match.status == "running":
        concede(slug=match.slug, user=person("Ann"))
    page.goto(site + match.get_absolute_url())
    check_boxes(page, "kaolan-end", Boxes(apart=FELT.apart, whole=FELT.whole))
