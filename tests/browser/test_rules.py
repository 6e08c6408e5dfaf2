"""The rules in a browser: they narrow as one types, and open at what the table asks."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from matches import engine
from tests.browser.player import Open, answer, look_in_both, person
from tests.browser.test_table import table_of
from tests.games.examples import GAME

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_rules_are_at_hand(sit: Open, axe_source: str) -> None:
    ann = sit(person("Ann"), reverse("matches:game", args=(GAME,)), "phone")
    page = ann.page
    look_in_both(page, axe_source, "game")
    page.locator(".game-doors a").first.click()
    sections = page.locator("[data-rules-section]:visible")
    expect(sections.nth(10)).to_be_attached()
    look_in_both(page, axe_source, "rules")
    page.get_by_role("searchbox").fill("Second Wind")
    expect(page.locator("[data-rules-status]")).to_contain_text("for “Second Wind”")
    expect(sections.nth(0)).to_be_visible()
    expect(sections.nth(10)).not_to_be_attached()
    page.get_by_role("searchbox").fill("")
    expect(sections.nth(10)).to_be_attached()

    # At the table: the panel opens where the rules speak of the question.
    match = table_of(guards=1)
    while next(iter(engine.load(match).prompts.values())).kind != "turn_action":
        answer(match)
    seat = next(iter(engine.load(match).prompts))
    html = sit(match.seats.get(number=seat).user, match.get_absolute_url(), "phone").page
    html.locator(".table-tool[data-rules]").click()
    chapter = html.locator("#rules #on-one-action")
    expect(chapter).to_be_in_viewport()
    look_in_both(html, axe_source, "table-rules", full_page=False)
    html.keyboard.press("Escape")
    expect(chapter).to_be_hidden()
    # A move that is not offered is refused, with the way to its rule.
    html.locator("#answer button[name=move]").first.evaluate(
        "button => { button.value = 'no'; button.dataset.option = 'no'; }"
    )
    html.locator("#answer button[name=move]").first.click()
    refusal = html.locator("[data-refusal-rule]")
    expect(refusal).to_be_visible()
    refusal.locator("a").click()
    expect(chapter).to_be_in_viewport()
    expect(html).to_have_url(re.compile(f"{match.get_absolute_url()}$"))
