"""Section 7 of the rules specification: every check with a legal and an illegal list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.battle_krabz import GAME
from games.battle_krabz.legality import DECK_RULES, cards_of, check_deck, check_table
from games.battle_krabz.state import catalog
from rules.engine.cards import load_decks
from rules.engine.errors import BadData, UnknownGame
from rules.engine.legality import Problem, Report, apply_fix

CATALOG = catalog()
DECKS = load_decks("games.battle_krabz")
KRABZ = dict(DECKS["starter-krabz"].cards["main"])
ENEMIGOS = dict(DECKS["starter-enemigos"].cards["main"])
TRUMPS = dict(DECKS["trumps-krabz"].cards["main"])


def warriors_in(deck: Mapping[str, int]) -> set[str]:
    """The sides of a deck's Warriors: ``K``, ``E``."""
    return {CATALOG[slug]["side"] for slug in deck if CATALOG[slug].kind == "warrior"}


BATTLE_OPTIONS = {"target": 20, "factions": "opposed"}


def check(
    cards: Mapping[str, int],
    mode: str = "battle",
    *,
    owned: Mapping[str, int] | None = None,
    **format: Any,
) -> Report:
    return check_deck(mode, {"main": cards}, format, owned=owned)


def messages(report: Report) -> list[tuple[str, str]]:
    return [(problem.rule, problem.message) for problem in report.problems]


def only(report: Report, rule: str) -> Problem:
    (problem,) = [problem for problem in report.problems if problem.rule == rule]
    return problem


def mended(cards: Mapping[str, int], problem: Problem) -> dict[str, int]:
    assert problem.fix is not None
    return apply_fix({"main": cards}, problem.fix)["main"]


def with_cards(cards: Mapping[str, int], changes: Mapping[str, int]) -> dict[str, int]:
    changed = {**cards, **changes}
    return {card: count for card, count in changed.items() if count}


@pytest.mark.parametrize("deck", [KRABZ, ENEMIGOS], ids=["Krabz", "Enemigos"])
@pytest.mark.parametrize("target", [1, 20, 36, "all"])
@pytest.mark.rules("BKZ-P-08", "BKZ-P-03", "BKZ-P-07")
def test_starter_decks_are_legal_for_every_target_up_to_36(deck: Any, target: Any) -> None:
    assert check(deck, target=target) == Report()
    assert not check(deck, target=37).legal


@pytest.mark.rules(
    *("BKZ-D-01", "BKZ-D-02", "BKZ-D-04", "BKZ-D-06", "BKZ-P-06", "BKZ-P-07"),
    *("BKZ-R-02", "BKZ-R-03"),
)
def test_s16_the_deck_check_of_the_specification() -> None:
    deck = {
        "krabbi-long-legs-silver": 1,
        "krabbi-long-legs-gold": 1,
        "krabbi-long-legs-platinum": 1,
        "krabbi-long-legs-saphire": 1,
        "krabbi-long-legs-holo": 1,
        "Krabi Long Legs (Platinum)": 1,
        "unicorn-silver": 3,
        "Eagle Krab (Emerald)": 1,
        "elara-bad-faerie-gold": 1,
    }
    report = check(deck, target=10)
    assert messages(report) == [
        (
            "BKZ-D-01",
            "Eagle Krab does not exist in Emerald. "
            "It comes in: Silver, Gold, Platinum, Saphire, Holo. Swap or remove it.",
        ),
        ("BKZ-D-02", "Krabbi Long Legs (Platinum): 2 in the deck, 1 allowed. Remove 1."),
        (
            "BKZ-D-02",
            "Unicorn (Silver): 3 in the deck, 1 allowed. "
            "Remove 2, or swap for another colour: Gold, Holo.",
        ),
        (
            "BKZ-D-04",
            "Elara Bad Faerie (Gold) is a Witch and cannot support Krabz: "
            "1 in the deck, 0 allowed. Remove 1, or swap for a Faerie.",
        ),
        (
            "BKZ-D-06",
            "Too few Warriors for the winning target: 6 in the deck, at least 10 needed. "
            "Add 4, or play to a lower target.",
        ),
    ]
    assert [(problem.found, problem.allowed) for problem in report.problems] == [
        *((1, 0), (2, 1), (3, 1), (1, 0), (6, 10)),
    ]
    assert {problem.severity for problem in report.problems} == {"error"}
    for _ in range(5):
        deck = mended(deck, check(deck, target=10).errors[0])
    assert check(deck, target=10).legal
    assert deck["eagle-krab-silver"] == deck["unicorn-silver"] == 1


