"""A round has one name everywhere: pages, files, rulings, reminders and live calls."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from notices.models import Notice
from tests.tournaments.conftest import Announce, open_tables, play_round, players, settle
from tournaments.downloads import whole
from tournaments.models import Entry, Round, RulingKind, Tournament
from tournaments.queries.evening import presence
from tournaments.queries.round_names import RoundNames, round_names
from tournaments.services import entries, evenings, rounds, rulings

pytestmark = pytest.mark.usefixtures("catalog")


def test_rounds_of_an_elimination_are_named_by_who_is_left() -> None:
    names = RoundNames(knockout=4, tables=8)
    assert [names.of(number) for number in range(3, 8)] == [
        "Round 3", "Round of 16", "Quarterfinals", "Semifinals", "Final",
    ]  # fmt: skip
    assert names.of_table(7, for_third=True) == "Third-place match"
    assert RoundNames(None, 0).of(7) == "Round 7"


def confirm_all(tournament: Tournament) -> None:
    tournament.refresh_from_db()
    for user in User.objects.filter(tournament_entries__tournament=tournament):
        if presence(tournament, Entry.objects.get(tournament=tournament, user=user)):
            evenings.confirm(tournament=tournament, user=user)
    settle(tournament)


def texts(word: str) -> set[str]:
    return set(Notice.objects.filter(text__contains=word).values_list("text", flat=True))


def test_live_calls_reminders_and_rulings_name_the_final_rounds(announced: Announce) -> None:
    """Six play two Swiss rounds, then the best four for the cup and for third place."""
    cup = announced(
        title="Cup", rounds=2, cut=4, third_place=True, round_minutes=30, time_control="live"
    )
    for person in players(6):
        entries.enter(tournament=cup, user=person)
    rounds.start(tournament=cup, by=cup.organiser)
    assert texts("Round 1 of Cup: play is about to start")
    for _ in range(2):
        confirm_all(cup)
        play_round(cup)
    assert round_names(cup).of(3) == "Semifinals", "before they are paired"
    assert len(texts("Semifinals of Cup: play is about to start")) == 1
    client = Client()
    first = Entry.objects.get(tournament=cup, rank=1).user
    assert first is not None
    client.force_login(first)
    address = cup.get_absolute_url()
    assert "Semifinals: are you here?" in client.get(address).content.decode()
    assert "Semifinals: confirm that" in client.get(f"{address}screen/").content.decode()
    confirm_all(cup)
    rulings.take_back_pairing(tournament=cup, by=cup.organiser, round_number=3, reason="Wrong.")
    assert texts("Semifinals of Cup: the pairing was undone, and a new one follows. Wrong.")
    rulings.pair_again(tournament=cup, by=cup.organiser)
    settle(cup)
    play_round(cup)
    confirm_all(cup)
    last = Round.objects.get(tournament=cup, number=4)
    rounds.tell_open_tables(now=last.paired_at + timedelta(minutes=16))
    assert texts("is half over") == {
        "Final of Cup: your match is unfinished, and the round is half over.",
        "Third-place match of Cup: your match is unfinished, and the round is half over.",
    }
    third = next(table for table in open_tables(cup) if table.for_third)
    rulings.set_result(
        tournament=cup, by=cup.organiser, round_number=4, table=third.number, places=[1, 2],
        reason="One left early.",
    )  # fmt: skip
    assert texts("Third-place match of Cup: the organisers decided your match. One left early.")
    page = client.get(f"{address}rulings/").content.decode()
    assert "Third-place match, table 2" in page and "Semifinals" in page
    assert "Round 3" not in page and "Round 4" not in page
    calendar = client.get(f"{address}calendar.ics").content.decode()
    assert "Cup: End of Semifinals" in calendar and "Cup: End of Final" in calendar
    record = whole(cup)
    assert [row["name"] for row in record["rounds"]] == [
        "Round 1", "Round 2", "Semifinals", "Final",
    ]  # fmt: skip
    by_kind = {row["kind"]: row["round_name"] for row in record["rulings"]}
    assert by_kind == {RulingKind.TAKE_BACK: "Semifinals", RulingKind.RESULT: "Third-place match"}
