"""The builder's changes to a deck beyond single cards.

Cards change by ``services.decks`` alone, so every step here is a version that undo takes back.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import transaction

import rules
from accounts.models import User
from collection.models import Card
from collection.services.holdings import want
from decks.errors import BadDeck, NoLegalDeck
from decks.models import MAX_COPIES, Deck
from decks.queries import decks as queries
from decks.queries import generated
from decks.queries.formats import house_of, owned_cards
from decks.queries.verdicts import pool_of, ruling_of
from decks.services.decks import (
    ENTRIES_A_DECK,
    check_sections,
    create_deck,
    find_mode,
    give_cards,
    house_for,
    update_deck,
)
from decks.services.versions import own_deck
from rules.engine.chance import SEED_BYTES, Chance
from rules.engine.errors import BadData
from rules.engine.legality import Decklist, Fix, apply_fix

MAYBE = "maybe"
"""The maybeboard, where changes name a section."""
MAYBE_ENTRIES = 200
_CHANGE = re.compile(
    r"(?P<section>\*|[\w-]{1,40}) (?P<card>[\w-]{1,80}) (?P<sign>[+=-])(?P<number>\d{1,3})"
    r"(?:>(?P<to>\*|[\w-]{1,40}))?",
    re.ASCII,
)
MAX_CHANGES = ENTRIES_A_DECK


@dataclass(frozen=True, slots=True)
class CardChange:
    """A change that a button or key stands for: ``main red-claw +1``, ``=3``, ``-1>planning``.

    The section ``*`` is the one where such a card belongs or, to take out, where it is.
    """

    section: str
    card: str
    sign: str
    number: int
    to: str = ""


def parse_changes(text: str) -> list[CardChange]:
    """Read changes with commas between; raises ``ValueError`` for anything else."""
    changes: list[CardChange] = []
    for words in text.split(","):
        match = _CHANGE.fullmatch(words.strip())
        if match is None or len(changes) == MAX_CHANGES:
            raise ValueError("This is not a change to a deck.")
        changes.append(
            CardChange(
                match["section"],
                match["card"],
                match["sign"],
                int(match["number"]),
                match["to"] or "",
            )
        )
    return changes


@transaction.atomic
def apply_changes(
    *,
    user: User,
    slug: str,
    changes: Sequence[CardChange],
    into: str = "",
    expected: int | None = None,
    pressed: bool = False,
) -> Deck:
    """Make changes, in their order, as one version.

    ``into`` is where ``*`` puts cards, if it says so. The section ``maybe`` is the maybeboard, of
    which no versions are kept. Changes that are ``pressed`` are one version with those of the same
    card a moment before. Raises as ``change_cards``.
    """
    deck = own_deck(user, slug, expected)
    before = queries.decklist(deck)
    if into == MAYBE:
        changes = [_to_maybeboard(change) for change in changes]
        into = ""
    after: Decklist = before
    maybe = dict(deck.maybe)
    for change in changes:
        after = _considered(deck, after, maybe, change, into)
    if maybe != deck.maybe:
        deck.maybe = maybe
        deck.save(update_fields=["maybe"])
    return deck if after == before else give_cards(deck, before, after, pressed=pressed)


@transaction.atomic
def set_maybeboard(*, user: User, slug: str, cards: Mapping[str, int]) -> dict[str, int]:
    """Replace a deck's maybeboard, of which no versions are kept. Doing it again changes nothing.

    Raises ``BadDeck``, ``UnknownDeck`` and ``NotYourDeck``.
    """
    deck = own_deck(user, slug)
    maybe: dict[str, int] = {}
    for card, count in cards.items():
        _consider(deck, maybe, card, count)
    deck.maybe = maybe
    deck.save(update_fields=["maybe"])
    return maybe


def _to_maybeboard(change: CardChange) -> CardChange:
    """A press on the wall while cards go to the maybeboard; what is taken out is the deck's."""
    adds = change.section == "*" and change.sign != "-"
    return replace(change, section=MAYBE) if adds else change


def _considered(
    deck: Deck, cards: Decklist, maybe: dict[str, int], change: CardChange, into: str
) -> Decklist:
    """The deck's cards after a change, which may be one of the maybeboard, or go there."""
    if MAYBE not in (change.section, change.to):
        return _after(deck, cards, [change], into)
    count, card = change.number, change.card
    if change.section == MAYBE:
        held = maybe.get(card, 0)
        wanted = {"+": held + count, "-": held - count, "=": count}[change.sign]
        _consider(deck, maybe, card, wanted)
        moved = min(held, count) if change.to and change.sign == "-" else 0
        added = CardChange(change.to, card, "+", moved)
    else:
        before = cards.get(change.section, {}).get(card, 0)
        moved = min(before, count)
        _consider(deck, maybe, card, maybe.get(card, 0) + moved)
        added = CardChange(change.section, card, "-", moved)
    return _after(deck, cards, [added], into) if moved else cards


def _consider(deck: Deck, maybe: dict[str, int], card: str, count: int) -> None:
    """Put so many copies on the maybeboard; raises ``BadDeck`` for a card that is not the game's,
    and for too many."""
    if count <= 0:
        maybe.pop(card, None)
        return
    if card not in rules.game(deck.game).catalog:
        raise BadDeck("cards", [f"No card named “{card}”."])
    if card not in maybe and len(maybe) >= MAYBE_ENTRIES:
        raise BadDeck("cards", [f"A maybeboard can have up to {MAYBE_ENTRIES} different cards."])
    if count > MAX_COPIES:
        raise BadDeck("cards", [f"A maybeboard can have up to {MAX_COPIES} copies of a card."])
    maybe[card] = count


