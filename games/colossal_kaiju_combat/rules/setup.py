"""Set-up (CKC-S)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.colossal_kaiju_combat import events
from games.colossal_kaiju_combat.legality import check_deck
from games.colossal_kaiju_combat.rules.decks import fill_hand, shuffled
from games.colossal_kaiju_combat.rules.turn import begin_turn
from games.colossal_kaiju_combat.state import Cards, Kaiju
from rules.engine.card_tables import unfold
from rules.engine.chance import Chance
from rules.engine.legality import Decklist, must_be_legal

FIRST_ENERGY: Final = 10


def prepare(
    mode: str,
    seats: int,
    chance: Chance,
    options: Mapping[str, Any],
    decks: Sequence[Decklist],
) -> Kaiju:
    """CKC-S-01 to CKC-S-07; in ``basic`` planning decks stay at home (CKC-O-02)."""
    for deck in decks:
        must_be_legal(check_deck(mode, deck))
    slugs: list[str] = []
    starts, sizes = [], []
    for deck in decks:
        starts.append(len(slugs))
        planning = unfold(deck.get("planning", {})) if mode == "standard" else ()
        combat = unfold(deck["combat"])
        sizes.append((sum(deck["kaiju"].values()), len(combat), len(planning)))
        slugs += [*unfold(deck["team"]), *Cards.sorted(unfold(deck["kaiju"]))]
        for cards in (combat, planning):
            numbered = Cards.sorted(cards)
            chance.shuffle(numbered)  # a number tells nothing
            slugs += numbered
    s = Kaiju.lay(seats, chance, mode, Cards(slugs), starts, options)
    for seat, size in enumerate(sizes):
        bring(s, seat, *size)
    ties = list(range(seats))
    chance.shuffle(ties)  # CKC-R-01
    s.ties = tuple(ties)
    s.tell(events.TIES_BROKEN, s.ties)
    for seat in range(seats):
        make_decks(s, seat, *sizes[seat])
    for seat in range(seats):
        fill_hand(s, seat)  # CKC-S-04
        take_first_energy(s, seat)
    s.then(begin_turn)
    return s


def bring(s: Kaiju, seat: int, kaiju: int, combat: int, planning: int) -> None:
    """CKC-S-01: the kaiju in the order of the catalog; a list that was stored has none."""
    first = s.starts[seat] + 1
    s.rows[seat] = tuple(range(first, first + kaiju))
    s.tell(events.TEAM_SHOWN, seat, first - 1, kaiju)
    s.tell(events.DECKS_BROUGHT, seat, combat, planning)


def make_decks(s: Kaiju, seat: int, kaiju: int, combat: int, planning: int) -> None:
    """CKC-S-02, CKC-S-03"""
    first = s.starts[seat] + 1 + kaiju
    s.combat_decks[seat] = shuffled(s, seat, "combat", range(first, first + combat))
    first += combat
    if planning:
        cards = range(first, first + planning)
        s.planning_decks[seat] = shuffled(s, seat, "planning", cards)


def take_first_energy(s: Kaiju, seat: int) -> None:
    """CKC-S-05: the highest Power counts, not the sum."""
    highest = max(s.cards.prints[character].power for character in s.rows[seat])
    s.energy[seat] = FIRST_ENERGY + highest
