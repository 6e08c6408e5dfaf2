"""Standing orders as their people give and cancel them.

An order is nobody else's business: giving and cancelling one changes no number that others can
see, and rings no bell. What it answers is a move like any other.
"""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from matches import engine
from matches.errors import NotForOrders, TooManyOrders
from matches.models import Match, MoveRow, Seat, Source, StandingOrder
from matches.queries.access import access_match
from matches.queries.seats import seat_names
from matches.services import play
from matches.services.store_ply import PlayedAtTable
from matches.services.writing import (
    one_write,
    read_table,
    require_running,
    retried,
    seat_of,
    write_silently,
)
from rules.engine.moves import Move, Prompt, move_to_json, stands

MOST_ORDERS = 10
"""So many a seat may have at once."""


@retried
def give_order(*, slug: str, user: User, prompt_id: int, notation: str = "") -> PlayedAtTable:
    """Answer a question so, and all of its kind from now on; without a ``notation``: let this
    window pass, and all others until the seat is aimed at.

    Sent once more it gives the first receipt again; another answer to that kind replaces the first.
    Raises ``NotForOrders`` where the answer means something else each time.
    """
    match, seats, seat, table = read_table(slug, user)
    if not play.asks(table, seat, prompt_id):
        answered = MoveRow.objects.filter(match=match, seat=seat.number, prompt=prompt_id)
        given = answered.filter(by_order=True).first()
        if given is not None:
            return play.receipt(match, table, given)
    require_running(match)
    if match.lesson:
        raise NotForOrders("In a lesson you answer each question yourself.")
    prompt = play.asked(table, seat.number, prompt_id)
    move = _ordered(table, prompt, notation)
    with transaction.atomic():
        _store(match, seat, table, prompt, move if notation else None)
        seat.substitute_bot = ""
        return play.answer(match, seats, table, prompt, move, Source.PERSON, by_order=True)


def _ordered(table: engine.Table, prompt: Prompt, notation: str) -> Move:
    """The answer that is to stand."""
    if notation:
        move = play.chosen(table, prompt.seat, notation)
        if not stands(move):
            raise NotForOrders(
                "A standing order cannot name a card or a place: it would mean another thing "
                "each time. Choose an answer without one."
            )
        return move
    window = table.window(prompt)
    if window is None or window not in prompt.options:
        raise NotForOrders(
            "You cannot simply pass on this question. You can give it a standing answer instead."
        )
    return window


def _store(
    match: Match, seat: Seat, table: engine.Table, prompt: Prompt, move: Move | None
) -> None:
    kind = prompt.kind if move is not None else ""
    own = StandingOrder.objects.filter(match=match, seat=seat.number)
    if own.exclude(kind=kind).count() >= MOST_ORDERS:
        raise TooManyOrders(
            f"You have {MOST_ORDERS} standing orders at this table, and more are not allowed. "
            "Cancel one first."
        )
    with one_write():
        write_silently(match)
        own.filter(kind=kind).delete()
        StandingOrder.objects.create(
            match=match,
            seat=seat.number,
            kind=kind,
            move=None if move is None else move_to_json(move),
            words=_words(match, table, move),
            prompt=prompt.id,
        )


def _words(match: Match, table: engine.Table, move: Move | None) -> str:
    if move is None:
        return "Pass every time"
    return table.label(move, seat_names(match))[:200]


@retried
def cancel_orders(*, slug: str, user: User, order: int | None = None) -> Match:
    """Cancel one of one's orders at a table, or all; again changes nothing."""
    match = access_match(user, slug)
    seat = seat_of(match.seats.all(), user)
    found = StandingOrder.objects.filter(match=match, seat=seat.number)
    if order is not None:
        found = found.filter(pk=order)
    if found.exists():
        with one_write():
            write_silently(match)
            found.delete()
    return match
