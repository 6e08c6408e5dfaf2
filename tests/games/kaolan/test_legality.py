"""Section 7 of the rules: every check with a legal, a just illegal and an absurd list."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kaolan.legality import DECK_RULES, MODES, check_deck, check_format
from rules.engine.cards import load_catalog, load_decks
from rules.engine.errors import BadData, UnknownGame
from rules.engine.legality import Problem, Report, apply_fix

CATALOG = load_catalog("games.kaolan")
DECKS = load_decks("games.kaolan")
MASTER = dict(DECKS["kaolan-master"].cards["main"])
WILDFIRE = dict(DECKS["kaolan-ready-wildfire"].cards["main"])
MASTER_IN_ORDER = [slug for slug in CATALOG if slug in MASTER]
BOOSTER_ONLY = [slug for slug, card in CATALOG.items() if "master" not in card.sets]
GOLD = [slug for slug, card in CATALOG.items() if card.colour == "gold"]
ABSURD = 10**12

RED_7, RED_CLAW, GOLD_6, GOLD_CLAW = (
    "kao-pow-red-07",
    "kao-char-red-claw",
    "kao-pow-gold-06",
    "kao-char-gold-claw",
)
WAR_DRUMS, PRISM_HEART = "kao-sa-war-drums", "kao-sa-prism-heart"


def check(
    mode: str,
    cards: Mapping[str, int],
    *format_options: str,
    name: str = "Ember",
    owned: Mapping[str, int] | None = None,
) -> Report:
    return check_deck(
        mode, {"main": cards}, dict.fromkeys(format_options, True), name=name, owned=owned
    )


def found(report: Report, rule: str) -> list[Problem]:
    return [problem for problem in report.problems if problem.rule == rule]


def only(report: Report, rule: str) -> Problem:
    (problem,) = found(report, rule)
    return problem


def summary(problem: Problem) -> tuple[str, str, tuple[str, ...], int | None, int | None]:
    return (
        problem.severity,
        problem.message,
        problem.cards,
        problem.found,
        problem.allowed,
    )


def mended(cards: Mapping[str, int], problem: Problem) -> dict[str, int]:
    assert problem.fix is not None
    return apply_fix({"main": cards}, problem.fix)["main"]


def with_cards(cards: Mapping[str, int], **changes: int) -> dict[str, int]:
    """A list with other counts; underscores stand for hyphens, 0 takes a card out."""
    changed = {**cards, **{slug.replace("_", "-"): n for slug, n in changes.items()}}
    return {slug: count for slug, count in changed.items() if count}


def padded(size: int) -> dict[str, int]:
    """A list of ``size`` cards that no check but those of the size can mind: two copies of as
    many coloured cards as it takes, after the Master Deck."""
    cards = dict(MASTER)
    for slug in MASTER:
        if sum(cards.values()) == size:
            break
        cards[slug] += 1
    for slug in BOOSTER_ONLY:
        if sum(cards.values()) == size:
            break
        if slug not in GOLD:
            cards[slug] = 1
    assert sum(cards.values()) == size
    return cards


# Lists that all is well with


@pytest.mark.parametrize("mode", ["match", "power"])
def test_the_plain_master_deck_is_a_legal_shared_deck_d_03_to_d_07(mode: str) -> None:
    assert check(mode, MASTER).problems == ()


@pytest.mark.parametrize("slug", [s for s in DECKS if s != "kaolan-master"])
@pytest.mark.parametrize(
    "format_option", [None, "singleton", "exact_size", "no_gold", "master_only"]
)
def test_ready_made_decks_are_legal_in_every_format_d_08_to_d_18(
    slug: str, format_option: str | None
) -> None:
    options = [format_option] if format_option else []
    assert check("tournament", DECKS[slug].cards["main"], *options).problems == ()


# All modes with decks


@pytest.mark.parametrize("mode", ["match", "power", "tournament"])
def test_d_01_every_entry_is_a_kaolan_card(mode: str) -> None:
    cards = MASTER if mode != "tournament" else WILDFIRE
    wrong = with_cards(cards, kao_char_red_unicorn=2)
    problem = only(check(mode, wrong), "KAO-D-01")
    assert summary(problem) == (
        "error",
        "“kao-char-red-unicorn” is not a Kaolan card.",
        ("kao-char-red-unicorn",),
        2,
        0,
    )
    assert mended(wrong, problem) == cards
    assert check(mode, mended(wrong, problem)).legal


def test_d_01_absurd_entries_count_for_nothing_else() -> None:
    report = check("tournament", {"": 30, "{deck}": ABSURD, "<b>": 1})
    assert [p.message for p in found(report, "KAO-D-01")] == [
        "“” is not a Kaolan card.",
        "“{deck}” is not a Kaolan card.",
        "“<b>” is not a Kaolan card.",
    ]
    assert only(report, "KAO-D-08").found == 0


def test_d_02_as_many_copies_as_owned_are_legal() -> None:
    cards = with_cards(WILDFIRE, kao_pow_red_07=2)
    assert not found(check("tournament", cards, owned=cards), "KAO-D-02")
    assert check("tournament", cards, owned=None).legal


def test_d_02_one_copy_more_than_owned() -> None:
    cards = with_cards(WILDFIRE, kao_pow_red_07=2)
    problem = only(check("tournament", cards, owned={**cards, RED_7: 1}), "KAO-D-02")
    assert summary(problem) == (
        "error",
        "Ember uses 2 copies of Red 7, but you own 1.",
        (RED_7,),
        2,
        1,
    )
    assert mended(cards, problem)[RED_7] == 1


def test_d_02_absurd_nothing_is_owned() -> None:
    cards = {**WILDFIRE, WAR_DRUMS: ABSURD}
    problems = found(check("tournament", cards, owned={}), "KAO-D-02")
    assert len(problems) == 41
    assert problems[0].message == "Ember uses 1 copy of Red Flame, but you own 0."
    assert problems[0].fix is not None and problems[0].fix.label == "Take out Red Flame"
    assert problems[-5].message == f"Ember uses {ABSURD} copies of War Drums, but you own 0."


@pytest.mark.parametrize(
    ("mode", "cards"),
    [
        ("match", MASTER),
        ("power", MASTER),
        *(("tournament", d.cards["main"]) for s, d in DECKS.items() if s != "kaolan-master"),
    ],
)
def test_d_02_ready_made_decks_and_the_plain_master_deck_are_exempt(
    mode: str, cards: Mapping[str, int]
) -> None:
    assert check(mode, cards, owned={}).legal
    assert not check(mode, {**cards, WAR_DRUMS: 1}, owned=cards).legal


# Shared deck


@pytest.mark.parametrize("mode", ["match", "power"])
def test_d_03_at_least_60_cards(mode: str) -> None:
    assert not found(check(mode, MASTER), "KAO-D-03")
    short = with_cards(MASTER, kao_op_ambush=0)
    problem = only(check(mode, short), "KAO-D-03")
    assert summary(problem) == (
        "error",
        "Ember has 59 cards; a shared Kaolan deck needs at least 60.",
        (),
        59,
        60,
    )
    assert problem.fix is not None and problem.fix.label == "Add Ambush"
    assert check(mode, mended(short, problem)).problems == ()


def test_d_03_absurd_an_empty_deck_is_filled_with_the_master_deck() -> None:
    for empty in ({}, {"main": {}}, {"main": {RED_7: 0}}):
        report = check_deck("match", empty)
        assert only(report, "KAO-D-03").message == (
            "This deck has 0 cards; a shared Kaolan deck needs at least 60."
        )
        assert mended({}, only(report, "KAO-D-03")) == MASTER
    assert only(check("match", {RED_7: 1}), "KAO-D-03").message.startswith("Ember has 1 card;")


@pytest.mark.parametrize(
    ("mode", "rule"), [("match", "KAO-D-04"), ("power", "KAO-D-04"), ("tournament", "KAO-D-09")]
)
@pytest.mark.rules("KAO-D-09")
def test_d_04_and_d_09_at_most_120_cards(mode: str, rule: str) -> None:
    assert not found(check(mode, padded(120)), rule)
    assert check(mode, padded(120)).legal
    large = padded(121)
    problem = only(check(mode, large), rule)
    assert summary(problem) == (
        "error",
        "Ember has 121 cards; at most 120 are allowed.",
        (),
        121,
        120,
    )
    assert problem.fix is not None
    assert problem.fix.label == "Take out 1 copy of Power Surge", "the last one there are two of"
    assert sum(mended(large, problem).values()) == 120
    assert check(mode, mended(large, problem)).legal


@pytest.mark.parametrize(("mode", "rule"), [("match", "KAO-D-04"), ("tournament", "KAO-D-09")])
@pytest.mark.rules("KAO-D-09")
def test_d_04_and_d_09_absurd_counts_are_cut_from_the_surplus_first(mode: str, rule: str) -> None:
    cards = with_cards(MASTER, kao_pow_red_07=ABSURD)
    problem = only(check(mode, cards), rule)
    assert problem.found == ABSURD + 59
    assert mended(cards, problem) == {**MASTER, RED_7: 2}, "no more copies than are allowed"


@pytest.mark.parametrize("mode", ["match", "power"])
def test_d_05_each_master_deck_card_at_least_once(mode: str) -> None:
    assert not found(check(mode, padded(90)), "KAO-D-05")
    cards = with_cards(padded(90), kao_char_red_claw=0, kao_op_salvage=0)
    claw, salvage = found(check(mode, cards), "KAO-D-05")
    assert summary(claw) == (
        "error",
        "Red Claw from the Master Deck is missing (0 found, at least 1 needed).",
        (RED_CLAW,),
        0,
        1,
    )
    assert salvage.cards == ("kao-op-salvage",)
    assert check(mode, mended(mended(cards, claw), salvage)).legal


def test_d_05_absurd_a_deck_without_a_single_master_deck_card() -> None:
    report = check("match", dict.fromkeys(BOOSTER_ONLY, 1))
    assert [p.cards[0] for p in found(report, "KAO-D-05")] == MASTER_IN_ORDER
    assert not found(check("tournament", WILDFIRE), "KAO-D-05")


@pytest.mark.parametrize("mode", ["match", "power"])
def test_d_06_copies_of_a_shared_deck(mode: str) -> None:
    legal = {**MASTER, RED_7: 2, GOLD_6: 1, WAR_DRUMS: 2}
    assert check(mode, legal).legal
    cards = {**legal, RED_7: 3, GOLD_6: 2, WAR_DRUMS: 3, GOLD_CLAW: 2}
    problems = found(check(mode, cards), "KAO-D-06")
    assert [p.message for p in problems] == [
        "Gold Claw (gold): 2 copies found, 1 allowed.",
        "Red 7: 3 copies found, 2 allowed.",
        "Gold 6 (gold): 2 copies found, 1 allowed.",
        "War Drums: 3 copies found, 2 allowed.",
    ]
    assert [(p.found, p.allowed) for p in problems] == [(2, 1), (3, 2), (2, 1), (3, 2)]
    for problem in problems:
        cards = mended(cards, problem)
    assert cards == {**legal, GOLD_CLAW: 1}


def test_d_06_absurd_copies() -> None:
    problem = only(check("power", with_cards(MASTER, kao_pow_red_07=ABSURD)), "KAO-D-06")
    assert problem.message == f"Red 7: {ABSURD} copies found, 2 allowed."
    assert problem.fix is not None and problem.fix.changes == {RED_7: 2 - ABSURD}


@pytest.mark.parametrize("mode", ["match", "power"])
def test_d_07_notice_of_the_cards_left_out(mode: str) -> None:
    assert not found(check(mode, MASTER), "KAO-D-07")
    report = check(mode, padded(61))
    notice = only(report, "KAO-D-07")
    assert report.legal and report.warnings == (notice,)
    assert notice.message == "1 randomly chosen card will be left out at the start."
    assert notice.fix is None
    absurd = only(check(mode, with_cards(MASTER, kao_pow_red_07=ABSURD)), "KAO-D-07")
    assert absurd.message == f"{ABSURD - 1} randomly chosen cards will be left out at the start."


# Tournament deck


@pytest.mark.rules("KAO-D-08")
def test_d_08_at_least_40_cards() -> None:
    assert check("tournament", WILDFIRE).legal
    short = with_cards(WILDFIRE, kao_op_ambush=0, kao_pow_red_12=0)
    problem = only(check("tournament", short), "KAO-D-08")
    assert summary(problem) == (
        "error",
        "Ember has 38 cards; a Tournament deck needs at least 40.",
        (),
        38,
        40,
    )
    assert problem.fix is not None and problem.fix.label == "Add Red 12 and Shadow Step"
    assert check("tournament", mended(short, problem)).problems == ()


@pytest.mark.rules("KAO-D-08")
def test_d_08_absurd_an_empty_deck_becomes_a_playable_one() -> None:
    report = check("tournament", {})
    assert [p.rule for p in report.problems] == ["KAO-D-08", "KAO-D-10"]
    assert check("tournament", mended({}, only(report, "KAO-D-08"))).problems == ()
    assert (
        mended({}, only(check("tournament", {}, owned=MASTER), "KAO-D-08")).keys() <= MASTER.keys()
    )
    assert only(check("tournament", {}, owned={}), "KAO-D-08").fix is None


@pytest.mark.rules("KAO-D-10")
def test_d_10_at_least_5_characters() -> None:
    characters = [slug for slug in WILDFIRE if CATALOG[slug].kind == "character"]
    five = {slug: n for slug, n in WILDFIRE.items() if slug not in characters[5:]}
    assert not found(check("tournament", five), "KAO-D-10")
    four = {slug: n for slug, n in five.items() if slug != characters[0]}
    problem = only(check("tournament", four), "KAO-D-10")
    assert summary(problem) == (
        "error",
        "Ember has 4 Characters; at least 5 are needed.",
        (),
        4,
        5,
    )
    assert problem.fix is not None and problem.fix.label == "Add Red Flame"
    assert not found(check("tournament", mended(four, problem)), "KAO-D-10")


@pytest.mark.rules("KAO-D-10")
def test_d_10_copies_of_a_character_count() -> None:
    powers = {slug: n for slug, n in MASTER.items() if CATALOG[slug].kind != "character"}
    assert not found(check("tournament", {**powers, RED_CLAW: 2, GOLD_CLAW: 3}), "KAO-D-10")
    problem = only(check("tournament", {**powers, RED_CLAW: 1}), "KAO-D-10")
    assert problem.message == "Ember has 1 Character; at least 5 are needed."


@pytest.mark.rules("KAO-D-10")
def test_d_10_absurd_no_character_at_all() -> None:
    cards = {"kao-pow-blue-07": ABSURD}
    problem = only(check("tournament", cards), "KAO-D-10")
    assert problem.message == "Ember has 0 Characters; at least 5 are needed."
    added = mended(cards, problem)
    assert sum(n for slug, n in added.items() if CATALOG[slug].kind == "character") == 5
    assert {CATALOG[slug].colour for slug in added} == {"blue"}


@pytest.mark.rules("KAO-D-11")
def test_d_11_at_most_2_copies_of_cards_that_are_not_gold() -> None:
    legal = {**WILDFIRE, RED_7: 2, WAR_DRUMS: 2, RED_CLAW: 2}
    assert check("tournament", legal).legal
    report = check("tournament", {**legal, RED_7: 3, RED_CLAW: 3})
    claw, seven = found(report, "KAO-D-11")
    assert summary(seven) == ("error", "Red 7: 3 copies found, 2 allowed.", (RED_7,), 3, 2)
    assert claw.message == "Red Claw: 3 copies found, 2 allowed."
    assert claw.fix is not None and claw.fix.label == "Take out 1 copy of Red Claw"
    absurd = only(check("tournament", {**legal, WAR_DRUMS: ABSURD}), "KAO-D-11")
    assert absurd.message == f"War Drums: {ABSURD} copies found, 2 allowed."


@pytest.mark.rules("KAO-D-12")
def test_d_12_at_most_1_copy_of_gold_cards() -> None:
    legal = {**WILDFIRE, **dict.fromkeys(GOLD, 1)}
    assert check("tournament", legal).legal
    report = check("tournament", {**legal, GOLD_6: 2, GOLD_CLAW: 2})
    claw, six = found(report, "KAO-D-12")
    assert summary(six) == (
        "error",
        "Gold 6 (gold): 2 copies found, 1 allowed.",
        (GOLD_6,),
        2,
        1,
    )
    assert claw.cards == (GOLD_CLAW,)
    assert not found(report, "KAO-D-11")
    absurd = only(check("tournament", {**legal, GOLD_6: ABSURD}), "KAO-D-12")
    assert (absurd.found, absurd.allowed) == (ABSURD, 1)


@pytest.mark.rules("KAO-D-13")
def test_d_13_notice_of_the_cards_left_out() -> None:
    assert not found(check("tournament", WILDFIRE), "KAO-D-13")
    report = check("tournament", {**WILDFIRE, WAR_DRUMS: 1})
    assert report.legal
    assert only(report, "KAO-D-13").severity == "warning"
    assert only(report, "KAO-D-13").message == (
        "1 randomly chosen card will be left out at the start."
        " Exactly 40 cards are always all used."
    )
    assert only(check("tournament", padded(120)), "KAO-D-13").message.startswith(
        "80 randomly chosen"
    )


@pytest.mark.rules("KAO-D-14")
def test_d_14_notice_of_power_cards_that_nothing_can_hold() -> None:
    blue = {"kao-pow-blue-04": 1, "kao-pow-blue-09": 1}
    report = check("tournament", {**WILDFIRE, **blue})
    four, nine = found(report, "KAO-D-14")
    assert report.legal
    assert (four.severity, four.message, four.cards) == (
        "warning",
        "No Character in Ember can hold Blue 4.",
        ("kao-pow-blue-04",),
    )
    assert nine.cards == ("kao-pow-blue-09",)
    assert four.fix is not None and four.fix.label == "Add Blue Flame"
    assert not found(check("tournament", mended({**WILDFIRE, **blue}, four)), "KAO-D-14")


@pytest.mark.parametrize("holder", ["kao-char-blue-starmaster", GOLD_CLAW, PRISM_HEART])
@pytest.mark.rules("KAO-D-14")
def test_d_14_a_character_of_the_colour_a_gold_one_and_prism_heart_can_hold(holder: str) -> None:
    cards = {**WILDFIRE, "kao-pow-blue-04": 1, holder: 1}
    assert not found(check("tournament", cards), "KAO-D-14")


@pytest.mark.rules("KAO-D-14")
def test_d_14_gold_power_cards_need_no_gold_character() -> None:
    assert not found(check("tournament", {**WILDFIRE, GOLD_6: 1}), "KAO-D-14")


@pytest.mark.rules("KAO-D-14")
def test_d_14_where_no_character_may_come_in_the_card_goes_out() -> None:
    cards = with_cards(WILDFIRE, kao_pow_red_02=0, kao_pow_blue_04=1)
    full = only(check("tournament", cards, "exact_size"), "KAO-D-14")
    assert full.fix is not None and full.fix.label == "Swap Blue 4 for Red 2"
    not_owned = only(check("tournament", cards, owned=cards), "KAO-D-14")
    assert not_owned.fix is not None and not_owned.fix.label == "Take out Blue 4"


@pytest.mark.rules("KAO-D-14")
def test_d_14_absurd_only_power_cards() -> None:
    powers = [s for s, card in CATALOG.items() if card.kind == "power" and card.colour != "gold"]
    report = check_deck("tournament", {"main": dict.fromkeys(powers, ABSURD)})
    assert [p.cards[0] for p in found(report, "KAO-D-14")] == powers
    assert found(report, "KAO-D-14")[0].message == "No Character in this deck can hold Red 2."
    assert not found(check("match", dict.fromkeys(powers, 1)), "KAO-D-14")


# House options


@pytest.mark.parametrize(("mode", "legal"), [("match", MASTER), ("tournament", WILDFIRE)])
@pytest.mark.rules("KAO-D-15")
def test_d_15_singleton(mode: str, legal: Mapping[str, int]) -> None:
    assert check(mode, legal, "singleton").legal
    cards = {**legal, RED_7: 2}
    problem = only(check(mode, cards, "singleton"), "KAO-D-15")
    assert summary(problem) == (
        "error",
        "Red 7: 2 copies found, 1 allowed in this format.",
        (RED_7,),
        2,
        1,
    )
    assert mended(cards, problem) == legal
    absurd = check(mode, {**legal, GOLD_6: ABSURD}, "singleton")
    assert only(absurd, "KAO-D-15").found == ABSURD
    assert only(absurd, "KAO-D-12" if mode == "tournament" else "KAO-D-06").allowed == 1


@pytest.mark.parametrize(
    ("mode", "legal", "size"),
    [("match", MASTER, 60), ("power", MASTER, 60), ("tournament", WILDFIRE, 40)],
)
@pytest.mark.rules("KAO-D-16")
def test_d_16_exact_size(mode: str, legal: Mapping[str, int], size: int) -> None:
    assert check(mode, legal, "exact_size").problems == ()
    large = {**legal, WAR_DRUMS: 1}
    problem = only(check(mode, large, "exact_size"), "KAO-D-16")
    assert summary(problem) == (
        "error",
        f"Ember has {size + 1} cards; this format needs exactly {size}.",
        (),
        size + 1,
        size,
    )
    assert mended(large, problem) == legal
    small = {slug: n for slug, n in legal.items() if slug != RED_7}
    too_small = only(check(mode, small, "exact_size"), "KAO-D-16")
    assert sum(mended(small, too_small).values()) == size
    absurd = {**legal, RED_7: ABSURD}
    cut = mended(absurd, only(check(mode, absurd, "exact_size"), "KAO-D-16"))
    assert sum(cut.values()) == size


@pytest.mark.parametrize(("mode", "legal"), [("match", MASTER), ("tournament", WILDFIRE)])
@pytest.mark.rules("KAO-D-17")
def test_d_17_no_gold(mode: str, legal: Mapping[str, int]) -> None:
    assert check(mode, legal, "no_gold").legal
    cards = {**legal, GOLD_6: 1}
    problem = only(check(mode, cards, "no_gold"), "KAO-D-17")
    assert summary(problem) == (
        "error",
        "Gold 6 is gold; this format allows 0 gold cards (1 found).",
        (GOLD_6,),
        1,
        0,
    )
    assert mended(cards, problem) == legal
    absurd = check(mode, {**legal, **dict.fromkeys(GOLD, ABSURD)}, "no_gold")
    assert [p.cards[0] for p in found(absurd, "KAO-D-17")] == GOLD
    first = found(absurd, "KAO-D-17")[0]
    assert first.fix is not None
    assert first.fix.label == f"Take out all {ABSURD} copies of Gold Flame"


@pytest.mark.parametrize(("mode", "legal"), [("match", MASTER), ("tournament", WILDFIRE)])
@pytest.mark.rules("KAO-D-18")
def test_d_18_master_only(mode: str, legal: Mapping[str, int]) -> None:
    # Red 6 was printed again in Emberfall; it stays a Master Deck card.
    assert check(mode, {**legal, "kao-pow-red-06": 2}, "master_only").legal
    cards = {**legal, WAR_DRUMS: 2}
    problem = only(check(mode, cards, "master_only"), "KAO-D-18")
    assert summary(problem) == (
        "error",
        (
            "War Drums comes from a booster; this format allows Master Deck cards only"
            " (2 found, 0 allowed)."
        ),
        (WAR_DRUMS,),
        2,
        0,
    )
    assert mended(cards, problem) == legal
    absurd = check(mode, dict.fromkeys(BOOSTER_ONLY, ABSURD), "master_only")
    assert [p.cards[0] for p in found(absurd, "KAO-D-18")] == BOOSTER_ONLY
    assert len(BOOSTER_ONLY) == 37


@pytest.mark.rules("KAO-D-19")
def test_d_19_classic_holds_the_whole_master_deck() -> None:
    assert check("tournament", {**MASTER, WAR_DRUMS: 1}, "classic").legal
    cards = with_cards(MASTER, kao_char_red_claw=0)
    assert check("tournament", cards).legal
    problem = only(check("tournament", cards, "classic"), "KAO-D-19")
    assert summary(problem) == (
        "error",
        "Red Claw from the Master Deck is missing (0 found, at least 1 needed).",
        (RED_CLAW,),
        0,
        1,
    )
    assert mended(cards, problem) == {**MASTER, RED_CLAW: 1}
    absurd = check("tournament", {}, "classic")
    assert [p.cards[0] for p in found(absurd, "KAO-D-19")] == MASTER_IN_ORDER


@pytest.mark.rules("KAO-R-88")
def test_a_tournament_deck_is_picked_card_by_card_unless_it_is_classic() -> None:
    picked = DECKS["kaolan-ready-wildfire"].cards["main"]
    assert set(picked) < set(MASTER)
    assert check("tournament", picked).legal
    assert found(check("tournament", picked, "classic"), "KAO-D-19")


@pytest.mark.rules("KAO-D-19")
def test_d_19_classic_means_nothing_to_shared_decks() -> None:
    assert not found(check("match", {}, "classic"), "KAO-D-19")


@pytest.mark.rules("KAO-D-20")
def test_d_20_classic_and_exact_size_exclude_each_other_in_tournament() -> None:
    both = {"classic": True, "exact_size": True}
    problem = only(check_format("tournament", both), "KAO-D-20")
    assert problem.severity == "error"
    assert problem.message == (
        "Classic decks hold the whole Master Deck (60 cards) and cannot have exactly 40."
    )
    assert not check_format("tournament", dict.fromkeys(DECK_RULES.options, True)).legal
    for mode in ("match", "power", "single"):
        assert check_format(mode, both).legal
    for option in DECK_RULES.options:
        assert check_format("tournament", {option: True}).legal
    assert check_format("tournament", {**both, "classic": False}).legal
    assert check_format("tournament", None).legal


def test_single_play_checks_nothing() -> None:
    assert check("single", {}).problems == ()
    assert check("single", {"unicorn": ABSURD}, "singleton", owned={}).problems == ()


# What cannot be read


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(UnknownGame, match="Kaolan has no mode “chess”"):
        check_deck("chess", {})
    with pytest.raises(UnknownGame):
        check_format("chess", None)


@pytest.mark.parametrize(
    ("decklist", "message"),
    [
        ({"side": {RED_7: 1}}, "no section “side”"),
        ({"main": {RED_7: -1}}, "whole number of at least 0, not -1"),
        ({"main": {RED_7: 1.5}}, "not 1.5"),
        ({"main": {RED_7: "2"}}, "not '2'"),
        ({"main": [RED_7]}, "section “main” is an object"),
        ([RED_7], "A deck list is an object"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused(decklist: object, message: str) -> None:
    with pytest.raises(BadData, match=message):
        check_deck("tournament", decklist)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("format", "message"),
    [
        ({"vintage": True}, "no format option “vintage”"),
        ({"singleton": 1}, "“singleton” is true or false, not 1"),
        (["singleton"], "A format is an object of options"),
    ],
)
def test_a_format_that_cannot_be_read_is_refused(format: object, message: str) -> None:
    with pytest.raises(BadData, match=message):
        check_deck("tournament", {}, format)  # type: ignore[arg-type]
    with pytest.raises(BadData, match=message):
        check_format("tournament", format)  # type: ignore[arg-type]


# W20


@pytest.mark.rules(
    "KAO-D-08", "KAO-D-09", "KAO-D-10", "KAO-D-11", "KAO-D-12", "KAO-D-13", "KAO-D-14"
)
def test_w20_old_guard_d_08_to_d_14() -> None:
    cards = {
        "kao-char-red-flame": 2,
        RED_CLAW: 1,
        "kao-char-gold-stinger": 1,
        RED_7: 3,
        GOLD_6: 2,
        "kao-pow-blue-04": 1,
        **{f"kao-pow-red-{number:02}": 2 for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)},
        **dict.fromkeys(BOOSTER_ONLY[-8:], 1),
        "kao-op-ambush": 2,
        "kao-op-salvage": 1,
    }
    assert sum(cards.values()) == 41
    report = check("tournament", cards, name="Old Guard", owned=cards)
    assert [(p.rule, p.severity) for p in report.problems] == [
        ("KAO-D-10", "error"),
        ("KAO-D-11", "error"),
        ("KAO-D-12", "error"),
        ("KAO-D-13", "warning"),
    ]
    characters, sevens, sixes, left_out = report.problems
    assert characters.message == "Old Guard has 4 Characters; at least 5 are needed."
    assert (sevens.cards, sevens.found, sevens.allowed) == ((RED_7,), 3, 2)
    assert (sixes.cards, sixes.found, sixes.allowed) == ((GOLD_6,), 2, 1)
    assert left_out.message.startswith("1 randomly chosen card will be left out")
    assert not report.legal


# Any list at all

# A busy machine is not a failure.
unhurried = settings(deadline=None)

counts = st.dictionaries(
    st.sampled_from([*CATALOG, "unicorn", ""]), st.integers(0, 4) | st.integers(0, 200), max_size=97
)
formats = st.dictionaries(st.sampled_from(DECK_RULES.options), st.booleans())
ownership = st.none() | counts


@unhurried
@given(mode=st.sampled_from(MODES), cards=counts, format=formats, owned=ownership)
def test_problems_come_in_the_order_of_rules_and_cards(
    mode: str, cards: dict[str, int], format: dict[str, bool], owned: dict[str, int] | None
) -> None:
    report = check_deck(mode, {"main": cards}, format, owned=owned)
    order = {slug: number for number, slug in enumerate(CATALOG)}
    keys = [
        (problem.rule, order[problem.cards[0]] if problem.cards else 0)
        for problem in report.problems
        if problem.rule != "KAO-D-01"
    ]
    assert keys == sorted(set(keys))


@unhurried
@given(mode=st.sampled_from(MODES), cards=counts, format=formats, owned=ownership)
def test_the_order_of_a_list_does_not_matter(
    mode: str, cards: dict[str, int], format: dict[str, bool], owned: dict[str, int] | None
) -> None:
    cards.pop("", None)
    backwards = dict(reversed(cards.items()))
    assert check_deck(mode, {"main": cards}, format, owned=owned) == check_deck(
        mode, {"main": backwards}, format, owned=owned
    )


@pytest.mark.slow
@unhurried
@given(mode=st.sampled_from(MODES), cards=counts, format=formats)
def test_pressing_a_fix_mends_its_own_problem(
    mode: str, cards: dict[str, int], format: dict[str, bool]
) -> None:
    """Without limits by ownership every problem's fix makes that problem go away; only in a
    contradictory format (KAO-D-20) may there be nothing to press."""
    possible = check_format(mode, format).legal
    for problem in check_deck(mode, {"main": cards}, format).problems:
        if problem.fix is None:
            assert problem.severity == "warning" or not possible or "no_gold" in format
            continue
        after = check_deck(mode, apply_fix({"main": cards}, problem.fix), format)
        again = [p for p in after.problems if (p.rule, p.cards) == (problem.rule, problem.cards)]
        assert not again or not possible, problem


@unhurried
@given(cards=counts, format=formats)
def test_additions_keep_to_what_is_owned(cards: dict[str, int], format: dict[str, bool]) -> None:
    owned = dict.fromkeys(WILDFIRE, 1)
    for problem in check_deck("tournament", {"main": cards}, format, owned=owned).problems:
        if problem.rule == "KAO-D-19":  # a classic deck needs the card, whoever owns it
            continue
        for slug, change in problem.fix.changes.items() if problem.fix else ():
            assert change < 0 or cards.get(slug, 0) + change <= owned.get(slug, 0)