@pytest.mark.rules("BKZ-D-02", "BKZ-P-06")
def test_five_colours_of_one_character_alone_raise_nothing() -> None:
    colours = ("silver", "gold", "platinum", "saphire", "holo")
    deck = with_cards(KRABZ, {f"krabbi-long-legs-{colour}": 1 for colour in colours})
    assert check(deck) == Report()


# -- BKZ-D-01: only cards --------------------------------------------------------------------------


@pytest.mark.rules("BKZ-D-01")
@pytest.mark.parametrize("mode", ["battle", "multi"])
def test_d01_unknown_cards(mode: str) -> None:
    deck = {**(KRABZ if mode == "battle" else TRUMPS), "Charizard": 2, "kao-pow-red-07": 1}
    report = check(deck, mode)
    assert messages(report) == [
        ("BKZ-D-01", "Charizard: no such Battle Krabz card. Remove it."),
        ("BKZ-D-01", "kao-pow-red-07: no such Battle Krabz card. Remove it."),
    ]
    assert [problem.found for problem in report.problems] == [2, 1]
    for problem in report.problems:
        deck = mended(deck, problem)
    assert check(deck, mode) == Report()


@pytest.mark.rules("BKZ-D-01")
def test_d01_a_colour_that_an_enemigo_does_not_have() -> None:
    deck = {**ENEMIGOS, "fallen-saphire": 1}
    problem = only(check(deck), "BKZ-D-01")
    assert problem.message == (
        "Fallen does not exist in Saphire. It comes in: Silver, Gold, Platinum, Emerald, Holo. "
        "Swap or remove it."
    )
    assert problem.fix is not None
    assert problem.fix.label == "Swap for Fallen (Emerald)"
    assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("BKZ-D-01")
def test_d01_boosters_and_power_cards_come_in_three_colours() -> None:
    for entry, name in (("Unicorn (Platinum)", "Unicorn"), ("paloma-saphire", "Paloma")):
        problem = only(check({**KRABZ, entry: 1}), "BKZ-D-01")
        colour = entry.rpartition("(")[2].rpartition("-")[2].strip(")").capitalize()
        assert problem.message == (
            f"{name} does not exist in {colour}. It comes in: Silver, Gold, Holo. "
            "Swap or remove it."
        )


@pytest.mark.rules("BKZ-D-01", "BKZ-R-03")
@pytest.mark.parametrize(
    "entry",
    [
        "Krabi Long Legs (Holo)",
        "krabbi long legs (HOLO)",
        "Krabbi Long Legs, Holo",
        "krabi-long-legs-holo",
    ],
)
def test_d01_names_are_read_kindly(entry: str) -> None:
    assert check({**KRABZ, entry: 1}) == Report()
    assert cards_of({"main": {entry: 1}}) == ["krabbi-long-legs-holo"]


# -- BKZ-D-02: no duplicates -----------------------------------------------------------------------


@pytest.mark.rules("BKZ-D-02", "BKZ-P-06")
@pytest.mark.parametrize("mode", ["battle", "multi"])
@pytest.mark.parametrize("slug", ["kite-krab-silver", "coral-wink-silver", "unicorn-silver"])
def test_d02_holds_for_all_types(slug: str, mode: str) -> None:
    deck = with_cards(KRABZ, {slug: 2})
    problem = only(check(deck, mode), "BKZ-D-02")
    assert (problem.cards, problem.found, problem.allowed) == ((slug,), 2, 1)
    assert problem.message.startswith(f"{CATALOG[slug].title}: 2 in the deck, 1 allowed. Remove 1,")
    assert mended(deck, problem) == KRABZ


