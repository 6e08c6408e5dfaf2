"""The lobby: which open tables somebody may find, which running ones they may watch.

Reads only; what is done with open tables stands in ``matches.services``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import BlockKind, User, Viewer
from accounts.queries.blocks import blocked_with
from matches import engine
from matches.live import watching
from matches.models import Match, Seat, SeatKind, Series, SeriesTerms, Status, TimeControl
from matches.queries import ratings
from matches.queries.access import seat_of
from matches.queries.seats import SeatInfo, seat_infos
from matches.queries.tables import unfinished_of, visible_matches
from rules.engine.game import Mode

OPEN_FOR = timedelta(days=14)
"""How long a table waits for people before it ends."""

OPEN_FOR_LIVE = timedelta(hours=1)
"""How long open live tables wait."""

REMIND_AFTER = timedelta(days=7)
"""When its host is told that nobody has come."""

ALL_RESERVED = "The open seats of this table are reserved."


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that waits for people.

    ``options`` are all that it is played with, ``unusual`` those that are not as the mode has them.
    ``series`` is how long a series is played there; None for a single match.
    ``decks`` is “own” where everybody brings one, “shared” where all play from the host's, else
    empty. ``free`` counts the seats that are kept for nobody. ``rated`` is as it stands now: a
    guest who joins makes the match unrated. ``why_not`` says why the one who
    looks cannot take one of them, by their rating.
    """

    slug: str
    game: str
    mode: str
    host: str
    time_control: str
    seats: list[SeatInfo]
    free: int
    options: dict[str, Any]
    series: SeriesTerms | None
    unusual: dict[str, Any]
    decks: str
    listed: bool
    rated: bool
    mine: bool
    rating_from: int | None
    rating_to: int | None
    why_not: str
    created_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class RunningTable:
    """A table at which a match is played, as anybody may watch it.

    ``ply`` counts the moves that spectators could see. ``watchers`` is None where it is not known.
    """

    slug: str
    game: str
    mode: str
    time_control: str
    seats: list[SeatInfo]
    ply: int
    watchers: int | None
    mine: bool
    started_at: datetime
    moved_at: datetime


def ends_at(match: Match) -> datetime:
    """When an open table is cancelled, if nobody has come by then."""
    return match.created_at + (
        OPEN_FOR_LIVE if match.time_control == TimeControl.LIVE else OPEN_FOR
    )


def overdue_tables(now: datetime) -> QuerySet[Match]:
    """The open tables that nobody has come to in time."""
    live = Q(time_control=TimeControl.LIVE, created_at__lte=now - OPEN_FOR_LIVE)
    return Match.objects.filter(
        live | Q(created_at__lte=now - OPEN_FOR), status=Status.OPEN
    ).order_by("created_at")


def forgotten_tables(now: datetime) -> QuerySet[Match]:
    """The tables that have been open for long, and whose host was not told so."""
    return Match.objects.filter(
        status=Status.OPEN, created_at__lte=now - REMIND_AFTER, reminded_at=None
    )


