"""Trades in the API. Pages use the same services and queries."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Annotated

from django.db.models import Q
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import User
from accounts.queries.people import person
from collection.errors import Unacceptable
from collection.models import TradeState
from collection.queries import partners
from collection.queries import trades as queries
from collection.services import trades as services
from core.operations import BODY, Rows, tagged
from core.pagination import LatestFirst
from core.serializers import Doc

operation = tagged("trades")
_KEY = OpenApiParameter(
    "Idempotency-Key",
    location="header",
    description=f"Idempotency key, up to {services.MAX_TOKEN_LENGTH} characters. A repeated offer "
    "returns the first one (201); reusing a key for another offer is a 422.",
)


@dataclass(frozen=True, slots=True)
class NewTrade:
    """An offer to be made."""

    partner: Annotated[str, Doc("A username.", max_length=150)]
    gives: Annotated[list[queries.TradeCard], Doc("Cards you give.")] = field(default_factory=list)
    takes: Annotated[list[queries.TradeCard], Doc("Cards you get.")] = field(default_factory=list)
    message: Annotated[str, Doc(max_length=280)] = ""
    days: Annotated[int, Doc(choices=services.DAYS)] = 7
    answer_to: Annotated[
        str | None, Doc("The slug of the offer that this one answers.", max_length=50)
    ] = None


@operation("trades_partners")
def find_partners(user: User) -> list[partners.PartnerShown]:
    """People with cards of your wishlist for trade, or the other way round; best match first.

    Up to 20, among those whose collection you may see.
    """
    return [] if user.is_guest else partners.partners_shown(user)


@operation(
    "trades_list",
    parameters=[OpenApiParameter("state", enum=TradeState.values)],
    refuses=(422,),
    pagination_class=LatestFirst,
)
def list_trades(user: User, request: Request) -> Rows[queries.TradeShown]:
    """List your trade offers, sent and received, newest first."""
    mine = queries.trades().filter(Q(proposer=user) | Q(partner=user))
    state = request.query_params.get("state", "")
    if state and state not in TradeState.values:
        raise Unacceptable(f"“state” is one of {', '.join(TradeState.values)}.")
    return Rows(mine.filter(state=state) if state else mine, queries.trades_shown)


@operation("trades_create", status=201, parameters=[_KEY], refuses=(404, 409, 422))
def propose_trade(user: User, request: Request, body: NewTrade) -> queries.TradeShown:
    """Offer a trade."""
    key = request.headers.get("Idempotency-Key", "")
    if len(key) > services.MAX_TOKEN_LENGTH:
        longest = f"A key can have up to {services.MAX_TOKEN_LENGTH} characters."
        raise serializers.ValidationError({"Idempotency-Key": [longest]})
    trade = services.offer_trade(
        proposer=user,
        partner=person(body.partner),
        gives=queries.card_keys(body.gives),
        takes=queries.card_keys(body.takes),
        token=key or secrets.token_urlsafe(18),
        message=body.message,
        days=body.days,
        answer_to=queries.trade_of(user, body.answer_to) if body.answer_to else None,
    )
    return queries.trade_shown(user, trade.slug)


@operation("trades_retrieve")
def get_trade(user: User, slug: str) -> queries.TradeShown:
    """A trade offer: both sides and its state."""
    return queries.trade_shown(user, slug)


@operation("trades_accept", refuses=(*BODY, 409, 422))
def accept_trade(user: User, slug: str) -> queries.TradeShown:
    """Accept an offer: the cards change hands at once. For the recipient; idempotent."""
    services.accept_trade(trade=queries.trade_of(user, slug), user=user)
    return queries.trade_shown(user, slug)


@operation("trades_decline", refuses=(*BODY, 409, 422))
def decline_trade(user: User, slug: str) -> queries.TradeShown:
    """Decline an offer. For the recipient; idempotent."""
    services.decline_trade(trade=queries.trade_of(user, slug), user=user)
    return queries.trade_shown(user, slug)


@operation("trades_cancel", refuses=(*BODY, 409, 422))
def cancel_trade(user: User, slug: str) -> queries.TradeShown:
    """Withdraw your offer. Idempotent."""
    services.cancel_trade(trade=queries.trade_of(user, slug), user=user)
    return queries.trade_shown(user, slug)
