"""Planning conditional moves: one answer to the next prompt of a kind (decision 32).

They are as private as all standing orders: see ``give.py``.
"""

from __future__ import annotations

from accounts.models import User
from matches.models import StandingOrder
from matches.queries import ahead
from matches.queries.ahead import Plan
from matches.services.standing_orders.give import require_room
from matches.services.writing import (
    one_write,
    read_table,
    require_running,
    retried,
    write_silently,
)


@retried
def plan_answer(*, slug: str, user: User, plan: Plan) -> StandingOrder:
    """Plan an answer to the next prompt of a kind. Returns the row that is there already for the
    same plan.

    Raises ``TooManyOrders``, and ``NotForOrders`` if the game, or the table as it is now, does not
    offer it.
    """
    match, _seats, seat, table = read_table(slug, user)
    require_running(match)
    plan, sentence = ahead.checked(match, table, seat.number, plan)
    own = StandingOrder.objects.filter(match=match, seat=seat.number)
    kind = plan.steps[0].kind
    same = own.filter(kind=kind, plan=plan.to_json()).first()
    if same is not None:
        return same
    require_room(own)
    prompt = table.prompts.get(seat.number)
    with one_write():
        write_silently(match)
        return StandingOrder.objects.create(
            match=match,
            seat=seat.number,
            kind=kind,
            plan=plan.to_json(),
            words=sentence,
            # The prompt that is open now is not the next one.
            prompt=None if prompt is None else prompt.id,
        )
