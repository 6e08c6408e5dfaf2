"""The worked scenarios of the specification (section 10), one test each."""

from __future__ import annotations

import pytest

from games.knd_ocg.state import Cards
from rules.engine.card_tables import take_numbers
from rules.testing import Position, ScriptedChance
from tests.games.knd_ocg.table import (
    active,
    attacks,
    characters,
    deck_count,
    discard,
    duel,
    ended,
    energies,
    fallen,
    go,
    hand,
    hp,
    marks,
    offered,
    reserve,
    seat_of,
    told,
    under,
    verbs,
)


@pytest.mark.rules(
    "KND-A-04", "KND-A-05", "KND-A-14", "KND-T-03", "KND-T-12", "KND-T-13", "KND-T-11"
)
def test_1_plain_damage() -> None:
    t = duel({"active": "numbuh-2"}, {"active": "relay-rosa"})
    t.take("basic numbuh-2 relay-rosa")
    assert (hp(t, 1, "relay-rosa"), hp(t, 0, "numbuh-2")) == (35, 45)
    assert len(hand(t, 1)) == 1
    assert deck_count(t, 1) == 19
    t.done(1, "play")


@pytest.mark.rules("KND-A-06", "KND-A-07")
def test_2_backlash_and_balance() -> None:
    t = duel({"active": "milo-the-mole"}, {"active": "trashcan-lid-tess"})
    t.take("basic milo-the-mole trashcan-lid-tess")
    assert (hp(t, 0, "milo-the-mole"), hp(t, 1, "trashcan-lid-tess")) == (35, 45)
    t = duel({"active": "milo-the-mole"}, {"active": "crossing-guard-gus"})
    t.take("basic milo-the-mole crossing-guard-gus")
    assert (hp(t, 0, "milo-the-mole"), hp(t, 1, "crossing-guard-gus")) == (45, 40)
    assert fallen(t) == [0, 0]
    assert "no-loss" in told(t)


@pytest.mark.rules("KND-E-03", "KND-E-04", "KND-E-10", "KND-A-10", "KND-A-21", "KND-A-24")
@pytest.mark.parametrize(
    ("lies", "special"),
    [("2N", set()), ("1L 1S", {"attack1"}), ("2L 1N", {"attack1"}), ("3L", {"attack1", "attack2"})],
)
def test_3_what_energy_allows(lies: str, special: set[str]) -> None:
    t = duel(
        {"active": "commander-jigsaw", "under active": energies(lies)}, {"active": "locker-lou"}
    )
    verbs_ = {text.split()[0] for text in attacks(t)}
    assert verbs_ == special | {"basic"}
    if "attack2" in special:
        t.take("attack2 commander-jigsaw locker-lou")
        assert hp(t, 1, "locker-lou") == 15
        assert under(t, 0, "commander-jigsaw") == ["L", "L", "L"]


@pytest.mark.rules(
    "KND-F-09", "KND-F-10", "KND-F-11", "KND-F-12", "KND-F-13", "KND-F-05", "KND-R-10",
    "KND-R-11", "KND-R-18",
)  # fmt: skip
def test_4_fleeing() -> None:
    t = duel(
        {
            "active": "captain-cartwheel",
            "under active": [*energies("2L 1D 1N"), "bike-helmet"],
            "hp active": 40,
            "reserve-3": "slingshot-sadie",
            "under reserve-3": ["A"],
        },
        {"active": "relay-rosa"},
    )
    t.take("flee slingshot-sadie")
    assert t.asked == (0, "pay")
    assert offered(t) == {
        "discard leader-energy",
        "discard defender-energy",
        "discard normal-energy",
    }
    t.take("discard normal-energy")
    assert active(t, 0) == "slingshot-sadie"
    assert under(t, 0, "slingshot-sadie") == ["A"]
    assert reserve(t, 0) == [None, None, "captain-cartwheel", None, None]
    assert (hp(t, 0, "captain-cartwheel"), under(t, 0, "captain-cartwheel")) == (40, ["L", "D"])
    assert characters(t, 0)["captain-cartwheel"]["gear"]["slug"] == "bike-helmet"
    assert discard(t, 0) == ["normal-energy", "leader-energy"]
    assert "flee" not in verbs(t)


