"""A guest turned out to have an account: the seats go along."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from accounts.background import after_commit
from accounts.models import User
from matches import bell, queries
from matches.errors import NotRunning
from matches.models import Match, Seat, SeatKind, Status
from matches.services import play


@transaction.atomic
def merge_guest(*, guest: User, user: User) -> None:
    """Hand all seats of a guest over to the account that the guest turned out to have.

    Where both sit at one table the guest's seat cannot move: before the start it becomes free,
    later the guest concedes it.
    """
    both = Match.objects.filter(seats__user=guest).filter(seats__user=user)
    for match in both:
        if match.status == Status.OPEN:
            _free_guest_seat(match, guest, user)
        elif match.status == Status.RUNNING:
            try:
                play.concede(slug=match.slug, user=guest)
            except NotRunning:
                pass  # the guest is out already, or the match has just ended
    moved = Seat.objects.filter(user=guest).exclude(match__in=both.values("pk"))
    tables = list(moved.values_list("match__slug", flat=True))
    moved.update(user=user)
    Seat.objects.filter(invited=guest).update(invited=user)
    Match.objects.filter(host=guest).update(host=user)
    for slug, update in queries.match_updates(tables).items():
        after_commit(bell.ring, slug, update, [user.pk])


def _free_guest_seat(match: Match, guest: User, user: User) -> None:
    match.seats.filter(user=guest).update(
        user=None, kind=SeatKind.OPEN, client_seed="", deck=None, deck_name=""
    )
    Match.objects.filter(pk=match.pk).update(version=F("version") + 1)
