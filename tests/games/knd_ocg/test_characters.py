"""Every Character: its Special Attacks and its Special Effect."""

from __future__ import annotations

from typing import Any

import pytest

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

ROSA = {"active": "relay-rosa"}  # HP 40, AP 30, DP 5
TESS = {"active": "trashcan-lid-tess"}  # HP 45, AP 10, DP 30


def own(slug: str, lies: str = "", **more: Any) -> dict[str, Any]:
    """A seat with this Active Character and so much Energy under it."""
    keys = {key.replace("_", " "): value for key, value in more.items()}
    keys = {key.replace("reserve ", "reserve-"): value for key, value in keys.items()}
    return {"active": slug, "under active": energies(lies), **keys}


def one(t: Any, seat: int, slug: str) -> tuple[int, int]:
    """AP and DP of a Character."""
    row = characters(t, seat)[slug]
    return row["ap"], row["dp"]


# -- plain numbers ---------------------------------------------------------------------------------

# Who attacks, with what under it, by which attack; the HP that Tess (DP 30, 45 HP) and the attacker
# have left
PLAIN = [
    ("numbuh-1", "2L", "attack1", 40, 55),  # 20 + 15 against 30
    ("treehouse-marshal", "1L 1N", "attack1", 30, 50),
    ("captain-cartwheel", "2L", "attack1", 45, 50),  # 20 + 10 against 30
    ("quartermaster-quill", "1L 1N", "attack2", 30, 45),
    ("commander-jigsaw", "1L 1N", "attack1", 45, 60),
    ("commander-jigsaw", "3L", "attack2", 10, 60),
    ("debate-captain-dee", "1L 2N", "attack1", 25, 50),
    ("head-cadet-hazel", "2L", "attack1", 45, 50),
    ("numbuh-2", "2D", "attack1", 25, 45),
    ("pillow-fort-warden", "1D 1N", "attack1", 35, 40),
    ("crossing-guard-gus", "2D", "attack2", 25, 40),
    ("trampoline-trish", "1D 1N", "attack1", 30, 40),
    ("trashcan-lid-tess", "2D", "attack1", 45, 45),  # her own DP, 30, against 30
    ("snow-fort-sana", "2D", "attack1", 30, 35),
    ("bus-stop-bruno", "2D", "attack1", 45, 45),
    ("booby-trap-boz", "1D", "attack1", 35, 35),
    ("numbuh-4", "2A", "attack1", 20, 40),
    ("slingshot-sadie", "2A", "attack2", 15, 35),
    ("mudball-mo", "2A", "attack1", 30, 35),
    ("headlock-hank", "1A 1N", "attack1", 35, 35),  # 40 − 30, and 10 − 5
    ("sugar-rush-bea", "2A", "attack1", 25, 35),
    ("relay-rosa", "1A 1N", "attack1", 35, 40),
    ("scooter-skye", "1A", "attack1", 45, 35),
    ("numbuh-5", "2S", "attack1", 30, 50),
    ("locker-lou", "1S 1N", "attack1", 40, 50),
    ("keyhole-kay", "1S 1N", "attack1", 45, 45),  # no card in the opponent's hand
    ("shredder-pip", "2S", "attack1", 35, 45),
    ("double-cross-dot", "1S 1N", "attack1", 15, 45),
    ("whisper-wes", "1S", "attack1", 45, 45),
    ("pickpocket-penny", "1S 1N", "attack1", 40, 50),
    ("milo-the-mole", "1S", "attack1", 35, 45),
]


@pytest.mark.rules("KND-A-11", "KND-A-20", "KND-A-21", "KND-A-22", "KND-R-16", "KND-R-21")
@pytest.mark.parametrize(("slug", "lies", "verb", "target_left", "left"), PLAIN)
def test_special_attacks_on_a_wall(
    slug: str, lies: str, verb: str, target_left: int, left: int
) -> None:
    t = duel(own(slug, lies), {**TESS, "deck": 30})
    prompt = t.match.prompts[0]
    [move] = [move for move in prompt.options if move.verb == verb]
    foreseen = t.match.preview(prompt, move)
    go(t, f"{verb} {slug} trashcan-lid-tess")
    assert (hp(t, 1, "trashcan-lid-tess"), hp(t, 0, slug)) == (target_left, left)
    assert foreseen is not None
    assert 45 - foreseen["loss"] == target_left
    assert not foreseen["defeats"]


@pytest.mark.parametrize(
    ("slug", "lies", "short"),
    [(slug, lies, verb) for slug, lies, verb, *_ in PLAIN],
)
@pytest.mark.rules("KND-A-10", "KND-E-09")
def test_no_special_attack_without_its_energy(slug: str, lies: str, short: str) -> None:
    t = duel(own(slug, " ".join([*lies.split()[:-1], *_less(lies.split()[-1])])), TESS)
    assert short not in verbs(t)
    rows = t.match.outlook(t.match.prompts[0])["attacks"]
    [row] = [row for row in rows if row["verb"] == short]
    assert not row["ready"]
    assert row["why"].startswith("Needs ")


