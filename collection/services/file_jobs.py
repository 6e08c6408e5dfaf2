"""Jobs that end in a file, whatever is drawn: claimed, touched, ended and forgotten in one way.

Whoever claims a job writes into its row, before a single letter is drawn, the name under which the
file will lie, a new one for every claim. So a worker counts for a job only while the row has its
name, and a file that no row names is nobody's, however old or new it is: no clock is asked.
"""

from __future__ import annotations

from datetime import timedelta
from typing import IO, TypeVar

from django.core.files import File
from django.db import transaction
from django.db.models import FileField, Q, QuerySet
from django.utils import timezone

from collection.models.jobs import OVER, UNDER_WAY, FileJob, JobState
from collection.models.slugs import new_slug
from collection.services import fair_queue
from core.background import after_commit
from notices.kinds import Kind as Notice
from notices.services.notices import notify, retract

KEPT = timedelta(days=7)
"""So long a file can be fetched."""
DEAD_AFTER = timedelta(seconds=90)
"""A worker that was silent for so long is taken for dead."""
FORGOTTEN_AT_ONCE = 100

Job = TypeVar("Job", bound=FileJob)


@transaction.atomic
def claim(model: type[Job], job_id: int, *, in_turn: bool = False) -> Job | None:
    """Take the job if nobody has it, under a name for its file that nobody had before.

    ``in_turn`` leaves it alone while something else of the same person runs.
    """
    if in_turn and not fair_queue.may_start(model, job_id):
        return None
    now = timezone.now()
    name = f"{_file(model).upload_to}{new_slug()}.pdf"
    free = Q(state=JobState.WAITING) | Q(state=JobState.WORKING, touched_at__lt=now - DEAD_AFTER)
    taken = _rows(model).filter(free, pk=job_id)
    if not taken.update(state=JobState.WORKING, touched_at=now, done=0, file=name):
        return None
    return _rows(model).filter(pk=job_id, file=name).first()


def claimed(job: Job) -> QuerySet[Job]:
    """The job's row, as long as this worker's claim stands."""
    return _rows(type(job)).filter(pk=job.pk, state=JobState.WORKING, file=job.file.name)


def touch(job: FileJob, done: int) -> bool:
    """Say how far it has come; False when it was cancelled, or has another worker, meanwhile."""
    return bool(claimed(job).update(done=done, touched_at=timezone.now()))


def keep(job: FileJob, draft: IO[bytes]) -> bool:
    """Store the file and say that it is there; a job lost meanwhile keeps none."""
    storage, name = job.file.storage, str(job.file.name)
    storage.save(name, File(draft))
    if finish(job, JobState.DONE):
        return True
    storage.delete(name)
    return False


def fail(job: FileJob, problem: str) -> None:
    """Say what went wrong; what is stored of the file, if anything, is no longer named."""
    finish(job, JobState.FAILED, problem=problem, file="")


@transaction.atomic
def finish(job: FileJob, state: JobState, **fields: str) -> bool:
    """Say that the work is over, and notify its person; False when the claim no longer stands."""
    now = timezone.now()
    if not claimed(job).update(state=state, finished_at=now, touched_at=now, **fields):
        return False
    outcome = "is ready" if state == JobState.DONE else "could not be created"
    text = f"Your PDF {outcome}: {job.subject}."
    link = job.get_absolute_url()
    notify([job.recipient_id], Notice.JOB_FINISHED, text=text, link=link, key=notice_key(job))
    return True


def notice_key(job: FileJob) -> str:
    """By which its notification is told apart from those of other jobs."""
    return f"{job._meta.label_lower}-{job.pk}"


def stalled(model: type[FileJob]) -> list[int]:
    """Keys of jobs that nobody works on: never begun, or begun by a worker that has died."""
    silent = timezone.now() - DEAD_AFTER
    jobs = _rows(model).filter(state__in=UNDER_WAY, touched_at__lt=silent)
    return list(jobs.values_list("pk", flat=True))


def forget_ended(model: type[FileJob]) -> int:
    """Remove jobs, and their files, a week after they ended."""
    old = _rows(model).filter(state__in=OVER, finished_at__lt=timezone.now() - KEPT)
    jobs = list(old[:FORGOTTEN_AT_ONCE])
    for job in jobs:
        drop(job)
    return len(jobs)


def forget_files(model: type[FileJob]) -> int:
    """Remove files that no row names: a worker died over them, or whom they were for is gone.

    A file is named by its row before it is there, so the folder is read first and the rows last.
    """
    field = _file(model)
    folder = str(field.upload_to)
    try:
        files = {f"{folder}{name}" for name in field.storage.listdir(folder)[1]}
    except FileNotFoundError:  # nothing was ever drawn
        return 0
    if files:
        files -= set(_rows(model).exclude(file="").values_list("file", flat=True))
    for name in files:
        field.storage.delete(name)
    return len(files)


@transaction.atomic
def drop(job: FileJob) -> None:
    """Remove a job and its file."""
    drop_file(job)
    job.delete()


def drop_file(job: FileJob) -> None:
    """Name the job's file no longer, and remove it when that is written.

    The notification that it is ready goes, too.
    """
    retract(Notice.JOB_FINISHED, key=notice_key(job))
    name, storage = job.file.name, job.file.storage
    job.file = ""
    if name:
        after_commit(storage.delete, name)


def _rows(model: type[Job]) -> QuerySet[Job]:
    return model._default_manager.all()


def _file(model: type[FileJob]) -> FileField:
    field = model._meta.get_field("file")
    assert isinstance(field, FileField)
    return field
