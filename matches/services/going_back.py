"""Takebacks: going back to the start of a turn, with everyone's consent.

Unlike undoing one's last answer (``taking_back``) it needs the consent of all players, which is
collected like that to cancelling a match (``cancelling``). It makes the match unrated.
"""

from __future__ import annotations

from collections.abc import Sequence

from accounts.models import User
from matches import engine
from matches.errors import NothingOffered, NothingToTakeBack
from matches.models import Match, MoveRow, Seat, Source, Unrated
from matches.queries import lessons
from matches.services import store_ply
from matches.services.offers import Word, still_to_agree, store_words
from matches.services.taking_back import require_take_backs_left
from matches.services.writing import read_table, require_running, retried


@retried
def go_back(*, slug: str, user: User, word: str) -> Match:
    """Request a takeback to the start of one's own turn, agree to a request, or decline it.

    When all have agreed the match goes back, against bots at once. Declining clears all words.
    Repeats count once. Raises ``NothingToTakeBack`` where something random happened since or
    several seats had a prompt at once, and ``NothingOffered``.
    """
    match, seats, seat, table = read_table(slug, user)
    offered = next((row.wants_takeback for row in seats if row.wants_takeback is not None), None)
    rows = list(match.moves.filter(ply__lte=match.ply).order_by("ply"))
    if word == Word.AGREE and offered is None and rows and _is_agreed(rows[-1]):
        return match  # this takeback is done already
    require_running(match)
    lessons.require_alone(match, table)
    if word == Word.DECLINE:
        store_words(match, seats, dict.fromkeys(seats), [], by=seat, offer="takeback")
        return match
    if word == Word.AGREE and offered is None:
        raise NothingOffered(
            "This request is no longer open: a player has moved, or it was withdrawn."
        )
    goal = start_of_turn(rows, seat, table) if offered is None else offered
    whose = next(row.seat for row in rows if row.ply == goal + 1)
    if word == Word.OFFER and whose != seat.number:
        raise NothingOffered("Another player has already requested a takeback. Answer that first.")
    require_take_backs_left(rows, whose)
    start = _start(match, seats, rows, goal, table)
    agreeing = [row for row in seats if row is seat or row.wants_takeback is not None]
    if missing := still_to_agree(seats, table, agreeing):
        store_words(match, seats, dict.fromkeys(agreeing, goal), missing, by=seat, offer="takeback")
        return match
    match.unrated = Unrated.TAKEBACK
    undone = [row.hidden_from for row in rows if row.ply > goal]
    row = MoveRow(
        match=match,
        ply=match.ply + 1,
        seat=whose,
        move={"back_to": goal},
        notation=engine.TAKE_BACK,
        events=[[engine.TAKEN_BACK, whose], [engine.AGREED]],
        hidden_from=engine.hidden_together(undone),
        source=Source.PERSON,
    )
    store_ply.store_row(match, seats, table.gone_back(start), row)
    return match


def start_of_turn(rows: Sequence[MoveRow], seat: Seat, table: engine.Table) -> int:
    """The ply after which a seat's last answers in a row begin; raises ``NothingToTakeBack``.

    Undone answers don't count. An answer that begins a turn belongs to the turn before.
    """
    left: list[MoveRow] = []
    for row in rows:
        goal = engine.back_to(row.move)
        left = [*left, row] if goal is None else [kept for kept in left if kept.ply <= goal]
    while left and left[-1].seat != seat.number:
        if left[-1].move is None:
            raise NothingToTakeBack("You can’t take back that turn: a player has conceded since.")
        left.pop()
    if not left or left[-1].move is None:
        raise NothingToTakeBack("You have not moved yet, so there is nothing to take back.")
    first = left.pop()
    while left and left[-1].seat == seat.number and not engine.begins_turn(table, left[-1].events):
        first = left.pop()
    return first.ply - 1


def _start(
    match: Match, seats: Sequence[Seat], rows: Sequence[MoveRow], goal: int, table: engine.Table
) -> engine.Table:
    """The table at the start of the turn; raises ``NothingToTakeBack`` if it can't be undone."""
    start = None
    moves = [(row.seat, row.move) for row in rows]
    for ply, replayed in enumerate(engine.replayed(match, seats, moves)):
        if ply == goal:
            start = replayed.clone()
        if ply >= goal and len(replayed.prompts) != 1:
            raise NothingToTakeBack(
                "You can’t take back that turn: several players had to move at once since."
            )
    assert start is not None
    if table.drew_since(start):
        raise NothingToTakeBack(
            "You can’t take back that turn: something random has happened since."
        )
    return start


def _is_agreed(row: MoveRow) -> bool:
    return [engine.AGREED] in row.events
