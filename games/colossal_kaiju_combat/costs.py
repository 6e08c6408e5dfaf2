"""Who pays for a card, and how: CKC-E-01 to CKC-E-06, CKC-R-21 and CKC-R-22."""

from __future__ import annotations

from typing import NamedTuple

from games.colossal_kaiju_combat.characters import fighting_stats, stat
from games.colossal_kaiju_combat.state import Kaiju, Print


class Price(NamedTuple):
    """How a cost splits: what the character uses up, and the player's Energy."""

    ferocity: int
    agility: int
    energy: int


def left(s: Kaiju, character: int, name: str) -> int:
    """CKC-E-02, CKC-R-38: what is left of the Ferocity or Agility in this combat."""
    assert s.combat is not None
    spent: dict[int, int] = getattr(s.combat, name)
    return max(0, stat(s, character, name) - spent.get(character, 0))


def energy_left(s: Kaiju, seat: int) -> int:
    """The player's Energy that nothing face down has reserved (CKC-R-22)."""
    combat = s.combat
    assert combat is not None
    if not combat.swords and not combat.shields:
        return s.energy[seat]
    side = combat.side(seat)
    plans = (*combat.sword_plans, *combat.shield_plans)
    reserved: int = sum(plan[5] for plan in plans if plan[0] in side)
    return s.energy[seat] - reserved


def power_left(s: Kaiju, character: int) -> int | None:
    """CKC-E-05, CKC-X-07: how much Energy the character may still spend; None: no limit."""
    combat = s.combat
    assert combat is not None
    if s.owner(character) in combat.freed:
        return None
    return max(0, stat(s, character, "power") - combat.energy.get(character, 0))


def boxes(s: Kaiju, character: int, card: Print, role: str) -> tuple[int, int, int]:
    """The red, blue and yellow boxes, reductions first."""
    kaiju = s.cards.prints[character]
    red, blue, yellow = card.red, card.blue, card.yellow
    if kaiju.cheaper and _is_cheaper(s, character, kaiju, role):
        blue -= kaiju.cheaper.get("blue", 0)
        yellow -= kaiju.cheaper.get("yellow", 0)
    return red, max(0, blue), max(0, yellow)


def _is_cheaper(s: Kaiju, character: int, kaiju: Print, role: str) -> bool:
    """Voltstrider always; Ratchetclaw with the first card that it lays paid as Shield."""
    assert s.combat is not None
    if kaiju.effect == "cheaper":
        return True
    return role == "shield" and character not in s.combat.firsts


def price(s: Kaiju, character: int, card: int, role: str) -> Price:
    """CKC-R-22: Ferocity for red and Agility for blue, then Energy for all that is missing."""
    red, blue, yellow = boxes(s, character, s.cards.prints[card], role)
    ferocity = min(red, left(s, character, "ferocity")) if red else 0
    agility = min(blue, left(s, character, "agility")) if blue else 0
    return Price(ferocity, agility, red - ferocity + blue - agility + yellow)


def purse(s: Kaiju, seat: int, character: int) -> tuple[int, int, int]:
    """The Ferocity and Agility a character has left, and the Energy that it may spend."""
    combat = s.combat
    assert combat is not None
    ferocity, agility, power = fighting_stats(s, character)
    energy = energy_left(s, seat)
    if seat not in combat.freed:
        energy = min(energy, max(0, power - combat.energy.get(character, 0)))
    return (
        max(0, ferocity - combat.ferocity.get(character, 0)),
        max(0, agility - combat.agility.get(character, 0)),
        energy,
    )


def lacks_energy(s: Kaiju, seat: int, character: int, energy: int) -> bool:
    _ferocity, _agility, most = purse(s, seat, character)
    return energy > most


def lacks_discards(s: Kaiju, seat: int, card: Print) -> bool:
    """CKC-R-23: the other cards of the hand are too few for the required discards."""
    return card.required_discards > len(s.combat_hands[seat]) - 1
