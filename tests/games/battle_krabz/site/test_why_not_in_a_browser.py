"""A click on a card that cannot be played now says why, beside the card and with its rule."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.felt import laid_match
from tests.browser.player import Open, person
from tests.games.battle_krabz.site.layouts import battle

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_booster_waits_for_its_moment(sit: Open) -> None:
    ann = sit(person("Ann"), laid_match(battle()).get_absolute_url())
    ann.ready()
    page = ann.page
    page.locator(".hand").get_by_role("link", name="Coral Wink").click()
    look = page.locator("#look")
    expect(look).to_contain_text("Deploy Warriors now.")
    rule = look.get_by_role("link", name="What the rules say")
    expect(rule).to_have_attribute("href", "/rules/BKZ-B-10/")
