"""Something to look at on a fresh site."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from accounts.models import User
from matches.models import Match, SeatKind, Status
from matches.services import bots, setup
from matches.services.setup import MatchSetup, SeatPlan

PEOPLE = {"demo-ada": "Ada", "demo-ben": "Ben"}
GAME, MODE = "kaolan", "match"


class Command(BaseCommand):
    help = (
        "Set out two demo people, a finished match between bots and a table with a free seat. "
        "Safe to run at any time: what is there stays."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        ada, ben = (self._person(username, name) for username, name in PEOPLE.items())
        if not Match.objects.filter(host=ada, status=Status.FINISHED).exists():
            self._finished_match(ada)
        if not Match.objects.filter(host=ben, status=Status.OPEN).exists():
            self._open_table(ben)

    def _person(self, username: str, name: str) -> User:
        """Somebody without a password: nobody can log in as a demo person."""
        person, created = User.objects.get_or_create(
            username=username, defaults={"display_name": name}
        )
        if created:
            person.set_unusable_password()
            person.save(update_fields=("password",))
            self.stdout.write(f"Met {name}.")
        return person

    def _finished_match(self, host: User) -> None:
        match = Match.objects.filter(host=host, status=Status.RUNNING).first()
        if match is None:
            match = setup.create_match(
                host=host,
                setup=MatchSetup(
                    game=GAME,
                    mode=MODE,
                    seats=[SeatPlan(SeatKind.BOT, bot=bot) for bot in ("greedy", "random")],
                    options={"guards": 1},
                ),
            )
        while bots.run_bots(match_id=match.pk):
            pass
        self.stdout.write(f"Two bots played match {match.slug}.")

    def _open_table(self, host: User) -> None:
        """Whoever sits down here plays at once: the other seats are bots'."""
        match = setup.create_match(
            host=host,
            setup=MatchSetup(
                game=GAME,
                mode=MODE,
                seats=[
                    SeatPlan(SeatKind.OPEN),
                    SeatPlan(SeatKind.BOT, bot="greedy"),
                    SeatPlan(SeatKind.BOT, bot="random"),
                ],
                options={"guards": 2},
                listed=True,
            ),
        )
        self.stdout.write(f"Opened table {match.slug}.")
