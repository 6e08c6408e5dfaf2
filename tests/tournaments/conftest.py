"""Tournaments, and quick ways to play them: who has the lower number wins by the other's word."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from core import outbox
from core.models import UnreadMatch
from matches.models import Status
from matches.services import play
from tests.games.examples import GAME
from tests.support.catalog import whole_catalog
from tournaments.models import Entry, Pairing, Tournament
from tournaments.services import announce, entries, rounds

Announce = Callable[..., Tournament]


@pytest.fixture
def catalog(db: None) -> None:
    whole_catalog()


@pytest.fixture
def ada(db: None) -> User:
    """Who organises."""
    return User.objects.create_user("ada", display_name="Ada")


def players(count: int) -> list[User]:
    return [
        User.objects.create_user(f"p{number}", display_name=f"Player {number}")
        for number in range(1, count + 1)
    ]


def announcement(**changes: Any) -> announce.Announcement:
    """A Swiss tournament without decks, that begins in an hour."""
    now = timezone.now()
    wanted: dict[str, Any] = {
        "title": "Spring Open",
        "game": GAME,
        "mode": "match",
        "options": {"guards": 1} if changes.get("mode", "match") == "match" else {},
        "structure": "swiss",
        "closes_at": now + timedelta(minutes=30),
        "starts_at": now + timedelta(hours=1),
    }
    return announce.Announcement(**wanted | changes)


@pytest.fixture
def announced(ada: User) -> Announce:
    def make(**changes: Any) -> Tournament:
        return announce.announce(organiser=ada, announcement=announcement(**changes))

    return make


@pytest.fixture
def running(announced: Announce) -> Announce:
    """One that has begun, with so many players."""

    def make(count: int = 4, **changes: Any) -> Tournament:
        tournament = announced(**changes)
        for person in players(count):
            entries.enter(tournament=tournament, user=person)
        return begun(tournament)

    return make


def begun(tournament: Tournament) -> Tournament:
    started = rounds.start(tournament=tournament, by=tournament.organiser)
    settle(started)
    return started


def settle(tournament: Tournament) -> None:
    """Do the work of workers: read finished matches, set up tables, until nothing is left."""
    while True:
        unread = list(UnreadMatch.objects.filter(subscriber="tournaments"))
        read = [outbox.read(row.pk) for row in unread]
        make_tables = rounds.make_tables(tournament_id=tournament.pk)
        if not make_tables and not any(read):
            break
    tournament.refresh_from_db()


def open_tables(tournament: Tournament) -> list[Pairing]:
    return list(
        Pairing.objects.filter(round__tournament=tournament, decided_at=None)
        .select_related("match", "round")
        .order_by("number")
    )


def lose(pairing: Pairing, *, loser: int = -1) -> None:
    """The seat with the highest entry number (or another one) gives up, until the match is over."""
    seats = sorted(pairing.seats.select_related("entry__user"), key=lambda s: s.entry.number)
    order = [seats[loser], *[seat for seat in seats if seat is not seats[loser]][::-1]]
    assert pairing.match is not None
    for seat in order:
        pairing.match.refresh_from_db()
        if pairing.match.status != Status.RUNNING:
            break
        assert seat.entry.user is not None
        play.concede(slug=pairing.match.slug, user=seat.entry.user)


def play_round(tournament: Tournament) -> None:
    """All tables of the open round: the lower number wins."""
    for pairing in open_tables(tournament):
        lose(pairing)
    settle(tournament)


def play_all(tournament: Tournament) -> Tournament:
    for _ in range(30):
        if tournament.over:
            break
        play_round(tournament)
    assert tournament.over
    return tournament


def ranked(tournament: Tournament) -> list[int]:
    rows = Entry.objects.filter(tournament=tournament, rank__isnull=False).order_by("rank")
    return list(rows.values_list("number", flat=True))
