"""A person's changes to their own cards: starter decks, counts, marks, privacy."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from copy import copy
from typing import Any

from django.db import transaction

import rules
from accounts.models import User
from collection.errors import NotEnoughCards, NotFound, TooLate, Unacceptable
from collection.models import Card, Collection, Holding, Reason, Transfer, Visibility
from collection.models.holdings import MAX_COPIES, MAX_NOTES, MAX_TAGS
from collection.queries.holdings import starter_key
from collection.services import copies
from collection.services.ledger import digital_to, physical_of, transfer
from core.idempotency import once
from rules.engine.cards import Product
from rules.engine.errors import UnknownGame

TOKEN = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)


def take_starter(*, user: User, game: str, product: str) -> tuple[Transfer, bool]:
    """Give a person the starter deck that they chose; of each group one, once.

    Taking the same one again changes nothing. Raises ``NotFound`` where there is no such product,
    ``Unacceptable`` where it is none to start with and ``TooLate`` where another one was taken.
    """
    deck = _product(game, product)
    slugs = dict(deck.cards)
    keys = Card.objects.filter(game__slug=game, slug__in=slugs).values_list("pk", "slug")
    if len(keys) != len(slugs):
        raise TooLate(f"{deck.name} has just changed. Try again in a moment.")
    starter_transfer, now = transfer(
        key=starter_key(user.pk, game, deck.starter),
        reason=Reason.STARTER,
        movements=digital_to(user, {pk: slugs[slug] for pk, slug in keys}),
        by=user,
        note=deck.name,
    )
    if not now and starter_transfer.note != deck.name:
        raise TooLate(
            f"You already have your {deck.starter}: {starter_transfer.note}. "
            "Everyone can claim one."
        )
    return starter_transfer, now


def _product(game: str, product: str) -> Product:
    try:
        chosen = rules.game(game).products.get(product)
    except UnknownGame:
        chosen = None
    if chosen is None:
        raise NotFound("Product not found.")
    if chosen.lent:
        raise Unacceptable(f"{chosen.name} is provided for every match and can’t be owned.")
    if not chosen.starter or not chosen.cards:
        raise Unacceptable(f"{chosen.name} is not a starter deck. Choose one of the starter decks.")
    return chosen


def new_token() -> str:
    """A token for a form, so that sending it twice counts once."""
    return secrets.token_urlsafe(12)


@transaction.atomic
def count_by_hand(
    *,
    owner: User,
    card: Card,
    token: str,
    change: int | None = None,
    to: int | None = None,
    total: int | None = None,
    marks: Mapping[str, Any] | None = None,
) -> Holding:
    """Change the number of physical copies: by a difference, or to a number.

    The number is ``to`` or, digital copies included, ``total``.

    The same token counts once; with another card, number or ``marks`` (what else the same form
    said) it is refused. Digital copies are never touched. Raises ``NotEnoughCards`` when there
    would be fewer than none, ``Unacceptable`` and ``KeyUsedAgain``.
    """
    if TOKEN.fullmatch(token) is None:
        raise Unacceptable("This form is invalid. Reload the page.", field="token")
    numbers = [number for number in (change, to, total) if number is not None]
    if len(numbers) != 1:
        raise Unacceptable("Send either a change or a new count.", field="change")
    most = MAX_COPIES
    if not -most <= numbers[0] <= most:
        raise Unacceptable(f"Limit: {most:,} copies of one card.", field="change")
    if change is None and numbers[0] < 0:
        raise Unacceptable("Enter 0 or more copies.", field="to")

    def count() -> str:
        held = locked_holding(owner, card)
        if total is not None and total < held.digital:
            raise NotEnoughCards(_digital_stay(card, held))
        by = change
        if by is None:
            by = numbers[0] - held.physical - (held.digital if to is None else 0)
        try:
            if by:
                moves = physical_of(owner, {card.pk: by})
                key = f"hand:{owner.pk}:{token}"
                transfer(key=key, reason=Reason.HAND, movements=moves, by=owner)
        except NotEnoughCards as refusal:
            raise NotEnoughCards(_none_to_take(card, held), **refusal.extra) from None
        return ""

    values: list[Any] = [card.pk, change, to, marks or {}]
    values += [] if total is None else [total]
    once(user=owner, key=f"hand:{token}", content=values, make=count)
    return locked_holding(owner, card)


def _digital_stay(card: Card, held: Holding) -> str:
    number = f"{held.digital:,} of these {'is' if held.digital == 1 else 'are'} digital"
    return f"{number} and can only leave by trade. Enter {held.digital:,} or more."


def locked_holding(owner: User, card: Card) -> Holding:
    """The owner's row of a card, made where there was none, locked."""
    Holding.objects.bulk_create([Holding(owner=owner, card=card)], ignore_conflicts=True)
    return Holding.objects.select_for_update().get(owner=owner, card=card)


