"""Tournaments under kill -9 of a worker, and with organisers who press at the same moment."""

from __future__ import annotations

import time
from typing import Any

import pytest

from accounts.models import User
from core import outbox, tasks
from matches.models import Match
from matches.services import bots
from tests.support.races import at_once
from tests.tournaments.conftest import announcement, players
from tournaments.models import Entry, Pairing, PairingSeat, Round, State, Tournament
from tournaments.services import announce, entries, rounds

PATIENCE = 120


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
def test_a_worker_that_is_killed_again_and_again(
    live_worker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four bots play two rounds; whatever was on its way at each kill is found from what is
    stored."""
    monkeypatch.setattr(bots, "BOT_TIMEOUT", bots.BOT_TIMEOUT * 0)
    monkeypatch.setattr(bots, "RESEND_SECONDS", 0)
    monkeypatch.setattr(outbox, "READ_WITHIN", outbox.READ_WITHIN * 0)
    tournament = announced(rounds=2)
    for _ in range(4):
        entries.add_bot(tournament=tournament, by=tournament.organiser, bot="greedy")
    rounds.start(tournament=tournament, by=tournament.organiser)
    end = time.monotonic() + PATIENCE
    killed = 0
    marks = [
        lambda: Match.objects.exists(),
        lambda: Pairing.objects.filter(decided_at__isnull=False).exists(),
    ]
    while tournament.state != State.FINISHED:
        assert time.monotonic() < end, "It does not come to its end."
        if killed < len(marks) and marks[killed]():
            live_worker.kill()
            killed += 1
            live_worker.start()
            tasks.sweep()
        bots.wake_stalled()
        rounds.sweep()
        tasks.sweep()
        time.sleep(0.2)
        tournament.refresh_from_db()
    assert killed == len(marks)
    assert Match.objects.count() == Pairing.objects.count() == 4
    assert all(Match.objects.values_list("finished_at", flat=True))
    assert PairingSeat.objects.filter(points=None).count() == 0
    ranks = Entry.objects.filter(tournament=tournament).values_list("rank", flat=True)
    assert sorted(ranks) == [1, 2, 3, 4]
