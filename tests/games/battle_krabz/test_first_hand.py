"""The hand that is suggested: a legal one, the bot's, and nothing in it that may not be known."""

from __future__ import annotations

from typing import Any

import rules
from games.battle_krabz.bot import line_score
from games.battle_krabz.first_hand import reason, suggestion
from games.battle_krabz.state import HAND, catalog
from rules.engine.cards import load_decks
from rules.engine.chance import Chance, named_seed

GAME = rules.game("battle-krabz")
STARTERS = [
    {"main": load_decks("games.battle_krabz")[f"starter-{side}"].cards["main"]}
    for side in ("krabz", "enemigos")
]


def begun(number: int) -> Any:
    return GAME.new_match(
        "battle", seats=2, seed=named_seed(f"hand {number}"), options={}, decks=STARTERS
    )


def slugs(match: Any, cards: Any) -> list[str]:
    return [match.state.cards.slugs[card] for card in cards]


def test_it_is_a_hand_that_the_bot_could_take_whoever_asks() -> None:
    for seat in (0, 1):
        match = begun(seat)
        suggested = suggestion(match.view(seat))
        for card in suggested.cards:
            prompt = match.prompts[seat]
            bot = GAME.bots["greedy"].choose(match.view(seat), prompt, Chance(bytes(32)))
            (move,) = [move for move in prompt.options if move.card == card]
            options = {option.card: option for option in prompt.options}
            assert move in options.values()
            # Equal cards are drawn by lot there: the bot's is worth no more than this one.
            assert (
                catalog()[slugs(match, [bot.card])[0]].kind
                == catalog()[slugs(match, [card])[0]].kind
            )
            match.play(seat, move)
        assert seat not in match.prompts and len(match.state.hands[seat]) == HAND


def test_it_completes_what_has_been_picked_already() -> None:
    match = begun(0)
    for _ in range(3):
        boosters = [
            move
            for move in match.prompts[0].options
            if catalog()[slugs(match, [move.card])[0]].kind == "booster"
        ]
        match.play(0, boosters[0])
    suggested = suggestion(match.view(0))
    assert len(suggested.cards) == HAND - 3
    kinds = [catalog()[slug].kind for slug in slugs(match, suggested.cards)]
    assert sorted(kinds) == ["power", "warrior", "warrior", "warrior"]


def test_it_is_the_same_each_time_and_whatever_is_hidden() -> None:
    """Neither chance nor the other seat's deck and choice has a say in it."""
    match = begun(7)
    match.play(1, match.prompts[1].options[5])
    wanted = suggestion(match.view(0))
    before = match.dump()
    for number in range(12):
        twin = match.redeal(0, Chance(named_seed(f"twin {number}")))
        assert suggestion(twin.view(0)) == wanted
    assert suggestion(match.view(0)) == wanted and match.dump() == before
    assert {tuple(sorted(slugs(m, suggestion(m.view(0)).cards))) for m in map(begun, range(5))} == {
        tuple(sorted(slugs(match, wanted.cards)))
    }


def test_the_reason_is_one_true_sentence() -> None:
    warriors, boosters = ("kite-krab-silver", "moss-krab-silver"), ("paloma-silver", "solara-gold")
    hand = [catalog()[slug] for slug in (*warriors, *boosters, "unicorn-silver")]
    line = hand[:2]
    attack, defence = line_score(line, True), line_score(line, False)
    assert reason(hand[:2]) == (
        f"These two Warriors score up to {attack} in attack and {defence} in defence."
    )
    words = reason(hand)
    assert words.startswith(f"These two Warriors score up to {attack} in attack")
    assert "Paloma or Solara can add up to " in words
    assert words.endswith(", and Unicorn can still turn the Battle after the scores.")
    assert reason(hand[:1]).startswith("This Warrior scores up to ")
