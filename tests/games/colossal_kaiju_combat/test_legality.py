"""Section 7 of the rules: every check with a legal, a just illegal and an absurd list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from games.colossal_kaiju_combat.legality import DECK_RULES, MODES, check_deck
from rules.engine.errors import BadData, UnknownGame
from rules.engine.legality import Problem, Report, apply_fix

GAME = rules.game("colossal-kaiju-combat")
CATALOG = GAME.catalog
STARTERS = {slug: deck.cards for slug, deck in GAME.starter_decks.items()}
DEEP = STARTERS["starter-deep"]
EMBER = STARTERS["starter-ember"]
ABSURD = 10**12

Deck = Mapping[str, Mapping[str, int]]
EDIT = Mapping[str, int]

SWORDS, SHIELDS = (
    [slug for slug, card in CATALOG.items() if card.attributes.get("icon") == icon]
    for icon in ("sword", "shield")
)
PLANNING = [slug for slug, card in CATALOG.items() if card.kind not in ("team", "kaiju", "combat")]


def check(
    deck: Deck,
    mode: str = "standard",
    *,
    owned: Mapping[str, int] | None = None,
    **format: Any,
) -> Report:
    return check_deck(mode, deck, format or None, owned=owned)


def found(report: Report, rule: str) -> list[Problem]:
    return [problem for problem in report.problems if problem.rule == rule]


def only(report: Report, rule: str) -> Problem:
    """The report's one problem of that rule."""
    (problem,) = found(report, rule)
    return problem


def alone(report: Report, rule: str) -> Problem:
    """The report's one problem, which is of that rule."""
    (problem,) = report.problems
    assert problem.rule == rule
    return problem


def summary(problem: Problem) -> tuple[str, tuple[str, ...], int | None, int | None]:
    assert problem.severity == "error"
    return problem.message, problem.cards, problem.found, problem.allowed


def mended(deck: Deck, problem: Problem) -> dict[str, dict[str, int]]:
    assert problem.fix is not None
    return apply_fix(deck, problem.fix)


def label(problem: Problem) -> str:
    assert problem.fix is not None
    return problem.fix.label


def changed(deck: Deck, **sections: EDIT) -> dict[str, dict[str, int]]:
    """A list with other counts in some sections; 0 takes a card out."""
    new = {section: {**cards, **sections.get(section, {})} for section, cards in deck.items()}
    return {
        section: {slug: count for slug, count in cards.items() if count}
        for section, cards in new.items()
    }


def replaced(deck: Deck, **sections: EDIT) -> dict[str, dict[str, int]]:
    """A list with whole sections put in place of its own."""
    return {section: dict(cards) for section, cards in {**deck, **sections}.items()}