@pytest.mark.rules("BKZ-D-02")
def test_d02_adds_up_lines_and_mends_the_misspelt_one() -> None:
    deck = with_cards(KRABZ, {"Krabi Long Legs (Silver)": 2})
    problem = only(check(deck), "BKZ-D-02")
    assert problem.found == 3
    assert mended(deck, problem) == KRABZ


@pytest.mark.rules("BKZ-D-02")
def test_findings_come_by_card_id() -> None:
    deck = with_cards(KRABZ, {"unicorn-silver": 2, "drum-krab-silver": 2, "coral-wink-gold": 2})
    assert [problem.cards[0] for problem in check(deck).problems] == [
        *("coral-wink-gold", "drum-krab-silver", "unicorn-silver"),
    ]


# -- Battle Mode -----------------------------------------------------------------------------------


@pytest.mark.rules("BKZ-D-03", "BKZ-R-07")
def test_d03_mixed_factions() -> None:
    deck = with_cards(KRABZ, {"fallen-silver": 2, "root-rat-gold": 1})
    problem = only(check(deck), "BKZ-D-03")
    assert problem.message == (
        "Mixed factions: 36 Krabz and 3 Enemigos Warriors; a Battle Mode deck holds one faction. "
        "Remove: Fallen (Silver) x2, Root Rat (Gold)."
    )
    assert mended(deck, problem) == KRABZ


@pytest.mark.rules("BKZ-D-03")
def test_d03_equal_numbers_blame_the_enemigos() -> None:
    deck = {"kite-krab-silver": 1, "fallen-silver": 1, **dict.fromkeys(KRABZ, 0)}
    deck = {card: count for card, count in deck.items() if count} | {"fallen-silver": 1}
    deck["kite-krab-silver"] = 1
    assert "Remove: Fallen (Silver)." in only(check(deck), "BKZ-D-03").message


@pytest.mark.rules("BKZ-D-04", "BKZ-R-07")
def test_d04_is_skipped_without_warriors_and_with_mixed_ones() -> None:
    witch = {"grubba-silver": 1}
    assert only(check({**KRABZ, **witch}), "BKZ-D-04").message == (
        "Grubba (Silver) is a Witch and cannot support Krabz: 1 in the deck, 0 allowed. "
        "Remove 1, or swap for a Faerie."
    )
    assert only(check({**ENEMIGOS, "paloma-gold": 1}), "BKZ-D-04").message == (
        "Paloma (Gold) is a Faerie and cannot support Enemigos: 1 in the deck, 0 allowed. "
        "Remove 1, or swap for a Witch."
    )
    for deck in ({**witch, "paloma-gold": 1}, {**KRABZ, **witch, "fallen-silver": 1}):
        assert "BKZ-D-04" not in {problem.rule for problem in check(deck).problems}


@pytest.mark.rules("BKZ-D-05", "BKZ-D-06")
def test_d05_no_warriors() -> None:
    deck = {slug: 1 for slug in ENEMIGOS if CATALOG[slug].kind != "warrior"}
    report = check(deck, target=5)
    assert messages(report) == [
        ("BKZ-D-05", "No Warriors: 0 in the deck, at least 1 needed. Add Warriors of one faction.")
    ]
    fixed = mended(deck, report.problems[0])
    assert warriors_in(fixed) == {"E"}
    assert check(fixed) == Report()


@pytest.mark.rules("BKZ-D-06")
def test_d06_the_fix_adds_warriors_of_the_side() -> None:
    deck = {**KRABZ}
    problem = only(check(deck, target=75), "BKZ-D-06")
    assert problem.message == (
        "Too few Warriors for the winning target: 36 in the deck, at least 75 needed. "
        "Add 39, or play to a lower target."
    )
    assert check(mended(deck, problem), target=75) == Report()
    assert only(check(deck, target=76), "BKZ-D-06").fix is None
    assert check(deck, target="all") == Report()
    assert only(check(deck, target=40, owned=KRABZ), "BKZ-D-06").fix is None


