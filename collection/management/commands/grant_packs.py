"""``manage.py grant_packs``: give packs to people, from the console."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from collection.errors import Unacceptable
from collection.services.packs import grant


class Command(BaseCommand):
    """Give people packs; with the same key nobody gets them a second time."""

    help = "Gives packs to people. The key says what for: the same key gives nothing twice."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", help="its slug")
        parser.add_argument("product", help="the slug of a product of that game")
        parser.add_argument("people", nargs="+", help="usernames")
        parser.add_argument("--key", required=True, help="what they are for, such as spring-2027")
        parser.add_argument("--count", type=int, default=1, help="packs for each (1)")
        parser.add_argument("--note", default="", help="a line that their owners see")

    def handle(self, *args: Any, **options: Any) -> None:
        people = list(User.objects.filter(username__in=options["people"], is_active=True))
        missing = sorted(set(options["people"]) - {person.username for person in people})
        if missing:
            raise CommandError(f"Unknown users: {', '.join(missing)}. Nothing was given.")
        try:
            grants = grant(
                by=None,
                game=options["game"],
                product=options["product"],
                people=people,
                key=options["key"],
                count=options["count"],
                note=options["note"],
            )
        except Unacceptable as error:
            raise CommandError(str(error)) from error
        created = sum(now for _, now in grants)
        before = len(grants) - created
        self.stdout.write(
            f"{created} {'pack' if created == 1 else 'packs'} given, "
            f"{before} {'was' if before == 1 else 'were'} given before."
        )
