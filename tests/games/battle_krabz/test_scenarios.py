"""The worked scenarios BKZ-S-01 to BKZ-S-20 of the rules specification, with all their variants.

BKZ-S-16, the deck check, is in ``test_legality.py``.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.battle_krabz.state import catalog
from rules.engine.cards import load_decks
from tests.games.battle_krabz.table import E, K, Table, lay, lay_trumps, seat

DECKS = load_decks("games.battle_krabz")


def starter(side: str, hand: str) -> dict[str, Any]:
    """A seat with a Starter Deck: this hand, the rest in the stacks in the order of the list."""
    held = hand.split()
    rest = [card for card in DECKS[f"starter-{side}"].cards["main"] if card not in held]
    kinds = {card: catalog()[card].kind for card in rest}
    return {
        "hand": held,
        "warriors": [card for card in rest if kinds[card] == "warrior"],
        "supports": [card for card in rest if kinds[card] != "warrior"],
    }


@pytest.mark.rules(
    *("BKZ-B-10", "BKZ-B-11", "BKZ-B-12", "BKZ-B-13", "BKZ-B-14", "BKZ-B-15", "BKZ-B-16"),
    *("BKZ-B-17", "BKZ-B-20", "BKZ-B-24", "BKZ-B-25", "BKZ-B-26", "BKZ-B-27", "BKZ-B-28"),
    *("BKZ-B-29", "BKZ-B-30", "BKZ-B-40", "BKZ-B-41", "BKZ-B-42", "BKZ-B-43", "BKZ-B-44"),
    *("BKZ-B-45", "BKZ-B-46", "BKZ-B-50", "BKZ-B-51", "BKZ-B-52", "BKZ-B-53", "BKZ-B-54"),
    *("BKZ-B-55", "BKZ-B-56", "BKZ-B-57", "BKZ-B-58", "BKZ-B-02"),
    *("BKZ-R-01", "BKZ-R-15", "BKZ-R-20", "BKZ-R-25", "BKZ-B-04", "BKZ-B-60"),
)
def test_s01_the_rulebooks_battle_george_690_ellie_660() -> None:
    t = lay(
        starter(
            "krabz",
            "krabbi-long-legs-silver eagle-krab-silver eagle-krab-gold moss-krab-silver "
            "paloma-silver coral-wink-silver malapple-silver",
        ),
        starter(
            "enemigos",
            "flaman-krab-silver fallen-gold gym-bunny-platinum root-rat-silver "
            "elara-bad-faerie-silver nettle-hex-silver unicorn-silver",
        ),
    )
    s = t.state
    assert [len(s.warriors[K]), len(s.supports[K])] == [32, 17]
    assert [len(s.warriors[E]), len(s.supports[E])] == [32, 17]
    ellies = t.warriors(E).split(), t.supports(E).split()

    # 1
    t.take("deploy krabbi-long-legs-silver", "deploy eagle-krab-silver", "deploy eagle-krab-gold")
    assert t.points(K) == "310 + 40 + 50 + 50 = 450"
    # 2
    t.take("deploy flaman-krab-silver", "deploy fallen-gold", "deploy gym-bunny-platinum")
    assert t.points(E) == "280 + 50 + 50 + 0 = 380"
    assert t.events("scored") == [(K, 310, 40, 50, 50, 450), (E, 280, 50, 50, 0, 380)]
    # 3
    assert t.asked == {E: "boost"}
    assert t.offered() == ["boost elara-bad-faerie-silver", "boost nettle-hex-silver", "pass"]
    t.take("boost elara-bad-faerie-silver")
    assert t.points(E) == "560 + 50 + 50 + 0 = 660"
    # 4
    assert t.asked == {K: "boost"}
    assert t.offered() == ["boost paloma-silver", "boost coral-wink-silver", "pass"]
    t.take("boost paloma-silver")
    assert t.asked == {K: "boost-target"}
    assert len(t.offered()) == 3
    t.take("target krabbi-long-legs-silver")
    assert t.points(K) == "550 + 40 + 50 + 50 = 690"
    assert t.events("battle_won") == [(K, (690, 660))]
    # 5
    assert t.standing(E) == ""
    assert t.asked == {E: "power"}
    assert t.offered() == ["play unicorn-silver", "pass"]
    t.take("play unicorn-silver")
    assert t.standing(E) == "flaman-krab-silver fallen-gold gym-bunny-platinum"
    # 6
    assert t.asked == {K: "power"}
    assert t.offered() == ["play malapple-silver", "pass"]
    t.take("play malapple-silver")
    assert t.asked == {K: "power-target"}
    assert len(t.offered()) == 3
    t.take("target flaman-krab-silver")
    # 7
    assert t.eliminated(E) == "flaman-krab-silver elara-bad-faerie-silver unicorn-silver"
    assert t.eliminated(K) == "malapple-silver"
    assert t.score == "1-0"
    # 8
    assert t.asked == {K: "sort", E: "sort"}
    t.take("keep", "recycle", "recycle", "recycle", by=K)
    t.take("recycle", "keep", by=E)
    # 9
    assert t.asked == {K: "replenish", E: "replenish"}
    assert t.offered(K) == ["take 0", "take 1", "take 2", "take 3", "take 4"]
    t.take("take 2", by=K)
    t.take("take 3", by=E)

    georges = t.warriors(K).split()
    assert len(georges) == 32
    assert georges[-2:] == ["eagle-krab-silver", "eagle-krab-gold"]
    assert len(t.supports(K).split()) == 16
    assert t.supports(K).endswith(" paloma-silver")
    assert t.hand(K).startswith("moss-krab-silver coral-wink-silver krabbi-long-legs-silver ")
    assert t.warriors(E).split() == [*ellies[0][3:], "fallen-gold"]
    assert t.supports(E).split() == ellies[1][1:]
    assert len(t.warriors(E).split()) == 30
    assert len(t.supports(E).split()) == 16
    assert [len(hand) for hand in s.hands] == [7, 7]
    assert (s.battle, s.attacker) == (2, E)
    t.done(E="deploy")


LINES = {
    # BKZ-S-02
    "two holo cards": ("A", "krabbi-long-legs-holo spark-snapper-holo", "260 + 30 + 0 + 50 = 340"),
    "three of both": (
        "A",
        "sandy-shuffler-gold drum-krab-gold krabbi-long-legs-gold",
        "300 + 0 + 100 + 100 = 500",
    ),
    "two colours of three": (
        "D",
        "moss-krab-silver iglu-krab-silver cloud-hopper-platinum",
        "340 + 60 + 0 + 50 = 450",
    ),
    "three of a Domain": (
        "A",
        "eagle-krab-silver eagle-krab-gold eagle-krab-saphire",
        "280 + 70 + 100 + 0 = 450",
    ),
    # BKZ-S-03
    "alone": ("A", "krabbi-long-legs-saphire", "120 + 50 + 0 + 0 = 170"),
    "not alone": (
        "A",
        "krabbi-long-legs-saphire krabbi-long-legs-gold",
        "250 + 0 + 50 + 0 = 300",
    ),
    "attacking": ("A", "spark-snapper-silver", "120 + 20 + 0 + 0 = 140"),
    "not attacking": ("D", "spark-snapper-silver", "60 + 0 + 0 + 0 = 60"),
    "defending": ("D", "sandy-shuffler-silver", "110 + 20 + 0 + 0 = 130"),
    "no trio": ("A", "sleet-skater-silver kite-krab-gold", "210 + 20 + 0 + 0 = 230"),
    "trio, attacking, always": (
        "A",
        "sleet-skater-silver kite-krab-gold lantern-krab-platinum",
        "290 + 50 + 0 + 0 = 340",
    ),
    "no pack": ("D", "eagle-krab-silver kite-krab-gold", "150 + 0 + 50 + 0 = 200"),
    "kin, always": ("D", "kiln-krab-silver lantern-krab-gold", "190 + 30 + 50 + 0 = 270"),
    "match": ("A", "mitten-krab-silver moss-krab-silver", "140 + 20 + 0 + 50 = 210"),
    "mixed needs company": ("A", "cloud-hopper-silver", "80 + 0 + 0 + 0 = 80"),
    "mixed": ("A", "cloud-hopper-silver moss-krab-gold", "150 + 30 + 0 + 0 = 180"),
    "not mixed": (
        "A",
        "cloud-hopper-silver moss-krab-gold banjo-krab-platinum",
        "240 + 0 + 50 + 0 = 290",
    ),
    "both partners": ("A", "drum-krab-silver banjo-krab-gold", "180 + 60 + 0 + 0 = 240"),
}


def deployed(role: str, line: str) -> Table:
    """K has deployed this line, as Attacker or as Defender."""
    foes = "fallen-silver root-rat-silver gloom-gull-silver"
    t = lay(
        seat(line),
        seat(foes),
        attacker=K if role == "A" else E,
    )
    cards = [f"deploy {card}" for card in line.split()]
    if role == "D":
        for card in foes.split()[: len(cards)]:
            t.take(f"deploy {card}")
        if len(cards) < 3:
            t.take("done")
    for card in cards:
        if len(t.match.prompts) == 1 and f"{card}" in t.offered():
            t.take(card)
    return t


@pytest.mark.rules(
    *("BKZ-B-12", "BKZ-B-13", "BKZ-B-14", "BKZ-B-15", "BKZ-B-16", "BKZ-C-09", "BKZ-C-10"),
    *("BKZ-R-04", "BKZ-R-06"),
)
@pytest.mark.parametrize(("role", "line", "score"), LINES.values(), ids=list(LINES))
def test_s02_and_s03_basic_battle_scores(role: str, line: str, score: str) -> None:
    t = deployed(role, line)
    parts = score.split(" = ")
    expected = (K, *map(int, parts[0].split(" + ")), int(parts[1]))
    assert [event for event in t.events("scored") if event[0] == K] == [expected]
    t.concede(K).done()


@pytest.mark.rules("BKZ-B-28", "BKZ-C-09", "BKZ-C-08")
def test_s03_the_special_is_not_multiplied() -> None:
    t = lay(
        seat("krabbi-long-legs-saphire paloma-silver"),
        seat("gloom-gull-silver fallen-silver"),
    )
    t.take("deploy gloom-gull-silver")
    assert t.asked == {K: "boost"}, "170 to 130: E has no Booster and is passed over"
    t.take("boost paloma-silver")
    assert t.events("boosted") == [(K, (0,), 410, 240)]
    t.concede(E).done()


@pytest.mark.rules("BKZ-B-10", "BKZ-B-11", "BKZ-B-20", "BKZ-R-12", "BKZ-R-35", "BKZ-R-13")
def test_s04_how_many_warriors_may_be_deployed() -> None:
    def start() -> Table:
        return lay(
            seat("krabbi-long-legs-silver kite-krab-silver moss-krab-silver coral-wink-silver"),
            seat("root-rat-silver swamp-duke-silver gloom-gull-silver malapple-silver"),
        )

    t = start()
    three = ["krabbi-long-legs-silver", "kite-krab-silver", "moss-krab-silver"]
    assert t.offered() == [f"deploy {card}" for card in three]
    t.take("deploy kite-krab-silver")
    assert t.match.view(E)["players"][K]["line"][0]["card"]["slug"] == "kite-krab-silver"
    t.take("deploy moss-krab-silver", "done")
    foes = ["root-rat-silver", "swamp-duke-silver", "gloom-gull-silver"]
    assert t.offered() == [f"deploy {card}" for card in foes]
    t.take("deploy root-rat-silver")
    assert t.offered() == ["deploy swamp-duke-silver", "deploy gloom-gull-silver", "done"]
    t.take("deploy swamp-duke-silver")
    assert t.points(K) == "160 + 20 + 0 + 50 = 230"
    assert t.points(E) == "170 + 0 + 50 + 50 = 270"
    t.done(K="boost")

    t = start().take("deploy krabbi-long-legs-silver", "done")
    assert t.points(K) == "120 + 40 + 0 + 0 = 160"
    t.take("deploy root-rat-silver")
    assert t.asked == {K: "boost"}
    t.done(K="boost")


@pytest.mark.rules("BKZ-B-21", "BKZ-B-22", "BKZ-B-23", "BKZ-B-24", "BKZ-B-55", "BKZ-B-50")
def test_s05_equal_basic_scores_no_change_of_mind() -> None:
    t = lay(
        seat("spark-snapper-silver kite-krab-silver dewdrop-nell-silver"),
        seat("gloom-gull-platinum root-rat-silver nettle-hex-silver"),
    )
    t.take("deploy spark-snapper-silver", "done", "deploy gloom-gull-platinum")
    assert t.points(K) == "120 + 20 + 0 + 0 = 140"
    assert t.points(E) == "130 + 10 + 0 + 0 = 140"
    assert t.asked == {K: "boost"}
    t.take("pass", "boost nettle-hex-silver")
    assert t.events("battle_won") == [(E, (140, 270))]
    assert t.events("no_power") == [(K,)]
    assert t.eliminated(K) == "spark-snapper-silver"
    assert t.score == "0-1"
    assert t.asked == {E: "sort"}, "K has nothing to sort and nothing to draw"
    question = t.match.question(t.match.prompts[E])
    assert question == "Keep Gloom Gull (Platinum) in hand, or recycle it?"
    t.take("keep")
    assert "Nettle Hex" in t.match.question(t.match.prompts[E])
    t.done(E="sort")


@pytest.mark.rules("BKZ-B-26", "BKZ-B-27", "BKZ-B-29", "BKZ-R-14")
@pytest.mark.parametrize(
    ("chosen", "score"),
    [
        (("krabbi-long-legs-silver", "kite-krab-gold"), "540 + 30 + 0 + 50 = 620"),
        (("kite-krab-gold", "lantern-krab-silver"), "500 + 30 + 0 + 50 = 580"),
    ],
)
def test_s06_a_booster_for_fewer_warriors_than_deployed(
    chosen: tuple[str, str], score: str
) -> None:
    line = "krabbi-long-legs-silver kite-krab-gold lantern-krab-silver"
    foes = "gloom-gull-silver bramble-bully-gold hail-hooligan-silver"
    t = lay(
        seat(f"{line} coral-wink-silver malapple-silver"),
        seat(f"{foes} elara-bad-faerie-gold"),
    )
    t.take(*(f"deploy {card}" for card in line.split()[:2]))
    t.take("deploy lantern-krab-silver", *(f"deploy {card}" for card in foes.split()[:2]))
    t.take("deploy hail-hooligan-silver")
    assert t.points(K) == "310 + 30 + 0 + 50 = 390"
    assert t.points(E) == "300 + 30 + 0 + 50 = 380"
    t.take("boost elara-bad-faerie-gold")
    assert t.points(E) == "600 + 30 + 0 + 50 = 680"
    t.take("boost coral-wink-silver")
    assert t.asked == {K: "boost-target"}
    assert t.offered() == [f"target {card}" for card in line.split()]
    t.take(f"target {chosen[0]}")
    assert t.offered() == [f"target {card}" for card in line.split() if card != chosen[0]]
    t.take(f"target {chosen[1]}")
    assert t.points(K) == score
    assert t.events("battle_won")[0][0] == E
    t.done(K="power")


@pytest.mark.rules("BKZ-B-31", "BKZ-B-70", "BKZ-B-71", "BKZ-R-27")
def test_s07_a_tied_battle() -> None:
    t = lay(
        seat(
            "krabbi-long-legs-silver eagle-krab-gold dewdrop-nell-silver marisol-silver "
            "pip-featherlight-silver unicorn-silver twin-pearls-silver",
            warriors="kite-krab-silver drum-krab-silver",
            supports="paloma-silver",
        ),
        seat(
            "cold-shoulder-silver root-rat-gold nettle-hex-silver vesper-snag-silver "
            "grubba-gold malapple-silver hornet-jar-silver",
            warriors="gale-thief-silver salt-bandit-silver",
            supports="grubba-silver",
        ),
        battle_number=3,
    )
    t.take("deploy krabbi-long-legs-silver", "done", "deploy cold-shoulder-silver")
    assert t.points(K).endswith("= 160")
    assert t.points(E).endswith("= 160")
    t.take("boost dewdrop-nell-silver")
    assert t.points(K) == "240 + 40 + 0 + 0 = 280"
    t.take("boost nettle-hex-silver")
    assert t.events("battle_tied") == [(280,)]
    assert t.events("power_played", "no_power", "eliminated", "battle_won") == []
    assert t.warriors(K) == "kite-krab-silver drum-krab-silver krabbi-long-legs-silver"
    assert t.supports(K) == "paloma-silver dewdrop-nell-silver"
    assert t.warriors(E) == "gale-thief-silver salt-bandit-silver cold-shoulder-silver"
    assert t.supports(E) == "grubba-silver nettle-hex-silver"
    assert t.state.ties == 1
    assert t.asked == {K: "replenish", E: "replenish"}
    for who in (K, E):
        assert t.offered(who) == ["take 0", "take 1", "take 2"]
    t.take("take 1", by=K).take("take 2", by=E)
    assert (t.state.battle, t.state.attacker) == (4, E)
    t.done(E="deploy")


@pytest.mark.rules("BKZ-B-22", "BKZ-B-41", "BKZ-B-42", "BKZ-B-53", "BKZ-R-16", "BKZ-R-35")
def test_s08_no_power_card_by_the_loser_none_by_the_winner() -> None:
    t = lay(
        seat("thorn-pincher-gold iglu-krab-silver paloma-gold hornet-jar-silver"),
        seat("wreck-picker-silver bramble-bully-silver malapple-silver maelstrom-gold"),
    )
    t.take("deploy thorn-pincher-gold", "done", "deploy wreck-picker-silver")
    assert t.points(K).endswith("= 120")
    assert t.points(E).endswith("= 110")
    assert t.events("no_boost") == [(E,)], "E has no Booster and is passed over"
    t.take("pass")
    assert t.asked == {E: "power"}
    assert t.offered() == ["play malapple-silver", "play maelstrom-gold", "pass"]
    t.take("pass")
    assert t.events("no_power") == [(E,)]
    assert t.eliminated(E) == "wreck-picker-silver"
    assert t.score == "1-0"
    t.done(K="sort")


@pytest.mark.rules(
    *("BKZ-B-43", "BKZ-B-44", "BKZ-B-45", "BKZ-B-46", "BKZ-B-50", "BKZ-B-52", "BKZ-B-53"),
    *("BKZ-R-18", "BKZ-R-22", "BKZ-R-19"),
)
@pytest.mark.parametrize("answer", ["unicorn", "pass"])
def test_s09_the_loser_strikes_the_winner_revives(answer: str) -> None:
    line = "sleet-skater-silver kiln-krab-gold lantern-krab-platinum"
    foes = "gloom-gull-gold swamp-duke-platinum wreck-picker-gold"
    t = lay(
        seat(f"{line} malapple-silver twin-pearls-silver"),
        seat(f"{foes} unicorn-silver hornet-jar-gold"),
    )
    for card in line.split()[:2]:
        t.take(f"deploy {card}")
    t.take("deploy lantern-krab-platinum")
    for card in foes.split():
        t.take(f"deploy {card}")
    assert t.events("scored") == [(K, 290, 50, 50, 0, 390), (E, 330, 50, 0, 50, 430)]
    t.take("play malapple-silver", "target swamp-duke-platinum")
    assert t.asked == {E: "power"}
    assert t.offered() == ["play unicorn-silver", "pass"]
    if answer == "unicorn":
        t.take("play unicorn-silver")
        assert t.eliminated(K) == f"{line} malapple-silver"
        assert t.eliminated(E) == "unicorn-silver"
        assert t.score == "0-3"
        survivors = 3
    else:
        t.take("pass")
        assert t.eliminated(K) == f"{line} malapple-silver"
        assert t.eliminated(E) == "swamp-duke-platinum"
        assert t.score == "1-3"
        survivors = 2
    assert t.events("battle_won") == [(E, (390, 430))]
    for n in range(survivors):
        assert t.asked == {E: "sort"}, n
        t.take("recycle")
    assert t.asked != {E: "sort"}
    t.concede(E).done()


BELLS = "dawn-bell-silver dusk-bell-silver"


def bells() -> Table:
    t = lay(
        seat(f"kite-krab-silver moss-krab-gold {BELLS}"),
        seat(f"hail-hooligan-silver gale-thief-gold {BELLS}"),
        attacker=E,
    )
    t.take("deploy hail-hooligan-silver", "deploy gale-thief-gold")
    t.take("deploy kite-krab-silver", "deploy moss-krab-gold")
    assert t.events("scored") == [(E, 230, 20, 0, 0, 250), (K, 190, 20, 0, 0, 210)]
    return t


@pytest.mark.rules("BKZ-C-05", "BKZ-R-07", "BKZ-R-18", "BKZ-R-21", "BKZ-C-04")
def test_s10_cards_that_depend_on_who_plays_them() -> None:
    t = bells().take("play dawn-bell-silver")
    assert t.standing(K) == "kite-krab-silver moss-krab-gold"
    assert t.asked == {E: "power"}
    assert t.offered() == ["play dawn-bell-silver", "pass"]
    t.take("play dawn-bell-silver")
    assert t.asked == {E: "power-target"}
    assert t.offered() == ["target kite-krab-silver", "target moss-krab-gold"]
    t.take("target moss-krab-gold")
    assert t.score == "0-1"
    t.concede(K).done()

    t = bells().take("play dusk-bell-silver", "target gale-thief-gold")
    assert t.offered() == ["play dusk-bell-silver", "pass"]
    t.take("play dusk-bell-silver")
    assert t.events("revived")[-1][0] == E
    assert t.score == "0-2"
    t.concede(K).done()


def tides() -> Table:
    line = "eagle-krab-silver kiln-krab-silver banjo-krab-gold"
    foes = "flaman-krab-gold bramble-bully-silver cold-shoulder-platinum"
    t = lay(
        seat(f"{line} turncoat-tide-silver prism-shell-gold kinship-horn-silver"),
        seat(f"{foes} prism-shell-silver turncoat-tide-gold maelstrom-silver"),
    )
    for card in (*line.split(), *foes.split()):
        t.take(f"deploy {card}")
    assert t.events("scored") == [(K, 290, 0, 0, 50, 340), (E, 340, 40, 0, 0, 380)]
    return t


@pytest.mark.rules("BKZ-C-05", "BKZ-B-45", "BKZ-R-21", "BKZ-C-12", "BKZ-R-17")
def test_s11_cards_that_depend_on_when_they_are_played() -> None:
    t = tides().take("play turncoat-tide-silver", "target banjo-krab-gold")
    t.take("target cold-shoulder-platinum")
    assert t.standing(K) == "banjo-krab-gold"
    assert t.standing(E) == "flaman-krab-gold bramble-bully-silver"
    t.take("play turncoat-tide-gold")
    assert t.score == "0-3"
    t.concede(K).done()

    t = tides().take("play prism-shell-gold")
    assert t.offered() == ["colour gold", "colour silver"]
    t.take("colour silver")
    assert t.standing(K) == "eagle-krab-silver kiln-krab-silver"
    t.take("play prism-shell-silver")
    assert t.score == "0-3"
    t.concede(K).done()

    t = tides().take("play kinship-horn-silver")
    assert t.offered() == ["domain ember", "domain grove", "domain sky"]
    t.take("domain sky")
    assert t.standing(K) == "eagle-krab-silver"
    t.take("pass")
    assert t.score == "0-2"
    t.concede(K).done()


@pytest.mark.rules("BKZ-B-72", "BKZ-R-23", "BKZ-R-28", "BKZ-P-02")
def test_s12_the_target_is_reached() -> None:
    t = lay(
        seat(
            "iglu-krab-silver moss-krab-gold marisol-silver unicorn-silver",
            warriors="kite-krab-silver",
            lost=1,
        ),
        seat("salt-bandit-silver fallen-silver", warriors="root-rat-silver", lost=3),
        target=5,
        battle_number=6,
        attacker=E,
    )
    assert t.score == "3-1"
    t.take("deploy salt-bandit-silver", "deploy fallen-silver")
    t.take("deploy iglu-krab-silver", "deploy moss-krab-gold")
    assert t.events("scored") == [(E, 230, 20, 0, 50, 300), (K, 240, 30, 0, 0, 270)]
    t.take("boost marisol-silver")
    assert t.events("battle_won") == [(K, (510, 300))]
    assert t.score == "5-1"
    assert t.result == ((K,), (E,), "target")
    assert t.events("ready", "replenished") == []
    t.done()


def tied_match(option: str) -> Table:
    t = lay(
        seat(
            "mitten-krab-silver moss-krab-gold paloma-silver hornet-jar-silver",
            warriors="drum-krab-silver sandy-shuffler-silver",
            lost=2,
        ),
        seat(
            "swamp-duke-silver gale-thief-gold nettle-hex-silver malapple-silver",
            warriors="root-rat-silver fallen-gold",
            lost=2,
        ),
        target=3,
        battle_number=4,
        attacker=E,
        tied_match=option,
    )
    assert t.score == "2-2"
    t.take("deploy swamp-duke-silver", "done", "deploy mitten-krab-silver")
    t.take("boost paloma-silver", "pass")
    assert t.events("battle_won") == [(K, (270, 100))]
    t.take("play malapple-silver")
    assert t.events("downed") == [(K, (0,))]
    assert t.score == "3-3"
    return t


@pytest.mark.rules("BKZ-B-73", "BKZ-B-21", "BKZ-R-28", "BKZ-R-29")
def test_s13_tied_match_decider_and_draw() -> None:
    t = tied_match("draw")
    assert t.result == ((K, E), "tied_match")
    t.done()

    t = tied_match("decider")
    assert t.asked == {K: "sort"}
    t.take("recycle")
    assert t.hand(K) == (
        "moss-krab-gold hornet-jar-silver drum-krab-silver sandy-shuffler-silver paloma-silver"
    )
    assert t.hand(E) == "gale-thief-gold nettle-hex-silver root-rat-silver fallen-gold"
    assert t.events("battle_started")[-1] == (K, 5, 1)
    assert "propose-cut-short" not in t.offered()
    t.take("deploy drum-krab-silver", "done", "deploy root-rat-silver")
    assert t.asked == {K: "boost"}
    t.take("pass", "boost nettle-hex-silver")
    assert t.score == "3-3"
    assert t.result == ((E,), (K,), "decider")
    t.done()


def replenishing(*choices: str) -> Table:
    t = lay(
        seat(
            "spark-snapper-gold paloma-silver marisol-silver ondine-silver solara-silver "
            "unicorn-silver malapple-silver",
            warriors="drum-krab-silver kite-krab-silver",
            supports="coral-wink-silver hornet-jar-silver",
        ),
        seat("gloom-gull-silver wreck-picker-silver", warriors="root-rat-silver fallen-silver"),
    )
    t.take("deploy gloom-gull-silver")
    assert t.events("scored") == [(K, 130, 20, 0, 0, 150), (E, 120, 10, 0, 0, 130)]
    t.take("boost paloma-silver")
    assert t.events("battle_won") == [(K, (410, 130))]
    assert t.eliminated(E) == "gloom-gull-silver"
    return t.take(*choices, by=K)


@pytest.mark.rules(
    *("BKZ-B-54", "BKZ-B-55", "BKZ-B-56", "BKZ-B-57", "BKZ-B-58", "BKZ-B-59"),
    *("BKZ-R-24", "BKZ-R-25", "BKZ-R-26", "BKZ-R-35"),
)
def test_s14_replenishing() -> None:
    t = replenishing("recycle", "recycle")
    assert t.offered(K) == ["take 1", "take 2"]
    before = t.match.view(E)["players"][K]
    assert before["line"][0]["card"]["slug"] == "spark-snapper-gold"
    assert before["booster"]["slug"] == "paloma-silver"
    assert before["hand"]["count"] == 5
    t.take("take 1", by=K)
    assert t.hand(K).endswith("drum-krab-silver coral-wink-silver")
    assert t.warriors(K) == "kite-krab-silver spark-snapper-gold"
    assert t.supports(K) == "hornet-jar-silver paloma-silver"
    t.done(E="deploy")

    t = replenishing("keep", "recycle")
    assert t.offered(K) == ["take 0", "take 1"]
    t.concede(K).done()

    t = replenishing("recycle", "keep")
    assert t.hand(K).endswith("paloma-silver drum-krab-silver"), "take 1 is forced"
    t.done(E="deploy")


@pytest.mark.rules("BKZ-P-10", "BKZ-P-11", "BKZ-R-08", "BKZ-R-35", "BKZ-P-13")
def test_s15_choosing_the_first_hand() -> None:
    t = lay(
        seat(
            deck="kite-krab-silver moss-krab-silver paloma-silver paloma-gold ondine-silver "
            "marisol-silver solara-silver unicorn-silver malapple-silver"
        ),
        seat(
            deck="fallen-silver root-rat-silver gloom-gull-gold grubba-silver malapple-silver "
            "unicorn-silver"
        ),
        target=2,
        first_attacker="seat_2",
    )
    assert t.asked == {K: "choose-hand"}, "E has all six cards in hand without a prompt"
    for card in ("paloma-silver", "paloma-gold", "ondine-silver", "marisol-silver"):
        t.take(f"pick {card}")
    t.take("pick solara-silver", "pick unicorn-silver")
    assert t.offered() == ["pick kite-krab-silver", "pick moss-krab-silver"]
    seen = t.match.view(E)["players"][K]
    assert seen["hand"] == {"count": 0, "warriors": 0, "cards": []}
    t.take("pick kite-krab-silver")
    assert t.warriors(K) == "moss-krab-silver"
    assert t.supports(K) == "malapple-silver"
    assert t.match.view(E)["players"][K]["hand"]["cards"] == []
    assert t.hand(K).endswith("kite-krab-silver")
    t.done(E="deploy")


def draw_of_cards(krabz: str, enemigos: str, *picks: int) -> Table:
    return lay(
        seat("kite-krab-gold moss-krab-gold", warriors=krabz),
        seat("fallen-gold root-rat-gold", warriors=enemigos),
        stacked=True,
        first_attacker="hp_draw",
        picks=picks,
    )


@pytest.mark.rules("BKZ-P-12", "BKZ-B-02", "BKZ-C-11", "BKZ-R-09", "BKZ-R-37")
def test_s17_the_first_attacker_by_drawing_cards() -> None:
    more = " drum-krab-gold eagle-krab-gold"
    t = draw_of_cards(
        f"krabbi-long-legs-silver{more}", "black-ice-bob-silver root-rat-silver salt-bandit-gold"
    )
    (attacker, method, cards) = t.events("first_attacker")[0]
    assert (attacker, method) == (E, "hp_draw")
    assert t.names(cards) == "krabbi-long-legs-silver black-ice-bob-silver"
    assert [event[:2] for event in t.events("shuffled")] == [(K, "warrior"), (E, "warrior")]
    assert t.state.known == {}, "neither card counts as known"
    assert t.state.shown == list(cards)
    t.take("deploy root-rat-gold", "done", "deploy kite-krab-gold")
    for who in (K, E):
        while who in t.match.prompts and t.state.battle == 1:
            t.take(t.offered(who)[0], by=who)
    assert (t.state.battle, t.state.attacker) == (2, K)
    t.done(K="deploy")

    t = draw_of_cards(f"kite-krab-silver{more}", "fallen-silver salt-bandit-silver", 0)
    assert t.events("first_attacker")[0][:2] == (K, "coin")
    assert len(t.events("shuffled")) == 2
    t.done(K="deploy")

    t = draw_of_cards("", "fallen-silver", 1)
    assert t.events("first_attacker") == [(E, "coin", ())]
    assert t.events("shuffled") == []
    t.done(E="deploy")


POWERS = "unicorn-silver malapple-silver"
BOOSTERS = "grubba-silver grubba-gold nettle-hex-silver nettle-hex-gold"


def cutting_short(**options: Any) -> Table:
    return lay(
        seat("kite-krab-silver moss-krab-silver", elimination=POWERS, lost=3),
        seat("gloom-gull-silver salt-bandit-silver malapple-silver", elimination=BOOSTERS, lost=2),
        **{"target": 20, "battle_number": 6, "attacker": E, **options},
    )


@pytest.mark.rules("BKZ-B-74", "BKZ-P-04", "BKZ-R-32", "BKZ-R-33")
def test_s18_cutting_short() -> None:
    proposal = "propose-cut-short"
    warriors = ["deploy gloom-gull-silver", "deploy salt-bandit-silver"]
    t = cutting_short()
    assert t.offered() == [*warriors, proposal]
    t.take(proposal)
    assert t.asked == {K: "cut-short-reply"}
    assert t.offered() == ["accept", "decline"]
    t.take("decline")
    assert t.asked == {E: "deploy"}
    assert t.offered() == warriors
    t.done(E="deploy")

    t = cutting_short().take(proposal, "accept")
    assert t.result == ((E,), (K,), "cut_short")
    t.done()

    for options in ({"battle_number": 1}, {"decider": 1}, {"cut_short": "off"}):
        t = cutting_short(**options)
        assert t.offered() == warriors
        t.done(E="deploy")
    t = cutting_short().take("deploy gloom-gull-silver")
    assert t.offered() == ["deploy salt-bandit-silver", "done"]
    t.done(E="deploy")


@pytest.mark.rules("BKZ-R-28", "BKZ-R-31", "BKZ-R-33")
@pytest.mark.parametrize(("lost", "result"), [(1, ((K, E),)), (2, ((K,), (E,)))])
def test_s19_stalemate(lost: int, result: Any) -> None:
    t = lay(
        seat("krabbi-long-legs-silver drum-krab-gold", lost=1),
        seat("cold-shoulder-silver fallen-gold", lost=lost),
        battle_number=9,
        ties=4,
    )
    t.take("deploy krabbi-long-legs-silver", "done", "deploy cold-shoulder-silver")
    assert t.events("battle_tied") == [(160,)]
    assert t.result == (*result, "stalemate")
    t.done()


def trumps(x: str) -> Table:
    return lay_trumps(
        "kite-krab-gold eagle-krab-platinum",
        f"{x} moss-krab-gold drum-krab-platinum",
        "gale-thief-platinum gloom-gull-gold",
    )


@pytest.mark.rules(
    *("BKZ-M-03", "BKZ-M-08", "BKZ-M-09", "BKZ-M-10", "BKZ-M-11", "BKZ-M-12", "BKZ-M-14"),
    *("BKZ-M-18", "BKZ-M-19"),
)
def test_s20_multi_player_rounds() -> None:
    t = trumps("fallen-gold").take("call attack")
    assert [event[2] for event in t.events("revealed")] == [110, 120, 110]
    assert t.pile(1) == (
        "moss-krab-gold drum-krab-platinum fallen-gold gale-thief-platinum kite-krab-gold"
    )
    assert t.state.leader == 1
    t.done(E="call")

    t = trumps("thorn-pincher-platinum").take("call attack")
    assert [event[2] for event in t.events("revealed")] == [110, 110, 110]
    assert t.names(t.state.pot) == "kite-krab-gold thorn-pincher-platinum gale-thief-platinum"
    assert t.asked == {0: "call"}
    t.take("call defence")
    assert [event[2] for event in t.events("revealed")[3:]] == [90, 120, 120]
    assert t.names(t.state.pot[3:]) == "eagle-krab-platinum moss-krab-gold gloom-gull-gold"
    assert t.result == ((1,), (0, 2), "last_standing")
    t.done()
