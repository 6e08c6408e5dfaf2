"""Match Play (specification, section 2.2): one shared deck, the last battlefield wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from games.kaolan import events
from games.kaolan.legality import check_deck
from games.kaolan.rules.contest import MODES, ContestMode
from games.kaolan.rules.turn import start_turn
from games.kaolan.state import HAND_LIMIT, NONE, Cards, Kaolan
from rules.engine.card_tables import unfold
from rules.engine.cards import load_decks, load_products
from rules.engine.chance import Chance
from rules.engine.legality import Decklist, must_be_legal

PLAY_DECK: Final = 60


MODES["match"] = ContestMode()


def play_deck(boosters: Sequence[str] | str, decks: Sequence[Decklist]) -> tuple[str, ...]:
    """KAO-M-02, KAO-M-03: the Master Deck with the chosen boosters, or a shared deck.

    Raises ``BadSetup`` when the shared deck is illegal (KAO-D-03 to KAO-D-06).
    """
    if boosters == "deck":
        must_be_legal(check_deck("match", decks[0], None))
        return unfold(decks[0]["main"])
    return _fixed_deck(tuple(boosters))


@lru_cache(maxsize=64)
def _fixed_deck(boosters: tuple[str, ...]) -> tuple[str, ...]:
    cards = unfold(load_decks("games.kaolan")["kaolan-master"].cards["main"])
    products = load_products("games.kaolan")
    for booster in boosters:
        cards += unfold(products[f"kaolan-{booster}"].cards)
    return cards


def shared_table(
    mode: str,
    seats: int,
    chance: Chance,
    options: Mapping[str, Any],
    decks: Sequence[Decklist],
    guards: int,
) -> Kaolan:
    """KAO-M-02, KAO-M-03, KAO-P-02: one shuffled deck, cut to 60, before the deal."""
    pool = Cards.sorted(play_deck(options["boosters"], decks))
    s = Kaolan.lay(
        seats,
        chance,
        Cards.in_order(pool),
        mode=mode,
        guards=guards,
        turn_limit=options["turn_limit"],
    )
    s.starter = s.turn = chance.pick(seats)  # KAO-R-01
    pile = list(range(len(s.cards)))
    chance.shuffle(pile)
    s.removed[0].extend(pile[PLAY_DECK:])  # KAO-M-03, KAO-R-26
    s.draw[0].extend(reversed(pile[:PLAY_DECK]))
    s.tell(events.MATCH_STARTED, s.starter, tuple(pile))
    return s


def deal(s: Kaolan) -> None:
    """KAO-M-07, KAO-M-11, KAO-M-15, KAO-R-02: one card at a time, boards then hands."""
    order = [(s.starter + n) % s.seats for n in range(s.seats)]
    for slot in range(1 + s.guards):
        for seat in order:
            s.board[seat][slot] = s.draw[0].pop()
    for _ in range(HAND_LIMIT):
        for seat in order:
            s.hands[seat].append(s.draw[0].pop())
    turn_up(s, order)


def turn_up(s: Kaolan, order: Sequence[int]) -> None:
    """KAO-M-15: hands are known to their owners, the boards are turned face up, the first turn."""
    for seat in order:
        s.tell(events.DEALT, seat, tuple(s.hands[seat]))
    for seat in order:
        s.tell(events.BOARD_REVEALED, seat, tuple(card for card in s.board[seat] if card != NONE))
    s.then(start_turn)


def prepare(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Kaolan:
    """KAO-M-02 to KAO-M-15: shuffle, deal the boards, deal the hands, turn the boards up."""
    s = shared_table("match", seats, chance, options, decks, options["guards"])
    deal(s)
    return s
