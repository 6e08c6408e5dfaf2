"""Single Play (KAO-S-01 to KAO-S-33), its rulings (KAO-R-70 to KAO-R-86), its abilities."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import rules
from games.kaolan.rules import single
from games.kaolan.solitaire import Solitaire
from games.kaolan.state import Cards
from rules.engine.chance import Chance
from rules.engine.errors import BadSetup, IllegalMove
from rules.engine.lab import cards_played
from rules.engine.match import Match
from rules.testing.playouts import card_ids
from tests.games.kaolan.table import Table
from tests.games.kaolan.table import lay_solo as table

KAOLAN = rules.game("kaolan")


def start(seed: int = 0, **options: Any) -> Match:
    return KAOLAN.new_match("single", seats=1, seed=bytes([seed]) * 32, options=options)


def score(t: Table) -> int:
    value: int = t.match.view(0)["score"]
    return value


# -- preparation -------------------------------------------------------------------------------


@pytest.mark.rules("KAO-S-01", "KAO-S-03", "KAO-R-27")
def test_the_master_deck_against_the_six_booster_decks() -> None:
    match = start()
    s = match.state
    cards = match.state.cards.slugs
    assert Counter(cards[: s.foes]) == Counter(KAOLAN.starter_decks["kaolan-master"].cards["main"])
    boosters: Counter[str] = Counter()
    for n in range(1, 7):
        boosters.update(KAOLAN.products[f"kaolan-booster-{n}"].cards)
    assert Counter(cards[s.foes :]) == boosters
    for side in ("stock", "piles"):
        assert len({str(getattr(start(n).state, side)) for n in range(3)}) == 3, "both shuffled"
    with pytest.raises(BadSetup):
        KAOLAN.new_match("single", seats=2, seed=bytes(32))
    deck = KAOLAN.starter_decks["kaolan-master"].cards
    with pytest.raises(BadSetup, match="Nobody brings a deck to"):
        KAOLAN.new_match("single", seats=1, seed=bytes(32), decks=[deck])


@pytest.mark.rules("KAO-S-04", "KAO-S-05", "KAO-S-06", "KAO-S-07", "KAO-R-71")
def test_four_piles_of_fifteen_and_the_first_deal() -> None:
    match = next(m for m in map(start, range(9)) if len(m.view(0)["waste"]["cards"]) == 3)
    view = match.view(0)
    assert [pile["count"] for pile in view["piles"]] == [15] * 4
    assert all(pile["card"] for pile in view["piles"])
    assert [card is None for card in view["waste"]["cards"]] == [False, True, True]
    assert view["stock"] == {"count": 57}
    assert card_ids(view) == {
        match.state.waste[-1],
        *(pile[-1] for pile in match.state.piles),
    }, "nothing else is face up"


@pytest.mark.rules("KAO-R-71", "KAO-R-85")
@pytest.mark.parametrize("size", [3, 2, 1])
def test_the_size_of_a_deal_is_an_option(size: int) -> None:
    t = table("gold Flame", stock="g2, g3, g4", waste="g5", solo_deal=size).take("deal")
    assert t.waste == ["g2, g5", "g3, g2, g5", "g4, g3, g2, g5"][size - 1]
    t.done(0, "solo_play")
    assert start(solo_deal=size).options["solo_deal"] == size


@pytest.mark.rules("KAO-R-71")
def test_fewer_are_dealt_when_the_stock_has_fewer() -> None:
    t = table("gold Flame", stock="g2, g3", waste="g5", rest=False).take("deal")
    assert t.waste == "g3, g2, g5"
    assert t.offered() == ["recycle"]
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-71", "KAO-S-13")
def test_a_card_once_turned_up_stays_face_up() -> None:
    t = table("Ambush, Spyglass", stock="g2, g3, Sabotage, r2, r4, r5", waste="g5")
    t.take("deal", "match pile-1")
    cards = [card and card["slug"] for card in t.match.view(0)["waste"]["cards"]]
    assert cards == ["kao-pow-green-03", None, "kao-pow-green-05"]
    t.take("deal")
    cards = [card and card["slug"] for card in t.match.view(0)["waste"]["cards"]][3:]
    assert cards == ["kao-pow-green-03", None, "kao-pow-green-05"], "also when covered"
    t.done(0, "solo_play")


# -- matching ----------------------------------------------------------------------------------


@pytest.mark.rules("KAO-S-08", "KAO-S-09", "KAO-S-10", "KAO-S-17", "KAO-R-70")
@pytest.mark.parametrize(
    ("card", "pile", "fits"),
    [
        ("Ambush", "Spyglass", True),
        ("Ambush", "Ambush", True),
        ("Keen Eye", "War Drums", True),
        ("Keen Eye", "Ambush", False),
        ("r6", "r6", True),
        ("r6", "g7", False),
        ("g7", "g7", True),
        ("r7", "g7", False),
        ("r6", "gold 6", True),
        ("g11", "gold 2/6/11", True),
        ("b2", "gold 2/6/11", True),
        ("b3", "gold 2/6/11", False),
        ("g6", "Ambush", False),
    ],
)
def test_which_cards_match(card: str, pile: str, fits: bool) -> None:
    t = table(pile, waste=card)
    assert t.offered() == (["match pile-1", "deal"] if fits else ["deal"])
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-17", "KAO-R-70")
def test_characters_never_match() -> None:
    t = table("red Claw", "blue Flame", own="green Claw", waste="red Claw")
    assert t.offered() == ["deal"]
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-11", "KAO-S-12", "KAO-S-13", "KAO-R-72", "KAO-R-85")
def test_a_match_removes_both_cards_and_turns_the_next_ones() -> None:
    t = table("gold 6, gold Claw", "gold 2/6/11", waste="r6, b3")
    assert t.offered() == ["match pile-1", "match pile-2", "deal"], "the player chooses"
    t.take("match pile-2")
    assert (t.lost, t.removed) == ("r6", "gold 2/6/11")
    assert t.shown == ["gold 6", "", "", ""]
    assert t.waste == "b3"
    assert score(t) == 1
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-14", "KAO-R-72")
def test_a_usable_card_need_not_be_used() -> None:
    t = table("gold 6", stock="g2, g3, g4", waste="r6").take("deal")
    assert t.waste == "g4, g3, g2, r6"
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-18", "KAO-R-81")
def test_four_special_abilities_are_discarded_together() -> None:
    t = table(
        *("Ambush, Keen Eye, g7", "Twin Fangs, r6", "War Drums, b8", "Thorn Hide, gold 6"),
        waste="Sabotage",
        stock="g2",
    ).take("match pile-1")
    assert score(t) == 5
    assert t.shown == ["g7", "r6", "b8", "gold 6"]
    assert t.lost == "Sabotage", "only the matched Master card is gone"
    t.done(*(t.asked or (None, None)))


@pytest.mark.rules("KAO-R-81")
def test_four_more_special_abilities_go_as_well() -> None:
    t = table(
        *(
            "Ambush, Keen Eye, Steel Scales, g7",
            "Twin Fangs, Battle Fury",
            "War Drums, Shadow Step",
        ),
        "Thorn Hide, Pack Tactics, gold 6",
        waste="Sabotage",
    ).take("match pile-1")
    assert score(t) == 9
    assert t.shown == ["g7", "", "", "gold 6"]
    t.done(*(t.asked or (None, None)))


@pytest.mark.rules("KAO-R-81", "KAO-R-82")
def test_three_special_abilities_and_an_empty_pile_stay() -> None:
    t = table("Ambush", "Twin Fangs", "War Drums", "Thorn Hide", waste="Sabotage, g2")
    t.take("match pile-1")
    assert t.shown == ["", "Twin Fangs", "War Drums", "Thorn Hide"]
    assert score(t) == 1
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-81", "KAO-S-05")
def test_four_special_abilities_right_after_preparation() -> None:
    abilities = ("kao-sa-war-drums", "kao-sa-thorn-hide", "kao-sa-battle-fury", "kao-sa-keen-eye")
    s = Solitaire.new(
        1,
        Chance(bytes(32)),
        cards=Cards.in_order(("kao-pow-red-02", *abilities)),
        foes=1,
        deal_size=3,
    )
    s.stock = [0]
    s.piles = [[1], [2], [3], [4]]
    single.begin(s)
    assert s.score == 4


# -- the own Character -------------------------------------------------------------------------


@pytest.mark.rules("KAO-S-19", "KAO-S-21", "KAO-R-74")
def test_a_revealed_character_is_set_aside_and_the_next_card_turned() -> None:
    t = table("gold 6", stock="g2, r6, red Claw", waste="g5").take("deal")
    assert t.own == "red Claw"
    assert t.waste == "r6, g2, g5"
    assert t.offered() == ["match pile-1", "attach", "deal"]
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-21", "KAO-S-25", "KAO-R-74")
def test_another_character_just_stays_when_no_attack_is_possible() -> None:
    for own, pile in (("red Claw", "blue Flame"), ("red Claw [r6]", "gold 6")):
        t = table(pile, own=own, stock="g2, g3, blue Claw", waste="g5").take("deal")
        assert t.waste == "blue Claw, g3, g2, g5"
        assert t.offered() == ["deal"], "it cannot be used"
        t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-20", "KAO-S-22", "KAO-R-72")
def test_powers_of_its_colour_go_under_the_character_up_to_its_limit() -> None:
    t = table("gold Flame", own="red Flame", waste="r6, g5, r7, r8")
    t.take("attach")
    assert t.own == "red Flame [r6]"
    assert t.waste == "g5, r7, r8"
    assert "attach" not in t.offered(), "another colour"
    t.done(0, "solo_play")
    t = table("gold Flame", own="red Flame [r6]", waste="r7, r8").take("attach")
    assert t.own == "red Flame [r6, r7]"
    assert "attach" not in t.offered(), "two are the limit"
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-20", "KAO-S-23")
def test_one_special_ability_goes_under_the_character() -> None:
    t = table("gold Flame", own="red Flame", waste="Keen Eye, Twin Fangs").take("attach")
    assert t.own == "red Flame [| Keen Eye]"
    assert t.offered() == ["deal"]
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-20")
def test_deep_reserves_and_prism_heart_under_the_character() -> None:
    t = table("gold Flame", own="red Flame [r2, r3 | Deep Reserves]", waste="r4, r5, r6")
    t.take("attach", "attach")
    assert "attach" not in t.offered()
    t.done(0, "solo_play")
    t = table("gold Flame", own="red Flame [r2 | Prism Heart]", waste="g4").take("attach")
    assert t.own == "red Flame [r2, g4 | Prism Heart]"
    t.done(0, "solo_play")


# -- when to attack ----------------------------------------------------------------------------


@pytest.mark.rules("KAO-S-25", "KAO-R-75")
def test_a_free_attack_once_a_deal() -> None:
    t = table(
        "gold Flame",
        own="red Claw [r6]",
        waste="g5",
        stock="g2, g3, g4",
        dice=[(1, 1), (1, 1)],
    )
    assert t.offered() == ["attack", "deal"]
    t.take("attack")
    assert t.offered() == ["deal"], "no second attack since the last deal"
    t.take("deal")
    assert t.offered() == ["attack", "deal"]
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-26", "KAO-R-74", "KAO-R-75")
def test_a_forced_attack_counts_but_is_not_limited() -> None:
    t = table(
        "gold Flame",
        own="red Claw [r6]",
        waste="r5, blue Claw, g2",
        face_down=2,
        dice=[(1, 1), (1, 1), (1, 1), (1, 1)],
    )
    t.take("attack", "attach")
    assert t.events("attack") == [(0, False), (0, True)], "forced, although there was one"
    assert t.waste == "blue Claw, g2", "KAO-R-80: the revealed Character stays"
    assert t.offered() == ["deal"]
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-76")
def test_there_is_no_qualification_and_no_defense() -> None:
    t = table("gold Flame", own="red Claw [r6]", waste="g5", dice=[(1, 1), (6, 6)]).take("attack")
    assert [roll[0] for roll in t.dice] == ["foe_volley", "own_volley"]
    t.done(0, "solo_play")


# -- a battle ----------------------------------------------------------------------------------


def battle(*others: str, own: str = "red Claw [r6, r7]", dice: list[Any], **more: Any) -> Table:
    """A free attack on gold Flame; the other piles show these cards."""
    t = table("gold Flame, b2", *others, own=own, waste="g5", dice=dice, **more)
    return t.take("attack")


@pytest.mark.rules("KAO-S-27", "KAO-S-28", "KAO-S-29", "KAO-R-77", "KAO-R-78")
@pytest.mark.parametrize("other", ["b8", "gold 8", "gold 3/8/12"])
def test_the_boosters_hit_with_any_number_on_the_other_piles(other: str) -> None:
    t = battle(other, "Ambush", dice=[(4, 4)], own="red Claw [r6, r7 | Keen Eye]")
    assert t.dice == [("foe_volley", 0, (4, 4), True)], "they roll first"
    assert t.own == ""
    assert t.lost == "Keen Eye, r7, r6, red Claw"
    assert t.waste == "g5", "in a free attack nothing else is lost"
    assert t.removed == ""
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-77", "KAO-R-18")
def test_the_boosters_roll_even_without_any_number() -> None:
    t = battle(dice=[(4, 4), (1, 1)])
    assert t.dice[0] == ("foe_volley", 0, (4, 4), False)
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-30", "KAO-S-31", "KAO-R-80", "KAO-S-33", "KAO-R-85")
def test_a_hit_on_the_only_character_removes_all_face_up_cards() -> None:
    t = battle("b8, Ambush", "Spyglass", dice=[(1, 1), (3, 4)])
    assert score(t) == 3
    assert t.shown == ["b2", "Ambush", "", ""]
    assert t.own == "red Claw [r6, r7]", "everything under it stays"
    assert t.offered() == ["deal"]
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-79", "KAO-S-30")
def test_a_miss_removes_nothing() -> None:
    t = battle("b8", dice=[(1, 1), (1, 1)])
    assert (score(t), t.own) == (0, "red Claw [r6, r7]")
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-24", "KAO-S-32", "KAO-R-79")
def test_several_characters_are_fought_one_by_one_and_new_ones_are_not() -> None:
    t = table(
        *("gold Flame, red Flame", "gold 4/9, gold Claw", "red Diamondback", "r6, b8"),
        own="red Claw [r6, r7]",
        waste="g5",
        dice=[(1, 1), (3, 4), (1, 1), (3, 4)],
    ).take("attack", "target pile-1")
    assert t.events("battle")[1][0] == "pile-3", "each of the listed once"
    assert t.shown == ["red Flame", "gold Claw", "", ""], "those turned up since stay"
    assert score(t) == 5
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-32", "KAO-R-77")
def test_cards_turned_during_the_attack_count_in_the_next_battle() -> None:
    t = table(
        *("gold Flame, b8", "red Diamondback"),
        own="red Claw [r6, r7]",
        waste="g5",
        dice=[(4, 4), (3, 4), (4, 4)],
    ).take("attack", "target pile-1")
    assert [roll[3] for roll in t.dice] == [False, True, True]
    assert t.own == ""
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-79")
def test_a_loss_ends_the_attack() -> None:
    t = table(
        *("gold Flame", "red Diamondback", "b8"),
        own="red Claw [r6, r7]",
        waste="g5",
        dice=[(4, 4)],
    ).take("attack", "target pile-2")
    assert t.events("battle") == [("pile-2", t.events("battle")[0][1])]
    assert t.match.view(0)["listed"] == []
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-29", "KAO-R-78", "KAO-R-74")
def test_in_a_forced_attack_the_revealed_character_is_lost_too() -> None:
    t = table(
        *("gold Flame", "b8"),
        own="red Claw [r6]",
        waste="blue Claw, g5",
        next_step="reveal",
        dice=[(4, 4)],
    )
    assert t.lost == "blue Claw, r6, red Claw"
    assert t.waste == "g5"
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-79", "KAO-S-25")
def test_the_attack_is_over_without_a_power_card() -> None:
    t = table(
        *("gold Flame", "red Diamondback", "Thorn Hide"),
        own="red Claw [r6]",
        waste="g5",
        dice=[(4, 4), (1, 1)],
    ).take("attack", "target pile-1")
    assert t.own == "red Claw", "Thorn Hide took the last one"
    assert len(t.events("battle")) == 1
    assert t.offered() == ["deal"]
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-79", "KAO-R-18")
def test_a_battle_that_has_begun_is_finished_without_a_power_card() -> None:
    t = table(
        *("gold Flame", "red Diamondback", "b8"),
        own="red Claw [r6 | Second Wind]",
        waste="g5",
        dice=[(4, 4), (1, 1), (3, 3)],
    ).take("attack", "target pile-1")
    assert t.asked == (0, "solo_second_wind")
    t.take("spend r6")
    assert [roll[0] for roll in t.dice] == ["foe_volley", "foe_volley", "own_volley"]
    assert t.dice[-1][3] is False, "nothing could match"
    assert len(t.events("battle")) == 1, "the next one is not fought"
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-87", "KAO-S-30")
@pytest.mark.parametrize("forced", [False, True])
def test_the_player_has_no_choice_but_to_roll(forced: bool) -> None:
    more: dict[str, Any] = {"next_step": "reveal"} if forced else {}
    t = table(
        *("gold Flame", "b8"),
        own="red Claw [r6]",
        waste="blue Claw, g5" if forced else "g5",
        dice=[(1, 1), (1, 2)],
        **more,
    )
    if not forced:
        t.take("attack")
    assert [roll[0] for roll in t.dice] == ["foe_volley", "own_volley"], "nobody was asked"
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-82")
def test_empty_piles_add_nothing() -> None:
    t = battle(dice=[(2, 2), (3, 4)])
    assert score(t) == 1
    t.done(0, "solo_play")


# -- Special Abilities under the own Character ---------------------------------------------------


def own(ability: str) -> str:
    return f"red Claw [r6, r5 | {ability}]"


@pytest.mark.rules("KAO-S-30", "KAO-R-86")
@pytest.mark.parametrize(
    ("mine", "others", "dice", "hits"),
    [
        ("Twin Fangs", [], [(1, 1), (2, 2)], [False, True]),
        ("Twin Fangs", ["Shadow Step"], [(1, 1), (2, 2)], [False, False]),
        ("Keen Eye", [], [(1, 1), (2, 2)], [False, False]),
        ("Keen Eye", ["Shadow Step"], [(1, 1), (3, 3)], [False, False]),
        ("Shadow Step", ["b8"], [(4, 4), (1, 1)], [False, False]),
        ("Shadow Step", ["Twin Fangs"], [(4, 4), (1, 1)], [False, False]),
        ("Shadow Step", ["b8"], [(3, 5)], [True]),
        ("Keen Eye", ["Twin Fangs"], [(2, 2)], [True]),
        ("Keen Eye", ["Hunter's Mark"], [(3, 4)], [True]),
        ("Keen Eye", ["Steel Scales"], [(1, 1), (3, 3)], [False, True]),
        ("Keen Eye", ["Battle Fury", "b8"], [(1, 1), (4, 4)], [False, True]),
        ("Keen Eye", ["Battle Fury", "b8"], [(1, 1), (1, 1), (1, 1)], [False, False, False]),
        ("Keen Eye", ["Battle Fury", "Hunter's Mark"], [(1, 1), (3, 4)], [False, True]),
        ("Keen Eye", ["Keen Eye", "War Drums"], [(1, 1), (3, 3)], [False, True]),
        ("Keen Eye", ["Deep Reserves", "Mirror Scales"], [(1, 1), (3, 3)], [False, True]),
        ("Keen Eye", ["Pack Tactics", "b8"], [(1, 1), (3, 3)], [False, True]),
    ],
)
def test_abilities_in_a_battle(
    mine: str, others: list[str], dice: list[Any], hits: list[bool]
) -> None:
    t = battle(*others, own=own(mine), dice=dice)
    assert [roll[3] for roll in t.dice] == hits
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-86")
def test_steel_scales_deny_a_total_of_seven() -> None:
    t = battle("Steel Scales", own="red Claw [r7]", dice=[(1, 1), (3, 4)])
    assert t.dice[1][3] is False
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-29")
@pytest.mark.parametrize(
    ("answer", "dice", "left"),
    [
        ("no", [], ""),
        ("spend r6", [(4, 4)], ""),
        ("spend r6", [(1, 1), (1, 1)], "red Claw [r5 | Second Wind]"),
    ],
)
def test_second_wind_makes_them_roll_once_more(answer: str, dice: list[Any], left: str) -> None:
    t = battle("b8", "Battle Fury", own=own("Second Wind"), dice=[(4, 4), *dice])
    assert t.asked == (0, "solo_second_wind")
    assert t.offered() == ["spend r6", "spend r5", "no"]
    t.take(answer)
    assert t.own == left, "no Battle Fury for that roll, and it stands"
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-79")
def test_second_wind_once_a_battle_but_in_each() -> None:
    t = table(
        *("gold Flame", "red Diamondback", "b8"),
        own="red Claw [r6, r5, r4 | Second Wind]",
        waste="g5",
        dice=[(4, 4), (1, 1), (1, 1), (4, 4), (1, 1), (1, 1)],
    ).take("attack", "target pile-1", "spend r4")
    assert t.asked == (0, "solo_second_wind")
    t.take("spend r5")
    assert t.own == "red Claw [r6 | Second Wind]"
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-86")
def test_thorn_hide_after_a_missed_volley() -> None:
    t = battle("Thorn Hide", dice=[(1, 1), (1, 1)])
    assert t.asked == (0, "solo_thorn")
    t.take("discard r7")
    assert (t.own, t.lost) == ("red Claw [r6]", "r7")
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-R-86", "KAO-R-79")
def test_phoenix_heart_replaces_a_hit_and_thorn_hide_then_does_nothing() -> None:
    t = battle("Phoenix Heart, g7", "Thorn Hide", dice=[(1, 1), (3, 3)])
    assert t.removed == "Phoenix Heart"
    assert t.shown == ["gold Flame", "g7", "Thorn Hide", ""]
    assert t.own == "red Claw [r6, r7]"
    assert score(t) == 1
    t.done(0, "solo_play")


# -- the end of the stock and of the run --------------------------------------------------------


@pytest.mark.rules("KAO-S-15", "KAO-R-73")
@pytest.mark.parametrize(
    ("which", "waste", "lost"),
    [("first", "g2, g3, g4", "g5"), ("last", "g3, g4, g5", "g2")],
)
def test_turning_the_pile_over(which: str, waste: str, lost: str) -> None:
    t = table("gold Flame", waste="g2, g3, g4, g5", face_down=3, rest=False)
    assert t.offered() == ["recycle"]
    t.take("recycle")
    assert t.offered() == ["first", "last"]
    t.take(which)
    assert t.lost == lost
    assert t.waste == waste, "the card dealt first is the first one dealt again"
    view = t.match.view(0)
    assert [card is None for card in view["waste"]["cards"]] == [False, True, True]
    assert (view["passes"], view["deals"]) == (1, 1)
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-16", "KAO-R-83", "KAO-R-85")
def test_the_last_master_card_is_used_and_the_run_is_lost() -> None:
    t = table("gold 6, gold Claw", own="red Claw", waste="r6", rest=False)
    assert t.match.view(0)["last_card"] is True
    t.take("match pile-1")
    outcome = t.match.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((), "out_of_cards"), "even with a Character"
    assert outcome.to_json()["score"] == 1
    t.done()


@pytest.mark.rules("KAO-S-02", "KAO-R-83", "KAO-R-85")
def test_removing_the_last_booster_card_wins_even_with_the_last_master_card() -> None:
    t = table("gold 6", waste="r6", rest=False).take("match pile-1")
    outcome = t.match.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((0,), "cleared")
    t.done()


@pytest.mark.rules("KAO-S-02", "KAO-R-83", "KAO-S-31")
def test_the_last_booster_cards_may_fall_in_battle() -> None:
    t = table("gold Flame", "b8", own="red Claw [r6]", waste="g5", dice=[(1, 1), (3, 3)])
    t.take("attack")
    assert t.match.outcome is not None
    assert t.match.outcome.winners == (0,)
    t.done()


@pytest.mark.rules("KAO-R-83", "KAO-R-78")
def test_a_lost_forced_attack_may_end_the_run() -> None:
    t = table(
        *("gold Flame", "b8"),
        own="red Claw [r6]",
        waste="blue Claw",
        rest=False,
        next_step="reveal",
        dice=[(4, 4)],
    )
    assert t.match.outcome is not None
    assert t.match.outcome.reason == "out_of_cards"
    t.done()


@pytest.mark.rules("KAO-R-84")
def test_every_pass_costs_a_card() -> None:
    match = start()
    used = 0
    while match.outcome is None:
        (prompt,) = match.prompts.values()
        verbs = {move.verb: move for move in prompt.options}
        before = len(match.state.master_discard)
        move = verbs.get("deal") or verbs.get("recycle") or verbs.get("first") or prompt.options[0]
        match.play(0, move)
        if "first" in verbs:
            used += 1
            assert len(match.state.master_discard) > before
    assert used >= 10
    assert match.outcome.winners == ()


@pytest.mark.rules("KAO-R-84", "KAO-R-85", "KAO-R-23")
def test_a_player_may_resign_with_the_score_reached() -> None:
    t = table("gold 6, gold Claw", waste="r6, g2").take("match pile-1").concede(0)
    outcome = t.match.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((), "resigned")
    assert outcome.to_json()["score"] == 1
    with pytest.raises(IllegalMove):
        t.match.concede(0)
    t.done()


# -- what is seen ------------------------------------------------------------------------------


@pytest.mark.rules("KAO-S-05", "KAO-S-06")
def test_only_top_cards_and_counts_are_seen() -> None:
    t = table("gold Flame, g7", "b8", stock="g2, g3", waste="r6, g5", face_down=1, rest=False)
    for viewer in (0, None):
        view = t.match.view(viewer)
        names = {t.state.cards.slugs[card] for card in card_ids(view)}
        assert names == {"kao-char-gold-flame", "kao-pow-blue-08", "kao-pow-red-06"}
        assert [pile["count"] for pile in view["piles"]] == [2, 1, 0, 0]
        assert view["stock"] == {"count": 2}
        json.dumps(view)
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-25", "KAO-C-22")
def test_the_chances_of_a_battle() -> None:
    t = table("gold Flame", "b8", "Battle Fury", own="red Claw [r6, r7]", waste="g5")
    (row,) = t.match.view(0)["odds"]
    assert row == {"slot": "pile-1", "they": round(1 - (31 / 36) ** 2, 4), "you": round(11 / 36, 4)}
    t.done(0, "solo_play")
    t = table("gold Flame", own="red Claw", waste="g5")
    assert t.match.view(0)["odds"] == []
    t.done(0, "solo_play")


def test_buttons_name_the_cards_of_the_piles() -> None:
    t = table("gold 6", "red Flame", own="red Claw [r7]", waste="r6")
    options = t.match.prompts[0].options
    labels = [t.match.label(move) for move in options]
    assert labels == ["Match with Gold 6 on Pile 1", "Attach card", "Attack", "Deal"]
    t.done(0, "solo_play")
    t = table("gold Claw", "red Flame", own="red Claw [r7]", waste="g5").take("attack")
    labels = [t.match.label(move) for move in t.match.prompts[0].options]
    assert labels == ["Fight Gold Claw on Pile 1", "Fight Red Flame on Pile 2"]
    t.done(0, "solo_target")


def test_a_card_counts_as_played_when_it_leaves_its_side_or_serves() -> None:
    t = table("gold 6, g7", own="", waste="r6").take("match pile-1")
    played = [slug for _seat, slug in cards_played(t.match, t.history)]
    assert played == ["kao-pow-red-06", "kao-pow-gold-06"], "g7 was only turned up"
    t.done(*(t.asked or (None, None)))
