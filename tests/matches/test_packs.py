"""Packs that people earn by finishing matches."""

from __future__ import annotations

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from accounts.services.guests import merge_guest
from collection.models import Pack, PackSource
from core.models import MatchFinished, UnreadMatch
from core.tasks import sweep
from matches.clock import seat_clocks
from matches.errors import Conflict
from matches.models import Match, SeatKind, Status
from matches.services import store_ply
from matches.services.bots import run_bots
from matches.services.clock import run_clock
from matches.services.play import concede
from matches.services.setup import SeatPlan
from matches.services.writing import StaleWrite
from tests.games.examples import PACK
from tests.matches.conftest import MakeMatch, begin, person, play_on

pytestmark = pytest.mark.django_db

Commit = DjangoCaptureOnCommitCallbacks


def test_everybody_who_played_to_the_end_gets_a_pack_of_the_game(
    match: Match, ann: User, bob: User, django_capture_on_commit_callbacks: Commit
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        play_on(match)
    assert match.status == Status.FINISHED
    rows = Pack.objects.order_by("owner")
    assert [(pack.owner, pack.product, pack.note) for pack in rows] == [
        (ann, PACK, match.slug),
        (bob, PACK, match.slug),
    ]
    assert all(pack.source == PackSource.MATCH and pack.sealed for pack in rows)
    assert not UnreadMatch.objects.exists()


def test_who_resigns_gets_none(
    match: Match, ann: User, bob: User, django_capture_on_commit_callbacks: Commit
) -> None:
    begin(match)
    with django_capture_on_commit_callbacks(execute=True):
        concede(slug=match.slug, user=ann)
    assert Pack.objects.get().owner == bob


def test_who_is_out_early_gets_one_and_who_resigned_early_none(
    make_match: MakeMatch,
    ann: User,
    bob: User,
    stranger: User,
    django_capture_on_commit_callbacks: Commit,
) -> None:
    match = make_match(seats=[SeatPlan(user=user) for user in (ann, bob, stranger)])
    with django_capture_on_commit_callbacks(execute=True):
        concede(slug=match.slug, user=ann)
        assert not Pack.objects.exists() and not MatchFinished.objects.exists()
        play_on(match)
    assert {pack.owner for pack in Pack.objects.all()} == {bob, stranger}


def test_who_left_the_last_answer_to_the_clock_gets_none(
    make_match: MakeMatch, ann: User, bob: User, django_capture_on_commit_callbacks: Commit
) -> None:
    """Bob never comes; the clock plays for him until the match is over."""
    match = make_match(timeout="turn", pauses_when_away=False)
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(3000):
            match.refresh_from_db()
            if match.status != Status.RUNNING:
                break
            seat = match.seats.get(prompt__isnull=False)
            if seat.user == ann:
                play_on(match, 1)
            else:
                assert seat.deadline_at is not None
                run_clock(match_id=match.pk, now=seat.deadline_at + seat_clocks.GRACE)
    assert match.status == Status.FINISHED
    assert Pack.objects.get().owner == ann


def test_bots_collect_nothing(
    make_match: MakeMatch, ann: User, django_capture_on_commit_callbacks: Commit
) -> None:
    match = make_match(seats=[SeatPlan(SeatKind.BOT), SeatPlan(SeatKind.BOT)])
    with django_capture_on_commit_callbacks(execute=True):
        while run_bots(match_id=match.pk):
            pass
    match.refresh_from_db()
    assert match.status == Status.FINISHED
    assert not Pack.objects.exists() and MatchFinished.objects.get().who_stayed == []


def test_a_crash_right_after_the_last_move_costs_nobody_a_pack(
    match: Match, ann: User, bob: User
) -> None:
    """Without the callbacks: the move is stored, and nothing is done of what comes after."""
    begin(match)
    concede(slug=match.slug, user=ann)
    assert not Pack.objects.exists()
    matchfinished = MatchFinished.objects.get()
    assert (matchfinished.match, matchfinished.who_stayed) == (match.slug, [bob.pk])
    UnreadMatch.objects.update(due_at=matchfinished.at)
    sweep()
    assert Pack.objects.get().owner == bob


def test_a_stale_move_promises_nothing(
    match: Match, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*args: object, **options: object) -> None:
        raise StaleWrite

    monkeypatch.setattr(store_ply, "compare_and_swap", refused)
    with pytest.raises(Conflict):
        concede(slug=match.slug, user=ann)
    assert not MatchFinished.objects.exists() and not UnreadMatch.objects.exists()


def test_packs_of_a_guest_go_along_to_the_account(
    make_match: MakeMatch, bob: User, django_capture_on_commit_callbacks: Commit
) -> None:
    guest = person("Guest", is_guest=True)
    match = make_match(host=guest, seats=[SeatPlan(user=guest), SeatPlan(SeatKind.BOT)])
    with django_capture_on_commit_callbacks(execute=True):
        merge_guest(guest=guest, user=bob)
        for _ in range(3000):
            match.refresh_from_db()
            if match.status != Status.RUNNING:
                break
            if match.seats.get(number=0).prompt is None:
                run_bots(match_id=match.pk)
            else:
                play_on(match, 1)
    assert Pack.objects.get().owner == bob
