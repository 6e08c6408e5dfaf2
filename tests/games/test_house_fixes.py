"""Fixes under rules of organisers where a game's own rules hang on its team, type or faction."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from rules.engine.game import Game
from rules.engine.legality import Decklist, Report, apply_fix


def judged(game: Game, mode: str, deck: Decklist, *rows: dict[str, Any]) -> Report:
    return game.check_deck(mode, deck, {"house": {"rules": list(rows)}})


def test_a_required_card_takes_the_place_of_its_other_version() -> None:
    report = judged(
        rules.game("battle-krabz"),
        "battle",
        {"main": {"kiln-krab-gold": 1}},
        {"copies": "character", "most": 1},
        {"required": {"card": ["kiln-krab-silver"]}},
    )
    (problem,) = [problem for problem in report.problems if problem.rule == "H-2"]
    assert problem.fix is not None
    assert problem.fix.changes == {"kiln-krab-gold": -1, "kiln-krab-silver": 1}


def test_no_other_team_card_is_offered_for_a_rule_that_does_not_hang_on_it() -> None:
    """Its press and those of the rules that hang on the team would go round in circles."""
    game = rules.game("colossal-kaiju-combat")
    combat = [slug for slug, card in game.catalog.items() if card.kind == "combat"]
    deck = next(deck.cards for deck in game.starters_for(game.mode("standard")))
    row = {"points": dict.fromkeys(combat, 1), "most": 5}
    report = judged(game, "standard", deck, row)
    (problem,) = [problem for problem in report.problems if problem.rule == "H-1"]
    assert problem.fix is None or problem.fix.section != "team"


@pytest.mark.parametrize(
    "rows",
    [
        [{"cards": {"kind": "kaiju"}, "most": 1}],
        [
            {"cards": {"set": "landfall"}, "most": 48},
            {"cards": {"kind": {"not": "kaiju"}}, "most": 45},
        ],
    ],
    ids=["too few kaiju whatever the team", "too many cards in several sections"],
)
def test_no_fix_makes_a_deck_worse_elsewhere(rows: list[dict[str, Any]]) -> None:
    """No other team card that needs as much, and none out for two rules that count it, too."""
    game = rules.game("colossal-kaiju-combat")
    deck = next(deck.cards for deck in game.starters_for(game.mode("standard")))
    if len(rows) == 1:
        deck = {**deck, "kaiju": {next(iter(deck["kaiju"])): 1}}
    assert not [p.fix for p in judged(game, "standard", deck, *rows).errors if p.fix]


def test_points_in_several_sections_are_saved_section_by_section() -> None:
    """No press alone mends the rule; each takes as many as its section can do without."""
    game = rules.game("battl-khaos")
    deck: Decklist = next(deck.cards for deck in game.starters_for(game.mode("army")))
    towers, field = (list(deck[section])[:2] for section in ("towers", "field"))
    row = {"points": dict.fromkeys([*towers, *field], 1), "most": 0}
    points = [4]
    while fix := next((p.fix for p in judged(game, "army", deck, row).errors if p.fix), None):
        deck = apply_fix(deck, fix)
        points += [p.found or 0 for p in judged(game, "army", deck, row).errors[:1]]
    assert judged(game, "army", deck, row).legal and points == [4, 2]


@pytest.mark.parametrize(
    ("slug", "mode", "format", "column"),
    [
        ("colossal-kaiju-combat", "standard", {}, "affiliation"),
        ("knd-ocg", "duel", {"single_type": True}, "type"),
        ("battle-krabz", "battle", {}, "side"),
    ],
)
def test_a_required_card_brings_the_team_type_or_faction_that_it_needs(
    slug: str, mode: str, format: dict[str, Any], column: str
) -> None:
    game = rules.game(slug)
    starters = game.starters_for(game.mode(mode))
    deck = next(d.cards for d in starters if game.check_deck(mode, d.cards, format).legal)
    values = {slug: card.attributes.get(column) for slug, card in game.catalog.items()}
    held = {values[slug] for cards in deck.values() for slug in cards}
    required = next(slug for slug, value in values.items() if value not in held)
    house = {"house": {"rules": [{"required": {"card": required}}]}}
    for _ in range(60):
        report = game.check_deck(mode, deck, {**format, **house})
        fix = next((problem.fix for problem in report.errors if problem.fix), None)
        if fix is None:
            break
        deck = apply_fix(deck, fix)
    assert report.legal, [problem.message for problem in report.errors]
