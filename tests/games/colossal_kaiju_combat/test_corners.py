"""Rules in the corners of their texts: once each, with the card that they speak of."""

from __future__ import annotations

import pytest

from tests.games.colossal_kaiju_combat.table import DEEP, EMBER, IRON, SKIN, STORM, lay, seat

# -- planning cards --------------------------------------------------------------------------------


@pytest.mark.rules("CKC-R-57")
def test_an_event_that_begins_with_a_choice_needs_something_to_choose() -> None:
    plans = "reconnaissance training-footage feeding-grounds sabotage panic-in-the-streets"
    t = lay(seat(DEEP, plans=plans, deck=""), seat(EMBER), phase="planning")
    assert t.offered() == ["play reconnaissance", "play training-footage", "pass"]
    assert set(t.why_not()) == {"feeding-grounds", "sabotage", "panic-in-the-streets"}
    t.take("play reconnaissance")
    assert not t.events("drew_planning")  # it may be played though there is nothing to draw
    t.done()


@pytest.mark.rules("CKC-R-57", "CKC-R-43")
@pytest.mark.parametrize("others", ["", "taunt"], ids=["nobody-holds-one", "somebody-does"])
def test_spoils_of_war_needs_a_player_who_holds_a_planning_card(others: str) -> None:
    t = lay(
        seat(EMBER, "magmaul", "haymaker", plans="spoils-of-war"),
        seat(STORM, "storm-hawk", allies="storm-hawk", plans=others),
    )
    t.take("attack storm-hawk").play("pay haymaker")
    if others:
        t.play("play spoils-of-war").fight_on()
    else:
        t.fight_on()
    assert len(t.events("spoils_taken")) == bool(others)
    assert t.glory(0) == (2 if others else 1)
    t.done()


@pytest.mark.rules("CKC-R-01")
def test_several_dawn_raids_are_ordered_among_themselves_as_usual() -> None:
    """The later card and the lower Initiative do not come first."""
    t = lay(
        seat(STORM),
        seat(EMBER, plans="dawn-raid"),
        seat(IRON, plans="dawn-raid"),
        phase="planning",
    )
    t.play("play dawn-raid").play("play dawn-raid").turn(2)
    assert t.state.order == [1, 2, 0]
    t.done()


# -- combats ---------------------------------------------------------------------------------------


@pytest.mark.rules("CKC-F-06", "CKC-C-10")
def test_a_shield_card_that_is_laid_names_the_card_that_it_answers() -> None:
    t = lay(
        seat(DEEP, "maelgrath", "snap-bite gnash-and-hold", plans="wolf-pack"),
        seat(IRON, "gearhorn", "raise-shield"),
    )
    t.take("attack gearhorn").play("play wolf-pack", "join pelagor")
    t.play("fighter maelgrath", "pay snap-bite", "pay gnash-and-hold")
    t.play("pay raise-shield", "answer pelagor")
    first, second, shield = t.events("laid")
    assert first[4] == second[4] == t.card("gearhorn")
    assert shield[4:] == (t.card("pelagor"), "shield")
    (event,) = [event for event in t.history if event[0] == "laid" and event[-1] == "shield"]
    sentence = t.match.narrate(event, 0, ["Ann", "Bob"])
    assert sentence == "Bob's Gearhorn plays a card face down to answer Pelagor's card."
    t.done()


@pytest.mark.rules("CKC-R-67")
@pytest.mark.parametrize(
    ("attack", "answer", "healed"),
    [("snap-bite", "spined-curl", 0), ("snap-bite", "counter-claw", 1)],
    ids=["by-its-text", "by-the-comparison"],
)
def test_splicehide_heals_by_what_its_card_deals_itself(
    attack: str, answer: str, healed: int
) -> None:
    """Spined Curl's damage to the biter is the text of the card."""
    t = lay(
        seat(DEEP, "pelagor", attack),
        seat(SKIN, "splicehide", answer, kaiju="splicehide giraffish", damage={"splicehide": 5}),
    )
    t.take("attack splicehide", f"pay {attack}", f"pay {answer}").fight_on()
    assert t.damage("pelagor") == (1 if not healed else 3)
    assert [number for _seat, _card, number in t.events("healed")] == [1] * healed
    t.done()


@pytest.mark.rules("CKC-R-67")
def test_splash_feeds_no_splicehide() -> None:
    """Thunderclap is stopped by the one that it is aimed at, and splashes onto another."""
    t = lay(
        seat(
            SKIN,
            "splicehide",
            "thunderclap",
            kaiju="splicehide giraffish",
            energy=9,
            damage={"splicehide": 5},
        ),
        seat(DEEP, "maelgrath", "plated-guard", plans="to-the-rescue", deck=""),
    )
    t.take("attack maelgrath").play("play to-the-rescue", "join pelagor", "done")
    t.play("pay thunderclap", "target maelgrath", "pay plated-guard").fight_on()
    assert t.hits() == [("pelagor", 1)]
    assert not t.events("healed")
    t.done()


