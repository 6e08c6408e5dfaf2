"""Carrying out standing orders: after each ply some end and others become due.

This happens in the transaction of the ply, after its compare and swap, so that no order is given or
cancelled in between (``Match.silent_writes``). A table without orders costs no query.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.utils import timezone

from matches import engine
from matches.models import Match, MoveRow, Seat, StandingOrder
from matches.queries import ahead
from matches.queries.ahead import Unplayed
from matches.services import notices
from matches.services.standing_orders import plans
from matches.services.standing_orders.plans import Over
from rules.engine.moves import Move, Prompt, move_from_json

MAX_ANSWERS = 50
"""Prompts that an order answers at most, so that orders and bots can't play on forever."""

QUICKEST, SLOWEST = timedelta(seconds=2), timedelta(seconds=8)
"""An order takes as long as a person might: an instant answer would reveal it."""
MAX_SHARE_OF_TIME_LEFT = 0.1
"""An order uses at most this share of the time left on its seat's clock."""
EARLY = timedelta(seconds=1)
"""Tolerance for the differing clocks of several machines."""
_chance = random.SystemRandom()

TARGETED = "You were targeted."
LIMIT_REACHED = f"It had answered {MAX_ANSWERS} times."
PLAYED_BY_BOT = "A bot plays for you now."


def after_ply(
    match: Match, seats: Sequence[Seat], table: engine.Table, row: MoveRow
) -> dict[int, datetime]:
    """Update all orders after a ply.

    Returns when the orders that are due since this ply answer, by seat.
    """
    if not match.silent_writes:
        return {}
    due: dict[int, datetime] = {}
    planned: set[int] = set()  # seats whose prompt a plan answers
    ended = []
    for order in sorted(StandingOrder.objects.filter(match=match), key=_plans_first):
        seat = order.seat
        if _is_needless(order, seats, table):
            ended.append(order.pk)
            continue
        was, was_due = _changing(order), order.due_at
        move_on = _move_on if order.plan is None else plans.move_on
        when = partial(_answers_at, seats[seat], row.at)
        over = move_on(order, table, row, when, taken=seat in planned)
        if over is not None:
            ended.append(order.pk)
            if over.why and order.plan is None:
                notices.tell_order_ended(match, seats, order, over.why)
            elif over.why:
                notices.tell_plan_unplayed(match, seats, order, over.why)
            continue
        if order.due_at is not None and order.plan is not None:
            planned.add(seat)
        if order.due_at is not None and order.due_at != was_due:
            due[seat] = min(order.due_at, due.get(seat, order.due_at))
        if was != _changing(order):
            order.save(update_fields=CHANGING)
    if ended:
        StandingOrder.objects.filter(pk__in=ended).delete()
    return due


CHANGING = ("answered", "prompt", "due_at", "kind", "step")
"""The fields that a ply may change."""


def _changing(order: StandingOrder) -> tuple[Any, ...]:
    return tuple(getattr(order, name) for name in CHANGING)


def _plans_first(order: StandingOrder) -> tuple[bool, bool, int]:
    """Plans come before answers to a kind of prompt, and those before windows."""
    return order.plan is None, not order.kind, order.pk


def _move_on(
    order: StandingOrder,
    table: engine.Table,
    row: MoveRow,
    when: Callable[[], datetime],
    *,
    taken: bool,
) -> Over | None:
    """Move an order without a plan on after a ply: due, or over; see ``plans.move_on``."""
    if row.by_order and (order.seat, order.prompt) == (row.seat, row.prompt):
        order.answered += 1
    prompt = table.prompts.get(order.seat)
    if prompt is not None and not fits(order, table, prompt):
        prompt = None
    if prompt is None or order.prompt != prompt.id:
        order.due_at = None
    why = _why_it_ends(order, table, row, prompt)
    if prompt is not None and engine.back_to(row.move) is not None:
        return Over()  # its person has taken back just this answer
    if why:
        return Over(why)
    if prompt is not None and order.due_at is None and not taken:
        order.prompt, order.due_at = prompt.id, when()
    return None


def _answers_at(seat: Seat, now: datetime) -> datetime:
    return now + time_taken(seat, now)


def time_taken(seat: Seat, now: datetime) -> timedelta:
    """How long an order takes to answer a prompt that is opened now."""
    drawn = _chance.uniform(QUICKEST.total_seconds(), SLOWEST.total_seconds())
    taken = timedelta(seconds=drawn)
    if seat.deadline_at is None:
        return taken
    return min(taken, max(timedelta(), seat.deadline_at - now) * MAX_SHARE_OF_TIME_LEFT)


def _is_needless(order: StandingOrder, seats: Sequence[Seat], table: engine.Table) -> bool:
    """True if the order's seat no longer plays, or a bot plays for it."""
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
    """Why an order ends by this ply, or ""; ``prompt`` is the one that it would answer now."""
    if not order.kind and row.seat != order.seat and engine.back_to(row.move) is None:
        happened = engine.stored_events(row.events)
        if any(table.aims_at(event, order.seat) for event in happened):
            return TARGETED
    if prompt is None:
        return ""
    if answer_of(order, table, prompt) not in prompt.options:
        return Unplayed.NOT_OFFERED.value
    return LIMIT_REACHED if order.answered >= MAX_ANSWERS else ""


def fits(order: StandingOrder, table: engine.Table, prompt: Prompt) -> bool:
    """True if an order that stands applies to this prompt of its seat."""
    return prompt.kind == order.kind if order.kind else table.window(prompt) is not None


def answer_of(order: StandingOrder, table: engine.Table, prompt: Prompt) -> Move | None:
    """An order's answer to a prompt that it fits; of a plan, if it has one."""
    if order.plan is not None:
        answer = ahead.answer_of(ahead.plan_from_json(order.plan), order.step, table, prompt)
        return None if isinstance(answer, Unplayed) else answer
    return move_from_json(order.move) if order.kind else table.window(prompt)


def next_answer(match: Match, table: engine.Table) -> tuple[Prompt, Move] | None:
    """The next prompt that a standing order is due to answer, and the answer; or None."""
    if not match.silent_writes:
        return None
    ready = StandingOrder.objects.filter(match=match, due_at__lte=timezone.now() + EARLY)
    for order in sorted(ready, key=_plans_first):
        prompt = table.prompts.get(order.seat)
        if prompt is None or order.prompt != prompt.id or not fits(order, table, prompt):
            continue
        move = answer_of(order, table, prompt)
        if move in prompt.options:
            return prompt, move
    return None


def end_all(match: Match, seats: Sequence[Seat], seat: Seat, why: str) -> None:
    """End all orders of a seat that another player takes over."""
    if not match.silent_writes:
        return
    for order in StandingOrder.objects.filter(match=match, seat=seat.number):
        notices.tell_order_ended(match, seats, order, why)
        order.delete()
