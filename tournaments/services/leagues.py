"""Leagues: seasons of a round robin in divisions, each announced from the one before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from notices.kinds import Kind
from notices.services.notices import notify
from tournaments import divisions
from tournaments.errors import NotNow, NotPossible
from tournaments.models import TITLE_LENGTH, Entry, State, Tournament
from tournaments.queries.standings import TAKES_PART
from tournaments.services.announce import COPIED, Announcement, Prize, announce
from tournaments.services.limited_terms import terms_of
from tournaments.services.locking import lock_as_organiser

REGISTRATION = timedelta(days=7)
"""So long the registration of a next season is open; the organiser may change it."""


def divide(locked: Tournament, playing: Sequence[Entry]) -> None:
    """Give each of those who begin a division; ``playing`` have their seeds, and are not saved."""
    earlier = _places_by_person(locked.previous_id)
    entries = {entry.number: entry for entry in playing}
    returning = {
        entry.number: earlier[entry.user_id]
        for entry in playing
        if entry.user_id is not None and entry.user_id in earlier
    }
    newcomers = [entry.number for entry in playing if entry.number not in returning]
    groups = divisions.divided(
        returning,
        sorted(newcomers, key=lambda number: entries[number].seed or number),
        size=locked.division_size,
        moving=locked.moving,
    )
    for division, numbers in enumerate(groups, start=1):
        for number in numbers:
            entries[number].division = division


def _places_by_person(season: int | None) -> dict[int, divisions.Place]:
    ranked = Entry.objects.filter(tournament=season, rank__isnull=False).order_by("rank")
    rows = list(ranked.values_list("number", "division", "user"))
    places = divisions.places((number, division or 1) for number, division, _ in rows)
    return {user: places[number] for number, _, user in rows if user is not None}


@transaction.atomic
def next_season(*, tournament: Tournament, by: User) -> Tournament:
    """Announce the season after one that is over; a second time returns the same one.

    Whoever played is told. Registration opens now, for seven days. Raises ``NotAllowed``,
    ``NotNow`` and ``NotPossible``.
    """
    locked = lock_as_organiser(tournament, by)
    if not locked.is_league:
        raise NotPossible("Only a league has seasons.")
    if locked.state != State.FINISHED:
        raise NotNow("The season is not over yet.")
    following = Tournament.objects.filter(previous=locked).first()
    if following is not None:
        return following
    begins = timezone.now().replace(second=0, microsecond=0) + REGISTRATION
    new = announce(
        organiser=locked.organiser,
        announcement=Announcement(
            **{name: getattr(locked, name) for name in COPIED},
            title=title_of(locked.title, locked.season + 1),
            game=locked.game,
            mode=locked.mode,
            options=locked.options,
            format=locked.format_slug,
            limited=terms_of(locked),
            division_size=locked.division_size,
            moving=locked.moving,
            series=locked.series,
            closes_at=begins,
            starts_at=begins,
            helpers=list(
                locked.helpers.filter(is_active=True, is_guest=False).values_list(
                    "username", flat=True
                )
            ),
            prizes=[Prize(**prize) for prize in locked.prizes if locked.organiser.is_staff],
        ),
    )
    new.season, new.previous = locked.season + 1, locked
    new.save(update_fields=["season", "previous"])
    people = Entry.objects.filter(tournament=locked, state__in=TAKES_PART)
    notify(
        [pk for pk in people.values_list("user", flat=True) if pk is not None],
        Kind.TOURNAMENT,
        text=f"Registration for {new.title} is open. Enter to keep your place in the league."[:300],
        link=new.get_absolute_url(),
        key=f"{new.slug}:open",
    )
    return new


def title_of(title: str, season: int) -> str:
    """The title of another season: “City League, season 2”."""
    base = re.sub(r",? season \d+$", "", title, flags=re.IGNORECASE)
    ending = f", season {season}"
    return base[: TITLE_LENGTH - len(ending)] + ending
