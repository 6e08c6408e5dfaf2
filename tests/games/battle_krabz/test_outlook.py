"""The cards to draw after sorting are known before anything is sorted."""

from __future__ import annotations

import pytest

import rules
from games.battle_krabz.rules.battle import draws
from games.battle_krabz.state import WARRIOR
from rules.engine.chance import named_seed
from rules.testing.playouts import playout, random_setup

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
                outlook = match.outlook(prompt)
                cards = outlook["cards"]
                assert cards == match.state.surviving(who)[-len(cards) :]
                assert cards[0] == prompt.context[0]
                for keeps, (drawn, least, most) in outlook["draws"].items():
                    twin = match.clone()
                    twin.state.choices[who].extend(map(int, keeps))
                    assert draws(twin.state, who) == (drawn, range(least, most + 1))
                    checked += 1
    assert checked > 100


@pytest.mark.rules("BKZ-P-10")
def test_the_outlook_of_a_first_hand_says_when_a_warrior_is_still_needed() -> None:
    match = random_setup(GAME, GAME.modes["battle"], named_seed("first hand")).start()
    assert match.prompts[0].kind == "choose-hand"
    kinds = match.state.cards.kind
    warriors = [card for card in match.state.decks[0] if kinds[card] == WARRIOR]
    for missing in range(7, 0, -1):
        prompt = match.prompts[0]
        assert match.outlook(prompt) == {"missing": missing, "one_of": warriors}
        others = [move for move in prompt.options if move.card not in warriors]
        if missing > 1:
            match.play(0, others[0])
    assert [move.card for move in prompt.options] == warriors
    twin = match.clone()
    twin.state.hands[0][0] = warriors.pop()
    assert twin.outlook(prompt)["one_of"] == []