def _less(part: str) -> list[str]:
    number = int(part[0]) - 1
    return [f"{number}{part[1]}"] if number else []


# -- Leaders ---------------------------------------------------------------------------------------


@pytest.mark.rules("KND-X-27", "KND-R-26")
def test_numbuh_1_follow_the_leader_can_be_paid_twice() -> None:
    t = duel(own("numbuh-1", "2L"), ROSA)
    go(t, "effect numbuh-1", "effect numbuh-1")
    assert one(t, 0, "numbuh-1") == (40, 10)
    assert "effect" not in verbs(t)
    go(t, "end")
    assert one(t, 0, "numbuh-1") == (20, 10)


@pytest.mark.rules("KND-X-25", "KND-R-36", "KND-Y-10")
def test_treehouse_marshal_no_spying() -> None:
    t = duel(own("treehouse-marshal"), {"active": "keyhole-kay", "under active": ["S"]}, player=1)
    assert "effect" not in verbs(t)
    assert marks(t, 1, "keyhole-kay") == {"shushed"}
    in_reserve = {"active": "numbuh-4", "reserve-1": "treehouse-marshal"}
    t = duel(in_reserve, {"active": "keyhole-kay", "under active": ["S"]}, player=1)
    assert "effect" in verbs(t)
    walkie = {**in_reserve, "under reserve-1": ["walkie-talkie"]}
    t = duel(walkie, {"active": "keyhole-kay", "under active": ["S"]}, player=1)
    assert "effect" not in verbs(t)
    silent = own("treehouse-marshal", marks_active=["shushed"])
    t = duel(silent, {"active": "keyhole-kay", "under active": ["S"]}, player=1)
    assert "effect" in verbs(t)


def test_captain_cartwheel_straight_through_ignores_modifiers() -> None:
    guarded = {**TESS, "specials": ["blanket-fort"], "under active": ["bike-helmet"]}
    t = go(
        duel(own("captain-cartwheel", "2L"), guarded), "attack1 captain-cartwheel trashcan-lid-tess"
    )
    assert (hp(t, 1, "trashcan-lid-tess"), hp(t, 0, "captain-cartwheel")) == (45, 50)


@pytest.mark.rules("KND-A-26")
def test_captain_cartwheel_past_needs_a_leader_energy() -> None:
    hiding = {"active": "hide-and-seek-hugo", "marks active": ["+hiding"]}
    assert not attacks(duel(own("captain-cartwheel", "1A"), hiding))
    assert attacks(duel(own("captain-cartwheel", "1L"), hiding))
    assert not attacks(duel(own("captain-cartwheel", "1L", marks_active=["shushed"]), hiding))


def test_sergeant_sprocket() -> None:
    t = duel(own("numbuh-4", reserve_1="sergeant-sprocket", reserve_2="sergeant-sprocket"), ROSA)
    assert one(t, 0, "numbuh-4") == (40, 5)
    assert one(t, 0, "sergeant-sprocket") == (15, 10)
    go(t, "basic numbuh-4 relay-rosa")
    assert hp(t, 1, "relay-rosa") == 5
    t = duel(
        own("sergeant-sprocket", "1L", reserve_1="numbuh-4"), {**ROSA, "hand": ["milo-the-mole"]}
    )
    go(t, "attack1 sergeant-sprocket")
    assert (one(t, 0, "sergeant-sprocket"), one(t, 0, "numbuh-4")) == ((15, 20), (35, 15))
    go(t, "end")
    assert one(t, 0, "sergeant-sprocket") == (15, 10)


@pytest.mark.rules("KND-R-54", "KND-E-08")
def test_quartermaster_quill() -> None:
    pile = {"discard": ["N", "relay-rosa", "L", "A", "A"]}
    t = duel(own("quartermaster-quill", "1L", reserve_1="numbuh-1", **pile), ROSA)
    go(t, "attack1 quartermaster-quill")
    assert offered(t) == {"take leader-energy", "take normal-energy", "take attacker-energy"}
    go(t, "take leader-energy", "pick numbuh-1")
    assert under(t, 0, "numbuh-1") == ["L"]
    assert "attack1" not in verbs(duel(own("quartermaster-quill", "1L"), ROSA))
    t = duel(
        own("quartermaster-quill", "1L", reserve_1="numbuh-1", under_reserve_1=["L", "A"]), ROSA
    )
    go(t, "effect quartermaster-quill")
    assert offered(t) == {
        "take leader-energy quartermaster-quill",
        "take leader-energy numbuh-1",
        "take attacker-energy numbuh-1",
    }
    go(t, "take attacker-energy numbuh-1")
    assert under(t, 0, "quartermaster-quill") == ["L", "A"]
    assert "effect" not in verbs(t)
    assert "effect" not in verbs(duel(own("quartermaster-quill", "1L"), ROSA))


