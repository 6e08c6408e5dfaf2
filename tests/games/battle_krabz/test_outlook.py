"""What there is to draw after sorting is said before anything is sorted."""

from __future__ import annotations

import pytest

import rules
from games.battle_krabz.rules.battle import draws
from rules.engine.playouts import named_seed, playout, random_setup

GAME = rules.game("battle-krabz")


@pytest.mark.rules("BKZ-B-58", "BKZ-R-26")
def test_the_outlook_of_sorting_is_what_is_then_drawn() -> None:
    checked = 0
    for number in range(6):
        setup = random_setup(GAME, GAME.modes["battle"], named_seed(f"outlook {number}"))
        for match, _ply, _events in playout(setup):
            for who, prompt in match.prompts.items():
                if prompt.kind != "sort":
                    continue
                for keeps, (drawn, least, most) in match.outlook(prompt)["draws"].items():
                    twin = match.clone()
                    twin.state.choices[who].extend(map(int, keeps))
                    assert draws(twin.state, who) == (drawn, range(least, most + 1))
                    checked += 1
    assert checked > 100
