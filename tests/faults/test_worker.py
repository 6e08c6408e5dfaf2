"""A real Celery worker, killed with -9 in the middle of bots' turns: the match goes on.

A match between bots is played by a worker that is killed again and again. Its twin, with the same
secrets, is played in one go where nothing happens to it. In the end both have the same plies: none
lost, none doubled, none different.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
import redis
from django.conf import settings

from matches import models, services, tasks
from matches.models import Match, SeatKind, Status
from matches.services import SeatPlan, bots
from tests.matches.conftest import MakeMatch, asked

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

PATIENCE = 120
BOTS = [SeatPlan(SeatKind.BOT, bot=bot) for bot in ("greedy", "random", "greedy", "random")]


@pytest.fixture(autouse=True)
def _the_sweep_has_no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "BOT_PATIENCE", bots.BOT_PATIENCE * 0)
    monkeypatch.setattr(bots, "RESEND_SECONDS", 0)


def plies(match: Match) -> list[tuple[int, int, str]]:
    rows = match.moves.order_by("ply")
    return [(row.ply, row.seat, row.notation) for row in rows]


def wait_for(match: Match, ply: int) -> bool:
    """Until the match has come that far (True) or has ended before."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        status, now = Match.objects.values_list("status", "ply").get(pk=match.pk)
        if now >= ply or status == Status.FINISHED:
            return bool(now >= ply)
        time.sleep(0.001)
    raise TimeoutError(f"The match did not reach ply {ply}.")


def wait_for_the_end(match: Match) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        match.refresh_from_db()
        if match.status == Status.FINISHED:
            return
        time.sleep(0.01)
    raise TimeoutError(f"The match stands at ply {match.ply} and does not end.")


@pytest.fixture
def twins(
    make_match: MakeMatch, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> tuple[Match, Match, Any]:
    """Two matches with the same secrets: one for the worker, one that is over; and the worker."""
    monkeypatch.setattr(models, "token_bytes", lambda size: b"\7" * size)
    quiet = make_match(seats=BOTS, options={"guards": 3})  # played here and now: no worker yet
    worker = request.getfixturevalue("live_worker")
    return make_match(seats=BOTS, options={"guards": 3}), quiet, worker


@pytest.mark.parametrize("queue_is_lost", [False, True])
def test_killed_again_and_again(twins: tuple[Match, Match, Any], queue_is_lost: bool) -> None:
    match, quiet, worker = twins
    quiet.refresh_from_db()
    assert quiet.status == Status.FINISHED
    for ply in (20, 120):
        assert wait_for(match, ply)
        worker.kill()
        at_the_kill = plies(match)
        assert Match.objects.get(pk=match.pk).status == Status.RUNNING
        if queue_is_lost:
            redis.Redis.from_url(settings.REDIS_URL).flushall()
        worker.start()
        tasks.sweep()  # what beat sends every three seconds
        assert plies(match)[: len(at_the_kill)] == at_the_kill
    wait_for_the_end(match)
    assert plies(match) == plies(quiet)
    assert match.outcome == quiet.outcome
    assert match.ply == len(plies(match))


def test_a_person_plays_on_while_the_worker_is_dead(bot_match: Match, live_worker: Any) -> None:
    """A person's move is taken at once; the bot's answer comes when a worker is back."""
    live_worker.kill()
    services.run_bots(match_id=bot_match.pk)
    while True:
        user, prompt = asked(bot_match)
        services.play_move(
            slug=bot_match.slug, user=user, prompt_id=prompt.id, move=prompt.options[0]
        )
        if bot_match.seats.filter(bot__gt="", prompt__isnull=False).exists():
            break
    before = Match.objects.get(pk=bot_match.pk).ply
    live_worker.start()
    assert wait_for(bot_match, before + 1)
    assert bot_match.moves.get(ply=before + 1).source == "bot"
