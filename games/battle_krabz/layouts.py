"""Tests build positions, not histories: a Battle Krabz table laid out by hand.

Cards are named by slug (``krabbi-long-legs-silver``) or title (``Krabbi Long Legs (Silver)``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.battle_krabz.rules import battle, multi
from games.battle_krabz.state import SIDES, Cards, Krabz, Trumps, catalog
from rules.engine.chance import Chance

PLACES: Final = {
    "hand": "hands",
    "warriors": "warriors",
    "supports": "supports",
    "elimination": "elimination",
    "deck": "decks",
}
SEAT_KEYS: Final = {
    "hand": "the cards in hand",
    "warriors": "the Warrior Stack, top card first",
    "supports": "the Support Stack, top card first",
    "elimination": "the Elimination Stack",
    "deck": "instead of all else: a deck, from which the first hand is to be chosen",
    "lost": "so many more eliminated Warriors of its side, whichever",
}


def arrange(
    chance: Chance,
    options: Mapping[str, Any],
    *,
    seats: list[Mapping[str, Any]],
    battle_number: int = 1,
    attacker: int = 0,
    ties: int = 0,
    decider: int = 0,
    known: Iterable[str] = (),
    stacked: bool = False,
) -> Krabz:
    """The start of a Battle, or, where the seats have a ``deck``, of a match.

    With ``stacked=True`` the hands are chosen and the stacks made: the first Attacker is still to
    be found. ``known`` cards have been face up before.

    Raises ``ValueError`` for an unknown card or place.
    """
    laid = [_read(seat) for seat in seats]
    slugs = [[slug for place in PLACES for slug in seat[place]] for seat in laid]
    s = Krabz.lay(chance, Cards([*slugs[0], *slugs[1]]), len(slugs[0]), options)
    number = 0
    for seat, places in enumerate(laid):
        for place, name in PLACES.items():
            cards = [number + n for n in range(len(places[place]))]
            number += len(cards)
            if place in ("warriors", "supports"):
                cards.reverse()
            getattr(s, name)[seat] = cards
    battle.set_targets(s, options["target"])
    for name in known:
        s.reveal(s.cards.slugs.index(Cards.named(name)))
    if any(s.decks):
        battle.choose_hands(s)
        return s
    s.phase = "stacks"
    if stacked:
        s.then(battle.find_first_attacker)
        return s
    s.battle = battle_number - 1
    s.attacker = attacker
    s.ties = ties
    s.decider = decider
    s.then(battle.begin_battle)
    return s


def _read(seat: Mapping[str, Any]) -> dict[str, list[str]]:
    places = {place: Cards.all_named(seat.get(place, ())) for place in PLACES}
    used = {slug for cards in places.values() for slug in cards}
    side = _side(used)
    spare = [
        slug
        for slug, card in catalog().items()
        if card.kind == "warrior" and card["side"] == side and slug not in used
    ]
    places["elimination"] += spare[len(spare) - seat.get("lost", 0) :]
    return places


def _side(slugs: Iterable[str]) -> str:
    types = (catalog()[slug] for slug in slugs)
    return next((card["side"] for card in types if card.kind == "warrior"), SIDES[0])


def arrange_trumps(
    chance: Chance,
    options: Mapping[str, Any],
    *,
    piles: list[list[str]],
    leader: int = 0,
    round_number: int = 1,
    pot: Iterable[str] = (),
    own: bool = False,
) -> Trumps:
    """Multi-Player Mode at the start of a round; piles are given top card first, the pot oldest
    first. With ``own`` each pile is its seat's own trump deck."""
    slugs = [Cards.named(name) for cards in (*piles, pot) for name in cards]
    starts = [sum(map(len, piles[:seat])) for seat in range(len(piles))] if own else []
    s = Trumps.lay(len(piles), chance, Cards(slugs), starts, options)
    number = 0
    for seat, pile in enumerate(piles):
        s.piles[seat] = [number + n for n in range(len(pile))][::-1]
        number += len(pile)
    s.pot = list(range(number, len(slugs)))
    for card in s.pot:
        s.reveal(card)
    s.leader = leader
    s.round = round_number - 1
    multi.start(s)
    return s
