"""The worked scenarios W10 to W19 of the rules specification, with all their variants."""

from __future__ import annotations

import pytest

from tests.games.kaolan.prompts import ELSEWHERE
from tests.games.kaolan.table import Table, lay, lay_solo, names, power_seat
from tests.games.kaolan.table import tournament_seat as seat

MASTER = names(
    "red Flame, red Claw, red Stinger, red Diamondback, red Starmaster, green Flame, green Claw, "
    "green Stinger, green Diamondback, green Starmaster, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, "
    "r12, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11"
)


def tournament(*seats: dict[str, object], **layout: object) -> Table:
    return lay(*seats, mode="tournament", **layout)  # type: ignore[arg-type]


def power(*seats: dict[str, object], **layout: object) -> Table:
    return lay(*seats, mode="power", **layout)  # type: ignore[arg-type]


@pytest.mark.rules(
    *("KAO-T-03", "KAO-T-08", "KAO-T-09", "KAO-T-10", "KAO-T-12", "KAO-T-14"),
    *("KAO-R-51", "KAO-R-52", "KAO-R-53", "KAO-R-26"),
)
def test_w10_preparation_with_a_deck_of_42() -> None:
    assert len(MASTER) == 42
    t = tournament(seat(deck=", ".join(MASTER)), seat(deck=", ".join(MASTER[:40])))

    def numbered(*numbers: int) -> str:
        return ", ".join(MASTER[n - 1] for n in numbers)

    assert t.names_of(t.state.removed[0]) == numbered(41, 42)
    assert t.board(0) == [MASTER[0], MASTER[10], MASTER[20]]
    assert t.names_of([t.state.prizes[0]]) == MASTER[30]
    assert t.hand(0) == numbered(2, 12, 22, 32)
    assert t.draw_of(0) == numbered(*range(3, 11), *range(13, 21), *range(23, 31), *range(33, 41))
    for viewer in (0, 1, None):
        player = t.match.view(viewer)["players"][0]
        assert player["prize"] == {"count": 1, "card": None}
        assert player["draw"] == {"count": 32}
        assert player["removed"] == {"count": 2}
        assert [place["card"] is None for place in player["board"]] == [False] * 3
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-T-25", "KAO-R-41", "KAO-R-11", "KAO-R-28")
def test_w11_colour_ban() -> None:
    t = tournament(seat("red Claw"), seat("red Stinger"), seat("green Flame"), dice=[1])
    t.take("challenge")
    assert t.events("challenge_announced") == [(0, 2)], "the Defender is forced; B is not offered"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-42", "KAO-R-11")
def test_w11_variant_1_all_leader_characters_have_one_colour() -> None:
    t = tournament(seat("red Claw"), seat("red Stinger"), seat("r5"), dice=[1])
    t.take("challenge")
    assert t.events("challenge_announced") == [(0, 1)]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-25", "KAO-R-41", "KAO-R-28")
def test_w11_variant_2_gold_is_a_colour_here() -> None:
    t = tournament(seat("gold Claw"), seat("gold Stinger"), seat("red Flame"), dice=[1])
    t.take("challenge")
    assert t.events("challenge_announced") == [(0, 2)]
    t.done(1, "turn_action")


def w12(*, a_pledged: bool, dice: list[int | tuple[int, int]]) -> Table:
    return tournament(
        seat("red Flame [r7]", pledged=a_pledged, prize="r2"),
        seat("green Stinger [g6]", "blue Claw", pledged=True, prize="g2"),
        seat("red Claw [r5, r9]", pledged=True, prize="r3"),
        seat(
            "green Diamondback [g8, g10]",
            "g3",
            pledged=True,
            prize="b2",
            hand="b3, b4",
            draw="b5, b6, b7",
        ),
        dice=dice,
    )


@pytest.mark.rules(
    *("KAO-T-27", "KAO-T-28", "KAO-T-30", "KAO-T-31", "KAO-T-32", "KAO-T-33", "KAO-T-34"),
    *("KAO-T-35", "KAO-T-37", "KAO-T-38", "KAO-T-39", "KAO-R-43", "KAO-R-44", "KAO-R-45"),
    *("KAO-R-48", "KAO-R-22"),
)
def test_w12_a_battle_of_two_alliances() -> None:
    t = w12(a_pledged=True, dice=[1, 3, (2, 4), (6, 5), (4, 5)])
    t.take("challenge", "seat 2")
    assert t.dice == [
        ("qualification", 0, (1,), False),
        ("qualification", 2, (3,), True),
        ("defense", 1, (2, 4), True),
        ("defense", 3, (6, 5), False),
        ("volley", 2, (4, 5), True),
    ]
    assert t.discard_of(3) == "g3, g10, g8, green Diamondback"
    assert t.state.out == [3]
    assert t.hand(3) == t.draw_of(3) == ""
    assert t.names_of(sorted(t.state.removed[3])) == "b3, b4, b5, b6, b7"
    assert t.match.view(0)["players"][3]["prize"] == {"count": 1, "card": None}
    assert t.board(1)[0] == "green Stinger [g6]"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-29", "KAO-R-43", "KAO-R-44")
