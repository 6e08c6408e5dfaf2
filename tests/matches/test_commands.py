"""Commands, tasks and operators' pages."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from matches import tasks
from matches.models import Match, SeatKind, Status
from matches.services import bots, clock, store_ply
from matches.services import bots as bots_services
from matches.services.play import play_move
from matches.services.repair import first_difference
from matches.services.setup import SeatPlan, join_match
from tests.matches.conftest import MakeMatch, asked, play_on, stored

pytestmark = pytest.mark.django_db


def said(command: str, *args: str) -> str:
    out = StringIO()
    call_command(command, *args, stdout=out)
    return out.getvalue()


class TestDemoData:
    def test_sets_out_what_it_promises(self) -> None:
        said("demo_data")
        assert set(User.objects.values_list("display_name", flat=True)) == {"Ada", "Ben"}
        assert not any(user.has_usable_password() for user in User.objects.all())
        finished = Match.objects.get(status=Status.FINISHED)
        assert {seat.kind for seat in finished.seats.all()} == {SeatKind.BOT}
        opened = Match.objects.get(status=Status.OPEN)
        assert opened.seats.filter(kind=SeatKind.OPEN).count() == 1

    def test_a_second_time_changes_nothing(self) -> None:
        said("demo_data")
        before = [stored(match) for match in Match.objects.order_by("pk")]
        assert said("demo_data") == ""
        assert [stored(match) for match in Match.objects.order_by("pk")] == before

    def test_finishes_what_it_began(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run_bots = bots_services.run_bots

        def cut_short(*, match_id: int) -> bool:
            run_bots(match_id=match_id, limit=3)
            return False

        monkeypatch.setattr(bots, "run_bots", cut_short)
        said("demo_data")
        monkeypatch.setattr(bots, "run_bots", run_bots)
        said("demo_data")
        assert Match.objects.filter(status=Status.FINISHED).count() == 1
        assert not Match.objects.filter(status=Status.RUNNING).exists()

    def test_whoever_takes_the_free_seat_plays_at_once(self, ann: User) -> None:
        said("demo_data")
        match = Match.objects.get(status=Status.OPEN)
        join_match(match=match, user=ann)
        match.refresh_from_db()
        assert match.status == Status.RUNNING


class TestRebuilding:
    def test_all_is_as_it_was_stored(self, finished: Match, make_match: MakeMatch) -> None:
        play_on(make_match(), 7)
        make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)])
        assert "2 matches played again; all are as they were stored." in said(
            "rebuild_matches", "--check"
        )

    def test_names_the_first_difference(self, match: Match) -> None:
        play_on(match, 9)
        row = match.moves.get(ply=5)
        row.events = [["turn_ended", 0, 0]]
        row.save()
        with pytest.raises(CommandError, match="1 of 1 matches"):
            said("rebuild_matches", "--check")
        out = StringIO()
        with pytest.raises(CommandError):
            call_command("rebuild_matches", "--check", stdout=out)
        assert f"{match.slug}, ply 5: “{row.notation}” has other events" in out.getvalue()

    def test_a_move_that_the_rules_no_longer_offer(self, match: Match) -> None:
        play_on(match, 9)
        match.moves.filter(ply=4).update(move={"verb": "teleport"})
        difference = first_difference(match)
        assert difference is not None
        assert difference.ply == 4

    def test_a_spoilt_snapshot_is_put_right(self, match: Match) -> None:
        play_on(match, 9)
        right = match.state
        Match.objects.filter(pk=match.pk).update(state=match.state | {"undoable": 77})
        difference = first_difference(Match.objects.get(pk=match.pk))
        assert difference is not None
        assert "snapshot" in difference.detail
        assert "1 snapshots put right" in said("rebuild_matches")
        match.refresh_from_db()
        assert match.state == right
        assert "0 snapshots put right" in said("rebuild_matches", "--match", match.slug)
        assert play_on(match).status == Status.FINISHED

    def test_an_unknown_match(self) -> None:
        with pytest.raises(CommandError, match="No started match “nowhere”"):
            said("rebuild_matches", "--match", "nowhere")


class TestSweep:
    @pytest.fixture
    def sent(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
        """The tasks of the sweep, recorded instead of sent."""
        rows: list[tuple[str, int]] = []
        for task in (tasks.play_bots, tasks.run_clock):
            monkeypatch.setattr(
                task,
                "apply_async",
                lambda args, name=task.name, **_: rows.append((name.split(".")[-1], args[0])),
            )
        return rows

    def test_finds_a_bot_that_nobody_woke(
        self, bot_match: Match, sent: list[tuple[str, int]]
    ) -> None:
        while not bot_match.seats.filter(number=1, prompt__isnull=False).exists():
            bot_match.refresh_from_db()
            play_person(bot_match)
        tasks.sweep()
        assert sent == []  # it may well be thinking
        Match.objects.update(bots_asked_at=timezone.now() - bots.BOT_TIMEOUT)
        tasks.sweep()
        tasks.sweep()  # the first one's task is on its way
        assert sent == [("play_bots", bot_match.pk)]

    def test_finds_time_that_ran_out(self, match: Match, sent: list[tuple[str, int]]) -> None:
        tasks.sweep()
        Match.objects.update(clock_check_at=timezone.now() - timedelta(seconds=6))
        tasks.sweep()
        assert sent == [("run_clock", match.pk)]
        # A move puts no check off: the check itself sets the next one, silently.
        play_on(match, 1)
        due = Match.objects.get()
        assert due.clock_check_at < timezone.now() < due.deadline_at
        tasks.run_clock(match.pk)
        checked = Match.objects.get()
        assert checked.clock_check_at == checked.deadline_at == due.deadline_at
        assert checked.version == due.version and clock.overdue() == []

    def test_leaves_finished_matches_alone(
        self, finished: Match, sent: list[tuple[str, int]]
    ) -> None:
        Match.objects.update(moved_at=timezone.now() - timedelta(days=30))
        tasks.sweep()
        assert sent == []

    def test_beat_sends_it(self, settings: Any) -> None:
        row = settings.CELERY_BEAT_SCHEDULE["sweep-matches"]
        assert row == {"task": tasks.sweep.name, "schedule": 3.0}

    def test_tasks_play(self, bot_match: Match) -> None:
        while not bot_match.seats.filter(number=1, prompt__isnull=False).exists():
            bot_match.refresh_from_db()
            play_person(bot_match)
        before = bot_match.ply
        tasks.play_bots(bot_match.pk)
        bot_match.refresh_from_db()
        assert bot_match.ply > before
        tasks.run_clock(bot_match.pk)


def play_person(match: Match) -> None:
    """The person in seat 0 takes the last option."""
    user, prompt = asked(match)
    play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=prompt.options[-1])
    match.refresh_from_db()


class TestSwallowedBells:
    def test_redis_away_is_no_reason_to_refuse_a_move(
        self, bot_match: Match, settings: Any, django_capture_on_commit_callbacks: Any
    ) -> None:
        settings.REDIS_URL = "unix:///nowhere/redis.sock"
        with django_capture_on_commit_callbacks(execute=True):
            bots_services.run_bots(match_id=bot_match.pk)
            play_person(bot_match)
        assert bot_match.ply >= 1

    def test_nothing_rings_before_the_commit(
        self, match: Match, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
    ) -> None:
        rung: list[Any] = []
        monkeypatch.setattr(store_ply.bell, "ring", lambda *args: rung.append(args))
        with django_capture_on_commit_callbacks(execute=False) as callbacks:
            play_on(match, 1)
            assert rung == []
        for callback in callbacks:
            callback()
        assert len(rung) == 1
        slug, news, people = rung[0]
        match.refresh_from_db()
        assert (slug, news.ply, news.version) == (match.slug, 1, match.version)
        assert people


def test_the_snapshot_is_small_enough_to_store_at_each_ply(finished: Match) -> None:
    assert len(json.dumps(finished.state)) < 20_000
