"""Reading decks: who sees what, in how many queries."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from decks.errors import UnknownDeck
from decks.models import Deck
from decks.queries import decks as queries
from tests.games.examples import (
    AMBUSH,
    CLAW,
    EXAMPLE,
    GAME,
    OTHER_GAME,
    READY_DECK,
    READY_DECKS,
    RED_2,
    RED_7,
)

MakeDeck = Callable[..., Deck]
STARTERS = EXAMPLE.starter_decks

pytestmark = pytest.mark.django_db


def test_my_decks_are_mine_the_last_changed_first(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    make_deck(name="First")
    make_deck(name="Second", cards=STARTERS[READY_DECK].cards)
    make_deck(name="Other", owner=stranger, visibility="public")
    pages = queries.decks_of(owner)
    assert [page.deck.name for page in pages] == ["Second", "First"]
    assert [page.size for page in pages] == [40, 2]
    assert [page.report.legal for page in pages if page.report] == [True, False]
    assert pages[0].mode_name == "Tournament Play"
    assert queries.decks_of(AnonymousUser()) == []


def test_my_decks_of_one_game_and_mode(make_deck: MakeDeck, owner: User) -> None:
    make_deck(name="Shared", mode="match")
    make_deck(name="Own")
    assert [page.deck.name for page in queries.decks_of(owner, GAME, "match")] == ["Shared"]
    assert queries.decks_of(owner, OTHER_GAME) == []


def test_my_decks_take_the_same_number_of_queries_however_many_there_are(
    make_deck: MakeDeck, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_deck()
    with django_assert_num_queries(3):
        assert len(queries.decks_of(owner)) == 1
    for starter in READY_DECKS:
        make_deck(cards=STARTERS[starter].cards)
    with django_assert_num_queries(3):
        assert len(queries.decks_of(owner)) == 4


def test_a_decklist_takes_one_query(
    make_deck: MakeDeck, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    deck = make_deck(cards=STARTERS[READY_DECK].cards)
    with django_assert_num_queries(1):
        assert queries.decklist(deck) == STARTERS[READY_DECK].cards


@pytest.mark.parametrize(
    ("visibility", "seen_by_others"), [("private", False), ("unlisted", True), ("public", True)]
)
def test_who_may_look_at_a_deck(
    make_deck: MakeDeck, owner: User, stranger: User, visibility: str, seen_by_others: bool
) -> None:
    deck = make_deck(visibility=visibility)
    assert queries.access_deck(owner, deck.slug) == deck
    for visitor in (stranger, AnonymousUser()):
        if seen_by_others:
            assert queries.access_deck(visitor, deck.slug) == deck
        else:
            with pytest.raises(UnknownDeck):
                queries.access_deck(visitor, deck.slug)
    with pytest.raises(UnknownDeck):
        queries.access_deck(owner, "nothing-here")


def test_a_page_groups_cards_by_kind_in_catalog_order(make_deck: MakeDeck) -> None:
    deck = make_deck(cards={"main": {AMBUSH: 1, RED_7: 2, CLAW: 3, RED_2: 1}})
    groups = queries.deck_page(deck).groups
    assert [(kind, count) for kind, count, _ in groups] == [
        ("character", 3),
        ("power", 3),
        ("opportunity", 1),
    ]
    assert [(held.title, held.count) for held in groups[1][2]] == [("Red 2", 1), ("Red 7", 2)]


def test_a_deck_of_a_game_that_has_gone_still_shows(make_deck: MakeDeck) -> None:
    deck = make_deck()
    deck.game = "forgotten"
    page = queries.deck_page(deck)
    assert page.report is None
    assert (page.game_name, page.mode_name, page.size) == ("forgotten", "tournament", 2)


def test_the_report_names_the_deck(make_deck: MakeDeck) -> None:
    page = queries.deck_page(make_deck(name="Old Guard"))
    assert page.report is not None
    assert page.report.problems[0].message.startswith("Old Guard has 2 cards;")
