"""Standing orders in the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from accounts.models import User
from core.operations import BODY, tagged
from core.serializers import Doc
from matches.api.matches import MAX_INTEGER
from matches.queries import standing_orders
from matches.queries.access import access_match
from matches.services.standing_orders import give as ordering

operation = tagged("matches")


@dataclass(frozen=True, slots=True)
class NewOrder:
    """A standing order, given at your open prompt."""

    prompt: Annotated[int, Doc("The ID of the prompt.", min_value=1, max_value=MAX_INTEGER)]
    notation: Annotated[
        str | None,
        Doc(
            "The answer to all prompts of this kind: an option with `stands`.",
            max_length=300,
        ),
    ] = None
    windows: Annotated[
        bool,
        Doc("Instead: auto-pass until you are targeted."),
    ] = False

    def check(self) -> None:
        """Require exactly one of the two."""
        if bool(self.notation) == self.windows:
            raise serializers.ValidationError("Send either “notation” or “windows”.")


@operation("matches_orders_list", refuses=(403,))
def list_orders(user: User, slug: str) -> list[standing_orders.OwnOrder]:
    """List your standing orders at a table. They are private while the match runs."""
    return standing_orders.own_orders(access_match(user, slug), user)


@operation(
    "matches_orders_give",
    refuses=(*BODY, 403, 409, 422),
    examples=[
        OpenApiExample("An answer", request_only=True, value={"prompt": 17, "notation": "pass"}),
        OpenApiExample("Windows", request_only=True, value={"prompt": 17, "windows": True}),
    ],
)
def give_order(user: User, slug: str, body: NewOrder) -> list[standing_orders.OwnOrder]:
    """Give a standing order. It answers this prompt at once, and from now on all of its kind.

    It ends, with a notification, when its answer isn't available, after 50 answers, or, for
    auto-pass, when you are targeted. Idempotent.
    """
    ordering.give_order(slug=slug, user=user, prompt_id=body.prompt, notation=body.notation or "")
    return standing_orders.own_orders(access_match(user, slug), user)


@operation("matches_orders_cancel_all", refuses=(403,))
def cancel_all_orders(user: User, slug: str) -> None:
    """Cancel all your standing orders at a table. Idempotent."""
    ordering.cancel_orders(slug=slug, user=user)


@operation("matches_orders_cancel", refuses=(403,))
def cancel_order(user: User, slug: str, number: int) -> None:
    """Cancel one of your standing orders. Idempotent."""
    ordering.cancel_orders(slug=slug, user=user, order=number)
