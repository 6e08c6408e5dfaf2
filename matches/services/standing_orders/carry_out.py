"""What a ply does to the standing orders of a table: which end, and which answer now.

All of it happens in the transaction of the ply, after its compare and swap: nobody can give or
cancel an order in between (``Match.silent_writes``). At a table without orders it asks nothing.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from matches import engine
from matches.models import Match, MoveRow, Seat, StandingOrder
from matches.services import notices
from rules.engine.moves import Move, Prompt, move_from_json

MOST_ANSWERS = 50
"""So many questions one order answers: whatever orders and bots do among themselves, it ends."""

QUICKEST, SLOWEST = timedelta(seconds=2), timedelta(seconds=8)
"""An order takes as long as a person might: an answer at once would show that it was ordered."""
MOST_OF_THE_TIME_LEFT = 0.1
"""It uses no more than this share of what its seat's clock has left."""
EARLY = timedelta(seconds=1)
"""So much too early is soon enough: the clocks of several machines differ."""
_chance = random.SystemRandom()

AIMED_AT = "You are aimed at, so it has ended."
NOT_OFFERED = "Its answer is not offered now, so it has ended."
OFTEN_ENOUGH = f"It has answered {MOST_ANSWERS} times and has ended. Give it again if you like."
KEPT_BY_A_BOT = "A bot plays for you now, so it has ended."


def after_ply(
    match: Match, seats: Sequence[Seat], table: engine.Table, row: MoveRow
) -> dict[int, datetime]:
    """Bring the orders up to date with a ply.

    Returns, by seat, when orders answer that have something to answer since this ply.
    """
    if not match.silent_writes:
        return {}
    due: dict[int, datetime] = {}
    over = []
    for order in StandingOrder.objects.filter(match=match):
        if _is_needless(order, match, seats, table):
            over.append(order.pk)
            continue
        was = order.answered, order.prompt, order.due_at
        if row.by_order and (order.seat, order.prompt) == (row.seat, row.prompt):
            order.answered += 1
        prompt = table.prompts.get(order.seat)
        answers = prompt is not None and fits(order, table, prompt)
        waits = answers and prompt is not None and order.prompt == prompt.id
        if not waits:
            order.due_at = None
        why = _why_it_ends(order, table, row, prompt if answers else None)
        if answers and engine.back_to(row.move) is not None:
            over.append(order.pk)  # its person thinks again about just this
        elif why:
            over.append(order.pk)
            notices.tell_order_ended(match, seats, order, why)
        elif answers and prompt is not None and order.due_at is None:
            order.prompt = prompt.id
            order.due_at = row.at + time_taken(seats[order.seat], row.at)
            due[order.seat] = min(order.due_at, due.get(order.seat, order.due_at))
        if was != (order.answered, order.prompt, order.due_at):
            order.save(update_fields=("answered", "prompt", "due_at"))
    if over:
        StandingOrder.objects.filter(pk__in=over).delete()
    return due


def time_taken(seat: Seat, now: datetime) -> timedelta:
    """How long an order takes over a question that its seat is asked now."""
    drawn = _chance.uniform(QUICKEST.total_seconds(), SLOWEST.total_seconds())
    taken = timedelta(seconds=drawn)
    if seat.deadline_at is None:
        return taken
    return min(taken, max(timedelta(), seat.deadline_at - now) * MOST_OF_THE_TIME_LEFT)


def _is_needless(
    order: StandingOrder, match: Match, seats: Sequence[Seat], table: engine.Table
) -> bool:
    """Its seat plays no more."""
    seat = seats[order.seat]
    return (
        table.outcome is not None
        or table.state.is_out(order.seat)
        or seat.user_id is None
        or bool(seat.substitute_bot)
    )


def _why_it_ends(
    order: StandingOrder, table: engine.Table, row: MoveRow, prompt: Prompt | None
) -> str:
    """What is said of an order that ends by this ply; ``prompt`` is what it is to answer now."""
    if not order.kind and row.seat != order.seat and engine.back_to(row.move) is None:
        happened = engine.stored_events(row.events)
        if any(table.aims_at(event, order.seat) for event in happened):
            return AIMED_AT
    if prompt is None:
        return ""
    if answer_of(order, table, prompt) not in prompt.options:
        return NOT_OFFERED
    return OFTEN_ENOUGH if order.answered >= MOST_ANSWERS else ""


def fits(order: StandingOrder, table: engine.Table, prompt: Prompt) -> bool:
    """Whether an order is for this question of its seat."""
    return prompt.kind == order.kind if order.kind else table.window(prompt) is not None


def answer_of(order: StandingOrder, table: engine.Table, prompt: Prompt) -> Move | None:
    """What an order answers to a question that it fits."""
    return move_from_json(order.move) if order.kind else table.window(prompt)


def next_answer(match: Match, table: engine.Table) -> tuple[Prompt, Move] | None:
    """The question that a standing order answers now, and how, where it is time for that.

    The answer to a kind of question goes before letting all windows pass.
    """
    if not match.silent_writes:
        return None
    ready = StandingOrder.objects.filter(match=match, due_at__lte=timezone.now() + EARLY)
    for order in ready.order_by("-kind", "seat"):
        prompt = table.prompts.get(order.seat)
        if prompt is None or order.prompt != prompt.id or not fits(order, table, prompt):
            continue
        move = answer_of(order, table, prompt)
        if move in prompt.options:
            return prompt, move
    return None


def end_all(match: Match, seats: Sequence[Seat], seat: Seat, why: str) -> None:
    """End all orders of a seat that somebody else plays from now on."""
    if not match.silent_writes:
        return
    for order in StandingOrder.objects.filter(match=match, seat=seat.number):
        notices.tell_order_ended(match, seats, order, why)
        order.delete()
