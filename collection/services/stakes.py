"""Cards at stake: what somebody may lose in a match that is played for keeps, and what they lose.

One digital copy of each card of a deck is at stake, for nobody knows which of them it will be.
While it is, its owner trades no card of that game: a refusal for one card alone would tell what is
in the deck.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count

from accounts.errors import MembersOnly
from accounts.models import User
from collection.errors import NotEnoughCards
from collection.models import Card, Holding, Kind, Reason, Stake, Transfer
from collection.services import ledger
from core.errors import NotAllowed

NAMED = 3
"""So many missing cards a refusal names."""


@dataclass(frozen=True, slots=True)
class Prize:
    """A card, by its slug, that went from one person (by key) to another."""

    card: str
    giver: int
    taker: int


def lock_people(people: Collection[int]) -> None:
    """Let nobody put cards of these people at stake, or trade them, until the transaction ends."""
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk")
    list(rows.values_list("pk", flat=True))


@transaction.atomic
def put_at_stake(*, owner: User, match: str, game: str, cards: Collection[str]) -> None:
    """Bring one own digital copy of each of these cards to a match.

    Raises ``MembersOnly``, and ``NotEnoughCards`` where a copy is missing, or at stake elsewhere.
    """
    if owner.is_guest:
        raise MembersOnly("Playing for keeps needs an account. Sign up: you keep your cards.")
    lock_people([owner.pk])
    rows = dict(Card.objects.filter(game__slug=game, slug__in=cards).values_list("slug", "pk"))
    held = Holding.objects.filter(owner=owner, card__in=rows.values())
    digital = dict(held.values_list("card_id", "digital"))
    elsewhere = Stake.objects.filter(owner=owner, card__in=rows.values()).exclude(match=match)
    counted = elsewhere.values_list("card_id").annotate(count=Count("pk"))
    staked = dict(counted)
    short = [
        slug for slug in cards if digital.get(key := rows.get(slug, 0), 0) <= staked.get(key, 0)
    ]
    if short:
        raise NotEnoughCards(_too_few(game, short), cards=short)
    Stake.objects.bulk_create(
        [Stake(match=match, owner=owner, card_id=key) for key in sorted(rows.values())],
        ignore_conflicts=True,
    )


def _too_few(game: str, short: list[str]) -> str:
    titles = Card.objects.filter(game__slug=game, slug__in=short).order_by("sort_number")
    names = list(titles.values_list("title", flat=True))
    missing = ", ".join(names[:NAMED])
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return (
        "This table is played for keeps: you need a digital copy of every card in your deck that "
        f"is not at stake elsewhere. Missing: {missing}{more}."
    )


def release(*, match: str, owner: User | None = None) -> None:
    """The match is off, or this person does not play it: nothing of theirs is at stake there."""
    rows = Stake.objects.filter(match=match)
    (rows if owner is None else rows.filter(owner=owner)).delete()


def check_free(*, people: Iterable[User], games: Collection[str]) -> None:
    """Raise ``NotAllowed`` where one of these people, locked before, plays one of the games for
    keeps."""
    stakes = Stake.objects.filter(owner__in=people, card__game__slug__in=games)
    stake = stakes.select_related("owner", "card__game").order_by("pk").first()
    if stake is not None:
        raise NotAllowed(
            f"{stake.owner} is playing {stake.card.game.name} for keeps. Their cards of that game "
            "can’t be traded until the match ends."
        )


@transaction.atomic
def settle(*, match: str, game: str, prizes: Iterable[Prize], note: str) -> Transfer | None:
    """Carry out what a match that is over has decided, once; then nothing is at stake there.

    Only a card that its giver had put at stake moves. None where nothing moves.
    """
    lock_people(Stake.objects.filter(match=match).values_list("owner", flat=True))
    staked = {
        (owner, slug): card
        for owner, slug, card in Stake.objects.filter(match=match, card__game__slug=game)
        .select_for_update()
        .values_list("owner_id", "card__slug", "card_id")
    }
    moves = [
        ledger.Movement(card, 1, Kind.DIGITAL, prize.giver, prize.taker)
        for prize in prizes
        if prize.giver != prize.taker
        and (card := staked.get((prize.giver, prize.card))) is not None
    ]
    release(match=match)
    if not moves:
        return None
    record, _ = ledger.transfer(key=key_of(match), reason=Reason.ANTE, movements=moves, note=note)
    return record


def key_of(match: str) -> str:
    """The key of the transfer that a match leads to."""
    return f"ante:{match}"
