"""Questions to the rules about a deck: its player's copies count where a format says so."""

from __future__ import annotations

import pytest

from accounts.models import User
from collection.models import Card, Holding
from collection.services.catalog import Synced
from decks.lists.textlist import read_list
from decks.models import Deck
from decks.queries.verdicts import Finding, Group, Ruling, ruling, ruling_of
from decks.services import formats
from rules.engine.legality import Fix, Problem
from tests.games.examples import CLAW, GAME

MODE = "tournament"
OWN_CARDS = {"house": {"owned_only": True, "name": "Own", "version": 1}}


@pytest.fixture
def ada(catalog: Synced) -> User:
    user = User.objects.create_user("ada")
    Holding.objects.create(owner=user, card=Card.objects.get(slug=CLAW), physical=2)
    return user


@pytest.mark.django_db
def test_the_players_copies_count_where_the_format_asks_for_them(ada: User) -> None:
    assert ruling(GAME, MODE, OWN_CARDS, player=ada).owned == {CLAW: 2}
    assert ruling(GAME, MODE, OWN_CARDS, player=ada, owned={}).owned == {}
    assert ruling(GAME, MODE, player=ada, owned={CLAW: 1}).owned is None
    assert ruling(GAME, MODE, OWN_CARDS) == Ruling(GAME, MODE, OWN_CARDS)


@pytest.mark.django_db
def test_a_decks_question_is_its_house_formats(ada: User) -> None:
    house = formats.create_format(
        by=ada, game=GAME, mode=MODE, name="Own", rules_of=formats.Rules(owned_only=True)
    )
    deck = Deck(owner=ada, game=GAME, mode=MODE, name="Mine", house=house)
    deck_ruling = ruling_of(deck, {CLAW: 2})
    assert (deck_ruling.name, deck_ruling.owned) == ("Mine", {CLAW: 2})
    assert deck_ruling.format == {
        "house": {
            "restricted": {},
            "reasons": {},
            "sets": [],
            "owned_only": True,
            "rules": [],
            "name": "Own",
            "version": 1,
        }
    }
    rules_of = {problem.rule for problem in deck_ruling.report({"main": {CLAW: 3}}).errors}
    assert rules_of > {
        problem.rule for problem in ruling(GAME, MODE).report({"main": {CLAW: 3}}).errors
    }
    deck.house = None
    assert ruling_of(deck, {CLAW: 2}) == Ruling(GAME, MODE, name="Mine")


def test_a_count_below_zero_is_said_to_be_one() -> None:
    for typed in ("-3 Red Claw", "−3 Red Claw", "–3x Red Claw"):
        findings = ruling(GAME, MODE).verdict(read_list(typed, GAME)).findings
        (finding,) = (candidate for candidate in findings if candidate.lines)
        assert "is a negative count" in finding.problem.message
        assert "Red Claw" in finding.problem.message


def test_a_group_s_button_says_what_it_does() -> None:
    def finding(changes: dict[str, int]) -> Finding:
        fix = Fix("main", changes, "")
        return Finding(Problem("X-1", "error", "Wrong.", fix=fix))

    both = Group((finding({"a": 2}), finding({"b": -1})))
    assert both.fix and both.fix.label == "Add 2 cards, take out 1"
    only = Group((finding({"a": -2}), finding({"b": -1})))
    assert only.fix and only.fix.label == "Take out all 3 cards"
