"""Reading the catalog, with the same number of queries whatever its size."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Prefetch, QuerySet, Subquery, Sum

import rules
from collection.models import RARITY_WORDS, Card, CardInSet, CardSet, Facet, Game
from collection.printed import PrintedCard
from collection.queries.search import search as search


def games() -> QuerySet[Game]:
    """The games that are played here."""
    return Game.objects.filter(retired=False)


def games_with_counts() -> QuerySet[Game]:
    """The same with ``card_count``, sets beside."""
    counted = games().annotate(card_count=Sum("facets__card_count", default=0))
    sets = CardSet.objects.filter(retired=False).order_by("number", "slug")
    return counted.prefetch_related(Prefetch("sets", queryset=sets, to_attr="current_sets"))


def cards(*, retired: bool = False) -> QuerySet[Card]:
    """Cards with everything that their pictures and pages show."""
    printings = CardInSet.objects.select_related("card_set").order_by("position")
    found = (
        Card.objects.defer("words")
        .select_related("game")
        .prefetch_related(Prefetch("printings", queryset=printings))
    )
    # The cards of a game that is gone are all retired.
    return found if retired else found.filter(retired=False)


def cards_by_key(keys: Collection[int]) -> dict[int, Card]:
    """The rows of these cards, retired or not."""
    return cards(retired=True).order_by().in_bulk(keys)


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card as walls show it: what is printed on it, and where it stands."""

    pk: int
    game_name: str
    sort_number: int
    retired: bool
    content_hash: str
    printed: PrintedCard


def shown_cards(keys: Collection[int]) -> dict[int, ShownCard]:
    """The same of these cards as plain values, which take a third of the time of rows."""
    sets: dict[int, list[str]] = {}
    printings = CardInSet.objects.filter(card__in=keys).order_by("position")
    for card, card_set in printings.values_list("card_id", "card_set__slug"):
        sets.setdefault(card, []).append(card_set)
    columns = ("game__name", "sort_number", "retired", "content_hash", "game__slug", *_PRINTED)
    found = {}
    for key, game_name, number, retired, content_hash, game, *rest in (
        Card.objects.filter(pk__in=keys).order_by().values_list("pk", *columns)
    ):
        printed = dict(zip(_PRINTED, rest, strict=True))
        as_printed = PrintedCard(game=game, sets=tuple(sets.get(key, ())), **printed)
        found[key] = ShownCard(key, game_name, number, retired, content_hash, as_printed)
    return found


_PRINTED = ("slug", "name", "title", "kind", "colour", "rarity", "text", "attributes")


class FacetRow(NamedTuple):
    """A :class:`Facet` as plain values: there are hundreds."""

    kind: str
    colour: str
    rarity: str
    rarity_rank: int
    card_count: int


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose from in the filters, each as (value, words)."""

    games: list[tuple[str, str]]
    sets: list[tuple[str, str]]
    kinds: list[tuple[str, str]]
    colours: list[tuple[str, str]]
    rarities: list[tuple[str, str]]
    facets: list[FacetRow]

    def number(self, chosen: Mapping[str, Any]) -> int | None:
        """How many cards these filters leave; None where they ask for more than facets know.

        A filter is one value, or several of which a card has one.
        """
        known = {name: listed(chosen.get(name)) for name in ("kind", "colour", "rarity")}
        if set(chosen) - {*known, "game", "sort", "view"}:
            return None
        return sum(
            row.card_count
            for row in self.facets
            if all(not values or getattr(row, name) in values for name, values in known.items())
        )


def listed(asked: str | Sequence[str] | None) -> list[str]:
    """What is asked for, once or several times."""
    return [asked] if isinstance(asked, str) and asked else list(asked or ())


def choices(game: str = "") -> Choices:
    """The filters' choices: those of one game where one is chosen."""
    known = list(games())
    chosen = [row for row in known if row.slug == game] or known
    rows = Facet.objects.filter(game__in=chosen).values_list(*FacetRow._fields)
    facets = [FacetRow(*row) for row in rows]
    rarities = {(row.rarity_rank, row.rarity) for row in facets}
    sets = CardSet.objects.filter(game__in=chosen, retired=False)
    named = sets.values_list("game__slug", "slug", "game__name", "name")
    several = len(chosen) > 1
    return Choices(
        games=[(row.slug, row.name) for row in known],
        sets=[
            (f"{game_slug}.{slug}", f"{game_name}: {name}" if several else name)
            for game_slug, slug, game_name, name in named
        ],
        kinds=[(kind, spoken(kind)) for kind in sorted({row.kind for row in facets})],
        colours=[
            (colour, spoken(colour)) for colour in sorted({row.colour for row in facets}) if colour
        ],
        rarities=[(word, spoken_rarity(word)) for _, word in sorted(rarities)],
        facets=facets,
    )


