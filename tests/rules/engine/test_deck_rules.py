"""Deck rules as data: what a file may say, what is refused, and which fixes are offered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rules.engine.chance import Chance, named_seed
from rules.engine.deck_rules import DeckRules
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

Made = Callable[..., DeckRules]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Made:
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
        ('id = "T-9"\nsays = ""', "rule T-9: a rule has one of known, .* this has none"),
        ('id = "T-9"\nknown = true\nowned = true\nsays = ""', "this has known, owned"),
        ('id = "T-9"\ncards = {}\nsays = ""', "it has no least, most or exactly"),
        ('id = "T-9"\ncards = {}\nleast = 9\nmost = 3\nsays = ""', "at least 9 and at most 3"),
        ('id = "T-9"\ncards = {}\nleast = "4"\nsays = ""', "least is a whole number, not '4'"),
        ('id = "T-9"\ncards = {}\nleast = 4', "rule T-9: “says” is missing"),
        ('cards = {}\nleast = 4\nsays = ""', "rule number 1: “id” is missing"),
        ('id = "T-9"\ncards = { kid = "unit" }\nmost = 1\nsays = ""', "no card has a column “kid”"),
        ('id = "T-9"\ncards = { kind = "unot" }\nmost = 1\nsays = ""', "no card has kind “unot”"),
        (
            'id = "T-9"\ncards = { cost = { over = 1 } }\nmost = 1\nsays = ""',
            "not a test of “cost”",
        ),
        ('id = "T-9"\ncards = {}\nmost = 1\nin = "side"\nsays = ""', "no section “side”"),
        ('id = "T-9"\ncards = {}\nmost = 1\nwith = ["lax"]\nsays = ""', "no option “lax”"),
        ('id = "T-9"\ncards = {}\nmost = 1\nmodes = ["solo"]\nsays = ""', "no mode “solo”"),
        ('id = "T-9"\ncards = {}\nmost = 1\nloud = true\nsays = ""', "no word “loud”"),
        ('id = "T-9"\ncards = {}\nmost = 1\nsays = "{fond}"', r"no slot \{fond\}"),
        ('id = "T-9"\nsum = "colour"\nmost = 1\nsays = ""', "is not a whole number"),
        ('id = "T-9"\ncards = {}\nmost = 1\nseverity = "loud"\nsays = ""', "error or notice"),
        ('id = "T-9"\ncode = "clever"', "don't name the same code: clever"),
    ],
)
def test_a_file_that_cannot_be_says_why(made: Made, rule: str, words: str) -> None:
    with pytest.raises(BadDeckRules, match=words):
        made(f"[[rule]]\n{rule}\n")


def test_every_card_has_a_section(made: Made) -> None:
    head = HEAD.replace('slug = "main"', 'slug = "main"\nwhere = { kind = "unit" }')
    with pytest.raises(BadDeckRules, match="no section takes the card “spell-blue-1”"):
        made(SIZE, head=head)


def test_a_fix_keeps_to_the_other_rules(made: Made) -> None:
    rules = made(SIZE, COPIES, UNITS)
    full = dict.fromkeys(("spell-red-1", "spell-red-2", "spell-blue-1", "spell-blue-2"), 2)
    (problem,) = problems(rules, full)
    assert problem.message == "0 units, 3 missing"
    assert problem.fix is not None, "three spells go, for a deck may have no more than eight cards"
    assert sorted(problem.fix.changes.values()) == [-1, -1, -1, 1, 1, 1]
    assert not problems(rules, apply_fix({"main": full}, problem.fix)["main"])


def test_what_comes_in_is_owned_and_what_cannot_be_mended_has_no_fix(made: Made) -> None:
    rules = made(SIZE, COPIES, UNITS)
    owned = {"unit-red-1": 2, "unit-blue-3": 1, "spell-red-1": 3}
    deck: dict[str, int] = {}
    while found := [each for each in problems(rules, deck, owned=owned) if each.fix]:
        assert found[0].fix is not None
        deck = apply_fix({"main": deck}, found[0].fix)["main"]
    assert deck == {"unit-red-1": 2, "unit-blue-3": 1}
    (size,) = problems(rules, deck, owned=owned)
    assert (size.message, size.fix) == ("This deck: 3 cards", None)


def test_cards_that_go_with_the_deck_come_in_first(made: Made) -> None:
    rules = made(SIZE, COPIES, head=f'alike = "colour"\n{HEAD}')
    (problem,) = problems(rules, {"unit-blue-1": 2, "unit-blue-2": 2, "spell-blue-1": 1})
    assert problem.fix is not None and problem.fix.label == "Add Unit blue 3"


def test_random_decks_are_legal_and_differ(made: Made) -> None:
    rules = made(SIZE, COPIES, UNITS)
    chance = Chance(named_seed("random decks"))
    decks = [rules.random_deck("duel", None, chance) for _ in range(20)]
    assert all(deck and rules.check_deck("duel", deck).legal for deck in decks)
    assert len({str(deck) for deck in decks}) > 10
