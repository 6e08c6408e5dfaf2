"""The builder's page: the deck with owned and missing copies, and its statistics.

Always in as many queries, however large deck, catalog and collection are.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

import rules
from accounts.models import User
from collection.models import Card, CardInSet, Holding
from core.serializers import Doc, component, describe, from_row
from decks import statistics
from decks.models import CardPool, Deck, Format
from decks.queries import decks as queries
from decks.queries import verdicts
from decks.queries.versions import undo_and_redo
from rules.engine.chance import SEED_BYTES, Chance
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist, Report


@dataclass(frozen=True, slots=True)
class Row:
    """A card in a section; ``missing`` copies of it are not owned, all sections together."""

    slug: str
    title: str
    count: int
    owned: int
    missing: int
    troubled: bool
    """A problem of the report names it."""


@dataclass(frozen=True, slots=True)
class Part:
    """A section, empty ones too, its cards by kind: the kind, how many of it, the rows."""

    slug: str
    name: str
    count: int
    groups: list[tuple[str, int, list[Row]]]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How the builder shows a deck: what its cards are grouped by, and their order in a group."""

    group: str = "kind"
    order: str = "number"


@dataclass(frozen=True, slots=True)
class MissingCard:
    """A card of which more copies are in the deck than its owner has."""

    slug: str
    title: str
    missing: int
    on_wishlist: bool
    """The wishlist has all of them already."""


@dataclass(frozen=True, slots=True)
class Pane:
    """A deck while it is built."""

    deck: Deck
    size: int
    parts: list[Part]
    report: Report | None
    findings: tuple[verdicts.Group, ...]
    needs: list[MissingCard]
    formats: list[Format]
    held: dict[str, int]
    collects: bool
    """The owner has cards of this game at all: what is missing is worth a mark."""
    pool: CardPool | None
    """It takes the place of the collection in a sealed or draft tournament."""
    can_undo: bool
    can_redo: bool
    maybe: list[Row]
    """The maybeboard."""
    arrangement: Arrangement
    groups: list[tuple[str, str]]
    """Properties that cards can be grouped by, with their labels …"""
    orders: list[tuple[str, str]]
    """… and those that they can be sorted by."""

    @property
    def counts(self) -> str:
        """Copies by card, for the page's script."""
        return json.dumps(self.held)

    @property
    def owned_word(self) -> str:
        """The word before the number of copies that there are to build from."""
        return "pool" if self.pool is not None else "own"

    @property
    def missing(self) -> int:
        """How many cards the owner would still need."""
        return sum(need.missing for need in self.needs)

    @property
    def to_want(self) -> bool:
        """True if a missing card is not on the wishlist."""
        return any(not need.on_wishlist for need in self.needs)

    @property
    def verdict(self) -> str:
        """The report in a few words."""
        if self.report is None:
            return "Not checked"
        return "Legal" if self.report.legal else "Not legal yet"


def game_and_mode(deck: Deck) -> tuple[Game, Mode] | None:
    """The game and mode of a deck, where both are (still) known."""
    game = rules.games().get(deck.game)
    mode = game.modes.get(deck.mode) if game else None
    return (game, mode) if game and mode else None


def cards_of(mode: Mode, cards: QuerySet[Card]) -> QuerySet[Card]:
    """Those of a game's cards that its mode is played with, as ``Mode.takes`` says of each."""
    if mode.kinds:
        cards = cards.filter(kind__in=mode.kinds)
    if mode.sets:
        printed = CardInSet.objects.filter(card=OuterRef("pk"), card_set__slug__in=mode.sets)
        cards = cards.filter(Exists(printed))
    return cards


def copies_for(deck: Deck, user: User, cards: Collection[str]) -> dict[str, tuple[int, int]]:
    """How many copies there are to build from, by card, and how many are wanted: those of the
    deck's pool, or the person's own."""
    pool = verdicts.pool_of(deck)
    if pool is not None:
        return {slug: (count, 0) for slug, count in pool.cards.items() if slug in cards}
    return holdings_of(user, deck.game, cards)


def holdings_of(user: User, game: str, cards: Collection[str]) -> dict[str, tuple[int, int]]:
    """How many copies a person has and wants, by card, of these cards."""
    rows = Holding.objects.filter(owner=user, card__game__slug=game, card__slug__in=cards)
    return {
        slug: (quantity, wanted)
        for slug, quantity, wanted in rows.values_list("card__slug", "quantity", "wishlist")
    }


