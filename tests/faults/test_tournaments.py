"""Tournaments under kill -9 of a worker, and with organisers who press at the same moment."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.db.models import Sum

from accounts.models import User
from core import outbox, tasks
from core.models import UnreadMatch
from matches.models import Match, Status
from matches.services import bots
from tests.support.races import at_once
from tests.support.sizes import sized
from tests.tournaments.conftest import announcement, players
from tournaments.models import Entry, How, Pairing, PairingSeat, Round, State, Tournament
from tournaments.services import announce, entries, rounds

PATIENCE = 300
BOTS, BOTS_IN_PODS = sized(32, large=64), 24
SWEEP_SECONDS = 5
"""More often would send work a second time that is only waiting for its turn."""


def announced(**changes: Any) -> Tournament:
    ada = User.objects.create_user("ada")
    return announce.announce(organiser=ada, announcement=announcement(**changes))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_organisers_who_press_at_once_do_it_once() -> None:
    tournament = announced(rounds=3)
    for person in players(4):
        entries.enter(tournament=tournament, user=person)
    ada = tournament.organiser
    at_once(*[lambda: rounds.start(tournament=tournament, by=ada)] * 3)
    assert Round.objects.count() == 1 and Pairing.objects.count() == 2
    at_once(*[lambda: rounds.make_tables(tournament_id=tournament.pk)] * 3)
    assert Match.objects.count() == 2
    ends = [lambda: rounds.end_round(tournament=tournament, by=ada, number=1, reason="Late.")] * 3
    answers = at_once(*ends)
    assert not [answer for answer in answers if isinstance(answer, Exception)], answers
    assert Round.objects.count() == 2 and Pairing.objects.count() == 4
    late = [User.objects.create_user(name) for name in ("x", "y")]
    full = announce.announce(organiser=ada, announcement=announcement(max_entries=2))
    entries.enter(tournament=full, user=ada)
    at_once(*[lambda user=user: entries.enter(tournament=full, user=user) for user in late])
    assert sorted(full.entries.values_list("state", flat=True)) == ["entered", "entered", "waiting"]


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
@pytest.mark.slow(40)
def test_swiss_and_pods_while_the_worker_is_killed(
    live_worker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots play both at once; whatever was on its way at each kill is found from what is stored.

    A night has more of them and plays all rounds.
    """
    monkeypatch.setattr(bots, "BOT_TIMEOUT", bots.BOT_TIMEOUT * 0)
    monkeypatch.setattr(bots, "RESEND_SECONDS", 0)
    monkeypatch.setattr(outbox, "READ_WITHIN", outbox.READ_WITHIN * 0)
    swiss = announced(rounds=sized(2, large=6))
    pods = announce.announce(
        organiser=swiss.organiser,
        announcement=announcement(
            structure="pods", table_size=4, rounds=sized(2, large=5), title="Pods"
        ),
    )
    for tournament, count in ((swiss, BOTS), (pods, BOTS_IN_PODS)):
        for _ in range(count):
            entries.add_bot(tournament=tournament, by=tournament.organiser, bot="greedy")
        rounds.start(tournament=tournament, by=tournament.organiser)
    decided = Pairing.objects.filter(decided_at__isnull=False)
    marks = [
        lambda: Match.objects.exists(),  # tables are being made
        lambda: decided.count() >= 10,  # a round is being played
        lambda: Round.objects.filter(tournament=swiss).count() > 1,  # the next one is paired
    ]
    end = time.monotonic() + PATIENCE
    killed = 0
    sweeps_at = 0.0
    while Tournament.objects.exclude(state=State.FINISHED).exists():
        assert time.monotonic() < end, "It does not come to its end."
        if killed < len(marks) and marks[killed]():
            live_worker.kill()
            killed += 1
            live_worker.start()
            sweeps_at = 0.0
        if time.monotonic() >= sweeps_at:
            bots.wake_stalled()
            rounds.sweep()
            tasks.sweep()
            sweeps_at = time.monotonic() + SWEEP_SECONDS
        time.sleep(0.2)
    assert killed == len(marks)
    for tournament, count in ((swiss, BOTS), (pods, BOTS_IN_PODS)):
        adds_up(tournament, count)
    played = Pairing.objects.filter(how=How.MATCH)
    assert Match.objects.count() == played.count(), "no match without a table, no table with two"
    assert not UnreadMatch.objects.exists()


def adds_up(tournament: Tournament, count: int) -> None:
    """Every player sat once in each round, every table has one match that was played to its end,
    and points and places follow from them."""
    tournament.refresh_from_db()
    rows = Round.objects.filter(tournament=tournament)
    assert rows.count() == tournament.rounds_planned and not rows.filter(finished_at=None).exists()
    seats = PairingSeat.objects.filter(round__tournament=tournament)
    assert seats.count() == count * rows.count(), "nobody is lost or doubled"
    tables = Pairing.objects.filter(round__tournament=tournament)
    assert not tables.exclude(how=How.MATCH).exclude(how=How.BYE).exists()
    played = tables.filter(how=How.MATCH)
    assert not played.exclude(match__status=Status.FINISHED).exists()
    standing = Entry.objects.filter(tournament=tournament)
    assert sorted(standing.values_list("rank", flat=True)) == list(range(1, count + 1))
    for entry in standing.annotate(earned=Sum("seats__points")):
        assert entry.standing["points"] == entry.earned
