"""Building decks by API: cards by number, random decks, what one owns and lacks, a deck's shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from accounts.models import User, Viewer
from collection import examples
from collection.models.slugs import SLUG_LENGTH
from core.operations import Idempotent, tagged
from core.serializers import Doc, component, from_row
from core.throttles import UserThrottle
from decks.api.decks import Expected, Name, Slug
from decks.api.versions import ExpectedVersion
from decks.errors import UnknownDeck
from decks.models import MAX_COPIES
from decks.queries import builder as queries
from decks.queries import decks
from decks.services import builder as services
from decks.services import decks as deck_services
from decks.statistics import MAX_HAND
from rules.engine.chance import SEED_BYTES

operation = tagged("decks")

_CHANGES = {examples.FIRST: 2, examples.SECOND: -1}
Change = Annotated[int, Doc(min_value=-MAX_COPIES, max_value=MAX_COPIES)]


def _not_too_many(changes: dict[str, int]) -> None:
    """No more than a deck can hold."""
    if len(changes) > deck_services.ENTRIES_A_DECK:
        raise serializers.ValidationError(
            f"Change up to {deck_services.ENTRIES_A_DECK} cards at once."
        )


@component("Change")
@dataclass(frozen=True, slots=True, kw_only=True)
class CardChanges:
    """Cards that come or go."""

    section: Annotated[Slug | None, Doc("Default: the mode's first section.")] = None
    changes: Annotated[
        dict[str, Change],
        Doc(
            "Copies to add (negative: remove) by card.",
            allow_empty=False,
            validators=[_not_too_many],
        ),
    ]
    to: Annotated[Slug, Doc("The section that removed cards move to, if any.")] = ""
    expected: Expected = None


@operation(
    "decks_cards_update",
    refuses=(409,),
    examples=[
        OpenApiExample(
            "Two in, one out",
            {"section": "main", "changes": _CHANGES, "expected": 3},
            request_only=True,
        )
    ],
)
def change_cards(user: User, slug: str, body: CardChanges) -> decks.DeckShown:
    """Add cards to one of your decks, remove some, or apply the fix of a report.

    Each change is a version.
    """
    deck = decks.access_deck(user, slug)
    section = body.section or deck_services.sections_of(deck.game, deck.mode)[0]
    deck = deck_services.change_cards(
        user=user,
        slug=slug,
        section=section,
        changes=body.changes,
        to=body.to,
        expected=body.expected,
    )
    return decks.deck_shown(user, decks.access_deck(user, deck.slug))


@dataclass(frozen=True, slots=True)
class RandomDeck:
    """The game and mode of a random deck."""

    game: Slug
    mode: Slug
    name: Name = "Random deck"
    format: Annotated[str, Doc("A custom format's slug.", max_length=SLUG_LENGTH)] = ""
    owned_only: Annotated[bool, Doc("Use only copies that I own.")] = False


class RandomThrottle(UserThrottle):
    """A random deck, or what fills one up, may take a second to find."""

    scope = "deck-random"
    rate = "30/min"


@operation(
    "decks_random",
    status=201,
    refuses=(404, 422),
    examples=[OpenApiExample("For a mode", examples.PLAY, request_only=True)],
    is_metered=True,
    throttle_classes=(RandomThrottle,),
)
def create_random_deck(user: User, body: RandomDeck, once: Idempotent) -> decks.DeckShown:
    """Create a deck with a random legal list."""

    def make() -> str:
        deck = services.create_random(
            owner=user,
            game=body.game,
            mode=body.mode,
            name=body.name,
            format=body.format,
            owned_only=body.owned_only,
        )
        return deck.slug

    return decks.deck_shown(user, decks.access_deck(user, once(make)))


@operation("decks_needs")
def get_needs(user: User, slug: str) -> queries.Needs:
    """The copies that you own and lack for each card of a deck."""
    deck = decks.access_deck(user, slug)
    return queries.Needs(queries.deck_card_counts(deck, user))


@dataclass(frozen=True, slots=True)
class WishlistAdded:
    """How many cards are new on my wishlist."""

    added: int


@operation("decks_wishlist")
def want_missing(user: User, slug: str) -> WishlistAdded:
    """Put what I lack for a deck that I may see on my wishlist. Idempotent."""
    return WishlistAdded(services.want_missing(user=user, slug=slug))


@component("Filled")
@dataclass(frozen=True, slots=True)
class FilledDeck(decks.DeckShown):
    """A deck after it was filled up."""

    added: Annotated[int, Doc("Cards added from my collection.")]


@operation("decks_fill", refuses=(409,), is_metered=True, throttle_classes=(RandomThrottle,))
def fill_from_owned(user: User, slug: str, body: ExpectedVersion) -> FilledDeck:
    """Fill up one of your decks with cards that you own. Nothing is removed.

    This makes one version, which can be undone; none if nothing was added.
    """
    deck, added = services.fill_from_owned(user=user, slug=slug, expected=body.expected)
    deck = decks.access_deck(user, deck.slug)
    return from_row(FilledDeck, deck, **decks.of_deck(user, deck), added=added)


@operation(
    "decks_random_cards", refuses=(409, 422), is_metered=True, throttle_classes=(RandomThrottle,)
)
def randomise_cards(user: User, slug: str, body: ExpectedVersion) -> decks.DeckShown:
    """Replace the cards of one of your decks with a random legal list.

    It follows the deck's custom format, and can be undone.
    """
    deck = services.make_random(user=user, slug=slug, expected=body.expected)
    return decks.deck_shown(user, decks.access_deck(user, deck.slug))


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a deck's opening hands."""

    section: Annotated[str, Doc("The section that hands are drawn from.")] = ""
    cards: Annotated[
        str,
        Doc("Comma-separated slugs of the cards to draw.", max_length=10_000),
    ] = ""
    hand: Annotated[
        int | None,
        Doc(
            "Hand size. Default: the mode's opening hand, or 7.",
            min_value=1,
            max_value=MAX_HAND,
        ),
    ] = None
    least: Annotated[
        int, Doc("At least this many of the cards. Default: 1.", min_value=0, max_value=MAX_HAND)
    ] = 1
    seed: Annotated[
        str | None,
        Doc(
            "64 hexadecimal digits, to draw the same hand again.",
            field=serializers.RegexField,
            regex=rf"^[0-9a-f]{{{2 * SEED_BYTES}}}$",
        ),
    ] = None


@operation("decks_stats", refuses=(400,))
def get_shape(user: Viewer, slug: str, query: Question) -> queries.ShapeShown:
    """Charts of a deck, the odds of its opening hands, and a sample hand."""
    deck = decks.access_deck(user, slug)
    question = queries.Question(
        section=query.section,
        cards=tuple(card for card in query.cards.split(",") if card),
        hand=query.hand,
        least=query.least,
        seed=bytes.fromhex(query.seed or ""),
    )
    statistics_shown = queries.shape_of(deck, decks.decklist(deck), question)
    if statistics_shown is None:
        # Its game or mode has gone: there is a deck, but nobody knows its cards any more.
        raise UnknownDeck
    return queries.shape_shown(statistics_shown)