def test_w12_variant_a_has_not_pledged() -> None:
    t = w12(a_pledged=False, dice=[1])
    t.take("challenge", "seat 2")
    assert t.dice == [("qualification", 0, (1,), False)], "only A attacks; after the 1 it is over"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-13", "KAO-T-21", "KAO-T-23", "KAO-R-04", "KAO-R-08", "KAO-R-40")
def test_w13_opportunity_without_draw_and_empty_draw_pile() -> None:
    t = tournament(
        seat("blue Diamondback [b7]", hand="Power Surge, b4, b9, r2"),
        seat("green Claw", draw="g2, g3, g4"),
    )
    t.take("opportunity")
    assert t.asked == (0, "surge_power")
    assert t.hand(0) == "b4, b9, r2", "nothing was drawn"
    t.take("power b4", "power b9")
    assert t.board(0)[0] == "blue Diamondback [b7, b4, b9]"
    assert t.discard_of(0) == "Power Surge"
    assert t.hand(0) == "r2"
    assert t.asked == (1, "turn_action"), "the third step is forced"
    t.take("pass")
    assert t.asked == (0, "turn_action")
    t.take("pass")
    assert t.events("drew")[-1] == (0, ()), "nothing is drawn"
    assert t.hand(0) == ""
    assert t.discard_of(0) == "r2, Power Surge", "r2 is discarded without a choice"
    t.take("pass", "pass")
    assert t.discard_of(0) == "r2, Power Surge", "nothing happens"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-03", "KAO-R-49", "KAO-R-50", "KAO-R-22")
def test_w14_stuck_players() -> None:
    t = tournament(
        seat("red Claw", draw="r12"),
        seat("r5", "blue Claw [b6]", hand="g3"),
        seat("b2", hand="r4, r7"),
        seat("green Claw", draw="g12"),
        ask=False,
    )
    assert t.board(1) == ["blue Claw [b6]", "", ""]
    assert t.discard_of(1) == "r5"
    assert t.state.out == [2]
    assert t.discard_of(2) == "b2"
    assert t.names_of(t.state.removed[2]) == "r4, r7"
    assert t.hand(2) == ""
    t.done(1, "turn_action")


def w15(**layout: object) -> Table:
    t = power(
        power_seat(
            "red Stinger [r4]", "green Flame [g9]", hand="blue Stinger, red Claw, b2, Salvage"
        ),
        power_seat("blue Claw [b6]", hand="g2, g3, g4, g5"),
        draw="r8, g6, g7, g8",
        **layout,
    )
    return t.take("place")


@pytest.mark.rules("KAO-P-14", "KAO-P-15", "KAO-P-27", "KAO-P-28", "KAO-R-61", "KAO-R-64")
def test_w15_links_and_a_failed_qualification() -> None:
    t = w15(dice=[4])
    assert t.board(0) == ["red Stinger [r4]", "green Flame [g9]", "red Claw"], "3 is taken"
    assert t.hand(0) == "blue Stinger, b2, Salvage, r8"
    t.take("pass", "discard g2", "challenge")
    assert t.dice == [("qualification", 0, (4,), False)]
    t.done(1, "turn_action")


@pytest.mark.rules(
    *("KAO-P-14", "KAO-P-15", "KAO-P-27", "KAO-P-28", "KAO-P-29", "KAO-P-30", "KAO-P-31"),
    *("KAO-R-61", "KAO-R-64"),
)
def test_w15_a_volley_with_the_number_of_a_link_wins() -> None:
    t = w15(dice=[4, 3, (1, 4), (5, 4)])
    t.take("pass", "discard g2", "challenge", "pass", "discard g3", "challenge")
    assert [roll[3] for roll in t.dice] == [False, True, False, True]
    assert t.match.outcome is not None
    assert t.match.outcome.winners == (0,)
    t.done()


@pytest.mark.rules("KAO-P-16", "KAO-P-18", "KAO-P-20", "KAO-C-16", "KAO-R-63", "KAO-R-03")
def test_w16_replace_link_and_grandmaster() -> None:
    links = "red Flame", "red Claw", "red Stinger", "blue Diamondback [b5, gold 7]"
    t = power(
        power_seat("red Starmaster [r3]", *links, hand="red Diamondback, g2, g4, b11"),
        power_seat("blue Claw [b6]", hand="g8, g9, g10"),
        draw="g6, g12",
        dice=[(6, 6), (6, 6)],
    )
    t.take("replace_link")
    assert t.asked == (0, "replaced_card")
    t.take("hand")
    assert t.discard == "b5"
    assert t.board(0)[-1] == "red Diamondback [gold 7]"
    assert t.hand(0) == "g2, g4, b11, g6, blue Diamondback"
    assert t.asked == (0, "discard_down")
    t.take("discard g2")
    assert t.discard == "g2, b5"
    t.take("pass", "discard g12")
    t.take("challenge")
    assert t.events("qualified") == [(0, "grandmaster")]
    assert [roll[0] for roll in t.dice] == ["defense", "volley"]
    t.done(1, "turn_action")


