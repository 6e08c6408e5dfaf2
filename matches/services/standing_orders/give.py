"""Giving and cancelling standing orders.

Orders are private: giving or cancelling one changes no number that others can see and sends no
live update. Its answers are moves like any other.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

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

MAX_ORDERS = 10
"""Standing orders per seat."""


@retried
def give_order(*, slug: str, user: User, prompt_id: int, notation: str = "") -> PlayedAtTable:
    """Answer a prompt, and from now on all of its kind; without a ``notation`` pass in this window
    and in all others until the seat is targeted.

    Repeating it returns the first receipt; another answer for that kind replaces the first. Raises
    ``NotForOrders`` if the answer would mean something else each time.
    """
    match, seats, seat, table = read_table(slug, user)
    if not play.asks(table, seat, prompt_id):
        answered = MoveRow.objects.filter(match=match, seat=seat.number, prompt=prompt_id)
        repeated = answered.filter(by_order=True).first()
        if repeated is not None:
            return play.receipt(match, table, repeated)
    require_running(match)
    if match.lesson:
        raise NotForOrders("Auto-answers aren’t available in tutorials.")
    prompt = play.asked(table, seat.number, prompt_id)
    move = _ordered(table, prompt, notation)
    with transaction.atomic():
        _store(match, seat, table, prompt, move if notation else None)
        seat.substitute_bot = ""
        return play.answer(match, seats, table, prompt, move, Source.PERSON, by_order=True)


def _ordered(table: engine.Table, prompt: Prompt, notation: str) -> Move:
    """The answer to repeat; raises ``NotForOrders``."""
    if notation:
        move = play.chosen(table, prompt.seat, notation)
        if not stands(move):
            raise NotForOrders("Auto-answers can’t name a card or a place. Choose another answer.")
        return move
    window = table.window(prompt)
    if window is None or window not in prompt.options:
        raise NotForOrders("You can’t pass on this prompt. Choose an answer to repeat instead.")
    return window


def _store(
    match: Match, seat: Seat, table: engine.Table, prompt: Prompt, move: Move | None
) -> None:
    kind = prompt.kind if move is not None else ""
    own = StandingOrder.objects.filter(match=match, seat=seat.number)
    replaced = own.filter(kind=kind, plan=None) | own.filter(prompt=prompt.id, due_at__isnull=False)
    require_room(own.exclude(pk__in=replaced))
    with one_write():
        write_silently(match)
        replaced.delete()
        StandingOrder.objects.create(
            match=match,
            seat=seat.number,
            kind=kind,
            move=None if move is None else move_to_json(move),
            words=_words(match, table, move),
            prompt=prompt.id,
        )


def require_room(kept: QuerySet[StandingOrder]) -> None:
    """Raise ``TooManyOrders`` if a seat that keeps these orders may have no other."""
    if kept.count() >= MAX_ORDERS:
        raise TooManyOrders(
            f"You already have {MAX_ORDERS} auto-answers at this table. Cancel one first."
        )


def _words(match: Match, table: engine.Table, move: Move | None) -> str:
    if move is None:
        return "Auto-pass until I’m targeted"
    return table.label(move, seat_names(match))[:200]


@retried
def cancel_orders(*, slug: str, user: User, order: int | None = None) -> Match:
    """Cancel one of the person's orders at a table, or all of them. Idempotent."""
    match = access_match(user, slug)
    seat = seat_of(match.seats.all(), user)
    orders = StandingOrder.objects.filter(match=match, seat=seat.number)
    if order is not None:
        orders = orders.filter(pk=order)
    if orders.exists():
        with one_write():
            write_silently(match)
            orders.delete()
    return match
