"""A click on a card that cannot be played says why, beside the card and with its rule."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.felt import laid_match
from tests.browser.player import Open, person
from tests.games.kaolan.table import lay, seat

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_idle_card_says_why_and_leads_to_its_rule(sit: Open) -> None:
    own = seat("red Claw [r6]", "red Flame", "blue Stinger", hand="g5, r5, Keen Eye")
    table = lay(own, seat("blue Claw"))
    table.done(0, "turn_action")
    ann = sit(person("Ann"), laid_match(table.match).get_absolute_url(), "phone")
    ann.ready()
    page = ann.page
    page.locator(".hand").get_by_role("link", name="Green 5").click()
    look = page.locator("#look")
    expect(look).to_contain_text("None of your Characters takes its colour.")
    expect(look.locator("#look-picture")).to_be_visible()
    look.get_by_role("link", name="What the rules say").click()
    expect(look).to_be_hidden()
    expect(page.locator("#rules [id='KAO-C-09']")).to_be_in_viewport()
    page.keyboard.press("Escape")

    # Looked at, but not meant to be played: no reason is given.
    page.locator(".own [data-slot=guard-1] > .piece").click()
    expect(look.locator("#look-name")).to_be_visible()
    expect(look.locator("#look-why")).to_be_hidden()
    page.keyboard.press("Escape")

    # In the fingers, and laid where it cannot go.
    page.locator(".hand [data-intent=add_power]").click()
    page.locator(".own [data-slot=guard-2] > .piece").click()
    expect(page.locator("[data-refusal]")).to_contain_text("Red 5 cannot go there.")
    expect(page.locator("[data-refusal-rule] a")).to_have_attribute("href", "/rules/KAO-M-24/")
    # The refusal leaves what it speaks of in sight.
    expect(page.locator(".own [data-slot=guard-2] > .piece")).to_be_in_viewport(ratio=1)

    # At the next question a card that does not answer says what is asked.
    page.locator(".actions").get_by_role("button", name="Add Power").click()
    page.wait_for_selector("[data-prompt-kind=choose_power_host]")
    page.locator(".own [data-slot=guard-2] > .piece").click()
    expect(look).to_contain_text("takes its colour and has room")
