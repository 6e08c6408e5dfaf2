"""Reading trades, and the cards that could be put into one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import Count, F, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from collection.errors import NotFound, Unacceptable
from collection.models import Card, Holding, Trade, TradeItem, TradeState
from collection.models.holdings import MAX_COPIES
from collection.queries import catalog
from core.serializers import Doc, component, from_row
from notices.queries import count_in_header

SETTLED_SHOWN = 20
PICKS = 12


def _to_answer(user_id: int) -> Subquery:
    """How many offers wait for somebody's answer."""
    waiting = Trade.objects.filter(partner=user_id, state=TradeState.OPEN, expires_at__gt=Now())
    return Subquery(
        waiting.order_by().values("partner").annotate(count=Count("pk")).values("count")
    )


count_in_header("trades", _to_answer)


def trades() -> QuerySet[Trade]:
    """Trades with the people and cards in them."""
    cards = Card.objects.select_related("game")
    items = TradeItem.objects.prefetch_related(Prefetch("card", queryset=cards)).order_by(
        "card__game__sort_number", "card__sort_number"
    )
    rows = Trade.objects.select_related("proposer", "partner", "answer_to", "counter")
    return rows.prefetch_related(Prefetch("items", queryset=items))


def trade_of(user: User, slug: str) -> Trade:
    """A trade that the person takes part in; raises ``NotFound`` for everybody else."""
    trade = trades().filter(Q(proposer=user) | Q(partner=user), slug=slug).first()
    if trade is None:
        raise NotFound("Trade not found.")
    return trade


@dataclass(frozen=True, slots=True)
class Trades:
    """A person's trades: those to answer, those that others have to answer, and the last ones."""

    received: list[Trade]
    offered: list[Trade]
    settled: list[Trade]


def trades_of(user: User) -> Trades:
    """All open trades and the latest finished ones, in a fixed number of queries."""
    now = timezone.now()
    open_ones = trades().filter(state=TradeState.OPEN, expires_at__gt=now)
    mine = trades().filter(Q(proposer=user) | Q(partner=user))
    over = mine.exclude(state=TradeState.OPEN, expires_at__gt=now)
    return Trades(
        received=list(open_ones.filter(partner=user)),
        offered=list(open_ones.filter(proposer=user)),
        settled=list(over.order_by("-settled_at", "-pk")[:SETTLED_SHOWN]),
    )


@dataclass(frozen=True, slots=True)
class TradeCard:
    """Copies of a card on one side."""

    game: Annotated[str, Doc(max_length=50)]
    card: Annotated[str, Doc("The card’s slug.", max_length=80)]
    count: Annotated[int, Doc(min_value=1, max_value=MAX_COPIES)] = 1


@component("Trade")
@dataclass(frozen=True, slots=True)
class TradeShown:
    """An offer and what became of it."""

    slug: str
    state: Annotated[str, Doc(choices=TradeState.choices)]
    proposer: str
    partner: str
    gives: Annotated[list[TradeCard], Doc("Cards the proposer gives.")]
    takes: Annotated[list[TradeCard], Doc("Cards the partner gives.")]
    message: str
    answer_to: str | None
    created_at: datetime
    expires_at: datetime
    settled_at: datetime | None


def trades_shown(rows: Iterable[Trade]) -> list[TradeShown]:
    """Trades as the API tells them."""
    return [
        from_row(
            TradeShown,
            trade,
            proposer=trade.proposer.username,
            partner=trade.partner.username,
            gives=_side(trade, from_proposer=True),
            takes=_side(trade, from_proposer=False),
            answer_to=trade.answer_to.slug if trade.answer_to else None,
        )
        for trade in rows
    ]


def trade_shown(user: User, slug: str) -> TradeShown:
    """One that the person takes part in; raises ``NotFound``."""
    return trades_shown([trade_of(user, slug)])[0]


def _side(trade: Trade, *, from_proposer: bool) -> list[TradeCard]:
    return [
        TradeCard(row.card.game.slug, row.card.slug, row.count)
        for row in trade.items.all()
        if row.from_proposer == from_proposer
    ]


