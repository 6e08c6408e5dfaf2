"""Drawing, shuffling and discarding: CKC-B-01, CKC-B-02, CKC-R-04, CKC-R-55, CKC-R-65."""

from __future__ import annotations

from collections.abc import Iterable

from games.colossal_kaiju_combat import events
from games.colossal_kaiju_combat.state import HAND, Kaiju


def draw_combat(s: Kaiju, seat: int, number: int) -> None:
    """CKC-B-02: only when a card must be drawn from an empty deck is the discard shuffled."""
    while number > 0:
        if not s.combat_decks[seat]:
            _renew_combat_deck(s, seat)
        deck = s.combat_decks[seat]
        drawn = deck[-number:][::-1]
        if not drawn:  # CKC-R-55
            return
        s.combat_decks[seat] = deck[:-number]
        s.combat_hands[seat].extend(drawn)
        s.tell(events.DREW_COMBAT, seat, drawn)
        number -= len(drawn)


def _renew_combat_deck(s: Kaiju, seat: int) -> None:
    buried = [card for card in s.buried if s.owner(card) == seat]
    cards = [*s.combat_discards[seat], *buried]
    s.combat_discards[seat] = ()
    s.buried = [card for card in s.buried if card not in buried]
    if cards:
        s.combat_decks[seat] = shuffled(s, seat, "combat", cards)


def fill_hand(s: Kaiju, seat: int) -> None:
    """Up to five combat cards; nothing is drawn to a larger hand (CKC-R-12)."""
    draw_combat(s, seat, HAND - len(s.combat_hands[seat]))


def discard_combat(s: Kaiju, seat: int, cards: Iterable[int]) -> None:
    """CKC-G-06: out of the hand, face up, to the owner's pile."""
    for card in cards:
        s.combat_hands[seat].remove(card)
        put_on_discard(s, card)


def put_on_discard(s: Kaiju, card: int) -> None:
    """CKC-G-06: a combat card to its owner's combat discard, any other to the planning discard."""
    s.seen |= 1 << card
    s.known.pop(card, None)
    piles = s.combat_discards if s.cards.prints[card].is_combat else s.planning_discards
    piles[s.owner(card)] += (card,)


def refill(s: Kaiju, seat: int) -> None:
    """CKC-B-01: what is left in hand is discarded, and a new hand of five drawn."""
    left = tuple(s.combat_hands[seat])
    if left:
        s.combat_hands[seat] = []
        open_discard(s, seat, left)
        s.tell(events.DISCARDED, seat, left)
    fill_hand(s, seat)


def open_discard(s: Kaiju, seat: int, cards: tuple[int, ...]) -> None:
    """CKC-G-06: combat cards of a player, from wherever they were, face up to the pile."""
    s.combat_discards[seat] += cards
    for card in cards:
        s.seen |= 1 << card
        s.known.pop(card, None)


def draw_planning(s: Kaiju, seat: int, number: int, *, renews: bool = False) -> None:
    """CKC-R-04: the discard is shuffled in phase 1 alone."""
    while number > 0:
        deck = s.planning_decks[seat]
        if not deck and renews and s.planning_discards[seat]:
            cards = s.planning_discards[seat]
            s.planning_discards[seat] = ()
            deck = s.planning_decks[seat] = shuffled(s, seat, "planning", cards)
        drawn = deck[-number:][::-1]
        if not drawn:
            return
        s.planning_decks[seat] = deck[:-number]
        s.planning_hands[seat].extend(drawn)
        s.tell(events.DREW_PLANNING, seat, drawn)
        number -= len(drawn)


def shuffled(s: Kaiju, seat: int, deck: str, cards: Iterable[int]) -> tuple[int, ...]:
    """A new deck, its top card last; it is told from the top card down."""
    order = sorted(cards)
    s.chance.shuffle(order)
    for card in order:
        s.known.pop(card, None)
    s.tell(events.SHUFFLED, seat, deck, tuple(order))
    return tuple(order[::-1])


def pick_from(s: Kaiju, hand: Iterable[int]) -> tuple[int, tuple[int, ...]]:
    """A card at random, and the cards by number that it was picked from: anybody can check it."""
    cards = tuple(sorted(hand))
    return cards[s.chance.pick(len(cards))], cards
