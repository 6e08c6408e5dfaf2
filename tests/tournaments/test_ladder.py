"""Ladders: challenges up to three places above, what a reply or silence means, and the end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from core.errors import Refusal
from notices.models import Notice
from tests.matches.conftest import api
from tests.tournaments.conftest import Announce, begun, lose, open_tables, players, settle
from tournaments.downloads import calendar_of, whole
from tournaments.errors import NotNow, NotPossible
from tournaments.models import (
    Challenge,
    ChallengeState,
    Entry,
    EntryState,
    How,
    RankChange,
    Ruling,
    State,
    Tournament,
)
from tournaments.queries import ladder as queries
from tournaments.services import announce, entries, ladder, rounds, rulings

pytestmark = pytest.mark.usefixtures("catalog")


@pytest.fixture
def climb(announced: Announce) -> Tournament:
    """Six on a ladder; what they are called follows from their places."""
    tournament = announced(structure="ladder", round_days=7)
    for person in players(6):
        entries.enter(tournament=tournament, user=person)
    return begun(tournament)


def order(tournament: Tournament) -> list[int]:
    rows = Entry.objects.filter(tournament=tournament, rank__isnull=False).order_by("rank")
    ranks = list(rows.values_list("rank", flat=True))
    assert ranks == list(range(1, len(ranks) + 1)), "every place is taken once"
    return list(rows.values_list("number", flat=True))


def user_of(tournament: Tournament, number: int) -> User:
    user = Entry.objects.select_related("user").get(tournament=tournament, number=number).user
    assert user is not None
    return user


def challenge(tournament: Tournament, lower: int, upper: int) -> Challenge:
    """The player of one place (from 1) challenges that of another."""
    numbers = order(tournament)
    return ladder.challenge(
        tournament=tournament,
        user=user_of(tournament, numbers[lower - 1]),
        number=numbers[upper - 1],
    )


def play(tournament: Tournament, row: Challenge, *, winner: int) -> None:
    challenged = user_of(tournament, row.challenged.number)
    ladder.accept(tournament=tournament, user=challenged, number=row.number)
    settle(tournament)
    (table,) = open_tables(tournament)
    seats = sorted(table.seats.select_related("entry"), key=lambda seat: seat.entry.number)
    loser = next(n for n, seat in enumerate(seats) if seat.entry_id != winner)
    lose(table, loser=loser)
    settle(tournament)


def test_who_wins_takes_the_place_and_those_between_move_down(climb: Tournament) -> None:
    before = order(climb)
    assert len(before) == 6 and RankChange.objects.count() == 6
    row = challenge(climb, 5, 2)
    assert challenge(climb, 5, 2).pk == row.pk, "a second press is the same challenge"
    play(climb, row, winner=row.challenger_id)
    after = [before[0], before[4], before[1], before[2], before[3], before[5]]
    assert order(climb) == after
    row.refresh_from_db()
    assert row.state == ChallengeState.WON and row.ended_at is not None
    assert RankChange.objects.filter(challenge=row).count() == 4
    assert climb.state == State.RUNNING, "it has an open end"
    second = challenge(climb, 6, 5)
    play(climb, second, winner=second.challenged_id)
    assert order(climb) == after
    second.refresh_from_db()
    assert second.state == ChallengeState.LOST
    standing = Entry.objects.get(pk=row.challenger_id).standing
    assert (standing["won"], standing["lost"]) == (1, 0)


@pytest.mark.parametrize("silent", [False, True])
def test_declining_or_silence_costs_the_place(climb: Tournament, silent: bool) -> None:
    before = order(climb)
    row = challenge(climb, 2, 1)
    notice = Notice.objects.get(text__contains="challenges you for place 1")
    assert notice.person == user_of(climb, before[0]) and "or you lose the place" in notice.text
    if silent:
        assert ladder.sweep() == 0
        later = timezone.now() + ladder.ANSWER + timedelta(seconds=1)
        with mock.patch("django.utils.timezone.now", return_value=later):
            assert ladder.sweep() == 1 and ladder.sweep() == 0
    else:
        for _ in range(2):
            ladder.decline(tournament=climb, user=user_of(climb, before[0]), number=row.number)
    assert order(climb) == [before[1], before[0], *before[2:]]
    assert Notice.objects.filter(text__contains="You have their place").count() == 1


def test_the_bounds_of_challenges(climb: Tournament) -> None:
    for lower, upper in ((5, 1), (2, 3), (3, 3)):
        with pytest.raises(NotPossible, match="up to 3 places above"):
            challenge(climb, lower, upper)
    row = challenge(climb, 4, 1)
    with pytest.raises(NotNow, match="You already have an open challenge"):
        challenge(climb, 4, 2)
    with pytest.raises(NotNow, match="already has an open challenge"):
        challenge(climb, 3, 1)
    with pytest.raises(NotNow, match="already has an open challenge"):
        challenge(climb, 5, 4)
    mine = user_of(climb, row.challenger.number)
    with pytest.raises(NotPossible, match="Only the challenged player"):
        ladder.accept(tournament=climb, user=mine, number=row.number)
    ladder.withdraw(tournament=climb, user=mine, number=row.number)
    with pytest.raises(NotNow, match="Wait 7 days"):
        challenge(climb, 4, 1)
    later = timezone.now() + ladder.AGAIN + timedelta(seconds=1)
    with mock.patch("django.utils.timezone.now", return_value=later):
        assert challenge(climb, 4, 1).pk != row.pk


def test_newcomers_join_at_the_foot_and_who_leaves_frees_the_place(climb: Tournament) -> None:
    late = User.objects.create_user("late")
    entry = entries.enter(tournament=climb, user=late)
    assert order(climb)[-1] == entry.number
    first = order(climb)[0]
    row = challenge(climb, 2, 1)
    ladder.accept(tournament=climb, user=user_of(climb, first), number=row.number)
    settle(climb)
    entries.drop(tournament=climb, user=user_of(climb, first))
    settle(climb)
    row.refresh_from_db()
    assert row.state == ChallengeState.WON and order(climb)[0] == row.challenger.number
    assert first not in order(climb) and len(order(climb)) == 6
    entries.reinstate(tournament=climb, by=climb.organiser, number=first, reason="Back again.")
    assert Ruling.objects.get().before.endswith(": dropped."), "nobody gave a reason"
    assert order(climb)[-1] == first
    waiting = challenge(climb, 2, 1)
    entries.drop(tournament=climb, user=user_of(climb, waiting.challenged.number))
    waiting.refresh_from_db()
    assert waiting.state == ChallengeState.VOID


def test_at_its_deadline_the_clock_decides(climb: Tournament) -> None:
    before = order(climb)
    row = challenge(climb, 3, 1)
    ladder.accept(tournament=climb, user=user_of(climb, before[0]), number=row.number)
    settle(climb)
    later = timezone.now() + timedelta(days=7, minutes=1)
    with mock.patch("django.utils.timezone.now", return_value=later):
        rounds.sweep()
    row.refresh_from_db()
    assert row.pairing is not None
    places = dict(row.pairing.seats.values_list("entry", "place"))
    assert row.pairing.how in (How.CLOCK, How.DRAW)
    won = places[row.challenger_id] < places[row.challenged_id]
    drawn = places[row.challenger_id] == places[row.challenged_id]
    assert row.state == (
        ChallengeState.WON if won else ChallengeState.DRAWN if drawn else ChallengeState.LOST
    )
    assert (order(climb) != before) == won
    assert row.pairing is not None
    with pytest.raises(NotNow, match="places on the ladder have changed"):
        rulings.set_result(
            tournament=climb, by=climb.organiser, round_number=1, table=1, places=(2, 1),
            reason="Late.",
        )  # fmt: skip


def test_an_organiser_decides_any_match_in_progress(climb: Tournament) -> None:
    first, second = challenge(climb, 2, 1), challenge(climb, 4, 3)
    for row in (first, second):
        challenged = user_of(climb, row.challenged.number)
        ladder.accept(tournament=climb, user=challenged, number=row.number)
    settle(climb)
    client = Client()
    client.force_login(climb.organiser)
    address = f"{climb.get_absolute_url()}organise/"
    page = client.get(address).content.decode()
    assert page.count("Decide …") == 2 and "was undone" not in page
    assert "event-table-number" not in page, "each challenge has a single table"
    screen = Client().get(f"{climb.get_absolute_url()}screen/").content.decode()
    assert "Open matches" in screen and "data-until" not in screen, "no time is that of all"
    data = {"round": 1, "table": 1, "places": "1,2", "reason": "Played on paper."}
    client.post(f"{climb.get_absolute_url()}result/", data)
    first.refresh_from_db()
    assert first.state == ChallengeState.WON
    page = client.get(address).content.decode()
    assert page.count("Decide …") == 1 and "Round" not in page.split("Players")[0]


def test_an_organiser_closes_it_once_nobody_plays(climb: Tournament) -> None:
    row = challenge(climb, 2, 1)
    ladder.accept(tournament=climb, user=user_of(climb, row.challenged.number), number=row.number)
    with pytest.raises(NotNow, match="still in progress"):
        ladder.close(tournament=climb, by=climb.organiser)
    settle(climb)
    lose(open_tables(climb)[0])
    settle(climb)
    challenge(climb, 4, 3)
    for _ in range(2):
        closed = ladder.close(tournament=climb, by=climb.organiser)
    assert closed.state == State.FINISHED
    assert Challenge.objects.filter(state=ChallengeState.VOID).count() == 1
    assert len(order(climb)) == 6


def test_a_cancelled_ladder_has_no_challenges_and_nobody_is_asked_twice(
    climb: Tournament,
) -> None:
    asked_for = Notice.objects.open().filter(text__contains="challenges you for place")
    first, second = challenge(climb, 4, 1), challenge(climb, 5, 2)
    assert asked_for.count() == 2
    challenged = user_of(climb, first.challenged.number)
    ladder.accept(tournament=climb, user=challenged, number=first.number)
    settle(climb)
    assert [row.person for row in asked_for.all()] == [second.challenged.user]
    assert b"Round 1" not in calendar_of(climb).content
    assert len(whole(climb)["rounds"]) == 1
    announce.cancel(tournament=climb, by=climb.organiser, why="Rain.")
    assert set(Challenge.objects.values_list("state", flat=True)) == {ChallengeState.VOID}
    assert not asked_for.all().exists()


def test_a_page_names_ones_own_challenge_and_so_many_others(
    climb: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "PAGE_CHALLENGES", 1)
    first, _, last = challenge(climb, 2, 1), challenge(climb, 4, 3), challenge(climb, 6, 5)
    assert [row.number for row in queries.live_challenges(climb, None)] == [first.number]
    shown_rows = queries.live_challenges(climb, last.challenger)
    assert [row.number for row in shown_rows] == [last.number, first.number]


def test_the_file_of_a_ladder_takes_as_many_queries_for_more_challenges(
    climb: Tournament, django_assert_num_queries: Any
) -> None:
    play(climb, challenge(climb, 2, 1), winner=0)
    with CaptureQueriesContext(connection) as before:
        whole(climb)
    play(climb, challenge(climb, 4, 3), winner=0)
    play(climb, challenge(climb, 6, 5), winner=0)
    with django_assert_num_queries(len(before)):
        assert len(whole(climb)["rounds"]) == 3


def test_a_bot_accepts_at_once(announced: Announce) -> None:
    tournament = announced(structure="ladder")
    (person,) = players(1)
    entries.enter(tournament=tournament, user=person)
    entries.add_bot(tournament=tournament, by=tournament.organiser)
    begun(tournament)
    Entry.objects.filter(tournament=tournament, user=person).update(rank=2)
    Entry.objects.filter(tournament=tournament, user=None).update(rank=1)
    row = challenge(tournament, 2, 1)
    settle(tournament)
    assert row.state == ChallengeState.PLAYING and len(open_tables(tournament)) == 1


def test_what_a_ladder_cannot_be(announced: Announce) -> None:
    for changes in ({"rounds": 3}, {"late_entry": True}, {"twice": True}, {"cut": 4}):
        with pytest.raises(Refusal):
            announced(structure="ladder", **changes)


def test_pages_and_the_api(climb: Tournament) -> None:
    numbers = order(climb)
    second = user_of(climb, numbers[1])
    client = Client()
    client.force_login(second)
    address = f"{climb.get_absolute_url()}ladder/"
    page = client.get(address).content.decode()
    assert page.count(">Challenge<") == 0 and page.count("Challenge<span") == 1
    client.post(f"{address}challenge/", {"entry": numbers[0]})
    assert "Withdraw challenge" in client.get(address).content.decode()
    refused = client.post(f"{address}challenge/", {"entry": numbers[5]})
    assert refused.status_code == 422 and "up to 3 places above" in refused.content.decode()
    first = Client()
    first.force_login(user_of(climb, numbers[0]))
    assert "Accept challenge" in first.get(address).content.decode()
    assert "Accept challenge" not in Client().get(address).content.decode()
    assert Client().get(f"{climb.get_absolute_url()}standings/").status_code == 302
    programs = f"/api/tournaments/{climb.slug}/ladder/"
    (row,) = api(second).get(f"{programs}challenges/").json()["results"]
    assert row["state"] == "open" and row["challenger"] == numbers[1]
    declined = api(user_of(climb, numbers[0])).post(f"{programs}challenges/1/decline/")
    assert declined.json()["state"] == "declined", declined.json()
    history = api(second).get(f"{programs}history/").json()["results"]
    assert [(each["before"], each["after"]) for each in history[:2]] == [(1, 2), (2, 1)]
    assert "2 → 1" in client.get(address).content.decode()
    assert Entry.objects.filter(state=EntryState.ENTERED).count() == 6
