"""Ratings are computed from the rated matches, in the order in which those ended.

A match that is read early, late or twice leaves the same numbers: reading one recomputes it and all
that ended after it. The nightly task recomputes the last month and one earlier month, in turn, and
writes the differences.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import fmean
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery

import rules
from core.models import MatchFinished
from matches.models import Ladder, Match, Rating, RatingChange, Seat, Speed
from matches.queries.ratings import (
    MIN_OPPONENTS,
    FinalRank,
    Strength,
    after_match,
    rated_matches,
    rated_on,
    speed_of,
)
from matches.queries.tables import later_than

BATCH_SIZE = 500
"""Matches computed per transaction."""

MONTH = timedelta(days=30)
"""The part of the past that a night computes again, besides the last such part."""

Player = tuple[int | None, str]
"""A person's key or a bot's name; neither for a deleted user."""
_CHANGED = ("at", "match")
UNKNOWN_PLAYER: Player = (None, "")


class Moment(NamedTuple):
    """A place in the order of matches."""

    at: datetime
    match: int


def read_match(finished: MatchFinished) -> None:
    """Rate a finished match, if it counts; a subscriber of the outbox, idempotent."""
    match = rated_matches().filter(slug=finished.match).first()
    if match is None or match.finished_at is None:
        return
    ladder = _ladder(match.game, match.mode, speed_of(match))
    with transaction.atomic():
        _lock(ladder)
        before: Moment | None = Moment(match.finished_at, match.pk - 1)
        while before is not None:
            before, _ = _settle(ladder, before)


def recompute(ladder: Ladder, before: Moment | None = None) -> int:
    """Compute a ladder after a moment (None: from its first match); how many changes were wrong.

    Runs in steps with a transaction each, so that finishing a match never waits for all of it.
    """
    wrong = 0
    while True:
        before, differing = _step(ladder, before)
        wrong += differing
        if before is None:
            return wrong + _recount(ladder)


def recompute_months(ladder: Ladder, now: datetime) -> int:
    """Compute a ladder's last month again, and one earlier month; how many changes were wrong.

    Each night has the next month. Where one is wrong, all that ended after it is computed, too.
    """
    first = RatingChange.objects.order_by("at").values_list("at", flat=True).first()
    recent = now - MONTH
    months = 0 if first is None else max(0, -((first - recent) // MONTH))
    if not months:
        return recompute(ladder)
    end = recent - MONTH * (now.toordinal() % months)
    before: Moment | None = Moment(end - MONTH, 0)
    wrong = 0
    while before is not None and before.at <= end:
        before, differing = _step(ladder, before)
        wrong += differing
    return wrong + recompute(ladder, before if wrong and before else Moment(recent, 0))


def _step(ladder: Ladder, before: Moment | None) -> tuple[Moment | None, int]:
    """Compute the next matches in a transaction; returns as :func:`_settle` does."""
    with transaction.atomic():
        _lock(ladder)
        return _settle(ladder, before)


@transaction.atomic
def _recount(ladder: Ladder) -> int:
    """Count the matches of all ratings of a ladder; how many counts were wrong."""
    _lock(ladder)
    counted = Rating.objects.filter(ladder=ladder).annotate(count=Count("changes"))
    wrong = list(counted.exclude(matches=F("count")))
    for row in wrong:
        row.matches = row.count
    Rating.objects.bulk_update(wrong, ["matches"], batch_size=100)
    return len(wrong)


def all_ladders() -> list[Ladder]:
    """All ladders with rated matches, now or in the past."""
    known = {(row.game, row.mode, row.speed): row for row in Ladder.objects.all()}
    played = rated_matches().order_by().values_list("game", "mode").distinct()
    for game, mode in played:
        for speed in Speed:
            if (game, mode, speed) not in known and rated_on(game, mode, speed).exists():
                known[game, mode, speed] = _ladder(game, mode, speed)
    return [known[key] for key in sorted(known)]


def first_matches_of(user: int) -> list[tuple[int, datetime, int]]:
    """The ladders on which a person is rated, with the end and key of the first match on each."""
    changes = RatingChange.objects.filter(rating__user=user).order_by("at", "match")
    first: dict[int, tuple[int, datetime, int]] = {}
    for row in changes.values_list("rating__ladder", "at", "match"):
        first.setdefault(row[0], row)
    return list(first.values())


def _ladder(game: str, mode: str, speed: str) -> Ladder:
    return Ladder.objects.get_or_create(game=game, mode=mode, speed=speed)[0]


def _lock(ladder: Ladder) -> None:
    Ladder.objects.select_for_update().get(pk=ladder.pk)


# -- one step -------------------------------------------------------------------------------------


def _settle(ladder: Ladder, before: Moment | None) -> tuple[Moment | None, int]:
    """Compute the next matches after a moment (None: the first ones) and store the differences.

    Returns the moment to continue from (None: done) and the number of differences.
    """
    matches = _next_matches(ladder, before)
    more = len(matches) == BATCH_SIZE
    end = Moment(_ended(matches[-1]), matches[-1].pk) if more else None
    stored = RatingChange.objects.filter(rating__ladder=ladder)
    if before is not None:
        stored = stored.filter(later_than(*before, names=_CHANGED))
    if end is not None:
        stored = stored.exclude(later_than(*end, names=_CHANGED))
    players = {_player(seat) for match in matches for seat in match.seats.all()}
    strengths = _strengths(ladder, players, before)
    stayed, teams = _stayed(matches), _teams(ladder)
    wanted = {
        (match.pk, seat): (player, was, now)
        for match in matches
        for seat, player, was, now in _changes(match, stayed, strengths, teams)
    }
    return end, _store(ladder, wanted, {row.pk: _ended(row) for row in matches}, stored)


def _next_matches(ladder: Ladder, before: Moment | None) -> list[Match]:
    matches = rated_on(ladder.game, ladder.mode, ladder.speed)
    if before is not None:
        matches = matches.filter(later_than(*before))
    seats = Seat.objects.only(
        "match", "number", "user", "bot", "rank", "resigned_by", "resigned_seat_at"
    ).order_by("number")
    matches = matches.only("slug", "finished_at").prefetch_related(Prefetch("seats", seats))
    return list(matches.order_by("finished_at", "pk")[:BATCH_SIZE])


def _ended(match: Match) -> datetime:
    assert match.finished_at is not None
    return match.finished_at


def _player(seat: Seat) -> Player:
    """The player whose rating a seat counts for: the first person, if that one left the seat."""
    return (seat.user_id if seat.resigned_seat_at is None else seat.resigned_by_id), seat.bot


def _stayed(matches: Sequence[Match]) -> dict[str, list[bool]]:
    """For each match, which seats stayed to the end."""
    rows = MatchFinished.objects.filter(match__in=[match.slug for match in matches])
    return {row.match: [bool(seat["stayed"]) for seat in row.seats] for row in rows}


def _teams(ladder: Ladder) -> int:
    """How many teams play in the mode; 0 where everybody plays alone."""
    game = rules.games().get(ladder.game)
    mode = None if game is None else game.modes.get(ladder.mode)
    return 0 if mode is None else mode.teams


def _strengths(
    ladder: Ladder, players: Collection[Player], before: Moment | None
) -> dict[Player, Strength]:
    """The players' strengths just after a moment."""
    strengths: dict[Player, Strength] = defaultdict(Strength)
    if before is None:
        return strengths
    earlier = RatingChange.objects.exclude(later_than(*before, names=_CHANGED))
    last = earlier.filter(rating=OuterRef("pk")).order_by("-at", "-match_id").values("pk")[:1]
    rows = Rating.objects.filter(ladder=ladder).filter(_are(players)).annotate(last=Subquery(last))
    by_last = {row.last: row for row in rows if row.last is not None}
    for change in RatingChange.objects.filter(pk__in=by_last):
        row = by_last[change.pk]
        strengths[row.user_id, row.bot] = Strength(change.mu, change.sigma, change.at)
    return strengths


