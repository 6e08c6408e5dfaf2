"""Standing orders in the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from accounts.models import User
from core.operations import BODY, PersonalView, operation
from core.serializers import Doc
from matches.api.matches import MAX_INTEGER
from matches.queries import standing_orders
from matches.queries.access import access_match
from matches.services.standing_orders import give as ordering

_TAGS = ("matches",)


@dataclass(frozen=True, slots=True)
class NewOrder:
    """What is to be answered from now on, given at a question that you are asked."""

    prompt: Annotated[int, Doc("The question, by its id.", min_value=1, max_value=MAX_INTEGER)]
    notation: Annotated[
        str | None,
        Doc(
            "The answer to all questions of this kind: an option that says `stands`.",
            max_length=300,
        ),
    ] = None
    windows: Annotated[
        bool,
        Doc("Instead: let this window and all others pass until you are aimed at."),
    ] = False

    def check(self) -> None:
        """One of the two, not both."""
        if bool(self.notation) == self.windows:
            raise serializers.ValidationError("Send either “notation” or “windows”.")


class OrdersView(PersonalView):
    """One's own standing orders at a table."""

    tags = _TAGS

    @operation("matches_orders_list", refuses=(403,))
    def get(self, user: User, slug: str) -> list[standing_orders.OwnOrder]:
        """Your standing orders at a table. While the match runs nobody else knows of them."""
        return standing_orders.own_orders(access_match(user, slug), user)

    @operation(
        "matches_orders_give",
        refuses=(*BODY, 403, 409, 422),
        examples=[
            OpenApiExample(
                "An answer", request_only=True, value={"prompt": 17, "notation": "pass"}
            ),
            OpenApiExample("Windows", request_only=True, value={"prompt": 17, "windows": True}),
        ],
    )
    def post(self, user: User, slug: str, body: NewOrder) -> list[standing_orders.OwnOrder]:
        """Give a standing order. It answers this question at once, and the same kind from now on.

        It ends, and you are told, when its answer is not offered, after 50 answers, or, if it
        lets windows pass, when you are aimed at. Sending it again changes nothing.
        """
        ordering.give_order(
            slug=slug, user=user, prompt_id=body.prompt, notation=body.notation or ""
        )
        return standing_orders.own_orders(access_match(user, slug), user)

    @operation("matches_orders_cancel_all", refuses=(403,))
    def delete(self, user: User, slug: str) -> None:
        """Cancel all your standing orders at a table. Again changes nothing."""
        ordering.cancel_orders(slug=slug, user=user)


class OrderView(PersonalView):
    """One standing order."""

    tags = _TAGS

    @operation("matches_orders_cancel", refuses=(403,))
    def delete(self, user: User, slug: str, number: int) -> None:
        """Cancel one of your standing orders. Again changes nothing."""
        ordering.cancel_orders(slug=slug, user=user, order=number)