def collects(user: User, game: str) -> bool:
    """Has this person any card of a game?"""
    return Holding.objects.filter(owner=user, card__game__slug=game, quantity__gt=0).exists()


def _said_already(page: queries.DeckPage) -> Report:
    """The report on a deck while it is built: nothing before its first card, and no advice before
    it has its size."""
    assert page.report is not None
    return verdicts.without_early_advice(page.report) if page.size else Report()


def pane(deck: Deck, user: User, arrangement: Arrangement | None = None) -> Pane:
    """Return what the builder shows of one of the person's own decks."""
    arrangement = arrangement or Arrangement()
    page = queries.deck_page(deck)
    held = Counter[str]()
    for card in page.held:
        held[card.slug] += card.count
    has = copies_for(deck, user, {**held, **deck.maybe})
    troubled = {
        slug
        for problem in (page.report.errors if page.report else ())
        # A problem that names half of the deck marks no card of it.
        if len(problem.cards) <= 3
        for slug in problem.cards
    }
    missing = {slug: max(0, count - has.get(slug, (0, 0))[0]) for slug, count in held.items()}
    titles = {card.slug: card.title for card in page.held}
    undo, redo = undo_and_redo(deck)
    return Pane(
        deck=deck,
        size=page.size,
        parts=_parts(page, has, missing, troubled, arrangement),
        report=page.report,
        findings=verdicts.report_groups(_said_already(page)) if page.report else (),
        needs=[
            MissingCard(slug, titles[slug], count, has.get(slug, (0, 0))[1] >= held[slug])
            for slug, count in missing.items()
            if count
        ],
        formats=[] if verdicts.pool_of(deck) else list(formats_for(user, deck)),
        held=dict(held),
        collects=verdicts.pool_of(deck) is not None or collects(user, deck.game),
        pool=verdicts.pool_of(deck),
        can_undo=undo,
        can_redo=redo,
        maybe=_maybeboard(deck, has),
        arrangement=arrangement,
        groups=groups_of(deck.game),
        orders=orders_of(deck.game),
    )


def _maybeboard(deck: Deck, has: Mapping[str, tuple[int, int]]) -> list[Row]:
    """The cards that are considered, in catalog order; those that the game has no more are not
    shown."""
    game = rules.games().get(deck.game)
    catalog = game.catalog if game else {}
    return [
        Row(
            slug=slug,
            title=card.title,
            count=deck.maybe[slug],
            owned=has.get(slug, (0, 0))[0],
            missing=0,
            troubled=False,
        )
        for slug, card in catalog.items()
        if slug in deck.maybe
    ]


def groups_of(game: str) -> list[tuple[str, str]]:
    """The properties that a game's cards can be grouped by, with their labels."""
    known = rules.games().get(game)
    if known is None:
        return [("kind", "Kind")]
    coloured = len({card.colour for card in known.catalog.values()}) > 1
    return [
        ("kind", "Kind"),
        *([("colour", "Colour")] if coloured else []),
        *_numbers_of(known),
        ("none", "Nothing"),
    ]


def orders_of(game: str) -> list[tuple[str, str]]:
    """The properties that a game's cards can be sorted by, with their labels."""
    known = rules.games().get(game)
    numbers = _numbers_of(known) if known else []
    return [("number", "Card number"), ("name", "Name"), ("count", "Copies"), *numbers]


def _numbers_of(game: Game) -> list[tuple[str, str]]:
    return [
        (slug, game.words.get(slug, statistics.spoken(slug)))
        for slug in statistics.numbers_of(game.slug)
    ]


@component("Has")
@dataclass(frozen=True, slots=True)
class DeckCardCounts:
    """A card of a deck, and what I have of it."""

    card: Annotated[str, Doc("The card’s slug.")]
    title: str
    count: Annotated[int, Doc("Copies in the deck, all sections together.")]
    owned: Annotated[int, Doc("My copies, digital and physical.")]
    wishlist: Annotated[int, Doc("How many I want in total.")]

    @property
    @Doc("Missing copies.")
    def missing(self) -> int:
        """So many more copies would be needed."""
        return max(0, self.count - self.owned)


@dataclass(frozen=True, slots=True)
class Needs:
    """Own and missing copies of a deck."""

    cards: Annotated[list[DeckCardCounts], Doc("Every card of the deck, in catalog order.")]

    @property
    @Doc()
    def size(self) -> int:
        """Cards in all."""
        return sum(card.count for card in self.cards)

    @property
    @Doc("Total missing copies.")
    def missing(self) -> int:
        """How many copies of all cards are missing."""
        return sum(card.missing for card in self.cards)

    @property
    @Doc("The cards with missing copies.")
    def needs(self) -> list[DeckCardCounts]:
        """Those with something missing."""
        return [card for card in self.cards if card.missing]


