"""Printing: a job is written down, a worker draws it, and its file goes after a week.

Whoever claims a job writes into its row, before a single letter is drawn, the name under which the
file will lie, a new one for every claim. So a worker counts for a job only while the row has its
name, and a file that no row names is nobody's, however old or new it is: no clock is asked.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import IO

import structlog
from django.core.files import File
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from collection import sheets
from collection.errors import NotAllowed, TooLate, TooMany, Unacceptable
from collection.models import Backs, Card, JobState, Paper, PrintJob
from collection.models.jobs import OVER
from collection.models.slugs import new_slug

logger = structlog.get_logger(__name__)

MOST_CARDS = 450
MOST_AT_ONCE = 3
KEPT = timedelta(days=7)
DEAD_AFTER = timedelta(seconds=90)
TITLE_LENGTH = 120
_FOLDER = "prints/"


@transaction.atomic
def start_print(
    *,
    owner: User,
    title: str,
    cards: Sequence[tuple[Card, int]],
    paper: str = Paper.A4,
    backs: str = Backs.NONE,
    marks: bool = True,
    gap: int = 0,
) -> PrintJob:
    """Have cards printed: a worker makes the PDF. Raises ``Unacceptable`` and ``TooMany``."""
    chosen = [(card, count) for card, count in cards if count > 0]
    copies = sum(count for _, count in chosen)
    if not chosen:
        raise Unacceptable("Choose at least one card.")
    if copies > MOST_CARDS:
        raise Unacceptable(f"A print has at most {MOST_CARDS} cards, not {copies}: make two.")
    if paper not in Paper.values or backs not in Backs.values or gap not in sheets.GAPS:
        raise Unacceptable("There is no such paper, back or gap.")
    _check_room(owner)
    plan = sheets.Plan(paper=paper, gap=gap, marks=marks, backs=backs)
    job = PrintJob.objects.create(
        owner=owner,
        title=title.strip()[:TITLE_LENGTH] or "Cards",
        cards=[[card.game.slug, card.slug, count] for card, count in chosen],
        paper=paper,
        backs=backs,
        marks=marks,
        gap=gap,
        total=plan.sheets(copies),
    )
    transaction.on_commit(partial(_wake, job.pk), robust=True)
    return job


def make_print(*, job_id: int) -> bool:
    """Draw a job's PDF; False when it is done, given up, or another worker has it.

    The job is touched with every side of paper. A worker that died is known by its silence, and
    the next one begins anew.
    """
    job = _claim(job_id)
    if job is None:
        return False
    plan = sheets.Plan(paper=job.paper, gap=job.gap, marks=job.marks, backs=job.backs)
    faces = [(game, slug) for game, slug, count in job.cards for _ in range(count)]
    with tempfile.TemporaryFile() as draft:
        try:
            for side in sheets.Sheets(plan, faces, job.title, draft):
                if not _touch(job, side):
                    return False
            draft.seek(0)
            return _keep(job, draft)
        except LookupError as error:  # a card that the rules forgot meanwhile
            _fail(job, f"This cannot be printed: {error}")
        except Exception:
            logger.exception("a print could not be drawn", slug=job.slug)
            _fail(job, "It could not be drawn. Try again.")
        return False


def cancel_print(*, job: PrintJob, user: User) -> PrintJob:
    """Stop a print, or throw it away. Doing it again changes nothing."""
    if job.owner_id != user.pk:
        raise NotAllowed("Only the one who ordered a print can cancel it.")
    with transaction.atomic():
        locked = PrintJob.objects.select_for_update().get(pk=job.pk)
        _drop_file(locked)
        locked.state = JobState.CANCELLED
        locked.finished_at = locked.finished_at or timezone.now()
        locked.save(update_fields=["state", "finished_at", "file"])
    return locked


@transaction.atomic
def print_again(*, job: PrintJob, user: User) -> PrintJob:
    """Put a failed job back into the queue; raises ``TooLate`` for any other."""
    if job.owner_id != user.pk:
        raise NotAllowed("Only the one who ordered a print can order it again.")
    _check_room(user)
    locked = PrintJob.objects.select_for_update().get(pk=job.pk)
    if locked.state != JobState.FAILED:
        raise TooLate("Only a print that failed can be tried again.")
    locked.state, locked.problem, locked.done, locked.finished_at = JobState.WAITING, "", 0, None
    locked.touched_at = timezone.now()
    locked.save(update_fields=["state", "problem", "done", "finished_at", "touched_at"])
    transaction.on_commit(partial(_wake, locked.pk), robust=True)
    return locked


def stalled_prints() -> list[int]:
    """Keys of jobs that nobody works on: never begun, or begun by a worker that has died."""
    silent = timezone.now() - DEAD_AFTER
    states = [JobState.WAITING, JobState.WORKING]
    found = PrintJob.objects.filter(state__in=states, touched_at__lt=silent)
    return list(found.values_list("pk", flat=True))


def forget_prints() -> int:
    """Remove jobs, and their files, a week after they ended."""
    old = PrintJob.objects.filter(state__in=OVER, finished_at__lt=timezone.now() - KEPT)
    jobs = list(old[:100])
    for job in jobs:
        job.file.delete(save=False)
        job.delete()
    return len(jobs)


def forget_files() -> int:
    """Remove files that no row names: a worker died over them, or their owner is gone.

    A file is named by its row before it is there, so the folder is read first and the rows last.
    """
    storage = PrintJob._meta.get_field("file").storage
    try:
        there = {f"{_FOLDER}{name}" for name in storage.listdir(_FOLDER)[1]}
    except FileNotFoundError:  # nothing was ever printed
        return 0
    if there:
        there -= set(PrintJob.objects.exclude(file="").values_list("file", flat=True))
    for name in there:
        storage.delete(name)
    return len(there)


def _check_room(owner: User) -> None:
    """Raises ``TooMany``. Locks the person's row: two tabs cannot both be the last let in."""
    User.objects.select_for_update().get(pk=owner.pk)
    if PrintJob.objects.filter(owner=owner).exclude(state__in=OVER).count() >= MOST_AT_ONCE:
        raise TooMany(f"{MOST_AT_ONCE} of your prints are under way. Wait until one is done.")


