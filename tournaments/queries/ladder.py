"""Ladders as pages and the API show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import Q, QuerySet
from django.utils import timezone

from core.serializers import INTERNAL, Doc, component, from_row
from tournaments.models import (
    LIVE_CHALLENGES,
    Challenge,
    ChallengeState,
    Entry,
    EntryState,
    RankChange,
    State,
    Tournament,
    name_of,
)
from tournaments.services.ladder import AGAIN, REACH

PAGE_CHALLENGES = 60
"""Challenges of others on a ladder's page; the API lists all."""


@component("LadderChallenge")
@dataclass(frozen=True, slots=True)
class ChallengeShown:
    """A challenge on a ladder."""

    number: Annotated[int, Doc("In the ladder, from 1.")]
    challenger: Annotated[int, Doc("The entry's number.")]
    challenger_name: str
    challenger_rank: Annotated[int, Doc("When the challenge was made.")]
    challenged: Annotated[int, Doc("The entry's number.")]
    challenged_name: str
    challenged_rank: Annotated[int, Doc("When the challenge was made.")]
    state: Annotated[str, Doc(choices=ChallengeState.choices)]
    match: Annotated[str | None, Doc("The match's public id; of a series its first.")]
    made_at: datetime
    answer_by: Annotated[datetime, Doc("Without a reply by then the place is lost.")]
    ended_at: datetime | None
    label: Annotated[str, INTERNAL] = ""

    @property
    def is_open(self) -> bool:
        """It waits for a reply."""
        return self.state == ChallengeState.OPEN


@component("LadderRankChange")
@dataclass(frozen=True, slots=True)
class RankChangeShown:
    """A change of place on a ladder."""

    entry: Annotated[int, Doc("The entry's number.")]
    name: str
    before: Annotated[int | None, Doc("Null: not on the ladder before.")]
    after: Annotated[int | None, Doc("Null: off the ladder.")]
    challenge: Annotated[int | None, Doc("The challenge that changed it.")]
    at: datetime


def challenges(tournament: Tournament) -> QuerySet[Challenge]:
    """All challenges of a ladder."""
    rows = Challenge.objects.filter(tournament=tournament)
    return rows.select_related("challenger__user", "challenged__user", "pairing__match")


def challenges_shown(rows: Iterable[Challenge]) -> list[ChallengeShown]:
    """Challenges that were read by :func:`challenges`."""
    return [
        from_row(
            ChallengeShown,
            row,
            challenger=row.challenger.number,
            challenger_name=name_of(row.challenger),
            challenged=row.challenged.number,
            challenged_name=name_of(row.challenged),
            match=row.pairing.match.slug if row.pairing and row.pairing.match else None,
            label=row.get_state_display(),
        )
        for row in rows
    ]


def live_challenges(tournament: Tournament, own: Entry | None) -> list[ChallengeShown]:
    """Challenges that are open or played: one's own, then the others, the oldest first."""
    rows = challenges(tournament).filter(state__in=LIVE_CHALLENGES).order_by("number")
    if own is None:
        return challenges_shown(rows[:PAGE_CHALLENGES])
    mine = Q(challenger=own) | Q(challenged=own)
    return challenges_shown([*rows.filter(mine), *rows.exclude(mine)[:PAGE_CHALLENGES]])


def history(tournament: Tournament) -> QuerySet[RankChange]:
    """All changes of place."""
    rows = RankChange.objects.filter(tournament=tournament)
    return rows.select_related("entry__user", "challenge")


def history_shown(rows: Iterable[RankChange]) -> list[RankChangeShown]:
    """Changes that were read by :func:`history`."""
    return [
        from_row(
            RankChangeShown,
            row,
            entry=row.entry.number,
            name=name_of(row.entry),
            challenge=row.challenge.number if row.challenge else None,
        )
        for row in rows
    ]


def may_challenge(tournament: Tournament, entry: Entry | None) -> set[int]:
    """The numbers of the entries that this one can challenge now."""
    if entry is None or entry.rank is None or tournament.state != State.RUNNING:
        return set()
    if entry.state != EntryState.ENTERED:
        return set()
    rows = Challenge.objects.filter(tournament=tournament)
    live = rows.filter(state__in=LIVE_CHALLENGES)
    busy = {pk for pair in live.values_list("challenger", "challenged") for pk in pair}
    if entry.pk in busy:
        return set()
    since = timezone.now() - AGAIN
    recent = rows.filter(challenger=entry, ended_at__gt=since).values_list("challenged", flat=True)
    above = Entry.objects.filter(
        tournament=tournament, state=EntryState.ENTERED,
        rank__gte=entry.rank - REACH, rank__lt=entry.rank,
    )  # fmt: skip
    return set(above.exclude(pk__in=busy.union(recent)).values_list("number", flat=True))