def card_keys(rows: Iterable[TradeCard]) -> dict[int, int]:
    """Copies by card key; raises ``Unacceptable`` with the first that is not in the catalog."""
    wanted: dict[tuple[str, str], int] = {}
    for row in rows:
        wanted[row.game, row.card] = wanted.get((row.game, row.card), 0) + row.count
    cards = Card.objects.filter(slug__in={slug for _, slug in wanted}).select_related("game")
    keys = {(card.game.slug, card.slug): card.pk for card in cards}
    for game, slug in wanted:
        if (game, slug) not in keys:
            raise Unacceptable(f"No card “{slug}” in “{game}”.")
    return {keys[card]: count for card, count in wanted.items()}


def waiting_count(user: User) -> int:
    """How many offers wait for the person's answer."""
    waiting = Trade.objects.filter(partner=user, state=TradeState.OPEN)
    return waiting.filter(expires_at__gt=timezone.now()).count()


@dataclass(frozen=True, slots=True)
class Pick:
    """A card to give: its digital copies, those for trade, and if the other side wants it."""

    card: Card
    digital: int
    for_trade: int
    on_wishlist: bool


def picks(
    owner: User, other: User, words: str, without: Iterable[int], *, wants_known: bool
) -> list[Pick]:
    """Cards that a person could give: what the other one wants first, then copies for trade.

    ``without`` are cards chosen already; the other one's wishlist counts only if it may be seen.
    """
    held = Holding.objects.filter(owner=owner, digital__gt=0).exclude(card__in=list(without))
    if words:
        held = held.filter(card__in=catalog.search(Card.objects.all(), words))
    wants = Holding.objects.none()
    if wants_known:
        wants = Holding.objects.filter(owner=other, wishlist__gt=F("quantity"))
    wanted = set(wants.values_list("card_id", flat=True)[:2000])
    first = held.filter(card__in=wanted) if wanted else held.none()
    order = ("-for_trade", "card__game__sort_number", "card__sort_number")
    rows = list(first.select_related("card__game").order_by(*order)[:PICKS])
    if len(rows) < PICKS:
        seen = [row.card_id for row in rows]
        rest = held.exclude(card__in=seen).select_related("card__game").order_by(*order)
        rows += list(rest[: PICKS - len(rows)])
    return [Pick(row.card, row.digital, row.for_trade, row.card_id in wanted) for row in rows]


def offered(trade: Trade) -> dict[int, int]:
    """The cards that a trade's proposer offers: card key → copies."""
    return {item.card_id: item.count for item in trade.items.all() if item.from_proposer}


def offered_picks(trade: Trade, without: Iterable[int]) -> list[Pick]:
    """The offered cards to choose from, where the proposer shows no other cards."""
    items = [item for item in trade.items.all() if item.from_proposer]
    left = [item for item in items if item.card_id not in set(without)]
    return [Pick(item.card, item.count, for_trade=0, on_wishlist=False) for item in left]


def chosen(owner: User, side: Mapping[int, int]) -> list[tuple[Card, int, int]]:
    """Chosen cards in catalog order, each with the count chosen and the copies there are."""
    digital = dict(
        Holding.objects.filter(owner=owner, card__in=list(side)).values_list("card_id", "digital")
    )
    cards = Card.objects.filter(pk__in=list(side)).select_related("game")
    ordered = cards.order_by("game__sort_number", "sort_number")
    return [(card, side[card.pk], digital.get(card.pk, 0)) for card in ordered]


def missing_cards(trade: Trade) -> list[str]:
    """Sentences about cards that a side of an open trade no longer has."""
    sides = {True: trade.proposer, False: trade.partner}
    people = (trade.proposer_id, trade.partner_id)
    cards = [item.card_id for item in trade.items.all()]
    rows = Holding.objects.filter(owner__in=people, card__in=cards)
    has = {
        (owner, card): n for owner, card, n in rows.values_list("owner_id", "card_id", "digital")
    }
    missing = []
    for item in trade.items.all():
        owner = sides[item.from_proposer]
        held = has.get((owner.pk, item.card_id), 0)
        if held < item.count:
            missing.append(f"{owner} has only {held} of {item.count} {item.card.title}.")
    return missing
