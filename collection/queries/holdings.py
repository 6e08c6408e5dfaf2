"""Reading what people own, with the same number of queries whatever the size of a collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Greatest

import rules
from accounts.models import User
from collection.copies import ETCHED, FOIL, Described, tidied
from collection.models import Card, CardSet, DescribedCopies, Facet, Game, Holding, Transfer
from collection.queries.catalog import PAGE_SIZE, spoken_rarity
from collection.queries.tallies import tallied
from core.db import CompiledQuery, filled_up
from core.serializers import INTERNAL, Doc, component, describe, from_row
from rules.engine.cards import Product

HAVE_CHOICES = (
    ("all", "All cards"),
    ("owned", "Owned"),
    ("missing", "Missing"),
    ("duplicates", "Duplicates"),
    ("wishlist", "Wishlist"),
    ("for_trade", "For trade"),
)
_HELD = {
    "owned": Q(own_quantity__gt=0),
    "duplicates": Q(own_quantity__gt=1),
    "wishlist": Q(own_wishlist__gt=F("own_quantity")),
    "for_trade": Q(own_for_trade__gt=0),
}


def having(cards: QuerySet[Card], owner: User, haves: Collection[str]) -> QuerySet[Card]:
    """Cards by what the owner has of them: all that is said at once.

    Retired ones are among those alone that are held.
    """
    if owns_in_order(haves):
        cards = cards.filter(holdings__owner=owner).annotate(
            own_quantity=F("holdings__quantity"),
            own_wishlist=F("holdings__wishlist"),
            own_for_trade=F("holdings__for_trade"),
            own_since=F("holdings__updated_at"),
        )
    for have in haves:
        cards = cards.filter(_HELD.get(have, Q(retired=False)))
    if "missing" in haves:
        owned = Holding.objects.filter(owner=owner, card=OuterRef("pk"), quantity__gt=0)
        cards = cards.filter(~Exists(owned))
    return cards


def owns_in_order(haves: Collection[str]) -> bool:
    """True if cards chosen like this can be sorted by the owner's holdings."""
    return not _HELD.keys().isdisjoint(haves)


def with_copies(
    cards: QuerySet[Card],
    owner: User,
    *,
    condition: Collection[str] = (),
    language: Collection[str] = (),
    finish: Collection[str] = (),
    binder: str = "",
) -> QuerySet[Card]:
    """Cards of which the owner has copies that are all of this at once."""
    rows = DescribedCopies.objects.filter(holding__owner=owner)
    if condition:
        rows = rows.filter(condition__in=condition)
    if language:
        rows = rows.filter(language__in=language)
    if binder:
        rows = rows.filter(binder=binder)
    if finish:
        shines = Q(finish__in=finish)
        if FOIL in finish:
            shines |= ~Q(finish__in=["", ETCHED])
        rows = rows.filter(shines)
    return cards.filter(pk__in=rows.values("holding__card"))


def own(owner: User, cards: Iterable[Card]) -> dict[int, Holding]:
    """The owner's holdings of these cards, by the card's key."""
    rows = Holding.objects.filter(owner=owner, card__in=[card.pk for card in cards])
    return {row.card_id: row for row in rows}


@dataclass(frozen=True, slots=True)
class Copies:
    """How many copies of a card a person has, wants and has for trade."""

    quantity: int
    wishlist: int
    for_trade: int
    described: int = 0

    @property
    def missing(self) -> int:
        """How many copies the wishlist still lacks."""
        return max(0, self.wishlist - self.quantity)


def copies(owner: User, cards: Collection[int]) -> dict[int, Copies]:
    """The owner's counts of these cards for a wall, by the card's key."""
    if not cards:
        return {}
    rows = _copies.rows(owner.pk, *filled_up(cards, PAGE_SIZE))
    return {card: Copies(*numbers) for card, *numbers in rows}


_copies = CompiledQuery(
    lambda owner, *cards: Holding.objects.filter(owner=owner, card__in=cards).values_list(
        "card_id", "quantity", "wishlist", "for_trade", "described"
    ),
    many=1 + PAGE_SIZE,
)


def holding(owner: User, card: Card) -> Holding:
    """The owner's holding of a card; an unsaved, empty row where there is none."""
    row = Holding.objects.filter(owner=owner, card=card).first()
    return row or Holding(owner=owner, card=card, quantity=0)