POWER = {
    "active": "numbuh-4",
    "reserve-1": "numbuh-1",
    "reserve-2": "numbuh-2",
    "reserve-3": "numbuh-3",
    "reserve-4": "numbuh-5",
    "hand": ["power-of-the-knd"],
}


@pytest.mark.rules(
    "KND-X-04", "KND-X-06", "KND-X-07", "KND-X-08", "KND-X-31", "KND-A-16", "KND-A-18",
    "KND-Y-16", "KND-F-08", "KND-R-20", "KND-R-32", "KND-R-33",
)  # fmt: skip
def test_5_power_of_the_knd() -> None:
    against = {
        "active": "relay-rosa",
        "under active": energies("2A"),
        "reserve-1": "trashcan-lid-tess",
        "reserve-2": "hide-and-seek-hugo",
        "hand": ["milo-the-mole"],
    }
    t = duel(POWER, against)
    t.take("special power-of-the-knd")
    assert discard(t, 1) == [
        "trashcan-lid-tess", "attacker-energy", "attacker-energy", "relay-rosa",
    ]  # fmt: skip
    assert list(characters(t, 1)) == ["hide-and-seek-hugo"]
    assert fallen(t) == [0, 0]
    assert discard(t, 0) == ["power-of-the-knd"]
    assert not attacks(t)
    t.take("end")
    assert "move-up hide-and-seek-hugo" in offered(t)
    assert "place milo-the-mole reserve" in offered(t)
    assert "place milo-the-mole active" not in offered(t)
    less = {key: value for key, value in POWER.items() if value != "numbuh-5"}
    t = duel({**less, "hand": ["power-of-the-knd", "numbuh-5"]}, against)
    assert "special" not in verbs(t)


@pytest.mark.rules("KND-W-01", "KND-W-02", "KND-W-04", "KND-A-17", "KND-A-25", "KND-R-19")
def test_6_the_fifth_tally_comes_first() -> None:
    kit = {"active": "cannonball-kit", "under active": energies("2A")}
    against = {"active": "numbuh-5", "hp active": 40, "reserve-1": "milo-the-mole"}
    t = duel(kit, {**against, "fallen": 4})
    t.take("attack1 cannonball-kit numbuh-5")
    assert fallen(t) == [0, 5]
    assert active(t, 0) == "cannonball-kit"
    assert ended(t) == ((0,), "fallen")
    t = duel(kit, {**against, "fallen": 3})
    t.take("attack1 cannonball-kit numbuh-5")
    assert fallen(t) == [0, 4]
    assert active(t, 0) is None
    assert ended(t) == ((1,), "no-active")


@pytest.mark.rules("KND-A-06", "KND-A-15", "KND-A-17", "KND-X-33", "KND-R-07", "KND-R-15")
def test_7_fallen_by_backlash() -> None:
    sadie = {"active": "slingshot-sadie", "hp active": 5}
    against = {"active": "trashcan-lid-tess", "specials": ["blanket-fort"]}
    t = duel({**sadie, "reserve-1": "scooter-skye"}, against)
    t.take("basic slingshot-sadie trashcan-lid-tess")
    assert fallen(t) == [1, 0]
    assert active(t, 0) == "scooter-skye"
    t.done(1, "play")
    t = duel(sadie, against)
    t.take("basic slingshot-sadie trashcan-lid-tess")
    assert ended(t) == ((1,), "no-active")


@pytest.mark.rules("KND-F-07", "KND-T-05", "KND-W-02", "KND-R-08", "KND-R-30", "KND-R-53")
def test_8_nobody_left() -> None:
    b = {"hand": ["S", "S"], "deck": ["emergency-recess", "bandage-brigade", "S", "N"]}
    t = duel({"active": "numbuh-4"}, b, player=1, begin="turn")
    assert offered(t) == {"special emergency-recess", "end"}
    t.take("special emergency-recess")
    assert offered(t) == {"end"}
    assert t.match.outlook(t.match.prompts[1])["ending"] == "loses"
    t.take("end")
    assert ended(t) == ((0,), "no-active")
    for where in ("active", "reserve"):
        milo = {**b, "deck": ["milo-the-mole", "N", "N"]}
        t = duel({"active": "numbuh-4"}, milo, player=1, begin="turn")
        assert {"place milo-the-mole active", "place milo-the-mole reserve"} < offered(t)
        t.take(f"place milo-the-mole {where}")
        assert len(hand(t, 1)) == 3
        assert deck_count(t, 1) == 1
        assert ("move-up milo-the-mole" in offered(t)) == (where == "reserve")


