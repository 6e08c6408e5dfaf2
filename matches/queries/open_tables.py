"""Open tables as pages show them: as lines of a list, and each on a page of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User, Viewer
from accounts.queries.friends import friends_of
from matches import engine
from matches.models import Match, SeatKind, Status, TimeControl
from matches.queries import lobby
from matches.queries.seats import SeatInfo, seat_infos
from matches.services import cancelling
from rules.engine.game import Game, Mode


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """One open table of a list; ``unusual`` are the options that the mode does not have by itself,
    in words."""

    table: lobby.OpenTable
    game: Game
    mode: Mode
    time_control: str
    unusual: list[tuple[str, str]]
    people: list[SeatInfo]
    host: User | None


def open_entries(viewer: Viewer, tables: Iterable[Match]) -> list[OpenEntry]:
    """Open tables as lines of a list."""
    matches = list(tables)
    return [
        _open_entry(match, table)
        for match, table in zip(matches, lobby.shown_tables(viewer, matches), strict=True)
    ]


def _open_entry(match: Match, table: lobby.OpenTable) -> OpenEntry:
    game = engine.game_of(match)
    mode = game.modes[match.mode]
    options = zip(mode.options, lobby.option_words(mode, match.options), strict=True)
    series = [("Series", table.series.words)] if table.series is not None else []
    return OpenEntry(
        table=table,
        game=game,
        mode=mode,
        time_control=TimeControl(match.time_control).label,
        unusual=series + [words for option, words in options if option.slug in table.unusual],
        people=[seat for seat in table.seats if seat.kind != SeatKind.OPEN],
        host=match.host,
    )


@dataclass(frozen=True)
class OpenTablePage:
    """A table that has not begun, or was cancelled: ``cancelled_because``, if it had begun.

    ``kept`` counts the open seats if all of them are kept for somebody. ``friends`` are those whom
    its host may still invite.
    """

    match: Match
    game: Game
    mode: Mode
    seats: list[SeatInfo]
    kept: int
    options: list[tuple[str, str]]
    ends_at: datetime
    hosting: bool
    friends: list[User]
    cancelled_because: str


def open_table_page(match: Match, user: Viewer) -> OpenTablePage:
    """The page for somebody who sits there or hosts it, or after it was cancelled for anybody."""
    game = engine.game_of(match)
    mode = game.modes[match.mode]
    seats = match.seats.all()
    free = [seat for seat in seats if seat.kind == SeatKind.OPEN]
    hosting = match.host_id == user.pk and match.status == Status.OPEN
    friends: list[User] = []
    if hosting and isinstance(user, User):
        at_table = {seat.user_id for seat in seats} | {seat.invited_id for seat in seats}
        friends = [friend for friend in friends_of(user).friends if friend.pk not in at_table]
    return OpenTablePage(
        match=match,
        game=game,
        mode=mode,
        seats=seat_infos(match, user),
        kept=len(free) if all(seat.invited_id is not None for seat in free) else 0,
        options=lobby.option_words(mode, match.options),
        ends_at=lobby.ends_at(match),
        hosting=hosting,
        friends=friends,
        cancelled_because=cancelling.CANCELLATION_REASONS.get(match.reason, ""),
    )