def spoken(word: str) -> str:
    """A catalog word as people read it."""
    return word.replace("_", " ").replace("-", " ").capitalize()


def spoken_rarity(word: str) -> str:
    """A rarity as people read it."""
    return spoken(RARITY_WORDS.get(word, word))


def card_or_none(game_slug: str, card_slug: str) -> Card | None:
    """One card with its sets, retired or not."""
    return cards(retired=True).filter(game__slug=game_slug, slug=card_slug).first()


def neighbours(card: Card) -> tuple[Card | None, Card | None]:
    """The cards before and after this one in its game's catalog."""
    # A game's cards stand together. Asked for this game's alone, the database might walk through
    # all of the next one's in search of one more.
    line = cards(retired=False).prefetch_related(None)
    before = line.filter(place__lt=card.place).order_by("-place").first()
    after = line.filter(place__gt=card.place).order_by("place").first()
    return _of_game(before, card.game_id), _of_game(after, card.game_id)


def _of_game(card: Card | None, game: int) -> Card | None:
    return card if card is not None and card.game_id == game else None


def namesakes(card: Card) -> QuerySet[Card]:
    """Other cards of the game with the same printed name: its other colours."""
    same = cards().filter(game=card.game_id, name=card.name).exclude(pk=card.pk)
    return same.order_by("place")[:12]


@dataclass(frozen=True, slots=True)
class Containing:
    """A product or a ready-made deck that a card is in; ``copies`` is 0 where chance decides.

    ``lent`` products are laid on the table by the house: nobody has them, and they have no odds.
    """

    slug: str
    name: str
    copies: int
    lent: bool = False


def products_with(card: Card) -> list[Containing]:
    """The products that have a card, or may have it, in their game's order."""
    game = rules.games().get(card.game.slug)
    return [
        Containing(product.slug, product.name, product.cards.get(card.slug, 0), product.lent)
        for product in (game.products.values() if game else ())
        if card.slug in product.cards
        or any(card.slug in sheet.cards for sheet in product.sheets.values())
    ]


def decks_with(card: Card) -> list[Containing]:
    """The game's ready-made decks that have a card."""
    game = rules.games().get(card.game.slug)
    counted = (
        Containing(
            deck.slug, deck.name, sum(part.get(card.slug, 0) for part in deck.cards.values())
        )
        for deck in (game.starter_decks.values() if game else ())
    )
    return [deck for deck in counted if deck.copies]


def game_key(slug: str) -> Subquery:
    """A game's key, found in the same query: so that an index that begins with it is used."""
    return Subquery(Game.objects.filter(slug=slug).values("pk")[:1])


def printed_in(slug: str, game: str = "") -> QuerySet[CardInSet, int]:
    """Keys of the cards that appear in a set; of every game's set of that slug without a game."""
    sets = CardSet.objects.filter(slug=slug)
    if game:
        sets = sets.filter(game=game_key(game))
    return CardInSet.objects.filter(card_set__in=sets.values("pk")).values_list(
        "card_id", flat=True
    )