@pytest.mark.rules("KND-X-25", "KND-R-30")
def test_debate_captain_dee() -> None:
    foe = {"active": "hide-and-seek-hugo", "reserve-1": "numbuh-1", "reserve-2": "relay-rosa"}
    t = duel(own("debate-captain-dee", "1L 2N"), {**foe, "marks active": ["+hiding", "+safe"]})
    go(t, "effect debate-captain-dee", "discard normal-energy")
    assert offered(t) == {"pick hide-and-seek-hugo", "pick relay-rosa"}
    go(t, "pick hide-and-seek-hugo")
    assert marks(t, 1, "hide-and-seek-hugo") == {"shushed"}
    shushed = {"active": "relay-rosa", "marks active": ["shushed"]}
    t = go(
        duel(own("debate-captain-dee", "1L 2N"), shushed), "attack1 debate-captain-dee relay-rosa"
    )
    assert hp(t, 1, "relay-rosa") == 10
    only_leaders = {"active": "numbuh-1"}
    assert "effect" not in verbs(duel(own("debate-captain-dee", "1L"), only_leaders))


@pytest.mark.rules("KND-X-26")
def test_head_cadet_hazel() -> None:
    foe = {"active": "numbuh-4", "under active": ["A", "A"], "reserve-2": "scooter-skye"}
    t = go(duel(own("head-cadet-hazel", "2L"), foe), "attack1 head-cadet-hazel numbuh-4")
    assert (hp(t, 1, "numbuh-4"), marks(t, 1, "numbuh-4")) == (15, {"stuck"})
    assert "flee" not in verbs(t)
    t = go(
        duel(own("head-cadet-hazel", "1L"), {**foe, "marks active": ["stuck"]}),
        "effect head-cadet-hazel",
    )
    assert (active(t, 1), reserve(t, 1)[1]) == ("scooter-skye", "numbuh-4")
    assert "effect" not in verbs(duel(own("head-cadet-hazel", "1L"), ROSA))
    bruno = {"active": "bus-stop-bruno", "reserve-1": "numbuh-4"}
    assert "effect" not in verbs(duel(own("head-cadet-hazel", "1L"), bruno))


# -- Defenders -------------------------------------------------------------------------------------


@pytest.mark.rules("KND-X-29")
def test_numbuh_2_quick_fix() -> None:
    t = duel(own("numbuh-2", "2D", reserve_1="relay-rosa", hp_reserve_1=30, hp_active=5), ROSA)
    go(t, "effect numbuh-2", "pick relay-rosa")
    assert hp(t, 0, "relay-rosa") == 40
    go(t, "effect numbuh-2", "pick numbuh-2")
    assert hp(t, 0, "numbuh-2") == 25


def test_pillow_fort_warden() -> None:
    t = go(duel(own("pillow-fort-warden", "1D 1N"), ROSA), "attack1 pillow-fort-warden relay-rosa")
    assert (hp(t, 1, "relay-rosa"), one(t, 1, "relay-rosa")) == (30, (20, 5))
    go(t, "end")
    assert one(t, 1, "relay-rosa") == (30, 5)
    for lies, left in (("1D", 20), ("", 10)):
        t = duel(own("slingshot-sadie", "2A"), own("pillow-fort-warden", lies))
        go(t, "attack2 slingshot-sadie pillow-fort-warden")
        assert hp(t, 1, "pillow-fort-warden") == left
    t = duel(own("booby-trap-boz", "1D"), own("pillow-fort-warden", "1D"))
    go(t, "attack1 booby-trap-boz pillow-fort-warden")
    assert hp(t, 1, "pillow-fort-warden") == 40


@pytest.mark.rules("KND-A-27")
def test_crossing_guard_gus() -> None:
    t = go(duel(own("crossing-guard-gus", "1D"), ROSA), "attack1 crossing-guard-gus")
    assert one(t, 0, "crossing-guard-gus") == (10, 35)
    foe = {"active": "relay-rosa", "reserve-1": "crossing-guard-gus"}
    sadie = own("slingshot-sadie", "1A 1N")
    assert "attack1" not in verbs(duel(sadie, foe))
    open_ = {**foe, "marks reserve-1": ["shushed"]}
    assert "attack1" in verbs(duel(sadie, open_))
    assert {text.split()[-1] for text in attacks(duel(own("milo-the-mole", "1S"), foe))} == {
        "relay-rosa"
    }


def test_trampoline_trish_bounces_back() -> None:
    trish = {"active": "trampoline-trish"}
    t = go(duel(own("milo-the-mole"), trish), "basic milo-the-mole trampoline-trish")
    assert hp(t, 0, "milo-the-mole") == 30
    t = go(duel(own("numbuh-5"), trish), "basic numbuh-5 trampoline-trish")
    assert hp(t, 0, "numbuh-5") == 50
    t = go(duel(own("captain-cartwheel", "1L"), trish), "basic captain-cartwheel trampoline-trish")
    assert hp(t, 0, "captain-cartwheel") == 45


