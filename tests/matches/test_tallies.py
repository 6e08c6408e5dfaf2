"""Counts of finished matches: kept as they end, and equal to what all matches say."""

from __future__ import annotations

import pytest

from accounts.models import User
from matches.models import PersonTally, SeatTally
from matches.services import tallies
from matches.services.merging import merge_guest
from tests.games.examples import GAME
from tests.matches.test_ratings import over, read

pytestmark = pytest.mark.django_db


def counts(user: User) -> list[tuple[bool, int, int, int, int]]:
    rows = PersonTally.objects.filter(user=user, game=GAME).order_by("mode", "private")
    return list(rows.values_list("private", "played", "won", "drawn", "lost"))


def test_each_end_counts_once_and_a_recount_changes_nothing(ann: User, bob: User) -> None:
    read(
        over([ann, bob], [1, 2]),
        over([bob, ann], [1, 2]),
        over([ann, bob], [1, 1]),
        over([ann, "greedy"], [1, 2], private=True),
        over([ann], [1], mode="single"),
    )
    assert counts(ann) == [(False, 3, 1, 1, 1), (True, 1, 1, 0, 0), (False, 1, 0, 0, 0)]
    assert counts(bob) == [(False, 3, 1, 1, 1)]
    seats = SeatTally.objects.order_by("mode", "seat").values_list("mode", "seat", "played", "won")
    assert list(seats) == [("match", 0, 3, 2), ("match", 1, 3, 0), ("single", 0, 1, 0)]
    assert tallies.recount() == 0


def test_a_recount_puts_right_what_is_wrong(ann: User, bob: User) -> None:
    read(over([ann, bob], [1, 2]))
    PersonTally.objects.filter(user=ann).update(won=7)
    SeatTally.objects.all().delete()
    assert tallies.recount() > 0 and tallies.recount() == 0
    assert counts(ann) == [(False, 1, 1, 0, 0)]


def test_a_guests_matches_count_for_the_account(ann: User, bob: User, stranger: User) -> None:
    read(over([ann, stranger], [1, 2]), over([bob, stranger], [2, 1]))
    merge_guest(guest=ann, user=bob)
    assert counts(ann) == [] and counts(bob) == [(False, 2, 1, 0, 1)]
    assert tallies.recount() == 0
