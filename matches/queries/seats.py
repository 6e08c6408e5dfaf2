"""Seats as anyone may see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.models import User, Viewer
from matches.models import Match, Seat, SeatKind
from matches.queries.access import seat_of
from matches.queries.names import DELETED_USER, bot_at_table
from rules.engine.game import Mode


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat as anyone may see it; ``mine`` is true for the viewer's own.

    ``deck_name`` is empty until the match is finished: a name tells much about a deck. ``username``
    is empty for the game's bots, open seats and deleted users; ``is_bot`` marks bot accounts.
    """

    number: int
    kind: str
    name: str
    mine: bool
    waiting: bool
    deadline_at: datetime | None
    rank: int | None
    result: str = ""
    deck_name: str = ""
    time_bank_seconds: int | None = None
    flag_fallen: bool = False
    substitute_bot: str = ""
    wants_cancel: bool = False
    wants_takeback: bool = False
    wants_draw: bool = False
    vacant: bool = False
    passed_on: bool = False
    username: str = ""
    is_guest: bool = False
    is_bot: bool = False


def seat_label(mode: Mode, number: int) -> str:
    """“Seat 2”, and its team where the seats of the mode form teams."""
    team = f" · Team {number % mode.teams + 1}" if mode.teams else ""
    return f"Seat {number + 1}{team}"


def seat_names(match: Match) -> list[str]:
    """The names of a match's people and bots, by seat; all different."""
    names: list[str] = []
    for seat in match.seats.all():
        if seat.kind == SeatKind.BOT:
            names.append(bot_at_table(match, seat.bot, names))
        elif seat.kind == SeatKind.OPEN:
            names.append("Open seat" if seat.invited is None else f"{seat.invited} (invited)")
        else:
            names.append(_person_at(seat))
    return [
        name if names.count(name) == 1 else f"{name} ({number})"
        for number, name in enumerate(names, start=1)
    ]


def _person_at(seat: Seat) -> str:
    if seat.user is not None:
        return str(seat.user)
    return DELETED_USER if seat.resigned_by is None else f"{seat.resigned_by} (left)"


def seat_infos(match: Match, user: Viewer) -> list[SeatInfo]:
    """The seats of a match for a page or an API response."""
    mine = seat_of(match, user)
    return [
        SeatInfo(
            number=seat.number,
            kind=seat.kind,
            name=name,
            mine=seat.number == mine,
            waiting=seat.prompt is not None,
            deadline_at=seat.deadline_at,
            rank=seat.rank,
            result=seat.result,
            deck_name=seat.deck_name if match.finished else "",
            time_bank_seconds=None
            if seat.time_bank is None
            else int(seat.time_bank.total_seconds()),
            flag_fallen=seat.flag_fallen,
            substitute_bot=seat.substitute_bot,
            wants_cancel=seat.wants_cancel and mine is not None,
            wants_takeback=seat.wants_takeback is not None and mine is not None,
            wants_draw=seat.wants_draw and mine is not None,
            vacant=seat.vacant,
            passed_on=seat.resigned_seat_at is not None,
            **_account(seat.user),
        )
        for seat, name in zip(match.seats.all(), seat_names(match), strict=True)
    ]


def _account(user: User | None) -> dict[str, Any]:
    """The fields of a seat that describe its person's account."""
    if user is None or not user.is_active:
        return {}
    return {"username": user.username, "is_guest": user.is_guest, "is_bot": user.is_bot}


def waiting_line(seats: Sequence[SeatInfo]) -> str:
    """A line that says whose turn it is; empty if it is nobody's."""
    waiting = [seat for seat in seats if seat.waiting]
    names = " and ".join(seat.name for seat in waiting)
    if not waiting:
        return ""
    if all(seat.kind == SeatKind.BOT for seat in waiting):
        return f"{names} {'is' if len(waiting) == 1 else 'are'} thinking."
    return f"Waiting for {names}."
