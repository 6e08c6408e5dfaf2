"""House rules for the decks of any game, and what games say of their own formats."""

from __future__ import annotations

import pytest

import rules
from rules.engine.errors import BadData
from rules.engine.game import FormatOption, Game, Mode
from rules.engine.legality import Problem, apply_fix
from rules.engine.numbered_rules import numbered_rules
from tests.games.examples import (
    BOX_GAME,
    CLAW,
    EXAMPLE,
    GAME_NAME,
    GOLD_6,
    NOT_OWNED,
    READY_CARDS,
    SECTION_GAME,
    TILE_GAME,
    WRONG_SIZE,
)

OPTIONS = [
    pytest.param(game, mode, option, id=f"{game.slug}-{mode.slug}-{option.slug}")
    for game in rules.games().values()
    for mode in game.modes.values()
    for option in game.format_options
    if mode.slug in (option.modes or game.modes)
]


def house(**rules: object) -> list[Problem]:
    report = EXAMPLE.check_deck("tournament", READY_CARDS, {"house": rules})
    return [problem for problem in report.problems if problem.rule.startswith("HOUSE")]


@pytest.mark.rules("HOUSE-01")
def test_a_restricted_list_counts_copies() -> None:
    assert house(restricted={CLAW: 1}) == []
    two = {"main": dict(READY_CARDS["main"]) | {CLAW: 2}}
    format = {"house": {"restricted": {CLAW: 1}, "version": 3}}
    report = EXAMPLE.check_deck("tournament", two, format)
    problem = next(candidate for candidate in report.problems if candidate.rule == "HOUSE-01")
    assert problem.message == (
        "Red Claw: 2 in the deck, 1 allowed by the restricted list (version 3). Take out 1."
    )
    assert (problem.cards, problem.found, problem.allowed) == ((CLAW,), 2, 1)
    assert problem.fix is not None and not report.legal
    mended = apply_fix(two, problem.fix)
    assert EXAMPLE.check_deck("tournament", mended, format).legal


@pytest.mark.rules("HOUSE-01")
def test_a_banned_card() -> None:
    (problem,) = house(restricted={CLAW: 0}, name="Highland")
    assert problem.message == (
        "Red Claw is not allowed in Highland: 1 in the deck, 0 allowed. Take out 1."
    )
    assert problem.fix is not None and problem.fix.changes == {CLAW: -1}
    (verdict,) = house(
        restricted={CLAW: 0}, name="Highland", reasons={CLAW: "Too quick", GOLD_6: "x"}
    )
    assert verdict.message == f"{problem.message} The organiser’s reason: Too quick."
    with pytest.raises(BadData, match="Reasons are"):
        house(restricted={CLAW: 0}, reasons={CLAW: 3})


@pytest.mark.rules("HOUSE-01")
def test_copies_in_several_sections_count_together() -> None:
    game = rules.game(TILE_GAME)
    card = next(iter(game.catalog))
    list_ = {"field": {card: 1}, "towers": {card: 1}}
    format = {"house": {"restricted": {card: 1}}}
    problems = [p for p in game.check_deck("army", list_, format).problems if p.rule == "HOUSE-01"]
    assert [(p.found, p.allowed) for p in problems] == [(2, 1)]


@pytest.mark.rules("HOUSE-02")
def test_only_cards_of_the_named_sets() -> None:
    master = EXAMPLE.sets[0].slug
    assert house(sets=[master]) == []
    problems = house(sets=["booster-1"], name="Emberfall only")
    at_home = {slug for slug in READY_CARDS["main"] if "booster-1" in EXAMPLE.catalog[slug].sets}
    assert {p.cards[0] for p in problems} == set(READY_CARDS["main"]) - at_home
    assert "Emberfall only allows no other set" in problems[0].message
    mended = apply_fix(READY_CARDS, problems[0].fix) if problems[0].fix else {}
    assert problems[0].cards[0] not in mended["main"]


@pytest.mark.rules("HOUSE-03")
def test_own_cards_that_nobody_knows_are_not_passed_over_in_silence() -> None:
    format = {"house": {"owned_only": True, "name": "Club night"}}
    report = EXAMPLE.check_deck("tournament", READY_CARDS, format)
    assert report.legal
    assert report.warnings == report.problems
    (problem,) = report.problems
    assert problem.message == (
        "Own cards were not checked: Club night allows only cards that the player owns, and what "
        "this player owns is not known here."
    )
    # Owning none is not the same as nobody knowing.
    own = {"main": dict(READY_CARDS["main"]) | {GOLD_6: 1}}
    verdict = EXAMPLE.check_deck("tournament", own, format, owned=READY_CARDS["main"])
    assert [p.rule for p in verdict.errors] == [NOT_OWNED]
    assert "HOUSE-03" not in {p.rule for p in verdict.problems}
    assert not house(owned_only=False)