@pytest.mark.rules("KND-W-03", "KND-R-40", "KND-T-03")
def test_9_the_last_card() -> None:
    a = {"active": "numbuh-4", "hand": ["emergency-recess"], "deck": ["N"]}
    t = duel(a, {"active": "numbuh-3"}, begin="turn")
    assert hand(t, 0) == ["emergency-recess", "normal-energy"]
    t.take("special emergency-recess")
    assert hand(t, 0) == ["normal-energy"]
    t.take("end", "end")
    assert ended(t) == ((1,), "deck")


FIRST = [*["S"] * 4, "tattletale", "emergency-recess"]
SECOND = [*["S"] * 5, "milo-the-mole"]
ROSA = ["relay-rosa", *["A"] * 5]
DECK = [*FIRST, *SECOND, *["N"] * 48]


def stack_shuffles(monkeypatch: pytest.MonkeyPatch, deck: list[str], top: list[str]) -> None:
    """Every shuffle of a deck of seat 0 brings these cards to its top."""
    slugs = Cards.sorted([Cards.named(name) for name in deck])
    copies = take_numbers(slugs[::-1])
    wanted = [len(slugs) - 1 - copies(Cards.named(name)) for name in top]

    def shuffle(self: ScriptedChance, cards: list[int]) -> None:
        cards[:] = wanted + [card for card in cards if card not in wanted]

    monkeypatch.setattr(ScriptedChance, "shuffle", shuffle)


def set_up(
    monkeypatch: pytest.MonkeyPatch, *, picks: tuple[int, ...] = (), **more: bool
) -> Position:
    stack_shuffles(monkeypatch, DECK, SECOND)
    rosa = {"deck": [*ROSA, *["N"] * 54]}
    return duel({"deck": DECK}, rosa, begin="setup", picks=picks, **more)


@pytest.mark.rules("KND-S-05", "KND-S-06", "KND-S-07", "KND-S-08", "KND-R-05")
def test_10_redraw(monkeypatch: pytest.MonkeyPatch) -> None:
    t = set_up(monkeypatch)
    [mulligan] = [event for event in t.match.opening if event[0] == "mulligan"]
    for viewer in (None, 0, 1):
        seen = t.match.event_view(mulligan, viewer)
        assert seen is not None
        assert [card["slug"] for card in seen["cards"]] == [Cards.named(name) for name in FIRST]
    assert (len(hand(t, 0)), deck_count(t, 0)) == (6, 54)
    assert sorted(hand(t, 0)) == sorted(Cards.named(name) for name in SECOND)
    assert offered(t, 0) == {"place milo-the-mole active"}
    assert offered(t, 1) == {"place relay-rosa active"}


@pytest.mark.rules(
    "KND-S-08", "KND-S-09", "KND-S-11", "KND-S-12", "KND-R-01", "KND-R-02", "KND-R-03", "KND-R-06"
)
def test_11_secret_placing_open_order(monkeypatch: pytest.MonkeyPatch) -> None:
    for first_attack in (True, False):
        t = set_up(monkeypatch, picks=(1,), first_attack=first_attack)
        before = seat_of(t, 1, 0)
        t.take("place relay-rosa active", "ready", by=1)
        assert seat_of(t, 1, 0) == {**before, "ready": True}
        assert seat_of(t, 1, 0)["hand"] == {"count": 6, "cards": []}
        t.take("place milo-the-mole active", "ready", by=0)
        assert len(hand(t, 0)) == 5
        assert (active(t, 0), active(t, 1)) == ("milo-the-mole", "relay-rosa")
        assert (len(hand(t, 1)), deck_count(t, 1)) == (6, 53)
        if first_attack:
            t.take("basic relay-rosa milo-the-mole")
            assert hp(t, 0, "milo-the-mole") == 20
        else:
            assert not attacks(t)
            t.take("end")
            assert attacks(t) == {"basic milo-the-mole relay-rosa"}
        t.done(0, "play")


