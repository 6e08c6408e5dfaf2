"""Trades: offered, answered, and carried out in one transaction.

An offer reserves nothing. Both sides' cards are looked at when it is made, out of kindness, and
again by the ledger when it is accepted: a card promised twice goes to whoever accepts first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.errors import MembersOnly
from accounts.models import User
from collection.errors import NotEnoughCards, TooLate, TooMany, Unacceptable
from collection.models import Card, Holding, Kind, Reason, Trade, TradeItem, TradeState
from collection.queries import people
from collection.queries import trades as queries
from collection.services import ledger, stakes
from core.errors import NotAllowed
from notices.kinds import Kind as Notice
from notices.services.notices import notify, retract

DAYS = (3, 7, 14)
MAX_CARDS = 100
MAX_OPEN = 50
MAX_TOKEN_LENGTH = 40

Side = Mapping[int, int]
"""One side of a trade: card key → copies."""


@transaction.atomic
def offer_trade(
    *,
    proposer: User,
    partner: User,
    gives: Side,
    takes: Side,
    token: str,
    message: str = "",
    days: int = 7,
    answer_to: Trade | None = None,
) -> Trade:
    """Offer cards for cards. The same offer with the same token again is the first one.

    With ``answer_to`` it is a counter-offer, which only the other offer's partner may make and
    which ends that one. It may ask for other cards only if its maker may see the other one's
    collection, else for some of those on offer.

    Raises ``MembersOnly``, ``NotAllowed``, ``NotEnoughCards``, ``TooMany``, ``TooLate`` and
    ``Unacceptable``.
    """
    if not 0 < len(token) <= MAX_TOKEN_LENGTH:
        raise Unacceptable(
            "Invalid form token or idempotency key. Reload the page and try again.", field="token"
        )
    message = message.strip()[:280]
    terms = _Said(partner.pk, gives, takes, message, days, answer_to.pk if answer_to else None)
    if (trade := _made_with(proposer, token, terms)) is not None:
        return trade
    _check_people(proposer, partner, answer_to)
    _check_sides(gives, takes, days)
    if answer_to is not None:
        # First of all: what the other one has is told only to whoever has an open offer of theirs.
        answered = Trade.objects.select_for_update().get(pk=answer_to.pk)
        if (trade := _made_with(proposer, token, terms)) is not None:
            return trade  # the other click was here while this one waited for the lock
        _check_open(answered)
        _check_asked(proposer, answered, takes)
        _settle(answered, TradeState.COUNTERED)
    _check_cards(proposer, gives)
    _check_cards(partner, takes)
    try:
        with transaction.atomic():
            trade = Trade.objects.create(
                proposer=proposer,
                partner=partner,
                token=token,
                message=message,
                answer_to=answer_to,
                expires_at=timezone.now() + timedelta(days=days),
            )
    except IntegrityError:  # the second click was as fast as the first
        if (trade := _made_with(proposer, token, terms)) is not None:
            return trade
        raise
    TradeItem.objects.bulk_create(
        TradeItem(trade=trade, from_proposer=from_proposer, card_id=card, count=count)
        for from_proposer, side in ((True, gives), (False, takes))
        for card, count in side.items()
    )
    offers = "makes a counter-offer:" if answer_to is not None else "offers you a trade:"
    _tell(trade, partner, f"{proposer} {offers} {_deal(trade)}.")
    return trade


@dataclass(frozen=True, slots=True)
class _Said:
    """The terms of an offer, to recognise a repeated one."""

    partner: int
    gives: Side
    takes: Side
    message: str
    days: int
    answer_to: int | None


def _made_with(proposer: User, token: str, terms: _Said) -> Trade | None:
    """The offer that came with a token, if there is one; ``Unacceptable`` if it was another one."""
    trade = Trade.objects.filter(proposer=proposer, token=token).first()
    if trade is None:
        return None
    sides: dict[bool, dict[int, int]] = {True: {}, False: {}}
    for row in TradeItem.objects.filter(trade=trade):
        sides[row.from_proposer][row.card_id] = row.count
    days = round((trade.expires_at - trade.created_at) / timedelta(days=1))
    before = _Said(
        trade.partner_id, sides[True], sides[False], trade.message, days, trade.answer_to_id
    )
    if before != terms:
        raise Unacceptable(
            "This form or idempotency key was already used for another offer, which is unchanged. "
            "Reload the page to make a new one.",
            field="token",
            trade=trade.slug,
        )
    return trade


@transaction.atomic
def accept_trade(*, trade: Trade, user: User) -> Trade:
    """Swap the cards. Accepting again changes nothing.

    Raises ``NotAllowed`` for anybody but the partner and while a side plays a game of its cards for
    keeps, ``TooLate`` when the offer is over, and ``NotEnoughCards`` when a side no longer has what
    it promised: then the offer stays open.
    """
    _must_be(user, trade.partner_id, "Only the recipient can accept an offer.")
    locked = Trade.objects.select_for_update().get(pk=trade.pk)
    if locked.state == TradeState.ACCEPTED:
        return locked
    _check_open(locked)
    stakes.lock_people([locked.proposer_id, locked.partner_id])
    items = locked.items.select_related("card__game")
    for owner, own in ((locked.proposer, True), (locked.partner, False)):
        games = {item.card.game.slug for item in items if item.from_proposer is own}
        stakes.check_free(people=[owner], games=games)
    ledger.transfer(
        key=f"trade:{locked.slug}",
        reason=Reason.TRADE,
        movements=_movements(locked),
        by=user,
    )
    return _settle(locked, TradeState.ACCEPTED)


@transaction.atomic
def decline_trade(*, trade: Trade, user: User) -> Trade:
    """Say no. Saying it again changes nothing."""
    _must_be(user, trade.partner_id, "Only the recipient can decline an offer.")
    return _end(trade, TradeState.DECLINED)


@transaction.atomic
def cancel_trade(*, trade: Trade, user: User) -> Trade:
    """Take one's own offer back. Doing it again changes nothing."""
    _must_be(user, trade.proposer_id, "Only the sender can withdraw an offer.")
    return _end(trade, TradeState.CANCELLED)


