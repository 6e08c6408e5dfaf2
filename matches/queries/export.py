"""Finished matches in bulk, one JSON object a line (NDJSON): for research, and for one's own use.

The form is stable and described in ``docs/export.md``; a change that could break a reader gets a
new number in ``format``. Matches are read in small pages by key, each of them when its lines are
about to be sent, and one answer has so many lines at most.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Prefetch, QuerySet

from accounts.models import User, Viewer
from core import replica
from matches import engine
from matches.errors import UnknownMatch
from matches.models import Match, MoveRow, Seat, Status
from matches.moves import lost_on_time, moves_of_each
from matches.queries.seats import seat_names
from matches.queries.tables import later_than

FORMAT = 1
PAGE_SIZE = 10
"""Matches that are read at once: a match may have a thousand moves."""
MAX_LINES = 1000
"""Lines of one answer; whoever wants more asks again, from the last one on."""


def exported(
    viewer: Viewer,
    *,
    mine: bool = False,
    game: str = "",
    mode: str = "",
    since: datetime | None = None,
    after: str = "",
) -> QuerySet[Match]:
    """The matches to export: all public finished ones, or all finished ones of one's own.

    In the order in which they ended. ``after`` is the slug of one of them; those behind it are
    given. Raises ``UnknownMatch`` if it is not one of them.
    """
    matches = Match.objects.filter(status=Status.FINISHED, initial_position__isnull=True)
    if mine:
        own = (
            Seat.objects.filter(user=viewer.pk) if isinstance(viewer, User) else Seat.objects.none()
        )
        matches = matches.filter(pk__in=own.values("match"))
    else:
        matches = matches.filter(private=False)
    if after:
        last = matches.filter(slug=after).values_list("finished_at", "pk").first()
        if last is None or last[0] is None:
            raise UnknownMatch(f"No match “{after[:20]}” is in this export.")
        matches = matches.filter(later_than(last[0], last[1]))
    if since is not None:
        matches = matches.filter(finished_at__gte=since)
    wanted = {"game": game, "mode": mode}
    matches = matches.filter(**{name: value for name, value in wanted.items() if value})
    return matches.order_by("finished_at", "pk")


def lines(matches: QuerySet[Match], *, from_replica: bool = False) -> Iterator[str]:
    """One line a match, at most ``MAX_LINES``."""
    rows = (
        matches.select_related("archive")
        .defer("state", "opening_events", "bot_secret")
        .prefetch_related(
            Prefetch(
                "seats",
                Seat.objects.select_related("user", "invited", "resigned_by").order_by("number"),
            )
        )
    )
    left = MAX_LINES
    page = rows
    while left > 0:
        load = partial(_page, page[: min(PAGE_SIZE, left)])
        loaded = replica.read(load) if from_replica else load()
        for match, moves in loaded:
            line = record(match, moves)
            yield json.dumps(line, cls=DjangoJSONEncoder, ensure_ascii=False) + "\n"
        if len(loaded) < PAGE_SIZE:
            return
        left -= len(loaded)
        last, _ = loaded[-1]
        assert last.finished_at is not None
        page = rows.filter(later_than(last.finished_at, last.pk))


def _page(matches: QuerySet[Match]) -> list[tuple[Match, list[MoveRow]]]:
    rows = list(matches.all())  # a second time, if the replica fails
    moves = moves_of_each(rows)
    return [(match, moves[match.pk]) for match in rows]


def record(match: Match, stored: Sequence[MoveRow]) -> dict[str, Any]:
    """One match as the export tells it, without what was taken back.

    Its moves, played one after the other, lead to the end.
    """
    seats = list(match.seats.all())
    gone = engine.plies_taken_back(stored)
    moves = [row for row in stored if row.ply not in gone]
    return {
        "format": FORMAT,
        "match": match.slug,
        "game": match.game,
        "mode": match.mode,
        "rules_version": match.rules_version,
        "options": match.options,
        "time_control": match.time_control,
        "private": match.private,
        "unrated": match.unrated,
        "started_at": match.started_at,
        "finished_at": match.finished_at,
        "outcome": match.outcome,
        "lost_on_time": lost_on_time(moves),
        "commitment": match.commitment,
        "server_seed": bytes(match.server_seed).hex(),
        "client_seeds": dict(engine.client_seeds(seats)),
        "decks": match.decks,
        "seats": [_seat(seat, name) for seat, name in zip(seats, seat_names(match), strict=True)],
        "moves": [[row.seat, row.notation, row.source, row.at] for row in moves],
        "by_standing_order": [number for number, row in enumerate(moves, 1) if row.by_order],
    }


def _seat(seat: Seat, name: str) -> dict[str, Any]:
    user = seat.user if seat.user is not None and seat.user.is_active else None
    return {
        "number": seat.number,
        "kind": seat.kind,
        "name": name,
        "username": "" if user is None else user.username,
        "is_bot": user is not None and user.is_bot,
        "bot": seat.bot,
        "rank": seat.rank,
        "deck_name": seat.deck_name,
        "deck": seat.deck,
    }
