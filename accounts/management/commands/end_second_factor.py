"""For people who have lost their phone and their recovery codes."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.errors import UnknownPerson
from accounts.queries.people import person
from accounts.services.sessions import end_second_factor


class Command(BaseCommand):
    help = (
        "Turn off somebody's second factor and log them out everywhere. Be sure that it is they "
        "who ask: from then on the password alone opens the account."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        try:
            user = person(username)
        except UnknownPerson as error:
            raise CommandError(str(error)) from error
        if end_second_factor(user=user):
            self.stdout.write(f"The password alone opens {user.username}'s account now.")
        else:
            self.stdout.write(f"{user.username} has no second factor.")