def unusual_options(mode: Mode, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a match that differ from what the mode has by itself."""
    return {
        option.slug: options[option.slug]
        for option in mode.options
        if options.get(option.slug, option.default) != _plain(option.default)
    }


def option_words(mode: Mode, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The options of a match as people read them."""
    words = []
    for option in mode.options:
        value = options.get(option.slug, option.default)
        if isinstance(value, (list, tuple)):
            text = ", ".join(option.names.get(item, str(item)) for item in value) or "none"
        else:
            text = str(option.names.get(value, value))
        words.append((option.name, text))
    return words


def _plain(value: Any) -> Any:
    """As a value comes back from the database."""
    return list(value) if isinstance(value, tuple) else value


def people_kept_apart(user: Viewer) -> frozenset[int]:
    """The keys of people who are not to meet this person at a table: either has blocked the other.

    Whatever brings strangers together asks here.
    """
    if user.pk is None:
        return frozenset()
    return frozenset(blocked_with(user.pk, BlockKind.TABLES))


def open_tables(viewer: Viewer) -> QuerySet[Match]:
    """The tables of the lobby as somebody may find them, the newest first."""
    free = Seat.objects.filter(match=OuterRef("pk"), kind=SeatKind.OPEN, invited=None)
    tables = visible_matches(AnonymousUser()).filter(
        Exists(free), status=Status.OPEN, listed=True, host__is_active=True
    )
    tables = _without_those_kept_apart(tables, viewer)
    return tables.select_related("host").order_by("-created_at", "-pk")


def _without_those_kept_apart(tables: QuerySet[Match], viewer: Viewer) -> QuerySet[Match]:
    apart = people_kept_apart(viewer)
    if not apart:
        return tables
    theirs = Seat.objects.filter(match=OuterRef("pk"), user__in=apart)
    return tables.exclude(host__in=apart).exclude(Exists(theirs))


def running_tables(
    viewer: Viewer, *, among_people: bool = False, needs_player: bool = False
) -> QuerySet[Match]:
    """The public tables at which is played: by the ten minutes of their last move, then by age.

    Only moves that everybody saw count for that. ``among_people``: two people at
    least sat there at its start; ``needs_player``: somebody gave a seat up, which may be taken
    over.
    """
    public = visible_matches(AnonymousUser()).filter(status=Status.RUNNING)
    tables = _without_those_kept_apart(public, viewer)
    if among_people:
        tables = tables.filter(among_people=True)
    if needs_player:
        # By key: few seats are vacant, and an index has them.
        vacant = Seat.objects.filter(
            user=None, resigned_seat_at__isnull=False, substitute_bot__gt="", rank=None
        )
        tables = tables.filter(pk__in=vacant.values("match"), allows_replacements=True)
    return tables.order_by("-active_at", "-pk")


def invitations(user: User) -> QuerySet[Match]:
    """The open tables at which a seat is kept for this person, the newest first."""
    kept = Seat.objects.filter(match=OuterRef("pk"), kind=SeatKind.OPEN, invited=user)
    tables = unfinished_of(user).filter(Exists(kept), status=Status.OPEN)
    return tables.select_related("host").order_by("-created_at", "-pk")


def is_invited(match: Match, user: Viewer) -> bool:
    """True if a seat of this open table is reserved for the person."""
    return user.pk is not None and any(
        seat.kind == SeatKind.OPEN and seat.invited_id == user.pk for seat in match.seats.all()
    )


def shown_tables(viewer: Viewer, tables: Iterable[Match]) -> list[OpenTable]:
    """Open tables as the viewer may see them."""
    matches = list(tables)
    series = Series.objects.in_bulk({m.series_id for m in matches if m.series_id is not None})
    for match in matches:
        if match.series_id is not None:
            match.series = series[match.series_id]
    asks = any(match.rating_from is not None for match in matches)
    own = ratings.ratings_of(viewer.pk) if asks else {}
    return [_shown(viewer, match, own) for match in matches]


def why_not(match: Match, user: Viewer) -> str:
    """Why somebody cannot take a seat of an open table: all are reserved, or by their rating."""
    if is_invited(match, user):
        return ""
    free = [seat for seat in match.seats.all() if seat.kind == SeatKind.OPEN]
    if free and all(seat.invited_id is not None for seat in free):
        return ALL_RESERVED
    if match.rating_from is None:
        return ""
    return ratings.why_outside(match, ratings.ratings_of(user.pk))


def shown_running(viewer: Viewer, tables: Iterable[Match]) -> list[RunningTable]:
    """Running tables as the viewer may see them."""
    matches = list(tables)
    watchers = watching.counts([match.slug for match in matches])
    return [
        RunningTable(
            slug=match.slug,
            game=match.game,
            mode=match.mode,
            time_control=match.time_control,
            seats=seat_infos(match, viewer),
            ply=match.visible_ply(None),
            watchers=watchers.get(match.slug),
            mine=seat_of(match, viewer) is not None,
            started_at=match.started_at or match.created_at,
            moved_at=match.moved_at or match.started_at or match.created_at,
        )
        for match in matches
    ]


def _shown(viewer: Viewer, match: Match, own: Mapping[ratings.LadderName, int]) -> OpenTable:
    mode = engine.game_of(match).modes[match.mode]
    seats = match.seats.all()
    return OpenTable(
        slug=match.slug,
        game=match.game,
        mode=match.mode,
        host="" if match.host is None else str(match.host),
        time_control=match.time_control,
        seats=seat_infos(match, viewer),
        free=sum(seat.kind == SeatKind.OPEN and seat.invited_id is None for seat in seats),
        options=match.options,
        series=None if match.series is None else match.series.terms,
        unusual=unusual_options(mode, match.options),
        decks=mode.decks(match.options),
        listed=match.listed,
        rated=not ratings.why_unrated(match),
        mine=seat_of(match, viewer) is not None or match.host_id == viewer.pk,
        rating_from=match.rating_from,
        rating_to=match.rating_to,
        why_not="" if is_invited(match, viewer) else ratings.why_outside(match, own),
        created_at=match.created_at,
        ends_at=ends_at(match),
    )
