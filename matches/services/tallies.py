"""Counts of finished matches: added to when a match ends, and computed again from all of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, F, Model, OuterRef, Q, QuerySet, Sum

from core.models import MatchFinished
from matches.models import Match, PersonTally, Result, Seat, SeatTally, Status


def read_match(finished: MatchFinished) -> None:
    """Count a match that has ended. The outbox calls this once for each."""
    match = Match.objects.filter(slug=finished.match, lesson="").first()
    if match is None or match.finished_at is None or match.started_at is None:
        return
    seats = list(match.seats.all())
    in_company = len(seats) > 1
    if not match.private:
        seconds = round((match.finished_at - match.started_at).total_seconds())
        for seat in seats:
            won = in_company and seat.result == Result.WON
            _add(
                SeatTally.objects.filter(game=match.game, mode=match.mode, seat=seat.number),
                {"game": match.game, "mode": match.mode, "seat": seat.number},
                {"played": 1, "won": int(won), "plies": match.ply, "seconds": seconds},
            )
    # By key, so that two matches that end together lock their people in one order.
    for seat in sorted(seats, key=lambda seat: seat.user_id or 0):
        if seat.user_id is None or seat.resigned_seat_at is not None:
            continue
        whose = {
            "user_id": seat.user_id,
            "game": match.game,
            "mode": match.mode,
            "private": match.private,
        }
        counts = {
            name: int(in_company and seat.result == result) for name, result in _RESULTS.items()
        }
        _add(PersonTally.objects.filter(**whose), whose, {"played": 1, **counts})


_RESULTS = {"won": Result.WON, "drawn": Result.DRAWN, "lost": Result.LOST}


def _add(rows: QuerySet[Any], key: dict[str, Any], counts: dict[str, int]) -> None:
    if not rows.update(**{name: F(name) + count for name, count in counts.items()}):
        _, created = rows.model._default_manager.get_or_create(**key, defaults=counts)
        if not created:  # written by another worker meanwhile
            rows.update(**{name: F(name) + count for name, count in counts.items()})


@transaction.atomic
def recount_people(users: Collection[int]) -> None:
    """Count the matches of these people again."""
    PersonTally.objects.filter(user__in=users).delete()
    PersonTally.objects.bulk_create(_people(Seat.objects.filter(user__in=users)))


@transaction.atomic
def recount() -> int:
    """Count all matches again; how many counts were wrong.

    Matches that end meanwhile wait: the rows are locked.
    """
    people = _people(Seat.objects.filter(user__isnull=False))
    return _renew(SeatTally, _modes()) + _renew(PersonTally, people)


def _renew(model: type[Model], rows: Sequence[Any]) -> int:
    names = [field.attname for field in model._meta.concrete_fields if field.name != "id"]
    stored = model._default_manager.select_for_update().values_list(*names)
    before, after = set(stored), {tuple(getattr(row, name) for name in names) for row in rows}
    if before != after:
        model._default_manager.all().delete()
        model._default_manager.bulk_create(rows, batch_size=500)
    return len(after - before) + len(before - after)


def _finished(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    others = Seat.objects.filter(match=OuterRef("match")).exclude(pk=OuterRef("pk"))
    ended = seats.filter(
        match__status=Status.FINISHED, match__lesson="", match__started_at__isnull=False
    )
    return ended.annotate(in_company=Exists(others)).order_by()


def _count(result: Result) -> Count:
    return Count("pk", filter=Q(result=result, in_company=True))


def _modes() -> list[SeatTally]:
    rows = (
        _finished(Seat.objects.filter(match__private=False))
        .values("match__game", "match__mode", "number")
        .annotate(
            played=Count("pk"),
            won=_count(Result.WON),
            plies=Sum("match__ply"),
            time=Sum(F("match__finished_at") - F("match__started_at")),
        )
    )
    return [
        SeatTally(
            game=row["match__game"],
            mode=row["match__mode"],
            seat=row["number"],
            played=row["played"],
            won=row["won"],
            plies=row["plies"],
            seconds=round(row["time"].total_seconds()),
        )
        for row in rows
    ]


def _people(seats: QuerySet[Seat]) -> list[PersonTally]:
    rows = (
        _finished(seats.filter(resigned_seat_at=None))
        .values("user", "match__game", "match__mode", "match__private")
        .annotate(
            played=Count("pk"),
            won=_count(Result.WON),
            drawn=_count(Result.DRAWN),
            lost=_count(Result.LOST),
        )
    )
    return [
        PersonTally(
            user_id=row["user"],
            game=row["match__game"],
            mode=row["match__mode"],
            private=row["match__private"],
            played=row["played"],
            won=row["won"],
            drawn=row["drawn"],
            lost=row["lost"],
        )
        for row in rows
    ]
