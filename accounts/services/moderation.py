"""Reports to the moderators, and their decisions."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.errors import TooManyReports
from accounts.models import User
from accounts.models.moderation import ReportState, Written, WrittenReport
from accounts.services.blocks import ban_writing

REPORTS_A_DAY = 30


CONTEXT = 10
"""How many rows before and after a reported one are kept with the report."""


MAX_BAN_DAYS = 90


def tidy(text: str, *, lines: bool = False) -> str:
    """A text without control characters, as one line or, with ``lines``, in its own.

    Empty if all of it is invisible.
    """
    if not any(sign.isprintable() and not sign.isspace() for sign in text):
        return ""
    plain = "".join(sign for sign in text if sign.isspace() or unicodedata.category(sign) != "Cc")
    if not lines:
        return " ".join(plain.split())
    return "\n".join(line.rstrip() for line in plain.splitlines()).strip()


def require_few_reports(rows: type[WrittenReport], user: User) -> None:
    """Raises ``TooManyReports`` for whoever reports all day long."""
    since = timezone.now() - timedelta(days=1)
    recent: dict[str, Any] = {"reporter": user, "at__gt": since}
    if rows._default_manager.filter(**recent).count() >= REPORTS_A_DAY:
        raise TooManyReports("You have sent the moderators many reports. Write again tomorrow.")


def kept(rows: Iterable[Written]) -> list[dict[str, str | int | None]]:
    """Rows as they are kept with a report, whatever becomes of them."""
    return [
        {
            "line": row.pk,
            "username": None if row.author is None else row.author.username,
            "name": "Deleted user" if row.author is None else str(row.author),
            "text": row.text,
            "at": row.at.isoformat(),
        }
        for row in rows
    ]


@transaction.atomic
def decide(
    *,
    report: WrittenReport,
    by: User,
    state: str,
    note: str = "",
    hide: bool = False,
    mute_days: int = 0,
) -> None:
    """Close a report or open it again, hide what it is about or show it, mute its writer for some
    days."""
    subject = report.subject
    if subject is not None and hide != (subject.hidden_at is not None):
        subject.hidden_at, subject.hidden_by = (timezone.now(), by) if hide else (None, None)
        subject.save(update_fields=("hidden_at", "hidden_by"))
    if mute_days and report.about is not None:
        ban_writing(user=report.about, days=min(mute_days, MAX_BAN_DAYS), by=by)
    report.state = ReportState(state)
    report.note = note
    closed = report.state != ReportState.OPEN
    report.decided_by, report.decided_at = (by, timezone.now()) if closed else (None, None)
    report.save(update_fields=("state", "note", "decided_by", "decided_at"))