def _are(players: Collection[Player]) -> Q:
    users = [user for user, _ in players if user is not None]
    bots = [bot for _, bot in players if bot]
    return Q(user__in=users) | Q(bot__in=bots)


Change = tuple[int, Player, Strength, Strength]
"""Seat, its player, their strength before and after."""


def _changes(
    match: Match,
    stayed: Mapping[str, Sequence[bool]],
    strengths: dict[Player, Strength],
    teams: int,
) -> list[Change]:
    """The changes by a match, also made in ``strengths``; only the bots' if one plays."""
    seats, at = list(match.seats.all()), _ended(match)
    players = [_player(seat) for seat in seats]
    if len(set(players)) == 1 and UNKNOWN_PLAYER not in players:
        return []  # a bot against itself
    were = [
        (Strength() if player == UNKNOWN_PLAYER else strengths[player]).after_absence(at)
        for player in players
    ]
    kept = stayed.get(match.slug, [True] * len(seats))
    ranks = [_final_rank(seat, stays, seats) for seat, stays in zip(seats, kept, strict=True)]
    after = after_match(were, ranks, teams)
    with_bots = any(bot for _, bot in players)
    changes: list[Change] = []
    for player in dict.fromkeys(players):
        if player == UNKNOWN_PLAYER or (with_bots and not player[1]):
            continue
        numbers = [number for number, other in enumerate(players) if other == player]
        # A bot in several seats has several results; its strength becomes their average.
        mu, sigma = (fmean(getattr(after[n], name) for n in numbers) for name in ("mu", "sigma"))
        strengths[player] = Strength(mu, sigma, at)
        changes.append((numbers[0], player, were[numbers[0]], strengths[player]))
    return changes


