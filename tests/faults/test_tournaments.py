"""Tournaments under kill -9, and with organisers who press at the same moment."""

from __future__ import annotations

import threading
import time
from http.client import HTTPException
from typing import Any

import pytest
from django.db.models import Sum

from accounts.models import User
from core import outbox, tasks
from core.models import UnreadMatch
from matches.models import Match, Status
from matches.services import bots
from tests.faults.sites import Person, Production
from tests.support.catalog import whole_catalog
from tests.support.races import at_once
from tests.support.services import wait_until
from tests.support.sizes import LARGE, sized
from tests.support.tokens import token_of
from tests.tournaments.conftest import announcement, players
from tournaments.models import Entry, How, Pairing, PairingSeat, Round, State, Tournament
from tournaments.models.limited import DraftPick, LimitedPack, LimitedSeat
from tournaments.services import announce, entries, rounds
from tournaments.services.limited_terms import LimitedTerms

PATIENCE = sized(300, large=1500)
"""Seconds; a night plays five times as many tables."""
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
    while Tournament.objects.exclude(state=State.FINISHED).exists() or UnreadMatch.objects.exists():
        assert time.monotonic() < end, "It does not come to its end, or leaves ends unread."
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


class Drafter(threading.Thread):
    """A player who picks by API until the draft is over, and asks again whenever it fails."""

    def __init__(self, site: Production, user: User, address: str) -> None:
        super().__init__(daemon=True)
        self.person = Person(site)
        self.person.token = token_of(user)
        self.address = address
        self.acknowledged: dict[tuple[int, int], int] = {}
        self.over = False

    def run(self) -> None:
        end = time.monotonic() + PATIENCE
        while not self.over and time.monotonic() < end:
            try:
                self._step()
            except (OSError, HTTPException, ValueError):  # the site is down, or went in the middle
                time.sleep(0.3)

    def _step(self) -> None:
        draft = self.person.api(self.address).json()
        self.over = draft["completed_at"] is not None
        turn = draft["turn"]
        if turn is None:
            time.sleep(0.1)
            return
        place = max(card["place"] for card in turn["cards"])
        pick = {"round": turn["round"], "pick": turn["pick"], "place": place}
        if self.person.api(f"{self.address}picks/", pick).status == 200:
            self.acknowledged[turn["round"], turn["pick"]] = place


@pytest.mark.services
@pytest.mark.slow
@pytest.mark.skipif(not LARGE, reason="A whole site, half a minute: make nightly.")
def test_a_draft_while_web_and_worker_are_killed(production: Production) -> None:
    """No pick that was acknowledged is lost or another one, none is made twice."""
    whole_catalog()
    draft = announced(mode="tournament", limited=LimitedTerms(kind="draft", build_hours=1))
    people = players(2)
    for person in people:
        entries.enter(tournament=draft, user=person)
    entries.add_bot(tournament=draft, by=draft.organiser)
    rounds.lock_lists(tournament=draft, by=draft.organiser)
    address = f"/api/tournaments/{draft.slug}/limited/"
    drafters = [Drafter(production, person, address) for person in people]
    for drafter in drafters:
        drafter.start()
    for mark, names in ((10, ("web",)), (40, ("web", "worker"))):
        wait_until(lambda mark=mark: DraftPick.objects.count() >= mark, (), "The draft", PATIENCE)
        production.kill(*names)
    for drafter in drafters:
        drafter.join(PATIENCE)
        assert drafter.over
    packs = LimitedPack.objects.all()
    rows = DraftPick.objects.select_related("seat__entry")
    assert rows.count() == sum(len(pack.cards) for pack in packs), "each card was taken"
    taken = {(row.opener_id, row.round_number, row.place) for row in rows}
    assert len(taken) == rows.count(), "once"
    for drafter, person in zip(drafters, people, strict=True):
        own = rows.filter(seat__entry__user=person)
        stored = {(row.round_number, row.number): row.place for row in own}
        assert drafter.acknowledged.items() <= stored.items() and not own.filter(by_bot=True)
        assert len(drafter.acknowledged) > len(stored) // 2
    assert not LimitedSeat.objects.filter(pool=None).exists()
