"""Leaving all tables when an account is deleted, and deleting guests who don't come back."""

from __future__ import annotations

from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts.models import User
from accounts.services.account_deletion import close_account
from matches.errors import NotOpen, NotRunning, NotYourSeat, RulesChanged
from matches.models import ChatLine, Match, Seat, Status
from matches.services import notices, play, setup

GUEST_RETENTION = timedelta(days=90)
MAX_GUESTS_PER_RUN = 500


def leave_all_tables(*, user: User) -> None:
    """Concede running matches, leave open tables, and cancel the tables that the user hosts.

    Deletes the user's chat messages, too. One transaction per table; idempotent.

    """
    mine = Q(pk__in=Seat.objects.filter(user=user).values("match"))
    for match in Match.objects.filter(mine | Q(host=user), status=Status.OPEN):
        try:
            setup.leave_match(match=match, user=user)
        except (NotOpen, NotYourSeat):
            continue  # it has begun meanwhile
    for slug in Match.objects.filter(mine, status=Status.RUNNING).values_list("slug", flat=True):
        try:
            play.concede(slug=slug, user=user)
            notices.tell_account_deleted(Match.objects.get(slug=slug), user)
        except (NotRunning, RulesChanged):
            continue  # out already, the match has just ended, or it rests
    ChatLine.objects.filter(author=user).delete()


def forget_guests(*, now: datetime | None = None) -> int:
    """Delete guests who have not come back for 90 days, a night's share of them; gives how many."""
    since = (now or timezone.now()) - GUEST_RETENTION
    recent = Q(match__status__in=(Status.OPEN, Status.RUNNING)) | Q(match__finished_at__gte=since)
    seats = Seat.objects.filter(recent, user=OuterRef("pk"))
    guests = User.objects.filter(is_guest=True, is_active=True, date_joined__lt=since)
    guests = guests.filter(Q(last_login=None) | Q(last_login__lt=since))
    visits = UserSession.objects.filter(user=OuterRef("pk"), last_seen_at__gte=since)
    guests = guests.exclude(Exists(seats)).exclude(Exists(visits))
    gone = list(guests.order_by("date_joined")[:MAX_GUESTS_PER_RUN])
    for guest in gone:
        close_account(user=guest)
    return len(gone)
