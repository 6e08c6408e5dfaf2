"""Live evenings: rounds by the clock, presence before each round, the page for a big screen."""

from __future__ import annotations

import json
import runpy
from datetime import timedelta
from unittest import mock

import pytest
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.test import Client
from django.utils import timezone

from accounts.models import User
from core.errors import Refusal
from notices.models import Notice
from tests.matches.conftest import api
from tests.tournaments.conftest import Announce, open_tables, play_round, players, settle
from tournaments.downloads import whole
from tournaments.errors import NotNow, NotPossible
from tournaments.models import Entry, EntryState, How, Pairing, Round, State, Tournament
from tournaments.services import calls, entries, evenings, rounds

pytestmark = pytest.mark.usefixtures("catalog")


@pytest.fixture
def evening(announced: Announce) -> Tournament:
    """Four players, thirty minutes a round, at its first call."""
    tournament = announced(round_minutes=30, time_control="live", rounds=3)
    for person in players(4):
        entries.enter(tournament=tournament, user=person)
    rounds.start(tournament=tournament, by=tournament.organiser)
    tournament.refresh_from_db()
    return tournament


def confirm(tournament: Tournament, *names: str) -> None:
    for name in names:
        evenings.confirm(tournament=tournament, user=User.objects.get(username=name))
    tournament.refresh_from_db()


def at(moment: timedelta) -> mock._patch[mock.MagicMock]:
    later = timezone.now() + moment
    return mock.patch("django.utils.timezone.now", return_value=later)


def end_call(tournament: Tournament) -> None:
    with at(timedelta(seconds=61)):
        assert evenings.sweep() == 1
    settle(tournament)


def test_a_round_is_paired_once_everyone_is_here(evening: Tournament) -> None:
    assert evening.state == State.RUNNING and evening.called_until is not None
    assert not Round.objects.exists(), "nobody is paired before the call"
    assert Notice.objects.filter(text__contains="about to start").count() == 4
    confirm(evening, "p1", "p2", "p3", "p3")
    assert not Round.objects.exists()
    confirm(evening, "p4")
    assert evening.called_until is None
    row = Round.objects.get()
    assert row.deadline_at - row.paired_at == timedelta(minutes=30)
    settle(evening)
    assert len(open_tables(evening)) == 2
    assert all(table.match and table.match.time_control == "live" for table in open_tables(evening))


def test_absent_players_are_dropped_after_a_minute_and_can_come_back(evening: Tournament) -> None:
    confirm(evening, "p1", "p2")
    assert evenings.sweep() == 0, "the minute is not over"
    end_call(evening)
    gone = Entry.objects.filter(tournament=evening, state=EntryState.DROPPED)
    assert sorted(gone.values_list("user__username", flat=True)) == ["p3", "p4"]
    assert Notice.objects.filter(text__contains="You were absent").count() == 2
    assert len(open_tables(evening)) == 1
    with pytest.raises(NotNow, match="Finish your match"):
        confirm(evening, "p1")
    confirm(evening, "p3")  # plays from the next round on
    assert Entry.objects.get(user__username="p3").state == EntryState.ENTERED
    play_round(evening)
    assert evening.called_until is not None
    confirm(evening, "p1", "p2")
    settle(evening)
    seated = Pairing.objects.filter(round__number=2).values_list("seats__entry__user__username")
    assert {name for (name,) in seated} == {"p1", "p2", "p3"}


def test_whoever_confirmed_is_not_asked_and_who_is_removed_does_not_come_back(
    evening: Tournament,
) -> None:
    calls_open = Notice.objects.open().filter(text__contains="about to start")
    confirm(evening, "p1", "p2")
    assert {row.person.username for row in calls_open} == {"p3", "p4"}
    end_call(evening)
    assert not calls_open.all().exists()
    fourth = Entry.objects.get(user__username="p4")
    for _ in range(2):
        entries.remove(
            tournament=evening, by=evening.organiser, number=fourth.number, reason="Rude."
        )
    with pytest.raises(NotNow, match="Ask the organisers"):
        confirm(evening, "p4")


def test_the_script_knows_that_the_absent_come_back(announced: Announce) -> None:
    tournament = announced(structure="round-robin", round_minutes=30, time_control="live")
    names = [person.username for person in players(4)]
    for name in names:
        entries.enter(tournament=tournament, user=User.objects.get(username=name))
    rounds.start(tournament=tournament, by=tournament.organiser)
    confirm(tournament, *names[:3])
    end_call(tournament)
    confirm(tournament, "p4")
    while True:
        play_round(tournament)
        if tournament.over:
            break
        awaited = calls.awaited(tournament)
        confirm(tournament, *[entry.user.username for entry in awaited if entry.user])
        settle(tournament)
    record = json.loads(json.dumps(whole(tournament), cls=DjangoJSONEncoder))
    script = runpy.run_path(str(settings.BASE_DIR / "docs" / "verify.py"))
    assert "circle method" in "".join(script["verify_tournament"](record))
    record["tournament"]["round_minutes"] = None
    with pytest.raises(Exception, match="round 1 is not what the circle method gives"):
        list(script["verify_tournament"](record))


def test_who_dropped_out_does_not_come_back_by_themselves(evening: Tournament) -> None:
    entries.drop(tournament=evening, user=User.objects.get(username="p4"))
    with pytest.raises(NotNow, match="Ask the organisers"):
        confirm(evening, "p4")
    confirm(evening, "p1", "p2", "p3")
    assert Round.objects.count() == 1


