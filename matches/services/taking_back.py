"""Undoing one's last answer, as long as nobody can have learnt anything from it.

Nothing is deleted: a row of its own says to which ply the match goes back, and replays follow it
(``docs/decisions/0017-talk-and-taking-back.md``).
"""

from __future__ import annotations

from collections.abc import Sequence

from accounts.models import User
from matches import engine
from matches.errors import NothingToTakeBack
from matches.models import MoveRow, Seat, Source
from matches.queries import lessons
from matches.services import store_ply
from matches.services.play import receipt
from matches.services.store_ply import PlayedAtTable
from matches.services.writing import read_table, require_running, retried

MAX_TAKEBACKS = 30
"""Takebacks per seat and match, so that each match ends."""


@retried
def take_back(*, slug: str, user: User) -> PlayedAtTable:
    """Undo one's last answer. Repeating the request returns the first receipt.

    Raises ``NothingToTakeBack`` if the answer may have revealed something, or another player has
    moved since.
    """
    match, seats, seat, table = read_table(slug, user)
    rows = list(match.moves.filter(ply__lte=match.ply).defer("events").order_by("ply"))
    if rows and rows[-1].seat == seat.number and engine.back_to(rows[-1].move) is not None:
        return receipt(match, table, rows[-1])
    require_running(match)
    lessons.require_alone(match, table)
    last = _last_answer(rows, seat, table)
    moves = [(row.seat, row.move) for row in rows[:-1]]
    after = table.gone_back(engine.replay(match, seats, moves))
    row = MoveRow(
        match=match,
        ply=match.ply + 1,
        seat=seat.number,
        move={"back_to": last.ply - 1},
        notation=engine.TAKE_BACK,
        events=[[engine.TAKEN_BACK, seat.number]],
        hidden_from=last.hidden_from,
        source=Source.PERSON,
    )
    return store_ply.store_row(match, seats, after, row)


def _last_answer(rows: Sequence[MoveRow], seat: Seat, table: engine.Table) -> MoveRow:
    """The answer to undo."""
    if not rows or not table.can_undo(seat.number) or rows[-1].seat != seat.number:
        raise NothingToTakeBack(
            "You can undo only your last move, and only if no one has moved since and nothing "
            "random or hidden was revealed."
        )
    if rows[-1].source != Source.PERSON:
        raise NothingToTakeBack(
            "You ran out of time. A move that was played for you can’t be undone."
        )
    require_take_backs_left(rows, seat.number)
    return rows[-1]


def require_take_backs_left(rows: Sequence[MoveRow], seat: int) -> None:
    """Raise ``NothingToTakeBack`` if a seat has used all its takebacks."""
    takebacks = [row for row in rows if engine.back_to(row.move) is not None]
    if sum(row.seat == seat for row in takebacks) >= MAX_TAKEBACKS:
        raise NothingToTakeBack(
            f"This player has already taken back {MAX_TAKEBACKS} times, the limit for a match."
        )
