"""Tables that play a series: its result is the table's, on pages and in the API, too."""

from __future__ import annotations

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import BlockKind, User
from accounts.services.blocks import block
from core import outbox
from core.models import UnreadMatch
from matches.models import Match, SeriesTerms, Status
from matches.services import play
from matches.services.cancelling import cancel_running
from tests.tournaments.conftest import Announce, announcement, open_tables, settle
from tournaments.errors import NotPossible
from tournaments.models import How, Pairing, Round, Tournament
from tournaments.services import announce, rounds, rulings

pytestmark = pytest.mark.django_db
FIRST_TO_TWO = SeriesTerms(first_to=2)


def now_at(table: Pairing) -> Match:
    assert table.match is not None
    return Match.objects.filter(series=table.match.series_id).latest("series_number")


def lose(table: Pairing, player: int) -> None:
    """The player of this seat of the pairing loses the match that is played now."""
    match = now_at(table)
    seat = match.seats.get(number=player ^ match.seats_swapped)
    assert seat.user is not None
    play.concede(slug=match.slug, user=seat.user)
    for row in UnreadMatch.objects.filter(subscriber__in=("series", "tournaments")):
        outbox.read(row.pk)


@pytest.fixture
def tournament(running: Announce) -> Tournament:
    """Two players, best of three."""
    return running(2, structure="round-robin", series=FIRST_TO_TWO)


def test_the_result_of_the_series_counts(tournament: Tournament) -> None:
    (table,) = open_tables(tournament)
    lose(table, 0)
    assert open_tables(tournament), "one match decides nothing"
    lose(table, 1)
    lose(table, 0)
    settle(tournament)
    table.refresh_from_db()
    assert table.how == How.MATCH
    seats = list(table.seats.order_by("number"))
    assert [(seat.place, seat.wins, seat.points) for seat in seats] == [(2, 1, 0), (1, 2, 3)]
    assert Match.objects.count() == 3
    assert set(Match.objects.values_list("in_event", "status")) == {(True, "finished")}
    api = APIClient()
    address = f"/api/tournaments/{tournament.slug}/"
    assert api.get(address).json()["series"] == {"matches": None, "first_to": 2}
    (row,) = api.get(f"{address}rounds/1/tables/").json()["results"]
    assert [seat["wins"] for seat in row["seats"]] == [1, 2]
    assert row["match"] == now_at(table).slug
    (first, second) = api.get(f"{address}standings/").json()["results"]
    wins = [(entry["standing"]["matches_won"], entry["standing"]["matches_lost"])
            for entry in (first, second)]  # fmt: skip
    assert wins == [(2, 1), (1, 2)]
    (table_set,) = api.get(f"{address}open-bracket/").json()["sets"]
    assert (table_set["entrant1Score"], table_set["entrant2Score"]) == (1, 2)
    assert table_set["setFormat"] == "First to 2 wins"
    standings = api.get(f"/tournaments/{tournament.slug}/standings/").content.decode()
    assert ">2–1</td>" in standings
    page = api.get(f"/tournaments/{tournament.slug}/rounds/1/").content.decode()
    assert "won 2–1" in page
    assert (
        "each table plays first to 2 wins"
        in api.get(tournament.get_absolute_url()).content.decode()
    )
    result = api.get(f"/matches/{now_at(table).slug}/result/").content.decode()
    assert "Round 1 of Spring Open" in result


def test_at_the_deadline_whoever_leads_wins(tournament: Tournament) -> None:
    (table,) = open_tables(tournament)
    lose(table, 1)
    Round.objects.update(deadline_at=timezone.now())
    rounds.sweep()
    table.refresh_from_db()
    assert table.how == How.CLOCK
    assert [seat.wins for seat in table.seats.order_by("number")] == [1, 0]
    last = now_at(table)
    assert (last.series_number, last.status) == (2, Status.CANCELLED)
    assert last.series is not None
    assert last.series.ended_at is not None


def test_a_table_that_is_decided_otherwise_plays_no_further_match(
    tournament: Tournament, ada: User
) -> None:
    (table,) = open_tables(tournament)
    lose(table, 1)
    rulings.set_result(
        tournament=tournament, by=ada, round_number=1, table=1, places=[2, 1], reason="A fault."
    )
    settle(tournament)
    assert [match.status for match in Match.objects.order_by("pk")] == ["finished", "cancelled"]


def test_a_block_changes_nothing_in_a_tournament(tournament: Tournament) -> None:
    (table,) = open_tables(tournament)
    first, second = (seat.entry.user for seat in table.seats.order_by("number"))
    assert first is not None and second is not None
    block(user=first, username=second.username, kind=BlockKind.TABLES)
    lose(table, 1)
    assert now_at(table).series_number == 2


def test_a_cancelled_tournament_starts_no_further_match(tournament: Tournament, ada: User) -> None:
    (table,) = open_tables(tournament)
    announce.cancel(tournament=tournament, by=ada, why="Rain.")
    lose(table, 1)
    assert Match.objects.count() == 1


def test_a_series_that_was_stopped_is_decided_by_the_sweep(tournament: Tournament) -> None:
    (table,) = open_tables(tournament)
    lose(table, 0)
    match = now_at(table)
    cancel_running(match, list(match.seats.all()), "abandoned")
    assert rounds.sweep()["cancelled"] == 1
    table.refresh_from_db()
    assert table.how == How.CANCELLED
    assert [seat.place for seat in table.seats.order_by("number")] == [2, 1]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"structure": "pods", "table_size": 3, "series": FIRST_TO_TWO}, "single matches"),
        ({"series": SeriesTerms(matches=1)}, "2 to 20 matches"),
        ({"series": SeriesTerms()}, "not both"),
    ],
)
def test_what_does_not_go_together_is_refused(
    ada: User, changes: dict[str, object], sentence: str
) -> None:
    with pytest.raises(NotPossible, match=sentence):
        announce.announce(organiser=ada, announcement=announcement(**changes))
