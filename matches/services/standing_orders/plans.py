"""Conditional moves after each ply: due, at their next step, or over (decision 32).

What they go by and what they answer is in ``matches/queries/ahead.py``. They are carried out like
all standing orders: some seconds after the ply that asks, in whose transaction they become due.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from matches import engine
from matches.models import MoveRow, StandingOrder
from matches.queries import ahead
from matches.queries.ahead import Unplayed


@dataclass(frozen=True, slots=True)
class Over:
    """An order is over; ``why`` is the sentence for its person, "" if there is nothing to tell."""

    why: str = ""


def move_on(
    order: StandingOrder,
    table: engine.Table,
    row: MoveRow,
    when: Callable[[], datetime],
    *,
    taken: bool,
) -> Over | None:
    """Move a plan on after a ply: due, to its next step, or over.

    ``when`` draws the moment at which it answers; ``taken``: a plan answers this prompt already.
    """
    plan, prompt = ahead.plan_from_json(order.plan), table.prompts.get(order.seat)
    if order.due_at is not None and (row.seat, row.prompt) == (order.seat, order.prompt):
        step = ahead.next_step(plan, order.step, prompt) if row.by_order else None
        if step is None:
            return Over()
        order.answered += 1
        order.step, order.kind = step, plan.steps[step].kind
        order.prompt = order.due_at = None
    elif order.step and (prompt is None or prompt.id != order.prompt):
        return Over()  # taken back between two steps
    if order.due_at is not None and (prompt is None or prompt.id != order.prompt):
        order.prompt = order.due_at = None
    if prompt is None or prompt.kind != order.kind:
        return None
    if order.due_at is None and prompt.id == order.prompt:
        return None  # was open when the plan was made
    answer = ahead.answer_of(plan, order.step, table, prompt)
    if answer is Unplayed.TOO_EARLY:
        return None
    if taken or engine.back_to(row.move) is not None:
        return Over()
    if isinstance(answer, Unplayed):
        return Over(answer.value)
    if order.due_at is None:
        order.prompt, order.due_at = prompt.id, when()
    return None