@pytest.mark.rules("BKZ-D-07", "BKZ-D-08", "BKZ-P-09", "BKZ-P-05")
def test_d07_and_d08_only_warn() -> None:
    report = check({"fallen-silver": 1})
    assert report.legal
    assert messages(report) == [
        ("BKZ-D-07", "Small deck: 1 card. Your first hand will be smaller than 7."),
        ("BKZ-D-08", "No Boosters in the deck. A mix of all three types is recommended."),
        ("BKZ-D-08", "No Power Cards in the deck. A mix of all three types is recommended."),
    ]
    deck: dict[str, int] = {"fallen-silver": 1}
    for problem in report.problems[1:]:
        deck = mended(deck, problem)
    assert messages(check(deck)) == [
        ("BKZ-D-07", "Small deck: 3 cards. Your first hand will be smaller than 7.")
    ]


@pytest.mark.rules("BKZ-D-09")
@pytest.mark.parametrize("mode", ["battle", "multi"])
def test_d09_the_collection_covers_every_copy(mode: str) -> None:
    deck = KRABZ if mode == "battle" else TRUMPS
    owned = {**deck, "kite-krab-gold": 0}
    problem = only(check(deck, mode, owned=owned), "BKZ-D-09")
    assert problem.message == (
        "Kite Krab (Gold): 1 in the deck, 0 in your collection. Remove 1, or get more."
    )
    assert "kite-krab-gold" not in mended(deck, problem)
    assert check(deck, mode, owned=deck) == Report()


@pytest.mark.rules("BKZ-P-05", "BKZ-D-02")
def test_there_is_no_largest_deck() -> None:
    deck = {slug: 1 for slug, card in CATALOG.items() if card.attributes.get("side", "K") == "K"}
    assert len(deck) == 75 + 30 + 36
    assert check(deck, target=75) == Report()


# -- the decks of a match --------------------------------------------------------------------------


def table(*decks: Mapping[str, int], **options: Any) -> list[tuple[str, str]]:
    chosen = {**BATTLE_OPTIONS, **options}
    return messages(check_table("battle", [{"main": deck} for deck in decks], chosen))


@pytest.mark.rules("BKZ-D-10", "BKZ-R-07")
def test_d10_decks_of_opposite_factions() -> None:
    assert table(KRABZ, ENEMIGOS) == table(ENEMIGOS, KRABZ) == []
    for deck, side in ((KRABZ, "Krabz"), (ENEMIGOS, "Enemigos")):
        assert table(deck, deck) == [
            (
                "BKZ-D-10",
                f"Both decks are {side}. Standard Battle Mode needs one Krabz deck and one "
                "Enemigos deck. Choose another deck, or allow any factions.",
            )
        ]
        assert table(deck, deck, factions="any") == []


@pytest.mark.rules("BKZ-D-11", "BKZ-P-07")
def test_d11_both_decks_reach_the_target() -> None:
    small = {"fallen-silver": 1, "root-rat-silver": 1, "grubba-gold": 1, "unicorn-gold": 1}
    assert table(KRABZ, small, target=3)[-1] == (
        "BKZ-D-11",
        "Seat 2: Too few Warriors for the winning target: 2 in the deck, at least 3 needed. "
        "Add 1, or play to a lower target.",
    )
    assert [rule for rule, _ in table(KRABZ, small, target=2)] == ["BKZ-D-07"]
    assert [rule for rule, _ in table(KRABZ, small, target="all")] == ["BKZ-D-07"]
    names = ["George", "Ellie"]
    decks = [{"main": KRABZ}, {"main": {"kite-krab-silver": 2}}]
    first = check_table("battle", decks, BATTLE_OPTIONS, names).errors[0]
    assert first.rule == "BKZ-D-02"
    assert first.message.startswith("Ellie: Kite Krab (Silver): 2 in the deck")


# -- trump decks -----------------------------------------------------------------------------------


@pytest.mark.rules("BKZ-D-30", "BKZ-M-02")
def test_d30_only_warriors_of_both_sides() -> None:
    mixed = {**dict(list(TRUMPS.items())[:14]), "fallen-silver": 1}
    assert check(mixed, "multi") == Report()
    deck = {**dict(list(TRUMPS.items())[:13]), "unicorn-silver": 1, "paloma-gold": 1}
    report = check(deck, "multi")
    assert messages(report) == [
        (
            "BKZ-D-30",
            "Paloma (Gold) is a Booster: 1 in the trump deck, 0 allowed. Remove 1.",
        ),
        (
            "BKZ-D-30",
            "Unicorn (Silver) is a Power Card: 1 in the trump deck, 0 allowed. Remove 1.",
        ),
    ]