def deck_card_counts(deck: Deck, user: User) -> list[DeckCardCounts]:
    """Counts of a person's copies of each card of any deck, in catalog order."""
    held = Counter[str]()
    titles = {}
    for card in queries.deck_cards(deck):
        held[card.slug] += card.count
        titles[card.slug] = card.title
    own = holdings_of(user, deck.game, held)
    return [DeckCardCounts(slug, titles[slug], held[slug], *own.get(slug, (0, 0))) for slug in held]


def formats_for(user: User | AnonymousUser, deck: Deck) -> Iterable[Format]:
    """The house formats that a deck may be built for; the one that it has is one of them."""
    seen = Q(owner=None) | Q(listed=True)
    if isinstance(user, User):
        seen |= Q(owner=user)
    offered = Q(retired=False) & seen
    formats = Format.objects.filter(offered | Q(pk=deck.house_id))
    return formats.filter(game=deck.game, mode=deck.mode, versions__isnull=False).distinct()


def _parts(
    page: queries.DeckPage,
    has: Mapping[str, tuple[int, int]],
    missing: Mapping[str, int],
    troubled: Collection[str],
    arrangement: Arrangement,
) -> list[Part]:
    by_slug = {section.slug: section for section in page.sections}
    known = game_and_mode(page.deck)
    sections = known[1].sections if known else ()
    parts = []
    for slug in (*sections, *(slug for slug in by_slug if slug not in sections)):
        groups = [
            (
                kind,
                count,
                [
                    Row(
                        slug=card.slug,
                        title=card.title,
                        count=card.count,
                        owned=has.get(card.slug, (0, 0))[0],
                        missing=missing[card.slug],
                        troubled=card.slug in troubled,
                    )
                    for card in cards
                ],
            )
            for kind, count, cards in (
                _arranged(by_slug[slug], page.deck.game, arrangement) if slug in by_slug else ()
            )
        ]
        count = by_slug[slug].count if slug in by_slug else 0
        parts.append(Part(slug, queries.section_name(slug), count, groups))
    return parts


def _arranged(
    section: queries.Section, game: str, arrangement: Arrangement
) -> list[tuple[str, int, list[queries.DeckCard]]]:
    """A section's cards in groups: its label, how many cards it has, and each of them."""
    known = rules.games().get(game)
    if known is None:
        return section.groups
    catalog = known.catalog
    cards = [card for _, _, group in section.groups for card in group]

    def numbers(card: queries.DeckCard, slug: str) -> tuple[int, ...]:
        printed = catalog.get(card.slug)
        return statistics.numbers(printed.attributes.get(slug)) if printed else ()

    order = arrangement.order
    if order == "name":
        cards.sort(key=lambda card: card.title.casefold())
    elif order == "count":
        cards.sort(key=lambda card: -card.count)
    elif order != "number":
        # Cards without the number come last.
        cards.sort(key=lambda card: (not numbers(card, order), numbers(card, order)))
    by = arrangement.group
    if by == "none":
        return [("All cards", section.count, cards)] if cards else []
    label = dict(groups_of(game)).get(by, by)
    groups: dict[tuple[bool, tuple[int, ...], str], list[queries.DeckCard]] = {}
    key: tuple[bool, tuple[int, ...], str]
    for card in cards:
        if by == "kind":
            key = (False, (), card.kind)
        elif by == "colour":
            colour = catalog[card.slug].colour if card.slug in catalog else ""
            key = (not colour, (), statistics.spoken(colour) or "No colour")
        elif values := numbers(card, by):
            key = (False, values, f"{label} {', '.join(map(str, values))}")
        else:
            key = (True, (), f"No {label.lower()}")
        groups.setdefault(key, []).append(card)
    ordered = sorted(groups, key=lambda key: key[:2])
    return [(key[2], sum(card.count for card in groups[key]), groups[key]) for key in ordered]


