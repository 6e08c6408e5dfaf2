"""Rules that organisers write: how they are read, what they find, and the fixes that mend it."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from rules.engine.deck_rules.deck import MAX_LOOKS_A_DECK
from rules.engine.deck_rules.fixes import Search
from rules.engine.deck_rules.house import MAX_RULES, read_rules
from rules.engine.deck_rules.vocabulary import Vocabulary
from rules.engine.errors import BadData
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist, Problem, Report, apply_fix
from tests.games.examples import BLUE_CLAW, CLAW, EXAMPLE, FLAME, READY_CARDS, UNKNOWN_CARD

MODE = EXAMPLE.mode("tournament")
PLAYS = [
    pytest.param(game, mode, id=f"{game.slug}-{mode.slug}")
    for game in rules.games().values()
    for mode in game.modes.values()
    if mode.own_decks
]


def judged(game: Game, mode: str, deck: Decklist, *rows: dict[str, Any]) -> Report:
    return game.check_deck(mode, deck, {"house": {"rules": list(rows), "name": "Club night"}})


def found(*rows: dict[str, Any], deck: Decklist = READY_CARDS) -> list[Problem]:
    report = judged(EXAMPLE, "tournament", deck, *rows)
    return [problem for problem in report.problems if problem.rule.startswith("H-")]


def nested(depth: int) -> object:
    """A value within so many tables."""
    value: object = "power"
    for _ in range(depth):
        value = {"not": value}
    return value


class TestReading:
    @pytest.mark.parametrize(
        ("row", "plain"),
        [
            ({"copies": "card", "most": 1}, "At most 1 copy of each card."),
            ({"copies": "name", "most": 2}, "At most 2 cards with the same name."),
            (
                {"copies": "card", "most": 2, "where": {"kind": "character", "colour": "red"}},
                "At most 2 copies of each red character card.",
            ),
            ({"cards": {"rarity": ["ultra", "rare"]}, "most": 0}, "No ultra rare or rare cards."),
            ({"cards": {"kind": "power"}, "least": 12, "most": 20}, "12 to 20 power cards."),
            ({"cards": {}, "exactly": 40}, "Exactly 40 cards."),
            (
                {"cards": {"set": {"not": "master"}}, "most": 1},
                "At most 1 card not of Master Deck.",
            ),
            (
                {"cards": {"level": {"least": 4}}, "most": 3},
                "At most 3 cards with level 4 or more.",
            ),
            ({"values": "colour", "most": 2}, "At most 2 different colours among the cards."),
            (
                {"sum": "level", "where": {"kind": "character"}, "most": 30},
                "The level of all character cards adds up to at most 30.",
            ),
            ({"points": {CLAW: 3, FLAME: 1}, "most": 3}, "At most 3 points a deck: "),
            ({"required": {"card": [CLAW]}}, "At least one copy of each card named Red Claw."),
            (
                {"cards": {"colour": "gold"}, "most": 1, "severity": "notice"},
                "At most 1 gold card. Only a notice: decks stay legal.",
            ),
        ],
    )
    def test_plain_english(self, row: dict[str, Any], plain: str) -> None:
        (rule,) = read_rules(EXAMPLE, MODE, [row])
        assert rule.id == "H-1" and rule.plain.startswith(plain)

    @pytest.mark.parametrize(
        ("row", "words"),
        [
            ("most 3", "Rule 1: it is not a table"),
            ({"most": 1}, "a rule counts one of cards, copies.*this has none"),
            ({"cards": {}, "copies": "card", "most": 1}, "this has cards and copies"),
            ({"cards": {}, "most": 1, "limit": 3}, "“limit” is not a word of house rules"),
            ({"cards": {}}, "it says no number"),
            ({"cards": {}, "least": 0}, "asks for nothing"),
            ({"cards": {}, "least": 5, "most": 3}, "at least 5 and at most 3 cannot both be"),
            ({"cards": {}, "exactly": 5, "most": 9}, "exactly stands without"),
            ({"cards": {}, "most": -1}, "a whole number from 0 to 1000, not -1"),
            ({"cards": {}, "most": True}, "a whole number from 0 to 1000, not True"),
            ({"cards": {"kind": "dragon"}, "most": 1}, "no card has kind “dragon”"),
            ({"cards": {"wings": 2}, "most": 1}, "no card has a column “wings”"),
            ({"cards": {"kind": {}}, "most": 1}, "empty table"),
            ({"cards": {"kind": [["a"]]}, "most": 1}, "a word, a number or a list"),
            ({"cards": {"kind": {"least": 2}}, "most": 1}, "“least” is for numbers"),
            ({"cards": {"kind": {"has": "x"}}, "most": 1}, "“has” is for columns that are lists"),
            ({"cards": {"card": ["no-card"]}, "most": 1}, "no card is called “no-card”"),
            ({"cards": {"name": "Nobody"}, "most": 1}, "no card has the name “Nobody”"),
            ({"cards": {"kind": "power", "level": 3}, "most": 1}, "fits its filter"),
            ({"values": "level", "where": {"level": 3, "kind": "power"}, "least": 2}, "fits its"),
            ({"sum": "level", "where": {"kind": "power"}, "most": 9}, "none of its cards has a co"),
            ({"cards": {}, "where": {"kind": "power"}, "most": 1}, "leave out “where”"),
            ({"copies": "wings", "most": 1}, "has a column “wings”"),
            ({"copies": "card", "least": 1}, "copies have most"),
            ({"copies": "faces", "most": 1}, "it is a list"),
            ({"sum": "symbol", "most": 3}, "is not a whole number"),
            ({"points": {CLAW: 0}, "most": 3}, "costs 1 to 1000 points"),
            ({"points": {}, "most": 3}, "points are a table"),
            ({"required": {}}, "every card of the game"),
            ({"required": {"card": CLAW}, "least": 2}, "have no least"),
            ({"values": "colour", "least": 9}, "asks for 9 different values"),
            ({"cards": {}, "most": 9, "says": "{nobody} knows"}, "has no slot {nobody}"),
            ({"cards": {}, "most": 9, "says": "{first:card} too many"}, "has no slot {first:card}"),
            ({"cards": {}, "most": 9, "says": "x" * 241}, "up to 240 characters"),
            ({"cards": {}, "most": 9, "id": UNKNOWN_CARD}, rf"Rule 1 \({UNKNOWN_CARD}\): an ID"),
            ({"cards": {}, "most": 9, "severity": "loud"}, "severity is error or notice"),
            ({"cards": {}, "most": 9, "says": "a\0"}, "a null character"),
            ({"cards": {}, "most": 9, "id": "<b>" * 900}, r"Rule 1: an ID.{1,400}…\.$"),
            ({"cards": {"level": {"none": 1}}, "most": 9}, "“none” of “level” is true or false"),
            ({"follows": {"of": "side"}}, "follows is like"),
            ({"cards": {"kind": {"option": "singleton"}}, "most": 1}, "write the value itself"),
            ({"cards": {}, "most": {"option": "no_gold"}}, "write the value itself"),
            (
                {"follows": {"of": {"name": {"none": True}}, "column": "colour", "by": "kind"}},
                "no card that others would follow has a “colour”",
            ),
            ({"apart": [{"cards": {}}], "most": 1}, "apart compares two"),
            ({"copies": "card", "most": 0}, "copies go from 1 up; to forbid cards"),
            ({"values": "colour", "exactly": 0}, "values go from 1 up"),
            ({"cards": {"kind": nested(90)}, "most": 9}, "“kind” has more than 8 tests within"),
            ({"cards": {}, "most": nested(980)}, "Rule 1: it is nested too deeply"),
        ],
    )
    def test_absurd_rules_are_named(self, row: object, words: str) -> None:
        with pytest.raises(BadData, match=words) as refused:
            read_rules(EXAMPLE, MODE, [row])
        assert str(refused.value).startswith("Rule 1")

    def test_rules_that_do_not_go_together(self) -> None:
        power = {"kind": "power"}
        for second, words in (
            ({"cards": power, "least": 5, "id": "H-1"}, "rule 1 has the ID H-1, too"),
            ({"cards": power, "most": 4}, r"rule 1 \(H-1\) asks the same"),
            ({"cards": power, "least": 5}, r"it and rule 1 \(H-1\) cannot both be kept"),
        ):
            with pytest.raises(BadData, match=f"^Rule 2.*{words}"):
                read_rules(EXAMPLE, MODE, [{"cards": power, "most": 4}, second])
        with pytest.raises(BadData, match=f"up to {MAX_RULES} rules; these are {MAX_RULES + 1}"):
            read_rules(EXAMPLE, MODE, [{}] * (MAX_RULES + 1))
        with pytest.raises(BadData, match="Rules are a list"):
            read_rules(EXAMPLE, MODE, {"cards": {}})

    def test_a_rule_is_kept_in_one_form(self) -> None:
        (rule,) = read_rules(
            EXAMPLE, MODE, [{"cards": {"colour": "gold"}, "most": 0, "severity": "error"}]
        )
        assert rule.row == {"id": "H-1", "cards": {"colour": "gold"}, "most": 0}
        (again,) = read_rules(EXAMPLE, MODE, [{**rule.row, "says": rule.proposed}])
        assert again.row == rule.row


class TestVerdicts:
    def test_a_problem_has_the_rule_s_id_sentence_and_numbers(self) -> None:
        (problem,) = found(
            {
                "id": "H-GREEN",
                "cards": {"card": CLAW},
                "most": 0,
                "says": "{format} [2026]: leave {card} at home ({found}).",
            }
        )
        assert (problem.rule, problem.message) == (
            "H-GREEN",
            "Club night [2026]: leave Red Claw at home (1).",
        )
        assert (problem.cards, problem.found, problem.allowed) == ((CLAW,), 1, 0)
        assert problem.fix is not None and problem.fix.changes[CLAW] == -1

    @pytest.mark.parametrize(
        ("row", "words"),
        [
            ({"copies": "set", "most": 3}, "Set Master Deck: 40 cards in the deck, 3 allowed. Ta"),
            (
                {"copies": "level", "where": {"name": "Claw"}, "most": 1},
                "Level 2: 2 cards in the deck",
            ),
            ({"values": "set", "least": 2}, "The deck has 1 different set among the cards, at l"),
            ({"values": "level", "most": 1}, "different values of level among the cards, at mo"),
        ],
    )
    def test_values_are_said_in_words(self, row: dict[str, Any], words: str) -> None:
        assert words in found(row)[0].message

    def test_each_measure(self) -> None:
        two = {"main": {**READY_CARDS["main"], BLUE_CLAW: 1}}
        claws = {"card": [CLAW, BLUE_CLAW]}
        (same,) = found({"copies": "name", "where": claws, "most": 1}, deck=two)
        assert same.message == "Claw: 2 cards with this name in the deck, 1 allowed. Take out 1."
        (points,) = found({"points": {CLAW: 3, FLAME: 2}, "most": 4})
        assert points.message == "The deck has 5 points, at most 4 allowed. Save 1 point."
        assert set(points.cards) == {CLAW, FLAME}
        (missing,) = found({"required": {"card": BLUE_CLAW}})
        assert missing.message == "Blue Claw is missing: Club night asks for at least one copy."
        assert missing.fix is not None and missing.fix.changes[BLUE_CLAW] == 1
        (colours,) = found({"values": "colour", "where": {"kind": "character"}, "most": 1})
        assert (colours.found, colours.allowed) == (2, 1)
        assert "at most 1 allowed" in colours.message
        (levels,) = found({"sum": "level", "least": 900})
        assert levels.allowed == 900 and levels.fix is None

    def test_a_notice_leaves_the_deck_legal(self) -> None:
        row = {"cards": {"kind": "character"}, "most": 1, "severity": "notice"}
        report = judged(EXAMPLE, "tournament", READY_CARDS, row)
        assert report.legal and [problem.rule for problem in report.warnings] == ["H-1"]
        assert all(problem.fix is None for problem in report.warnings)

    @pytest.mark.parametrize(("game", "mode"), PLAYS)
    def test_pressing_fixes_ends_legal_in_every_game(self, game: Game, mode: Mode) -> None:
        """The rules make every ready-made deck illegal; the first fix that is offered is pressed
        until none is left, and each keeps to the rules of the game and the house."""
        starter = next(deck for deck in game.starter_decks.values() if mode.slug in deck.modes)
        parts = [
            [slug for slug in cards if mode.takes(game.catalog[slug])]
            for cards in starter.cards.values()
        ]
        held = max(parts, key=len)
        banned = held[0]
        kind = game.catalog[banned].kind
        new = next(
            card.slug
            for card in game.catalog.values()
            if card.slug not in held and card.kind == kind and mode.takes(card)
        )
        for rows in (
            [{"cards": {"card": banned}, "most": 0}],
            [{"copies": "card", "most": 1, "where": {"kind": kind}}],
            [{"points": {banned: 2, new: 1}, "most": 1}],
        ):
            deck: Decklist = starter.cards
            report = judged(game, mode.slug, deck, *rows)
            for _ in range(60):
                fix = next((problem.fix for problem in report.errors if problem.fix), None)
                if fix is None:
                    break
                deck = apply_fix(deck, fix)
                report = judged(game, mode.slug, deck, *rows)
            assert report.legal, (game.slug, mode.slug, rows, [p.message for p in report.errors])

    @pytest.mark.parametrize(("game", "mode"), PLAYS)
    def test_an_entry_that_names_no_card_is_left_to_its_own_fix(
        self, game: Game, mode: Mode
    ) -> None:
        """Copies that make room for a required card are copies of cards."""
        starter = next(deck for deck in game.starter_decks.values() if mode.slug in deck.modes)
        deck = {section: {**cards, UNKNOWN_CARD: 1} for section, cards in starter.cards.items()}
        held = {slug for cards in starter.cards.values() for slug in cards}
        new = next(c.slug for c in game.catalog.values() if mode.takes(c) and c.slug not in held)
        for row in ({"required": {"card": new}}, {"cards": {"card": new}, "least": 1}):
            problems = judged(game, mode.slug, deck, row).errors
            fixes = {problem.rule: problem.fix for problem in problems}
            assert "H-1" in fixes
            assert fixes["H-1"] is None or UNKNOWN_CARD not in fixes["H-1"].changes

    def test_a_fix_of_the_game_s_own_keeps_to_the_house(self) -> None:
        """A deck that is too small is filled up with cards that the rules of the house allow."""
        small = {"main": dict(list(READY_CARDS["main"].items())[:-6])}
        own = EXAMPLE.check_deck("tournament", small).errors[0].fix
        assert own is not None, "the deck is too small"
        row = {"cards": {"kind": "ability"}, "most": _abilities(small)}
        broken = judged(EXAMPLE, "tournament", apply_fix(small, own), row)
        assert [problem.rule for problem in broken.errors] == ["H-1"], "by the game alone"
        report = judged(EXAMPLE, "tournament", small, row)
        fix = report.errors[0].fix
        assert fix is not None and report.errors[0].rule != "H-1"
        after = judged(EXAMPLE, "tournament", apply_fix(small, fix), row)
        assert after.legal, [problem.message for problem in after.errors]


def _abilities(deck: Decklist) -> int:
    return sum(n for slug, n in deck["main"].items() if EXAMPLE.catalog[slug].kind == "ability")


def test_house_rules_that_cannot_be_read_are_refused_by_the_check() -> None:
    for row in ({"cards": {}, "least": 3, "most": 1}, "x", None):
        with pytest.raises(BadData):
            judged(EXAMPLE, "tournament", READY_CARDS, row)  # type: ignore[arg-type]


def test_all_fixes_of_a_report_together_cost_a_bounded_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    twice = {"main": dict.fromkeys(READY_CARDS["main"], 2)}
    cards = list(twice["main"])
    rows = [
        {
            "copies": "card",
            "most": 1,
            "where": {"card": [slug for slug in cards if slug != skipped]},
        }
        for skipped in cards[:MAX_RULES]
    ]
    looks = 0
    after = Search._adds

    def counting(search: Search, *about: Any) -> Any:
        nonlocal looks
        steps = after(search, *about)
        looks += len(steps)
        return steps

    monkeypatch.setattr(Search, "_adds", counting)
    report = judged(EXAMPLE, "tournament", twice, *rows)
    fixes = [problem.fix for problem in report.errors if problem.rule.startswith("H-")]
    assert len(fixes) > 1000 and all(fixes), "cards can always be taken out"
    assert looks <= 2 * MAX_LOOKS_A_DECK


@pytest.mark.parametrize(
    ("row", "plain", "message"),
    [
        (
            {
                "follows": {"of": {"card": CLAW}, "column": "colour", "by": "colour"},
                "where": {"kind": "power"},
            },
            "The colour of each power card is the colour of the cards named Red Claw.",
            "does not go with red: 1 in the deck, 0 allowed. Take out 1.",
        ),
        (
            {"apart": [{"cards": {"colour": "red"}}, {"cards": {"colour": ""}}], "most": 1},
            "are at most 1 apart.",
            "at most 1 apart allowed.",
        ),
    ],
)
def test_cards_of_a_deck_are_compared(row: dict[str, Any], plain: str, message: str) -> None:
    (rule,) = read_rules(EXAMPLE, MODE, [row])
    assert rule.plain.endswith(plain) and rule.row == {"id": "H-1", **row}
    deck: Decklist = READY_CARDS
    problems = found(row, deck=deck)
    assert problems and problems[0].message.endswith(message)
    for _ in range(60):
        fix = next((problem.fix for problem in problems if problem.fix), None)
        if fix is None:
            break
        deck = apply_fix(deck, fix)
        problems = found(row, deck=deck)
    assert not problems


def test_following_many_values_takes_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    rule = Vocabulary.rule
    monkeypatch.setattr(Vocabulary, "rule", lambda *a, **b: read.append(a) or rule(*a, **b))
    follows = {"of": {"kind": "character"}, "column": "name", "by": "name"}
    read_rules(EXAMPLE, MODE, [{"follows": follows}])
    assert len(read) <= 2, "once for each name it would be dear"


def test_advice_speaks_from_a_size_on() -> None:
    row = {"cards": {"colour": "gold"}, "least": 9, "severity": "notice", "from": 10}
    (rule,) = read_rules(EXAMPLE, MODE, [row])
    assert rule.plain.endswith(" at least 10 cards. Only a notice: decks stay legal.")
    assert [problem.severity for problem in found(row)] == ["warning"]
    assert found(row, deck={"main": {CLAW: 1}}) == []
    with pytest.raises(BadData, match="from is a number of cards from 0 to 1000, not -1"):
        read_rules(EXAMPLE, MODE, [{**row, "from": -1}])


def test_a_required_card_stays_when_there_are_too_many_different_values() -> None:
    """Its press and that of the required card would undo each other."""
    lonely = {"main": {CLAW: 1, BLUE_CLAW: 1}}
    rows = ({"required": {"card": BLUE_CLAW}}, {"values": "colour", "most": 1})
    report = judged(EXAMPLE, "tournament", lonely, *rows)
    (problem,) = [problem for problem in report.problems if problem.rule == "H-2"]
    assert problem.fix is not None
    assert problem.fix.changes[CLAW] == -1 and BLUE_CLAW not in problem.fix.changes