def _final_rank(seat: Seat, stayed: bool, seats: Sequence[Seat]) -> FinalRank:
    """A seat whose first person left ranks last, whatever its replacement achieved."""
    if seat.resigned_seat_at is not None:
        return FinalRank(len(seats), stayed=False)
    return FinalRank(seat.rank or len(seats), stayed)


Wanted = Mapping[tuple[int, int], tuple[Player, Strength, Strength]]
_VALUES = ("rating_id", "at", "mu_before", "sigma_before", "mu", "sigma")


def _store(
    ladder: Ladder, wanted: Wanted, ended: Mapping[int, datetime], stored: QuerySet[RatingChange]
) -> int:
    """Store the changes that are ``wanted``, remove others, and update the ratings."""
    ratings = _rating_rows(ladder, wanted, ended)
    present = {(row.match_id, row.seat): row for row in stored}
    new, updated = [], []
    more: Counter[int] = Counter()  # matches, by rating; 0 where only the numbers differ
    for (match, seat), (player, was, now) in wanted.items():
        row = RatingChange(
            rating=ratings[player],
            match_id=match,
            seat=seat,
            at=ended[match],
            mu_before=was.mu,
            sigma_before=was.sigma,
            mu=now.mu,
            sigma=now.sigma,
        )
        old = present.pop((match, seat), None)
        if old is None:
            new.append(row)
            more[row.rating_id] += 1
        elif any(getattr(old, name) != getattr(row, name) for name in _VALUES):
            more[old.rating_id] -= 1
            more[row.rating_id] += 1
            row.pk = old.pk
            updated.append(row)
    more.subtract(row.rating_id for row in present.values())
    RatingChange.objects.filter(pk__in=[row.pk for row in present.values()]).delete()
    RatingChange.objects.bulk_create(new)
    RatingChange.objects.bulk_update(updated, ["rating", *_VALUES[1:]], batch_size=100)
    _follow(more)
    return len(new) + len(updated) + len(present)


def _rating_rows(
    ladder: Ladder, wanted: Wanted, ended: Mapping[int, datetime]
) -> dict[Player, Rating]:
    """The players' ratings; created for players who are new on the ladder."""
    players = {player: (now, ended[match]) for (match, _), (player, _, now) in wanted.items()}
    rows = Rating.objects.filter(_are(players), ladder=ladder)
    ratings = {(row.user_id, row.bot): row for row in rows}
    for (user, bot), (now, at) in players.items():
        if (user, bot) not in ratings:
            ratings[user, bot] = Rating.objects.create(
                ladder=ladder, user_id=user, bot=bot, mu=now.mu, sigma=now.sigma, at=at
            )
    return ratings


def _opponents() -> QuerySet[Any]:
    """The number of different people in the rated matches of the outer query's rating.

    It reads all of these, so it is asked only of people who have not met enough others.
    """
    matches = RatingChange.objects.filter(rating=OuterRef(OuterRef("pk"))).values("match")
    others = RatingChange.objects.filter(match__in=matches, rating__user__isnull=False)
    others = others.exclude(rating=OuterRef("pk")).order_by()
    return others.values("rating__ladder").annotate(n=Count("rating", distinct=True)).values("n")


def _follow(more: Mapping[int, int]) -> None:
    """Update ratings, by key, from their last changes, of which there are so many ``more``.

    Deletes those without changes. Nothing here reads all changes of a rating: a bot has one for
    each match that it has ever played.
    """
    changes = RatingChange.objects.filter(rating=OuterRef("pk")).order_by("-at", "-match_id")
    rows = Rating.objects.filter(pk__in=more)
    remaining = list(rows.annotate(last=Subquery(changes.values("pk")[:1])))
    last = RatingChange.objects.in_bulk([row.last for row in remaining if row.last is not None])
    for row in remaining:
        if row.last is None:
            row.delete()
            continue
        change = last[row.last]
        now = Strength(change.mu, change.sigma, change.at)
        row.mu, row.sigma, row.at = change.mu, change.sigma, change.at
        row.matches, row.settled_until = max(0, row.matches + more[row.pk]), now.settled_until
    left = [row for row in remaining if row.pk is not None]
    open_ = [row.pk for row in left if row.user_id and _may_differ(row, more[row.pk])]
    met = rows.filter(pk__in=open_).annotate(met=Subquery(_opponents()))
    opponents = dict(met.values_list("pk", "met"))
    for row in left:
        if row.pk in opponents:
            row.opponents = min(opponents[row.pk] or 0, MIN_OPPONENTS)
    fields = ["mu", "sigma", "at", "matches", "opponents", "settled_until"]
    Rating.objects.bulk_update(left, fields, batch_size=100)


def _may_differ(rating: Rating, more: int) -> bool:
    """True unless a person has met enough others and loses none of their matches."""
    return rating.opponents < MIN_OPPONENTS or more < 1
