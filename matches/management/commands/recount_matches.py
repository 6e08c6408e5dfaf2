"""Count all finished matches again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from matches.services import tallies


class Command(BaseCommand):
    help = "Count the finished matches of all games and people again. Safe to run at any time."

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = tallies.recount()
        self.stdout.write(f"{wrong or 'No'} count{'' if wrong == 1 else 's'} put right.")
