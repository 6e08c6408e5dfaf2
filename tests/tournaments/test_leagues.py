"""A league over three seasons: divisions, all rounds at once, promotion, the next announcement."""

from __future__ import annotations

from datetime import datetime, timedelta
from unittest import mock

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from accounts.models import User
from core.errors import NotAllowed
from notices.models import Notice
from tests.tournaments.conftest import Announce, begun, lose, open_tables, players, settle
from tournaments.errors import NotNow, NotPossible
from tournaments.models import Entry, EntryState, How, Pairing, Round, State, Tournament
from tournaments.open_bracket import open_bracket
from tournaments.services import announce, entries, leagues, rounds, rulings

pytestmark = pytest.mark.usefixtures("catalog")


def enter_all(season: Tournament, people: list[User]) -> Tournament:
    for person in people:
        entries.enter(tournament=season, user=person)
    return begun(season)


def names_by_division(season: Tournament) -> list[list[str]]:
    rows = Entry.objects.filter(tournament=season).exclude(division=None)
    divisions: dict[int, list[str]] = {}
    for entry in rows.select_related("user").order_by("rank", "number"):
        assert entry.user is not None and entry.division is not None
        divisions.setdefault(entry.division, []).append(entry.user.username)
    return [divisions[key] for key in sorted(divisions)]


@pytest.fixture
def season(announced: Announce) -> Tournament:
    """Eight players in two divisions of four."""
    return announced(
        structure="league", division_size=4, moving=1, title="City League", min_entries=4
    )


def play(season: Tournament) -> None:
    """All matches: the lower number wins."""
    for pairing in open_tables(season):
        lose(pairing)
    settle(season)


def test_all_rounds_of_all_divisions_are_open_at_once(season: Tournament) -> None:
    enter_all(season, players(8))
    rows = list(Round.objects.filter(tournament=season).order_by("number"))
    assert [row.number for row in rows] == [1, 2, 3] and all(row.together for row in rows)
    assert len({row.deadline_at.replace(microsecond=0, second=0) for row in rows}) == 1
    tables = open_tables(season)
    assert len(tables) == 12 and all(table.match is not None for table in tables)
    meetings = set()
    for table in tables:
        seats = list(table.seats.select_related("entry"))
        assert len({seat.entry.division for seat in seats}) == 1
        meetings.add(frozenset(seat.entry.number for seat in seats))
    assert len(meetings) == 12, "everybody meets everybody of the division once"
    # One notice says that the season began, not one for each match.
    notice = Notice.objects.filter(person__username="p1", text__contains="City League")
    assert notice.count() == 1