@pytest.mark.rules("HOUSE-03")
def test_a_game_with_house_rules_of_its_own_says_so_too() -> None:
    for slug, mode in ((SECTION_GAME, "match"), (BOX_GAME, "match")):
        game = rules.game(slug)
        mode = mode if mode in game.modes else next(iter(game.modes))
        sets = [card_set.slug for card_set in game.sets]
        restricted = {next(iter(game.catalog)): 1}
        about = {"sets": sets, "restricted": restricted, "owned_only": True}
        report = game.check_deck(mode, {}, {"house": about})
        assert [p.rule for p in report.warnings][-1] == "HOUSE-03"


def test_without_house_rules_nothing_is_added() -> None:
    plain = EXAMPLE.check_deck("tournament", READY_CARDS)
    assert EXAMPLE.check_deck("tournament", READY_CARDS, {"house": {}}) == plain


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("none", "House rules are an object"),
        ({"banned": [CLAW]}, "House rules are an object"),
        ({"restricted": [CLAW]}, "A restricted list is an object"),
        ({"restricted": {"no-card": 1}}, f"no card of {GAME_NAME}"),
        ({"restricted": {CLAW: -1}}, "say 0 to 1,000"),
        ({"restricted": {CLAW: True}}, "say 0 to 1,000"),
        ({"sets": ["no-set"]}, "Sets are some of"),
        ({"sets": "master"}, "Sets are some of"),
        ({"sets": [[], {}]}, "Sets are some of"),
        ({"version": 0}, "counts from 1"),
        ({"owned_only": 1}, "true or false"),
    ],
)
def test_house_rules_that_cannot_be(rules: object, words: str) -> None:
    with pytest.raises(BadData, match=words):
        EXAMPLE.check_deck("tournament", READY_CARDS, {"house": rules})


def test_house_rules_go_with_the_game_s_own_options() -> None:
    format = {"exact_size": True, "house": {"restricted": {CLAW: 0}}}
    short = {"main": dict(READY_CARDS["main"]) | {GOLD_6: 1}}
    rule_ids = {p.rule for p in EXAMPLE.check_deck("tournament", short, format).problems}
    assert {WRONG_SIZE, "HOUSE-01"} <= rule_ids


def settings_of(option: FormatOption) -> list[object]:
    """An option switched on, in several ways where it has some."""
    if option.kind in ("integer", "choice"):
        return list(option.values)
    return [True, [option.values[-1]]] if option.kind == "subset" else [True]


@pytest.mark.parametrize(("game", "mode", "option"), OPTIONS)
def test_every_option_is_one_that_the_game_s_check_knows(
    game: Game, mode: Mode, option: FormatOption
) -> None:
    """The empty deck is judged with the option on, and nothing is refused as unknown."""
    for value in settings_of(option):
        assert option.checked(value) == value
        game.check_deck(mode.slug, {}, {option.slug: value})

    assert option.rule in numbered_rules(game.package)


def test_an_option_is_kept_in_one_form() -> None:
    switch = FormatOption("s", "Switch", "X-1")
    number = FormatOption("n", "Number", "X-1", kind="integer", values=(1, 75))
    choice = FormatOption("c", "Choice", "X-1", kind="choice", values=(1, 10))
    subset = FormatOption("u", "Subset", "X-1", kind="subset", values=("a", "b", "c"), usual=("a",))
    for option in (switch, number, choice, subset):
        assert option.checked(None) is option.checked(False) is None
    assert [number.checked(1), number.checked(75), choice.checked(10)] == [1, 75, 10]
    assert subset.checked(["c", "b", "b"]) == ["b", "c"]
    assert subset.checked(["a"]) is True, "the usual ones are no other setting than plain on"
    assert subset.checked([]) is subset.checked(["a", "b", "c"]) is None, "this asks nothing"
    for option, bad, words in (
        (switch, 1, "switched on or off"),
        (number, 0, "from 1 to 75"),
        (number, 76, "from 1 to 75"),
        (number, True, "from 1 to 75"),
        (choice, 5, "one of 1, 10"),
        (choice, True, "one of 1, 10"),
        (choice, [10], "one of 1, 10"),
        (subset, ["d"], "some of a, b, c"),
        (subset, "a", "some of a, b, c"),
        (subset, [["a"]], "some of a, b, c"),
    ):
        with pytest.raises(BadData, match=words):
            option.checked(bad)