def test_trashcan_lid_tess() -> None:
    t = duel(
        own("trashcan-lid-tess", "2D", specials=["blanket-fort"], marks_active=[("ap", 50)]), ROSA
    )
    go(t, "attack1 trashcan-lid-tess relay-rosa")
    assert hp(t, 1, "relay-rosa") == 5
    foe = {**ROSA, "reserve-4": "milo-the-mole", "hp reserve-4": 20}
    t = go(duel(own("trashcan-lid-tess", "2D 1N"), foe), "attack2 trashcan-lid-tess milo-the-mole")
    assert (fallen(t), reserve(t, 1)) == ([0, 1], [None] * 5)


def test_snow_fort_sana_packs_the_snow() -> None:
    for place in ("active", "reserve-1"):
        other = "reserve-1" if place == "active" else "active"
        seat = {place: "snow-fort-sana", f"under {place}": ["D"], other: "relay-rosa"}
        t = go(duel(seat, ROSA), "effect snow-fort-sana", "pick relay-rosa")
        assert one(t, 0, "relay-rosa") == (30, 15)
        go(t, "end", "end")
        assert one(t, 0, "relay-rosa") == (30, 5)


def test_bus_stop_bruno_is_not_moving() -> None:
    foe = {"active": "bus-stop-bruno", "reserve-1": "relay-rosa", "under active": energies("3N")}
    t = duel(own("numbuh-1", hand=["called-to-the-office"]), foe)
    assert "special" not in verbs(t)
    go(t, "end")
    assert "flee relay-rosa" in offered(t)
    hushed = {**foe, "marks active": ["shushed"]}
    t = duel(own("numbuh-1", hand=["called-to-the-office"]), hushed)
    go(t, "special called-to-the-office")
    assert active(t, 1) == "relay-rosa"


@pytest.mark.rules("KND-R-28", "KND-X-30", "KND-R-25", "KND-A-18")
def test_booby_trap_boz_has_a_parting_gift() -> None:
    boz = {"active": "booby-trap-boz", "hp active": 5, "reserve-1": "numbuh-3"}
    t = go(
        duel(own("relay-rosa", hp_active=25, deck=["L", "N"]), boz),
        "basic relay-rosa booby-trap-boz",
    )
    assert (hp(t, 0, "relay-rosa"), fallen(t)) == (5, [0, 1])
    assert hand(t, 0) == ["leader-energy"]
    kinds = told(t)
    assert kinds.index("fallen") < kinds.index("draw") < kinds.index("damage", kinds.index("draw"))
    t = go(duel(own("relay-rosa", hp_active=20), boz), "basic relay-rosa booby-trap-boz")
    assert ended(t) == ((1,), "no-active")
    assert fallen(t) == [0, 1]
    t = go(
        duel(own("relay-rosa"), {**boz, "marks active": ["shushed"]}),
        "basic relay-rosa booby-trap-boz",
    )
    assert hp(t, 0, "relay-rosa") == 40
    hit = own("slingshot-sadie", "1A 1N")
    t = go(
        duel(hit, {"active": "numbuh-3", "reserve-1": "booby-trap-boz", "hp reserve-1": 5}),
        "attack1 slingshot-sadie booby-trap-boz",
    )
    assert (hp(t, 0, "slingshot-sadie"), fallen(t)) == (35, [0, 1])
    own_fall = {"active": "booby-trap-boz", "hp active": 5, "reserve-1": "numbuh-3"}
    t = go(duel(own_fall, {"active": "snow-fort-sana"}), "basic booby-trap-boz snow-fort-sana")
    assert (hp(t, 1, "snow-fort-sana"), fallen(t)) == (15, [1, 0])


# -- Attackers -------------------------------------------------------------------------------------


def test_numbuh_4_hot_temper() -> None:
    t = go(duel(own("numbuh-4", "1A"), {**TESS, "specials": ["blanket-fort"]}), "effect numbuh-4")
    assert one(t, 0, "numbuh-4") == (45, 5)
    go(t, "basic numbuh-4 trashcan-lid-tess")
    assert hp(t, 1, "trashcan-lid-tess") == 40
    wall = {**TESS, "specials": ["blanket-fort"], "marks active": [("dp", 20)]}
    t = go(duel(own("numbuh-4", "1A"), wall), "effect numbuh-4", "basic numbuh-4 trashcan-lid-tess")
    assert (hp(t, 0, "numbuh-4"), hp(t, 1, "trashcan-lid-tess")) == (40, 45)


@pytest.mark.rules("KND-R-24", "KND-A-02")
def test_slingshot_sadie_reaches_the_reserve_alone() -> None:
    foe = {"active": "relay-rosa", "reserve-2": "hide-and-seek-hugo", "hp reserve-2": 15}
    t = duel(own("slingshot-sadie", "1A 1N"), foe)
    assert {text for text in attacks(t) if "attack1" in text} == {
        "attack1 slingshot-sadie hide-and-seek-hugo"
    }
    go(t, "attack1 slingshot-sadie hide-and-seek-hugo")
    assert fallen(t) == [0, 1]
    hidden = {**foe, "marks reserve-2": ["+hiding"]}
    assert "attack1" not in verbs(duel(own("slingshot-sadie", "1A 1N"), hidden))


