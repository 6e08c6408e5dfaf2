"""What on a table stands for an option: as the prompt's outlook says, and nothing else."""

from __future__ import annotations

import json
from typing import Any

from matches.queries.click_targets import ClickTargets
from matches.queries.table import TableOption, TablePrompt
from matches.templatetags.table import as_uses


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
    picks = ClickTargets.of(prompt(lay, swap, option("pass"), places=rows))
    assert [use.option for use in picks.uses[7]] == [lay, swap]
    assert json.loads(as_uses(picks.uses[7])) == [
        {"move": "lay", "to": [{"slot": "left"}]},
        {"move": "swap", "to": [{"card": 3}]},
    ]
    assert set(picks.uses) == {7, 8}


def test_what_an_option_points_at_stands_for_it() -> None:
    hit = option("hit")
    to = [{"seat": 2}, {"slot": "pile-1"}, {"card": 9}]
    aims = ClickTargets.of(prompt(hit, places=[{"verb": "hit", "card": None, "to": to}])).aims
    assert aims.seats[2].option is aims.slots["pile-1"].option is aims.cards[9].option is hit
    assert aims.slots["pile-1"].places == [{"slot": "pile-1"}]


def test_a_card_that_is_an_option_itself_is_not_picked_up() -> None:
    rows = [{"verb": "play", "card": 4, "to": [{"slot": "left"}]}]
    picks = ClickTargets.of(prompt(option("play", card=4), places=rows))
    assert set(picks.cards) == {4}
    assert picks.uses == {}
