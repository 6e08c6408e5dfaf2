"""Registration sheets of a whole check: a worker draws many, and their file goes after a week.

Jobs are claimed and ended as prints are (``collection.services.prints``): whoever claims one writes
the name of its file into the row first, counts for the job only while that name stands, and a file
that no row names is nobody's.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import IO

import structlog
from django.core.files import File
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from collection.errors import NotAllowed, Unacceptable
from collection.models.jobs import OVER, JobState
from collection.models.slugs import new_slug
from decks.models import CheckedDeck, DeckCheck, SheetJob
from decks.models.sheets import UNDER_WAY
from decks.queries import sheets as queries
from decks.registration import Sheet, write_sheets

logger = structlog.get_logger(__name__)

AT_ONCE = 50
"""So few are drawn while somebody waits for the page."""
A_SIGN_EVERY = 25
KEPT = timedelta(days=7)
DEAD_AFTER = timedelta(seconds=90)
_FOLDER = "registration/"


class _Lost(Exception):
    """Another worker has the job, or nobody wants it any more."""


@transaction.atomic
def start_sheets(*, check: DeckCheck, by: User) -> SheetJob:
    """Have the sheets of all decks drawn; again, it gives what is under way or still true.

    Raises ``NotAllowed``, and ``Unacceptable`` for an empty pile.
    """
    if check.organiser_id != by.pk:
        raise NotAllowed("Only the organiser may do this.")
    locked = DeckCheck.objects.select_for_update().get(pk=check.pk)
    total = CheckedDeck.objects.filter(check_of=locked).count()
    if not total:
        raise Unacceptable("There is no deck on this pile yet.")
    latest = queries.latest_job(locked)
    if latest is not None and (latest.under_way or still_true(locked, latest)):
        return latest
    for old in SheetJob.objects.filter(check_of=locked):
        _drop(old)
    job = SheetJob.objects.create(check_of=locked, total=total)
    transaction.on_commit(partial(_wake, job.pk), robust=True)
    return job


def still_true(check: DeckCheck, job: SheetJob) -> bool:
    """Whether a job's file is there and says what a new one would say."""
    if job.state != JobState.DONE or job.drawn_from != queries.how_it_stands(check):
        return False
    return bool(job.file.storage.exists(str(job.file.name)))  # a folder may get lost, and rows stay


def make_sheets(*, job_id: int) -> bool:
    """Draw a job's PDF; False when it is done, or another worker has it."""
    job = _claim(job_id)
    if job is None:
        return False
    with tempfile.TemporaryFile() as draft:
        try:
            write_sheets(_told(job), job.check_of.title, draft)
            draft.seek(0)
            return _keep(job, draft)
        except _Lost:
            return False
        except Exception:
            logger.exception("registration sheets could not be drawn", check=job.check_of.slug)
            _finish(job, JobState.FAILED, problem="They could not be drawn. Try again.", file="")
        return False


def stalled_sheets() -> list[int]:
    """Keys of jobs that nobody works on: never begun, or begun by a worker that has died."""
    silent = timezone.now() - DEAD_AFTER
    found = SheetJob.objects.filter(state__in=UNDER_WAY, touched_at__lt=silent)
    return list(found.values_list("pk", flat=True))


def forget_sheets() -> int:
    """Remove jobs, and their files, a week after they ended."""
    old = SheetJob.objects.filter(state__in=OVER, finished_at__lt=timezone.now() - KEPT)
    jobs = list(old[:100])
    for job in jobs:
        _drop(job)
    return len(jobs)


def forget_files() -> int:
    """Remove files that no row names: a worker died over them, or their check is gone.

    A file is named by its row before it is there, so the folder is read first and the rows last.
    """
    storage = SheetJob._meta.get_field("file").storage
    try:
        there = {f"{_FOLDER}{name}" for name in storage.listdir(_FOLDER)[1]}
    except FileNotFoundError:  # no sheets were ever drawn
        return 0
    if there:
        there -= set(SheetJob.objects.exclude(file="").values_list("file", flat=True))
    for name in there:
        storage.delete(name)
    return len(there)


def _told(job: SheetJob) -> Iterator[Sheet]:
    """The sheets one after the other; every now and then the job is touched."""
    for done, sheet in enumerate(queries.sheets_of(job.check_of)):
        if done % A_SIGN_EVERY == 0 and not _touch(job, done):
            raise _Lost
        yield sheet


def _wake(job_id: int) -> None:
    """Tell a worker; where that fails, the sweep finds the job."""
    from decks.tasks import make_sheets  # tasks call services, so not at the top

    make_sheets.apply_async((job_id,), retry=False)


def _claim(job_id: int) -> SheetJob | None:
    """Take the job if nobody has it, under a name for its file that nobody had before."""
    now = timezone.now()
    name = f"{_FOLDER}{new_slug()}.pdf"
    free = Q(state=JobState.WAITING) | Q(state=JobState.WORKING, touched_at__lt=now - DEAD_AFTER)
    taken = SheetJob.objects.filter(free, pk=job_id)
    if not taken.update(state=JobState.WORKING, touched_at=now, done=0, file=name):
        return None
    found = SheetJob.objects.select_related("check_of__house__format")
    job = found.filter(pk=job_id, file=name).first()
    if job is not None:
        job.drawn_from = queries.how_it_stands(job.check_of)
        _mine(job).update(total=CheckedDeck.objects.filter(check_of=job.check_of).count())
    return job


def _touch(job: SheetJob, done: int) -> bool:
    """Say how far it has come; False when it has another worker meanwhile, or is gone."""
    return bool(_mine(job).update(done=done, touched_at=timezone.now()))


def _keep(job: SheetJob, draft: IO[bytes]) -> bool:
    """Store the file and say that it is there; a job lost meanwhile keeps none."""
    storage, name = job.file.storage, str(job.file.name)
    storage.save(name, File(draft))
    if _finish(job, JobState.DONE, drawn_from=job.drawn_from):
        return True
    storage.delete(name)
    return False


def _finish(job: SheetJob, state: JobState, **fields: str) -> bool:
    now = timezone.now()
    return bool(_mine(job).update(state=state, finished_at=now, touched_at=now, **fields))


def _mine(job: SheetJob) -> QuerySet[SheetJob]:
    """The job's row, as long as this worker's claim stands."""
    return SheetJob.objects.filter(pk=job.pk, state=JobState.WORKING, file=job.file.name)


def _drop(job: SheetJob) -> None:
    name, storage = job.file.name, job.file.storage
    job.delete()
    if name:
        transaction.on_commit(lambda: storage.delete(name))
