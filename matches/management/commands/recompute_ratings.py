"""Compute all ratings again from the matches."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from matches.services import ratings


class Command(BaseCommand):
    help = (
        "Compute all ratings again from the finished matches and write what differs. "
        "Safe to run at any time."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        for ladder in ratings.all_ladders():
            wrong = ratings.recompute(ladder)
            self.stdout.write(
                f"{ladder}: {wrong or 'no'} change{'' if wrong == 1 else 's'} put right."
            )
