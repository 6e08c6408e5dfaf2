"""What could go where at the start of a turn is what the rules offer afterwards."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from rules.engine.match import Match
from rules.engine.moves import target_to_json
from rules.engine.playouts import named_seed, playout, random_setup
from tests.games.kaolan.table import lay, power_seat, seat

GAME = rules.game("kaolan")
CHOICES = {
    "place": "choose_position",
    "replace_link": "choose_link",
    "add_power": "choose_power_host",
    "add_ability": "choose_ability_host",
}


def promised(match: Match, who: int) -> dict[tuple[str, int | None], list[Any]]:
    rows = match.outlook(match.prompts[who])["places"]
    return {(row["verb"], row["card"]): row["to"] for row in rows}


def offered(match: Match, who: int, verb: str, card: int) -> list[Any]:
    """The places that the rules would offer for a card if it were chosen now."""
    context = (card, 0) if verb == "place" else (card,)
    options = GAME.rulebook.prompts[CHOICES[verb]].options(match.state, who, *context)
    return [target_to_json(move.target) for move in options if move.target]


@pytest.mark.parametrize("mode", ["match", "tournament", "power"])
def test_the_places_are_those_that_are_offered_for_the_card(mode: str) -> None:
    verbs = set()
    for number in range(12):
        setup = random_setup(GAME, GAME.modes[mode], named_seed(f"outlook {number}"))
        for match, _ply, _events in playout(setup):
            for who, prompt in match.prompts.items():
                if prompt.kind != "turn_action":
                    continue
                found = promised(match, who)
                playable = {verb for verb, _card in found}
                assert playable == {move.verb for move in prompt.options} - {
                    *("pass", "pledge", "withdraw")
                }, "every option has a card or a place that it is for"
                for (verb, card), places in found.items():
                    if verb in CHOICES and card is not None:
                        assert places == offered(match, who, verb, card)
                verbs |= playable
    assert verbs >= {"place", "add_power", "add_ability", "opportunity", "challenge"}


def test_a_hand_and_its_places() -> None:
    t = lay(
        seat("red Claw [r6]", "r4", hand="r5, blue Flame, Keen Eye, b3"),
        seat("blue Claw"),
    )
    names = {t.match.card(card)["slug"]: card for card in t.state.hands[0]}
    leader = t.state.leader(0)
    found = {
        (verb, "" if card is None else t.match.card(card)["slug"]): to
        for (verb, card), to in promised(t.match, 0).items()
    }
    power, beast, ability, _idle = names
    assert found == {
        ("add_power", power): [{"card": leader}],
        ("place", beast): [{"slot": "guard-1"}],
        ("add_ability", ability): [{"card": leader}],
        ("challenge", ""): [{"seat": 1}],
    }
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-P-16")
def test_a_character_may_take_the_place_of_a_link_and_nothing_else() -> None:
    t = lay(
        power_seat("red Claw", "red Flame", hand="blue Flame"),
        power_seat("blue Claw"),
        mode="power",
    )
    (card,) = t.state.hands[0]
    link = t.state.board[0][1]
    assert promised(t.match, 0)["replace_link", card] == [{"card": link}]
    assert ("place", card) not in promised(t.match, 0)
    t.done(0, "turn_action")
