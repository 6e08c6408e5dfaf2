"""Play stored matches again by the rules of today."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from matches.errors import MatchError
from matches.models import Match, Status
from matches.services import repair


class Command(BaseCommand):
    help = (
        "Play all stored matches again from their start and moves. With --check: compare events "
        "and snapshots with what was stored and report, for each match, the first difference (do "
        "this before a release). Without: put right what is kept of running matches beside their "
        "moves: the snapshot, and whom each move told nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="Only compare; write nothing.")
        parser.add_argument("--match", metavar="SLUG", help="Only this match.")

    def handle(self, *args: Any, check: bool, match: str | None, **options: Any) -> None:
        started = Match.objects.filter(status__in=(Status.RUNNING, Status.FINISHED)).order_by("pk")
        if match:
            started = started.filter(slug=match)
            if not started.exists():
                raise CommandError(f"No started match “{match}” found.")
        if check:
            self._check(started)
        else:
            self._rebuild(started.filter(status=Status.RUNNING))

    def _check(self, matches: Any) -> None:
        total = bad = 0
        for stored in matches.iterator(chunk_size=50):
            total += 1
            difference = repair.first_difference(stored)
            if difference is not None:
                bad += 1
                self.stdout.write(f"{difference.slug}, ply {difference.ply}: {difference.detail}")
        if bad:
            raise CommandError(f"{bad} of {total} matches would run differently by these rules.")
        self.stdout.write(f"{total} matches played again; all are as they were stored.")

    def _rebuild(self, matches: Any) -> None:
        total = changed = refused = 0
        for stored in matches.iterator(chunk_size=50):
            total += 1
            try:
                changed += repair.rebuild_snapshot(match=stored)
            except MatchError as error:
                refused += 1
                self.stdout.write(f"{stored.slug}: {error}")
        self.stdout.write(f"{total} running matches played again, {changed} snapshots put right.")
        if refused:
            raise CommandError(f"{refused} snapshots could not be rebuilt.")
