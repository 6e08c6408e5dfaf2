"""Section 7 of the rules specification: every check with a legal, an illegal and an absurd list."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.knd_ocg import GAME
from games.knd_ocg.legality import DECK_RULES, check_deck, few_characters
from rules.engine.cards import load_catalog, load_decks
from rules.engine.errors import BadData, UnknownGame
from rules.engine.legality import Problem, Report, apply_fix

CATALOG = load_catalog("games.knd_ocg")
FORMATS = {format.slug: format for format in GAME.deck_formats}
DECKS = {slug: dict(deck.cards["main"]) for slug, deck in load_decks("games.knd_ocg").items()}
LEADERS = DECKS["starter-leaders"]
SPIES = DECKS["starter-spies"]
MIXED = DECKS["starter-mixed"]
# 60 cards that no limit of any format minds: each card but Energy once
SINGLES = {
    **{slug: 1 for slug, card in CATALOG.items() if card.attributes.get("type") == "leader"},
    **{slug: 1 for slug, card in CATALOG.items() if card.attributes.get("type") == "spy"},
    "emergency-recess": 1,
    "roll-call": 1,
    "bandage-brigade": 1,
    "rewire": 1,
    "leader-energy": 20,
    "spy-energy": 18,
    "normal-energy": 2,
}
MILLION = 1_000_000
BOOLEANS = [option for option in DECK_RULES.options if option not in ("restricted", "version")]


def check(
    cards: Mapping[str, int], *, owned: Mapping[str, int] | None = None, **format: Any
) -> Report:
    return check_deck("duel", {"main": cards}, format, owned=owned)


def messages(report: Report) -> list[tuple[str, str]]:
    return [(problem.rule, problem.message) for problem in report.errors]


def only(report: Report, rule: str) -> Problem:
    (problem,) = [problem for problem in report.problems if problem.rule == rule]
    return problem


def rules_of(report: Report) -> list[str]:
    return [problem.rule for problem in report.problems]


def mended(cards: Mapping[str, int], problem: Problem) -> dict[str, int]:
    assert problem.fix is not None
    return apply_fix({"main": cards}, problem.fix)["main"]


def with_cards(cards: Mapping[str, int], changes: Mapping[str, int]) -> dict[str, int]:
    """The list with these counts; 0 takes a card out."""
    changed = {**cards, **changes}
    return {card: count for card, count in changed.items() if count}


def mend_all(cards: Mapping[str, int], **about: Any) -> dict[str, int]:
    """The list after pressing one button after the other."""
    deck = dict(cards)
    for _ in range(100):
        errors = check(deck, **about).errors
        if not errors:
            return deck
        deck = mended(deck, errors[0])
    raise AssertionError(f"never legal: {cards}")


@pytest.mark.rules("KND-D-01", "KND-D-10", "KND-Y-02")
@pytest.mark.parametrize("format", ["open", "tournament", "four-of"])
@pytest.mark.parametrize("slug", DECKS)
def test_starter_decks_are_legal(slug: str, format: str) -> None:
    report = check_deck("duel", {"main": DECKS[slug]}, FORMATS[format].options)
    assert report.errors == ()
    assert rules_of(report) == (["KND-D-25"] if slug == "starter-mixed" else [])


def test_starter_decks_of_one_type_are_legal_where_one_type_is_asked_for() -> None:
    legal = [slug for slug, deck in DECKS.items() if check(deck, single_type=True).legal]
    assert legal == [slug for slug in DECKS if slug != "starter-mixed"]


def test_no_starter_deck_is_without_duplicates() -> None:
    assert not any(check(deck, no_duplicates=True).legal for deck in DECKS.values())
    assert sum(SINGLES.values()) == 60
    assert check(SINGLES, no_duplicates=True, four_of=True, tournament=True).legal


# -- KND-D-10: exactly 60 cards --------------------------------------------------------------------


@pytest.mark.rules("KND-D-01", "KND-D-10")
@pytest.mark.parametrize(
    ("energy", "message"),
    [
        (14, "The deck has 57 cards; it must have exactly 60. Add 3."),
        (16, "The deck has 59 cards; it must have exactly 60. Add 1."),
        (18, "The deck has 61 cards; it must have exactly 60. Take out 1."),
        (20, "The deck has 63 cards; it must have exactly 60. Take out 3."),
        (MILLION, "The deck has 1000043 cards; it must have exactly 60. Take out 999983."),
    ],
)
def test_d10_a_card_too_few_and_too_many(energy: int, message: str) -> None:
    deck = {**LEADERS, "leader-energy": energy}
    report = check(deck)
    assert messages(report) == [("KND-D-10", message)]
    problem = only(report, "KND-D-10")
    assert (problem.found, problem.allowed) == (43 + energy, 60)
    assert sum(mended(deck, problem).values()) == 60
    assert check(mended(deck, problem)).legal


@pytest.mark.rules("KND-D-01", "KND-D-10", "KND-D-12")
def test_d10_an_empty_deck() -> None:
    report = check_deck("duel", {})
    assert messages(report) == [
        ("KND-D-10", "The deck has 0 cards; it must have exactly 60. Add 60."),
        (
            "KND-D-12",
            "The deck has no Character card (0 found, at least 1 needed): no game could start. "
            "Add a Character.",
        ),
    ]
    assert rules_of(report) == ["KND-D-10", "KND-D-12"]
    built = mended({}, report.problems[0])
    assert check(built, four_of=True, single_type=True) == Report()


@pytest.mark.rules("KND-D-10")
def test_d10_one_card_is_counted_in_the_singular() -> None:
    problem = only(check({"numbuh-1": 1}), "KND-D-10")
    assert problem.message == "The deck has 1 card; it must have exactly 60. Add 59."


@pytest.mark.rules("KND-D-10")
def test_d10_adds_what_fits_the_deck() -> None:
    deck = with_cards(SPIES, {"spy-energy": 10, "pickpocket-penny": 0, "milk-money-shakedown": 0})
    problem = only(check(deck), "KND-D-10")
    assert problem.fix is not None
    added = problem.fix.changes
    assert sum(added.values()) == 13
    assert added["spy-energy"] == 7
    characters = [card for card in added if CATALOG[card].kind == "character"]
    assert sum(added[card] for card in characters) == 4
    assert {CATALOG[card]["type"] for card in characters} == {"spy"}
    assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("KND-D-10")
def test_d10_names_what_it_adds_where_that_is_one_card() -> None:
    deck = {**LEADERS, "leader-energy": 14}
    problem = only(check(deck), "KND-D-10")
    assert problem.fix is not None
    assert problem.fix.label == "Add 3 copies of Leader Energy"
    assert mended(deck, problem) == LEADERS


@pytest.mark.rules("KND-D-10", "KND-D-17")
def test_d10_adds_only_what_is_owned_and_nothing_where_that_is_too_little() -> None:
    deck = {**LEADERS, "leader-energy": 14}
    owned = {**deck, "spy-energy": 2}
    problem = only(check(deck, owned=owned), "KND-D-10")
    assert problem.fix is None
    owned["spy-energy"] = 3
    problem = only(check(deck, owned=owned), "KND-D-10")
    assert problem.fix is not None
    assert problem.fix.changes == {"spy-energy": 3}


@pytest.mark.rules("KND-D-10", "KND-D-13")
def test_d10_takes_out_what_is_too_many_anyway() -> None:
    deck = {**LEADERS, "emergency-recess": 6}
    report = check(deck, tournament=True)
    assert rules_of(report) == ["KND-D-10", "KND-D-13"]
    problem = only(report, "KND-D-10")
    assert problem.fix is not None
    assert problem.fix.label.startswith("Take out 2 copies of Emergency Recess")
    assert problem.fix.changes["emergency-recess"] <= -2
    assert check(mended(deck, problem), tournament=True) == Report()


# -- KND-D-11: only cards --------------------------------------------------------------------------


@pytest.mark.rules("KND-D-11")
@pytest.mark.parametrize("format", FORMATS)
def test_d11_unknown_cards(format: str) -> None:
    deck = {**SINGLES, "Charizard": 2, "kao-pow-red-07": MILLION, "T01": 1}
    if format == "single-type":
        deck = {**LEADERS, "Charizard": 2, "kao-pow-red-07": MILLION, "T01": 1}
    report = check_deck("duel", {"main": deck}, FORMATS[format].options)
    assert messages(report) == [
        ("KND-D-11", "Charizard is not a KND: OCG card. Take it out."),
        ("KND-D-11", "kao-pow-red-07 is not a KND: OCG card. Take it out."),
        ("KND-D-11", "T01 is not a KND: OCG card. Take it out."),
    ]
    assert [(problem.found, problem.allowed) for problem in report.errors] == [
        *((2, 0), (MILLION, 0), (1, 0)),
    ]
    for problem in report.errors:
        deck = mended(deck, problem)
    assert check_deck("duel", {"main": deck}, FORMATS[format].options).legal


@pytest.mark.rules("KND-D-11", "KND-D-10")
def test_d11_what_is_no_card_makes_no_deck_full() -> None:
    report = check({**LEADERS, "leader-energy": 16, "Charizard": 1})
    assert messages(report) == [
        ("KND-D-10", "The deck has 59 cards; it must have exactly 60. Add 1."),
        ("KND-D-11", "Charizard is not a KND: OCG card. Take it out."),
    ]


# -- KND-D-12: a Character -------------------------------------------------------------------------


@pytest.mark.rules("KND-D-12")
def test_d12_one_character_is_enough() -> None:
    assert check({"milo-the-mole": 1, "spy-energy": 59}).errors == ()


@pytest.mark.rules("KND-D-12")
@pytest.mark.parametrize("format", FORMATS)
def test_d12_no_character(format: str) -> None:
    deck = {"spy-energy": 40, "leader-energy": 19, "roll-call": 1}
    report = check_deck("duel", {"main": deck}, FORMATS[format].options)
    assert messages(report) == [
        (
            "KND-D-12",
            "The deck has no Character card (0 found, at least 1 needed): no game could start. "
            "Add a Character.",
        )
    ]
    problem = only(report, "KND-D-12")
    assert (problem.found, problem.allowed) == (0, 1)
    assert problem.fix is not None
    assert problem.fix.label == "Swap Spy Energy for Numbuh 1"
    assert mended(deck, problem) == {**deck, "spy-energy": 39, "numbuh-1": 1}
    assert check_deck("duel", {"main": mended(deck, problem)}, FORMATS[format].options).legal


@pytest.mark.rules("KND-D-12")
def test_d12_a_small_deck_gets_a_character_besides() -> None:
    problem = only(check({"pacifist-energy": 59}), "KND-D-12")
    assert problem.fix is not None
    assert (problem.fix.label, problem.fix.changes) == ("Add Numbuh 3", {"numbuh-3": 1})


@pytest.mark.rules("KND-D-12", "KND-D-17")
def test_d12_adds_only_what_is_owned() -> None:
    deck = {"spy-energy": 60}
    problem = only(check(deck, owned={"spy-energy": 60}), "KND-D-12")
    assert problem.fix is None
    problem = only(check(deck, owned={"spy-energy": 60, "home-base-tao": 1}), "KND-D-12")
    assert mended(deck, problem) == {"spy-energy": 59, "home-base-tao": 1}


# -- KND-D-13: the restricted list -----------------------------------------------------------------


@pytest.mark.rules("KND-D-02")
def test_any_number_of_copies_is_allowed() -> None:
    assert check({"power-of-the-knd": 59, "numbuh-1": 1}).legal
    assert check({"relay-rosa": 60}).legal
    assert check({"relay-rosa": 60}, tournament=True).legal


@pytest.mark.rules("KND-D-03", "KND-D-13")
def test_d13_the_list_that_ships() -> None:
    tournament = FORMATS["tournament"]
    assert tournament.version == 1
    assert tournament.reason == (
        "Many copies would make locks, wipes or endless drawing too reliable."
    )
    assert tournament.restricted == {
        "power-of-the-knd": 2,
        "second-wind": 2,
        "cooties-outbreak": 2,
        "recycling-bin": 2,
        "shredding-party": 3,
        "peace-sign-petra": 3,
        "numbuh-3": 4,
        "detention-slip": 4,
        "count-to-twenty": 4,
        "emergency-recess": 4,
        "double-shift": 4,
        "roll-call": 4,
    }
    others = [FORMATS[slug] for slug in FORMATS if slug != "tournament"]
    assert [format.restricted for format in others] == [{}] * 4


@pytest.mark.rules("KND-D-03", "KND-D-13")
@pytest.mark.parametrize(("slug", "most"), FORMATS["tournament"].restricted.items())
def test_d13_each_card_of_the_list(slug: str, most: int) -> None:
    def deck_with(copies: int) -> dict[str, int]:
        return {"numbuh-1": 1, "leader-energy": 59 - copies, slug: copies}

    assert check(deck_with(most), tournament=True).legal
    for copies in (most + 1, 59):
        report = check(deck_with(copies), tournament=True)
        assert messages(report) == [
            (
                "KND-D-13",
                f"{CATALOG[slug].title}: {copies} in the deck, {most} allowed by the restricted "
                f"list (version 1). Take out {copies - most}.",
            )
        ]
        assert check(deck_with(copies)).legal


@pytest.mark.rules("KND-D-03", "KND-D-13")
def test_d13_the_message_of_the_specification() -> None:
    deck = with_cards(MIXED, {"power-of-the-knd": 3, "giant-slingshot": 0})
    report = check(deck, tournament=True)
    assert messages(report) == [
        (
            "KND-D-13",
            "Power of the KND: 3 in the deck, 2 allowed by the restricted list (version 1). "
            "Take out 1.",
        )
    ]
    problem = only(report, "KND-D-13")
    assert (problem.cards, problem.found, problem.allowed) == (("power-of-the-knd",), 3, 2)
    assert problem.fix is not None
    assert problem.fix.label == "Take out 1 copy of Power of the KND"
    assert mended(deck, problem)["power-of-the-knd"] == 2
    assert check(mend_all(deck, tournament=True), tournament=True).legal


@pytest.mark.rules("KND-D-03", "KND-D-13")
def test_d13_a_list_of_the_organiser_s_may_ban_cards_and_limit_energy() -> None:
    format: dict[str, Any] = {"restricted": {"numbuh-1": 0, "leader-energy": 15}, "version": 3}
    report = check(LEADERS, **format)
    assert messages(report) == [
        (
            "KND-D-13",
            "Numbuh 1 is not allowed in this format: 2 in the deck, 0 allowed. Take out 2.",
        ),
        (
            "KND-D-13",
            "Leader Energy: 17 in the deck, 15 allowed by the restricted list (version 3). "
            "Take out 2.",
        ),
    ]
    deck = mend_all(LEADERS, **format)
    assert "numbuh-1" not in deck
    assert check(deck, **format).legal


@pytest.mark.rules("KND-D-13")
def test_d13_a_given_list_takes_the_place_of_the_one_that_ships() -> None:
    deck = {**MIXED, "power-of-the-knd": 3, "giant-slingshot": 0}
    assert check(deck, tournament=True, restricted={}, version=2).legal
    problem = only(
        check(deck, tournament=True, restricted={"power-of-the-knd": 1}, version=2), "KND-D-13"
    )
    assert problem.message == (
        "Power of the KND: 3 in the deck, 1 allowed by the restricted list (version 2). Take out 2."
    )


# -- KND-D-14 and KND-D-15: copies -----------------------------------------------------------------


@pytest.mark.rules("KND-D-14")
@pytest.mark.parametrize(("copies", "out"), [(2, 1), (4, 3), (MILLION, MILLION - 1)])
def test_d14_a_second_copy(copies: int, out: int) -> None:
    deck = {**SINGLES, "relay-rosa": copies, "leader-energy": 19}
    problem = only(check(deck, no_duplicates=True), "KND-D-14")
    assert problem.message == (
        f"Relay Rosa: {copies} in the deck, 1 allowed in No Duplicates. Take out {out}."
    )
    assert (problem.cards, problem.found, problem.allowed) == (("relay-rosa",), copies, 1)
    assert check(mended(deck, problem), no_duplicates=True).legal


@pytest.mark.rules("KND-D-14")
def test_d14_holds_for_special_cards_and_not_for_energy() -> None:
    deck = {**SINGLES, "roll-call": 2, "leader-energy": 19}
    report = check(deck, no_duplicates=True)
    assert messages(report) == [
        ("KND-D-14", "Roll Call: 2 in the deck, 1 allowed in No Duplicates. Take out 1.")
    ]


@pytest.mark.rules("KND-D-15")
@pytest.mark.parametrize(("copies", "out"), [(5, 1), (6, 2), (MILLION, MILLION - 4)])
def test_d15_a_fifth_copy(copies: int, out: int) -> None:
    legal = with_cards(SPIES, {"numbuh-5": 2, "milo-the-mole": 4})
    assert check(legal, four_of=True).legal
    deck = {**legal, "milo-the-mole": copies}
    problem = only(check(deck, four_of=True), "KND-D-15")
    assert problem.message == (
        f"Milo the Mole: {copies} in the deck, 4 allowed in Four-of. Take out {out}."
    )
    assert (problem.cards, problem.found, problem.allowed) == (("milo-the-mole",), copies, 4)
    assert mended(deck, problem) == legal


@pytest.mark.rules("KND-D-15")
def test_d15_holds_for_special_cards_and_not_for_energy() -> None:
    deck = {**SPIES, "roll-call": 5, "spy-energy": 14}
    report = check(deck, four_of=True)
    assert messages(report) == [
        ("KND-D-15", "Roll Call: 5 in the deck, 4 allowed in Four-of. Take out 1.")
    ]


# -- KND-D-16: one type ----------------------------------------------------------------------------


@pytest.mark.rules("KND-D-16")
def test_d16_the_message_of_the_specification() -> None:
    deck = {
        "numbuh-5": 4,
        "locker-lou": 4,
        "keyhole-kay": 4,
        "shredder-pip": 4,
        "milo-the-mole": 4,
        "numbuh-1": 2,
        "commander-jigsaw": 1,
        "roll-call": 17,
        "spy-energy": 20,
    }
    report = check(deck, single_type=True)
    assert messages(report) == [
        (
            "KND-D-16",
            "Characters of 2 types: 20 Spies, 3 Leaders; 1 type allowed. Take out the 3 Leaders "
            "(Numbuh 1, Numbuh 1, Commander Jigsaw).",
        )
    ]
    problem = only(report, "KND-D-16")
    assert (problem.found, problem.allowed) == (2, 1)
    assert problem.cards == ("numbuh-1", "commander-jigsaw")
    assert problem.fix is not None
    assert problem.fix.label == "Take out 2 copies of Numbuh 1 and Commander Jigsaw"
    assert messages(check(mended(deck, problem), single_type=True)) == [
        ("KND-D-10", "The deck has 57 cards; it must have exactly 60. Add 3.")
    ]
    assert check(mend_all(deck, single_type=True), single_type=True).legal


@pytest.mark.rules("KND-D-16", "KND-Y-02")
def test_d16_types_mix_freely_elsewhere() -> None:
    assert check(MIXED).legal
    assert check(MIXED, tournament=True, four_of=True).legal


@pytest.mark.rules("KND-D-16")
@pytest.mark.parametrize(
    ("other", "gone"),
    [
        ("milo-the-mole", "Spy"),
        ("numbuh-2", "Defender"),
        ("numbuh-4", "Attacker"),
        ("numbuh-3", "Pacifist"),
    ],
)
def test_d16_of_equal_groups_the_later_type_goes(other: str, gone: str) -> None:
    deck = {other: 1, "numbuh-1": 1, "leader-energy": 58}
    problem = only(check(deck, single_type=True), "KND-D-16")
    assert problem.message == (
        f"Characters of 2 types: 1 Leader, 1 {gone}; 1 type allowed. "
        f"Take out the 1 {gone} ({CATALOG[other].title})."
    )
    assert mended(deck, problem) == {"numbuh-1": 1, "leader-energy": 58}


@pytest.mark.rules("KND-D-16")
def test_d16_all_five_types() -> None:
    problem = only(check(MIXED, single_type=True), "KND-D-16")
    assert problem.message == (
        "Characters of 5 types: 7 Leaders, 6 Attackers, 5 Defenders, 5 Spies, 2 Pacifists; "
        "1 type allowed. Take out "
        "the 6 Attackers (Numbuh 4, Numbuh 4, Numbuh 4, Relay Rosa, Relay Rosa, Relay Rosa), "
        "the 5 Defenders (Numbuh 2, Numbuh 2, Numbuh 2, Trashcan-Lid Tess, Trashcan-Lid Tess), "
        "the 5 Spies (Numbuh 5, Numbuh 5, Numbuh 5, Milo the Mole, Milo the Mole) and "
        "the 2 Pacifists (Numbuh 3, Numbuh 3)."
    )
    assert check(mend_all(MIXED, single_type=True), single_type=True).legal


@pytest.mark.rules("KND-D-16")
def test_d16_does_not_list_a_million_names() -> None:
    problem = only(check({"numbuh-1": MILLION, "numbuh-2": MILLION}, single_type=True), "KND-D-16")
    assert problem.message.endswith("Take out the 1000000 Defenders (Numbuh 2 x1000000).")


# -- KND-D-17: the collection ----------------------------------------------------------------------


@pytest.mark.rules("KND-D-17")
@pytest.mark.parametrize(
    ("have", "words"),
    [(1, "1 in your collection. Take out 1 or get another."),
     (0, "0 in your collection. Take out 2 or get 2 more.")],
)  # fmt: skip
def test_d17_a_copy_that_is_not_owned(have: int, words: str) -> None:
    deck = {**LEADERS, "second-wind": 2, "leader-energy": 15}
    owned = {**deck, "second-wind": have}
    problem = only(check(deck, owned=owned), "KND-D-17")
    assert problem.message == f"Second Wind: 2 in the deck, {words}"
    assert (problem.cards, problem.found, problem.allowed) == (("second-wind",), 2, have)
    assert "KND-D-17" not in rules_of(check(mended(deck, problem), owned=owned))
    owned["roll-call"] = 9
    assert check(mend_all(deck, owned=owned), owned=owned).legal


@pytest.mark.rules("KND-D-17")
def test_d17_nobody_asks_unless_told_what_is_owned() -> None:
    assert check(LEADERS).legal
    assert check(LEADERS, owned=LEADERS).legal
    report = check(LEADERS, owned={})
    assert {problem.rule for problem in report.errors} == {"KND-D-17"}
    assert len(report.errors) == len(LEADERS)


@pytest.mark.rules("KND-D-17")
def test_d17_a_count_below_nothing_is_nothing() -> None:
    problem = only(check(LEADERS, owned={**LEADERS, "rewire": -5}), "KND-D-17")
    assert (problem.found, problem.allowed) == (1, 0)


@pytest.mark.rules("KND-D-13", "KND-D-14", "KND-D-15", "KND-D-17")
@pytest.mark.parametrize(
    ("about", "rule", "allowed"),
    [
        ({"tournament": True, "four_of": True}, "KND-D-13", 2),
        ({"tournament": True, "no_duplicates": True}, "KND-D-14", 1),
        ({"restricted": {"recycling-bin": 7}, "four_of": True}, "KND-D-15", 4),
        ({"restricted": {"recycling-bin": 4}, "four_of": True}, "KND-D-13", 4),
        ({"tournament": True, "owned": {"recycling-bin": 1}}, "KND-D-17", 1),
        ({"tournament": True, "owned": {"recycling-bin": 3}}, "KND-D-13", 2),
    ],
)
def test_of_several_limits_the_lowest_is_reported(about: Any, rule: str, allowed: int) -> None:
    deck = {"numbuh-1": 1, "leader-energy": 51, "recycling-bin": 8}
    if "owned" in about:
        about = {**about, "owned": {**deck, **about["owned"]}}
    report = check(deck, **about)
    assert [(problem.rule, problem.allowed) for problem in report.errors] == [(rule, allowed)]
    assert not [p for p in check(mended(deck, report.errors[0]), **about).errors if p.cards]


@pytest.mark.rules("KND-D-10", "KND-D-11", "KND-D-12", "KND-D-13", "KND-D-14", "KND-D-17")
def test_a_report_lists_every_problem_in_the_order_of_the_rules() -> None:
    deck = {"recycling-bin": 4, "Charizard": 1, "roll-call": 2, "spy-energy": 5, "bike-helmet": 3}
    owned = {"recycling-bin": 4, "roll-call": 9, "spy-energy": 4, "bike-helmet": 0}
    report = check(deck, restricted={"recycling-bin": 0}, no_duplicates=True, owned=owned)
    assert [problem.rule for problem in report.errors] == [
        *("KND-D-10", "KND-D-11", "KND-D-12", "KND-D-13", "KND-D-14", "KND-D-17", "KND-D-17"),
    ]
    assert [problem.cards for problem in report.errors[3:]] == [
        *(("recycling-bin",), ("roll-call",), ("bike-helmet",), ("spy-energy",)),
    ]


# -- advice ----------------------------------------------------------------------------------------


@pytest.mark.rules("KND-D-20")
def test_d20_few_characters_are_told_with_the_exact_chance() -> None:
    deck = {"numbuh-1": 19, "leader-energy": 20, "roll-call": 21}
    problem = only(check(deck), "KND-D-20")
    chance = Fraction(comb(41, 6) + 19 * comb(41, 5), comb(60, 6))
    assert few_characters(60, 19) == pytest.approx(float(chance))
    assert problem.message == (
        "19 Characters: 37.4% of opening hands hold at most one. 20 or more are advised."
    )
    assert (problem.severity, problem.found, problem.allowed) == ("warning", 19, 20)
    assert check({**deck, "numbuh-1": 20, "roll-call": 20}) == Report()
    assert check({**deck, "numbuh-1": 1, "roll-call": 39}).legal


def test_the_chance_of_a_poor_hand_is_that_of_all_hands() -> None:
    """Counted out for a deck that is small enough."""
    from itertools import combinations

    hands = list(combinations(range(10), 6))
    poor = [hand for hand in hands if sum(card < 4 for card in hand) <= 1]
    assert few_characters(10, 4) == len(poor) / len(hands)
    assert few_characters(60, 1) == 1
    assert few_characters(60, 60) == 0
    assert few_characters(3, 3) == 0


@pytest.mark.rules("KND-D-21")
def test_d21_energy_that_nothing_uses() -> None:
    deck = {**LEADERS, "leader-energy": 12, "spy-energy": 5}
    problem = only(check(deck), "KND-D-21")
    assert problem.message == "No Character or Special Card in the deck uses Spy Energy."
    assert (problem.severity, problem.cards, problem.found) == ("warning", ("spy-energy",), 5)
    assert problem.fix is not None
    assert problem.fix.label == "Swap 5 copies of Spy Energy for Leader Energy"
    assert mended(deck, problem) == LEADERS
    # Crowbar Lesson asks for a Spy Energy, though nobody can play it; Normal Energy has no type.
    assert "KND-D-21" not in rules_of(check({**deck, "crowbar-lesson": 1, "rewire": 0}))
    assert "KND-D-21" not in rules_of(check({"numbuh-1": 20, "normal-energy": 40}))
    assert "KND-D-21" in rules_of(check({"numbuh-1": 20, "spy-energy": 40}))


@pytest.mark.rules("KND-D-22")
def test_d22_what_wants_energy_that_is_not_there() -> None:
    deck = with_cards(LEADERS, {"numbuh-5": 1, "milo-the-mole": 1, "rewire": 0, "double-shift": 0})
    problem = only(check(deck), "KND-D-22")
    assert problem.message == (
        "The deck has no Spy Energy; Numbuh 5 and Milo the Mole cannot do without it."
    )
    assert problem.severity == "warning"
    assert problem.cards == ("numbuh-5", "milo-the-mole")
    # Quinn's attacks and Fleeing cost ask for Normal Energy only.
    deck = with_cards(LEADERS, {"quiet-corner-quinn": 1, "rewire": 0})
    assert check(deck) == Report()


@pytest.mark.rules("KND-D-23")
@pytest.mark.parametrize(
    ("slug", "changes", "why"),
    [
        ("power-of-the-knd", {"numbuh-5": 1}, "no Numbuh 2, Numbuh 3 or Numbuh 4"),
        ("detention-slip", {}, "no Pacifist"),
        ("pep-rally", {}, "no Attacker"),
        ("snow-day", {"numbuh-3": 1}, "1 Pacifist, and it needs 2"),
        ("shredding-party", {"numbuh-5": 1}, "no Spy Energy"),
    ],
)
def test_d23_special_cards_that_can_never_be_played(
    slug: str, changes: dict[str, int], why: str
) -> None:
    deck = {**LEADERS, **changes, slug: 2}
    deck["leader-energy"] -= 2 + sum(changes.values())
    problem = only(check(deck), "KND-D-23")
    assert problem.message == f"{CATALOG[slug].title} can never be played: the deck has {why}."
    assert (problem.severity, problem.cards, problem.found) == ("warning", (slug,), 2)
    assert mended(deck, problem) == with_cards(deck, {slug: 0})


@pytest.mark.rules("KND-D-23")
def test_d23_requirements_without_a_type() -> None:
    deck = {"numbuh-1": 1, "rewire": 1, "fire-drill": 1, "leader-energy": 57}
    messages = [problem.message for problem in check(deck).warnings if problem.rule == "KND-D-23"]
    assert messages == [
        "Rewire can never be played: the deck has fewer than 2 Characters.",
        "Fire Drill can never be played: the deck has fewer than 2 Characters.",
    ]
    few = {"numbuh-4": 56, "second-wind": 1, "attacker-energy": 2, "rewire": 1}
    problem = only(check(few), "KND-D-23")
    assert problem.message == (
        "Second Wind can never be played: the deck has fewer than 3 Energy cards."
    )
    assert "KND-D-23" not in rules_of(check({**few, "attacker-energy": 3, "rewire": 0}))
    assert "KND-D-23" not in rules_of(check({**MIXED, "snow-day": 1}))


@pytest.mark.rules("KND-D-24")
@pytest.mark.parametrize(
    ("energy", "allowed"), [(0, 14), (1, 14), (13, 14), (14, None), (26, None), (27, 26), (40, 26)]
)
def test_d24_too_little_and_too_much_energy(energy: int, allowed: int | None) -> None:
    deck = with_cards({"numbuh-1": 20, "roll-call": 40 - energy}, {"leader-energy": energy})
    problems = [problem for problem in check(deck).problems if problem.rule == "KND-D-24"]
    assert [(problem.found, problem.allowed) for problem in problems] == (
        [] if allowed is None else [(energy, allowed)]
    )
    if energy == 1:
        assert problems[0].message == "1 Energy card: 14 to 26 are advised."
    assert check(deck).legal


@pytest.mark.rules("KND-D-25")
def test_d25_three_types() -> None:
    two = {"numbuh-1": 10, "numbuh-5": 10, "roll-call": 20, "leader-energy": 10, "spy-energy": 10}
    assert check(two) == Report()
    three = {**two, "quiet-corner-quinn": 1, "roll-call": 19}
    problem = only(check(three), "KND-D-25")
    assert problem.message == "Beginners do better with one or two types."
    assert (problem.severity, problem.found, problem.allowed) == ("warning", 3, 2)


# -- what is asked and what comes back -------------------------------------------------------------


def test_the_formats_are_those_of_the_specification() -> None:
    assert [(format.slug, dict(format.options)) for format in FORMATS.values()] == [
        ("open", {}),
        ("tournament", {"tournament": True}),
        ("no-duplicates", {"no_duplicates": True}),
        ("four-of", {"four_of": True}),
        ("single-type", {"single_type": True}),
    ]


def test_a_house_s_restricted_list_is_judged_by_the_game_s_own_rule() -> None:
    house = {"restricted": {"numbuh-1": 1}, "version": 4}
    report = GAME.check_deck("duel", {"main": LEADERS}, {"house": house, "tournament": True})
    assert messages(report) == [
        (
            "KND-D-13",
            "Numbuh 1: 2 in the deck, 1 allowed by the restricted list (version 4). Take out 1.",
        )
    ]
    assert {option.slug for option in GAME.format_options} == set(BOOLEANS)


@pytest.mark.parametrize(
    ("format", "message"),
    [
        ({"singleton": True}, "There is no format option “singleton”"),
        ({"four_of": 1}, "The format option “four_of” is true or false, not 1"),
        ({"restricted": ["roll-call"]}, "A restricted list is an object"),
        ({"restricted": {"Charizard": 0}}, "names “Charizard”, which is not a KND: OCG card"),
        ({"restricted": {"roll-call": -1}}, "0 or more, not -1"),
        ({"restricted": {"roll-call": True}}, "0 or more, not True"),
        ({"version": 0}, "The version of a restricted list is a whole number, not 0"),
        ({"version": "two"}, "is a whole number, not 'two'"),
        (["tournament"], "A format is an object of options"),
    ],
)
def test_formats_that_cannot_be_read(format: Any, message: str) -> None:
    with pytest.raises(BadData, match=message):
        check_deck("duel", {"main": LEADERS}, format)


def test_lists_and_modes_that_cannot_be_read() -> None:
    with pytest.raises(UnknownGame, match="KND: OCG has no mode “battle”; it has duel"):
        check_deck("battle", {})
    with pytest.raises(BadData, match="There is no section “side”"):
        check_deck("duel", {"side": {}})
    with pytest.raises(BadData, match="a whole number of at least 0, not -1"):
        check_deck("duel", {"main": {"numbuh-1": -1}})


def test_the_list_that_is_judged_stays_as_it_was() -> None:
    deck = {"main": {**MIXED, "Charizard": 1, "roll-call": 0}}
    copy = {"main": dict(deck["main"])}
    check_deck("duel", deck, {"tournament": True}, owned={})
    assert deck == copy


COUNTS = st.integers(0, 70) | st.integers(0, 4)
LISTS = st.dictionaries(st.sampled_from([*CATALOG, "Charizard"]), COUNTS, max_size=30)


@settings(max_examples=150, deadline=None)
@given(
    cards=LISTS,
    options=st.sets(st.sampled_from(BOOLEANS)),
    banned=st.dictionaries(st.sampled_from([*CATALOG]), st.integers(0, 3), max_size=3),
)
@pytest.mark.slow
def test_the_fix_of_a_problem_makes_it_go_away_and_all_of_them_a_legal_deck(
    cards: dict[str, int], options: set[str], banned: dict[str, int]
) -> None:
    format: dict[str, Any] = dict.fromkeys(options, True)
    if banned:
        format["restricted"] = banned
    report = check(cards, **format)
    for problem in report.problems:
        if problem.fix is not None:
            after = check(mended(cards, problem), **format)
            again = [(problem.rule, problem.cards) for problem in after.problems]
            assert (problem.rule, problem.cards) not in again, problem
    assert check(mend_all(cards, **format), **format).legal


# A format that leaves little, or too little


def few(cards: Mapping[str, int]) -> dict[str, int]:
    """A restricted list that bans all but these."""
    return dict.fromkeys(CATALOG, 0) | cards


def test_many_copies_fill_a_deck_where_nothing_else_may() -> None:
    problem = only(check({"numbuh-1": 2}, restricted=few({"numbuh-1": 60})), "KND-D-10")
    assert problem.fix is not None
    assert problem.fix.changes == {"numbuh-1": 58}


def test_another_type_fills_a_deck_that_its_own_cannot() -> None:
    leader, spy = (
        next(slug for slug, card in CATALOG.items() if card.attributes.get("type") == word)
        for word in ("leader", "spy")
    )
    allowed = few({leader: 3, spy: 30, "second-wind": 10, "normal-energy": 20})
    cards = {"main": {leader: 3, "second-wind": 2}}
    options = {"restricted": allowed, "single_type": True}
    fix = only(check_deck("duel", cards, options), "KND-D-10").fix
    assert fix is not None
    assert fix.label == "Swap 3 copies of Numbuh 1 for 58 cards"
    assert check_deck("duel", apply_fix(cards, fix), options).legal


def test_a_format_that_no_deck_meets_says_so() -> None:
    rest = few({"numbuh-1": 20, "normal-energy": 39})
    problem = only(check({"numbuh-1": 2}, restricted=rest), "KND-D-10")
    assert problem.fix is None
    assert problem.message == (
        "The deck has 2 cards; it must have exactly 60. Add 58. "
        "At most 59 cards may go into a deck here, so no deck can be legal."
    )
    nobody = few({"normal-energy": 60})
    problem = only(check({"normal-energy": 60}, restricted=nobody), "KND-D-12")
    assert problem.fix is None
    assert problem.message.endswith("None may go into a deck here, so no deck can be legal.")
