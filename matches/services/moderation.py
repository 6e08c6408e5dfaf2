"""What moderators do about a report."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts import blocks
from accounts.models import User
from matches.models import ChatLine, Report, ReportState

MOST_DAYS = 90


@transaction.atomic
def decide(
    *,
    report: Report,
    by: User,
    state: str,
    note: str = "",
    hide_line: bool = False,
    mute_days: int = 0,
) -> None:
    """Close a report or open it again, hide its line or show it, mute its writer for some days."""
    line = ChatLine.objects.filter(reports=report)
    if hide_line:
        line.filter(hidden_at=None).update(hidden_at=timezone.now(), hidden_by=by)
    else:
        line.update(hidden_at=None, hidden_by=None)
    if mute_days and report.about is not None:
        blocks.ban_writing(user=report.about, days=min(mute_days, MOST_DAYS), by=by)
    report.state = ReportState(state)
    report.note = note
    closed = report.state != ReportState.OPEN
    report.decided_by, report.decided_at = (by, timezone.now()) if closed else (None, None)
    report.save(update_fields=("state", "note", "decided_by", "decided_at"))
