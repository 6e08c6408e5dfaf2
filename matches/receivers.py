"""Reactions of matches to events in other apps."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts import account_deletion
from accounts.models import User
from accounts.signals import account_closing, guest_merged, time_zone_changed
from core import outbox
from matches import data_export  # noqa: F401  (adds its parts)
from matches.services import absence, ante, merging, notices, people, ratings, series, tallies
from notices.services import sending

outbox.subscribe("notices", notices.tell_end)
sending.read_deadlines_by(notices.deadlines)
outbox.subscribe("ratings", ratings.read_match)
outbox.subscribe("keeps", ante.settle)
outbox.subscribe("series", series.read_match)
outbox.subscribe("tallies", tallies.read_match)
account_deletion.retain("matches.Seat.user", "matches.Seat.resigned_by", "matches.Rating.user")


@receiver(account_closing, dispatch_uid="matches.leave_tables")
def leave_tables(sender: Any, *, user: User, **_: Any) -> None:
    """Leave all tables of a deleted account."""
    people.leave_all_tables(user=user)


@receiver(time_zone_changed, dispatch_uid="matches.move_deadlines")
def move_deadlines(sender: Any, *, user: User, before: str, **_: Any) -> None:
    """Move the deadlines of a person whose time zone has changed."""
    absence.follow_time_zone(user=user, before=before)


@receiver(guest_merged, dispatch_uid="matches.hand_over_seats")
def hand_over_seats(sender: Any, *, guest: User, user: User, **_: Any) -> None:
    """Move a guest's seats to the account that the guest logs in to."""
    merging.merge_guest(guest=guest, user=user)