@pytest.mark.rules("BKZ-D-31", "BKZ-M-05")
@pytest.mark.parametrize(
    ("size", "message"),
    [
        (10, "Trump deck has 15 cards, exactly 10 needed. Remove 5."),
        (20, "Trump deck has 15 cards, exactly 20 needed. Add 5."),
        (30, "Trump deck has 15 cards, exactly 30 needed. Add 15."),
    ],
)
def test_d31_exactly_the_trump_size(size: int, message: str) -> None:
    assert check(TRUMPS, "multi", trump_size=15) == check(TRUMPS, "multi") == Report()
    problem = only(check(TRUMPS, "multi", trump_size=size), "BKZ-D-31")
    assert problem.message == message
    assert check(mended(TRUMPS, problem), "multi", trump_size=size) == Report()
    decks = [{"main": TRUMPS}] * 2
    assert not check_table("multi", decks, {"trump_size": size}).legal
    assert check_table("multi", decks, {"trump_size": 15}).legal


@pytest.mark.rules("BKZ-D-31")
def test_d31_a_deck_that_no_match_has_asked_for_yet_may_have_any_of_the_sizes() -> None:
    for deck in load_decks("games.battle_krabz").values():
        if "multi" in deck.modes:
            assert check(deck.cards["main"], "multi") == Report()
    fourteen = dict(list(TRUMPS.items())[1:])
    problem = only(check(fourteen, "multi"), "BKZ-D-31")
    assert problem.message == "Trump deck has 14 cards, exactly 15 needed. Add 1."


# -- house formats ---------------------------------------------------------------------------------


@pytest.mark.rules("BKZ-D-20")
def test_d20_doubles_allow_two_copies() -> None:
    deck = with_cards(KRABZ, {"unicorn-silver": 3, "kite-krab-silver": 2})
    problem = only(check(deck, doubles=True), "BKZ-D-20")
    assert problem.message == (
        "Unicorn (Silver): 3 in the deck, 2 allowed. "
        "Remove 1, or swap for another colour: Gold, Holo."
    )
    assert check(mended(deck, problem), doubles=True) == Report()


@pytest.mark.rules("BKZ-D-21")
def test_d21_each_character_once() -> None:
    deck = {"kite-krab-gold": 1, "kite-krab-silver": 2, "drum-krab-holo": 1, "unicorn-gold": 1}
    deck |= {"paloma-silver": 1, "malapple-silver": 1, "moss-krab-silver": 1}
    report = check(deck, one_of_a_kind=True)
    problem = only(report, "BKZ-D-21")
    assert problem.message == (
        "Kite Krab: 3 cards of this character (Silver, Gold), 1 allowed. Keep one and remove 2."
    )
    fixed = mended(deck, problem)
    assert {problem.rule for problem in check(fixed, one_of_a_kind=True).errors} == set()
    missing = only(check({**fixed}, one_of_a_kind=True, target=15), "BKZ-D-06")
    assert check(mended(fixed, missing), one_of_a_kind=True, target=15).legal
    assert only(check(fixed, one_of_a_kind=True, target=16), "BKZ-D-06").fix is None


@pytest.mark.rules("BKZ-D-22")
def test_d22_plain_shells() -> None:
    problems = check(KRABZ, plain_shells=True).problems
    assert len(problems) == 9
    assert problems[0].message == (
        "Banjo Krab (Platinum): this colour is not allowed here. Allowed: Silver, Gold. "
        "Swap or remove it."
    )
    assert problems[0].fix is not None
    assert problems[0].fix.changes == {"banjo-krab-platinum": -1, "banjo-krab-gold": 1}
    deck = KRABZ
    while problems := check(deck, plain_shells=True).problems:
        deck = mended(deck, problems[0])
    assert check(KRABZ, plain_shells=["platinum", "gold", "silver"]) == Report()
    named = only(check({"fallen-holo": 1}, plain_shells=["emerald", "silver"]), "BKZ-D-22")
    assert "Allowed: Silver, Emerald." in named.message


