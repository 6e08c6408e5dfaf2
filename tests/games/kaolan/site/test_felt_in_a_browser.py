"""Every seat count of every mode on four screens: the felt is shared out."""

from __future__ import annotations

import pytest

from tests.browser.felt import laid_match, places_of
from tests.browser.player import STILL, Open, person
from tests.games.kaolan.site.layouts import TABLES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_nothing_jumps_when_a_card_is_attached(sit: Open) -> None:
    ann = sit(person("Ann"), laid_match(TABLES["match-4"]()).get_absolute_url(), "phone")
    ann.ready()
    before = places_of(ann.page)
    ann.page.locator(".hand [data-intent=add_power]").click()
    ann.page.locator(".own .is-target > .piece").last.click()
    ann.page.wait_for_function("() => document.getElementById('table').dataset.ply !== '0'")
    ann.page.wait_for_function(STILL)
    ann.page.wait_for_function("() => !document.getAnimations().length")
    assert len(before) > 6
    after = places_of(ann.page)
    assert after.keys() == before.keys()
    moved = {card: (before[card], after[card]) for card in before if after[card] != before[card]}
    lifted = 3  # what can be chosen lies so much higher
    assert not [
        pair
        for pair in moved.values()
        if max(abs(a - b) for a, b in zip(*pair, strict=True)) > lifted
    ]