@pytest.mark.rules("KND-A-01", "KND-A-09", "KND-A-24", "KND-X-22")
def test_mudball_mo_lobs_from_the_back() -> None:
    back = {"active": "trashcan-lid-tess", "reserve-1": "mudball-mo", "under reserve-1": ["A", "A"]}
    t = duel(back, ROSA)
    assert "attack1 mudball-mo relay-rosa" in offered(t)
    assert "basic mudball-mo relay-rosa" not in offered(t)
    go(t, "attack1 mudball-mo relay-rosa")
    assert (hp(t, 1, "relay-rosa"), under(t, 0, "mudball-mo")) == (25, ["A"])
    t.done(1, "play")
    assert "attack1" not in verbs(duel({**back, "marks reserve-1": ["grounded"]}, ROSA))
    grounded = {**back, "marks active": ["grounded"]}
    assert attacks(duel(grounded, ROSA)) == {"attack1 mudball-mo relay-rosa"}
    nobody = {key: value for key, value in back.items() if key != "active"}
    assert attacks(duel(nobody, ROSA)) == {"attack1 mudball-mo relay-rosa"}


def test_headlock_hank_clashes() -> None:
    t = duel(own("headlock-hank", "1A 1N"), {**ROSA, "marks active": ["+safe"]})
    go(t, "attack1 headlock-hank relay-rosa")
    assert (hp(t, 1, "relay-rosa"), hp(t, 0, "headlock-hank")) == (5, 15)
    assert [event[4] for event in t.events if event[0] == "damage"] == ["attack", "attack"]


@pytest.mark.rules("KND-R-51", "KND-R-57")
def test_sugar_rush_bea_has_one_more_candy() -> None:
    t = duel(own("sugar-rush-bea"), ROSA)
    go(t, "effect sugar-rush-bea", "effect sugar-rush-bea", "effect sugar-rush-bea")
    assert (hp(t, 0, "sugar-rush-bea"), one(t, 0, "sugar-rush-bea")) == (5, (80, 0))
    assert "effect" not in verbs(t)
    assert "effect" not in verbs(duel(own("sugar-rush-bea", hp_active=10), ROSA))


@pytest.mark.rules("KND-R-27", "KND-R-28")
def test_relay_rosa_passes_the_baton() -> None:
    weak = {"active": "numbuh-3", "hp active": 5, "reserve-1": "numbuh-1"}
    for lies, attack in (("", "basic"), ("1A 1N", "attack1")):
        t = go(duel(own("relay-rosa", lies), weak), f"{attack} relay-rosa numbuh-3")
        assert len(hand(t, 0)) == 1
    t = go(duel(own("relay-rosa"), {"active": "numbuh-1"}), "basic relay-rosa numbuh-1")
    assert hand(t, 0) == []
    t = go(duel(own("relay-rosa", marks_active=["shushed"]), weak), "basic relay-rosa numbuh-3")
    assert hand(t, 0) == []


@pytest.mark.rules("KND-R-57", "KND-A-16", "KND-R-12")
def test_cannonball_kit_goes_all_in() -> None:
    t = duel(own("cannonball-kit", "2A", reserve_1="numbuh-3"), TESS)
    go(t, "attack1 cannonball-kit trashcan-lid-tess")
    assert fallen(t) == [0, 1]
    assert discard(t, 0) == ["attacker-energy", "attacker-energy", "cannonball-kit"]
    assert active(t, 0) == "numbuh-3"


@pytest.mark.rules("KND-R-11", "KND-A-25")
def test_scooter_skye_hits_and_runs() -> None:
    skye = own("scooter-skye", "1A", reserve_2="numbuh-3", reserve_4="relay-rosa")
    t = go(duel(skye, {"active": "numbuh-1"}), "attack1 scooter-skye numbuh-1")
    assert hp(t, 1, "numbuh-1") == 35
    assert offered(t) == {"pick numbuh-3", "pick relay-rosa", "no"}
    go(t, "pick relay-rosa")
    assert (active(t, 0), reserve(t, 0)[3]) == ("relay-rosa", "scooter-skye")
    t = go(duel(skye, {"active": "numbuh-1"}), "attack1 scooter-skye numbuh-1", "no")
    assert active(t, 0) == "scooter-skye"
    fallen_by_backlash = go(
        duel(
            {**skye, "hp active": 5}, {"active": "trashcan-lid-tess", "specials": ["blanket-fort"]}
        ),
        "attack1 scooter-skye trashcan-lid-tess",
    )
    assert fallen(fallen_by_backlash) == [1, 0]
    assert fallen_by_backlash.asked == (0, "promote")


def test_scooter_skye_is_always_rolling() -> None:
    hug = own("numbuh-3", "1P")
    foe = {"active": "scooter-skye", "under active": ["N"], "reserve-1": "numbuh-1"}
    t = go(duel(hug, foe), "attack1 numbuh-3 scooter-skye")
    assert marks(t, 1, "scooter-skye") == {"grounded"}
    assert "flee numbuh-1" in offered(t)
    t = go(duel(hug, {**foe, "marks active": ["shushed"]}), "attack1 numbuh-3 scooter-skye")
    assert "stuck" in marks(t, 1, "scooter-skye")


