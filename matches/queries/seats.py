"""Seats as everybody may see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.models import User, Viewer
from matches.models import Match, SeatKind
from matches.queries.access import seat_of
from matches.queries.names import bot_at_table


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat as everybody may see it; ``mine`` for the one who looks.

    ``deck_name`` is empty until the match is finished: a name tells much of what is in a deck.
    ``username`` is empty for bots of the game, open seats and people who have left; ``is_bot``
    says of a person's account that a program plays for it.
    """

    number: int
    kind: str
    name: str
    mine: bool
    waiting: bool
    deadline_at: datetime | None
    place: int | None
    result: str = ""
    deck_name: str = ""
    bank_seconds: int | None = None
    late: bool = False
    stand_in: str = ""
    wants_cancel: bool = False
    wants_back: bool = False
    wants_draw: bool = False
    vacant: bool = False
    passed_on: bool = False
    username: str = ""
    is_guest: bool = False
    is_bot: bool = False


def seat_names(match: Match) -> list[str]:
    """How the people and bots of a match are called, by seat; no two alike."""
    names: list[str] = []
    for seat in match.seats.all():
        if seat.kind == SeatKind.BOT:
            names.append(bot_at_table(match, seat.bot, names))
        elif seat.kind == SeatKind.OPEN:
            names.append("Open seat" if seat.invited is None else f"{seat.invited} (invited)")
        else:
            names.append(str(seat.user) if seat.user is not None else "Somebody who left")
    return [
        name if names.count(name) == 1 else f"{name} ({number})"
        for number, name in enumerate(names, start=1)
    ]


def seat_infos(match: Match, user: Viewer) -> list[SeatInfo]:
    """The seats of a match for a page or an answer of the API."""
    mine = seat_of(match, user)
    return [
        SeatInfo(
            number=seat.number,
            kind=seat.kind,
            name=name,
            mine=seat.number == mine,
            waiting=seat.prompt is not None,
            deadline_at=seat.deadline_at,
            place=seat.place,
            result=seat.result,
            deck_name=seat.deck_name if match.finished else "",
            bank_seconds=None if seat.bank is None else int(seat.bank.total_seconds()),
            late=seat.late,
            stand_in=seat.stand_in,
            wants_cancel=seat.wants_cancel and mine is not None,
            wants_back=seat.wants_back is not None and mine is not None,
            wants_draw=seat.wants_draw and mine is not None,
            vacant=seat.vacant,
            passed_on=seat.given_up_at is not None,
            **_account(seat.user),
        )
        for seat, name in zip(match.seats.all(), seat_names(match), strict=True)
    ]


def _account(user: User | None) -> dict[str, Any]:
    """What a seat says of its person besides the name."""
    if user is None or not user.is_active:
        return {}
    return {"username": user.username, "is_guest": user.is_guest, "is_bot": user.is_bot}


def waiting_line(seats: Sequence[SeatInfo]) -> str:
    """For whom a table waits."""
    waiting = [seat for seat in seats if seat.waiting]
    names = " and ".join(seat.name for seat in waiting)
    if not waiting:
        return "The table is at rest."
    if all(seat.kind == SeatKind.BOT for seat in waiting):
        return f"{names} {'is' if len(waiting) == 1 else 'are'} thinking."
    return f"Waiting for {names}."
