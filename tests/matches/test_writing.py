"""Whose write was stale begins anew with its reading, whoever it is, and not for ever."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import time, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from accounts.services.guests import merge_guest
from core.models import MatchFinished
from matches import engine
from matches.clock import seat_clocks
from matches.errors import TooBusy
from matches.models import Match, MoveRow, SeatKind
from matches.services import merging, repair, setup, store_ply, writing
from matches.services.absence import set_hours
from matches.services.bots import run_bots
from matches.services.clock import run_clock
from matches.services.heartbeat import beat
from matches.services.play import concede, play_move
from matches.services.repair import rebuild_snapshot
from matches.services.setup import SeatPlan, join_match, leave_match
from matches.services.writing import StaleWrite, one_write, retried
from notices.services import preferences
from tests.matches.conftest import MakeMatch, asked, person, play_on

pytestmark = pytest.mark.django_db

TIMES_TOO_LATE = 3


@pytest.fixture
def too_late(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The next writes are stale: each time somebody else writes between reading and writing."""
    swap = writing.compare_and_swap
    left = [0]

    def swap_too_late(match: Match, **fields: Any) -> None:
        if left[0]:
            left[0] -= 1
            Match.objects.filter(pk=match.pk).update(version=match.version + 1000)
        swap(match, **fields)

    for module in (merging, store_ply, repair, setup):
        monkeypatch.setattr(module, "compare_and_swap", swap_too_late)

    def arrange() -> None:
        left[0] = TIMES_TOO_LATE

    return arrange


def test_a_writer_begins_anew_so_many_times_and_no_more() -> None:
    calls = []

    @retried
    def never(name: str) -> None:
        calls.append(name)
        raise StaleWrite

    with pytest.raises(TooBusy, match="Try again") as refusal:
        never("x")
    assert len(calls) == writing.MAX_ATTEMPTS
    assert (refusal.value.status, refusal.value.code) == (409, "conflict")


def test_what_a_constraint_refuses_was_written_by_somebody_faster(match: Match) -> None:
    with pytest.raises(StaleWrite), one_write():
        MoveRow.objects.create(match=match, ply=0, seat=0, notation="")
    with pytest.raises(ZeroDivisionError), one_write():
        raise ZeroDivisionError
    assert not match.moves.exists()


def test_an_answer(match: Match, too_late: Callable[[], None]) -> None:
    user, prompt = asked(match)
    too_late()
    for _ in range(2):
        play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=prompt.options[0])
    assert match.moves.count() == 1


def test_a_concession(match: Match, ann: User, too_late: Callable[[], None]) -> None:
    too_late()
    concede(slug=match.slug, user=ann)
    assert match.moves.count() == 1


def test_a_bot(make_match: MakeMatch, too_late: Callable[[], None]) -> None:
    match = make_match(seats=[SeatPlan(SeatKind.BOT)] * 2)
    before = match.moves.count()
    too_late()
    assert run_bots(match_id=match.pk, limit=1)
    assert match.moves.count() == before + 1


def test_a_bot_that_is_always_too_late_comes_again_later(
    make_match: MakeMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any, **fields: Any) -> None:
        raise StaleWrite

    match = make_match(seats=[SeatPlan(SeatKind.BOT)] * 2)
    monkeypatch.setattr(store_ply, "compare_and_swap", refuse)
    assert run_bots(match_id=match.pk) is True


def test_the_clock(make_match: MakeMatch, too_late: Callable[[], None]) -> None:
    match = make_match(timeout="turn", pauses_when_away=False)
    assert match.deadline_at is not None
    too_late()
    assert run_clock(match_id=match.pk, now=match.deadline_at + seat_clocks.GRACE) >= 1
    assert match.moves.count() >= 1