@pytest.mark.rules("BKZ-D-23")
@pytest.mark.parametrize(
    ("size", "message"),
    [
        (40, "Deck has 56 cards, exactly 40 needed. Remove 16."),
        (60, "Deck has 56 cards, exactly 60 needed. Add 4."),
    ],
)
def test_d23_set_size(size: int, message: str) -> None:
    assert check(KRABZ, set_size=True) == check(KRABZ, set_size=56) == Report()
    problem = only(check(KRABZ, set_size=size), "BKZ-D-23")
    assert problem.message == message
    assert check(mended(KRABZ, problem), set_size=size).legal
    doubled = with_cards(KRABZ, {"unicorn-silver": 2})
    assert mended(doubled, only(check(doubled, set_size=True), "BKZ-D-23")) == KRABZ


@pytest.mark.rules("BKZ-D-07", "BKZ-D-23", "BKZ-D-31")
def test_one_card_is_not_one_cards() -> None:
    deck = {"fallen-silver": 1}
    assert (
        "Deck has 1 card, exactly 56 needed."
        in only(check(deck, set_size=True), "BKZ-D-23").message
    )
    trumps = only(check(deck, "multi"), "BKZ-D-31").message
    assert trumps.startswith("Trump deck has 1 card, exactly 15 needed.")
    two = check({"fallen-silver": 2}, doubles=True)
    assert [p.message for p in two.problems if p.rule == "BKZ-D-07"] == [
        "Small deck: 2 cards. Your first hand will be smaller than 7."
    ]


@pytest.mark.rules("BKZ-D-24")
def test_d24_the_unchanged_starter_deck() -> None:
    for deck in (KRABZ, ENEMIGOS):
        assert check(deck, starter_clash=True) == Report()
    changed = with_cards(KRABZ, {"kite-krab-gold": 0, "moss-krab-holo": 1, "unicorn-silver": 2})
    problem = only(check(changed, starter_clash=True), "BKZ-D-24")
    assert problem.message == (
        "Not an unchanged Starter Deck. Missing: Kite Krab (Gold). "
        "Not part of it: Moss Krab (Holo), Unicorn (Silver)."
    )
    assert mended(changed, problem) == KRABZ
    missing = only(check(with_cards(ENEMIGOS, {"fallen-gold": 0}), starter_clash=True), "BKZ-D-24")
    assert missing.message == "Not an unchanged Starter Deck. Missing: Fallen (Gold)."
    more = only(check({**ENEMIGOS, "fallen-holo": 1}, starter_clash=True), "BKZ-D-24")
    assert more.message == "Not an unchanged Starter Deck. Not part of it: Fallen (Holo)."


# -- what can't be read ----------------------------------------------------------------------------


def test_unknown_modes_and_formats_are_refused() -> None:
    with pytest.raises(UnknownGame, match="no mode “duel”"):
        check_deck("duel", {"main": {}})
    for option, value in [
        *(("no_such", True), ("target", 0), ("target", True), ("target", "most")),
        *(("trump_size", 12), ("doubles", 2), ("one_of_a_kind", "yes"), ("plain_shells", [])),
        *(("plain_shells", ["pink"]), ("set_size", 0), ("set_size", "big"), ("starter_clash", 1)),
    ]:
        with pytest.raises(BadData):
            check_deck("battle", {"main": {}}, {option: value})
    with pytest.raises(BadData):
        check_deck("battle", {"main": {}}, [])  # type: ignore[arg-type]
    with pytest.raises(BadData):
        check_deck("battle", {"side": {}})
    assert set(DECK_RULES.options) >= {"doubles", "plain_shells"}


