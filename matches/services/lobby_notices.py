"""What people are told of tables that have not begun: invitations, and that nobody comes.

All of it is written in the transaction of what happened.
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

TAKEN_BACK_WITHIN = timedelta(seconds=30)
"""An invitation leaves no sooner, so that one to the wrong person can be taken back."""

WAITS = "waits"
"""The key of what a host is told of a table to which nobody comes."""


def tell_invited(match: Match, people: Iterable[int]) -> None:
    """That a seat is kept for these people."""
    people = list(people)
    if not people:
        return
    by = str(match.host) if match.host is not None else "Somebody"
    again = "to play again" if match.rematch_of_id is not None else "to a table"
    notify(
        people,
        Kind.INVITATION,
        text=f"{by} invites you {again}: {match_name(match)}.",
        link=match.get_absolute_url(),
        match=match.slug,
        due=timezone.now() + TAKEN_BACK_WITHIN,
    )


def tell_not_invited(match: Match, people: Iterable[int]) -> None:
    """That no seat is kept for them any more: they have it, said no, or it was taken back."""
    people = list(people)
    if people:
        retract(Kind.INVITATION, match=match.slug, people=people)


def tell_declined(match: Match, by: User) -> None:
    """That somebody does not come, to the host."""
    _tell_host(
        match,
        f"{by} has declined your invitation: {match_name(match)}. The seat is open again.",
        key=f"declined-{by.pk}",
    )


def tell_waits(match: Match, days: int) -> None:
    """That a table has been open for long, to the host."""
    _tell_host(
        match,
        f"Nobody has come to your table for {days} days: {match_name(match)}. "
        "Invite somebody, give the seat to a bot, or cancel it.",
        key=WAITS,
    )


def tell_expired(match: Match) -> None:
    """That a table is cancelled because nobody came, to the host."""
    _tell_host(
        match,
        f"Nobody came to your table, so it is cancelled: {match_name(match)}.",
        WAITS,
    )


def tell_host_no_more(match: Match) -> None:
    """What the host was told of an open table holds no longer: it has begun, or is cancelled."""
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
