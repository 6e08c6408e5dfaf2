"""Finished matches in bulk, one JSON object a line (NDJSON): for research, and for one's own use.

The form is stable and described in ``docs/export.md``; a change that could break a reader gets a
new number in ``format``. Rows are read and sent in small portions, so that it costs no more memory
for many matches than for few.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Prefetch, QuerySet

from accounts.models import User
from matches import engine
from matches.models import Match, MoveRow, Seat, Status
from matches.queries import Viewer, later_than, seat_names

FORMAT = 1
AT_ONCE = 50


def exported(
    viewer: Viewer, *, mine: bool = False, game: str = "", mode: str = "", since: datetime | None
) -> QuerySet[Match]:
    """The matches to export: all public finished ones, or all finished ones of one's own.

    In the order in which they ended, so that whoever has some asks for those since the last.
    """
    found = Match.objects.filter(status=Status.FINISHED, lesson="")
    if mine:
        own = (
            Seat.objects.filter(user=viewer.pk) if isinstance(viewer, User) else Seat.objects.none()
        )
        found = found.filter(pk__in=own.values("match"))
    else:
        found = found.filter(private=False)
    if since is not None:
        found = found.filter(finished_at__gte=since)
    wanted = {"game": game, "mode": mode}
    found = found.filter(**{name: value for name, value in wanted.items() if value})
    return found.order_by("finished_at", "pk")


def lines(matches: QuerySet[Match]) -> Iterator[str]:
    """One line a match. Portions go by the last row's place, not by a cursor that stays open."""
    told = ("match", "ply", "seat", "move", "notation", "source", "at", "by_order")
    moves = MoveRow.objects.only(*told)
    rows = matches.defer("state", "opening", "bot_secret").prefetch_related(
        Prefetch("seats", Seat.objects.select_related("user", "invited").order_by("number")),
        Prefetch("moves", moves.order_by("ply")),
    )
    after: Match | None = None
    while True:
        portion = rows
        if after is not None and after.finished_at is not None:
            portion = rows.filter(later_than(after.finished_at, after.pk))
        found = list(portion[:AT_ONCE])
        for match in found:
            yield json.dumps(record(match), cls=DjangoJSONEncoder, ensure_ascii=False) + "\n"
        if len(found) < AT_ONCE:
            return
        after = found[-1]


def record(match: Match) -> dict[str, Any]:
    """One match as the export tells it."""
    seats, moves = list(match.seats.all()), _moves(match)
    return {
        "format": FORMAT,
        "match": match.slug,
        "game": match.game,
        "mode": match.mode,
        "rules_version": match.rules_version,
        "options": match.options,
        "pace": match.pace,
        "private": match.private,
        "unrated": match.unrated,
        "started_at": match.started_at,
        "finished_at": match.finished_at,
        "outcome": match.outcome,
        "commitment": match.commitment,
        "server_seed": bytes(match.server_seed).hex(),
        "client_seeds": dict(engine.client_seeds(seats)),
        "decks": match.decks,
        "seats": [_seat(seat, name) for seat, name in zip(seats, seat_names(match), strict=True)],
        "moves": [[row.seat, row.notation, row.source, row.at] for row in moves],
        "by_standing_order": [number for number, row in enumerate(moves, 1) if row.by_order],
    }


def _moves(match: Match) -> list[MoveRow]:
    """Those that count: played one after the other they lead to the end."""
    rows = list(match.moves.all())
    gone = engine.plies_taken_back((row.ply, row.move) for row in rows)
    return [row for row in rows if row.ply not in gone]


def _seat(seat: Seat, name: str) -> dict[str, Any]:
    user = seat.user if seat.user is not None and seat.user.is_active else None
    return {
        "number": seat.number,
        "kind": seat.kind,
        "name": name,
        "username": "" if user is None else user.username,
        "is_bot": user is not None and user.is_bot,
        "bot": seat.bot,
        "place": seat.place,
        "deck_name": seat.deck_name,
        "deck": seat.deck,
    }