@pytest.mark.rules("CKC-R-15")
def test_a_city_card_of_a_player_who_is_out_scores_for_nobody() -> None:
    t = lay(
        seat(DEEP, "pelagor", "snap-bite", damage={"pelagor": 12}),
        seat(EMBER, "magmaul"),
        seat(IRON, "gearhorn"),
        city=[("siege-artillery", 2)],
    )
    t.concede(2)
    pelagor = t.card("pelagor")
    t.take("rampage", "pay snap-bite").fight_on()
    assert [t.glory(who) for who in range(3)] == [0, 0, 0]
    assert pelagor in t.state.removed
    assert t.events("knocked_out") == [(-1, pelagor, 0, 0)]
    t.done()


@pytest.mark.rules("CKC-R-28")
def test_the_starter_s_fury_may_be_stolen_before_the_other_s() -> None:
    t = lay(
        seat(DEEP, "pelagor", "snap-bite brace"),
        seat(SKIN, "giraffish", "trade-blows straight-jab"),
        fury_mode="claim",
    )
    t.take("attack giraffish", "pay snap-bite", "pay trade-blows")
    assert t.state.pending == [1, 1]
    t.take("pay straight-jab", "pay brace")
    assert t.asked == {1: "steal_fury"}  # of the starter's
    t.take("leave")
    assert t.asked == {0: "steal_fury"}  # then of the other's
    t.take("leave")
    assert t.asked == {1: "steal_fury"}  # and in this order once more at the end
    t.take("steal")
    assert t.asked == {0: "steal_fury"}
    t.take("leave")
    assert t.fury == [0, 2]
    t.done()


@pytest.mark.rules("CKC-R-44")
def test_who_is_about_to_be_sword_is_asked_first_about_rage() -> None:
    t = lay(seat(EMBER, "magmaul", fury=8), seat(DEEP, "pelagor", fury=10))
    t.take("attack pelagor")
    assert t.asked == {0: "rage"}
    t.take("no")
    assert t.asked == {1: "rage"}
    t.take("no")
    assert t.asked == {1: "rage"}  # the roles have swapped, and with them the order
    t.take("no")
    assert t.asked == {0: "rage"}
    t.take("no")
    t.done()


# -- abilities -------------------------------------------------------------------------------------


@pytest.mark.rules("CKC-K-01")
def test_ratchetclaw_s_first_paid_shield_card_alone_is_cheaper() -> None:
    t = lay(
        seat(EMBER, "magmaul", "straight-jab one-two straight-jab"),
        seat(IRON, "ratchetclaw", "plated-guard back-off energy-barrier", energy=0),
    )
    t.take("attack ratchetclaw", "pay straight-jab", "bluff energy-barrier")
    t.play("pay one-two", "pay plated-guard")  # a bluff was not the first paid card
    ratchetclaw = t.card("ratchetclaw")
    assert t.state.combat.agility[ratchetclaw] == 1
    t.take("pay straight-jab", "pay back-off")
    assert t.state.combat is None or t.state.combat.agility[ratchetclaw] == 3
    prices = [
        tuple(price)
        for _seat, card, _by, _mark, price in t.events("turned_up")
        if t.state.cards.slugs[card] in ("plated-guard", "back-off")
    ]
    assert prices == [(0, 1, 0), (0, 2, 0)]
    t.done()


@pytest.mark.rules("CKC-K-01", "CKC-M-01")
def test_a_quick_attack_without_effect_leaves_cinderwing_its_combo() -> None:
    t = lay(
        seat(
            EMBER,
            "cinderwing",
            "wing-cloak spinning-guard wing-buffet straight-jab raking-claw",
            kaiju="cinderwing magmaul",
            energy=0,
        ),
        seat(IRON, "gearhorn", "raise-shield"),
    )
    t.take("attack gearhorn", "pay wing-cloak", "none")
    t.play("pay spinning-guard", "none")  # four Agility are spent: Wing Buffet would need Energy
    t.play("bluff wing-buffet", "pay raise-shield")
    assert not t.events("combo")
    t.play("pay straight-jab")
    assert t.events("combo") == [(0,)]
    assert "pay raking-claw" in t.offered(0)  # the combo was used up by Straight Jab
    t.take("pay raking-claw").fight_on()
    assert t.events("combo") == [(0,)]
    t.done()


@pytest.mark.rules("CKC-R-53")
@pytest.mark.parametrize("helps", [False, True], ids=["all-immune", "one-is-not"])
def test_lanternjaw_looks_unless_all_its_foes_are_immune(helps: bool) -> None:
    t = lay(
        seat("open-alliance", "lanternjaw", kaiju="lanternjaw coralisk"),
        seat(DEEP, "maelgrath", "brace brace", plans="to-the-rescue", deck=""),
        picks=[0] if helps else [],
    )
    t.take("attack maelgrath")
    if helps:
        t.take("play to-the-rescue", "join pelagor", "done")
    t.fight_on()
    assert len(t.events("hand_glimpsed")) == helps
    t.done()


@pytest.mark.rules("CKC-K-05")
def test_giraffish_comes_back_with_half_of_an_odd_fortitude_rounded_down() -> None:
    """15 − 7: Patchwork Scars make its Fortitude odd."""
    t = lay(
        seat(EMBER, "magmaul", "haymaker"),
        seat(SKIN, "giraffish", damage={"giraffish": 9}, scars={"giraffish": ["patchwork-scars"]}),
    )
    assert t.stat("giraffish", "fortitude") == 15
    t.take("attack giraffish", "pay haymaker")
    t.fight_on()
    assert t.damage("giraffish") == 8
    assert t.events("revived")
    t.done()
