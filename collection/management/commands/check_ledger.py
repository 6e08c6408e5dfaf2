"""``manage.py check_ledger``: are all sums of the ledger, and of the holdings, what they say?"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from collection.queries.ledger import differences
from collection.services import ledger, tallies

SHOWN = 50


class Command(BaseCommand):
    """Say which sums differ from the ledger, or which tallies from the holdings; 1 if any."""

    help = "Compares holdings and histories with the ledger’s rows, and tallies with the holdings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--count",
            action="store_true",
            help="First write the tallies anew from the holdings, and histories from the rows.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["count"]:
            tallies.count_anew()
            ledger.add_up_anew()
        problems = differences()
        for problem in problems[:SHOWN]:
            self.stderr.write(str(problem))
        if problems:
            raise CommandError(f"{len(problems)} counts differ from the ledger.")
        self.stdout.write("Every holding is the ledger’s sum.")
