"""Moving a guest's seats to the account that the guest logs in to."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, Q

from accounts.models import User
from core.background import after_commit, enqueue
from matches.errors import NotRunning, RulesChanged
from matches.live import bell
from matches.models import Hint, LookBack, LookBackState, Match, OwnHours, Seat, Status
from matches.queries.updates import match_updates
from matches.services import play, ratings, setup, store_ply, talk, tallies
from matches.services.writing import (
    compare_and_swap,
    lock,
    one_write,
    read_match,
    retried,
    seat_of,
)


@transaction.atomic
def merge_guest(*, guest: User, user: User) -> None:
    """Move all seats of a guest to the account that the guest has logged in to.

    Where both sit at the same table the guest's seat can't move: before the start it becomes free,
    later the guest concedes. Ratings move, too, and are recomputed.
    """
    if not OwnHours.objects.filter(user=user).exists():
        OwnHours.objects.filter(user=guest).update(user=user)
    sits_or_may = Seat.objects.filter(Q(user=guest) | Q(invited=guest)).values("match")
    theirs = Match.objects.filter(Q(pk__in=sits_or_may) | Q(host=guest))
    going = theirs.filter(status__in=(Status.OPEN, Status.RUNNING))
    lock(going)
    going.update(version=F("version") + 1)  # writers that have read the guest read again
    both = Match.objects.filter(seats__user=guest).filter(seats__user=user)
    for slug in both.values_list("slug", flat=True):
        _leave(slug, guest)
    moved = Seat.objects.filter(user=guest).exclude(match__in=both.values("pk"))
    tables = list(moved.values_list("match__slug", flat=True))
    moved.update(user=user)
    Seat.objects.filter(resigned_by=guest).update(resigned_by=user)
    tallies.recount_people([guest.pk, user.pk])
    _move_invitations(guest, user)
    Match.objects.filter(host=guest).update(host=user)
    Hint.objects.filter(user=guest).update(user=user)
    # One that is under way is begun anew by whoever wants it: each person has one at most.
    LookBack.objects.filter(user=guest, state=LookBackState.WORKING).delete()
    LookBack.objects.filter(user=guest).update(user=user)
    talk.hand_over(guest=guest, user=user)
    for ladder, at, match in ratings.first_matches_of(guest.pk):
        # Nothing that was rated before the guest's first match changes.
        after_commit(enqueue, "matches.tasks.recompute_from", ladder, at.isoformat(), match)
    for slug, update in match_updates(tables).items():
        after_commit(bell.ring, slug, update, [user.pk])


def _move_invitations(guest: User, user: User) -> None:
    """Move reserved seats to the account, except where it already has a seat or an invitation."""
    has = Q(user=user) | Q(invited=user)
    kept = Seat.objects.filter(invited=guest)
    twice = kept.filter(match__in=Seat.objects.filter(has).values("match"))
    for seat in twice.select_related("match"):
        setup.free_seat(seat)
    kept.update(invited=user)


@retried
def _leave(slug: str, guest: User) -> None:
    match = read_match(slug)
    if match.status == Status.RUNNING:
        try:
            play.concede(slug=slug, user=guest)
        except (NotRunning, RulesChanged):
            pass  # the guest is out already, or the match has ended or is paused
    elif match.status == Status.OPEN:
        seats = list(match.seats.all())
        with one_write():
            compare_and_swap(match)
            setup.free_seat(seat_of(seats, guest))
            store_ply.announce(match, seats)
