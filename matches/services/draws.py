"""Agreeing on a draw, where the rules know that: an offer that stands until others move."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.models import User
from matches import engine
from matches.errors import NothingOffered
from matches.models import Match, MoveRow, Seat, SeatKind, Source
from matches.services import store_ply
from matches.services.offers import Word, still_to_agree, store_words
from matches.services.writing import read_table, require_running, retried


@retried
def agree_on_draw(*, slug: str, user: User, word: str) -> Match:
    """Offer a draw, agree to one that is offered, or decline.

    When all have agreed the match ends; offering back counts as agreeing.
    Declining clears all offers. Repeats count once. Raises ``NothingOffered`` where the rules
    have no agreed draw, or a bot would have to agree.
    """
    match, seats, seat, table = read_table(slug, user)
    if word == Word.AGREE and _ended_by_agreement(match):
        return match
    require_running(match)
    if word == Word.DECLINE:
        store_words(match, seats, dict.fromkeys(seats, False), [], by=seat, offer="draw")
        return match
    if not table.knows_draws:
        raise NothingOffered(f"{table.game.name} has no draws by agreement.")
    if not all_can_agree(seats, table):
        raise NothingOffered("You can’t offer a draw to a bot.")
    if word == Word.AGREE and not any(row.wants_draw for row in seats):
        raise NothingOffered("This offer is no longer open: a player has moved or declined.")
    agreeing = [row for row in seats if row is seat or row.wants_draw]
    if missing := still_to_agree(seats, table, agreeing):
        store_words(match, seats, dict.fromkeys(agreeing, True), missing, by=seat, offer="draw")
        return match
    before = table.clone()
    row = MoveRow(
        match=match,
        ply=match.ply + 1,
        seat=seat.number,
        move=engine.AGREED_DRAW,
        notation=engine.DRAW,
        source=Source.PERSON,
    )
    store_ply.store_ply(match, seats, before, table, row, table.agree_on_draw())
    return match


def all_can_agree(seats: Sequence[Seat], table: engine.Table) -> bool:
    """True if at least two still play, all of them people without a substitute bot."""
    out = store_ply.who_is_out(table)
    playing = [seat for seat in seats if seat.number not in out]
    return len(playing) > 1 and all(
        seat.kind == SeatKind.PERSON and seat.user_id is not None and not seat.substitute_bot
        for seat in playing
    )


def _ended_by_agreement(match: Match) -> bool:
    last = match.moves.order_by("-ply").first()
    return last is not None and last.move == engine.AGREED_DRAW