def close_all(*, user: User) -> None:
    """Take back what somebody offers, and decline what is offered to them; the words go, too."""
    for trade in Trade.objects.filter(proposer=user, state=TradeState.OPEN):
        cancel_trade(trade=trade, user=user)
    for trade in Trade.objects.filter(partner=user, state=TradeState.OPEN):
        decline_trade(trade=trade, user=user)
    Trade.objects.filter(proposer=user).update(message="")


def expire_trades() -> int:
    """End the offers whose time is over; gives how many."""
    now = timezone.now()
    late = Trade.objects.filter(state=TradeState.OPEN, expires_at__lte=now)
    with transaction.atomic():
        slugs = list(late.select_for_update().values_list("slug", flat=True))
        for slug in slugs:
            retract(Notice.TRADE, key=slug)
        late = Trade.objects.filter(state=TradeState.OPEN, slug__in=slugs)
        return late.update(state=TradeState.EXPIRED, settled_at=now)


def _check_people(proposer: User, partner: User, answer_to: Trade | None) -> None:
    if proposer.is_guest or partner.is_guest or not partner.is_active:
        raise MembersOnly("Both players need an account to trade. Sign up: you keep your cards.")
    if proposer.pk == partner.pk:
        raise Unacceptable("You can’t trade with yourself.")
    if answer_to is not None:
        _must_be(proposer, answer_to.partner_id, "Only the recipient can answer an offer.")
        if partner.pk != answer_to.proposer_id:
            raise Unacceptable("A counter-offer goes to the sender of the offer.")
    elif not people.may_see(proposer, partner):
        raise NotAllowed(
            f"{partner}’s collection is not visible to you. Send a friend request first."
        )
    if Trade.objects.filter(proposer=proposer, state=TradeState.OPEN).count() >= MAX_OPEN:
        raise TooMany(f"You already have {MAX_OPEN} open offers. Withdraw one first.")


