"""People's profiles from their finished matches: ratings, statistics, common matches.

What others see of somebody is theirs to say (``User.shows_…``). Private matches never show to
anybody but those who played them, not even as a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from django.contrib.humanize.templatetags.humanize import ordinal
from django.db.models import (
    Case,
    Count,
    Exists,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Sum,
    When,
)
from django.utils import timezone
from django.utils.text import get_text_list

import rules
from accounts.models import User, Viewer
from core.serializers import INTERNAL, Doc
from matches import engine
from matches.errors import NotPossible, UnknownMode
from matches.models import (
    Ladder,
    Match,
    PersonTally,
    Rating,
    RatingChange,
    Result,
    Seat,
    Speed,
    Status,
)
from matches.queries import names
from matches.queries.ratings import (
    MIN_MATCHES,
    MIN_OPPONENTS,
    PROVISIONAL_ABOVE,
    Strength,
    margin,
    shown,
    why_mode_unrated,
)
from matches.queries.seats import seat_names
from matches.queries.tables import listed
from rules.engine.game import Game, Mode

RECENT = 20
"""So many matches a person's page lists."""
MAX_RECENT_READ = 200
"""They are looked for among the person's last finished matches, lessons and private ones too."""
MAX_DECKS = 8
MAX_DECKS_READ = 200
"""The person's last public tables whose decks are counted."""
CURVE = 100
"""So many of the last changes a curve has."""


# -- ratings --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RatingShown:
    """A rating as people see it, `rating` ± `margin`; a provisional one is not much to go by."""

    rank: Annotated[int | None, Doc("Its place on the leaderboard; null in other answers.")]
    username: Annotated[str, Doc("Empty for bots of the game.")]
    name: str
    bot: Annotated[str, Doc("The game’s bot; empty for people.")]
    is_guest: bool
    is_bot: Annotated[bool, Doc("A program plays for this account.")]
    game: str
    mode: str
    speed: Annotated[str, Doc(choices=Speed.choices)]
    rating: int
    margin: int
    provisional: bool
    matches: Annotated[int, Doc("How many matches counted.")]
    last_at: datetime


def board(game: str, mode: str, speed: str) -> QuerySet[Rating]:
    """The settled ratings of a ladder, the best first, without those that are kept private."""
    ratings = on_ladder(game, mode, speed).filter(
        matches__gte=MIN_MATCHES, settled_until__gt=timezone.now()
    )
    ratings = ratings.filter(Q(user=None) | Q(opponents__gte=MIN_OPPONENTS))
    everybodys = Q(user=None) | Q(user__is_active=True, user__shows_record=True)
    ratings = ratings.filter(everybodys).select_related("user", "ladder")
    return ratings.order_by("-mu", "pk")


def on_ladder(game: str, mode: str, speed: str) -> QuerySet[Rating]:
    """All ratings of a ladder."""
    # By key, not by a join: so an index has them in the order of their strength.
    ladder = Ladder.objects.filter(game=game, mode=mode, speed=speed).values("pk")
    return Rating.objects.filter(ladder=ladder[:1])


def board_shown(rows: Sequence[Rating]) -> list[RatingShown]:
    """A page of a board with its ranks; equal ratings share one."""
    if not rows:
        return []
    first = rows[0]
    ladder = first.ladder
    # Only down to this page: a rank over the whole board would read all of it.
    before = board(ladder.game, ladder.mode, ladder.speed).filter(mu__gte=first.mu).order_by()
    counts = before.aggregate(
        better=Count("pk", filter=Q(mu__gt=first.mu)), equal=Count("pk", filter=Q(mu=first.mu))
    )
    rank, following = counts["better"] + 1, counts["better"] + counts["equal"] + 1
    ranks = []
    for row, previous in zip(rows, (first, *rows), strict=False):
        if row.mu < previous.mu:
            rank = following
        if row.mu < first.mu:
            following += 1
        ranks.append(rank)
    now = timezone.now()
    return [_rating_shown(row, now, rank) for row, rank in zip(rows, ranks, strict=True)]