entries = st.one_of(
    st.sampled_from(sorted(CATALOG)),
    st.sampled_from([card.title for card in CATALOG.values()]),
    st.text(max_size=12),
)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(
    st.dictionaries(entries, st.integers(0, 4), max_size=25),
    st.sampled_from(["battle", "multi"]),
    st.fixed_dictionaries(
        {},
        optional={
            "target": st.integers(1, 40),
            "doubles": st.booleans(),
            "one_of_a_kind": st.booleans(),
            "plain_shells": st.booleans(),
            "set_size": st.booleans(),
        },
    ),
)
@pytest.mark.slow
def test_every_fix_mends_what_it_belongs_to(
    cards: dict[str, int], mode: str, format: dict[str, Any]
) -> None:
    report = check(cards, mode, **format)
    assert [problem.rule for problem in report.problems] == sorted(
        problem.rule for problem in report.problems
    )
    for problem in report.problems:
        if problem.fix is not None:
            after = check(mended(cards, problem), mode, **format)
            again = [left for left in after.problems if left.rule == problem.rule]
            assert problem not in again, problem


@pytest.mark.parametrize("option", [{"set_size": sum(ENEMIGOS.values())}, {"target": 15}])
def test_a_side_with_too_few_cards_gives_way_to_the_other(option: dict[str, int]) -> None:
    few = dict(list(KRABZ.items())[:6])
    rule = "BKZ-D-23" if "set_size" in option else "BKZ-D-06"
    owned = ENEMIGOS | few
    problem = only(check(few, owned=owned, **option), rule)
    assert problem.fix is not None
    assert problem.fix.label == "Make it a deck of Enemigos"
    other = mended(few, problem)
    assert warriors_in(other) == {"E"}
    assert check(other, owned=owned, **option).legal


@pytest.mark.parametrize(
    ("cards", "mode", "format", "rule", "end"),
    [
        (KRABZ, "battle", {"set_size": 142}, "BKZ-D-23", "At most 141 may"),
        (
            {"drum-krab-silver": 1},
            "battle",
            {"set_size": 60, "one_of_a_kind": True},
            "BKZ-D-23",
            "At most 37 may",
        ),
        ({}, "multi", {"trump_size": 30, "owned": TRUMPS}, "BKZ-D-31", "At most 15 may"),
        ({}, "battle", {"owned": {}}, "BKZ-D-05", "None may"),
    ],
)
def test_a_format_that_no_deck_meets_says_so(
    cards: dict[str, int], mode: str, format: dict[str, Any], rule: str, end: str
) -> None:
    problem = only(check(cards, mode, **format), rule)
    assert problem.message.endswith(f" {end} go into a deck here, so no deck can be legal.")
    assert problem.fix is None


def test_no_starter_deck_may_meet_a_format() -> None:
    problem = only(
        check(KRABZ | {"dawn-bell-gold": 1}, starter_clash=True, set_size=99), "BKZ-D-24"
    )
    assert problem.message.endswith(
        " Neither Starter Deck meets what else is asked here, so no deck can be legal."
    )
    assert problem.fix is None


def test_house_rules_that_no_deck_meets_say_so() -> None:
    """The game's own rules leave a way; the sentence is the one that is said with the house's."""
    banned = {"house": {"restricted": dict.fromkeys(CATALOG, 0)}}
    report = GAME.check_deck("battle", {"main": {}}, banned)
    problem = only(report, "BKZ-D-05")
    assert problem.message.endswith("None may go into a deck here, so no deck can be legal.")
    assert problem.fix is None


def test_a_target_beyond_the_set_size_can_be_met_by_no_deck() -> None:
    """BKZ-D-06 with BKZ-D-23: adding Warriors and taking cards out would go on for ever."""
    few = dict(list(KRABZ.items())[:6])
    problem = only(check(few, target=7, set_size=6), "BKZ-D-06")
    assert problem.fix is None and problem.message.endswith("no deck can be legal.")
    assert only(check(few, target=7, set_size=56), "BKZ-D-06").fix is not None


def test_cards_are_taken_out_behind_the_warriors_that_a_target_needs() -> None:
    """BKZ-D-06 with BKZ-D-23: pressing one fix does not undo the other."""
    fighters = sum(count for slug, count in KRABZ.items() if CATALOG[slug].kind == "warrior")
    problem = only(check(KRABZ, target=fighters, set_size=fighters + 1), "BKZ-D-23")
    assert check(mended(KRABZ, problem), target=fighters, set_size=fighters + 1).legal
