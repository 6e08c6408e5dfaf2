"""Registration sheets of a whole check: a worker draws many, and their file goes after a week."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

import structlog
from django.db import transaction

from accounts.models import User
from collection.errors import Unacceptable
from collection.models.jobs import JobState
from collection.services import fair_queue, file_jobs
from core.background import after_commit, enqueue
from core.errors import NotAllowed
from decks.models import CheckedDeck, DeckCheck, SheetJob
from decks.queries import checks
from decks.queries import sheets as queries

if TYPE_CHECKING:
    from decks.drawing.registration import Sheet

logger = structlog.get_logger(__name__)

AT_ONCE = 50
"""So few are drawn while somebody waits for the page."""
REPORT_EVERY = 25


class _JobTaken(Exception):
    """Another worker has the job, or nobody wants it any more."""


@transaction.atomic
def start_sheets(*, check: DeckCheck, by: User) -> SheetJob:
    """Have the sheets of all decks drawn; again, it gives what is under way or still true.

    Raises ``NotAllowed``, and ``Unacceptable`` for an empty pile.
    """
    if not checks.organises(check, by):
        raise NotAllowed("Only the organiser can do this.")
    locked = DeckCheck.objects.select_for_update().get(pk=check.pk)
    total = CheckedDeck.objects.filter(check_of=locked).count()
    if not total:
        raise Unacceptable("No decks submitted yet.")
    latest = queries.latest_job(locked)
    if latest is not None and (latest.under_way or is_current(locked, latest)):
        return latest
    for old in SheetJob.objects.filter(check_of=locked):
        file_jobs.drop(old)
    job = SheetJob.objects.create(check_of=locked, total=total)
    after_commit(_wake, locked.organiser_id)
    return job


def is_current(check: DeckCheck, job: SheetJob) -> bool:
    """True if a job's file exists and equals what a new job would make."""
    if job.state != JobState.DONE or job.drawn_from != queries.check_digest(check):
        return False
    return bool(job.file.storage.exists(str(job.file.name)))  # a folder may get lost, and rows stay


def make_sheets(*, job_id: int, in_turn: bool = False) -> bool:
    """Draw a job's PDF; False when it is done, or another worker has it.

    ``in_turn`` as in ``file_jobs.claim``.
    """
    job = _claim(job_id, in_turn=in_turn)
    if job is None:
        return False
    try:
        return _draw(job)
    finally:
        _wake(job.check_of.organiser_id)


def _draw(job: SheetJob) -> bool:
    from decks.drawing.registration import write_sheets  # with reportlab, which takes 10 MB

    with tempfile.TemporaryFile() as draft:
        try:
            write_sheets(_sheets(job), job.check_of.title, draft)
            draft.seek(0)
            return file_jobs.keep(job, draft)
        except _JobTaken:
            return False
        except Exception:
            logger.exception("registration sheets could not be drawn", check=job.check_of.slug)
            file_jobs.fail(job, "The PDF could not be created. Try again.")
        return False


def _sheets(job: SheetJob) -> Iterator[Sheet]:
    """The sheets one after the other; every now and then the job is touched."""
    for done, sheet in enumerate(queries.sheets_of(job.check_of)):
        if done % REPORT_EVERY == 0 and not file_jobs.touch(job, done):
            raise _JobTaken
        yield sheet


def _wake(owner_id: int) -> None:
    """Have a worker told when it is this person's turn; where that fails, the sweep finds it."""
    fair_queue.send_next(owner_id)


def _send(job_id: int) -> None:
    enqueue("decks.tasks.make_sheets", job_id)


def _claim(job_id: int, *, in_turn: bool = False) -> SheetJob | None:
    """Take the job, and write down of which pile it will tell."""
    job = file_jobs.claim(SheetJob, job_id, in_turn=in_turn)
    if job is not None:
        decks = CheckedDeck.objects.filter(check_of=job.check_of).count()
        stands = queries.check_digest(job.check_of)
        file_jobs.claimed(job).update(total=decks, drawn_from=stands)
    return job


fair_queue.register(
    fair_queue.Kind(
        SheetJob,
        owner="check_of__organiser_id",
        since="created_at",
        dead_after=file_jobs.DEAD_AFTER,
        send=_send,
    )
)