def test_a_seat_is_taken_and_given_back(
    make_match: MakeMatch, bob: User, too_late: Callable[[], None]
) -> None:
    match = make_match(seats=[SeatPlan()] + [SeatPlan(SeatKind.OPEN)] * 2)
    too_late()
    join_match(match=match, user=bob)
    assert match.seats.filter(user=bob).count() == 1
    too_late()
    leave_match(match=match, user=bob)
    assert not match.seats.filter(user=bob).exists()


def test_a_guest_s_second_seat_is_given_up(
    make_match: MakeMatch, ann: User, too_late: Callable[[], None]
) -> None:
    guest = person("Guest", is_guest=True)
    plans = [SeatPlan(), SeatPlan(user=guest), SeatPlan(SeatKind.OPEN)]
    match = make_match(seats=plans)
    too_late()
    merge_guest(guest=guest, user=ann)
    assert [seat.user for seat in match.seats.all()] == [ann, None, None]
    assert set(match.seats.filter(user=None).values_list("kind", flat=True)) == {SeatKind.OPEN}


def test_a_snapshot_is_rebuilt(match: Match, too_late: Callable[[], None]) -> None:
    """From what is stored then, not from what the caller has read long before."""
    stale = Match.objects.get(pk=match.pk)
    play_on(match, 3)
    right = Match.objects.get(pk=match.pk).state
    Match.objects.filter(pk=match.pk).update(state={})
    too_late()
    assert rebuild_snapshot(match=stale) is True
    assert Match.objects.get(pk=match.pk).state == right


def written_tables(write: Callable[[], Any]) -> list[str]:
    """The tables whose rows a write changes, in the order in which it first does."""
    with CaptureQueriesContext(connection) as captured:
        write()
    rows = (re.search(r'\bUPDATE "?(\w+)', query["sql"]) for query in captured)
    return list(dict.fromkeys(item[1] for item in rows if item is not None))


def test_who_writes_to_several_tables_takes_each_before_its_seats(
    make_match: MakeMatch, ann: User, bob: User
) -> None:
    """As a move does; in another order, each could wait for the other for ever."""
    guest = person("Guest", is_guest=True)
    make_match(host=guest, seats=[SeatPlan(user=guest), SeatPlan(user=bob)])
    match = make_match()
    user, prompt = asked(match)
    beat(now=timezone.now())
    writes: list[Callable[[], Any]] = [
        lambda: play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=prompt.options[0]),
        lambda: beat(now=timezone.now() + timedelta(hours=1)),
        lambda: set_hours(user=bob, zone="UTC", opens=time(9), closes=time(17)),
        lambda: merge_guest(guest=guest, user=ann),
    ]
    for write in writes:
        tables = written_tables(write)
        assert tables.index("matches_match") < tables.index("matches_seat"), tables


def test_who_changes_their_zone_and_pause_takes_matches_before_notices(match: Match) -> None:
    user, _ = asked(match)
    set_hours(user=user, zone="Europe/Berlin", opens=time(9), closes=time(17))
    tables = written_tables(
        lambda: preferences.change_settings(person=user, pause=30, time_zone="Asia/Tokyo")
    )
    assert tables.index("matches_match") < tables.index("notices_notice"), tables


def test_a_move_that_was_reckoned_before_a_guest_logged_in_is_reckoned_again(
    make_match: MakeMatch, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it owes is owed to the account, not to the guest who is no more."""
    guest = person("Guest", is_guest=True)
    match = make_match(seats=[SeatPlan(user=guest), SeatPlan(user=bob)])
    user, _ = asked(match)
    while user == guest:
        play_on(match, 1)
        user, _ = asked(match)
    load, logged_in = engine.load, []

    def log_in_first(read: Match) -> engine.Table:
        table = load(read)
        if not logged_in:
            logged_in.append(ann)
            merge_guest(guest=guest, user=ann)
        return table

    monkeypatch.setattr(engine, "load", log_in_first)
    concede(slug=match.slug, user=bob)
    finished = MatchFinished.objects.get(match=match.slug)
    assert [seat["user"] for seat in finished.seats] == [ann.pk, bob.pk]
