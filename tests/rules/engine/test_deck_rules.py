"""Deck rules as data: what a file may say, what is refused, and which fixes are offered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rules.engine.chance import Chance, named_seed
from rules.engine.deck_rules import DeckRules, fixes
from rules.engine.deck_rules.vocabulary import BadDeckRules
from rules.engine.legality import Problem, apply_fix

CARDS = """
[[set]]
slug = "first"
name = "First Set"
""" + "".join(
    f"""
[[card]]
slug = "{kind}-{colour}-{number}"
name = "{kind.capitalize()} {colour} {number}"
kind = "{kind}"
colour = "{colour}"
sets = ["first"]
rarity = "{"rare" if number == 3 else "common"}"
cost = {number}
tags = ["{"fire" if colour == "red" else "water"}", "old"]
"""
    for kind in ("unit", "spell")
    for colour in ("red", "blue")
    for number in (1, 2, 3)
)
HEAD = """
game = "Toy"
[modes]
duel = ["main"]
[[section]]
slug = "main"
[[option]]
slug = "strict"
"""
SIZE = '[[rule]]\nid = "T-1"\ncards = {}\nleast = 6\nmost = 8\nsays = "{deck}: {found:card}"\n'
COPIES = '[[rule]]\nid = "T-2"\ncopies = "card"\nmost = 2\nsays = "{card}: {surplus} too many"\n'
UNITS = (
    '[[rule]]\nid = "T-3"\ncards = { kind = "unit" }\nleast = 3\n'
    'says = "{found} units, {missing} missing"\n'
)

Toy = Callable[..., DeckRules]


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Toy:
    """A game of twelve cards with these rules."""
    package = f"toy_{abs(hash(request.node.nodeid))}"
    folder = tmp_path / package
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "cards.toml").write_text(CARDS)
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(*rules: str, head: str = HEAD) -> DeckRules:
        (folder / "deck_rules.toml").write_text("\n".join((head, *rules)))
        return DeckRules(package)

    return make


def problems(rules: DeckRules, cards: dict[str, int], **about: object) -> tuple[Problem, ...]:
    return rules.check_deck("duel", {"main": cards}, **about).problems  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ('id = "T-9"\nsays = ""', "rule T-9: a rule counts one of known, .* this has none"),
        ('id = "T-9"\nknown = true\nowned = true\nsays = ""', "this has known and owned"),
        ('id = "T-9"\ncards = {}\nsays = ""', "it says no number: least, most or exactly"),
        ('id = "T-9"\ncards = {}\nleast = 9\nmost = 3\nsays = ""', "at least 9 and at most 3"),
        (
            'id = "T-9"\ncards = {}\nleast = "4"\nsays = ""',
            "least is a whole number from 0 to 1000, not '4'",
        ),
        ('id = "T-9"\ncards = {}\nleast = 4', "rule T-9: “says” is missing"),
        ('cards = {}\nleast = 4\nsays = ""', "rule number 1: “id” is missing"),
        ('id = "T-9"\ncards = { kid = "unit" }\nmost = 1\nsays = ""', "no card has a column “kid”"),
        ('id = "T-9"\ncards = { kind = "unot" }\nmost = 1\nsays = ""', "no card has kind “unot”"),
        (
            'id = "T-9"\ncards = { cost = { over = 1 } }\nmost = 1\nsays = ""',
            "not a test of “cost”",
        ),
        ('id = "T-9"\ncards = {}\nmost = 1\nin = "side"\nsays = ""', "“side” is not a section"),
        ('id = "T-9"\ncards = {}\nmost = 1\nwith = ["lax"]\nsays = ""', "“lax” is not an option"),
        ('id = "T-9"\ncards = {}\nmost = 1\nmodes = ["solo"]\nsays = ""', "“solo” is not a mode"),
        ('id = "T-9"\ncards = {}\nmost = 1\nloud = true\nsays = ""', "“loud” is not a word"),
        ('id = "T-9"\ncards = {}\nmost = 1\nsays = "{fond}"', r"no slot \{fond\}"),
        ('id = "T-9"\ncopies = "shade"\nmost = 1\nsays = ""', "no card has a column “shade”"),
        ('id = "T-9"\ncards = {}\nany_of = ["9"]\nsays = ""', "list of whole numbers"),
        ('id = "T-9"\ncards = {}\nany_of = [9]\nmost = 9\nsays = ""', "place of all other bounds"),
        ('id = "T-9"\nsum = "cost"\nany_of = [9]\nsays = ""', "cards that fit one filter"),
        ('id = "T-9"\ncards = {}\nmost = 1\nreach = "far"\nsays = ""', "reach is one of deck"),
        ('id = "T-9"\ncards = {}\nmost = 1\nbecomes = ""\nsays = ""', "rules that count values"),
        ('id = "T-9"\nsum = "colour"\nmost = 1\nsays = ""', "is not a whole number"),
        ('id = "T-9"\ncards = {}\nmost = 1\nseverity = "loud"\nsays = ""', "error or notice"),
        (
            'id = "T-9"\ncards = {}\nmost = 1\nsays = ""\n[[option]]\nslug = "size"\n'
            'kind = "number"\nvalues = [1, 9]\noffered = [0, 9]',
            "option size: offered are two numbers between its values",
        ),
        ('id = "T-9"\ncode = "clever"', "don't name the same code: clever"),
    ],
)
def test_a_file_that_cannot_be_says_why(toy: Toy, rule: str, words: str) -> None:
    with pytest.raises(BadDeckRules, match=words):
        toy(f"[[rule]]\n{rule}\n")


def test_every_card_has_a_section(toy: Toy) -> None:
    head = HEAD.replace('slug = "main"', 'slug = "main"\nwhere = { kind = "unit" }')
    with pytest.raises(BadDeckRules, match="no section takes the card “spell-blue-1”"):
        toy(SIZE, head=head)


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ('kind = "unit"', "unit-"),
        ('colour = ["red", "blue"], cost = { least = 2, most = 2 }', "-2"),
        ('set = "first", cost = { least = 3 }', "-3"),
        ('kind = { not = "unit" }, colour = { not = ["blue"] }', "spell-red"),
        ('tags = { has = "fire" }', "red"),
    ],
)
def test_a_filter_fits_the_cards_that_its_keys_say(toy: Toy, where: str, kept: str) -> None:
    rules = toy(f'[[rule]]\nid = "T-4"\ncards = {{ {where} }}\nmost = 0\nsays = "{{card}}"\n')
    everything = dict.fromkeys(rules.index, 1)
    forbidden = {problem.cards[0] for problem in problems(rules, everything)}
    assert forbidden == {slug for slug in everything if kept in slug}


def test_a_verdict_searches_for_no_fix_until_one_is_read(
    toy: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = toy(SIZE, COPIES, UNITS)
    monkeypatch.setattr(fixes.Search, "run", None)
    report = rules.check_deck("duel", {"main": {"unit-red-1": 5}})
    assert [problem.rule for problem in report.problems] == ["T-1", "T-2"]
    with pytest.raises(TypeError):
        assert report.problems[0].fix


def test_filling_up_takes_nothing_out_and_comes_as_near_as_it_can(toy: Toy) -> None:
    rules = toy(SIZE, COPIES, UNITS)
    begun = {"main": {"spell-red-1": 3, "nothing": 1}}
    owned = {"unit-red-1": 1, "unit-red-2": 1, "spell-red-2": 1}
    filled = rules.filled("duel", begun, owned=owned)
    assert filled == {"main": begun["main"] | owned}, "two units are all that there are"


def test_a_fix_keeps_to_the_other_rules(toy: Toy) -> None:
    rules = toy(SIZE, COPIES, UNITS)
    full = dict.fromkeys(("spell-red-1", "spell-red-2", "spell-blue-1", "spell-blue-2"), 2)
    (problem,) = problems(rules, full)
    assert problem.message == "0 units, 3 missing"
    assert problem.fix is not None, "three spells go, for a deck may have no more than eight cards"
    assert sorted(problem.fix.changes.values()) == [-1, -1, -1, 1, 1, 1]
    assert not problems(rules, apply_fix({"main": full}, problem.fix)["main"])


def test_what_comes_in_is_owned_and_what_cannot_be_mended_has_no_fix(toy: Toy) -> None:
    rules = toy(SIZE, COPIES, UNITS)
    owned = {"unit-red-1": 2, "unit-blue-3": 1, "spell-red-1": 3}
    deck: dict[str, int] = {}
    while fixes_left := [row.fix for row in problems(rules, deck, owned=owned) if row.fix]:
        deck = apply_fix({"main": deck}, fixes_left[0])["main"]
    assert deck == {"unit-red-1": 2, "unit-blue-3": 1}
    (size,) = problems(rules, deck, owned=owned)
    assert (size.message, size.fix) == ("This deck: 3 cards", None)


def test_cards_that_go_with_the_deck_come_in_first(toy: Toy) -> None:
    rules = toy(SIZE, COPIES, head=f'alike = "colour"\n{HEAD}')
    (problem,) = problems(rules, {"unit-blue-1": 2, "unit-blue-2": 2, "spell-blue-1": 1})
    assert problem.fix is not None and problem.fix.label == "Add Unit blue 3"


def test_random_decks_are_legal_and_differ(toy: Toy) -> None:
    rules = toy(SIZE, COPIES, UNITS)
    chance = Chance(named_seed("random decks"))
    decks = [rules.random_deck("duel", None, chance) for _ in range(20)]
    assert all(deck and rules.check_deck("duel", deck).legal for deck in decks)
    assert len({str(deck) for deck in decks}) > 10


def test_lists_that_are_made_keep_advice_and_come_to_the_usual_size(toy: Toy) -> None:
    advice = '[[rule]]\nid = "T-4"\nseverity = "notice"\ncards = {}\nmost = 6\nsays = "{surplus}"\n'
    chance = Chance(named_seed("advice"))
    rules = toy(SIZE, COPIES, UNITS, advice)
    assert all(
        (deck := rules.random_deck("duel", None, chance)) and problems(rules, deck["main"]) == ()
        for _ in range(20)
    )
    seven = {"main": dict.fromkeys(list(rules.index)[:7], 1)}
    assert rules.filled("duel", seven) == seven, "legal, and nothing is taken out for advice"

    shares = "".join(
        f'[[share]]\nwhere = {{ kind = "{kind}" }}\ncards = {cards}\n'
        for kind, cards in (("unit", 4), ("spell", 1))
    )
    rules = toy(UNITS, COPIES, head=HEAD + shares)
    filled = rules.filled("duel", {"main": {"unit-red-1": 1}})["main"]
    assert sum(filled.values()) == 5, "three would be legal"
    assert sum(n for slug, n in filled.items() if slug.startswith("unit")) == 4
    few = {"unit-red-1": 2, "unit-red-2": 1}
    assert rules.filled("duel", {}, owned=few) == {"main": few}


TWO_SECTIONS = """
game = "Toy"
misplaced = "left out"
[modes]
duel = ["lead", "main"]
[[section]]
slug = "lead"
where = { kind = "unit", cost = 3 }
[[section]]
slug = "main"
[[option]]
slug = "size"
kind = "number"
values = [1, 9]
[[option]]
slug = "list"
kind = "limits"
"""
LEAD = '[[rule]]\nid = "T-5"\nin = "lead"\ncards = {}\nexactly = 1\nsays = "{found} leads"\n'
FOLLOWS = (
    '[[rule]]\nid = "T-6"\nin = "main"\n'
    'follows = { of = "lead", column = "colour", by = "colour" }\n'
    'swap = true\nsays = "{card} is not {lead.colour} as {lead}"\n'
)


def test_cards_follow_the_one_card_of_another_section(toy: Toy) -> None:
    rules = toy(LEAD, FOLLOWS, head=TWO_SECTIONS)
    deck = {"lead": {"unit-red-3": 1}, "main": {"spell-blue-1": 2, "spell-red-1": 1}}
    (problem,) = rules.check_deck("duel", deck).problems
    assert problem.message == "Spell blue 1 is not red as Unit red 3"
    assert problem.fix and not rules.check_deck("duel", apply_fix(deck, problem.fix)).problems
    both = {"lead": dict.fromkeys(("unit-red-3", "unit-blue-3"), 1), "main": deck["main"]}
    report = rules.check_deck("duel", both)
    assert [problem.message for problem in report.problems] == ["2 leads"], "of two nothing follows"
    (fix,) = [problem.fix for problem in report.problems]
    assert fix and fix.changes == {"unit-red-3": -1}, "more cards follow the blue one"


def test_cards_agree_on_the_value_of_which_a_deck_can_be(toy: Toy) -> None:
    alike = '[[rule]]\nid = "T-7"\nvalues = "colour"\nmost = 1\nsays = "{groups}: not {others}"\n'
    rules = toy(alike, SIZE)
    deck = {"main": {"unit-red-1": 4, "unit-blue-1": 3, "spell-blue-2": 1}}
    (problem,) = rules.check_deck("duel", {"main": {**deck["main"], "unit-red-1": 3}}).problems
    assert problem.message.startswith("4 blues, 3 reds: not the 3 reds (Unit red 1")
    owned = {"unit-red-1": 4, "unit-blue-1": 3, "spell-blue-2": 5}
    (problem,) = rules.check_deck("duel", deck, owned=owned).problems
    assert problem.fix and set(problem.fix.changes) == {"unit-red-1"}, "four reds are no deck"


def test_bounds_and_limits_that_a_format_sets(toy: Toy) -> None:
    size = (
        '[[rule]]\nid = "T-8"\nin = "main"\ncards = {}\n'
        'least = { option = "size" }\nsays = "{least}"\n'
    )
    listed = (
        '[[rule]]\nid = "T-9"\ngroup = "limit"\nrestricted = { option = "list" }\n'
        'says = "{card}: {found}, {most}"\nsays_none = "no {card}"\n'
    )
    twice = COPIES.replace('id = "T-2"', 'id = "T-2"\ngroup = "limit"')
    rules = toy(size, listed, twice, head=TWO_SECTIONS)
    deck = {"main": {"spell-red-1": 3, "spell-red-2": 3, "spell-blue-1": 1}}

    def said(**format: object) -> list[str]:
        return [problem.message for problem in rules.check_deck("duel", deck, format).problems]

    assert said() == ["Spell red 1: 1 too many", "Spell red 2: 1 too many"]
    assert said(size=9, list={"spell-red-1": 1, "spell-blue-1": 0, "spell-red-2": 5}) == [
        "9",
        "Spell red 1: 3, 1",
        "no Spell blue 1",
        "Spell red 2: 1 too many",
    ]


def test_versions_of_a_card_are_counted_together_and_swapped_for_each_other(toy: Toy) -> None:
    versions = COPIES.replace('"card"', '"cost"').replace("{card}:", "{card} ({cards.colour}):")
    banned = (
        '[[rule]]\nid = "T-4"\ncards = { colour = "red" }\nmost = 0\nswap = true\n'
        'says = "{card}[, or {versions.colour}]"\n'
    )
    rules = toy(versions, head='versions = "cost"\n' + HEAD)
    (problem,) = problems(rules, {"unit-red-1": 1, "unit-blue-1": 2, "spell-red-2": 2})
    assert problem.message == "Unit red 1 (red, blue): 1 too many"
    assert (problem.cards, problem.found) == (("unit-red-1", "unit-blue-1"), 3)
    assert problem.fix and problem.fix.changes == {"unit-blue-1": -1}
    units = UNITS.replace("least = 3", "least = 7")
    assert problems(toy(versions, units), {})[0].fix is None, "two units of each of three costs"
    kept = problems(toy(versions, UNITS), {"spell-red-1": 2})[0].fix
    assert kept and not any(slug.endswith("-1") for slug in kept.changes), "full of those already"

    rules = toy(banned, head='versions = "cost"\n' + HEAD)
    (problem,) = problems(rules, {"unit-red-1": 2, "unit-blue-1": 1, "spell-blue-1": 1})
    assert problem.message == "Unit red 1, or red"
    assert problem.fix and problem.fix.changes == {"unit-red-1": -2, "unit-blue-1": 2}
    (problem,) = problems(rules, {slug: 1 for slug in rules.index if slug.endswith("-1")})[:1]
    assert problem.message == "Unit red 1", "no other version is left to name"

    rules = toy(banned, versions, head='versions = "cost"\n' + HEAD)
    (problem,) = problems(rules, {"unit-red-3": 2})
    assert problem.fix and problem.fix.changes == {"unit-red-3": -2, "unit-blue-3": 2}


def test_a_deck_may_have_one_of_several_sizes(toy: Toy) -> None:
    size = '[[rule]]\nid = "T-1"\ncards = {}\nany_of = [6, 3, 9]\nsays = "{found}, not {most}"\n'
    rules = toy(size, COPIES)
    three = {"unit-red-1": 1, "unit-red-2": 1, "unit-red-3": 1}
    assert problems(rules, three) == ()
    (problem,) = problems(rules, {**three, "spell-red-1": 1})
    assert (problem.message, problem.allowed) == ("4, not 6", 6), "the usual size"
    assert problem.fix and sum(problem.fix.changes.values()) == 2
    (problem,) = problems(rules, {**three, "spell-red-1": 1}, owned={**three, "spell-red-1": 1})
    assert (problem.message, problem.fix and sum(problem.fix.changes.values())) == ("4, not 3", -1)
    drawn = rules.random_deck("duel", None, Chance(named_seed("sizes")))
    assert drawn and sum(drawn["main"].values()) in (3, 6, 9)


def test_hopeless_goes_by_what_may_be_in_a_deck(toy: Toy) -> None:
    """Five units are needed, and four may be in a deck: two copies each of two."""

    def said(reach: str, *more: str) -> str:
        size = UNITS.replace("least = 3", f'least = 5\nreach = "{reach}"\nhopeless = "Never."')
        banned = '[[rule]]\nid = "T-9"\ncards = { kind = "unit", cost = { most = 2 } }\nmost = 0\n'
        rules = toy(size, COPIES, f'{banned}says = ""\n', *more)
        deck = {"unit-red-1": 2, "unit-red-2": 1, "unit-red-3": 1}
        return next(row.message for row in problems(rules, deck) if row.rule == "T-3")

    assert said("deck") == "4 units, 1 missing", "three more may come in beside those that must go"
    assert said("limits") == "4 units, 1 missing Never."
    assert said("format") == "4 units, 1 missing Never."


def test_advice_waits_for_its_size_and_gives_way_to_another_rule(toy: Toy) -> None:
    advice = UNITS.replace(
        'id = "T-3"', 'id = "T-4"\nseverity = "notice"\nfrom = 2\nunless = "T-3"'
    )
    rules = toy(UNITS.replace("least = 3", "least = 1"), advice)
    assert [row.rule for row in problems(rules, {"spell-red-1": 2})] == ["T-3"]
    assert problems(rules, {"unit-red-1": 1}) == ()
    (notice,) = problems(rules, {"unit-red-1": 1, "spell-red-1": 1})
    assert (notice.severity, notice.message) == ("warning", "1 units, 2 missing")
    assert notice.fix and notice.fix.changes.keys() <= {"unit-red-2", "unit-blue-1", "unit-red-3"}


def test_a_misplaced_card_counts_for_nothing_where_the_file_says_so(toy: Toy) -> None:
    placed = '[[rule]]\nid = "T-1"\nplaced = true\nsays = "{card} in {section}"\n'
    rules = toy(placed, LEAD, head=TWO_SECTIONS)
    deck = {"main": {"unit-red-3": 1}}
    report = rules.check_deck("duel", deck)
    assert [problem.message for problem in report.problems] == ["Unit red 3 in main", "0 leads"]
    fix = report.problems[0].fix
    assert fix and rules.check_deck("duel", apply_fix(deck, fix)).legal