def _wake(job_id: int) -> None:
    """Tell a worker; where that fails, the sweep finds the job."""
    from collection.tasks import make_print  # tasks call services, so not at the top

    make_print.apply_async((job_id,), retry=False)


def _claim(job_id: int) -> PrintJob | None:
    """Take the job if nobody has it, under a name for its file that nobody had before."""
    now = timezone.now()
    name = f"{_FOLDER}{new_slug()}.pdf"
    free = Q(state=JobState.WAITING) | Q(state=JobState.WORKING, touched_at__lt=now - DEAD_AFTER)
    taken = PrintJob.objects.filter(free, pk=job_id)
    if not taken.update(state=JobState.WORKING, touched_at=now, done=0, file=name):
        return None
    return PrintJob.objects.filter(pk=job_id, file=name).first()


def _touch(job: PrintJob, done: int) -> bool:
    """Say how far it has come; False when it was cancelled, or has another worker, meanwhile."""
    return bool(_mine(job).update(done=done, touched_at=timezone.now()))


def _keep(job: PrintJob, draft: IO[bytes]) -> bool:
    """Store the file and say that it is there; a job lost meanwhile keeps none."""
    storage, name = job.file.storage, str(job.file.name)
    storage.save(name, File(draft))
    if _finish(job, JobState.DONE):
        return True
    storage.delete(name)
    return False


def _fail(job: PrintJob, problem: str) -> None:
    """Say what went wrong; what is stored of the file, if anything, is no longer named."""
    _finish(job, JobState.FAILED, problem=problem, file="")


def _finish(job: PrintJob, state: JobState, **fields: str) -> bool:
    now = timezone.now()
    return bool(_mine(job).update(state=state, finished_at=now, touched_at=now, **fields))


def _mine(job: PrintJob) -> QuerySet[PrintJob]:
    """The job's row, as long as this worker's claim stands."""
    return PrintJob.objects.filter(pk=job.pk, state=JobState.WORKING, file=job.file.name)


def _drop_file(job: PrintJob) -> None:
    name, storage = job.file.name, job.file.storage
    job.file = ""
    if name:
        transaction.on_commit(lambda: storage.delete(name))
