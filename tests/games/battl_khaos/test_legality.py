"""Section 7 of the rules specification: every check with legal, just illegal and absurd armies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from games.battl_khaos.legality import DECK_RULES, check_deck
from rules.engine.errors import BadData, UnknownGame
from rules.engine.legality import Decklist, Problem, Report, apply_fix

FORMAT_OPTIONS, MODES, SECTIONS = DECK_RULES.options, DECK_RULES.modes, DECK_RULES.sections
GAME = rules.game("battl-khaos")
CATALOG = GAME.catalog
ARMIES = {slug: deck.cards for slug, deck in GAME.starter_decks.items()}
MARSH = ARMIES["bkh-starter-marsh"]
HOME = {"token": "tokens", "tower": "towers", "field": "field", "special": "field"}
EVERYTHING = dict.fromkeys(CATALOG, 2)
MANY = 1_000_000

Army = dict[str, dict[str, int]]


def cards(words: str) -> dict[str, int]:
    """``t1o t2k p-leader*2`` as counts."""
    counts: dict[str, int] = {}
    for word in words.split():
        slug, _, count = word.partition("*")
        counts[f"bkh-{slug}"] = int(count or 1)
    return counts


def army(**sections: str) -> Army:
    """The Marsh Host with other tokens, towers or tiles."""
    return {section: dict(held) for section, held in MARSH.items()} | {
        section: cards(words) for section, words in sections.items()
    }


def changed(section: str, out: str = "", into: str = "") -> Army:
    """The Marsh Host with pieces swapped."""
    deck = army()
    for slug in cards(out):
        del deck[section][slug]
    for slug, count in cards(into).items():
        deck[section][slug] = deck[section].get(slug, 0) + count
    return deck


def check(
    deck: Decklist, mode: str = "army", *, owned: Mapping[str, int] | None = None, **format: bool
) -> Report:
    return check_deck(mode, deck, format, owned=owned)


def rules_of(report: Report) -> list[str]:
    return [problem.rule for problem in report.problems]


def only(report: Report, rule: str) -> Problem:
    """The one problem of a report."""
    assert rules_of(report) == [rule]
    return report.problems[0]


def first(report: Report, rule: str) -> Problem:
    return next(problem for problem in report.problems if problem.rule == rule)


def mended(deck: Decklist, problem: Problem) -> Army:
    assert problem.fix is not None
    return apply_fix(deck, problem.fix)


def mend_all(
    deck: Decklist,
    mode: str = "army",
    *,
    owned: Mapping[str, int] | None = None,
    **format: Any,
) -> Army:
    """Press the first button until there is nothing to mend."""
    current = {section: dict(held) for section, held in deck.items()}
    for _ in range(100):
        report = check(current, mode, owned=owned, **format)
        fixes = [problem for problem in report.problems if problem.fix]
        if not fixes:
            assert report == Report()
            return current
        current = mended(current, fixes[0])
    raise AssertionError(f"still {rules_of(report)}")


def message(problem: Problem) -> str:
    """Its words, after a look at what all problems share."""
    assert problem.severity == "error"
    return problem.message


# -- what is legal ---------------------------------------------------------------------------------


@pytest.mark.rules(
    *("BKH-D-01", "BKH-D-02", "BKH-D-03", "BKH-D-10", "BKH-D-11", "BKH-D-12", "BKH-D-20"),
    *("BKH-D-21", "BKH-D-22", "BKH-D-23", "BKH-D-30", "BKH-D-31", "BKH-D-32", "BKH-D-33"),
    *("BKH-D-34", "BKH-D-35", "BKH-D-36", "BKH-D-40", "BKH-D-41"),
)
@pytest.mark.parametrize("slug", ARMIES)
@pytest.mark.parametrize("mode", ["warband", "army"])
@pytest.mark.parametrize("singleton", [False, True])
@pytest.mark.parametrize("core_only", [False, True])
@pytest.mark.parametrize("specials", [False, True])
def test_the_starter_armies_pass_everything(
    slug: str, mode: str, singleton: bool, core_only: bool, specials: bool
) -> None:
    report = check_deck(
        mode,
        ARMIES[slug],
        {"singleton": singleton, "core_only": core_only, "specials": specials},
        owned=GAME.products[slug].cards,
    )
    assert report == Report()


def test_classic_needs_no_army() -> None:
    assert check_deck("classic", {}) == Report()
    assert check_deck("classic", army(tokens="f01o*9", towers="", field="")) == Report()


@pytest.mark.rules("BKH-D-10", "BKH-D-20", "BKH-D-30")
def test_warband_reads_only_the_tokens() -> None:
    assert check({"tokens": MARSH["tokens"]}, "warband") == Report()
    strange = army(towers="t1o*9", field="f39o*9 x-temple p-drums")
    assert check(strange, "warband") == Report()
    assert rules_of(check({}, "warband")) == ["BKH-D-10"]


@pytest.mark.rules("BKH-D-10", "BKH-D-20", "BKH-D-22", "BKH-D-23", "BKH-D-30")
def test_an_empty_army_lacks_everything_and_can_be_filled_by_clicks() -> None:
    report = check({})
    assert [(problem.rule, problem.found, problem.allowed) for problem in report.problems] == [
        ("BKH-D-10", 0, 5),
        ("BKH-D-20", 0, 4),
        ("BKH-D-22", 0, 10),
        ("BKH-D-23", 0, 2),
        ("BKH-D-30", 0, 29),
    ]
    assert all(problem.fix for problem in report.problems)
    filled = mend_all({})
    assert {section: sum(held.values()) for section, held in filled.items()} == {
        "tokens": 5,
        "towers": 4,
        "field": 29,
    }


# -- the scenario ----------------------------------------------------------------------------------


@pytest.mark.rules("BKH-D-10", "BKH-D-11", "BKH-D-12")
def test_sc20_six_tokens_with_two_leaders() -> None:
    deck = army(tokens="p-leader*2 p-drums p-banner p-halberd p-giant")
    for mode in ("warband", "army"):
        report = check(deck, mode)
        assert [message(problem) for problem in report.problems] == [
            "The army has 6 power tokens; it needs exactly 5. Take out 1.",
            "Leader is in the army ×2; each token is allowed once. Swap 1 for another token.",
            "The power tokens cost 14 muster; at most 12 is allowed. Swap one for a cheaper token.",
        ]
        assert [(problem.rule, problem.found, problem.allowed) for problem in report.problems] == [
            ("BKH-D-10", 6, 5),
            ("BKH-D-11", 2, 1),
            ("BKH-D-12", 14, 12),
        ]
        for problem in report.problems:
            assert problem.fix is not None
            assert problem.fix.label == "Take out 1 copy of Leader"
            assert check(mended(deck, problem), mode) == Report()


@pytest.mark.rules("BKH-D-12")
def test_sc20_five_tokens_that_are_too_dear() -> None:
    deck = army(tokens="p-leader p-drums2 p-banner p-catapult p-halberd")
    problem = only(check(deck), "BKH-D-12")
    assert (problem.found, problem.allowed) == (13, 12)
    assert problem.cards == tuple(
        f"bkh-p-{token}" for token in ("drums2", "leader", "banner", "halberd", "catapult")
    )
    assert problem.fix is not None
    assert problem.fix.label == "Swap Catapult for Drums"
    assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("BKH-D-23")
def test_sc20_three_orc_flags() -> None:
    deck = army(towers="t4o t3o t2o t1k")
    problem = only(check(deck), "BKH-D-23")
    assert message(problem) == (
        "The towers fly 3 orc and 1 knight flags; 2 of each are needed. "
        "Swap a tower for the other flag."
    )
    assert (problem.found, problem.allowed) == (3, 2)
    assert problem.fix is not None
    assert problem.fix.label == "Swap Throne of Tusks for Crown Spire"
    assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("BKH-D-22")
def test_sc20_towers_worth_twelve() -> None:
    deck = army(towers="t4o t4k t3k t1o")
    problem = only(check(deck), "BKH-D-22")
    assert message(problem) == (
        "The towers are worth 12 points in all; they must be worth exactly 10. "
        "Swap a tower for one worth less."
    )
    assert (problem.found, problem.allowed) == (12, 10)
    assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("BKH-D-21", "BKH-D-22", "BKH-D-23")
def test_sc20_a_borderlands_tower_is_another_tower() -> None:
    assert check(army(towers="t2o t2o-b t3k t3k-b")) == Report()


@pytest.mark.rules("BKH-D-31", "BKH-D-35")
def test_sc20_three_special_tiles() -> None:
    deck = changed("field", "f27 f29 f31", "x-temple x-graveyard x-stones")
    attributes = [CATALOG[slug].attributes for slug in deck["field"]]
    assert sum(piece.get("orcs", 0) for piece in attributes) == 68
    assert sum(piece.get("knights", 0) for piece in attributes) == 69
    problem = only(check(deck), "BKH-D-31")
    assert message(problem) == ("The field has 3 special tiles; at most 2 are allowed. Take out 1.")
    assert (problem.found, problem.allowed) == (3, 2)
    assert problem.cards == ("bkh-x-temple", "bkh-x-stones", "bkh-x-graveyard")
    after = mended(deck, problem)
    assert check(after) == Report(), "a tile takes the place of the special tile that goes"
    assert after["field"].keys() >= {"bkh-x-temple", "bkh-x-stones"}


# -- all sections ----------------------------------------------------------------------------------


@pytest.mark.rules("BKH-D-01")
@pytest.mark.parametrize("mode", ["warband", "army"])
@pytest.mark.parametrize("entry", ["kao-pow-red-07", "bkh-f99o", "Scrap Camp", "", "🙂"])
@pytest.mark.parametrize("count", [1, MANY])
def test_d01_only_pieces_of_the_game(mode: str, entry: str, count: int) -> None:
    deck = army()
    deck["tokens"][entry] = count
    problem = only(check(deck, mode, owned=EVERYTHING), "BKH-D-01")
    assert message(problem) == f"{entry} is not a piece of Batt'l Kha'os. Take it out."
    assert (problem.cards, problem.found, problem.allowed) == ((entry,), count, 0)
    assert mended(deck, problem) == army()


@pytest.mark.rules("BKH-D-01")
def test_d01_each_entry_of_each_section() -> None:
    deck = army()
    for section in SECTIONS:
        deck[section]["nothing"] = 1
    report = check(deck)
    assert rules_of(report) == ["BKH-D-01"] * 3
    assert [problem.fix.section for problem in report.problems if problem.fix] == list(SECTIONS)
    assert mend_all(deck) == army()


@pytest.mark.rules("BKH-D-02")
@pytest.mark.parametrize(
    ("section", "slug", "words"),
    [
        ("tokens", "f01k", "Tithe Camp is a field tile and cannot be in the section tokens. "
         "Move it to field."),
        ("towers", "x-temple", "Temple is a special tile and cannot be in the section towers. "
         "Move it to field."),
        ("field", "t1o", "Mudpike is a tower and cannot be in the section field. "
         "Move it to towers."),
        ("towers", "p-drums", "Drums is a power token and cannot be in the section towers. "
         "Move it to tokens."),
    ],
)  # fmt: skip
def test_d02_every_piece_in_its_section(section: str, slug: str, words: str) -> None:
    piece, home = f"bkh-{slug}", HOME[CATALOG[f"bkh-{slug}"].kind]
    deck = army()
    deck[home].pop(piece, None)
    if home == "field":  # make room for it
        deck["field"].pop("bkh-f27")
    deck[section][piece] = 1
    problem = only(check(deck), "BKH-D-02")
    assert message(problem) == words
    assert (problem.cards, problem.found, problem.allowed) == ((piece,), 1, 0)
    after = mended(deck, problem)
    assert after[home][piece] == 1
    assert piece not in after[section]
    assert check(after) == Report()


@pytest.mark.rules("BKH-D-02")
@pytest.mark.parametrize("section", SECTIONS)
def test_d02_a_whole_army_in_one_section_needs_only_moves(section: str) -> None:
    deck = {section: {slug: 1 for held in MARSH.values() for slug in held}}
    report = check(deck)
    assert set(rules_of(report)) == {"BKH-D-02"}
    assert [problem.cards[0] for problem in report.problems] == [
        slug for slug in CATALOG if slug in deck[section] and slug not in MARSH[section]
    ]
    after = mend_all(deck)
    assert {name: set(held) for name, held in after.items()} == {
        name: set(held) for name, held in MARSH.items()
    }


@pytest.mark.rules("BKH-D-02", "BKH-D-11", "BKH-D-30")
def test_d02_what_is_misplaced_counts_in_its_section_and_moves_first() -> None:
    deck = army(tokens="p-drums p-leader p-banner p-halberd")
    deck["field"]["bkh-p-leader"] = 1
    report = check(deck)
    assert rules_of(report) == ["BKH-D-02", "BKH-D-11"]
    assert mend_all(deck)["field"] == MARSH["field"]
    only_there = army(tokens="")
    only_there["field"] |= cards("p-leader*2 p-drums p-banner p-halberd")
    report = check(only_there)
    assert rules_of(report) == ["BKH-D-02"] * 4 + ["BKH-D-11"]
    assert report.problems[-1].fix is None
    assert check(mend_all(only_there)) == Report()


@pytest.mark.rules("BKH-D-02")
def test_d02_in_a_warband() -> None:
    deck = {"tokens": {**MARSH["tokens"], "bkh-t4k": MANY}}
    problem = only(check(deck, "warband"), "BKH-D-02")
    assert problem.found == MANY
    assert check(mended(deck, problem), "warband") == Report()


@pytest.mark.rules("BKH-D-03")
def test_d03_no_more_copies_than_owned() -> None:
    deck = changed("field", "f03o", "f01o")
    owned = {slug: 1 for held in deck.values() for slug in held}
    problem = only(check(deck, owned=owned), "BKH-D-03")
    assert message(problem) == "You own Scrap Camp ×1, the army lists it ×2. Take out 1."
    assert (problem.cards, problem.found, problem.allowed) == (("bkh-f01o",), 2, 1)
    assert rules_of(check(mended(deck, problem), owned=owned)) == ["BKH-D-30"]
    assert check(deck, owned={**owned, "bkh-f01o": 2}) == Report()
    assert check(deck) == Report()


@pytest.mark.rules("BKH-D-03")
@pytest.mark.parametrize("owned", [{}, dict.fromkeys(CATALOG, -3)], ids=["none", "below none"])
def test_d03_owning_nothing(owned: Mapping[str, int]) -> None:
    report = check(MARSH, owned=owned)
    assert rules_of(report) == ["BKH-D-03"] * 38
    assert [problem.cards[0] for problem in report.problems] == [
        slug for slug in CATALOG if any(slug in held for held in MARSH.values())
    ]
    assert message(report.problems[0]) == (
        "You own Scrap Camp ×0, the army lists it ×1. Take out 1."
    )
    deck = {section: dict(held) for section, held in MARSH.items()}
    for problem in report.problems:
        deck = mended(deck, problem)
    assert rules_of(check(deck, owned=owned)) == [
        *("BKH-D-10", "BKH-D-20", "BKH-D-22", "BKH-D-23", "BKH-D-30"),
    ]
    # Nothing can be added that nobody has.
    assert all(problem.fix is None for problem in check(deck, owned=owned).problems)


@pytest.mark.rules("BKH-D-03")
def test_d03_in_a_warband_asks_for_the_tokens_only() -> None:
    owned = dict(MARSH["tokens"])
    assert check(MARSH, "warband", owned=owned) == Report()
    deck = {"tokens": {**MARSH["tokens"], "bkh-p-drums": MANY}}
    problem = first(check(deck, "warband", owned=owned), "BKH-D-03")
    assert (problem.found, problem.allowed) == (MANY, 1)
    assert check(mended(deck, problem), "warband", owned=owned) == Report()


# -- power tokens ----------------------------------------------------------------------------------


@pytest.mark.rules("BKH-D-10")
@pytest.mark.parametrize("mode", ["warband", "army"])
@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        ("p-drums p-leader p-banner p-halberd", "4 power tokens; it needs exactly 5. Add 1."),
        ("p-mage", "1 power token; it needs exactly 5. Add 4."),
        ("", "0 power tokens; it needs exactly 5. Add 5."),
        (
            "p-drums p-archer p-archer2 p-giant p-halberd p-mage",
            "6 power tokens; it needs exactly 5. Take out 1.",
        ),
    ],
)
def test_d10_exactly_five_tokens(mode: str, tokens: str, words: str) -> None:
    deck = army(tokens=tokens)
    problem = only(check(deck, mode), "BKH-D-10")
    assert message(problem) == f"The army has {words}"
    assert (problem.found, problem.allowed) == (len(tokens.split()), 5)
    after = mended(deck, problem)
    assert check(after, mode) == Report()
    fewer, more = sorted((after["tokens"], deck["tokens"]), key=len)
    assert fewer.keys() <= more.keys()


@pytest.mark.rules("BKH-D-10")
def test_d10_all_ten_tokens_and_a_million_of_them() -> None:
    for count in (1, MANY):
        deck = army()
        deck["tokens"] = {slug: count for slug, card in CATALOG.items() if card.kind == "token"}
        problem = first(check(deck), "BKH-D-10")
        assert problem.found == 10 * count
        assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("BKH-D-10", "BKH-D-03")
def test_d10_adds_only_what_is_owned() -> None:
    owned = cards("p-halberd p-mage p-archer p-giant p-catapult")
    deck = {"tokens": cards("p-halberd")}
    problem = only(check(deck, "warband", owned=owned), "BKH-D-10")
    assert mended(deck, problem)["tokens"] == owned
    del owned["bkh-p-giant"]
    assert only(check(deck, "warband", owned=owned), "BKH-D-10").fix is None


@pytest.mark.rules("BKH-D-11")
@pytest.mark.parametrize("mode", ["warband", "army"])
def test_d11_each_token_once(mode: str) -> None:
    deck = army(tokens="p-drums*2 p-leader p-banner p-halberd")
    problem = only(check(deck, mode), "BKH-D-11")
    assert message(problem) == (
        "Drums is in the army ×2; each token is allowed once. Swap 1 for another token."
    )
    assert (problem.cards, problem.found, problem.allowed) == (("bkh-p-drums",), 2, 1)
    assert problem.fix is not None
    assert problem.fix.label == "Swap Drums for Double Drums"
    assert check(mended(deck, problem), mode) == Report()


@pytest.mark.rules("BKH-D-11", "BKH-D-10", "BKH-D-12")
def test_d11_a_million_leaders() -> None:
    deck = army(tokens=f"p-leader*{MANY}")
    report = check(deck)
    assert rules_of(report) == ["BKH-D-10", "BKH-D-11", "BKH-D-12"]
    assert [problem.found for problem in report.problems] == [MANY, MANY, 3 * MANY]
    for problem in report.problems:
        assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("BKH-D-11")
def test_d11_takes_copies_out_where_the_owner_has_no_other_token() -> None:
    deck = {"tokens": cards("p-drums*5")}
    problem = first(check(deck, "warband", owned=cards("p-drums*5")), "BKH-D-11")
    assert mended(deck, problem)["tokens"] == cards("p-drums")


@pytest.mark.rules("BKH-D-12")
def test_d12_muster_of_twelve_and_thirteen() -> None:
    assert check(army(tokens="p-drums2 p-leader p-banner p-halberd p-archer")) == Report()
    problem = only(check(army(tokens="p-drums2 p-leader p-banner p-drums p-archer")), "BKH-D-12")
    assert (problem.found, problem.allowed) == (13, 12)
    dearest = army(tokens="p-drums2 p-leader p-banner p-catapult p-giant")
    problem = only(check(dearest, "warband"), "BKH-D-12")
    assert message(problem) == (
        "The power tokens cost 14 muster; at most 12 is allowed. Swap one for a cheaper token."
    )
    assert check(mended(dearest, problem), "warband") == Report()
    assert only(check(dearest, owned=dearest["tokens"], mode="warband"), "BKH-D-12").fix is None


# -- towers ----------------------------------------------------------------------------------------


@pytest.mark.rules("BKH-D-20")
@pytest.mark.parametrize(
    ("towers", "words"),
    [
        ("t1o t4o t2k", "3 towers; it needs exactly 4. Add 1."),
        ("t4k", "1 tower; it needs exactly 4. Add 3."),
        ("t1o t4o t2k t3k t1k", "5 towers; it needs exactly 4. Take out 1."),
    ],
)
def test_d20_exactly_four_towers(towers: str, words: str) -> None:
    deck = army(towers=towers)
    problem = first(check(deck), "BKH-D-20")
    assert message(problem) == f"The army has {words}"
    assert (problem.found, problem.allowed) == (len(towers.split()), 4)
    after = mended(deck, problem)
    assert check(after) == Report()
    assert after["towers"].keys() <= deck["towers"].keys() or (
        after["towers"].keys() >= deck["towers"].keys()
    )


@pytest.mark.rules("BKH-D-20", "BKH-D-21", "BKH-D-22", "BKH-D-23")
def test_d20_to_d23_all_towers_a_million_times() -> None:
    deck = army()
    deck["towers"] = {slug: MANY for slug, card in CATALOG.items() if card.kind == "tower"}
    report = check(deck)
    assert rules_of(report) == [
        "BKH-D-20",
        *["BKH-D-21"] * 12,
        "BKH-D-22",
        "BKH-D-23",
    ]
    for problem in report.problems:
        assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("BKH-D-21")
def test_d21_each_tower_once() -> None:
    deck = army(towers="t1o t4o t2k*2")
    problem = first(check(deck), "BKH-D-21")
    assert rules_of(check(deck)) == ["BKH-D-21", "BKH-D-22"]
    assert message(problem) == ("Oathstone is in the army ×2; each tower is allowed once. Swap 1.")
    assert (problem.cards, problem.found, problem.allowed) == (("bkh-t2k",), 2, 1)
    assert problem.fix is not None
    assert problem.fix.label == "Swap Oathstone for Whitewatch"
    assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("BKH-D-21")
def test_d21_alone_and_where_the_owner_has_no_other() -> None:
    deck = army(towers="t2o*2 t3k*2")
    assert rules_of(check(deck)) == ["BKH-D-21", "BKH-D-21"]
    owned = {**EVERYTHING, **{slug: 0 for slug in CATALOG if slug.startswith("bkh-t")}}
    owned |= {"bkh-t2o": 2, "bkh-t3k": 2}
    problem = check(deck, owned=owned).problems[0]
    assert mended(deck, problem)["towers"] == cards("t2o t3k*2")


@pytest.mark.rules("BKH-D-22")
@pytest.mark.parametrize(
    ("towers", "points", "way"),
    [
        ("t1o t4o t2k t3k-b", 10, ""),
        ("t1o t4o t1k t3k", 9, "more"),
        ("t2o t4o t2k t3k", 11, "less"),
        ("t4o t3o t4k t3k", 14, "less"),
        ("t1o t2o t1k t2k", 6, "more"),
    ],
)
def test_d22_towers_worth_exactly_ten(towers: str, points: int, way: str) -> None:
    deck = army(towers=towers)
    report = check(deck)
    if not way:
        assert report == Report()
        return
    problem = only(report, "BKH-D-22")
    assert message(problem) == (
        f"The towers are worth {points} points in all; they must be worth exactly 10. "
        f"Swap a tower for one worth {way}."
    )
    assert (problem.found, problem.allowed) == (points, 10)
    assert problem.cards == tuple(slug for slug in CATALOG if slug in deck["towers"])
    assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("BKH-D-23")
@pytest.mark.parametrize(
    ("towers", "orcs", "knights", "flags"),
    [("t1k t2k t3k t4k", 0, 4, 4), ("t1o t2o t3o t4o", 4, 0, 4), ("t1o t2k t3k t4k", 1, 3, 3)],
)
def test_d23_two_flags_of_each_side(towers: str, orcs: int, knights: int, flags: int) -> None:
    deck = army(towers=towers)
    problem = only(check(deck), "BKH-D-23")
    assert message(problem) == (
        f"The towers fly {orcs} orc and {knights} knight flags; 2 of each are needed. "
        "Swap a tower for the other flag."
    )
    assert (problem.found, problem.allowed) == (flags, 2)
    assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("BKH-D-22", "BKH-D-23", "BKH-D-03")
def test_d22_and_d23_swap_only_for_towers_that_are_owned() -> None:
    deck = army(towers="t4o t3o t2o t1k")
    owned = {slug: 2 for slug in EVERYTHING if slug[4] != "t"} | deck["towers"]
    owned["bkh-t2k-b"] = 1
    problem = only(check(deck, owned=owned), "BKH-D-23")
    assert "bkh-t2k-b" in mended(deck, problem)["towers"]
    del owned["bkh-t2k-b"]
    assert only(check(deck, owned=owned), "BKH-D-23").fix is None


# -- the field -------------------------------------------------------------------------------------


@pytest.mark.rules("BKH-D-30")
@pytest.mark.parametrize(
    ("out", "into", "words"),
    [
        ("f27", "", "28 tiles; it needs exactly 29. Add 1."),
        ("", "x-temple", "30 tiles; it needs exactly 29. Take out 1."),
        ("", "f28 f30", "31 tiles; it needs exactly 29. Take out 2."),
    ],
)
def test_d30_exactly_29_tiles(out: str, into: str, words: str) -> None:
    deck = changed("field", out, into)
    problem = only(check(deck), "BKH-D-30")
    assert message(problem) == f"The field has {words}"
    assert (problem.found, problem.allowed) == (sum(deck["field"].values()), 29)
    assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("BKH-D-30", "BKH-D-35")
@pytest.mark.parametrize(
    "field",
    ["", "f01o", "f40o f39o f25o", "f33k*2", "x-temple x-circle"],
)
@pytest.mark.parametrize("format", [{}, {"singleton": True, "core_only": True}])
def test_d30_fills_a_field_up_in_balance(field: str, format: dict[str, bool]) -> None:
    deck = army(field=field)
    after = mended(deck, first(check(deck), "BKH-D-30"))
    assert "BKH-D-30" not in rules_of(check(after))
    assert "BKH-D-35" not in rules_of(check(after))
    assert after["field"].keys() >= deck["field"].keys()
    assert sum(mend_all(deck, **format)["field"].values()) == 29


@pytest.mark.rules("BKH-D-30", "BKH-D-33", "BKH-D-34")
def test_d30_thins_a_field_out() -> None:
    all_tiles = army()
    all_tiles["field"] = {slug: 2 for slug, card in CATALOG.items() if card.kind == "field"}
    assert rules_of(check(all_tiles)) == ["BKH-D-30", *["BKH-D-34"] * 13]
    assert check(mended(all_tiles, check(all_tiles).problems[0])) == Report()
    absurd = army(field=f"f01o*{MANY} f25k*{MANY} x-temple*{MANY}")
    report = check(absurd)
    assert rules_of(report) == [f"BKH-D-{number}" for number in (30, 31, 32, 33, 34, 35)]
    assert report.problems[0].found == 3 * MANY
    assert sum(mend_all(absurd)["field"].values()) == 29


@pytest.mark.rules("BKH-D-30", "BKH-D-03")
def test_d30_adds_only_what_is_owned() -> None:
    deck = changed("field", "f27")
    owned = {slug: 1 for held in MARSH.values() for slug in held}
    problem = only(check(deck, owned=owned), "BKH-D-30")
    assert mended(deck, problem)["field"] == MARSH["field"]
    del owned["bkh-f27"]
    assert only(check(deck, owned=owned), "BKH-D-30").fix is None


@pytest.mark.rules("BKH-D-31")
def test_d31_two_special_tiles_are_allowed_and_five_are_not() -> None:
    assert check(changed("field", "f27 f29", "x-temple x-circle")) == Report()
    deck = changed(
        "field", "f27 f29 f31 f13o f14k", "x-temple x-circle x-crystal x-stones x-graveyard"
    )
    problem = only(check(deck), "BKH-D-31")
    assert message(problem) == "The field has 5 special tiles; at most 2 are allowed. Take out 3."
    assert len(problem.cards) == 5
    assert sum(mend_all(deck)["field"].values()) == 29


@pytest.mark.rules("BKH-D-31", "BKH-D-32")
def test_d32_no_special_tile_twice() -> None:
    deck = changed("field", "f27 f29", "x-stones*2")
    problem = only(check(deck), "BKH-D-32")
    assert message(problem) == (
        "Stone Circle is in the field ×2; each special tile is allowed once. Take out 1."
    )
    assert (problem.cards, problem.found, problem.allowed) == (("bkh-x-stones",), 2, 1)
    assert rules_of(check(mended(deck, problem))) == ["BKH-D-30"]
    three = changed("field", "f27 f29 f31", "x-stones*3")
    assert rules_of(check(three)) == ["BKH-D-31", "BKH-D-32"]
    many = changed("field", "", f"x-stones*{MANY}")
    assert "bkh-x-stones" in mended(many, first(check(many), "BKH-D-32"))["field"]
    assert check(mend_all(many)) == Report()


@pytest.mark.rules("BKH-D-33")
@pytest.mark.parametrize("slug", ["f05o", "f15o"])
def test_d33_common_and_uncommon_tiles_at_most_twice(slug: str) -> None:
    assert check(changed("field", "f27", slug)) == Report()
    deck = changed("field", "f27 f29", f"{slug}*2")
    problem = only(check(deck), "BKH-D-33")
    name = CATALOG[f"bkh-{slug}"].name
    assert message(problem) == (f"{name} is in the field ×3; at most 2 are allowed. Take out 1.")
    assert (problem.cards, problem.found, problem.allowed) == ((f"bkh-{slug}",), 3, 2)
    assert rules_of(check(mended(deck, problem))) == ["BKH-D-30"]
    absurd = changed("field", "", f"{slug}*{MANY}")
    problem = first(check(absurd), "BKH-D-33")
    assert problem.found == MANY + 1
    assert mended(absurd, problem)["field"][f"bkh-{slug}"] == 2


@pytest.mark.rules("BKH-D-34")
@pytest.mark.parametrize("slug", ["f31", "f23o", "f39k", "f40o"])
def test_d34_rare_tiles_at_most_once(slug: str) -> None:
    piece = f"bkh-{slug}"
    deck = army()
    deck["field"][piece] = 2
    problem = first(check(deck), "BKH-D-34")
    assert message(problem) == (
        f"{CATALOG[piece].name} is rare and in the field ×2; 1 is allowed. Take out 1."
    )
    assert (problem.cards, problem.found, problem.allowed) == ((piece,), 2, 1)
    assert mended(deck, problem)["field"][piece] == 1
    assert "BKH-D-34" not in rules_of(check(mended(deck, problem)))
    deck["field"][piece] = MANY
    assert check(mend_all(deck)) == Report()


@pytest.mark.rules("BKH-D-35")
@pytest.mark.parametrize(
    ("out", "into", "orcs", "knights"),
    [
        ("f01o", "f01k", 75, 80),
        ("f02k f04k f06k", "f01o f39o f03k", 84, 78),
        ("f08k f12k", "f08o f12o", 80, 75),
    ],
)
def test_d35_the_sides_differ_by_at_most_four(out: str, into: str, orcs: int, knights: int) -> None:
    deck = changed("field", out, into)
    problem = only(check(deck), "BKH-D-35")
    assert message(problem) == (
        f"The field shows {orcs} orcs and {knights} knights; they may differ by at most 4 "
        f"(found {abs(orcs - knights)}). Swap tiles of the stronger side for tiles of the other."
    )
    assert (problem.found, problem.allowed) == (abs(orcs - knights), 4)
    after = mended(deck, problem)
    assert check(after) == Report()


@pytest.mark.rules("BKH-D-35")
def test_d35_four_more_are_allowed_on_either_side_and_five_are_not() -> None:
    assert check(changed("field", "f08k f27", "f08o f04o")) == Report()
    problem = only(check(changed("field", "f08k f27 f29", "f08o f04o f05o")), "BKH-D-35")
    assert problem.found == 5
    assert check(changed("field", "f05o f27", "f05k f06k")) == Report()
    deck = changed("field", "f05o f27 f29", "f05k f06k f04k")
    problem = only(check(deck), "BKH-D-35")
    assert problem.found == 5
    assert problem.fix is not None
    assert sorted(problem.fix.changes.values()) == [-1, 1], "one tile for another"
    assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("BKH-D-35", "BKH-D-33")
def test_d35_a_horde_without_knights() -> None:
    absurd = army(field=f"f39o*{MANY}")
    problem = first(check(absurd), "BKH-D-35")
    assert (problem.found, problem.allowed) == (3 * MANY, 4)
    after = mended(absurd, problem)
    assert "BKH-D-35" not in rules_of(check(after))
    assert check(mend_all(absurd)) == Report()


@pytest.mark.rules("BKH-D-35", "BKH-D-03")
def test_d35_without_tiles_to_swap_nothing_is_offered() -> None:
    deck = army(field="f14o f12o f01o f23o f25o f39o")
    owned = {slug: 1 for held in deck.values() for slug in held}
    assert first(check(deck, owned=owned), "BKH-D-35").fix is None
    owned |= cards("f01k f12k f14k f25k")
    after = mended(deck, first(check(deck, owned=owned), "BKH-D-35"))
    assert rules_of(check(after, owned=owned)) == ["BKH-D-30"]


# -- options ---------------------------------------------------------------------------------------


@pytest.mark.rules("BKH-D-36", "BKH-D-31")
def test_d36_no_special_tiles() -> None:
    deck = changed("field", "f27 f29 f31", "x-temple x-graveyard x-stones")
    report = check(deck, specials=False)
    assert [message(problem) for problem in report.problems] == [
        f"{name} is a special tile, and this table plays without them. Take it out."
        for name in ("Temple", "Stone Circle", "Graveyard")
    ]
    assert rules_of(report) == ["BKH-D-36"] * 3
    assert {(problem.found, problem.allowed) for problem in report.problems} == {(1, 0)}
    after = mend_all(deck, specials=False)
    assert {CATALOG[slug].kind for slug in after["field"]} == {"field"}
    deck_with_temple = changed("field", "f27", "x-temple")
    assert only(check(deck_with_temple, specials=False), "BKH-D-36").cards == ("bkh-x-temple",)
    assert check(deck_with_temple) == check(deck_with_temple, specials=True) == Report()
    many = changed("field", "", f"x-circle*{MANY}")
    assert check(mend_all(many, specials=False)) == Report()


@pytest.mark.rules("BKH-D-40", "BKH-D-33", "BKH-D-34")
def test_d40_no_tile_twice() -> None:
    deck = changed("field", "f27", "f05o")
    assert check(deck) == Report()
    problem = only(check(deck, singleton=True), "BKH-D-40")
    assert message(problem) == ("Bone Cairn is in the field ×2; this format allows 1. Take out 1.")
    assert (problem.cards, problem.found, problem.allowed) == (("bkh-f05o",), 2, 1)
    assert rules_of(check(mended(deck, problem), singleton=True)) == ["BKH-D-30"]
    both = changed("field", "f27 f29 f07o", "f05o*2 f31")
    assert rules_of(check(both)) == ["BKH-D-33", "BKH-D-34"]
    assert rules_of(check(both, singleton=True)) == ["BKH-D-40", "BKH-D-40"]
    absurd = changed("field", "", f"f05o*{MANY}")
    assert first(check(absurd, singleton=True), "BKH-D-40").found == MANY + 1
    assert set(mend_all(absurd, singleton=True)["field"].values()) == {1}


@pytest.mark.rules("BKH-D-40", "BKH-D-32")
def test_d40_counts_special_tiles_among_the_tiles() -> None:
    deck = changed("field", "f27 f29", "x-stones*2")
    assert rules_of(check(deck, singleton=True)) == ["BKH-D-32", "BKH-D-40"]
    assert rules_of(check(deck, "warband", singleton=True)) == []


@pytest.mark.rules("BKH-D-41")
def test_d41_only_the_core_set() -> None:
    deck = changed("field", "f27 f01o", "f33o f38o")
    deck["towers"] = cards("t1o t4o t2k t3k-b")
    assert check(deck) == Report()
    report = check(deck, core_only=True)
    assert [message(problem) for problem in report.problems] == [
        f"{name} is from Borderlands; this format allows the Core set only. Swap it."
        for name in ("Goat Track", "Lone Warlord", "Evensong")
    ]
    assert rules_of(report) == ["BKH-D-41"] * 3
    assert {(problem.found, problem.allowed) for problem in report.problems} == {(1, 0)}
    labels = [problem.fix.label for problem in report.problems if problem.fix]
    assert labels[2] == "Swap Evensong for Whitewatch"
    for problem in report.problems:
        assert len(check(mended(deck, problem), core_only=True).problems) == 2
    after = mend_all(deck, core_only=True)
    assert check(after, core_only=True) == Report()


@pytest.mark.rules("BKH-D-41")
def test_d41_a_warband_has_nothing_else_and_absurd_numbers_are_mended() -> None:
    assert check(MARSH, "warband", core_only=True) == Report()
    deck = {"tokens": {**MARSH["tokens"], "bkh-f33o": 1}}
    assert rules_of(check(deck, "warband", core_only=True)) == ["BKH-D-02", "BKH-D-41"]
    assert mend_all(deck, "warband", core_only=True)["tokens"] == MARSH["tokens"]
    absurd = changed("field", "", f"f39o*{MANY}")
    problem = first(check(absurd, core_only=True), "BKH-D-41")
    assert problem.found == MANY
    assert check(mend_all(absurd, core_only=True), core_only=True) == Report()


# -- what cannot be read ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decklist", "complaint"),
    [
        ({"main": {}}, "no section “main” in this deck; there is “tokens”, “towers”, “field”"),
        ({"tokens": {"bkh-p-drums": -1}}, "whole number of at least 0, not -1"),
        ({"field": {"bkh-f01o": True}}, "not True"),
        ([], "is an object of sections"),
    ],
)
@pytest.mark.parametrize("mode", ["warband", "army"])
def test_a_list_that_cannot_be_read(mode: str, decklist: Any, complaint: str) -> None:
    with pytest.raises(BadData, match=complaint):
        check_deck(mode, decklist)


@pytest.mark.parametrize(
    ("format", "complaint"),
    [
        ({"no_gold": True}, "no format option “no_gold”; there are specials, singleton, core_only"),
        ({"specials": 1}, "“specials” is true or false, not 1"),
        (["singleton"], "A format is an object"),
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_a_format_that_cannot_be_read(mode: str, format: Any, complaint: str) -> None:
    with pytest.raises(BadData, match=complaint):
        check_deck(mode, MARSH, format)


def test_there_are_three_modes() -> None:
    assert tuple(GAME.modes) == MODES
    with pytest.raises(UnknownGame, match="no mode “skirmish”; it has classic, warband, army"):
        check_deck("skirmish", MARSH)


def test_zeros_do_not_count() -> None:
    deck = army()
    deck["tokens"]["nothing"] = deck["field"]["bkh-t1o"] = deck["field"]["bkh-x-temple"] = 0
    assert check(deck, specials=False) == Report()


# -- any army --------------------------------------------------------------------------------------

# Problems that stand once in a report: their fix must end the rule's complaint.
OF_THE_WHOLE = tuple(f"BKH-D-{number}" for number in (10, 12, 20, 22, 23, 30, 31, 35))

_counts = st.integers(1, 4) | st.just(MANY)
_entries = st.dictionaries(st.sampled_from([*CATALOG, "nothing"]), _counts, max_size=40)
_armies = st.dictionaries(st.sampled_from(SECTIONS), _entries)
_formats = st.dictionaries(st.sampled_from(FORMAT_OPTIONS), st.booleans())


@settings(max_examples=60, deadline=None)
@given(_armies, _formats, st.sampled_from(["warband", "army"]))
def test_any_army_can_be_mended_by_clicks(deck: Army, format: dict[str, bool], mode: str) -> None:
    report = check_deck(mode, deck, format)
    ids = rules_of(report)
    assert ids == sorted(ids)
    mend_all(deck, mode, **format)


@settings(max_examples=60, deadline=None)
@given(_armies, _formats, st.sampled_from(["warband", "army"]))
def test_a_fix_mends_its_own_problem(deck: Army, format: dict[str, bool], mode: str) -> None:
    for problem in check_deck(mode, deck, format).problems:
        if problem.fix is None:
            continue
        after = check_deck(mode, apply_fix(deck, problem.fix), format)
        assert not any(
            remaining.rule == problem.rule
            and (remaining.cards == problem.cards or remaining.rule in OF_THE_WHOLE)
            and (remaining.fix is None or remaining.fix.section == problem.fix.section)
            for remaining in after.problems
        )


def test_rules_of_organisers_leave_out_sections_that_a_mode_does_not_read() -> None:
    banned = {"house": {"name": "Club night", "restricted": dict.fromkeys(MARSH["field"], 0)}}
    assert GAME.check_deck("warband", MARSH, banned).legal
    assert set(rules_of(GAME.check_deck("army", MARSH, banned))) == {"HOUSE-01"}