def combat(swords: int, shields: int) -> dict[str, int]:
    """So many cards with either icon, two copies of each before the next."""
    cards: dict[str, int] = {}
    for slugs, number in ((SWORDS, swords), (SHIELDS, shields)):
        for i in range(number):
            cards[slugs[i // 2]] = cards.get(slugs[i // 2], 0) + 1
    return cards


def planning(number: int) -> dict[str, int]:
    """So many planning cards, three copies of each before the next."""
    cards: dict[str, int] = {}
    for i in range(number):
        cards[PLANNING[i // 3]] = cards.get(PLANNING[i // 3], 0) + 1
    return cards


def alliance(*kaiju: str) -> dict[str, dict[str, int]]:
    return replaced(DEEP, team={"open-alliance": 1}, kaiju=dict.fromkeys(kaiju, 1))


# -- lists that all is well with -------------------------------------------------------------------


@pytest.mark.rules(
    *("CKC-D-01", "CKC-D-02", "CKC-D-03", "CKC-D-04", "CKC-D-06", "CKC-D-07", "CKC-D-08"),
    *("CKC-D-09", "CKC-D-10", "CKC-D-11", "CKC-D-12", "CKC-D-13", "CKC-D-14", "CKC-D-20"),
)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("slug", STARTERS)
def test_starter_decks_are_legal_in_every_mode(slug: str, mode: str) -> None:
    assert check(STARTERS[slug], mode) == Report()
    assert GAME.check_deck(mode, STARTERS[slug], name="Mine").legal


@pytest.mark.rules("CKC-D-20")
def test_an_empty_format_is_constructed() -> None:
    bad = changed(DEEP, combat={"snap-bite": 3, "brace": 2})
    assert check_deck("standard", bad, {}) == check_deck("standard", bad)
    assert [problem.rule for problem in check(bad).problems] == ["CKC-D-09"]


@pytest.mark.rules("CKC-D-20")
def test_all_failing_checks_are_reported_by_rule() -> None:
    deck = {
        "team": {"open-alliance": 1},
        "kaiju": {"maelgrath": 2, "skarrow": 1, "giraffish": 1},
        "combat": {"brace": 3, "taunt": 1, "haymaker": 2},
        "planning": {"taunt": 4, "unicorn": 1},
    }
    report = check(deck, owned={})
    assert [problem.rule for problem in report.problems] == [
        *(
            "CKC-D-02",
            "CKC-D-03",
            "CKC-D-04",
            "CKC-D-05",
            "CKC-D-06",
            "CKC-D-08",
            "CKC-D-09",
            "CKC-D-10",
            "CKC-D-12",
            "CKC-D-13",
            "CKC-D-14",
        ),
        *["CKC-D-15"] * 6,
    ]
    assert not report.legal


def test_nothing_at_all() -> None:
    assert [(problem.rule, problem.found, problem.allowed) for problem in check({}).problems] == [
        ("CKC-D-01", 0, 1),
        ("CKC-D-06", 0, 20),
        ("CKC-D-10", 0, 25),
    ]
    deck: Deck = {}
    for _ in range(4):
        for problem in check(deck).problems[:1]:
            deck = mended(deck, problem)
    assert check(deck) == Report()


# -- the team --------------------------------------------------------------------------------------


@pytest.mark.rules("CKC-D-01")
@pytest.mark.parametrize(
    ("team", "message", "fixed", "button"),
    [
        (
            {},
            "Your deck has 0 team cards; it needs exactly 1.",
            {"from-the-deep": 1},
            "Add From the Deep",
        ),
        (
            {"open-alliance": 1, "from-the-deep": 1},
            "Your deck has 2 team cards; it needs exactly 1.",
            {"from-the-deep": 1},
            "Take out Open Alliance",
        ),
        (
            {"from-the-deep": ABSURD},
            f"Your deck has {ABSURD} team cards; it needs exactly 1.",
            {"from-the-deep": 1},
            f"Take out {ABSURD - 1} copies of From the Deep",
        ),
    ],
)
def test_d01_one_team_card(team: EDIT, message: str, fixed: EDIT, button: str) -> None:
    deck = replaced(DEEP, team=team)
    problem = alone(check(deck), "CKC-D-01")
    cards = tuple(slug for slug in CATALOG if slug in team)
    assert summary(problem) == (message, cards, sum(team.values()), 1)
    assert label(problem) == button
    assert mended(deck, problem)["team"] == fixed
    assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("CKC-D-01")
def test_d01_kaiju_of_no_common_affiliation_get_an_open_alliance() -> None:
    mixed = replaced(DEEP, team={}, kaiju={"pelagor": 1, "skarrow": 1})
    assert mended(mixed, only(check(mixed), "CKC-D-01"))["team"] == {"open-alliance": 1}
    two = replaced(DEEP, team={"ember-court": 1, "open-alliance": 2}, kaiju={"pelagor": 1})
    assert mended(two, only(check(two), "CKC-D-01"))["team"] == {"open-alliance": 1}


@pytest.mark.rules("CKC-D-01")
def test_d01_adds_a_team_card_that_is_owned() -> None:
    deck = replaced(DEEP, team={})
    owned = {slug: 3 for slug in CATALOG if CATALOG[slug].kind != "team"}
    problem = only(check(deck, owned=owned), "CKC-D-01")
    assert label(problem) == "Add Open Alliance"  # everybody has one
    banned = [slug for slug in CATALOG if CATALOG[slug].kind == "team"]
    assert only(check(deck, banned=banned), "CKC-D-01").fix is None


@pytest.mark.rules("CKC-D-02")
def test_d02_the_number_of_kaiju_that_the_team_card_says() -> None:
    for number in (2, 4):
        kaiju = ("maelgrath", "coralisk", "pelagor", "lanternjaw")[:number]
        deck = replaced(DEEP, kaiju=dict.fromkeys(kaiju, 1))
        problem = alone(check(deck), "CKC-D-02")
        message = f"From the Deep needs exactly 3 kaiju; you have {number}."
        assert summary(problem) == (message, (), number, 3)
        assert check(mended(deck, problem)) == Report()
    none = replaced(DEEP, kaiju={})
    problem = alone(check(none), "CKC-D-02")
    assert label(problem) == "Add Maelgrath, Coralisk and Pelagor"
    assert mended(none, problem)["kaiju"] == DEEP["kaiju"]


@pytest.mark.rules("CKC-D-02")
def test_d02_open_alliance_takes_two_or_three() -> None:
    kaiju = ("coralisk", "pelagor", "lanternjaw")
    assert check(alliance(*kaiju)) == check(alliance(*kaiju[:2])) == Report()
    for few in (1, 0):
        deck = alliance(*kaiju[:few])
        problem = alone(check(deck), "CKC-D-02")
        message = f"Open Alliance needs 2 or 3 kaiju; you have {few}."
        assert summary(problem) == (message, (), few, 2)
        assert check(mended(deck, problem)) == Report()
    many = alliance("cinderwing", "magmaul", "obsidrake", "skarrow")
    problem = only(check(many), "CKC-D-02")
    assert summary(problem) == ("Open Alliance needs 2 or 3 kaiju; you have 4.", (), 4, 3)
    assert label(problem) == "Take out Skarrow"
    assert check(mended(many, problem)) == Report()


@pytest.mark.rules("CKC-D-02", "CKC-D-04")
def test_d02_takes_out_copies_before_kaiju() -> None:
    deck = changed(DEEP, kaiju={"coralisk": ABSURD})
    problem = only(check(deck), "CKC-D-02")
    assert problem.found == ABSURD + 2
    assert mended(deck, problem) == replaced(DEEP)


@pytest.mark.rules("CKC-D-02")
def test_d02_without_one_team_card_nobody_can_say() -> None:
    for team in ({}, {"from-the-deep": 1, "ember-court": 1}):
        deck = replaced(DEEP, team=team, kaiju={"skarrow": 1, "maelgrath": 1})
        assert {problem.rule for problem in check(deck).problems} == {"CKC-D-01"}


@pytest.mark.rules("CKC-D-03")
def test_d03_every_kaiju_has_the_affiliation_of_the_team() -> None:
    deck = replaced(DEEP, kaiju={"maelgrath": 1, "coralisk": 1, "magmaul": 1})
    problem = alone(check(deck), "CKC-D-03")
    message = "Magmaul is VOLCANIC; From the Deep takes DEEP only."
    assert summary(problem) == (message, ("magmaul",), 1, 0)
    assert label(problem) == "Swap Magmaul for Pelagor"
    assert mended(deck, problem) == replaced(DEEP)


@pytest.mark.rules("CKC-D-03")
def test_d03_wrong_kaiju_are_swapped_for_different_ones() -> None:
    deck = replaced(DEEP, kaiju=EMBER["kaiju"])
    problems = found(check(deck), "CKC-D-03")
    assert [problem.cards for problem in problems] == [("pyroklast",), ("magmaul",), ("obsidrake",)]
    while problems := found(check(deck), "CKC-D-03"):
        deck = mended(deck, problems[0])
    assert deck == replaced(DEEP)


@pytest.mark.rules("CKC-D-03")
def test_d03_takes_out_what_cannot_be_swapped() -> None:
    deck = changed(DEEP, kaiju={"skarrow": 7})
    owned = {**dict.fromkeys(CATALOG, 9), "lanternjaw": 0}
    problem = only(check(deck, owned=owned), "CKC-D-03")
    assert summary(problem)[2:] == (7, 0)
    assert label(problem) == "Take out all 7 copies of Skarrow"
    assert check(mended(deck, problem), owned=owned) == Report()


@pytest.mark.rules("CKC-D-03")
def test_d03_open_alliance_wants_one_affiliation_in_common() -> None:
    assert check(alliance("skarrow", "galehorn", "zephyrix")) == Report()
    deck = alliance("skarrow", "pelagor", "galehorn")
    problem = alone(check(deck), "CKC-D-03")
    assert summary(problem) == (
        "Your kaiju share no affiliation (Pelagor DEEP, Skarrow SKY, Galehorn SKY).",
        ("pelagor", "skarrow", "galehorn"),
        2,
        1,
    )
    assert label(problem) == "Take out Pelagor"
    fixed = mended(deck, problem)
    assert fixed["kaiju"].keys() == {"skarrow", "galehorn"}
    assert check(fixed) == Report()
    every = alliance(*(slug for slug in CATALOG if CATALOG[slug].kind == "kaiju"))
    problem = only(check(every), "CKC-D-03")
    assert (problem.found, problem.allowed) == (5, 1)
    assert not found(check(mended(every, problem)), "CKC-D-03")


@pytest.mark.rules("CKC-D-04", "CKC-R-61")
def test_d04_no_kaiju_twice() -> None:
    deck = replaced(DEEP, kaiju={"maelgrath": 1, "coralisk": 2})
    problem = alone(check(deck), "CKC-D-04")
    message = "Coralisk is on your team 2 times; each kaiju may be there once."
    assert summary(problem) == (message, ("coralisk",), 2, 1)
    assert label(problem) == "Take out 1 copy of Coralisk"
    assert mended(deck, problem)["kaiju"] == {"maelgrath": 1, "coralisk": 1}
    deck = replaced(DEEP, kaiju={"maelgrath": ABSURD, "coralisk": ABSURD, "pelagor": 1})
    problems = found(check(deck), "CKC-D-04")
    assert [problem.found for problem in problems] == [ABSURD, ABSURD]
    for problem in problems:
        deck = mended(deck, problem)
    assert check(deck) == Report()


@pytest.mark.rules("CKC-R-61")
def test_r61_two_players_may_have_the_same_kaiju() -> None:
    assert check(DEEP) == check(changed(DEEP, planning={"taunt": 2})) == Report()


@pytest.mark.rules("CKC-D-05")
def test_d05_no_leader_joins_an_open_alliance() -> None:
    deck = alliance("maelgrath", "coralisk")
    problem = alone(check(deck), "CKC-D-05")
    message = "Maelgrath is a LEADER and cannot join Open Alliance."
    assert summary(problem) == (message, ("maelgrath",), 1, 0)
    assert label(problem) == "Swap Maelgrath for Pelagor"
    assert check(mended(deck, problem)) == Report()
    assert check(alliance("coralisk", "pelagor")) == check(DEEP) == Report()


@pytest.mark.rules("CKC-D-05")
def test_d05_all_leaders_together() -> None:
    leaders = [
        slug for slug, card in CATALOG.items() if "LEADER" in card.attributes.get("keywords", ())
    ]
    deck = alliance(*leaders)
    problems = found(check(deck), "CKC-D-05")
    assert [problem.cards[0] for problem in problems] == leaders
    for problem in problems:
        deck = mended(deck, problem)
    assert not found(check(deck), "CKC-D-05")


# -- the combat deck -------------------------------------------------------------------------------


@pytest.mark.rules("CKC-D-06")
@pytest.mark.parametrize(
    ("swords", "shields", "message"),
    [
        (9, 10, "Your combat deck has 19 cards; the minimum is 20."),
        (0, 1, "Your combat deck has 1 card; the minimum is 20."),
        (0, 0, "Your combat deck has 0 cards; the minimum is 20."),
        (5, 14, "Your combat deck has 19 cards; the minimum is 20."),
    ],
)
def test_d06_at_least_20(swords: int, shields: int, message: str) -> None:
    deck = replaced(DEEP, combat=combat(swords, shields))
    problem = only(check(deck), "CKC-D-06")
    assert summary(problem) == (message, (), swords + shields, 20)
    fixed = mended(deck, problem)
    assert sum(fixed["combat"].values()) == 20
    assert not found(check(fixed), "CKC-D-06")
    if max(swords, shields) <= 10:
        assert check(fixed) == Report()
    assert check(replaced(DEEP, combat=combat(10, 10))) == Report()


@pytest.mark.rules("CKC-D-06")
def test_d06_names_few_cards_on_its_button() -> None:
    deck = changed(DEEP, combat={"bone-crusher": 0, "slip-under": 0})
    assert label(only(check(deck), "CKC-D-06")) == "Add Straight Jab and Sidestep"
    many = replaced(DEEP, combat={})
    assert label(only(check(many), "CKC-D-06")) == "Add 20 combat cards"


@pytest.mark.rules("CKC-D-06")
def test_d06_adds_cards_whose_icons_count() -> None:
    deck = replaced(DEEP, combat={})
    added = mended(deck, only(check(deck), "CKC-D-06"))["combat"]
    attributes = {attr for slug in DEEP["kaiju"] for attr in CATALOG[slug]["attr"]}
    for slug in added:
        card = CATALOG[slug].attributes
        icons = {*card.get("damage_icons", ()), *card.get("toughness_icons", ())}
        assert not icons or icons & attributes, slug


@pytest.mark.rules("CKC-D-06", "CKC-D-15")
def test_d06_adds_only_what_is_owned() -> None:
    deck = replaced(DEEP, combat={})
    few = {slug: 1 for slugs in DEEP.values() for slug in slugs}
    assert only(check(deck, owned=few), "CKC-D-06").fix is None
    enough = {slug: count for cards in DEEP.values() for slug, count in cards.items()}
    problem = only(check(deck, owned=enough), "CKC-D-06")
    assert mended(deck, problem)["combat"] == DEEP["combat"]


@pytest.mark.rules("CKC-D-07")
@pytest.mark.parametrize(("swords", "shields"), [(21, 20), (20, 21), (21, 21), (44, 40)])
def test_d07_at_most_40(swords: int, shields: int) -> None:
    deck = replaced(DEEP, combat=combat(swords, shields))
    problem = only(check(deck), "CKC-D-07")
    message = f"Your combat deck has {swords + shields} cards; the maximum is 40."
    assert summary(problem) == (message, (), swords + shields, 40)
    assert check(mended(deck, problem)) == Report()
    assert check(replaced(DEEP, combat=combat(20, 20))) == Report()


@pytest.mark.rules("CKC-D-07")
def test_d07_takes_out_surplus_copies_first() -> None:
    cards = {**combat(20, 20), "brace": ABSURD}
    deck = replaced(DEEP, combat=cards)
    problem = only(check(deck), "CKC-D-07")
    assert problem.found == sum(cards.values())
    fixed = mended(deck, problem)
    assert sum(fixed["combat"].values()) == 40
    assert fixed["combat"]["brace"] <= 2


@pytest.mark.rules("CKC-D-08")
@pytest.mark.parametrize(
    ("swords", "shields", "button"),
    [
        (11, 10, "Add Sidestep"),
        (10, 13, "Add One-Two, Haymaker and Plasma Breath"),
        (20, 0, "Add 20 combat cards"),
        (21, 9, "Swap Needle Volley for 11 combat cards"),
    ],
)
def test_d08_as_many_swords_as_shields(swords: int, shields: int, button: str) -> None:
    deck = replaced(DEEP, combat=combat(swords, shields))
    problem = alone(check(deck), "CKC-D-08")
    message = (
        f"Your combat deck has {swords} Sword and {shields} Shield cards; "
        "the numbers must be equal."
    )
    assert summary(problem) == (message, (), swords, shields)
    assert not found(check(mended(deck, problem)), "CKC-D-08")
    assert label(problem) == button


@pytest.mark.rules("CKC-D-08")
def test_d08_takes_out_where_nothing_can_come_in() -> None:
    deck = changed(DEEP, combat={"straight-jab": 1})
    owned = {slug: count for cards in deck.values() for slug, count in cards.items()}
    problem = alone(check(deck, owned=owned), "CKC-D-08")
    assert label(problem) == "Take out 1 copy of Gnash and Hold"
    assert check(mended(deck, problem), owned=owned) == Report()


@pytest.mark.rules("CKC-D-08")
def test_d08_a_technique_counts_by_its_icon() -> None:
    assert CATALOG["grapple"]["type"] == CATALOG["horn-lock"]["type"] == "Technique"
    swap = changed(DEEP, combat={"siphon-bite": 0, "grapple": 1, "slip-under": 0, "horn-lock": 1})
    assert check(swap) == Report()
    wrong = changed(DEEP, combat={"slip-under": 0, "grapple": 1})
    assert (problem := alone(check(wrong), "CKC-D-08")).found == 11
    assert problem.allowed == 9


@pytest.mark.rules("CKC-D-09")
def test_d09_at_most_two_copies_of_a_combat_card() -> None:
    deck = changed(DEEP, combat={"snap-bite": 3, "siphon-bite": 0})
    problem = alone(check(deck), "CKC-D-09")
    message = "Snap Bite: 3 copies, 2 allowed."
    assert summary(problem) == (message, ("snap-bite",), 3, 2)
    assert label(problem) == "Take out 1 copy of Snap Bite"
    assert mended(deck, problem)["combat"]["snap-bite"] == 2
    absurd = changed(DEEP, combat={"brace": ABSURD, "snap-bite": ABSURD})
    problems = found(check(absurd), "CKC-D-09")
    assert [problem.cards[0] for problem in problems] == ["snap-bite", "brace"]
    assert label(problems[0]) == f"Take out {ABSURD - 2} copies of Snap Bite"
    for problem in problems:
        absurd = mended(absurd, problem)
    assert not found(check(absurd), "CKC-D-09")


# -- the planning deck -----------------------------------------------------------------------------


@pytest.mark.rules("CKC-D-10")
@pytest.mark.parametrize("number", [24, 1, 0])
def test_d10_at_least_25(number: int) -> None:
    deck = replaced(DEEP, planning=planning(number))
    problem = alone(check(deck), "CKC-D-10")
    cards = "1 card" if number == 1 else f"{number} cards"
    message = f"Your planning deck has {cards}; the minimum is 25."
    assert summary(problem) == (message, (), number, 25)
    assert check(mended(deck, problem)) == Report()
    assert check(replaced(DEEP, planning=planning(25))) == Report()


@pytest.mark.rules("CKC-D-10")
def test_d10_adds_a_mixture_that_suits_the_team() -> None:
    deck = replaced(DEEP, planning={})
    added = mended(deck, only(check(deck), "CKC-D-10"))["planning"]
    assert {CATALOG[slug].kind for slug in added} == {
        *("location", "opponent", "ally", "scar", "event"),
    }
    assert "tidecaller-cult" in added
    assert not added.keys() & {"drone-swarm", "ashling-brood"}


@pytest.mark.rules("CKC-D-11")
@pytest.mark.parametrize("number", [61, 100, 156])
def test_d11_at_most_60(number: int) -> None:
    deck = replaced(DEEP, planning=planning(number))
    problem = alone(check(deck), "CKC-D-11")
    message = f"Your planning deck has {number} cards; the maximum is 60."
    assert summary(problem) == (message, (), number, 60)
    assert check(mended(deck, problem)) == Report()
    assert check(replaced(DEEP, planning=planning(60))) == Report()


@pytest.mark.rules("CKC-D-12")
def test_d12_at_most_three_copies_of_a_planning_card() -> None:
    assert check(changed(DEEP, planning={"taunt": 3})) == Report()
    deck = changed(DEEP, planning={"taunt": 4})
    problem = alone(check(deck), "CKC-D-12")
    assert summary(problem) == ("Taunt: 4 copies, 3 allowed.", ("taunt",), 4, 3)
    assert check(mended(deck, problem)) == Report()
    absurd = changed(DEEP, planning={"taunt": ABSURD})
    assert mended(absurd, only(check(absurd), "CKC-D-12"))["planning"]["taunt"] == 3


# -- all sections ----------------------------------------------------------------------------------


@pytest.mark.rules("CKC-D-13", "CKC-R-17")
@pytest.mark.parametrize(
    ("section", "slug", "count", "message", "button"),
    [
        (
            *("combat", "taunt", 1, "Taunt is a planning card and cannot be in your combat deck."),
            "Move Taunt to your planning deck",
        ),
        (
            *("planning", "brace", 1),
            "Brace is a combat card and cannot be in your planning deck.",
            "Move Brace to your combat deck",
        ),
        (
            *("team", "lanternjaw", 1),
            "Lanternjaw is a kaiju card and cannot be in your team section.",
            "Move Lanternjaw to your kaiju section",
        ),
        (
            *("kaiju", "ember-court", 1),
            "The Ember Court is a team card and cannot be in your kaiju section.",
            "Move The Ember Court to your team section",
        ),
        (
            *("combat", "harbor-docks", ABSURD),
            "Harbor Docks is a planning card and cannot be in your combat deck.",
            f"Move {ABSURD} copies of Harbor Docks to your planning deck",
        ),
    ],
)
def test_d13_each_card_in_its_own_section(
    section: str, slug: str, count: int, message: str, button: str
) -> None:
    deck = changed(DEEP, **{section: {slug: count}})
    problem = alone(check(deck), "CKC-D-13")
    assert summary(problem) == (message, (slug,), count, 0)
    assert label(problem) == button
    fixed = mended(deck, problem)
    assert not found(check(fixed), "CKC-D-13")
    own = next(name for name in DECK_RULES.sections if slug in fixed[name])
    assert fixed[own][slug] == DEEP[own].get(slug, 0) + count


@pytest.mark.rules("CKC-D-13", "CKC-D-06")
def test_d13_what_lies_wrong_counts_for_nothing_else() -> None:
    deck = replaced(DEEP, combat={}, planning={**DEEP["planning"], **DEEP["combat"]})
    report = check(deck)
    assert {problem.rule for problem in report.problems} == {"CKC-D-06", "CKC-D-13"}
    for problem in found(report, "CKC-D-13"):
        deck = mended(deck, problem)
    assert check(deck) == Report()


@pytest.mark.rules("CKC-D-14")
@pytest.mark.parametrize(("entry", "count"), [("unicorn-silver", 1), ("Brace", 2), ("", ABSURD)])
@pytest.mark.parametrize("section", DECK_RULES.sections)
def test_d14_every_card_exists(section: str, entry: str, count: int) -> None:
    deck = changed(DEEP, **{section: {entry: count}})
    problem = alone(check(deck), "CKC-D-14")
    assert summary(problem) == (f"{entry} is not allowed in Constructed.", (entry,), count, 0)
    assert label(problem) == f"Take out “{entry}”"
    assert check(mended(deck, problem)) == Report()


@pytest.mark.rules("CKC-D-14")
def test_d14_cards_that_the_format_does_not_allow() -> None:
    format: dict[str, Any] = {"banned": ["taunt", "snap-bite", "maelgrath"], "name": "Harbour Cup"}
    problems = check(DEEP, **format).problems
    assert [problem.message for problem in problems] == [
        "Maelgrath is not allowed in Harbour Cup.",
        "Snap Bite is not allowed in Harbour Cup.",
        "Taunt is not allowed in Harbour Cup.",
    ]
    assert [label(problem) for problem in problems] == [
        "Take out Maelgrath",
        "Take out 2 copies of Snap Bite",
        "Take out Taunt",
    ]
    deck: Deck = DEEP
    for _ in range(9):
        for problem in check(deck, **format).problems[:1]:
            deck = mended(deck, problem)
    assert check(deck, **format) == Report()
    assert not {"taunt", "snap-bite", "maelgrath"} & {card for s in deck.values() for card in s}


@pytest.mark.rules("CKC-D-14")
def test_d14_sets_that_the_format_allows() -> None:
    assert check(DEEP, sets=["landfall"]) == Report()
    problems = found(check(DEEP, sets=[]), "CKC-D-14")
    assert len(problems) == sum(len(cards) for cards in DEEP.values())
    misplaced = changed(DEEP, combat={"taunt": 2})
    assert len(found(check(misplaced, banned=["taunt"]), "CKC-D-14")) == 2


@pytest.mark.rules("CKC-D-14")
@pytest.mark.parametrize(
    ("mode", "format", "name"),
    [
        ("standard", {}, "Constructed"),
        ("basic", {}, "Basic"),
        ("standard", {"sealed": True}, "Sealed"),
        ("standard", {"sealed": True, "no_leaders": True}, "Sealed No Leaders"),
        ("basic", {"singleton": True}, "Singleton"),
        ("standard", {"singleton": True, "name": "One of Each"}, "One of Each"),
    ],
)
def test_d14_names_the_format(mode: str, format: Any, name: str) -> None:
    deck = changed(DEEP, combat={"unicorn": 1})
    assert only(check(deck, mode, **format), "CKC-D-14").message == (
        f"unicorn is not allowed in {name}."
    )


@pytest.mark.rules("CKC-D-15")
def test_d15_the_player_owns_enough_copies() -> None:
    owned = {slug: count for cards in DEEP.values() for slug, count in cards.items()}
    assert check(DEEP, owned=owned) == Report()
    problem = only(check(DEEP, owned={**owned, "snap-bite": 1}), "CKC-D-15")
    message = "You own 1 of Snap Bite; the deck uses 2."
    assert summary(problem) == (message, ("snap-bite",), 2, 1)
    assert label(problem) == "Take out 1 copy of Snap Bite"
    fixed = mended(DEEP, problem)
    assert not found(check(fixed, owned={**owned, "snap-bite": 1}), "CKC-D-15")
    nothing = found(check(DEEP, owned={}), "CKC-D-15")
    assert len(nothing) == len(owned)
    assert {problem.allowed for problem in nothing} == {0}
    assert found(check(DEEP, owned={**owned, "taunt": -3}), "CKC-D-15")[0].allowed == 0


@pytest.mark.rules("CKC-D-15")
def test_d15_everybody_has_one_open_alliance() -> None:
    deck = alliance("coralisk", "pelagor")
    owned = {slug: count for cards in deck.values() for slug, count in cards.items()}
    del owned["open-alliance"]
    assert check(deck, owned=owned) == Report()
    twice = changed(deck, team={"open-alliance": 2})
    assert (only(check(twice, owned=owned), "CKC-D-15").found) == 2


# -- formats ---------------------------------------------------------------------------------------


@pytest.mark.rules("CKC-D-21")
def test_d21_sealed_takes_open_alliance_as_it_is() -> None:
    deck = alliance("maelgrath", "pyroklast", "skarrow")
    assert {problem.rule for problem in check(deck).problems} == {"CKC-D-03", "CKC-D-05"}
    assert check(deck, sealed=True) == Report()
    assert (
        alone(check(replaced(deck, kaiju={"maelgrath": 1}), sealed=True), "CKC-D-02").fix
        is not None
    )
    ember = replaced(deck, team={"ember-court": 1})
    assert len(found(check(ember, sealed=True), "CKC-D-03")) == 2
    twice = replaced(deck, kaiju={"maelgrath": 2})
    assert alone(check(twice, sealed=True), "CKC-D-04").found == 2


@pytest.mark.rules("CKC-D-21", "CKC-D-10")
def test_d21_sealed_needs_15_planning_cards() -> None:
    for number in (15, 24, 60):
        assert check(replaced(DEEP, planning=planning(number)), sealed=True) == Report()
    deck = replaced(DEEP, planning=planning(14))
    problem = alone(check(deck, sealed=True), "CKC-D-10")
    message = "Your planning deck has 14 cards; the minimum is 15."
    assert summary(problem) == (message, (), 14, 15)
    assert check(mended(deck, problem), sealed=True) == Report()


@pytest.mark.rules("CKC-D-21", "CKC-D-15")
def test_d21_sealed_minds_the_pool_and_not_the_copies() -> None:
    deck = replaced(DEEP, combat={"straight-jab": 10, "brace": 10}, planning={"taunt": 15})
    assert len(check(deck).problems) == 4
    assert check(deck, sealed=True) == Report()
    pool = {**dict.fromkeys([*DEEP["team"], *DEEP["kaiju"]], 1), "straight-jab": 9, "brace": 12}
    problems = check(deck, owned={**pool, "taunt": 15}, sealed=True).problems
    assert [problem.message for problem in problems] == [
        "You own 9 of Straight Jab; the deck uses 10."
    ]
    small = replaced(deck, combat={"straight-jab": 9, "brace": 9})
    problem = only(
        check(small, owned={**pool, "haymaker": 4, "taunt": 15}, sealed=True), "CKC-D-06"
    )
    assert mended(small, problem)["combat"] == {"straight-jab": 9, "brace": 10, "haymaker": 1}


@pytest.mark.rules("CKC-D-22")
def test_d22_singleton() -> None:
    problems = check(DEEP, singleton=True).problems
    doubles = [
        slug for section in ("combat", "planning") for slug, n in DEEP[section].items() if n > 1
    ]
    assert [problem.cards[0] for problem in problems] == sorted(doubles, key=list(CATALOG).index)
    assert {problem.rule for problem in problems} == {"CKC-D-22"}
    first = problems[0]
    message = "Snap Bite: 2 copies, 1 allowed in Singleton."
    assert summary(first) == (message, ("snap-bite",), 2, 1)
    once = replaced(
        DEEP,
        combat=dict.fromkeys([*SWORDS[:10], *SHIELDS[:10]], 1),
        planning=dict.fromkeys(PLANNING[:25], 1),
    )
    assert check(once, singleton=True) == Report()
    absurd = changed(once, planning={"taunt": ABSURD})
    assert only(check(absurd, singleton=True), "CKC-D-22").found == ABSURD


@pytest.mark.rules("CKC-D-22", "CKC-D-09", "CKC-D-12")
def test_d22_stands_in_place_of_the_usual_limits() -> None:
    deck = changed(DEEP, combat={"snap-bite": 5}, planning={"taunt": 5})
    rules_found = {problem.rule for problem in check(deck, singleton=True).problems}
    assert rules_found == {"CKC-D-08", "CKC-D-22"}
    while problems := check(deck, singleton=True).problems:
        deck = mended(deck, problems[0])
    assert max(count for cards in deck.values() for count in cards.values()) == 1


@pytest.mark.rules("CKC-D-23", "CKC-D-10", "CKC-D-11", "CKC-D-12")
@pytest.mark.parametrize(
    "cards", [{}, {"taunt": 4}, {"taunt": 61}, {"brace": 3}, {"unicorn": ABSURD}]
)
def test_d23_basic_does_not_look_at_a_planning_section(cards: EDIT) -> None:
    deck = replaced(DEEP, planning=cards)
    assert check(deck, "basic") == check(deck, "basic", owned=dict.fromkeys(CATALOG, 2)) == Report()
    assert check(deck, "basic", singleton=True, banned=["taunt"]).problems
    assert not check(deck).legal
    without = {section: cards for section, cards in deck.items() if section != "planning"}
    assert check(without, "basic") == Report()


@pytest.mark.rules("CKC-D-23")
def test_d23_basic_checks_everything_else() -> None:
    deck = changed(DEEP, kaiju={"skarrow": 1}, combat={"snap-bite": 3}, team={"taunt": 1})
    assert {problem.rule for problem in check(deck, "basic").problems} == {
        *("CKC-D-02", "CKC-D-03", "CKC-D-08", "CKC-D-09", "CKC-D-13"),
    }


@pytest.mark.rules("CKC-D-24")
def test_d24_no_leaders() -> None:
    problem = alone(check(DEEP, no_leaders=True), "CKC-D-24")
    message = "Maelgrath is a LEADER; LEADERs are not allowed in this event."
    assert summary(problem) == (message, ("maelgrath",), 1, 0)
    assert label(problem) == "Swap Maelgrath for Lanternjaw"
    assert check(mended(DEEP, problem), no_leaders=True) == Report()
    assert check(changed(DEEP, kaiju={"maelgrath": 0, "lanternjaw": 1}), no_leaders=True).legal
    few = replaced(DEEP, kaiju={"coralisk": 1, "pelagor": 1})
    short = only(check(few, no_leaders=True), "CKC-D-02")
    assert label(short) == "Add Lanternjaw"
    many = changed(DEEP, kaiju={"maelgrath": ABSURD})
    assert only(check(many, no_leaders=True), "CKC-D-24").found == ABSURD
    mine = alliance("tempestra", "skarrow")
    assert {problem.rule for problem in check(mine, no_leaders=True).problems} == {
        *("CKC-D-05", "CKC-D-24"),
    }


# -- what cannot be read ---------------------------------------------------------------------------


def test_an_unknown_mode() -> None:
    with pytest.raises(UnknownGame, match="has no mode “duel”; it has standard, basic"):
        check_deck("duel", DEEP)


@pytest.mark.parametrize(
    ("decklist", "message"),
    [
        ([], "A deck list is an object"),
        ({"main": {}}, "no section “main” in this deck; there is “team”"),
        ({"combat": ["brace"]}, "The section “combat” is an object"),
        ({"combat": {"brace": -1}}, "The count of “brace” is a whole number"),
        ({"combat": {"brace": True}}, "The count of “brace” is a whole number"),
        ({"combat": {3: 1}}, "A card is named by its slug"),
    ],
)
def test_a_list_that_cannot_be_read(decklist: Any, message: str) -> None:
    with pytest.raises(BadData, match=message):
        check_deck("standard", decklist)


@pytest.mark.parametrize(
    ("format", "message"),
    [
        ([], "A format is an object of options."),
        ({"rotation": 1}, "There is no format option “rotation”; there are sealed, singleton"),
        ({"sealed": 1}, "The format option “sealed” is true or false, not 1."),
        ({"banned": "taunt"}, "The format option “banned” is a list of slugs, not 'taunt'."),
        ({"banned": 4}, "The format option “banned” is a list of slugs, not 4."),
        ({"banned": ["unicorn"]}, "“banned” names 'unicorn', which does not exist."),
        ({"banned": [[]]}, "“banned” names .., which does not exist."),
        ({"sets": ["first-dawn"]}, "“sets” names 'first-dawn', which does not exist."),
        ({"name": ""}, "The format option “name” is a name, not ''."),
        ({"name": 3}, "The format option “name” is a name, not 3."),
    ],
)
def test_a_format_that_cannot_be_read(format: Any, message: str) -> None:
    with pytest.raises(BadData, match=message):
        check_deck("standard", DEEP, format)
    assert set(DECK_RULES.options) == {
        *("sealed", "singleton", "no_leaders", "sets", "banned", "name"),
    }


def test_the_list_that_was_given_stays_as_it_was() -> None:
    deck = {"team": {"taunt": 1, "unicorn": 2}, "combat": {"brace": 0}}
    check(deck, "basic")
    assert deck == {"team": {"taunt": 1, "unicorn": 2}, "combat": {"brace": 0}}


# -- whatever is typed -----------------------------------------------------------------------------


def lists() -> st.SearchStrategy[dict[str, dict[str, int]]]:
    counts = st.one_of(st.integers(0, 4), st.integers(0, 100))
    cards = st.dictionaries(st.sampled_from([*CATALOG, "unicorn", ""]), counts, max_size=12)
    decks = st.sampled_from([{}, *STARTERS.values()])
    edits = st.dictionaries(st.sampled_from(DECK_RULES.sections), cards)
    return st.builds(
        lambda deck, edit: {
            section: {**deck.get(section, {}), **edit.get(section, {})}
            for section in DECK_RULES.sections
        },
        decks,
        edits,
    )


FORMATS = st.fixed_dictionaries(
    {},
    optional={
        "sealed": st.booleans(),
        "singleton": st.booleans(),
        "no_leaders": st.booleans(),
        "banned": st.lists(st.sampled_from(list(CATALOG)), max_size=8),
    },
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(lists(), st.sampled_from(MODES), FORMATS, st.booleans())
def test_a_fix_mends_its_problem_whatever_is_typed(
    deck: dict[str, dict[str, int]], mode: str, format: dict[str, Any], poor: bool
) -> None:
    owned = dict.fromkeys(list(CATALOG)[::2], 2) if poor else None
    report = check(deck, mode, owned=owned, **format)
    assert [problem.rule for problem in report.problems] == sorted(
        problem.rule for problem in report.problems
    )
    for problem in report.problems:
        assert problem.message and problem.severity == "error"
        assert problem.found != problem.allowed
        if problem.fix is not None:
            after = check(mended(deck, problem), mode, owned=owned, **format)
            rivals = [rival for rival in after.problems if rival.rule == problem.rule]
            same = [rival for rival in rivals if rival.cards == problem.cards]
            left = [
                rival for rival in same if not rival.fix or rival.fix.section == problem.fix.section
            ]
            assert not left, (problem, left)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(lists(), st.sampled_from(MODES))
def test_pressing_the_first_button_again_and_again_ends_in_a_legal_deck(
    deck: dict[str, dict[str, int]], mode: str
) -> None:
    for _ in range(400):
        problems = check(deck, mode).problems
        if not problems:
            return
        deck = mended(deck, problems[0])
    raise AssertionError([problem.message for problem in check(deck, mode).problems])