def bot_places(game: str, mode: str) -> dict[str, str]:
    """Where bots stand on the leaderboards of a mode, by slug: “3rd (Live)”.

    Bots that have no established rating there are left out.
    """
    places: dict[str, list[str]] = {}
    for speed in Speed:
        for row in board(game, mode, speed).filter(user=None):
            rank = board_shown([row])[0].rank
            places.setdefault(row.bot, []).append(f"{ordinal(rank)} ({speed.label})")
    return {bot: ", ".join(words) for bot, words in places.items()}


def ratings_shown(rows: Iterable[Rating]) -> list[RatingShown]:
    """These ratings as they are today, after what absence adds."""
    now = timezone.now()
    return [_rating_shown(row, now) for row in rows]


def _rating_shown(row: Rating, now: datetime, rank: int | None = None) -> RatingShown:
    strength = Strength(row.mu, row.sigma, row.at).after_absence(now)
    user, ladder = row.user, row.ladder
    return RatingShown(
        rank=rank,
        username="" if user is None else user.username,
        name=names.bot_name(ladder.game, row.bot) if user is None else str(user),
        bot=row.bot,
        is_guest=user is not None and user.is_guest,
        is_bot=user is not None and user.is_bot,
        game=ladder.game,
        mode=ladder.mode,
        speed=Speed(ladder.speed),
        rating=shown(row.mu),
        margin=margin(strength.sigma),
        provisional=strength.sigma > PROVISIONAL_ABOVE,
        matches=row.matches,
        last_at=row.at,
    )


@dataclass(frozen=True, slots=True)
class RatingChanged:
    """The change of a seat's rating by a match."""

    seat: int
    before: int
    after: int
    margin: int
    provisional: bool

    @property
    def difference(self) -> str:
        """With its sign, in typographers' minus."""
        change = self.after - self.before
        return f"{change:+d}".replace("-", "−") if change else "±0"


def _changed(row: RatingChange) -> RatingChanged:
    return RatingChanged(
        seat=row.seat,
        before=shown(row.mu_before),
        after=shown(row.mu),
        margin=margin(row.sigma),
        provisional=row.sigma > PROVISIONAL_ABOVE,
    )


def rating_changes(viewer: Viewer, match: Match) -> list[RatingChanged]:
    """The rating changes by a match, except private ones."""
    rows = RatingChange.objects.filter(match=match).order_by("seat")
    everybodys = Q(rating__user=None) | Q(rating__user__shows_record=True)
    return [_changed(row) for row in rows.filter(everybodys | Q(rating__user=viewer.pk))]


# -- a person -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ModeRecord:
    """A person's results in one mode. Solo matches have none."""

    game: str
    mode: str
    played: int
    won: Annotated[int, Doc("Also where the first place was shared with some.")]
    drawn: Annotated[int, Doc("All shared the first place.")]
    lost: int


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating after a match."""

    at: datetime
    match: Annotated[str, Doc("The match’s slug.")]
    rating: int
    margin: int


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """A rating and how it came about."""

    now: RatingShown
    points: Annotated[list[RatingPoint], Doc(f"The last {CURVE}, the oldest first.")]


@dataclass(frozen=True, slots=True)
class DeckPlayed:
    """A deck that a person plays, by its name at public tables."""

    game: str
    name: str
    played: int
    won: int


@dataclass(frozen=True, slots=True)
class RecentMatch:
    """A finished match of a person."""

    match: Annotated[str, Doc("Its slug.")]
    game: str
    mode: str
    finished_at: datetime
    seats: Annotated[int, Doc("How many.")]
    rank: int | None
    others: Annotated[list[str], Doc("Names, as they stood at the table.")]
    change: Annotated[RatingChanged | None, Doc("Null: not rated.")]
    private: Annotated[bool, Doc("Visible here only to its players.")]
    standing: Annotated[str, INTERNAL]
    company: Annotated[str, INTERNAL]


@dataclass(frozen=True, slots=True)
class Between:
    """The matches that you and the person both played: how the person came off against you."""

    played: int
    ahead: int
    level: int
    behind: int


@dataclass(frozen=True, slots=True)
class PersonShown:
    """A person, as far as their profile is visible to you; hidden parts are null."""

    username: str
    name: str
    is_guest: bool
    is_bot: Annotated[bool, Doc("A program plays for this account.")]
    since: datetime
    record: list[ModeRecord] | None
    ratings: list[RatingHistory] | None
    decks: Annotated[
        list[DeckPlayed] | None,
        Doc(f"Those most played at the last {MAX_DECKS_READ} public tables."),
    ]
    recent: Annotated[list[RecentMatch] | None, Doc(f"The last {RECENT} finished matches.")]
    between: Annotated[Between | None, Doc("Null for yourself and without an account.")]


def person_shown(viewer: Viewer, user: User) -> PersonShown:
    """A person's profile as the viewer may see it."""
    own = viewer.pk == user.pk
    seats = _finished_seats(user, own=own)
    return PersonShown(
        username=user.username,
        name=str(user),
        is_guest=user.is_guest,
        is_bot=user.is_bot,
        since=user.date_joined,
        record=_record(user, own=own) if own or user.shows_record else None,
        ratings=_ratings(user) if own or user.shows_record else None,
        decks=_decks(seats) if own or user.shows_decks else None,
        recent=_recent(user, own=own) if own or user.shows_matches else None,
        between=None if own or viewer.pk is None else _between(viewer.pk, user.pk),
    )