@pytest.mark.rules("KND-E-05", "KND-E-06", "KND-E-07", "KND-T-08")
def test_12_one_energy_card_a_turn() -> None:
    t = duel(
        {
            "active": "numbuh-1",
            "reserve-1": "commander-jigsaw",
            "hand": ["L", "L", "L", "double-shift"],
        },
        {"active": "relay-rosa"},
    )
    go(t, "attach leader-energy commander-jigsaw")
    assert "attach" not in verbs(t)
    go(t, "special double-shift")
    assert {"attach leader-energy numbuh-1", "attach leader-energy commander-jigsaw"} < offered(t)
    go(t, "attach leader-energy numbuh-1")
    assert "attach" not in verbs(t)
    go(t, "end", "end")
    go(t, "attach leader-energy numbuh-1")
    assert "attach" not in verbs(t)
    assert under(t, 0, "numbuh-1") == ["L", "L"]


@pytest.mark.rules("KND-A-02", "KND-A-03", "KND-A-12", "KND-A-13", "KND-R-14", "KND-R-23")
def test_13_twice_but_the_same_way() -> None:
    t = duel(
        {"active": "slingshot-sadie", "under active": energies("3A"), "hand": ["second-wind"]},
        {"active": "milo-the-mole", "reserve-1": "locker-lou"},
    )
    go(t, "special second-wind", "attack1 slingshot-sadie locker-lou")
    assert hp(t, 1, "locker-lou") == 35
    assert t.asked == (0, "again")
    assert offered(t) == {
        "attack1 slingshot-sadie locker-lou", "attack2 slingshot-sadie milo-the-mole", "end",
    }  # fmt: skip
    go(t, "attack2 slingshot-sadie milo-the-mole")
    assert hp(t, 1, "milo-the-mole") == 15
    t.done(1, "play")


@pytest.mark.rules("KND-X-21", "KND-X-22", "KND-X-26", "KND-A-23", "KND-Y-13")
def test_14_grounded_and_stuck() -> None:
    a = {"active": "numbuh-3", "under active": ["P"]}
    b = {
        "active": "numbuh-4",
        "under active": energies("2A"),
        "reserve-1": "scooter-skye",
        "hand": ["snack-break"],
    }
    t = go(duel(a, b), "attack1 numbuh-3 numbuh-4")
    assert marks(t, 1, "numbuh-4") == {"grounded", "stuck"}
    assert not attacks(t)
    assert "flee" not in verbs(t)
    go(t, "end")
    assert marks(t, 1, "numbuh-4") == set()
    kinds = told(t)
    assert kinds.index("mark-end") < kinds.index("draw")
    t = go(duel(a, b), "attack1 numbuh-3 numbuh-4", "special snack-break", "pick numbuh-4")
    assert {"basic numbuh-4 numbuh-3", "flee scooter-skye"} < offered(t)
    go(t, "basic numbuh-4 numbuh-3")
    assert hp(t, 0, "numbuh-3") == 5


@pytest.mark.rules("KND-X-23", "KND-X-24", "KND-A-26", "KND-X-20", "KND-Y-10", "KND-Y-17")
def test_15_hiding_safe_bypass() -> None:
    t = duel(
        {"active": "hide-and-seek-hugo", "marks active": ["+hiding"]},
        {"active": "captain-cartwheel", "hand": ["L"]},
        player=1,
    )
    assert not attacks(t)
    go(t, "attach leader-energy captain-cartwheel")
    go(t, "basic captain-cartwheel hide-and-seek-hugo")
    assert hp(t, 0, "hide-and-seek-hugo") == 10
    tao = {"active": "home-base-tao", "marks active": ["+safe"], "hp active": 10}
    t = duel({**tao, "reserve-1": "numbuh-3"}, {"active": "numbuh-1"}, player=1)
    go(t, "basic numbuh-1 home-base-tao")
    assert (hp(t, 0, "home-base-tao"), fallen(t)) == (1, [0, 0])
    cartwheel = {"active": "captain-cartwheel", "under active": ["L"]}
    t = duel({**tao, "reserve-1": "numbuh-3"}, cartwheel, player=1)
    go(t, "basic captain-cartwheel home-base-tao")
    assert fallen(t) == [1, 0]


