"""Reading the catalog, with the same number of queries whatever its size."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet, Subquery, Sum
from django.shortcuts import get_object_or_404
from django.urls import reverse

import rules
from collection.drawing import pictures
from collection.drawing.printed import PrintedCard
from collection.models import RARITY_WORDS, Card, CardInSet, CardSet, Facet, Game
from collection.queries.packs import gifts_of
from collection.queries.rulings import Ruling, rulings
from collection.queries.search import search as search
from core.db import CompiledQuery, filled_up
from core.serializers import Address, Doc, component, describe, from_row
from rules.engine.cards import Product, StarterDeck
from rules.engine.game import FormatOption, Mode, Option
from rules.engine.game import Game as RulesGame

describe(
    Option,
    "An option of a match.",
    "slug",
    "name",
    "help",
    kind=Doc(
        "choice: one of values; integer: a number from the first to the last value; subset: any "
        "list of values.",
        choices=["choice", "integer", "subset"],
    ),
    values=Doc(),
    names=Doc("Names of the values, where they have any."),
    word=Doc("A word that can be sent instead of values, or empty."),
    default=Doc(),
    decks=Doc(
        "Which values need decks: own, one from each player; shared, one for the table, from "
        "its host.",
        child_kwargs=Doc(choices=["own", "shared"]).options,
    ),
    judges=Doc("True if deck legality depends on it, such as the deck size."),
)
describe(
    FormatOption,
    "An option of a custom format.",
    "slug",
    "name",
    rule=Doc("The numbered rule that it switches on."),
    help=Doc(),
    kind=Doc(
        "switch: true or omitted; integer: a number from the first to the last value; choice: one "
        "of values; subset: any list of values, or true for the usual ones.",
        choices=["switch", "integer", "choice", "subset"],
    ),
    values=Doc(),
    usual=Doc("The values of a subset that is given as true."),
    names=Doc("Names of the values, where they have any."),
)
describe(
    StarterDeck,
    "A preconstructed deck.",
    "slug",
    "name",
    "description",
    modes=Doc("What it is for."),
    cards=Doc("Section, card’s slug, copies."),
)
describe(
    Ruling, "A rule of the game’s rulebook that names the card.", "text", rule=Doc("Its number.")
)


def games() -> QuerySet[Game]:
    """The games that are played here."""
    return Game.objects.filter(retired=False)


def games_with_counts() -> QuerySet[Game]:
    """All games with ``card_count`` and their sets."""
    counted = games().annotate(card_count=Sum("facets__card_count", default=0))
    sets = CardSet.objects.filter(retired=False).order_by("number", "slug")
    return counted.prefetch_related(Prefetch("sets", queryset=sets, to_attr="current_sets"))


def cards(*, retired: bool = False) -> QuerySet[Card]:
    """Cards with everything that their pictures and pages show."""
    printings = CardInSet.objects.select_related("card_set").order_by("position")
    rows = (
        Card.objects.defer("words")
        .select_related("game")
        .prefetch_related(Prefetch("printings", queryset=printings))
    )
    # The cards of a game that is gone are all retired.
    return rows if retired else rows.filter(retired=False)


def cards_by_key(keys: Collection[int]) -> dict[int, Card]:
    """The rows of these cards, retired or not."""
    return cards(retired=True).order_by().in_bulk(keys)


@dataclass(frozen=True, slots=True)
class WallCard:
    """A card as walls show it: what is printed on it, and where it stands."""

    pk: int
    game_name: str
    sort_number: int
    retired: bool
    content_hash: str
    printed: PrintedCard


PAGE_SIZE = 48
"""So many cards the longest page of a wall has."""
_PRINTED = ("slug", "name", "title", "kind", "colour", "rarity", "text", "attributes")
_printings = CompiledQuery(
    lambda *cards: (
        CardInSet.objects.filter(card__in=cards)
        .order_by("position")
        .values_list("card_id", "card_set__slug")
    ),
    many=PAGE_SIZE,
)
_on_walls = CompiledQuery(
    lambda *cards: (
        Card.objects.filter(pk__in=cards)
        .order_by()
        .values_list(
            *("pk", "game__name", "sort_number", "retired", "content_hash", "game__slug"), *_PRINTED
        )
    ),
    many=PAGE_SIZE,
)


def wall_cards(keys: Collection[int]) -> dict[int, WallCard]:
    """Values of these cards for a wall, three times as fast as model rows."""
    if not keys:
        return {}
    filled_keys = filled_up(keys, PAGE_SIZE)
    sets: dict[int, list[str]] = {}
    for card, card_set in _printings.rows(*filled_keys):
        sets.setdefault(card, []).append(card_set)
    by_key = {}
    for key, game_name, number, retired, content_hash, game, *rest in _on_walls.rows(*filled_keys):
        printed = dict(zip(_PRINTED, rest, strict=True))
        as_printed = PrintedCard(game=game, sets=tuple(sets.get(key, ())), **printed)
        by_key[key] = WallCard(key, game_name, number, retired, content_hash, as_printed)
    return by_key


class FacetRow(NamedTuple):
    """A :class:`Facet` as plain values: there are hundreds."""

    kind: str
    colour: str
    rarity: str
    rarity_rank: int
    card_count: int


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of the filters, each as (value, label)."""

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