def _finished_seats(user: User, *, own: bool) -> QuerySet[Seat]:
    """The seats of somebody at finished matches; the private ones for nobody but oneself.

    Seats taken over from others don't count either.
    """
    seats = Seat.objects.filter(
        user=user,
        finished_at__isnull=False,
        match__initial_position__isnull=True,
        resigned_seat_at=None,
    )
    if not own:
        seats = seats.filter(match__private=False)
    others = Seat.objects.filter(match=OuterRef("match")).exclude(pk=OuterRef("pk"))
    return seats.annotate(in_company=Exists(others))


_LATEST = ("-finished_at", "-match_id")
"""Finished seats as an index has them, which leaves out those that still run."""
_WON = Q(result=Result.WON, in_company=True)


def _record(user: User, *, own: bool) -> list[ModeRecord]:
    tallies = PersonTally.objects.filter(user=user)
    if not own:
        tallies = tallies.filter(private=False)
    rows = tallies.values("game", "mode").annotate(
        plays=Sum("played"), wins=Sum("won"), draws=Sum("drawn"), losses=Sum("lost")
    )
    return [
        ModeRecord(row["game"], row["mode"], row["plays"], row["wins"], row["draws"], row["losses"])
        for row in rows.order_by("-plays", "game", "mode")
    ]


def _decks(seats: QuerySet[Seat]) -> list[DeckPlayed]:
    public = seats.filter(match__private=False).exclude(deck_name="")
    won = Case(When(_WON, then=1), default=0)
    latest = public.order_by(*_LATEST).values_list("match__game", "deck_name", won)
    played, wins = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for game, name, is_won in latest[:MAX_DECKS_READ]:
        played[game, name] += 1
        wins[game, name] += is_won
    decks = [DeckPlayed(*deck, count, wins[deck]) for deck, count in played.items()]
    return sorted(decks, key=lambda deck: (-deck.played, deck.name))[:MAX_DECKS]


def _ratings(user: User) -> list[RatingHistory]:
    ratings = Rating.objects.filter(user=user).select_related("user", "ladder")
    newest = RatingChange.objects.filter(rating=OuterRef("pk")).order_by("-at", "-match_id")
    first = Subquery(newest.values("at")[CURVE - 1 : CURVE])
    rows = list(ratings.annotate(first=first).order_by("-matches", "pk"))
    # From where each curve begins: all changes of a program would be thousands.
    shown_ones = Q()
    for row in rows:
        shown_ones |= Q(rating=row) if row.first is None else Q(rating=row, at__gte=row.first)
    changes = RatingChange.objects.filter(shown_ones) if rows else RatingChange.objects.none()
    changes = changes.select_related("match").only("rating", "at", "mu", "sigma", "match__slug")
    points: dict[int, list[RatingPoint]] = {row.pk: [] for row in rows}
    for change in changes.order_by("-at", "-match_id"):
        if len(points[change.rating_id]) < CURVE:
            point = RatingPoint(
                change.at, change.match.slug, shown(change.mu), margin(change.sigma)
            )
            points[change.rating_id].append(point)
    now = timezone.now()
    return [RatingHistory(_rating_shown(row, now), points[row.pk][::-1]) for row in rows]


