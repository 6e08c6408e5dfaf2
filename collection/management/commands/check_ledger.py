"""``manage.py check_ledger``: are all holdings the ledger's sums, and all tallies the holdings'?"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from collection.queries.ledger import differences
from collection.services.tallies import count_anew

SHOWN = 50


class Command(BaseCommand):
    """Say which holdings differ from the ledger, or which tallies from them; exit with 1 if any."""

    help = "Compares every holding with the ledger's sum for it, and every tally with the holdings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--count", action="store_true", help="First write the tallies anew from the holdings."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["count"]:
            count_anew()
        found = differences()
        for one in found[:SHOWN]:
            self.stderr.write(str(one))
        if found:
            raise CommandError(f"{len(found)} counts differ from the ledger.")
        self.stdout.write("Every holding is the ledger's sum.")