# Shape


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a deck's opening hands; "" and None are the defaults."""

    section: str = ""
    cards: tuple[str, ...] = ()
    hand: int | None = None
    least: int = 1
    seed: bytes = b""
    turns: int = 0
    """Turns that were played after the opening hand …"""
    draw: int = 1
    """… and the cards drawn in each."""


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of the section that hands come from; ``chosen`` where its odds are asked for."""

    slug: str
    title: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """Charts of a deck, the odds that somebody asked for, and a hand."""

    charts: tuple[statistics.Chart, ...]
    section: str
    sections: list[tuple[str, str]]
    cards: list[HandCard]
    odds: statistics.Odds
    hand: list[tuple[str, str]]
    """Slug and title of each card, in the order of drawing."""
    turns: list[list[tuple[str, str]]]
    """The cards drawn in each turn after the opening hand."""
    draw: int
    redraws: int
    """How often the mode's rule had the hand redrawn."""
    left: int
    """Cards that are left to draw."""
    seed: bytes

    @property
    def chosen(self) -> list[HandCard]:
        return [card for card in self.cards if card.chosen]

    @property
    def seed_text(self) -> str:
        return self.seed.hex()


def shape_of(deck: Deck, cards: Decklist, question: Question) -> Shape | None:
    """The shape of a deck; None where its game or mode is not known."""
    known = game_and_mode(deck)
    if known is None:
        return None
    game, mode = known
    sections = [section for section in mode.sections if cards.get(section)]
    section = question.section if question.section in sections else _to_draw_from(mode, sections)
    counts = cards.get(section, {})
    place = {card: number for number, card in enumerate(game.catalog)}
    ordered = sorted(counts, key=lambda card: (place.get(card, len(place)), card))
    titles = {card: game.catalog[card].title if card in game.catalog else card for card in counts}
    hand = question.hand or statistics.usual_hand(mode, section)
    wanted = sum(counts[card] for card in counts if card in question.cards)
    seed = question.seed or secrets.token_bytes(SEED_BYTES)
    size = sum(counts.values())
    opening, later, redraws = statistics.goldfish(
        game, mode, counts, hand, question.turns * question.draw, Chance(seed)
    )
    return Shape(
        charts=statistics.charts(game, mode, cards),
        section=section,
        sections=[(slug, queries.section_name(slug)) for slug in sections],
        cards=[
            HandCard(card, titles[card], counts[card], card in question.cards) for card in ordered
        ],
        odds=statistics.odds(size, wanted, hand, question.least),
        hand=[(card, titles[card]) for card in opening],
        turns=[
            [(card, titles[card]) for card in later[start : start + question.draw]]
            for start in range(0, len(later), question.draw)
        ],
        draw=question.draw,
        redraws=redraws,
        left=size - len(opening) - len(later),
        seed=seed,
    )


def _to_draw_from(mode: Mode, sections: list[str]) -> str:
    """The section that hands are dealt from, else the first that has cards."""
    dealt = [section for section in sections if section in mode.hands]
    return next(iter([*dealt, *sections, *mode.sections]))


# A deck's shape as the API tells it

describe(statistics.Bar, "Number of cards.", "label", "count")
describe(
    statistics.Chart,
    "Distribution of a deck’s cards by a property.",
    "title",
    "bars",
    slug=Doc("“kind”, “colour”, or an attribute of the cards."),
    several=Doc("A card counts once for each number it has."),
)


@dataclass(frozen=True, slots=True)
class OpeningOdds:
    """The odds of holding some cards in a hand, exact."""

    size: Annotated[int, Doc("Cards in the section.")]
    wanted: Annotated[int, Doc("Copies of the cards asked about.")]
    hand: int
    least: int
    fraction: Annotated[str, Doc("The probability, as “1/4”.")]
    chance: float
    exactly: Annotated[list[float], Doc("The probability of exactly 0, 1, 2 … of them.")]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A hand from a shuffled section."""

    seed: Annotated[str, Doc("Send it to get the same hand.")]
    cards: list[str]


@component("DeckStats")
@dataclass(frozen=True, slots=True)
class ShapeShown:
    """The statistics of a deck."""

    section: Annotated[str, Doc("The section of the odds and the hand.")]
    charts: tuple[statistics.Chart, ...]
    odds: OpeningOdds
    sample: Drawn


def shape_shown(shape: Shape) -> ShapeShown:
    """Convert a shape to numbers that JSON has."""
    odds = shape.odds
    return from_row(
        ShapeShown,
        shape,
        odds=from_row(
            OpeningOdds,
            odds,
            fraction=str(odds.chance),
            chance=float(odds.chance),
            exactly=[float(chance) for chance in odds.exactly],
        ),
        sample=Drawn(shape.seed_text, [card for card, _ in shape.hand]),
    )
