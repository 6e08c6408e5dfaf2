"""Whose turn it is: work for files goes round from person to person, one piece of each at a time.

Lists, prints and sheets of one person wait for each other, not other people for them. Only one
message of a person lies in the queue: it is sent for the oldest piece that waits, and whoever ends
a piece sends the one for the next, to the queue's end. Nothing is written down for that: which
pieces wait and which run stands in their rows, so a sweep finds what a crash left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Model, QuerySet
from django.utils import timezone

from accounts.models import User
from collection.models.jobs import JobState


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of such work: rows with ``state`` and ``touched_at``."""

    model: type[Model]
    owner: str
    """The way from a row to the key of the person who wanted it."""
    since: str
    """Since when it waits; the oldest comes first."""
    dead_after: timedelta
    send: Callable[[int], None]
    """Tells a worker."""

    def rows(self) -> QuerySet[Any]:
        return self.model._default_manager.order_by()

    def running(self, owner_id: int) -> QuerySet[Any]:
        """The owner's jobs that live workers have."""
        alive = timezone.now() - self.dead_after
        return self.rows().filter(
            **{self.owner: owner_id}, state=JobState.WORKING, touched_at__gte=alive
        )


_kinds: dict[type[Model], Kind] = {}


def register(kind: Kind) -> None:
    """Let rows of a model take turns with all others."""
    _kinds[kind.model] = kind


def owner_of(model: type[Model], job_id: int) -> int | None:
    """Who wanted it; None where it is gone."""
    kind = _kinds[model]
    owner: int | None = kind.rows().filter(pk=job_id).values_list(kind.owner, flat=True).first()
    return owner


def may_start(model: type[Model], job_id: int) -> bool:
    """True if no other job of this person runs.

    Locks the person's row, so ask in the transaction that claims: two workers never both hear yes.
    """
    owner_id = owner_of(model, job_id)
    if owner_id is None:
        return False
    User.objects.select_for_update(no_key=True).get(pk=owner_id)
    others = (
        kind.running(owner_id).exclude(pk=job_id) if kind.model is model else kind.running(owner_id)
        for kind in _kinds.values()
    )
    return not any(rows.exists() for rows in others)


def send_next(owner_id: int | None, *, unless_told_lately: bool = False) -> None:
    """Send what is next of this person, unless something of theirs runs: its end will."""
    if owner_id is None or any(kind.running(owner_id).exists() for kind in _kinds.values()):
        return
    waiting: list[tuple[datetime, int, Kind]] = []
    for kind in _kinds.values():
        rows = kind.rows().filter(**{kind.owner: owner_id}, state=JobState.WAITING)
        if first := rows.order_by(kind.since, "pk").values_list(kind.since, "pk").first():
            waiting.append((*first, kind))
    if waiting:
        _, job_id, kind = min(waiting, key=lambda candidate: candidate[:2])
        now = timezone.now()
        row = kind.rows().filter(pk=job_id, state=JobState.WAITING)
        if unless_told_lately:
            row = row.filter(touched_at__lt=now - kind.dead_after)
        # A sign of life: the sweep need not look after it for a while.
        if not row.update(touched_at=now):
            return
        kind.send(job_id)


def restart_stalled(model: type[Model], stalled: Iterable[int]) -> None:
    """Start again what nobody works on; each person's oldest first, and only that."""
    kind = _kinds[model]
    rows = kind.rows().filter(pk__in=list(stalled))
    waiting: set[int] = set()
    for job_id, owner_id, state in rows.values_list("pk", kind.owner, "state"):
        if state == JobState.WORKING:
            kind.send(job_id)  # its worker has died: the next one begins anew
        else:
            waiting.add(owner_id)
    for owner_id in sorted(waiting):
        send_next(owner_id, unless_told_lately=True)
