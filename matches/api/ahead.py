"""Conditional moves in the API: answers that are planned before you are asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from drf_spectacular.utils import OpenApiExample

from accounts.models import User
from core.operations import BODY, tagged
from core.serializers import Doc
from matches.queries import ahead, standing_orders
from matches.queries.access import access_match
from matches.services.standing_orders import planning

operation = tagged("matches")

_EXAMPLE = OpenApiExample(
    "Pass, and what to discard",
    request_only=True,
    value={
        "conditions": ["leader-17"],
        "steps": [
            {"kind": "turn_action", "choices": ["pass"]},
            {"kind": "pass_discard", "choices": ["card-8", "drawn"]},
        ],
    },
)


@dataclass(frozen=True, slots=True)
class NewConditionalMove:
    """An answer to your next prompt of a kind, by the keys that the list of prompts names."""

    steps: Annotated[
        list[ahead.PlanStep],
        Doc(
            "The prompt and, optionally, those that follow it.",
            allow_empty=False,
            max_length=ahead.MAX_STEPS,
        ),
    ]
    conditions: Annotated[
        list[Annotated[str, Doc(max_length=ahead.MAX_KEY)]],
        Doc("Keys of conditions; all must hold.", max_length=ahead.MAX_CONDITIONS),
    ] = field(default_factory=list)

    def plan(self) -> ahead.Plan:
        """As the services take it."""
        return ahead.Plan(tuple(self.conditions), tuple(self.steps))


@operation("matches_conditional_moves_list", refuses=(403,))
def list_prompts(user: User, slug: str) -> list[ahead.PlanQuestion]:
    """List the prompts that you can answer ahead now, with conditions and choices.

    Empty if the game or the match offers none. Your own conditional moves are in the list of your
    standing orders.
    """
    return ahead.own_questions(access_match(user, slug), user)


@operation("matches_conditional_moves_plan", refuses=(*BODY, 403, 409), examples=[_EXAMPLE])
def plan_answer(user: User, slug: str, body: NewConditionalMove) -> list[standing_orders.OwnOrder]:
    """Plan an answer to your next prompt of a kind. Returns all your standing orders here.

    It is played a few seconds after the prompt comes, once. It ends without being played, with a
    notification, if a condition does not hold or none of its choices is available. Idempotent.
    """
    planning.plan_answer(slug=slug, user=user, plan=body.plan())
    return standing_orders.own_orders(access_match(user, slug), user)


@operation(
    "matches_conditional_moves_dry_run",
    refuses=(*BODY, 403, 409),
    is_metered=True,
    examples=[_EXAMPLE],
)
def dry_run(user: User, slug: str, body: NewConditionalMove) -> ahead.DryRun:
    """Show what a conditional move would have answered at your prompts of this match so far."""
    return ahead.own_dry_run(access_match(user, slug), user, body.plan())
