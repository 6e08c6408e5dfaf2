"""Set-up (KND-S): hands, redraws, placing unseen, who goes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.knd_ocg import events
from games.knd_ocg.legality import SECTION, check_deck
from games.knd_ocg.moves import ACTIVE, PLACE, READY, RESERVE
from games.knd_ocg.rulebook import BOOK
from games.knd_ocg.rules import turn
from games.knd_ocg.rules.cards import draw, shuffle_deck
from games.knd_ocg.state import CHARACTER, HAND, NONE, Cards, Duel
from rules.engine.card_tables import unfold
from rules.engine.chance import Chance
from rules.engine.legality import Decklist, must_be_legal
from rules.engine.moves import Move, Slot, chosen

LAST_REDRAW: Final = 100
"""KND-R-04: this redraw finds a Character."""


def prepare(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Duel:
    """KND-S-01, KND-S-04: decks are checked and shuffled."""
    for deck in decks:
        must_be_legal(check_deck("duel", deck))
    cards, numbers = Cards.of_decks((unfold(deck[SECTION]) for deck in decks), chance)
    s = Duel.lay(chance, cards, numbers[0].stop, options)
    for seat in (0, 1):
        s.decks[seat] = list(numbers[seat])
        shuffle_deck(s, seat)
    open_hands(s)
    return s


def open_hands(s: Duel) -> None:
    """KND-S-05 to KND-S-07: a hand without a Character is shown and drawn anew (KND-R-05)."""
    s.then(turn_up)
    for seat in (0, 1):
        draw(s, seat, HAND)
        redraws = 0
        while not characters_in_hand(s, seat):
            redraws += 1
            redraw(s, seat, last=redraws == LAST_REDRAW)
        s.ask(seat, setup_active)


def characters_in_hand(s: Duel, seat: int) -> list[int]:
    kind = s.cards.kind
    return [card for card in s.hands[seat] if kind[card] == CHARACTER]


def redraw(s: Duel, seat: int, *, last: bool) -> None:
    """KND-S-06: shown, shuffled into the deck, 6 new ones."""
    hand, deck = s.hands[seat], s.decks[seat]
    s.tell(events.MULLIGAN, seat, tuple(hand))
    deck += hand
    hand.clear()
    shuffle_deck(s, seat)
    if last:
        kind = s.cards.kind
        top = next(card for card in reversed(deck) if kind[card] == CHARACTER)
        deck.remove(top)
        deck.append(top)
    draw(s, seat, HAND)


@BOOK.prompt("Choose your Active Character.", name="setup-active", insists=True)
def setup_active(s: Duel, seat: int) -> Sequence[Move]:
    """KND-S-08, KND-S-10: exactly one Character."""
    return [PLACE[card][ACTIVE] for card in characters_in_hand(s, seat)]


@setup_active.answer
def active_chosen(s: Duel, seat: int, move: Move) -> None:
    _lay(s, seat, move)
    s.ask(seat, setup_reserve)


@BOOK.prompt("Place further Characters in the Reserve?", name="setup-reserve", insists=True)
def setup_reserve(s: Duel, seat: int) -> Sequence[Move]:
    """KND-S-09: 0 to 5 more."""
    options = []
    if s.free_slot(seat) >= 0:
        options = [PLACE[card][RESERVE] for card in characters_in_hand(s, seat)]
    return [*options, READY]


@setup_reserve.answer
def reserve_chosen(s: Duel, seat: int, move: Move) -> None:
    if move == READY:
        s.tell(events.READY, seat)
        return
    _lay(s, seat, move)
    s.ask(seat, setup_reserve)


def _lay(s: Duel, seat: int, move: Move) -> None:
    """KND-R-01: unseen by the other side until both are ready."""
    assert isinstance(move.target, Slot)
    card = chosen(move)
    s.hands[seat].remove(card)
    if move.target.slot == ACTIVE:
        s.active[seat] = card
        s.tell(events.LAID, seat, card, ACTIVE)
    else:
        slot = s.free_slot(seat)
        s.reserve[seat][slot] = card
        s.tell(events.LAID, seat, card, f"{RESERVE}-{slot + 1}")


@BOOK.step
def turn_up(s: Duel) -> None:
    """KND-R-01, KND-R-02: both turn up, then chance picks who goes first."""
    s.placed = True
    s.tell(events.REVEAL_SETUP)
    for seat in (0, 1):
        s.tell(events.PLACE, seat, s.active[seat], ACTIVE)
        for slot, card in enumerate(s.reserve[seat], start=1):
            if card != NONE:
                s.tell(events.PLACE, seat, card, f"{RESERVE}-{slot}")
    s.first = s.chance.pick(2)
    s.player = 1 - s.first
    s.tell(events.ORDER, s.first)
    s.then(turn.start_turn)
