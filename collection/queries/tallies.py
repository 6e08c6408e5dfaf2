"""How much somebody has of each part of the catalog: a few rows, however large the collection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, QuerySet, Sum

from collection.models import Holding, Tally

_PART = ("owner_id", "game_id", "rarity", "retired", "card_set_id")


@dataclass(frozen=True, slots=True)
class Part:
    """Somebody's part of the catalog: a game's cards of one rarity, or those of a set."""

    owner: int
    game: int
    rarity: str = ""
    retired: bool = False
    card_set: int | None = None


@dataclass(slots=True)
class Amount:
    """How many different cards, copies, and digital copies."""

    cards: int = 0
    copies: int = 0
    digital: int = 0

    def __bool__(self) -> bool:
        return bool(self.cards or self.copies or self.digital)

    def add(self, cards: int, copies: int, digital: int) -> None:
        """Put so many more (or fewer, below 0) to it."""
        self.cards += cards
        self.copies += copies
        self.digital += digital


Amounts = dict[Part, Amount]


def tallied(owner: int | None = None) -> Amounts:
    """The sums of this person's (everybody's) tallies; empty parts are left out."""
    rows = Tally.objects.order_by()
    return added_up(rows if owner is None else rows.filter(owner=owner))


def added_up(rows: QuerySet[Tally]) -> Amounts:
    """These tallies' sums."""
    summed = rows.values_list(*_PART).annotate(Sum("cards"), Sum("copies"), Sum("digital"))
    amounts = {Part(*row[:5]): Amount(*row[5:]) for row in summed}
    return {part: amount for part, amount in amounts.items() if amount}


def counted(owner: int | None = None) -> Amounts:
    """Count the holdings themselves, as the truth to compare the tallies with."""
    held = Holding.objects.filter(quantity__gt=0).order_by()
    if owner is not None:
        held = held.filter(owner=owner)
    return dict([*_by_rarity(held), *_by_set(held)])


def _by_rarity(held: QuerySet[Holding]) -> Iterator[tuple[Part, Amount]]:
    rows = held.values_list("owner_id", "card__game_id", "card__rarity", "card__retired")
    summed = rows.annotate(Count("pk"), Sum("quantity"), Sum("digital"))
    for owner, game, rarity, retired, *numbers in summed.iterator():
        yield Part(owner, game, rarity, retired), Amount(*numbers)


def _by_set(held: QuerySet[Holding]) -> Iterator[tuple[Part, Amount]]:
    # A card that is retired has no number in its sets.
    printed = held.filter(card__printings__number__isnull=False)
    rows = printed.values_list("owner_id", "card__game_id", "card__printings__card_set_id")
    summed = rows.annotate(Count("pk"), Sum("quantity"), Sum("digital"))
    for owner, game, a_set, *numbers in summed.iterator():
        yield Part(owner, game, card_set=a_set), Amount(*numbers)


@dataclass(frozen=True, slots=True)
class TallyDifference:
    """A part of somebody's cards whose tallies are not what the holdings add up to."""

    part: Part
    tallied: Amount
    held: Amount

    def __str__(self) -> str:
        return f"{self.part}: {self.tallied} tallied, {self.held} held"


def tally_differences(owner: int | None = None) -> list[TallyDifference]:
    """Every part that is tallied wrong: none, or something is broken."""
    stored = tallied(owner)
    right = counted(owner)
    return [
        TallyDifference(part, stored.get(part, Amount()), right.get(part, Amount()))
        for part in [*right, *(part for part in stored if part not in right)]
        if stored.get(part) != right.get(part)
    ]
