"""Notifications about open tables: invitations, and tables that nobody joins.

All are written in the transaction of what happened.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from matches.models import Match
from matches.queries.names import match_name
from notices.kinds import Kind
from notices.services.notices import notify, retract

WITHDRAWAL_WINDOW = timedelta(seconds=30)
"""Invitations are sent only after this time, so that a mistaken one can be withdrawn."""

NOBODY_JOINED = "nobody-joined"
"""Key of the reminder to the host of a table that nobody has joined."""


def tell_invited(match: Match, people: Iterable[int]) -> None:
    """Invite these people, each to a reserved seat."""
    people = list(people)
    if not people:
        return
    by = str(match.host) if match.host is not None else "Someone"
    invited = "invites you to a rematch of" if match.rematch_of_id else "invites you to play"
    length = f" Series: {match.series.terms.words}." if match.series is not None else ""
    notify(
        people,
        Kind.INVITATION,
        text=f"{by} {invited} {match_name(match)}.{length}",
        link=match.get_absolute_url(),
        match=match.slug,
        due=timezone.now() + WITHDRAWAL_WINDOW,
    )


def retract_invitations(match: Match, people: Iterable[int]) -> None:
    """Retract invitations that were accepted, declined or withdrawn."""
    people = list(people)
    if people:
        retract(Kind.INVITATION, match=match.slug, people=people)


def tell_declined(match: Match, by: User) -> None:
    """Tell the host that an invitation was declined."""
    _tell_host(
        match,
        f"{by} declined your invitation to {match_name(match)}. The seat is open again.",
        key=f"declined-{by.pk}",
    )


def tell_nobody_joined(match: Match, days: int) -> None:
    """Remind the host of a table that has been open for ``days`` days."""
    _tell_host(
        match,
        f"No one has joined your table in {days} days: {match_name(match)}. "
        "Invite someone, add a bot or cancel it.",
        key=NOBODY_JOINED,
    )


def tell_expired(match: Match) -> None:
    """Tell the host that a table was cancelled because nobody joined it."""
    _tell_host(
        match,
        f"No one joined your table, so it was cancelled: {match_name(match)}.",
        NOBODY_JOINED,
    )


def retract_reminders(match: Match) -> None:
    """Retract what the host was told of an open table; it has begun or was cancelled."""
    retract(Kind.TABLE_NEEDS_YOU, match=match.slug)


def _tell_host(match: Match, text: str, key: str) -> None:
    if match.host_id is not None:
        notify(
            [match.host_id],
            Kind.TABLE_NEEDS_YOU,
            text=text,
            link=match.get_absolute_url(),
            match=match.slug,
            key=key,
        )