def _after(deck: Deck, cards: Decklist, changes: Sequence[CardChange], into: str) -> Decklist:
    """The cards when all changes are made."""
    game, mode = find_mode(deck.game, deck.mode)
    homes = game.sections_of_kinds(mode)

    def meant(change: CardChange) -> str:
        if change.section != "*":
            return change.section
        holding = [section for section, counts in cards.items() if change.card in counts]
        if change.sign == "-" and holding:
            return holding[0]
        card = game.catalog.get(change.card)
        return into or (homes[card.kind] if card else mode.sections[0])

    for card_change in changes:
        section = meant(card_change)
        check_sections(mode, section, card_change.to)
        change = card_change.number if card_change.sign == "+" else -card_change.number
        if card_change.sign == "=":
            change = card_change.number - cards.get(section, {}).get(card_change.card, 0)
        cards = apply_fix(cards, Fix(section, {card_change.card: change}, "", card_change.to))
    return cards


@transaction.atomic
def choose_format(*, user: User, slug: str, format: str) -> Deck:
    """Build a deck for a house format from now on; "" for none.

    Raises ``BadDeck``, ``UnknownDeck`` and ``NotYourDeck``.
    """
    deck = own_deck(user, slug)
    deck.house = house_for(deck, format)
    deck.save(update_fields=["house"])
    return deck


@transaction.atomic
def fill_from_owned(*, user: User, slug: str, expected: int | None = None) -> tuple[Deck, int]:
    """Fill a deck up legally from its owner's collection; also how many cards that added.

    Nothing is taken out. Raises as ``update_deck``.
    """
    deck = own_deck(user, slug, expected)
    game, mode = find_mode(deck.game, deck.mode)
    owned = _owned(user, deck)
    cards = queries.decklist(deck)
    format = ruling_of(deck, owned).format
    filled = generated.fill_up(game, mode, cards, _judge(deck, owned), owned, format)
    added = generated.size_of(filled) - generated.size_of(cards)
    if added:
        deck = give_cards(deck, cards, filled)
    return deck, added


def _owned(user: User, deck: Deck) -> dict[str, int]:
    """The cards that a deck is filled up from: its pool, or its owner's collection."""
    pool = pool_of(deck)
    return dict(pool.cards) if pool is not None else owned_cards(user, deck.game)


@transaction.atomic
def make_random(*, user: User, slug: str, expected: int | None = None) -> Deck:
    """Put a random legal list in the place of a deck's cards.

    Raises ``NoLegalDeck`` and as ``update_deck``.
    """
    deck = own_deck(user, slug, expected)
    return update_deck(user=user, slug=slug, cards=_random_cards(user, deck))


@transaction.atomic
def create_random(
    *,
    owner: User,
    game: str,
    mode: str,
    name: str,
    format: str = "",
    owned_only: bool = False,
) -> Deck:
    """Keep a new deck with a random legal list, from the owner's cards where they say so.

    Raises ``NoLegalDeck`` and as ``create_deck``.
    """
    deck = create_deck(owner=owner, game=game, mode=mode, name=name, format=format)
    cards = _random_cards(owner, deck, owned_only=owned_only)
    return update_deck(user=owner, slug=deck.slug, cards=cards)


def _random_cards(user: User, deck: Deck, *, owned_only: bool = False) -> Decklist:
    game, mode = find_mode(deck.game, deck.mode)
    house = house_of(deck)
    only_own = owned_only or (house is not None and house.owned_only)
    pool = pool_of(deck)
    owned = _owned(user, deck) if only_own or pool is not None else None
    chance = Chance(secrets.token_bytes(SEED_BYTES))
    format = ruling_of(deck, owned).format
    drawn = generated.random_deck(game, mode, _judge(deck, owned), chance, owned, format)
    if drawn is None:
        why = (
            "The pool has too few cards that fit together."
            if pool is not None
            else "You don’t own enough cards for one."
            if only_own
            else "The format allows too few cards, or they don’t fit together."
        )
        raise NoLegalDeck(f"No legal deck for {mode.name} found. {why} Nothing was changed.")
    return drawn


def _judge(deck: Deck, owned: Mapping[str, int] | None) -> generated.Judge:
    """The report on any list, as this deck's own would be."""
    judge: generated.Judge = ruling_of(deck, owned).report
    try:
        judge({})
    except BadData as error:
        raise BadDeck("house", [str(error)]) from error
    return judge


@transaction.atomic
def want_missing(*, user: User, slug: str) -> int:
    """Put what a person lacks for a deck on their wishlist; how many cards are new there.

    A wish for more copies than the deck has stays. Raises ``UnknownDeck``.
    """
    deck = queries.access_deck(user, slug)
    needed: dict[str, int] = {}
    for counts in queries.decklist(deck).values():
        for card, number in counts.items():
            needed[card] = min(needed.get(card, 0) + number, MAX_COPIES)
    rows = Card.objects.filter(game__slug=deck.game, slug__in=needed).values_list("pk", "slug")
    return want(owner=user, cards={pk: needed[slug] for pk, slug in rows})
