"""Looking back in a browser: the replay, and the pages of people."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.player import Open, look, person, play_until
from tests.browser.test_table import greedy, table_of

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_match_is_watched_again_and_its_people_looked_up(
    sit: Open, axe_source: str, size: str
) -> None:
    over = table_of(guards=0)
    play_until(over, lambda table: False, greedy)
    call_command("recompute_ratings")
    ann = sit(person("Ann"), reverse("matches:replay", args=(over.slug,)) + "?ply=2", size)
    page = ann.page
    table = page.locator("#table")

    page.locator("[data-slider]").fill("5")
    expect(table).to_have_attribute("data-ply", "5")
    page.locator("#replay-moves [data-move='3']").click()
    expect(table).to_have_attribute("data-ply", "3")
    expect(page.locator("#replay-moves [aria-current]")).to_have_attribute("data-move", "3")
    page.keyboard.press("ArrowRight")
    expect(table).to_have_attribute("data-ply", "4")
    page.locator(".replay-eyes a").nth(1).click()
    expect(page).to_have_url(re.compile(r"ply=4&seat=1$"))
    look(page, axe_source, f"replay-{size}")
    page.locator("[data-autoplay]").click()
    expect(page.locator("[data-autoplay]")).to_have_attribute("aria-pressed", "true")
    expect(table).to_have_attribute("data-ply", "6")
    page.locator("[data-autoplay]").click()
    expect(page.locator("[data-autoplay]")).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(page.locator("#replay-moves [aria-current]")).to_be_visible()

    page.goto(page.url.partition("/matches/")[0] + reverse("matches:result", args=(over.slug,)))
    expect(page.get_by_role("heading", name="Ratings")).to_be_visible()
    page.locator(".ranking .person-link").first.click()
    expect(page).to_have_url(re.compile("/people/"))
    expect(page.get_by_role("heading", name="Record")).to_be_visible()
    look(page, axe_source, f"person-{size}")
    page.locator(".rating h3 a").first.click()
    look(page, axe_source, f"ratings-{size}")
