"""Looking back in a browser: the replay, and the pages of people."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.player import Open, look_in_both, person, play_until
from tests.browser.test_table import greedy, table_of

pytestmark = pytest.mark.browser


def test_a_match_is_watched_again_and_its_people_looked_up(sit: Open, axe_source: str) -> None:
    over = table_of(guards=0)
    play_until(over, lambda table: False, greedy)
    call_command("recompute_ratings")
    ann = sit(person("Ann"), reverse("matches:replay", args=(over.slug,)) + "?ply=2", "phone")
    page = ann.page
    table = page.locator("#table")

    moves = page.locator("#replay-moves [data-move]").evaluate_all(
        "links => links.map((link) => Number(link.dataset.move))"
    )
    turns = page.locator("#replay-moves [data-turn]").evaluate_all(
        "links => links.map((link) => Number(link.dataset.move))"
    )
    moments = sorted({0, *moves, over.ply})
    expect(table).to_have_attribute("data-seat", "1")  # Ann's own eyes
    page.locator("[data-slider]").fill("5")
    expect(table).to_have_attribute("data-ply", str(moments[5]))
    page.locator(f"#replay-moves [data-move='{moments[3]}']").first.click()
    expect(table).to_have_attribute("data-ply", str(moments[3]))
    current = page.locator("#replay-moves [aria-current]")
    expect(current).to_have_attribute("data-move", str(moments[3]))
    for key, goal in (
        ("ArrowRight", moments[4]),
        ("Shift+ArrowRight", min(turn for turn in turns if turn > moments[4])),
        ("Shift+ArrowLeft", max(turn for turn in turns if turn < moments[5])),
        ("9", moments[round(0.9 * (len(moments) - 1))]),
        ("Home", 0),
        ("ArrowRight", moments[1]),
    ):
        page.keyboard.press(key)
        expect(table).to_have_attribute("data-ply", str(goal))
    for key, goal in (("ArrowRight", moments[4]), ("ArrowLeft", moments[1])):
        for _ in range(3):  # faster than pages come
            page.keyboard.press(key)
        expect(table).to_have_attribute("data-ply", str(goal))
    sentence = page.locator(".ask-line")
    assert sentence.evaluate("line => line.scrollHeight <= line.clientHeight + 1")
    page.locator(".replay-eyes a").nth(1).click()
    expect(page).to_have_url(re.compile(rf"ply={moments[1]}&seat=2$"))
    look_in_both(page, axe_source, "replay")
    page.locator("[data-autoplay]").click()
    expect(page.locator("[data-autoplay]")).to_have_attribute("aria-pressed", "true")
    expect(table).to_have_attribute("data-ply", str(moments[3]))
    page.locator("[data-autoplay]").click()
    expect(page.locator("[data-autoplay]")).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(page.locator("#replay-moves [aria-current]")).to_be_visible()

    page.goto(page.url.partition("/matches/")[0] + reverse("matches:result", args=(over.slug,)))
    expect(page.get_by_role("heading", name="Ratings")).to_be_visible()
    page.locator(".ranking .person-link").first.click()
    expect(page).to_have_url(re.compile("/people/"))
    expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    look_in_both(page, axe_source, "person")
    page.locator(".rating h3 a").first.click()
    look_in_both(page, axe_source, "ratings")