def test_three_seasons_with_promotion_and_relegation(season: Tournament, ada: User) -> None:
    """The clock starts each season and ends the second; nobody presses a button but “next”."""
    people = players(8)
    with mock.patch.object(timezone, "now", return_value=timezone.now()) as now:

        def enter_until_start(season: Tournament, people: list[User]) -> None:
            for person in people:
                entries.enter(tournament=season, user=person)
            assert rounds.sweep()["started"] == 0, "registration is open"
            wait_for(season, season.starts_at)
            assert season.state == State.RUNNING

        def wait_for(season: Tournament, moment: datetime) -> None:
            now.return_value = moment
            rounds.sweep()
            settle(season)

        enter_until_start(season, people)
        play(season)
        assert season.state == State.FINISHED
        first = names_by_division(season)
        assert [len(division) for division in first] == [4, 4]
        moves = dict(
            Entry.objects.filter(tournament=season).values_list("user__username", "standing__moves")
        )
        assert {name for name, move in moves.items() if move == "up"} == {first[1][0]}
        assert {name for name, move in moves.items() if move == "down"} == {first[0][3]}

        now.return_value += timedelta(days=30)
        second = leagues.next_season(tournament=season, by=ada)
        assert leagues.next_season(tournament=season, by=ada) == second
        assert (second.title, second.season) == ("City League, season 2", 2)
        assert second.previous == season
        assert second.starts_at > now.return_value
        assert Notice.objects.filter(person=people[0], text__contains="Registration for").exists()
        enter_until_start(second, people)
        divisions = names_by_division(second)
        assert set(divisions[0]) == {*first[0][:3], first[1][0]}
        for pairing in open_tables(second)[:9]:  # three are not played in time
            lose(pairing)
        settle(second)
        last = Round.objects.filter(tournament=second, finished_at=None).latest("number")
        wait_for(second, last.deadline_at - timedelta(days=2))
        assert second.state == State.RUNNING
        assert Notice.objects.filter(text__contains="the season ends soon").exists()
        wait_for(second, last.deadline_at)
        assert second.state == State.FINISHED
        tables = Pairing.objects.filter(round__tournament=second)
        assert tables.exclude(how=How.MATCH).count() == 3

        now.return_value += timedelta(days=1)
        third = leagues.next_season(tournament=second, by=ada)
        assert third.title == "City League, season 3"
        before = names_by_division(second)
        champion = User.objects.get(username=before[0][0])
        newcomer = User.objects.create_user("newcomer", display_name="Newcomer")
        staying = [person for person in people if person != champion]
        enter_until_start(third, [*staying, newcomer])
        top, bottom = names_by_division(third)
        expected = {*before[0][1:3], before[1][0], before[0][3]}
        assert set(top) == expected, "a free place keeps its last"
        assert "newcomer" in bottom
        play(third)
        assert third.state == State.FINISHED


def test_the_clock_ends_a_season(season: Tournament) -> None:
    enter_all(season, players(4))
    lose(open_tables(season)[0])
    settle(season)
    later = timezone.now() + timedelta(days=15)
    with mock.patch.object(timezone, "now", return_value=later):
        rounds.sweep()
    season.refresh_from_db()
    assert season.state == State.FINISHED
    ways = list(Pairing.objects.filter(round__tournament=season).values_list("how", flat=True))
    assert ways.count(How.MATCH) == 1 and How.BYE not in ways and "" not in ways


def test_who_drops_loses_all_open_matches(season: Tournament) -> None:
    people = players(4)
    enter_all(season, people)
    entries.drop(tournament=season, user=people[0])
    settle(season)
    ways = list(Pairing.objects.filter(round__tournament=season).values_list("how", flat=True))
    assert ways.count(How.DROPPED) == 3 and season.state == State.RUNNING
    play(season)
    assert season.state == State.FINISHED
    entry = Entry.objects.get(tournament=season, user=people[0])
    assert (entry.state, entry.rank) == (EntryState.DROPPED, 4)


def test_a_match_that_is_won_but_not_read_yet_counts(season: Tournament) -> None:
    people = players(4)
    enter_all(season, people)
    table = next(
        table for table in open_tables(season) if table.seats.filter(entry__user=people[0]).exists()
    )
    lose(table)  # the first player wins; nobody has read it
    entries.drop(tournament=season, user=people[0])
    table.refresh_from_db()
    assert table.how == How.MATCH
    assert table.seats.get(entry__user=people[0]).place == 1


def test_one_reminder_for_all_rounds_of_a_season(season: Tournament) -> None:
    enter_all(season, players(4))
    row = Round.objects.filter(tournament=season).first()
    assert row is not None
    rounds.tell_open_tables(now=row.paired_at + timedelta(days=7, minutes=1))
    reminders = Notice.objects.filter(person__username="p1", text__contains="is half over")
    assert reminders.count() == 1


def test_what_a_season_has_no_room_for(season: Tournament, ada: User) -> None:
    people = players(4)
    with pytest.raises(NotNow, match="not over"):
        leagues.next_season(tournament=season, by=ada)
    enter_all(season, people)
    with pytest.raises(NotNow, match="all at once"):
        rulings.take_back_pairing(tournament=season, by=ada, round_number=3, reason="Wrong")
    with pytest.raises(NotNow, match="a league or a ladder"):
        rulings.give_bye(tournament=season, by=ada, number=1, reason="Ill")
    with pytest.raises(NotAllowed):
        leagues.next_season(tournament=season, by=people[0])


