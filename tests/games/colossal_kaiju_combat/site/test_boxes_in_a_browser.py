"""The boxes of the table at the start, in the middle, in fights and at the end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from matches.services.lessons import learn
from tests.browser.felt import laid_match
from tests.browser.player import EVERY, FADED, SHOW_IN, Open, keep, keep_table, person
from tests.games.colossal_kaiju_combat.site.layouts import SCENES
from tests.support.boxes import SCREENS, wrong_boxes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BOXES = Path(__file__).with_name("boxes.js").read_text()
CARD = {"desk": 150, "tablet": 150, "phone": 96, "small": 96}
"""So many pixels are the cards of a fight wide at least."""


SMALL = {"small": {"width": 360, "height": 844}}
"""A narrow phone, for the table with the longest names."""
DRAWN = """() => {
    const detail = { table: document.getElementById("table"), news: [] };
    document.dispatchEvent(new CustomEvent("table:drawn", { detail }));
}"""


def test_the_table_uses_the_screen(sit: Open) -> None:
    """One page for all scenes: a browser for a new person costs as much as two of them."""
    ann = sit(person("Ann"), "/api/problems/invalid/")
    site = ann.page.url.removesuffix("/api/problems/invalid/")
    faults: list[str] = []
    for name, lay in SCENES.items():
        table = lay()
        ann.page.goto(site + laid_match(table).get_absolute_url())
        ann.ready()
        if name == "after-2":  # the line of what was missed takes room from the felt
            ann.page.evaluate("document.getElementById('missed').hidden = false")
        for screen, size in (SCREENS | (SMALL if name == "city-2" else {})).items():
            ann.page.set_viewport_size(size)
            ann.page.wait_for_function(FADED, polling=EVERY)
            if "RIFFLE_SCREENSHOTS" in os.environ:
                for theme in ("dark", "light"):
                    ann.page.evaluate(SHOW_IN, theme)
                    keep(ann.page, f"boxes-{name}-{screen}-{theme}", full_page=False)
                if screen == "desk":
                    keep_table(ann.page, name)
            rows = ann.page.evaluate(BOXES, {"card": CARD[screen], "seats": table.seats})
            rows += wrong_boxes(ann.page, screen)
            faults += [f"{name}, {screen}: {row}" for row in dict.fromkeys(rows)]
    ann.page.goto(site + learn(user=person("Ann"), game="colossal-kaiju-combat").get_absolute_url())
    ann.ready()
    own, tray = (
        ann.page.locator(".screen-own > .team").bounding_box(),
        ann.page.locator(".tray").bounding_box(),
    )
    assert own and tray and own["y"] + own["height"] <= tray["y"], (
        "the lesson's team is whole on a phone"
    )
    ann.page.goto(site + laid_match(SCENES["exchange-2"]()).get_absolute_url())
    ann.context.clear_cookies()
    ann.page.reload()
    expect(ann.page.locator(".hands")).to_have_count(0)
    height = ann.page.locator(".tray").evaluate("tray => tray.offsetHeight")
    assert height < 100, "there is room for a hand that a spectator does not have"
    assert not faults, "\n".join(faults)


def test_a_card_that_is_rested_on_shows_a_picture_until_the_table_changes(sit: Open) -> None:
    ann = sit(person("Ann"), laid_match(SCENES["exchange-2"]()).get_absolute_url())
    ann.ready()
    page = ann.page
    page.locator(".tile .piece[data-title='Bone Crusher']").hover()
    peek = page.locator(".peek > img")
    expect(peek).to_be_visible()
    assert peek.evaluate("image => image.naturalWidth") > 0
    page.evaluate(DRAWN)
    expect(peek).to_have_count(0)
