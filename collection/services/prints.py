"""Printing: a job is written down, a worker draws it, and its file goes after a week."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence

import structlog
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from collection.drawing import sheets
from collection.errors import TooLate, TooMany, Unacceptable
from collection.models import Backs, Card, JobState, Paper, PrintJob
from collection.models.jobs import OVER
from collection.services import fair_queue, file_jobs
from core.background import after_commit, enqueue
from core.errors import NotAllowed

logger = structlog.get_logger(__name__)

MAX_CARDS = 450
MAX_AT_ONCE = 3
TITLE_LENGTH = 120


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
    if copies > MAX_CARDS:
        raise Unacceptable(
            f"A print can have up to {MAX_CARDS} cards, not {copies}. Split it in two."
        )
    if paper not in Paper.values or backs not in Backs.values or gap not in sheets.GAPS:
        raise Unacceptable("Unknown paper size, back or gap.")
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
    after_commit(_wake, owner.pk)
    return job


def make_print(*, job_id: int, in_turn: bool = False) -> bool:
    """Draw a job's PDF; False when it is done, given up, or another worker has it.

    The job is touched with every side of paper. A worker that died is known by its silence, and
    the next one begins anew. ``in_turn`` as in ``file_jobs.claim``.
    """
    job = file_jobs.claim(PrintJob, job_id, in_turn=in_turn)
    if job is None:
        return False
    try:
        return _draw(job)
    finally:
        _wake(job.owner_id)


def _draw(job: PrintJob) -> bool:
    plan = sheets.Plan(paper=job.paper, gap=job.gap, marks=job.marks, backs=job.backs)
    faces = [(game, slug) for game, slug, count in job.cards for _ in range(count)]
    with tempfile.TemporaryFile() as draft:
        try:
            for side in sheets.Sheets(plan, faces, job.title, draft):
                if not file_jobs.touch(job, side):
                    return False
            draft.seek(0)
            return file_jobs.keep(job, draft)
        except LookupError as error:  # a card that the rules forgot meanwhile
            file_jobs.fail(job, f"Can’t print: {error}")
        except Exception:
            logger.exception("a print could not be drawn", slug=job.slug)
            file_jobs.fail(job, "The PDF could not be created. Try again.")
        return False


def cancel_print(*, job: PrintJob, user: User) -> PrintJob:
    """Stop a print, or throw it away. Doing it again changes nothing."""
    if job.owner_id != user.pk:
        raise NotAllowed("Only its owner can cancel a print.")
    with transaction.atomic():
        locked = PrintJob.objects.select_for_update().get(pk=job.pk)
        file_jobs.drop_file(locked)
        locked.state = JobState.CANCELLED
        locked.finished_at = locked.finished_at or timezone.now()
        locked.save(update_fields=["state", "finished_at", "file"])
        after_commit(_wake, user.pk)
    return locked


@transaction.atomic
def print_again(*, job: PrintJob, user: User) -> PrintJob:
    """Put a failed job back into the queue; raises ``TooLate`` for any other."""
    if job.owner_id != user.pk:
        raise NotAllowed("Only its owner can retry a print.")
    _check_room(user)
    locked = PrintJob.objects.select_for_update().get(pk=job.pk)
    if locked.state != JobState.FAILED:
        raise TooLate("Only a failed print can be retried.")
    file_jobs.drop_file(locked)
    locked.state, locked.problem, locked.done, locked.finished_at = JobState.WAITING, "", 0, None
    locked.touched_at = timezone.now()
    locked.save(update_fields=["state", "problem", "done", "finished_at", "touched_at"])
    after_commit(_wake, user.pk)
    return locked


def _check_room(owner: User) -> None:
    """Raises ``TooMany``. Locks the person's row: two tabs cannot both be the last let in."""
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    if PrintJob.objects.filter(owner=owner).exclude(state__in=OVER).count() >= MAX_AT_ONCE:
        raise TooMany(f"You already have {MAX_AT_ONCE} prints in progress. Wait until one is done.")


def _wake(owner_id: int) -> None:
    """Have a worker told when it is this person's turn; where that fails, the sweep finds it."""
    fair_queue.send_next(owner_id)


def _send(job_id: int) -> None:
    enqueue("collection.tasks.make_print", job_id)


fair_queue.register(
    fair_queue.Kind(
        PrintJob,
        owner="owner_id",
        since="created_at",
        dead_after=file_jobs.DEAD_AFTER,
        send=_send,
    )
)
