"""``manage.py lab``: bots play many matches, here or on the Celery workers."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from matches.services.lab import spread
from rules.engine import lab
from rules.engine.errors import RulesError


class Command(BaseCommand):
    help = "Let bots play many matches and print who wins, how long it takes and how it ends."

    def add_arguments(self, parser: CommandParser) -> None:
        lab.add_arguments(parser)
        parser.add_argument(
            "--workers", action="store_true", help="let the Celery workers play, not this process"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            lab.report(Namespace(**options), spread if options["workers"] else lab.run)
        except RulesError as error:
            raise CommandError(str(error)) from error
