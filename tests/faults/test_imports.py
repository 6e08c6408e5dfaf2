"""A worker killed with -9 while it reads a long list, two tabs that apply at once: once, and all.

The list is worth a few seconds, so the kill hits it in the middle; the sweep finds it again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from accounts.models import User
from accounts.services.account_deletion import close_account
from collection import tasks
from collection.models import Holding, ImportJob, ImportLine, JobState, LedgerRow, Reason, Transfer
from collection.queries.ledger import differences
from collection.services import imports
from collection.services.catalog import sync_catalog
from tests.support.races import at_once
from tests.support.services import wait_until

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

PATIENCE = 120
LINES = 30_000


@pytest.fixture
def ada(transactional_db: None) -> User:
    sync_catalog()
    return User.objects.create_user("ada")


def wait_for(job: ImportJob, done: Callable[[ImportJob], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        job.refresh_from_db(fields=["state", "done", "summary", "problem"])
        if done(job):
            return
        time.sleep(0.02)
    raise TimeoutError(f"The list is {job.state}, {job.done} lines read. {job.problem}")


def test_a_worker_is_killed_while_it_reads(ada: User, live_worker: Any) -> None:
    job = imports.start_import(owner=ada, data=b"1 Red Claw\n" * LINES, filename="long.txt")
    wait_for(job, lambda job: job.done >= 3000)
    live_worker.kill()
    job.refresh_from_db()
    assert job.state == JobState.WORKING and 0 < job.lines.count() < LINES
    live_worker.start()
    # As if the ninety seconds had passed after which a silent worker counts as dead.
    ImportJob.objects.update(touched_at=timezone.now() - imports.DEAD_AFTER * 2)
    tasks.sweep()
    wait_for(job, lambda job: job.state == JobState.READY)
    assert job.lines.count() == LINES
    assert job.summary["copies"] == {"more": LINES, "fewer": 0}
    imports.apply_import(owner=ada, slug=job.slug)
    assert Holding.objects.get(owner=ada).physical == LINES


def somebody_waits_for_us() -> bool:
    """True if another connection to the database waits for a lock of this thread's."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))")
        return cursor.fetchone() is not None


@pytest.mark.parametrize("end", ["cancelled", "left"])
def test_a_list_goes_while_it_is_judged(
    ada: User, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """Whoever writes to the lines of a list has locked the list before: nobody waits in a ring."""
    judging = threading.Event()
    summarise = imports._summarise

    def wait_and_summarise(job: ImportJob, totals: imports._Totals) -> None:
        """All lines are written and locked by now."""
        judging.set()
        wait_until(somebody_waits_for_us, (), "The one who throws it away", seconds=30)
        summarise(job, totals)

    def throw_away() -> None:
        assert judging.wait(30)
        if end == "cancelled":
            imports.cancel_import(owner=ada, slug=ImportJob.objects.get().slug)
        else:
            close_account(user=ada)

    monkeypatch.setattr(imports, "_summarise", wait_and_summarise)
    at_once_result = at_once(
        lambda: imports.start_import(owner=ada, data=b"1 Red Claw\n" * 9), throw_away
    )
    if end == "cancelled":
        assert [type(each).__name__ for each in at_once_result] == ["ImportJob", "NoneType"], (
            at_once_result
        )
        assert ImportJob.objects.get().state == JobState.CANCELLED
    else:
        assert not isinstance(at_once_result[0], (OperationalError, TimeoutError)), at_once_result
        assert at_once_result[1] is None, at_once_result
        assert not ImportJob.objects.exists()
    assert not ImportLine.objects.exists()


def test_two_tabs_apply_and_take_back_at_once(ada: User) -> None:
    job = imports.start_import(owner=ada, data=b"2 Red Claw\n1 Red Flame\n")
    for action, reason, held in (
        (imports.apply_import, Reason.IMPORT, 3),
        (imports.undo_import, Reason.UNDO, 0),
    ):
        at_once_result = at_once(*[lambda do=action: do(owner=ada, slug=job.slug)] * 4)
        assert [type(each).__name__ for each in at_once_result] == ["ImportJob"] * 4, at_once_result
        assert Transfer.objects.filter(reason=reason).count() == 1
        assert sum(Holding.objects.values_list("physical", flat=True)) == held
    assert LedgerRow.objects.count() == 4
    assert differences() == []


def test_two_lists_of_the_same_cards_at_once(ada: User) -> None:
    """One is applied; the other's preview is then no longer true, is made anew and says so."""
    jobs = [imports.start_import(owner=ada, data=b"5 Red Claw\n", replaces=True) for _ in range(2)]
    at_once_result = at_once(
        *[lambda slug=job.slug: imports.apply_import(owner=ada, slug=slug) for job in jobs]
    )
    assert sorted(type(each).__name__ for each in at_once_result) == ["ImportJob", "TooLate"]
    assert Holding.objects.get(owner=ada).physical == 5
    (left,) = ImportJob.objects.filter(state=JobState.READY)
    assert left.summary["copies"] == {"more": 0, "fewer": 0}
    assert differences() == []