@pytest.mark.rules("KND-X-02", "KND-X-20", "KND-X-21", "KND-X-25", "KND-R-26", "KND-R-36")
def test_16_follow_the_leader() -> None:
    t = duel(
        {"active": "numbuh-1", "under active": ["L"]},
        {"active": "pickpocket-penny", "reserve-1": "treehouse-marshal"},
    )
    go(t, "effect numbuh-1")
    assert discard(t, 0) == ["leader-energy"]
    assert marks(t, 1, "pickpocket-penny") == {"shushed"}
    assert marks(t, 1, "treehouse-marshal") == set()
    assert "effect" not in verbs(t)
    go(t, "basic numbuh-1 pickpocket-penny")
    assert hp(t, 1, "pickpocket-penny") == 25
    go(t, "basic pickpocket-penny numbuh-1")
    assert hp(t, 0, "numbuh-1") == 45
    assert discard(t, 0) == ["leader-energy"]
    assert marks(t, 1, "pickpocket-penny") == set()


@pytest.mark.rules("KND-A-22", "KND-A-17", "KND-R-22", "KND-R-45")
def test_17_double_knockout() -> None:
    a = {
        "active": "headlock-hank",
        "hp active": 30,
        "under active": energies("1A 1N"),
        "reserve-1": "scooter-skye",
    }
    b = {"active": "numbuh-4", "hp active": 35, "reserve-1": "relay-rosa", "fallen": 4}
    t = go(duel({**a, "fallen": 4}, b), "attack1 headlock-hank numbuh-4")
    assert fallen(t) == [5, 5]
    assert ended(t) == ((), "both-fallen")
    t = go(duel({**a, "fallen": 3}, b), "attack1 headlock-hank numbuh-4")
    assert ended(t) == ((0,), "fallen")


@pytest.mark.rules("KND-X-28", "KND-R-07", "KND-R-39", "KND-R-55", "KND-Y-13")
def test_18_field_trip() -> None:
    t = duel(
        {
            "active": "daydream-dilly",
            "hp active": 15,
            "under active": ["P"],
            "marks active": [("ap", -10)],
            "reserve-2": "quiet-corner-quinn",
        },
        {"active": "numbuh-4", "hand": ["cooties-outbreak", "N"]},
    )
    go(t, "attack1 daydream-dilly")
    assert active(t, 0) == "quiet-corner-quinn"
    assert [character["card"]["slug"] for character in seat_of(t, 0)["away"]] == ["daydream-dilly"]
    assert attacks(t) == {"basic numbuh-4 quiet-corner-quinn"}
    go(t, "special cooties-outbreak", "discard normal-energy", "end")
    assert reserve(t, 0)[0] == "daydream-dilly"
    assert (hp(t, 0, "daydream-dilly"), under(t, 0, "daydream-dilly")) == (15, ["P"])
    assert marks(t, 0, "daydream-dilly") == set()
    kinds = told(t)
    assert kinds.index("return") < kinds.index("draw")


@pytest.mark.rules("KND-R-47")
def test_19_stalemate() -> None:
    wall = {"active": "trashcan-lid-tess"}
    for deck, winner in ((20, 0), (21, 1)):
        t = duel(wall, {**wall, "deck": deck}, quiet_limit=4, quiet=3)
        assert ended(go(t, "end")) == ((winner,), "quiet")
    t = duel({"active": "milo-the-mole"}, wall, quiet_limit=4, quiet=2)
    go(t, "basic milo-the-mole trashcan-lid-tess", "end")
    assert t.match.view(None)["quiet"] == {"turns": 1, "limit": 4}


@pytest.mark.rules("KND-X-30", "KND-A-18", "KND-Y-16", "KND-R-12", "KND-R-25", "KND-R-46")
def test_20_effects_do_not_count() -> None:
    t = duel(
        {"active": "numbuh-1", "hand": ["cooties-outbreak", "L"]},
        {
            "active": "hide-and-seek-hugo",
            "hp active": 5,
            "reserve-1": "whisper-wes",
            "hp reserve-1": 5,
            "under reserve-1": ["S"],
            "reserve-2": "milo-the-mole",
        },
    )
    go(t, "special cooties-outbreak")
    assert discard(t, 0) == ["cooties-outbreak", "leader-energy"]
    assert discard(t, 1) == ["spy-energy", "whisper-wes"]
    assert (hp(t, 1, "hide-and-seek-hugo"), hp(t, 1, "milo-the-mole")) == (1, 40)
    assert fallen(t) == [0, 0]
    t.done(0, "play")