def test_only_a_league_has_seasons(announced: Announce, ada: User) -> None:
    with pytest.raises(NotPossible, match="Only a league"):
        leagues.next_season(tournament=announced(), by=ada)


def test_titles_count_the_season() -> None:
    assert leagues.title_of("City League", 2) == "City League, season 2"
    assert leagues.title_of("City League, season 9", 10) == "City League, season 10"
    assert len(leagues.title_of("x" * 120, 2)) == 120


def test_pages_and_api_show_divisions(season: Tournament, ada: User) -> None:
    people = players(8)
    enter_all(season, people)
    client = Client()
    client.force_login(people[0])
    overview = client.get(season.get_absolute_url()).content.decode()
    assert "Booster Decks" not in overview, "usual options are left out"
    assert overview.count("Open your match") == 3 and "Your matches this season" in overview
    calendar = client.get(f"{season.get_absolute_url()}calendar.ics").content.decode()
    assert calendar.count("End of") == calendar.count("End of season 1") == 1
    embed = client.get(f"{season.get_absolute_url()}embed/").content.decode()
    assert embed.count("event-seats") == 12, "all rounds are open at once"
    assert embed.count("Division 1. Round robin") == embed.count("Division 2. Round robin") == 6
    last = Round.objects.filter(tournament=season).latest("number")
    for pairing in open_tables(season):
        if pairing.round == last:
            lose(pairing)
    settle(season)
    last.refresh_from_db()
    screen = client.get(f"{season.get_absolute_url()}screen/").content.decode()
    assert last.finished_at and "data-until" in screen, "the other rounds run on"
    standings = client.get(f"{season.get_absolute_url()}standings/").content.decode()
    assert "Promotion" not in standings and "Relegation" not in standings
    assert standings.count("Would go up today") == standings.count("Would go down today") == 1
    play(season)
    standings = client.get(f"{season.get_absolute_url()}standings/").content.decode()
    assert "Would go" not in standings
    assert "Division 1" in standings and "Division 2" in standings
    assert standings.count("Promotion") == 1 and standings.count("Relegation") == 1
    client.force_login(ada)
    assert (
        "Announce season 2" in client.get(f"{season.get_absolute_url()}organise/").content.decode()
    )
    answer = client.post(f"{season.get_absolute_url()}next-season/", follow=True)
    assert "Season announced" in answer.content.decode()
    following = Tournament.objects.get(previous=season)
    api = client.post(f"/api/tournaments/{season.slug}/next-season/").json()
    assert (api["slug"], api["season"], api["previous"]) == (following.slug, 2, season.slug)
    shown = client.get(f"/api/tournaments/{season.slug}/standings/").json()["results"]
    assert [row["division"] for row in shown] == [1] * 4 + [2] * 4


def test_the_calendar_of_a_cancelled_season_ends_with_it(season: Tournament, ada: User) -> None:
    enter_all(season, players(8))
    announce.cancel(tournament=season, by=ada, why="Rain.")
    text = Client().get(f"{season.get_absolute_url()}calendar.ics").content
    (end,) = Calendar.from_ical(text).walk("VEVENT")
    assert end["DTSTART"].dt <= timezone.now(), "it does not go on to its deadline"


def test_the_open_bracket_file_has_the_places_of_each_division(season: Tournament) -> None:
    enter_all(season, players(8))
    play(season)
    rows = open_bracket(season)["entrants"]
    by_division: dict[int, list[int]] = {1: [], 2: []}
    for row in rows:
        by_division[row["other"]["division"]].append(row["finalPlacement"])
    assert sorted(by_division[1]) == sorted(by_division[2]) == [1, 2, 3, 4]
