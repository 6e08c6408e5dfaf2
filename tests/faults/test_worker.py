"""A real Celery worker, killed with -9 in the middle of bots' turns: the match goes on.

A match between bots is played by a worker that is killed again and again. Its twin, with the same
secrets, is played in one go where nothing happens to it. In the end both have the same plies: none
lost, none doubled, none different.
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
import redis
from django.conf import settings
from django.utils import timezone

from accounts.models import User
from matches import tasks
from matches.models import Match, SeatKind, StandingOrder, Status
from matches.queries import ahead
from matches.queries.access import access_match
from matches.services import bots
from matches.services.bots import run_bots
from matches.services.play import play_move
from matches.services.setup import SeatPlan
from matches.services.standing_orders import carry_out
from matches.services.standing_orders.give import give_order
from matches.services.standing_orders.planning import plan_answer
from tests.matches.conftest import MakeMatch, asked

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

PATIENCE = 120
BOTS = [SeatPlan(SeatKind.BOT, bot=bot) for bot in ("greedy", "random", "greedy", "random")]


@pytest.fixture(autouse=True)
def _the_sweep_has_no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "BOT_TIMEOUT", bots.BOT_TIMEOUT * 0)
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
    monkeypatch.setattr("matches.models.matches.token_bytes", lambda size: b"\7" * size)
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
    run_bots(match_id=bot_match.pk)
    while True:
        user, prompt = asked(bot_match)
        play_move(slug=bot_match.slug, user=user, prompt_id=prompt.id, move=prompt.options[0])
        if bot_match.seats.filter(bot__gt="", prompt__isnull=False).exists():
            break
    before = Match.objects.get(pk=bot_match.pk).ply
    live_worker.start()
    assert wait_for(bot_match, before + 1)
    assert bot_match.moves.get(ply=before + 1).source == "bot"


def until_an_order_waits(match: Match, *, plans: bool) -> StandingOrder:
    """Whoever may pass has ordered to pass; the others answer by hand, until that is next.

    ``plans``: by a conditional move of the one who is not asked.
    """
    for _ in range(100):
        waiting = match.orders.filter(due_at__isnull=False).first()
        if waiting is not None:
            return waiting
        user, prompt = asked(match)
        sent = {"slug": match.slug, "user": user, "prompt_id": prompt.id}
        offered = [option.verb for option in prompt.options]
        if plans:
            plan_to_pass(match, match.seats.exclude(user=user).get().user)
            play_move(**sent, move=prompt.options[0])
        elif "pass" in offered and not match.orders.exists():
            give_order(**sent, notation="pass")
        else:
            play_move(**sent, move=prompt.options[0])
    pytest.fail("No order had anything to answer.")


def plan_to_pass(match: Match, user: User) -> None:
    """To pass, in the first prompt that this person could answer so ahead."""
    for question in ahead.own_questions(access_match(user, match.slug), user):
        for choice in question.choices:
            if choice.says == "pass":
                step = ahead.PlanStep(question.kind, [choice.key])
                plan_answer(slug=match.slug, user=user, plan=ahead.Plan((), (step,)))
                return


def test_an_order_is_answered_in_time_and_after_a_kill(
    match: Match, live_worker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the worker that was sent for then; if that is killed and its queue lost, by the sweep."""
    monkeypatch.setattr(carry_out, "QUICKEST", timedelta(seconds=1.2))
    monkeypatch.setattr(carry_out, "SLOWEST", timedelta(seconds=1.6))
    for kill in (False, True):
        match.orders.all().delete()
        order = until_an_order_waits(match, plans=kill)
        assert order.due_at is not None
        if kill:
            live_worker.kill()
            redis.Redis.from_url(settings.REDIS_URL).flushall()
            live_worker.start()
            time.sleep(max(0.0, (order.due_at - timezone.now()).total_seconds()))
            tasks.sweep()
        rows = match.moves.filter(seat=order.seat, prompt=order.prompt, by_order=True)
        end = time.monotonic() + PATIENCE
        while not rows.exists() and time.monotonic() < end:
            time.sleep(0.01)
        late = rows.get().at - order.due_at
        assert late > -carry_out.EARLY
        assert kill or late < timedelta(seconds=5), "it was not left to the sweep"