# -- Spies -----------------------------------------------------------------------------------------


@pytest.mark.rules("KND-R-42", "KND-Y-11")
def test_numbuh_5_takes_down_quietly() -> None:
    foe = {**ROSA, "hand": ["L", "milo-the-mole", "D"]}
    t = go(duel(own("numbuh-5", "2S"), foe, picks=[1]), "attack1 numbuh-5 relay-rosa")
    assert hand(t, 1)[:2] == ["leader-energy", "defender-energy"]
    assert discard(t, 1)[0] == "milo-the-mole"
    t = go(duel(own("numbuh-5", "2S"), {"active": "numbuh-1"}), "attack1 numbuh-5 numbuh-1")
    assert discard(t, 1) == []


@pytest.mark.rules("KND-R-30", "KND-R-43")
def test_numbuh_5_reads_the_room() -> None:
    foe = {**ROSA, "hand": ["L", "milo-the-mole"]}
    t = go(duel(own("numbuh-5", "1S"), foe), "effect numbuh-5")
    assert t.asked == (0, "pick-seen")
    assert offered(t) == {"discard leader-energy", "discard milo-the-mole"}
    go(t, "discard leader-energy")
    assert hand(t, 1) == ["milo-the-mole"]
    seen = seat_of(t, 1, 0)["hand"]
    assert [card["slug"] for card in seen["cards"]] == ["milo-the-mole"]
    assert seat_of(t, 1, 1)["hand"]["cards"][0]["seen"]
    assert seat_of(t, 1)["hand"] == {"count": 1, "cards": []}
    assert "effect" not in verbs(duel(own("numbuh-5", "1S"), ROSA))


@pytest.mark.rules("KND-R-42")
def test_locker_lou_empties_the_lockers() -> None:
    t = go(
        duel(own("locker-lou", "3S"), {**ROSA, "hand": ["L", "D", "A"]}, picks=[2, 0]),
        "attack2 locker-lou",
    )
    assert hand(t, 1)[0] == "defender-energy"
    t = go(duel(own("locker-lou", "3S"), {**ROSA, "hand": ["L"]}), "attack2 locker-lou")
    assert discard(t, 1) == ["leader-energy"]
    t = go(
        duel(own("locker-lou", "1S 1N"), {**ROSA, "hand": ["L"]}), "attack1 locker-lou relay-rosa"
    )
    assert discard(t, 1) == ["leader-energy"]


@pytest.mark.rules("KND-R-26", "KND-X-36")
def test_keyhole_kay() -> None:
    for cards, left in ((["N"] * 3, 25), (["N"] * 9, 5)):
        t = go(
            duel(own("keyhole-kay", "1S 1N"), {**ROSA, "hand": cards}),
            "attack1 keyhole-kay relay-rosa",
        )
        assert hp(t, 1, "relay-rosa") == left
    back = {"active": "numbuh-4", "reserve-1": "keyhole-kay", "under reserve-1": ["S"]}
    t = go(duel(back, {**ROSA, "hand": ["L", "D"]}), "effect keyhole-kay")
    assert seat_of(t, 1, 0)["hand"]["count"] == 2
    assert len(seat_of(t, 1, 0)["hand"]["cards"]) == 2
    assert "effect" not in verbs(t)
    go(t, "end", "end")
    assert "effect keyhole-kay" in offered(t)
    assert len(seat_of(t, 1, 0)["hand"]["cards"]) == 2
    assert seat_of(t, 1, 0)["hand"]["count"] == 3


@pytest.mark.rules("KND-R-40")
def test_shredder_pip_makes_a_paper_storm() -> None:
    t = go(
        duel(own("shredder-pip", "2S"), {**ROSA, "deck": ["L", "D", "A", "S"]}),
        "attack1 shredder-pip relay-rosa",
    )
    assert discard(t, 1) == ["attacker-energy", "defender-energy", "leader-energy"]
    t = go(
        duel(own("shredder-pip", "2S"), {**ROSA, "deck": ["L", "D"]}),
        "attack1 shredder-pip relay-rosa",
    )
    assert ended(t) == ((0,), "deck")


@pytest.mark.rules("KND-Y-12", "KND-R-21")
def test_double_cross_dot() -> None:
    t = go(
        duel(own("double-cross-dot"), {**TESS, "specials": ["blanket-fort"]}),
        "basic double-cross-dot trashcan-lid-tess",
    )
    assert hp(t, 1, "trashcan-lid-tess") == 20
    t = go(duel(own("double-cross-dot"), {"active": "numbuh-1"}), "basic double-cross-dot numbuh-1")
    assert hp(t, 1, "numbuh-1") == 40
    helmet = {**TESS, "under active": ["bike-helmet"]}
    t = go(
        duel(own("double-cross-dot", "1S 1N"), helmet), "attack1 double-cross-dot trashcan-lid-tess"
    )
    assert hp(t, 1, "trashcan-lid-tess") == 10
    zero = {**TESS, "marks active": ["dp-zero"]}
    t = go(
        duel(own("double-cross-dot", "1S 1N"), zero), "attack1 double-cross-dot trashcan-lid-tess"
    )
    assert hp(t, 1, "trashcan-lid-tess") == 45


