"""Archive finished matches."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from matches.services import archive


class Command(BaseCommand):
    help = (
        "Replace the state and the moves of matches that ended long ago by one compressed record "
        "each. Safe to stop and to repeat; the worker does this every night."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=archive.ARCHIVE_AFTER.days,
            help="Archive matches that ended so many days ago (default: %(default)s).",
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days < 0:
            raise CommandError("Give a number of days of 0 or more.")
        before, total = timezone.now() - timedelta(days=days), 0
        last: int | None = 0
        while last is not None:
            archived, last = archive.archive_due(before=before, after=last)
            total += archived
        self.stdout.write(f"{total} match{'' if total == 1 else 'es'} archived.")
