"""Tests build positions, not histories: a Battle Krabz table laid out by hand.

Cards are named by slug (``krabbi-long-legs-silver``) or title (``Krabbi Long Legs (Silver)``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from games.battle_krabz.rules import battle, multi
from games.battle_krabz.state import NONE, SIDES, Cards, Krabz, Trumps, catalog
from rules.engine.chance import Chance
from rules.engine.game import Mode

PLACES: Final = {
    "hand": "hands",
    "warriors": "warriors",
    "supports": "supports",
    "elimination": "elimination",
    "deck": "decks",
}


@lru_cache(maxsize=1)
def short_names() -> Mapping[str, str]:
    """Every way to name a card in a position, in lower case, with its slug."""
    return {slug: slug for slug in catalog()} | {
        card.title.lower(): slug for slug, card in catalog().items()
    }


def arrange(
    mode: Mode,
    chance: Chance,
    *,
    seats: list[Mapping[str, Any]],
    battle_number: int = 1,
    attacker: int = 0,
    ties: int = 0,
    decider: int = 0,
    known: Iterable[str] = (),
    **options: Any,
) -> Krabz:
    """The start of a Battle, or, where the seats have a ``deck``, of a match.

    A seat has ``hand``, ``warriors``, ``supports`` (stacks, top card first), ``elimination`` and
    ``lost``: so many more eliminated Warriors of its side, whichever. With ``stacked=True`` on top
    of ``warriors`` and ``supports`` the hands are chosen and the stacks made: the first Attacker is
    still to be found. ``known`` cards have been face up before. ``options`` are the mode's.

    Raises ``ValueError`` for a card that is no card and for a place that is not there.
    """
    stacked = options.pop("stacked", False)
    checked = mode.checked_options(options)
    laid = [_read(seat) for seat in seats]
    slugs = [[slug for place in PLACES for slug in seat[place]] for seat in laid]
    s = Krabz(chance, Cards([*slugs[0], *slugs[1]]), len(slugs[0]), checked)
    number = 0
    for seat, places in enumerate(laid):
        for place, name in PLACES.items():
            cards = [number + n for n in range(len(places[place]))]
            number += len(cards)
            if place in ("warriors", "supports"):
                cards.reverse()
            getattr(s, name)[seat] = cards
    battle.set_targets(s, checked["target"])
    for name in known:
        s.reveal(s.cards.slugs.index(_slug(name)))
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
    strange = set(seat) - set(PLACES) - {"lost"}
    if strange:
        raise ValueError(f"This seat has no {', '.join(sorted(strange))}.")
    places = {place: [_slug(name) for name in seat.get(place, ())] for place in PLACES}
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


def _slug(name: str) -> str:
    try:
        return short_names()[name.lower()]
    except KeyError:
        raise ValueError(f"“{name}” is not a Battle Krabz card.") from None


def arrange_trumps(
    mode: Mode,
    chance: Chance,
    *,
    piles: list[list[str]],
    leader: int = 0,
    round_number: int = 1,
    pot: Iterable[str] = (),
    own: bool = False,
    out: Iterable[int] = (),
    **options: Any,
) -> Trumps:
    """Multi-Player Mode at the start of a round; piles are given top card first, the pot oldest
    first. With ``own`` each pile is its seat's own trump deck. ``out`` are the seats that went
    before, each at a moment of its own."""
    checked = mode.checked_options(options)
    slugs = [_slug(name) for cards in (*piles, pot) for name in cards]
    starts = [sum(map(len, piles[:seat])) for seat in range(len(piles))] if own else []
    s = Trumps(len(piles), chance, Cards(slugs), starts, checked)
    number = 0
    for seat, pile in enumerate(piles):
        s.piles[seat] = [number + n for n in range(len(pile))][::-1]
        number += len(pile)
    s.pot = list(range(number, len(slugs)))
    for card in s.pot:
        s.reveal(card)
    for seat in out:
        s.moment += 1
        s.out.append((seat, s.moment))
    s.leader = leader
    s.last = [NONE] * len(piles)
    s.round = round_number - 1
    multi.start(s)
    return s