@pytest.mark.rules("KND-X-25", "KND-A-06")
def test_a_shushed_dot_has_no_inside_job() -> None:
    dot = own("double-cross-dot", marks_active=["shushed"])
    t = go(duel(dot, TESS), "basic double-cross-dot trashcan-lid-tess")
    assert (hp(t, 1, "trashcan-lid-tess"), hp(t, 0, "double-cross-dot")) == (45, 40)


@pytest.mark.rules("KND-A-25", "KND-R-15")
def test_nothing_follows_once_the_user_has_fallen() -> None:
    """Rumour Mill makes the opponent discard, but Wes has fallen by backlash."""
    foe = {**TESS, "specials": ["blanket-fort"], "hand": ["L", "D"]}
    wes = own("whisper-wes", "1S", hp_active=5, reserve_1="numbuh-3", reserve_2="numbuh-1")
    t = go(duel(wes, foe), "attack1 whisper-wes trashcan-lid-tess")
    assert (fallen(t), t.asked) == ([1, 0], (0, "promote"))
    assert hand(t, 1) == ["leader-energy", "defender-energy"]


@pytest.mark.rules("KND-X-24", "KND-A-06")
def test_safe_helps_against_backlash() -> None:
    milo = own("milo-the-mole", hp_active=5, marks_active=["+safe"])
    t = go(duel(milo, TESS), "basic milo-the-mole trashcan-lid-tess")
    assert (hp(t, 0, "milo-the-mole"), fallen(t)) == (1, [0, 0])


@pytest.mark.rules("KND-R-46", "KND-R-59")
def test_whisper_wes() -> None:
    foe = {**ROSA, "hand": ["L", "D", "D"]}
    t = go(duel(own("whisper-wes", "1S"), foe), "attack1 whisper-wes relay-rosa")
    assert t.asked == (1, "discard-own")
    assert len(t.offered()) == 3
    assert offered(t) == {"discard leader-energy", "discard defender-energy"}
    go(t, "discard leader-energy")
    assert hand(t, 1)[:2] == ["defender-energy", "defender-energy"]
    t = go(
        duel({"active": "numbuh-4", "reserve-1": "whisper-wes", "under reserve-1": ["S"]}, ROSA),
        "effect whisper-wes",
    )
    assert (len(hand(t, 0)), discard(t, 0)) == (2, ["spy-energy"])


@pytest.mark.rules("KND-A-25", "KND-R-27")
def test_pickpocket_penny() -> None:
    foe = {**ROSA, "under active": ["A", "A", "N"]}
    t = go(duel(own("pickpocket-penny", "1S 1N"), foe), "attack1 pickpocket-penny relay-rosa")
    assert offered(t) == {"take attacker-energy relay-rosa", "take normal-energy relay-rosa"}
    go(t, "take attacker-energy relay-rosa")
    assert under(t, 1, "relay-rosa") == ["A", "N"]
    t = go(duel(own("pickpocket-penny", "1S 1N"), ROSA), "attack1 pickpocket-penny relay-rosa")
    t.done(1, "play")
    gone = {**foe, "hp active": 5, "reserve-1": "numbuh-3"}
    t = go(duel(own("pickpocket-penny", "1S 1N"), gone), "attack1 pickpocket-penny relay-rosa")
    t.done(1, "play")
    t = go(
        duel(own("pickpocket-penny"), {**ROSA, "deck": ["L", "N"]}),
        "basic pickpocket-penny relay-rosa",
    )
    assert discard(t, 1) == ["leader-energy"]
    t = go(
        duel(own("pickpocket-penny"), {**TESS, "deck": ["L", "N"]}),
        "basic pickpocket-penny trashcan-lid-tess",
    )
    assert discard(t, 1) == []


@pytest.mark.rules("KND-A-27", "KND-R-27")
def test_milo_the_mole() -> None:
    foe = {**ROSA, "reserve-1": "numbuh-3", "reserve-2": "hide-and-seek-hugo"}
    t = duel(
        own("milo-the-mole", "1S", hand=["milo-the-mole"]), {**foe, "marks reserve-2": ["+hiding"]}
    )
    assert {text for text in attacks(t) if "attack1" in text} == {
        "attack1 milo-the-mole relay-rosa", "attack1 milo-the-mole numbuh-3",
    }  # fmt: skip
    go(t, "place milo-the-mole reserve")
    assert (len(hand(t, 0)), deck_count(t, 0)) == (1, 19)
    go(t, "attack1 milo-the-mole numbuh-3")
    assert hp(t, 1, "numbuh-3") == 25
    silenced = {"active": "treehouse-marshal"}
    t = go(duel(own("numbuh-4", hand=["milo-the-mole"]), silenced), "place milo-the-mole reserve")
    assert hand(t, 0) == []