def listed(values: str | Sequence[str] | None) -> list[str]:
    """Normalise one value or several to a list."""
    return [values] if isinstance(values, str) and values else list(values or ())


_SETS = ("game__slug", "slug", "game__name", "name")
_games = CompiledQuery(lambda: games())
_facets = CompiledQuery(
    lambda: Facet.objects.filter(game__retired=False).values_list(*FacetRow._fields)
)
_facets_of = CompiledQuery(
    lambda game: Facet.objects.filter(game=game).values_list(*FacetRow._fields)
)
_sets = CompiledQuery(
    lambda: CardSet.objects.filter(game__retired=False, retired=False).values_list(*_SETS)
)
_sets_of = CompiledQuery(
    lambda game: CardSet.objects.filter(game=game, retired=False).values_list(*_SETS)
)


def choices(game: str = "") -> Choices:
    """The filters' choices: those of one game where one is chosen."""
    known = _games.rows()
    chosen = next((row.pk for row in known if row.slug == game), None)
    rows = _facets.rows() if chosen is None else _facets_of.rows(chosen)
    named = _sets.rows() if chosen is None else _sets_of.rows(chosen)
    facets = [FacetRow(*row) for row in rows]
    rarities = {(row.rarity_rank, row.rarity) for row in facets}
    several = chosen is None and len(known) > 1
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
class Within:
    """A preconstructed deck that has a card."""

    slug: str
    name: str
    copies: int


@dataclass(frozen=True, slots=True)
class CardProduct:
    """A product of the game that has a card, or may have it."""

    slug: str
    name: str
    copies: Annotated[int, Doc("0 where it is random.")]
    lent: Annotated[bool, Doc("Provided for every match, never owned.")]
    odds: Annotated[str | None, Doc("The odds; null for provided products.", field=Address)]


def products_with(card: Card) -> list[CardProduct]:
    """The products that have a card, or may have it, in their game's order."""
    game = rules.games().get(card.game.slug)
    return [
        CardProduct(
            product.slug,
            product.name,
            product.cards.get(card.slug, 0),
            product.lent,
            _odds(card.game.slug, product),
        )
        for product in (game.products.values() if game else ())
        if card.slug in product.cards
        or any(card.slug in sheet.cards for sheet in product.sheets.values())
    ]


def _odds(game: str, product: Product) -> str | None:
    """Where the odds of a product are to be had."""
    return None if product.lent else reverse("api-odds", args=[game, product.slug])


def decks_with(card: Card) -> list[Within]:
    """The game's ready-made decks that have a card."""
    game = rules.games().get(card.game.slug)
    counted = (
        Within(deck.slug, deck.name, sum(part.get(card.slug, 0) for part in deck.cards.values()))
        for deck in (game.starter_decks.values() if game else ())
    )
    return [deck for deck in counted if deck.copies]


@component("CardSet")
@dataclass(frozen=True, slots=True)
class CardSetShown:
    """Cards that appeared together."""

    slug: str
    name: str
    number: Annotated[int, Doc("The order of a game’s sets, from 1.")]


@component("Game")
@dataclass(frozen=True, slots=True)
class GameShown:
    """A game in a list."""

    slug: str
    name: str
    summary: str
    cards: Annotated[int, Doc("Number of cards.")]
    sets: list[CardSetShown]


@component("Mode")
@dataclass(frozen=True, slots=True)
class ModeShown:
    """One way to play a game."""

    slug: str
    name: str
    summary: str
    seats: Annotated[list[int], Doc("The numbers of seats that can play.")]
    own_decks: Annotated[
        bool,
        Doc(
            "Whether every seat brings a deck, whatever the options say. Where it is false "
            "an option may still ask for decks: see its member decks."
        ),
    ]
    playable: Annotated[bool, Doc("False for modes that are not playable yet.")]
    rules_version: str
    options: tuple[Option, ...]
    sections: Annotated[
        tuple[str, ...],
        Doc("A deck’s sections; cards go into the first where nothing is said."),
    ]
    format_options: list[FormatOption]


@dataclass(frozen=True, slots=True)
class GameProduct:
    """Something with cards in it."""

    slug: str
    name: str
    description: str
    kind: Annotated[
        Literal["fixed", "random", "box"],
        Doc("fixed: always the same cards; random: random cards; box: contains other products."),
    ]
    starter: Annotated[str, Doc("The group of which a new collector claims one, or empty.")]
    lent: Annotated[bool, Doc("Provided for every match, never owned.")]
    gift: Annotated[
        bool,
        Doc("Can be claimed as the daily pack; a fixed one only once."),
    ]
    odds: Annotated[
        str | None,
        Doc("Contents and odds; null for provided products.", field=Address),
    ]


