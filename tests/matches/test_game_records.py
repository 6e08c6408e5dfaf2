"""The record of a game: its public finished matches, and nothing of others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client

import rules
from accounts.models import User
from matches.models import Match, Seat
from matches.queries.records import SeatRecord, game_record
from matches.services import tallies
from tests.games.examples import CLAW, GAME
from tests.matches.conftest import queries_of
from tests.matches.test_ratings import NOON, over

pytestmark = pytest.mark.django_db


def test_what_is_counted(ann: User, bob: User, match: Match) -> None:
    for places in ([1, 2], [1, 2], [2, 1], [1, 1]):
        over_result = over([ann, bob], places, at=NOON)
        Match.objects.filter(pk=over_result.pk).update(
            finished_at=NOON + timedelta(minutes=40), ply=0
        )
    Seat.objects.filter(match=over_result, user=ann).update(
        deck_name="Torches", deck={"main": {CLAW: 3, "no-such-card": 1}}
    )
    private = over([ann, bob], [1, 2], private=True)
    Seat.objects.filter(match=private).update(deck_name="Secret Plan", deck={"main": {CLAW: 1}})
    assert tallies.recount() and not tallies.recount()
    game = rules.games()[GAME]
    record = game_record(game)
    (mode,) = record.modes
    assert (mode.mode, mode.played, mode.minutes) == ("match", 4, 40)
    assert mode.seats == [SeatRecord(0, 4, 2), SeatRecord(1, 4, 1)] and mode.seats[0].share == 50
    assert record.decks == [("Torches", 1)]
    assert record.cards == [(game.catalog[CLAW].title, 1)]
    assert queries_of(lambda: game_record(game)) == 0  # kept for a while
    page = Client().get(f"/games/{GAME}/records/").content.decode()
    assert "Torches" in page and "Secret Plan" not in page
    cache.clear()
    assert queries_of(lambda: game_record(game)) <= 2 + len(game.modes)
    assert Client().get("/games/nothing/records/").status_code == 404