@pytest.mark.rules(
    *("KAO-S-07", "KAO-S-08", "KAO-S-09", "KAO-S-10", "KAO-S-11", "KAO-S-12", "KAO-S-13"),
    *("KAO-S-14", "KAO-R-70", "KAO-R-71"),
)
def test_w17_matching() -> None:
    t = lay_solo(
        *("War Drums, Spyglass", "gold 2/9/10, gold Flame", "Ambush", "red Claw"),
        stock="g4, r9, Keen Eye",
        next_step="deal",
    )
    assert t.waste == "Keen Eye, r9, g4"
    assert t.offered() == ["match pile-1", "deal"]
    t.take("match pile-1")
    assert (t.lost, t.removed) == ("Keen Eye", "War Drums")
    assert t.shown[0] == "Spyglass"
    assert t.offered() == ["match pile-2", "deal"]
    t.take("match pile-2")
    assert t.shown[1] == "gold Flame"
    assert t.waste == "g4"
    assert t.offered() == ["deal"]
    assert t.match.view(0)["score"] == 2
    t.done(0, "solo_play")


@pytest.mark.rules(
    *("KAO-S-19", "KAO-S-24", "KAO-S-26", "KAO-S-27", "KAO-S-28", "KAO-S-29", "KAO-S-32"),
    *("KAO-R-74", "KAO-R-77", "KAO-R-78", "KAO-R-79"),
)
def test_w18_forced_attack_on_two_characters() -> None:
    t = lay_solo(
        *("gold Flame, g7", "gold 4/9, Ambush", "red Diamondback", "Twin Fangs, gold 8"),
        own="red Claw [r6, r7]",
        waste="blue Flame, green Claw, b10",
        face_down=2,
        next_step="reveal",
        dice=[(2, 5), (3, 4), (5, 3)],
    )
    assert t.asked == (0, "solo_target"), "the attack is forced"
    assert t.offered() == ["target pile-1", "target pile-3"]
    t.take("target pile-1")
    assert t.dice == [
        ("foe_volley", 0, (2, 5), False),
        ("own_volley", 0, (3, 4), True),
        ("foe_volley", 0, (5, 3), True),
    ]
    assert set(t.removed.split(", ")) == {"gold Flame", "gold 4/9", "Twin Fangs"}
    assert t.shown == ["g7", "Ambush", "red Diamondback", "gold 8"]
    assert set(t.lost.split(", ")) == {"red Claw", "r6", "r7", "blue Flame"}
    assert t.own == "green Claw"
    assert t.waste == "b10"
    assert t.offered() == ["deal"]
    assert t.match.view(0)["score"] == 3
    t.done(0, "solo_play")


def w19(waste: str = "g9, r5, b3") -> Table:
    return lay_solo("Ambush, Spyglass", "gold 8", "Silence", "red Claw", waste=waste, rest=False)


@pytest.mark.rules("KAO-S-15", "KAO-R-73")
def test_w19_end_of_the_stock() -> None:
    t = w19().take("recycle")
    assert t.offered() == ["first", "last"]
    t.take("first")
    assert t.lost == "b3"
    assert (t.stock, t.waste) == ("", "g9, r5"), "the new stock is r5, g9; both are dealt"
    assert t.match.view(0)["waste"]["cards"][0]["slug"] == "kao-pow-green-09"
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-15", "KAO-R-73")
def test_w19_variant_1_the_card_dealt_last() -> None:
    t = w19().take("recycle", "last")
    assert t.lost == "g9"
    assert t.waste == "r5, b3"
    t.done(0, "solo_play")


@pytest.mark.rules("KAO-S-16", "KAO-R-83")
def test_w19_variant_2_the_last_master_card() -> None:
    t = w19("g9").take("recycle")
    assert t.lost == "g9", "it is discarded without a choice"
    assert t.match.outcome is not None
    assert t.match.outcome.winners == ()
    assert t.match.outcome.reason == "out_of_cards"
    t.done()


@pytest.mark.rules("KAO-R-23")
@pytest.mark.parametrize(("kind", "who"), [pytest.param(*key, id=key[0]) for key in ELSEWHERE])
def test_resigning_at_every_prompt_of_power_and_single_play(kind: str, who: int) -> None:
    t = ELSEWHERE[kind, who][0]()
    assert t.asked == (who, kind)
    t.laid.chance.dice.clear()
    t.concede(who)
    assert t.match.outcome is not None
    assert who not in t.match.outcome.winners
    assert t.match.outcome.reason == "resigned"
    t.done()
