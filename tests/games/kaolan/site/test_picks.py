"""The tables light up the places that the rules give for each option."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from matches import engine
from matches.models import Match
from tests.games.kaolan.site.test_pages import table_of
from tests.matches.conftest import play_on
from tests.matches.test_pages import logged_in


@pytest.mark.django_db
@pytest.mark.parametrize("mode", ["tournament", "power", "single"])
def test_a_page_lights_up_what_the_rules_say(mode: str, ann: User) -> None:
    match = table_of(mode)
    seen = 0
    for _ in range(120):
        play_on(match, 1)
        if seen > 6 or match.finished:
            break
        if engine.load(match).prompts.get(0):
            seen += compare(match, logged_in(ann))
    assert seen


def compare(match: Match, client: Client) -> int:
    """How many cards a page lights up; they are those of the outlook."""
    table = engine.load(match)
    page = client.get(reverse("matches:table", args=(match.slug,))).content.decode()
    buttons = re.findall(r'data-card="(\d+)"[^>]* data-(uses|aim)="([^"]*)"', page)
    on_page = {(int(card), what): json.loads(unescape(text)) for card, what, text in buttons}
    prompt = table.prompts.get(0)
    rows = [] if prompt is None else table.outlook(prompt).get("places", [])
    uses = {(row["card"], "uses"): row["to"] for row in rows if row["card"] is not None}
    aims = [target for row in rows if row["card"] is None for target in row["to"]]
    assert {key: use[0]["to"] for key, use in on_page.items() if key[1] == "uses"} == uses
    targets = [target for key, target in on_page.items() if key[1] == "aim"]
    assert sorted(map(str, targets)) == sorted(map(str, aims))
    return len(on_page)