def _check_asked(asker: User, answered: Trade, takes: Side) -> None:
    """Whoever makes an offer shows the cards that are in it, and by that no others.

    Making an offer is no invitation to look through a collection that is private or for friends:
    its owner chose what to lay on the table. And as every refusal of a count tells what somebody
    has, cards that are not on the table, or more copies of those that are, cannot even be asked
    for. A collection that the asker may see by its own setting is open to counter-offers as to any.
    """
    if people.may_see(asker, answered.proposer):
        return
    on_offer = queries.offered(answered)
    if any(count > on_offer.get(card, 0) for card, count in takes.items()):
        raise NotAllowed(
            f"You can only ask for the cards in {answered.proposer}’s offer. For others, add a "
            "message."
        )


def _check_sides(gives: Side, takes: Side, days: int) -> None:
    if not gives and not takes:
        raise Unacceptable("Choose at least one card.")
    for side in (gives, takes):
        if len(side) > MAX_CARDS:
            raise Unacceptable(f"Up to {MAX_CARDS} different cards per side.")
        if any(count < 1 for count in side.values()):
            raise Unacceptable("Every card needs a count of 1 or more.")
    if days not in DAYS:
        raise Unacceptable(
            f"An offer can expire after {', '.join(map(str, DAYS))} days, not {days}."
        )


def _check_cards(owner: User, side: Side) -> None:
    """Kindness to the one who offers; what counts is the ledger's word when it is accepted."""
    rows = Holding.objects.filter(owner=owner, card__in=side).values_list("card_id", "digital")
    has = dict(rows)
    for card in Card.objects.filter(pk__in=side).order_by("game__sort_number", "sort_number"):
        if has.get(card.pk, 0) < side[card.pk]:
            raise NotEnoughCards(
                f"{owner} has {has.get(card.pk, 0)} digital copies of {card.title}, not "
                f"{side[card.pk]}. Only digital copies can be traded."
            )


def _movements(trade: Trade) -> list[ledger.Movement]:
    """Both sides' cards, each going to the other."""
    sides = {True: (trade.proposer_id, trade.partner_id)}
    sides[False] = sides[True][::-1]
    return [
        ledger.Movement(item.card_id, item.count, Kind.DIGITAL, *sides[item.from_proposer])
        for item in trade.items.all()
    ]


def _check_open(trade: Trade) -> None:
    if trade.state != TradeState.OPEN:
        raise TooLate(f"This offer is closed ({trade.get_state_display().lower()}).")
    if trade.expires_at <= timezone.now():
        raise TooLate("This offer has expired.")


def _end(trade: Trade, state: TradeState) -> Trade:
    locked = Trade.objects.select_for_update().get(pk=trade.pk)
    if locked.state == state:
        return locked
    _check_open(locked)
    return _settle(locked, state)


def _settle(trade: Trade, state: TradeState) -> Trade:
    trade.state = state
    trade.settled_at = timezone.now()
    trade.save(update_fields=["state", "settled_at"])
    retract(Notice.TRADE, key=trade.slug, people=[trade.partner_id])
    if state in (TradeState.ACCEPTED, TradeState.DECLINED):
        verb = "accepted" if state == TradeState.ACCEPTED else "declined"
        _tell(trade, trade.proposer, f"{trade.partner} {verb} your trade: {_deal(trade)}.")
    return trade


def _deal(trade: Trade) -> str:
    """“Red Claw for 3 cards”: what the proposer gives and takes."""
    items = trade.items.select_related("card")
    sides = {True: "nothing", False: "nothing"}
    for from_proposer in sides:
        side = [item for item in items if item.from_proposer == from_proposer]
        count = sum(item.count for item in side)
        if count:
            sides[from_proposer] = side[0].card.title if count == 1 else f"{count} cards"
    return f"{sides[True]} for {sides[False]}"


def _tell(trade: Trade, person: User, text: str) -> None:
    link = trade.get_absolute_url()
    notify([person.pk], Notice.TRADE, text=text, link=link, key=trade.slug)


def _must_be(user: User, key: int, sentence: str) -> None:
    if user.pk != key:
        raise NotAllowed(sentence)
