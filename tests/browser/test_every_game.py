"""The pages of every game in a browser: what it is, how it is learnt, its rules and its records."""

from __future__ import annotations

import pytest
from django.urls import reverse

import rules
from tests.browser.player import Open, look, person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = ("game", "learn", "game-rules", "game-records")


@pytest.mark.slow(30)
def test_axe_finds_nothing_and_nothing_overflows(sit: Open, axe_source: str) -> None:
    """On a phone, where words have least room; in both themes, as each game has its own hue."""
    ann = sit(person("Ann"), "/api/problems/invalid/", "phone")
    site = ann.page.url.removesuffix("/api/problems/invalid/")
    for game in rules.games():
        for name in PAGES:
            ann.page.goto(site + reverse(f"matches:{name}", args=(game,)))
            look(ann.page, axe_source, f"{name}-{game}")
