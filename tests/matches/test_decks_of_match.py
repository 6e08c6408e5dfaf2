"""The decks on a result, once the match is over."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from matches.queries.access import access_match
from matches.queries.decks_of_match import decks_of_match
from matches.services.play import concede
from matches.services.setup import MatchSetup, SeatPlan, create_match
from matches.views.setup import playable

pytestmark = pytest.mark.django_db
GAME, MODE = next(
    (game, mode) for game, mode in playable() if mode.own_decks and mode.seats[0] == 2
)


def test_the_decks_of_both_are_shown_when_the_match_is_over(
    ann: User, bob: User, client: Client, django_assert_num_queries: Any
) -> None:
    seats = [SeatPlan(user=ann), SeatPlan(user=bob)]
    match = create_match(host=ann, setup=MatchSetup(GAME.slug, MODE.slug, seats))
    assert decks_of_match(match, GAME) == []
    concede(slug=match.slug, user=bob)
    match = access_match(ann, match.slug)
    with django_assert_num_queries(0):
        first, second = decks_of_match(match, GAME)
    seat = match.seats.get(number=0)
    assert first.size == sum(sum(cards.values()) for cards in seat.deck.values())
    page = client.get(f"{match.get_absolute_url()}result/").content.decode()
    for deck in (first, second):
        assert f'id="deck-{deck.seat}"' in page
        assert f'href="#deck-{deck.seat}"' in page
        for _, cards in deck.sections:
            assert all(f'href="{card.address}"' in page for card in cards)


def test_decks_that_an_option_asks_for_are_shown_too(ann: User, bob: User) -> None:
    game, mode, options = next(
        (game, mode, options)
        for game, mode in playable()
        if not mode.own_decks and (options := mode.options_with_decks("own")) and 2 in mode.seats
    )
    seats = [SeatPlan(user=ann), SeatPlan(user=bob)]
    setup = MatchSetup(game.slug, mode.slug, seats, options=options)
    match = create_match(host=ann, setup=setup)
    concede(slug=match.slug, user=bob)
    assert len(decks_of_match(access_match(ann, match.slug), game)) == 2
