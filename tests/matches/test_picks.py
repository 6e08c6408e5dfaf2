"""What on a table stands for an option: as the prompt's outlook says, and nothing else."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from matches import engine
from matches.models import Match
from matches.queries import TableOption, TablePrompt
from matches.templatetags.table import Picks, as_uses
from tests.matches.conftest import play_on
from tests.matches.test_mode_pages import table_of
from tests.matches.test_pages import logged_in


def option(verb: str, **move: Any) -> TableOption:
    return TableOption(verb.capitalize(), verb, {"verb": verb, **move})


def prompt(*options: TableOption, places: list[dict[str, Any]]) -> TablePrompt:
    return TablePrompt(1, "turn", "Your turn.", list(options), {"places": places})


def test_a_card_is_picked_up_for_each_option_that_begins_with_it() -> None:
    lay, swap = option("lay"), option("swap")
    rows = [
        {"verb": "lay", "card": 7, "to": [{"slot": "left"}]},
        {"verb": "swap", "card": 7, "to": [{"card": 3}]},
        {"verb": "lay", "card": 8, "to": []},
    ]
    picks = Picks.of(prompt(lay, swap, option("pass"), places=rows))
    assert [use.option for use in picks.uses[7]] == [lay, swap]
    assert json.loads(as_uses(picks.uses[7])) == [
        {"move": "lay", "to": [{"slot": "left"}]},
        {"move": "swap", "to": [{"card": 3}]},
    ]
    assert set(picks.uses) == {7, 8}


def test_what_an_option_points_at_stands_for_it() -> None:
    hit = option("hit")
    to = [{"seat": 2}, {"slot": "pile-1"}, {"card": 9}]
    aims = Picks.of(prompt(hit, places=[{"verb": "hit", "card": None, "to": to}])).aims
    assert aims.seats[2].option is aims.slots["pile-1"].option is aims.cards[9].option is hit
    assert aims.slots["pile-1"].places == [{"slot": "pile-1"}]


def test_a_card_that_is_an_option_itself_is_not_picked_up() -> None:
    rows = [{"verb": "play", "card": 4, "to": [{"slot": "left"}]}]
    picks = Picks.of(prompt(option("play", card=4), places=rows))
    assert set(picks.cards) == {4}
    assert picks.uses == {}


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
    shown = {(int(card), what): json.loads(unescape(text)) for card, what, text in buttons}
    asked = table.prompts.get(0)
    rows = [] if asked is None else table.outlook(asked).get("places", [])
    uses = {(row["card"], "uses"): row["to"] for row in rows if row["card"] is not None}
    aims = [target for row in rows if row["card"] is None for target in row["to"]]
    assert {key: use[0]["to"] for key, use in shown.items() if key[1] == "uses"} == uses
    found = [target for key, target in shown.items() if key[1] == "aim"]
    assert sorted(map(str, found)) == sorted(map(str, aims))
    return len(shown)