@dataclass(frozen=True, slots=True)
class GameDetail(GameShown):
    """A game with its modes and their options, its products and its preconstructed decks."""

    modes: list[ModeShown]
    products: list[GameProduct]
    decks: Annotated[list[StarterDeck], Doc("Preconstructed decks.")]


def games_shown() -> list[GameShown]:
    """All games with their sets, in the site's order."""
    return [from_row(GameShown, game, **_of_row(game)) for game in games_with_counts()]


def game_detail(slug: str) -> GameDetail:
    """One game; raises ``Http404``."""
    row = get_object_or_404(games_with_counts(), slug=slug)
    game = rules.game(slug)
    gifts = gifts_of(AnonymousUser(), slug)
    return from_row(
        GameDetail,
        row,
        **_of_row(row),
        modes=[_mode(game, mode) for mode in game.modes.values()],
        products=[_product(slug, product, gifts) for product in game.products.values()],
        decks=list(game.starter_decks.values()),
    )


def _of_row(game: Game) -> dict[str, Any]:
    sets: list[CardSet] = game.current_sets  # type: ignore[attr-defined]  # games_with_counts
    return {
        "cards": game.card_count,  # type: ignore[attr-defined]  # the same
        "sets": [from_row(CardSetShown, card_set) for card_set in sets],
    }


def _mode(game: RulesGame, mode: Mode) -> ModeShown:
    options = game.format_options_for(mode)
    return from_row(ModeShown, mode, seats=list(mode.seats), format_options=options)


def _product(game: str, product: Product, gifts: Sequence[Product]) -> GameProduct:
    return from_row(
        GameProduct,
        product,
        kind="box" if product.nested else "random" if product.random else "fixed",
        gift=product in gifts,
        odds=_odds(game, product),
    )


@dataclass(frozen=True, slots=True)
class Printing:
    """A set in which a card appears, and its number there."""

    slug: str
    name: str
    number: Annotated[
        int | None, Doc("The card’s number in the set, from 1; none once it is retired.")
    ]


@dataclass(frozen=True, slots=True)
class Images:
    """Addresses of a card's picture, which change when it does: keep what they give for ever."""

    thumb: Annotated[str, Doc("126 by 176 pixels, WebP", field=Address)]
    table: Annotated[str, Doc("252 by 352 pixels, WebP", field=Address)]
    full: Annotated[str, Doc("756 by 1056 pixels, WebP", field=Address)]


@component("Card")
@dataclass(frozen=True, slots=True)
class CardShown:
    """A card with everything that is printed on it."""

    game: str
    slug: str
    name: Annotated[str, Doc("What is printed on the card.")]
    title: Annotated[str, Doc("What lists and messages say, where the name alone is not enough.")]
    kind: str
    colour: str
    rarity: str
    text: str
    attributes: Annotated[
        dict[str, Any],
        Doc("The card’s numbers and words; which ones depends on game and kind."),
    ]
    sets: list[Printing]
    number: Annotated[int, Doc("Its place in the catalog.")]
    retired: bool
    images: Images
    alt: Annotated[str, Doc("Text alternative of the picture.")]
    url: Annotated[str, Doc("The card’s page.", field=Address)]


@dataclass(frozen=True, slots=True)
class CardDetail(CardShown):
    """A card with what the rulebook says of it, and where it is to be had."""

    rulings: list[Ruling]
    products: list[CardProduct]
    decks: Annotated[list[Within], Doc("Preconstructed decks with the card.")]


def cards_shown(rows: Sequence[Card]) -> list[CardShown]:
    """Cards as the API tells them."""
    return [from_row(CardShown, card, **_of_card(card)) for card in rows]


def card_detail(game: str, slug: str) -> CardDetail:
    """One card, retired or not; raises ``Http404``."""
    card = get_object_or_404(cards(retired=True), game__slug=game, slug=slug)
    return from_row(
        CardDetail,
        card,
        **_of_card(card),
        rulings=rulings(game, card.title, card.name),
        products=products_with(card),
        decks=decks_with(card),
    )


def _of_card(card: Card) -> dict[str, Any]:
    return {
        "game": card.game.slug,
        "sets": [
            Printing(printing.card_set.slug, printing.card_set.name, printing.number)
            for printing in card.printings.all()
        ],
        "number": card.sort_number,
        "images": Images(**{size: pictures.row_image_url(card, size) for size in pictures.SIZES}),
        "alt": pictures.row_alt_text(card),
        "url": card.get_absolute_url(),
    }


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