describe(
    Described,
    "Copies of a card with the same details; `for_trade` of them are for trade.",
    *(
        "quantity",
        "condition",
        "language",
        "finish",
        "binder",
        "note",
        "tags",
        "extra",
        "for_trade",
    ),
    component="Copies",
)


@dataclass(frozen=True, slots=True)
class ShownCopies:
    """Copies of a card, as others may see them."""

    quantity: int
    condition: Annotated[str, Doc("Empty if not specified.")]
    language: Annotated[str, Doc("Language code, or empty.")]
    finish: Annotated[str, Doc("foil, etched, another word, or empty for plain copies.")]


@component("ShownHolding")
@dataclass(frozen=True, slots=True)
class HoldingForOthers:
    """A person's holding of a card, as others may see it."""

    game: str
    card: str
    title: str
    rarity: str
    retired: bool
    quantity: Annotated[int, Doc("All copies.")]
    digital: Annotated[int, Doc("Digital copies: these can be traded.")]
    physical: Annotated[int, Doc("Physical copies, as counted by their owner.")]
    for_trade: Annotated[int, Doc("Copies for trade.")]
    wishlist: Annotated[int, Doc("Copies wanted in total.")]
    missing: Annotated[int, Doc("Copies still missing for the wishlist.")]
    copies: Annotated[list[ShownCopies], Doc("Copies with details; the others are plain.")]


@component("Holding")
@dataclass(frozen=True, slots=True)
class HoldingForOwner(HoldingForOthers):
    """Your holding of a card."""

    copies: Annotated[  # type: ignore[assignment]  # more of each
        list[Described], Doc("Copies with details; the others are plain.")
    ]
    tags: list[str]
    notes: str
    updated_at: Annotated[datetime, Doc("When the number of copies last changed.")]


def for_others(held: Holding, copies: Iterable[Described] = ()) -> HoldingForOthers:
    """A holding with only those details that others may see."""
    return from_row(HoldingForOthers, held, **_card_of(held), copies=shown(copies))


def for_owner(held: Holding, copies: Iterable[Described] = ()) -> HoldingForOwner:
    """All of it."""
    return from_row(
        HoldingForOwner, held, **_card_of(held), tags=held.tag_list, copies=list(copies)
    )


def shown(copies: Iterable[Described]) -> list[ShownCopies]:
    """The details that others may see: condition, language and finish."""
    public = tidied(
        Described(row.quantity, row.condition, row.language, row.finish) for row in copies
    )
    return [from_row(ShownCopies, row) for row in public]


def _card_of(held: Holding) -> dict[str, Any]:
    card = held.card
    return {
        "game": card.game.slug,
        "card": card.slug,
        "title": card.title,
        "rarity": card.rarity,
        "retired": card.retired,
    }


# How far


@dataclass(frozen=True, slots=True)
class Progress:
    """How many different cards of a part of the catalog are owned."""

    slug: str
    name: str
    owned: int
    of: int

    @property
    def percent(self) -> int:
        """Whole percents; 100 only where nothing is missing."""
        return 100 * self.owned // self.of if self.of else 0


@dataclass(frozen=True, slots=True)
class GameProgress(Progress):
    """A game with its sets and rarities."""

    sets: list[Progress] = field(default_factory=list)
    rarities: list[Progress] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Totals:
    """A collection in numbers, and how far it is in each game."""

    cards: int
    copies: int
    digital: int
    for_trade: int
    wishlist: int
    games: list[Progress]
    described: int = 0


def totals(owner: User, games: Sequence[Game] | None = None) -> Totals:
    """Total counts; ``wishlist`` counts the copies still missing."""
    amounts = tallied(owner.pk)
    by_rarity = {part: amount for part, amount in amounts.items() if part.card_set is None}
    current: Counter[int] = Counter()
    for part, amount in by_rarity.items():
        current[part.game] += 0 if part.retired else amount.cards
    lacking = Greatest(F("wishlist") - F("quantity"), 0)
    marked = Holding.objects.filter(owner=owner).order_by()
    marks = marked.aggregate(
        for_trade=Sum("for_trade", default=0),
        wishlist=Sum(lacking, default=0),
        described=Sum("described", default=0),
    )
    return Totals(
        cards=sum(amount.cards for amount in by_rarity.values()),
        copies=sum(amount.copies for amount in by_rarity.values()),
        digital=sum(amount.digital for amount in by_rarity.values()),
        for_trade=marks["for_trade"],
        wishlist=marks["wishlist"],
        described=marks["described"],
        games=[
            Progress(game.slug, game.name, current[game.pk], number)
            for game, number in _sizes(games).items()
        ],
    )


