"""Tests build positions, not histories: a table of KND: OCG laid out by hand.

Cards are named by slug (``relay-rosa``) or title (``Relay Rosa``), Energy also by its letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.knd_ocg.rules.setup import open_hands
from games.knd_ocg.rules.turn import end_turn, play_on, start_turn
from games.knd_ocg.state import AP, DP, NEXT, RESERVE, STATES, TURN, Cards, Duel
from rules.engine.card_tables import take_numbers
from rules.engine.chance import Chance

FILLER: Final = "normal-energy"
DECK: Final = 20
SLOTS: Final = ("active", *(f"reserve-{n}" for n in range(1, RESERVE + 1)))

PILES: Final = ("deck", "hand", "specials", "discard", "away", "removed")
SEAT_KEYS: Final[Mapping[str, str]] = {
    "hand": "the cards in hand",
    "deck": f"the deck, top card first, or how many Normal Energy; usually {DECK}",
    "discard": "the discard pile, newest card first",
    "specials": "cards that stay in the Special Card area",
    "away": "Characters that are Away",
    "removed": "cards of the seat that are out of the game",
    "fallen": "the Fallen tally",
    "seen": "cards of the hand that the opponent knows",
    **{
        key: words
        for slot in SLOTS
        for key, words in (
            (slot, f"the Character in the zone {slot}"),
            (f"under {slot}", "Energy and Gear under it, in order of attaching"),
            (f"hp {slot}", "its current HP"),
            (f"marks {slot}", "what is on it: a state, or a pair such as (“ap”, -10)"),
        )
    },
}
BEGINS: Final = ("play", "turn", "end", "setup")


def arrange(
    chance: Chance,
    options: Mapping[str, Any],
    *,
    seats: list[Mapping[str, Any]],
    turn: int = 7,
    player: int = 0,
    energy: int = 1,
    quiet: int = 0,
    begin: str = "play",
) -> Duel:
    """A table in the Play Sequence of ``player``, with ``energy`` cards still to play.

    ``begin``: ``play``; ``turn`` (the turn of ``player`` is at its start, number ``turn``);
    ``end`` (it is at its end) or ``setup`` (the ``deck`` of both seats, top card first, is dealt
    from). Marks last until the next turn of the other side; what has been given by the own side is
    written with a ``+``: “+hiding”.

    Raises ``ValueError`` for an unknown card or place.
    """
    if begin not in BEGINS:
        raise ValueError(f"a table begins with one of {', '.join(BEGINS)}, not “{begin}”.")
    slugs = [_all_cards(seat) for seat in seats]
    s = Duel.lay(chance, Cards([*slugs[0], *slugs[1]]), len(slugs[0]), options)
    for number, seat in enumerate(seats):
        first = number * len(slugs[0])
        _lay_seat(s, number, seat, first, slugs[number])
    if begin == "setup":
        open_hands(s)
        return s
    s.placed = True
    s.first = player if turn % 2 else 1 - player
    s.turn, s.player, s.energy_left, s.quiet = turn, player, energy, quiet
    s.sequence = "play"
    if begin == "turn":
        s.turn, s.player = turn - 1, 1 - player
        s.then(start_turn)
    else:
        s.then(play_on if begin == "play" else end_turn)
    return s


def _piles(seat: Mapping[str, Any]) -> dict[str, list[str]]:
    deck = seat.get("deck", DECK)
    layout = dict(seat) | {"deck": [FILLER] * deck if isinstance(deck, int) else deck}
    return {pile: Cards.all_named(layout.get(pile, ())) for pile in PILES}


def _all_cards(seat: Mapping[str, Any]) -> list[str]:
    """Every card of the seat, as the catalog is sorted."""
    slugs = [slug for pile in _piles(seat).values() for slug in pile]
    for slot in SLOTS:
        if seat.get(slot):
            slugs.append(Cards.named(seat[slot]))
            slugs += Cards.all_named(seat.get(f"under {slot}", ()))
    return Cards.sorted(slugs)


def _lay_seat(s: Duel, number: int, seat: Mapping[str, Any], first: int, slugs: list[str]) -> None:
    number_of = take_numbers(slugs, first)

    def take(names: Iterable[str]) -> list[int]:
        return [number_of(slug) for slug in Cards.all_named(names)]

    for place, slot in enumerate(SLOTS):
        if not seat.get(slot):
            if strange := [key for key in seat if key.endswith(f" {slot}")]:
                raise ValueError(f"nobody is in {slot}, so there is no {strange[0]}.")
            continue
        [card] = take([seat[slot]])
        if place == 0:
            s.active[number] = card
        else:
            s.reserve[number][place - 1] = card
        if under := take(seat.get(f"under {slot}", ())):
            s.under[card] = tuple(under)
        if (hp := seat.get(f"hp {slot}", s.cards.hp[card])) != s.cards.hp[card]:
            s.damage[card] = s.cards.hp[card] - hp
        for mark in seat.get(f"marks {slot}", ()):
            s.marks.append(_mark(number, card, mark))
    piles = {pile: take(names) for pile, names in _piles(seat).items()}
    s.hands[number] = piles["hand"]
    s.decks[number] = piles["deck"][::-1]
    s.discards[number] = piles["discard"][::-1]
    s.specials[number] = piles["specials"]
    s.away[number] = piles["away"]
    s.removed[number] = piles["removed"]
    s.fallen[number] = seat.get("fallen", 0)
    for name in seat.get("seen", ()):
        slug = Cards.named(name)
        s.show(next(c for c in s.hands[number] if s.cards.slugs[c] == slug), 1 - number)


def _mark(seat: int, card: int, layout: Any) -> tuple[int, str, int, int, int, str]:
    """A mark as a position names it: ``grounded``, ``+safe``, ``["ap", -10]``."""
    word, amount = (layout, 0) if isinstance(layout, str) else layout
    by = seat if word.startswith("+") else 1 - seat
    mark = word.removeprefix("+")
    if mark not in (*STATES, AP, DP):
        return card, mark, amount, card, seat, TURN
    return card, mark, amount, card, by, NEXT
