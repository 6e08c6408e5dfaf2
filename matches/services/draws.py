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

    With the last yes the match is over; to offer what the other side has offered is that yes.
    Declining clears what all have said. The same sent twice counts once. Raises ``NothingOffered``
    where the rules know no agreed draw, or somebody would have to agree who cannot.
    """
    match, seats, seat, table = read_table(slug, user)
    if word == Word.AGREE and _has_ended_so(match):
        return match
    require_running(match)
    if word == Word.DECLINE:
        store_words(match, seats, dict.fromkeys(seats, False), [], by=seat, offer="draw")
        return match
    if not table.knows_draws:
        raise NothingOffered(f"The rules of {table.game.name} know no agreed draw.")
    if not all_can_agree(seats, table):
        raise NothingOffered("A bot plays at this table, and bots play on.")
    if word == Word.AGREE and not any(one.wants_draw for one in seats):
        raise NothingOffered("There is no such offer any more. Somebody has moved or declined.")
    saying = [one for one in seats if one is seat or one.wants_draw]
    if asked := still_to_agree(seats, table, saying):
        store_words(match, seats, dict.fromkeys(saying, True), asked, by=seat, offer="draw")
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
    """Whether two at least still play, and all who do are people who play themselves."""
    out = store_ply.who_is_out(table)
    playing = [seat for seat in seats if seat.number not in out]
    return len(playing) > 1 and all(
        seat.kind == SeatKind.PERSON and seat.user_id is not None and not seat.substitute_bot
        for seat in playing
    )


def _has_ended_so(match: Match) -> bool:
    last = match.moves.order_by("-ply").first()
    return last is not None and last.move == engine.AGREED_DRAW
