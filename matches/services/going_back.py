"""Going back to the start of somebody's turn, if everybody at the table agrees.

It is a take-back that reaches further (``taking_back``), offered like the cancelling of a match
(``cancelling``): a word on each seat. The match is not rated from then on.
"""

from __future__ import annotations

from collections.abc import Sequence

from accounts.models import User
from matches import engine
from matches.errors import NothingOffered, NothingToTakeBack
from matches.models import Match, MoveRow, Seat, Source
from matches.queries import lessons
from matches.services import store_ply
from matches.services.offers import Word, still_to_agree, store_words
from matches.services.taking_back import require_take_backs_left
from matches.services.writing import read_table, require_running, retried


@retried
def go_back(*, slug: str, user: User, word: str) -> Match:
    """Offer to go back to the start of one's own turn, agree to what is offered, or decline.

    With the last yes the match goes back; where only bots sit opposite that is at once. Declining
    clears what all have said. The same sent twice counts once. Raises ``NothingToTakeBack`` where
    chance has decided something since or several were asked at once, and ``NothingOffered``.
    """
    match, seats, seat, table = read_table(slug, user)
    offered = next((one.wants_back for one in seats if one.wants_back is not None), None)
    rows = list(match.moves.filter(ply__lte=match.ply).order_by("ply"))
    if word == Word.AGREE and offered is None and rows and _is_agreed(rows[-1]):
        return match  # it has just gone back
    require_running(match)
    lessons.require_alone(match, table)
    if word == Word.DECLINE:
        store_words(match, seats, dict.fromkeys(seats), [], by=seat, offer="back")
        return match
    if word == Word.AGREE and offered is None:
        raise NothingOffered(
            "There is no such offer any more: somebody has moved, or has taken it back."
        )
    goal = start_of_turn(rows, seat, table) if offered is None else offered
    whose = next(row.seat for row in rows if row.ply == goal + 1)
    if word == Word.OFFER and whose != seat.number:
        raise NothingOffered("Somebody else has already offered to go back. Answer that first.")
    require_take_backs_left(rows, whose)
    start = _start(match, seats, rows, goal, table)
    saying = [one for one in seats if one is seat or one.wants_back is not None]
    if asked := still_to_agree(seats, table, saying):
        store_words(match, seats, dict.fromkeys(saying, goal), asked, by=seat, offer="back")
        return match
    match.unrated = True
    gone = [row.hidden_from for row in rows if row.ply > goal]
    row = MoveRow(
        match=match,
        ply=match.ply + 1,
        seat=whose,
        move={"back_to": goal},
        notation=engine.TAKE_BACK,
        events=[[engine.TAKEN_BACK, whose], [engine.AGREED]],
        hidden_from=engine.hidden_together(gone),
        source=Source.PERSON,
    )
    store_ply.store_row(match, seats, table.gone_back(start), row)
    return match


def start_of_turn(rows: Sequence[MoveRow], seat: Seat, table: engine.Table) -> int:
    """The ply after which a seat's last answers in a row begin; raises ``NothingToTakeBack``.

    What was taken back does not count, and an answer that begins a turn stands before it.
    """
    left: list[MoveRow] = []
    for row in rows:
        goal = engine.back_to(row.move)
        left = [*left, row] if goal is None else [one for one in left if one.ply <= goal]
    while left and left[-1].seat != seat.number:
        if left[-1].move is None:
            raise NothingToTakeBack("Somebody has given up since. That stays.")
        left.pop()
    if not left or left[-1].move is None:
        raise NothingToTakeBack("You have not answered anything yet, so there is no turn to redo.")
    first = left.pop()
    while left and left[-1].seat == seat.number and not engine.begins_turn(table, left[-1].events):
        first = left.pop()
    return first.ply - 1


def _start(
    match: Match, seats: Sequence[Seat], rows: Sequence[MoveRow], goal: int, table: engine.Table
) -> engine.Table:
    """The table at the start of the turn; raises ``NothingToTakeBack`` where it is too late."""
    start = None
    moves = [(row.seat, row.move) for row in rows]
    for ply, at in enumerate(engine.replayed(match, seats, moves)):
        if ply == goal:
            start = at.clone()
        if ply >= goal and len(at.prompts) != 1:
            raise NothingToTakeBack(
                "Several were asked at the same moment since your turn began, so it stays."
            )
    assert start is not None
    if table.drew_since(start):
        raise NothingToTakeBack("Chance has decided something since that turn began, so it stays.")
    return start


def _is_agreed(row: MoveRow) -> bool:
    return [engine.AGREED] in row.events