def _recent(user: User, *, own: bool) -> list[RecentMatch]:
    seats = Seat.objects.filter(user=user, finished_at__isnull=False).order_by(*_LATEST)
    latest = seats.values("match")[:MAX_RECENT_READ]
    matches = listed().filter(status=Status.FINISHED, initial_position__isnull=True, pk__in=latest)
    if not own:
        matches = matches.filter(private=False)
    shows = own or user.shows_record
    # Of all seats of these matches: by rating, all changes of a program would be read.
    changes = (
        RatingChange.objects.select_related("rating") if shows else RatingChange.objects.none()
    )
    matches = matches.prefetch_related(Prefetch("rating_changes", changes, to_attr="its_changes"))
    return [
        _recent_match(user, match) for match in matches.order_by("-finished_at", "-pk")[:RECENT]
    ]


def _recent_match(user: User, match: Any) -> RecentMatch:
    seats: Sequence[Seat] = list(match.seats.all())
    called = seat_names(match)
    mine = next(seat for seat in seats if seat.user_id == user.pk)
    return RecentMatch(
        match=match.slug,
        game=match.game,
        mode=match.mode,
        finished_at=match.finished_at,
        seats=len(seats),
        rank=mine.rank,
        others=[called[seat.number] for seat in seats if seat.pk != mine.pk],
        change=next((_changed(c) for c in match.its_changes if c.rating.user_id == user.pk), None),
        private=match.private,
        standing=_standing(mine, seats, match),
        company=_company(mine, called, match) or "solo",
    )


def _mode_of(match: Match) -> Mode | None:
    game = rules.games().get(match.game)
    return None if game is None else game.modes.get(match.mode)


def _company(mine: Seat, called: Sequence[str], match: Match) -> str:
    """“with Ann against Ben and Cleo”: who was on the person's side, and who was not."""
    mode = _mode_of(match)
    own_side: Collection[int] = (mine.number,)
    if mode is not None:
        seats = len(called)
        own_side = range(seats) if mode.together else mode.party(mine.number, seats)
    partners = [called[seat] for seat in own_side if seat != mine.number]
    rivals = [name for seat, name in enumerate(called) if seat not in own_side]
    sides = (("with", partners), ("against", rivals))
    return " ".join(f"{link} {get_text_list(side, 'and')}" for link, side in sides if side)


def _standing(mine: Seat, seats: Sequence[Seat], match: Match) -> str:
    """The place among several; of two seats or teams, or where all play together, the result."""
    if len(seats) == 1 or mine.rank is None:
        return "–"
    mode = _mode_of(match)
    parties = len(seats) if mode is None else mode.parties(len(seats))
    if parties == 2 or (mode is not None and mode.together):
        return str(mine.get_result_display())
    return f"{ordinal(mine.rank)}"


def _between(reader: int, other: int) -> Between:
    """How two people came off against each other; the private tables that both sat at count."""
    own = Seat.objects.filter(resigned_seat_at=None)  # what one took over says nothing of one
    mine = own.filter(match=OuterRef("match"), user=reader, rank__isnull=False)
    seats = own.filter(user=other, match__status=Status.FINISHED)
    met = seats.filter(Exists(mine))
    counts = met.aggregate(
        played=Count("pk"),
        ahead=Count("pk", filter=Exists(mine.filter(rank__gt=OuterRef("rank")))),
        behind=Count("pk", filter=Exists(mine.filter(rank__lt=OuterRef("rank")))),
    )
    played, ahead, behind = counts["played"], counts["ahead"], counts["behind"]
    return Between(played, ahead, played - ahead - behind, behind)


def require_rated(game: str, mode: str) -> tuple[Game, Mode]:
    """The game and its mode; raises ``UnknownMode``, also for a mode that has no ladder."""
    try:
        known, known_mode = engine.find_mode(game, mode)
    except NotPossible as error:
        raise UnknownMode(error.detail) from error
    if why := why_mode_unrated(known_mode):
        raise UnknownMode(why)
    return known, known_mode