@dataclass(frozen=True, slots=True)
class Summary:
    """A collection in numbers."""

    cards: Annotated[int, Doc("Different cards.")]
    copies: int
    digital: Annotated[int, Doc("Digital copies.")]
    for_trade: int
    wishlist: Annotated[int, Doc("Copies still missing for the wishlist.")]
    games: list[GameProgress]


def summary(owner: User) -> Summary:
    """Total counts with the sets and rarities of each game."""
    return from_row(Summary, totals(owner, []), games=completion(owner))


def _sizes(games: Sequence[Game] | None) -> dict[Game, int]:
    """How many cards each game has."""
    known = list(Game.objects.filter(retired=False)) if games is None else games
    counted = Facet.objects.order_by().values_list("game").annotate(Sum("card_count"))
    sizes = dict(counted)
    return {game: sizes.get(game.pk, 0) for game in known}


def completion(owner: User) -> list[GameProgress]:
    """How far the owner is in every game, set and rarity."""
    games = list(Game.objects.filter(retired=False))
    amounts = tallied(owner.pk)
    by_rarity = {
        (part.game, part.rarity): amount.cards
        for part, amount in amounts.items()
        if part.card_set is None and not part.retired
    }
    by_set = {part.card_set: amount.cards for part, amount in amounts.items()}
    sizes: dict[int, list[tuple[int, str, int]]] = {}
    ranked = Facet.objects.order_by("rarity_rank", "rarity")
    for game, rank, rarity, number in ranked.values_list("game", "rarity_rank", "rarity").annotate(
        Sum("card_count")
    ):
        sizes.setdefault(game, []).append((rank, rarity, number))
    sets: dict[int, list[Progress]] = {}
    for row in CardSet.objects.filter(retired=False).order_by("number", "slug"):
        progress = Progress(row.slug, row.name, by_set.get(row.pk, 0), row.card_count)
        sets.setdefault(row.game_id, []).append(progress)
    progress_of_games = []
    for game in games:
        rarities = [
            Progress(rarity, spoken_rarity(rarity), by_rarity.get((game.pk, rarity), 0), number)
            for _, rarity, number in sizes.get(game.pk, [])
        ]
        progress_of_games.append(
            GameProgress(
                slug=game.slug,
                name=game.name,
                owned=sum(part.owned for part in rarities),
                of=sum(part.of for part in rarities),
                sets=sets.get(game.pk, []),
                rarities=rarities,
            )
        )
    return progress_of_games


# Starter decks


describe(Product, "A product to choose.", "slug", "name", "description")


@dataclass(frozen=True, slots=True)
class Starter:
    """A group of starter decks, one for each player."""

    game: str
    game_name: Annotated[str, INTERNAL]
    group: str
    products: list[Product]
    taken: Annotated[str, Doc("The name of the deck that you claimed, or empty.")] = ""


def starter_key(owner_key: int, game: str, group: str) -> str:
    """The ledger's key of the transfer that gives a starter deck."""
    return f"starter:{owner_key}:{game}:{group}"


def starters(owner: User | None) -> list[Starter]:
    """Every group of starter decks; ``taken`` says which product was chosen, by its name."""
    groups: dict[tuple[str, str], list[Product]] = {}
    for slug, game in rules.games().items():
        for product in game.products.values():
            if product.starter and product.cards and not product.lent:
                groups.setdefault((slug, product.starter), []).append(product)
    taken: Mapping[str, str] = {}
    if owner is not None and groups:
        keys = [starter_key(owner.pk, game, group) for game, group in groups]
        taken = dict(Transfer.objects.filter(key__in=keys).values_list("key", "note"))
    return [
        Starter(
            game=game,
            game_name=rules.game(game).name,
            group=group,
            products=products,
            taken=taken.get(starter_key(owner.pk, game, group), "") if owner else "",
        )
        for (game, group), products in groups.items()
    ]
