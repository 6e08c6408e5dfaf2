"""Archiving: a match that ended long ago becomes one compressed record."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.utils import timezone

from core.models import UnreadMatch
from matches.models import Match, MoveRow, Status
from matches.moves import NAMES, pack, unpack

logger = structlog.get_logger(__name__)

ARCHIVE_AFTER = timedelta(days=30)
BATCH_SIZE = 200


def archive_due(
    *, before: datetime | None = None, after: int = 0, limit: int = BATCH_SIZE
) -> tuple[int, int | None]:
    """Archive matches that ended before a moment; how many, and the key to go on ``after``.

    Without ``before`` those that ended 30 days ago. One transaction a match; the key is None when
    no match is left to try.
    """
    before = before or timezone.now() - ARCHIVE_AFTER
    due = Match.objects.filter(status=Status.FINISHED, archived=False, finished_at__lt=before)
    due = due.exclude(slug__in=UnreadMatch.objects.values("finished__match"))
    keys = list(due.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:limit])
    return sum(_archived(key) for key in keys), keys[-1] if len(keys) == limit else None


def _archived(key: int) -> bool:
    """Archive a match; one that refuses is logged and keeps no other from its turn."""
    try:
        return archive_match(match_id=key)
    except Exception:
        logger.exception("match_not_archived", match=key)
        return False


@transaction.atomic
def archive_match(*, match_id: int) -> bool:
    """Put the start, the state and the moves of a finished match into its archive; safe to repeat.

    False where it is archived, or is not finished. Raises ``ValueError`` rather than lose anything.
    """
    finished = Match.objects.filter(pk=match_id, status=Status.FINISHED, archived=False)
    match = finished.select_for_update(no_key=True).first()
    if match is None:
        return False
    moves = list(MoveRow.objects.filter(match=match).order_by("ply"))
    if [row.ply for row in moves] != list(range(1, match.ply + 1)):
        raise ValueError(f"Match {match.slug} does not have its {match.ply} moves.")
    archive = pack(match, moves)
    content = unpack(archive)
    if any(content[name] != [getattr(row, name) for row in moves] for name in NAMES) or (
        content["state"] != match.state or content["opening"] != match.opening_events
    ):
        raise ValueError(f"The archive of match {match.slug} would differ from it.")
    archive.save(force_insert=True)
    MoveRow.objects.filter(match=match).delete()
    Match.objects.filter(pk=match.pk).update(state=None, opening_events=[], archived=True)
    return True
