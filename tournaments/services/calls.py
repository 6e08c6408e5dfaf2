"""The call before each round of a live evening: players confirm that they are present."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from core.background import after_commit, enqueue
from core.bell import ring_page
from notices.kinds import Kind
from notices.services.notices import notify
from tournaments.models import Entry, Round, Tournament
from tournaments.queries.round_names import round_names
from tournaments.queries.standings import players_next

CALL = timedelta(minutes=1)
"""Players who do not confirm within this time are dropped."""
SLACK = 0.5
"""Seconds after the moment at which a worker looks at the clock."""


def page_of(tournament: Tournament) -> str:
    """The name under which the tournament's pages hear of changes."""
    return f"tournament/{tournament.slug}"


def ring(tournament: Tournament) -> None:
    """After the commit: whoever has one of its pages open fetches it again."""
    after_commit(ring_page, page_of(tournament))


def key_of(tournament: Tournament, number: int) -> str:
    """The key of the notices that call players to a round."""
    return f"{tournament.slug}:call:{number}"


def next_number(tournament: Tournament) -> int:
    """The number of the round that is paired next."""
    return Round.objects.filter(tournament=tournament).count() + 1


def awaited(tournament: Tournament) -> QuerySet[Entry]:
    """Players of the next round who have not confirmed that they are present; bots always are."""
    return players_next(tournament).filter(
        user__isnull=False, ready_for__lt=next_number(tournament)
    )


def open_call(locked: Tournament) -> None:
    """Give players a minute to confirm, and notify those who have not yet."""
    number = next_number(locked)
    locked.called_until = timezone.now() + CALL
    locked.save(update_fields=["called_until"])
    notify(
        [pk for pk in awaited(locked).values_list("user", flat=True) if pk is not None],
        Kind.TOURNAMENT,
        text=f"{round_names(locked).of(number)} of {locked.title}: play is about to start. "
        "Confirm within a minute that you are here.",
        link=locked.get_absolute_url(),
        key=key_of(locked, number),
        deadline=locked.called_until,
    )
    look_at_clock(locked, CALL.total_seconds())
    ring(locked)


def look_at_clock(locked: Tournament, seconds: float) -> None:
    """Have a worker do what is due then; without it the next sweep does."""
    after_commit(
        enqueue, "tournaments.tasks.keep_time", locked.pk, countdown=max(0, seconds) + SLACK
    )
