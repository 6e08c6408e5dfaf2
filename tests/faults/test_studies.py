"""A worker killed with -9 in the middle of a lab run and of a look back: the work goes on, once."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from collection.services.catalog import sync_catalog
from decks.models import LabRun, LabShare
from decks.queries.lab import run_shown, summary_of
from decks.services import lab
from decks.services.decks import create_deck
from matches.models import LookBack
from matches.services import lookback
from tests.games.examples import GAME, READY_CARDS
from tests.matches.conftest import MakeMatch, play_on

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

PATIENCE = 120


def wait_until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if done():
            return
        time.sleep(0.01)
    raise TimeoutError


def test_what_was_done_stays_done(ann: User, make_match: MakeMatch, live_worker: Any) -> None:
    sync_catalog()
    deck = create_deck(owner=ann, game=GAME, mode="tournament", name="Fire", cards=READY_CARDS)
    match = play_on(make_match())
    run = lab.start(user=ann, deck=deck, wanted=lab.Wanted(player="greedy", pairs=32))
    back = lookback.start(slug=match.slug, user=ann)

    def both_begun() -> bool:
        run.refresh_from_db()
        back.refresh_from_db()
        return run.done > 0 and back.done > 0

    wait_until(both_begun)
    live_worker.kill()
    run.refresh_from_db()
    back.refresh_from_db()
    assert run.state == back.state == "working", "the kill hit both in the middle"
    shares = dict(LabShare.objects.filter(results__isnull=False).values_list("number", "results"))
    points = back.points
    live_worker.start()
    LabShare.objects.filter(results__isnull=True).update(claimed_at=None)  # dead for long enough
    for rows in (LabRun.objects, LookBack.objects):
        rows.update(touched_at=timezone.now() - 2 * lab.DEAD_AFTER)
    lab.restart_stalled()
    lookback.restart_stalled()

    def both_done() -> bool:
        run.refresh_from_db()
        back.refresh_from_db()
        return run.state == back.state == "done"

    wait_until(both_done)
    kept = summary_of(run, ()).versions[0].pairs
    for pair in (pair for results in shares.values() for pair in results):
        assert kept[pair["number"]] == sum(match["share"] for match in pair["matches"]) / 2
    assert back.points[: len(points)] == points
    assert [point["ply"] for point in back.points] == back.plies
    assert run.done == run.total
    assert run_shown(run).versions[0].wins.count == 32