def test_a_round_ends_by_the_clock_and_the_next_is_called(evening: Tournament) -> None:
    confirm(evening, "p1", "p2", "p3", "p4")
    settle(evening)
    with at(timedelta(minutes=29)):
        assert not evenings.keep_time(tournament_id=evening.pk)
    with at(timedelta(minutes=31)):
        assert evenings.keep_time(tournament_id=evening.pk)
        assert not evenings.keep_time(tournament_id=evening.pk)
    evening.refresh_from_db()
    decided = Pairing.objects.filter(round__number=1).values_list("how", flat=True)
    assert set(decided) <= {How.DRAW, How.CLOCK} and len(decided) == 2
    assert evening.called_until is not None and Round.objects.count() == 1


def test_nobody_there_cancels_it_and_the_last_round_needs_no_call(
    evening: Tournament, announced: Announce
) -> None:
    confirm(evening, "p1")
    end_call(evening)
    assert evening.state == State.CANCELLED and evening.called_until is None
    assert evening.why_cancelled == "only one player was present."
    short = announced(round_minutes=10, time_control="live", rounds=1)
    for name in ("p1", "p2"):
        entries.enter(tournament=short, user=User.objects.get(username=name))
    rounds.start(tournament=short, by=short.organiser)
    confirm(short, "p1", "p2")
    settle(short)
    play_round(short)
    assert short.state == State.FINISHED and short.called_until is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"time_control": "steady"}, "live time control"),
        ({"structure": "league"}, "not played in one evening"),
        ({"round_minutes": 5}, "10 to 180 minutes"),
    ],
)
def test_what_does_not_go_together_is_refused(
    announced: Announce, changes: dict[str, object], words: str
) -> None:
    with pytest.raises(Refusal, match=words):
        announced(**{"round_minutes": 30, "time_control": "live"} | changes)


@pytest.mark.parametrize("cut", [0, 4])
def test_only_players_of_the_next_round_are_called(announced: Announce, cut: int) -> None:
    """Whoever is out of an elimination or the final rounds is neither awaited nor dropped."""
    structure = {"structure": "swiss", "rounds": 1, "cut": cut} if cut else {
        "structure": "elimination", "third_place": True,
    }  # fmt: skip
    tournament = announced(round_minutes=30, time_control="live", **structure)
    names = [person.username for person in players(8)]
    for name in names:
        entries.enter(tournament=tournament, user=User.objects.get(username=name))
    rounds.start(tournament=tournament, by=tournament.organiser)
    confirm(tournament, *names)
    settle(tournament)
    play_round(tournament)
    assert tournament.called_until is not None
    awaited = {entry.user.username for entry in calls.awaited(tournament) if entry.user}
    assert len(awaited) == 4
    out = next(name for name in names if name not in awaited)
    client = Client()
    client.force_login(User.objects.get(username=out))
    assert "are you here?" not in client.get(tournament.get_absolute_url()).content.decode()
    screen = client.get(f"{tournament.get_absolute_url()}screen/").content.decode()
    awaited_part = screen.split("Not here yet")[1].split("</section>")[0]
    assert awaited_part.count("<li>") == 4
    first, *others = sorted(awaited)
    confirm(tournament, *others)
    end_call(tournament)
    if cut:  # the next in the standings takes the place, and is called
        (fifth,) = calls.awaited(tournament)
        assert fifth.user is not None and fifth.user.username not in awaited
        confirm(tournament, fifth.user.username)
    dropped = Entry.objects.filter(tournament=tournament, state=EntryState.DROPPED)
    assert [entry.user.username for entry in dropped if entry.user] == [first]
    assert Round.objects.filter(tournament=tournament).count() == 2


def test_other_tournaments_know_no_call(running: Announce) -> None:
    tournament = running(4)
    with pytest.raises(NotPossible):
        confirm(tournament, "p1")


def test_the_screen_works_without_login_and_names_who_is_awaited(evening: Tournament) -> None:
    address = f"{evening.get_absolute_url()}screen/"
    nobody = Client()
    text = nobody.get(address).content.decode()
    assert "confirm that you are here" in text and "Player 3" in text and "data-until" in text
    confirm(evening, "p1", "p2", "p3", "p4")
    settle(evening)
    part = nobody.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part and "Pairings" in part and "Player 3" in part


def test_the_organiser_s_page_marks_who_is_awaited(evening: Tournament) -> None:
    client = Client()
    client.force_login(evening.organiser)
    confirm(evening, "p1", "p2", "p3")
    text = client.get(f"{evening.get_absolute_url()}organise/").content.decode()
    assert text.count("Not here yet") == 1
    assert "Not here yet" in text.split("Player 4")[1].split("</li>")[0]


def test_the_page_and_the_api_confirm(evening: Tournament) -> None:
    first = User.objects.get(username="p1")
    client = Client()
    client.force_login(first)
    page = client.get(evening.get_absolute_url()).content.decode()
    assert "Round 1: are you here?" in page
    client.post(f"{evening.get_absolute_url()}here/")
    assert "You have confirmed." in client.get(evening.get_absolute_url()).content.decode()
    entry = api(User.objects.get(username="p2")).post(f"/api/tournaments/{evening.slug}/mine/here/")
    assert entry.status_code == 200 and entry.json()["ready_for"] == 1, entry.json()
