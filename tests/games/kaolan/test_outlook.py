"""The places promised at the start of a turn are those that the rules offer afterwards."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from rules.engine.chance import named_seed
from rules.engine.match import Match
from rules.engine.moves import target_to_json
from rules.testing import position
from rules.testing.playouts import playout, random_setup
from tests.games.kaolan.table import lay, names, power_seat, seat, short, tournament_seat

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
                promises = promised(match, who)
                playable = {verb for verb, _card in promises}
                assert playable == {move.verb for move in prompt.options} - {
                    *("pass", "pledge", "withdraw")
                }, "every option has a card or a place that it is for"
                hand = set(match.state.hands[who])
                reasons = {row["card"] for row in match.outlook(prompt)["why_not"]}
                assert reasons == hand - {card for _verb, card in promises}, (
                    "the others say why not"
                )
                for (verb, card), places in promises.items():
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
    promises = {
        (verb, "" if card is None else t.match.card(card)["slug"]): to
        for (verb, card), to in promised(t.match, 0).items()
    }
    power, beast, ability, _idle = names
    assert promises == {
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


def lit(t: Any, who: int = 0) -> dict[str, tuple[str, list[str]]]:
    """For each card of the hand what it is picked up for, and the places that light up."""

    def place(target: dict[str, Any]) -> str:
        return short(t.match.card(target["card"])["slug"]) if "card" in target else target["slot"]

    return {
        short(t.match.card(card)["slug"]): (verb, [place(target) for target in to])
        for (verb, card), to in promised(t.match, who).items()
        if card is not None
    }


@pytest.mark.rules("KAO-C-09", "KAO-C-10", "KAO-C-15", "KAO-M-24", "KAO-M-27")
def test_a_power_card_goes_under_its_colour_and_gold_under_all() -> None:
    t = lay(
        seat("red Claw [r6 | Keen Eye]", "gold Flame", "b4", hand="r5, gold 2/7, b3, Shadow Step"),
        seat("blue Claw"),
    )
    assert lit(t) == {
        "r5": ("add_power", ["red Claw", "gold Flame"]),
        "gold 2/7": ("add_power", ["red Claw", "gold Flame"]),
        "b3": ("add_power", ["gold Flame"]),
        "Shadow Step": ("add_ability", ["gold Flame"]),
    }
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-R-12", "KAO-M-19")
def test_without_a_leader_there_is_one_place() -> None:
    t = lay(seat("r4", "g3", hand="red Claw, blue Flame, r5"), seat("blue Claw"))
    assert lit(t) == {"red Claw": ("place", ["leader"]), "blue Flame": ("place", ["leader"])}
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-T-16")
def test_an_empty_position_of_tournament_play_is_a_place() -> None:
    t = lay(
        tournament_seat("red Claw", "", "g3", hand="blue Flame", draw="r2, r3"),
        tournament_seat("blue Claw", draw="b2, b3"),
        mode="tournament",
    )
    assert lit(t) == {"blue Flame": ("place", ["guard-1", "guard-2"])}
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-P-14", "KAO-P-16", "KAO-P-21")
def test_a_chain_takes_new_levels_other_colours_and_one_ability() -> None:
    hand = "blue Stinger, blue Flame, green Flame, blue Claw, Keen Eye"
    t = lay(
        power_seat("red Claw", "green Flame", hand=hand), power_seat("green Claw"), mode="power"
    )
    promises = lit(t)
    assert promises == {
        "blue Stinger": ("place", ["link"]),
        "blue Flame": ("replace_link", ["green Flame"]),
        "Keen Eye": ("add_ability", ["red Claw"]),
    }, "The Main Character is never replaced."
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-R-05")
def test_an_opportunity_that_cannot_be_carried_out_stays_in_the_hand() -> None:
    t = lay(
        seat("r4", hand="Ambush, Reinforcements"), seat("blue Claw"), draw="r2, r3, r5, r6, r7, r8"
    )
    assert lit(t) == {}
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-S-25")
def test_alone_an_attack_may_begin_with_any_character_that_lies_open() -> None:
    count = 0
    for number in range(6):
        setup = random_setup(GAME, GAME.modes["single"], named_seed(f"outlook {number}"))
        for match, _ply, _events in playout(setup):
            for who, prompt in match.prompts.items():
                if prompt.kind != "solo_play":
                    continue
                view = match.view(who)
                may = any(move.verb == "attack" for move in prompt.options)
                slots = [{"slot": row["slot"]} for row in view["odds"]] if may else []
                promises = promised(match, who) if "places" in match.outlook(prompt) else {}
                assert promises == ({("attack", None): slots} if may else {})
                count += may
    assert count > 5


def reasons(t: Any) -> dict[str, tuple[str, str]]:
    """Why which cards cannot be played, by their titles; nothing is played."""
    match = t.match
    (prompt,) = match.prompts.values()
    rows = match.outlook(prompt)["why_not"]
    t.done(0, prompt.kind)
    return {match.state.cards.title[row["card"]]: (row["says"], row["rule"]) for row in rows}


@pytest.mark.rules("KAO-R-12")
def test_without_a_leader_a_character_comes_first() -> None:
    t = lay(seat("r4", hand="r5, blue Flame, Keen Eye, Salvage"), seat("blue Claw"))
    promises = reasons(t)
    assert set(promises) == {"Red 5", "Keen Eye", "Salvage"}
    assert set(promises.values()) == {
        ("A Character comes first: place one from your hand.", "KAO-R-12"),
    }


@pytest.mark.rules("KAO-R-12")
def test_without_a_leader_only_what_may_bring_one_is_lit_beside_the_characters() -> None:
    """Salvage could be carried out, but is not offered while a Leader has to come."""
    t = lay(
        seat("r4", hand="blue Flame, Reinforcements, Salvage"),
        seat("blue Claw"),
        discard="red Claw",
    )
    assert lit(t) == {"blue Flame": ("place", ["leader"]), "Reinforcements": ("opportunity", [])}
    assert reasons(t) == {
        "Salvage": ("A Character comes first: place one from your hand.", "KAO-R-12")
    }


@pytest.mark.rules("KAO-C-09", "KAO-C-10", "KAO-C-12", "KAO-M-21", "KAO-R-05")
def test_each_card_of_a_hand_says_what_keeps_it_there() -> None:
    flame = "red Flame [r2, r3 | Keen Eye]"
    t = lay(
        seat(flame, "red Claw [r4 | Twin Fangs]", hand="green Flame, g5, War Drums, r5"),
        seat("blue Claw"),
    )
    promises = reasons(t)
    assert {title: rule for title, (_, rule) in promises.items()} == {
        "Green Flame": "KAO-M-21",
        "Green 5": "KAO-C-09",
        "War Drums": "KAO-C-12",
    }
    t = lay(seat(flame, hand="r5, Change of Guard"), seat("blue Claw"))
    promises = reasons(t)
    assert promises["Red 5"] == ("Your Characters of that colour have no room.", "KAO-C-10")
    assert promises["Change of Guard"][1] == "KAO-R-05"


@pytest.mark.rules("KAO-P-15")
def test_a_chain_says_that_it_has_the_level() -> None:
    own = power_seat("red Claw", "red Flame", hand="red Flame")
    promises = reasons(lay(own, power_seat("blue Claw"), mode="power"))
    assert [rule for _, rule in promises.values()] == ["KAO-P-15"]


@pytest.mark.rules("KAO-S-09", "KAO-S-17", "KAO-S-25", "KAO-R-75")
def test_the_piles_of_single_play_say_why_they_stay() -> None:
    table = {
        "piles": [names(pile) for pile in ("r2", "blue Flame", "Keen Eye", "r8")],
        "waste": names("r8"),
    }
    promises = reasons(position("kaolan", "single", **table))
    assert {title: rule for title, (_, rule) in promises.items() if title != "Red 8"} == {
        "Red 2": "KAO-S-09",
        "Blue Flame": "KAO-S-25",
        "Keen Eye": "KAO-S-09",
    }
    assert promises["Red 8"] == ("You have no Character yet to put it under.", "KAO-S-19")
