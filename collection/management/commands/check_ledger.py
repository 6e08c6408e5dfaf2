"""``manage.py check_ledger``: are all holdings the ledger's sums?"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from collection.queries.ledger import differences


class Command(BaseCommand):
    """Say which holdings differ from the ledger; exit with 1 if any does."""

    help = "Compares every holding with the ledger's sum for it."

    def handle(self, *args: Any, **options: Any) -> None:
        found = differences()
        for row in found[:50]:
            self.stderr.write(
                f"person {row.owner}, card {row.card}, {row.kind}: "
                f"{row.held} held, {row.summed} in the ledger"
            )
        if found:
            raise CommandError(f"{len(found)} counts differ from the ledger.")
        self.stdout.write("Every holding is the ledger's sum.")