def _none_to_take(card: Card, held: Holding) -> str:
    if held.physical:
        copies = "1 physical copy" if held.physical == 1 else f"{held.physical:,} physical copies"
        return f"You have only {copies} of {card.title} to remove."
    if held.digital:
        return (
            f"Your copies of {card.title} are digital and can only leave by trade. "
            "You have no physical copies."
        )
    return f"You have no copies of {card.title} to remove."


@transaction.atomic
def mark(
    *,
    owner: User,
    card: Card,
    for_trade: int | None = None,
    wishlist: int | None = None,
    tags: str | None = None,
    notes: str | None = None,
) -> Holding:
    """Change what the owner says about a card; what is not given stays as it is.

    Raises ``Unacceptable``, whose ``extra["field"]`` names what cannot be.
    """
    held = locked_holding(owner, card)
    if wishlist is not None:
        if not 0 <= wishlist <= MAX_COPIES:
            raise Unacceptable(
                f"Enter a wishlist quantity from 0 to {MAX_COPIES:,}.", field="wishlist"
            )
        held.wishlist = wishlist
    if for_trade is not None:
        have = held.digital + held.physical
        if not 0 <= for_trade <= have:
            raise Unacceptable(_too_many_for_trade(card, have), field="for_trade")
        _for_trade(held, for_trade)
    if tags is not None:
        held.tags = tidy_tags(tags)
    if notes is not None:
        held.notes = _tidy_notes(notes)
    held.save(update_fields=["wishlist", "for_trade", "tags", "notes"])
    return held


def _for_trade(held: Holding, for_trade: int) -> None:
    """Say how many copies of a locked holding may go; which ones, its rows say."""
    before = copy(held)
    held.for_trade = for_trade
    copies.write(copies.settle({before: held}))


@transaction.atomic
def want(*, owner: User, cards: Mapping[int, int]) -> int:
    """Wish for so many copies in all of each card (key → copies); how many are missing anew.

    A card that the owner has enough of, or wishes for more of, stays as it is.
    """
    Holding.objects.bulk_create(
        [Holding(owner=owner, card_id=card) for card in sorted(cards)], ignore_conflicts=True
    )
    rows = Holding.objects.select_for_update().filter(owner=owner, card__in=list(cards))
    changed, new = [], 0
    for row in rows.order_by("card_id"):
        number, held = cards[row.card_id], max(row.digital + row.physical, row.wishlist)
        if held < number:
            new += number - held
            row.wishlist = number
            changed.append(row)
    Holding.objects.bulk_update(changed, ["wishlist"])
    return new


def _too_many_for_trade(card: Card, have: int) -> str:
    if not have:
        return f"You have no copies of {card.title} to trade."
    copies = "1 copy" if have == 1 else f"{have:,} copies"
    return f"You have {copies} of {card.title}. Enter 0 to {have:,} for trade."


def tidy_tags(text: str) -> str:
    """Tags with commas between, each once; raises ``Unacceptable`` when they are too long."""
    tags: dict[str, str] = {}
    for tag in text.replace("\0", "").split(","):
        words = " ".join(tag.split())
        if words:
            tags.setdefault(words.casefold(), words)
    tidy = ", ".join(tags.values())
    if len(tidy) > MAX_TAGS:
        raise Unacceptable(f"Tags can have up to {MAX_TAGS} characters in total.", field="tags")
    return tidy


def _tidy_notes(text: str) -> str:
    tidy = text.replace("\0", "").replace("\r\n", "\n").strip()
    if len(tidy) > MAX_NOTES:
        raise Unacceptable(f"Notes can have up to {MAX_NOTES:,} characters.", field="notes")
    return tidy


def set_visibility(*, owner: User, visibility: str) -> Collection:
    """Say who may look at a collection. A guest's is never for everybody."""
    if visibility not in Visibility.values:
        raise Unacceptable(f"Choose {', '.join(Visibility.values)}.", field="visibility")
    if owner.is_guest and visibility == Visibility.PUBLIC:
        raise Unacceptable("Sign up to make your collection public.", field="visibility")
    settings, _ = Collection.objects.update_or_create(
        owner=owner, defaults={"visibility": visibility}
    )
    return settings
