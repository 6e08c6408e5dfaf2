"""A set as a checklist: what somebody has of it, what a goal lacks, and the packs that bring it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from django.db.models import QuerySet, Sum
from django.shortcuts import get_object_or_404

import rules
from accounts.models import User
from collection.models import CardInSet, CardSet, DescribedCopies, Holding
from collection.models.catalog import card_address
from collection.queries.catalog import spoken, spoken_rarity
from collection.queries.packs import contents_today, given_products
from rules.engine.cards import Product
from rules.engine.pack_goals import PackGoal, pack_goal

Goal = Literal["one", "playset", "foil"]
GOALS: dict[Goal, str] = {"one": "One of each", "playset": "Playsets", "foil": "Foils"}
"""Goals of a collector: a copy of each card, as many as a deck may hold, or foils."""
SHOWN: dict[str, str] = {"": "All", "missing": "Missing", "owned": "Owned", "wishlist": "Wishlist"}
PAGE_SIZE = 120


def sets_with(game: str, cards: Iterable[str]) -> QuerySet[CardSet]:
    """The sets of a game that any of these cards appeared in."""
    holding = CardInSet.objects.filter(card__game__slug=game, card__slug__in=list(cards))
    return CardSet.objects.filter(pk__in=holding.values("card_set"), retired=False)


@dataclass(frozen=True, slots=True)
class SetCard:
    """A card of a set with what somebody has of it; ``missing`` copies are those of the goal."""

    key: int
    number: int
    slug: str
    title: str
    kind: str
    rarity: str
    owned: int
    foils: int
    goal: int
    missing: int
    wishlist: int
    address: str


@dataclass(frozen=True, slots=True)
class Checklist:
    """All cards of a set by number."""

    card_set: CardSet
    goal: Goal
    cards: Sequence[SetCard]

    @property
    def missing(self) -> Sequence[SetCard]:
        """The cards that the goal lacks copies of."""
        return [card for card in self.cards if card.missing]

    @property
    def done(self) -> int:
        """How many of the cards have what the goal asks for."""
        return len(self.cards) - len(self.missing)

    @property
    def percent(self) -> int:
        """Whole percents; 100 only where nothing is missing."""
        return 100 * self.done // len(self.cards) if self.cards else 0

    def shown(self, which: str) -> Sequence[SetCard]:
        """All cards, or some of them: a key of ``SHOWN``."""
        if which == "missing":
            return self.missing
        if which == "owned":
            return [card for card in self.cards if card.owned]
        if which == "wishlist":
            return [card for card in self.cards if card.wishlist > card.owned]
        return self.cards


def set_of(game: str, slug: str) -> CardSet:
    """A set of a game; raises ``Http404``."""
    return get_object_or_404(CardSet.objects.select_related("game"), game__slug=game, slug=slug)


def checklist(card_set: CardSet, owner: User | None, goal: Goal) -> Checklist:
    """The cards of a set with what their owner has, wants, and lacks for a goal: four queries."""
    printed = CardInSet.objects.filter(card_set=card_set, number__isnull=False).order_by("number")
    columns = ("card_id", "number", "card__slug", "card__title", "card__kind", "card__rarity")
    held: dict[int, tuple[int, int]] = {}
    foils: dict[int, int] = {}
    if owner is not None:
        rows = Holding.objects.filter(owner=owner, card__printings__card_set=card_set)
        held = {
            card: (quantity, wanted)
            for card, quantity, wanted in rows.values_list("card_id", "quantity", "wishlist")
        }
        if goal == "foil":
            shining = DescribedCopies.objects.filter(
                holding__owner=owner, holding__card__printings__card_set=card_set
            ).exclude(finish="")
            counted = shining.order_by().values_list("holding__card_id")
            foils = dict(counted.annotate(Sum("quantity")))
    game = rules.games().get(card_set.game.slug)
    playsets = game.playsets if game and goal == "playset" else {}
    cards = []
    for key, number, slug, title, kind, rarity in printed.values_list(*columns):
        owned, wanted = held.get(key, (0, 0))
        copies = playsets.get(slug, 1)
        having = foils.get(key, 0) if goal == "foil" else owned
        cards.append(
            SetCard(
                key=key,
                number=number or 0,
                slug=slug,
                title=title,
                kind=spoken(kind),
                rarity=spoken_rarity(rarity),
                owned=owned,
                foils=foils.get(key, 0),
                goal=copies,
                missing=max(0, copies - having),
                wishlist=wanted,
                address=card_address(card_set.game.slug, slug),
            )
        )
    return Checklist(card_set, goal, cards)


@dataclass(frozen=True, slots=True)
class Finish:
    """The packs of a product until all copies that a goal lacks have come."""

    product: Product
    goal: PackGoal
    chance: float


def finishing(listed: Checklist, packs: int) -> list[Finish]:
    """The products whose packs bring copies that a goal lacks, the best first.

    ``chance`` is that of having all of them after so many packs. No pack has foils.
    """
    game = listed.card_set.game.slug
    if game not in rules.games() or listed.goal == "foil":
        return []
    missing = {card.slug: card.missing for card in listed.missing}
    finishes = []
    for product in given_products(game):
        contents = contents_today(game, product.slug)
        if goal := pack_goal(contents, missing):
            finishes.append(Finish(product, goal, goal.chance(packs)))
    return sorted(finishes, key=lambda row: (-row.goal.wanted, row.goal.expected))