# -- Pacifists -------------------------------------------------------------------------------------


@pytest.mark.rules("KND-X-24", "KND-X-29", "KND-Y-14")
def test_numbuh_3_holds_a_tea_party() -> None:
    t = duel(own("numbuh-3", "2P", reserve_1="relay-rosa", hp_reserve_1=10), TESS)
    assert "basic" not in verbs(t)
    go(t, "attack2 numbuh-3", "pick relay-rosa")
    assert (hp(t, 0, "relay-rosa"), marks(t, 0, "relay-rosa")) == (30, {"safe"})
    go(t, "end")
    assert marks(t, 0, "relay-rosa") == set()


@pytest.mark.rules("KND-R-36", "KND-X-25")
def test_nap_time_nora_shushes_leaders_too() -> None:
    foe = {"active": "numbuh-1", "under active": ["L"]}
    t = go(duel(own("nap-time-nora", "2P", hp_active=5), foe), "attack1 nap-time-nora numbuh-1")
    assert (hp(t, 0, "nap-time-nora"), marks(t, 1, "numbuh-1")) == (15, {"grounded", "shushed"})
    assert offered(t) == {"attach normal-energy numbuh-1", "end"}


def test_hide_and_seek_hugo() -> None:
    t = go(duel(own("hide-and-seek-hugo", "1P"), ROSA), "attack1 hide-and-seek-hugo")
    assert (under(t, 0, "hide-and-seek-hugo"), discard(t, 0)) == ([], ["pacifist-energy"])
    assert marks(t, 0, "hide-and-seek-hugo") == {"hiding"}
    rows = t.match.outlook(t.match.prompts[1])["attacks"]
    assert rows[0]["why"] == "Your opponent’s Active Character is Hiding"
    go(t, "end")
    assert marks(t, 0, "hide-and-seek-hugo") == set()


def test_peace_sign_petra_calls_a_truce() -> None:
    foe = {
        **ROSA,
        "reserve-1": "mudball-mo",
        "under reserve-1": ["A", "A"],
        "hand": ["milo-the-mole", "fire-drill"],
    }
    t = go(duel(own("peace-sign-petra", "2P 1N"), foe), "attack1 peace-sign-petra")
    assert not attacks(t)
    go(t, "place milo-the-mole reserve", "special fire-drill", "pick milo-the-mole")
    assert attacks(t) == {"basic milo-the-mole peace-sign-petra"}


@pytest.mark.rules("KND-A-24", "KND-R-18")
def test_home_base_tao_is_safe() -> None:
    t = go(duel(own("home-base-tao", "1P"), ROSA), "attack1 home-base-tao")
    assert (under(t, 0, "home-base-tao"), marks(t, 0, "home-base-tao")) == ([], {"safe"})
    t = go(duel(own("home-base-tao", "1P 1A"), ROSA), "attack1 home-base-tao")
    assert t.asked == (0, "pay")
    go(t, "discard attacker-energy")
    assert under(t, 0, "home-base-tao") == ["P"]


@pytest.mark.rules("KND-A-24", "KND-X-26")
def test_daydream_dilly_needs_somebody_to_stay() -> None:
    assert "attack1" not in verbs(duel(own("daydream-dilly", "1P"), ROSA))
    stuck = own("daydream-dilly", "1P", reserve_1="numbuh-3", marks_active=["stuck"])
    t = duel(stuck, ROSA)
    assert "attack1" not in verbs(t)
    assert t.match.outlook(t.match.prompts[0])["attacks"][1]["why"] == "Stuck"


def test_lemonade_lena() -> None:
    t = duel(own("lemonade-lena", "1P", hp_active=5, reserve_1="numbuh-3", hp_reserve_1=30), ROSA)
    go(t, "attack1 lemonade-lena")
    assert (len(hand(t, 0)), len(hand(t, 1))) == (1, 2)
    assert (hp(t, 0, "lemonade-lena"), hp(t, 0, "numbuh-3")) == (15, 35)
    t = go(duel(own("lemonade-lena", "2P 1N"), {**ROSA, "deck": 5}), "attack2 lemonade-lena")
    assert (len(hand(t, 1)), deck_count(t, 1)) == (4, 1)


@pytest.mark.rules("KND-R-21")
def test_quiet_corner_quinn() -> None:
    foe = {**ROSA, "reserve-1": "numbuh-1"}
    t = go(duel(own("quiet-corner-quinn", "1A"), foe), "attack1 quiet-corner-quinn")
    assert (one(t, 1, "relay-rosa"), one(t, 1, "numbuh-1")) == ((10, 5), (0, 10))
    t = duel(own("quiet-corner-quinn", "1A", reserve_5="numbuh-3"), foe)
    go(t, "attack2 quiet-corner-quinn")
    assert (active(t, 0), reserve(t, 0)[4]) == ("numbuh-3", "quiet-corner-quinn")
    assert "attack2" not in verbs(duel(own("quiet-corner-quinn", "1A"), foe))
