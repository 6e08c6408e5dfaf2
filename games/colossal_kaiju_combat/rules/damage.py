"""Damage, Fury, knock-outs: CKC-H and the rulings on how much happens at once."""

from __future__ import annotations

from games.colossal_kaiju_combat import events
from games.colossal_kaiju_combat.characters import adjacent, fortitude
from games.colossal_kaiju_combat.rules.decks import put_on_discard
from games.colossal_kaiju_combat.rules.glory import check_standing, gain_glory
from games.colossal_kaiju_combat.state import NOBODY_SEAT, Kaiju
from rules.engine.card_tables import NO_CARD


def hurt(
    s: Kaiju, character: int, amount: int, source: int, *, attack: bool, cause: str = "card"
) -> None:
    """CKC-H-01: damage from a player (or nobody), noted until it is healed.

    Nobody is knocked out yet: whose blow it was is kept for the KO check (CKC-R-25, CKC-R-32),
    for nothing lowers a Fortitude or heals in between.
    """
    if amount <= 0:
        return
    s.stirred = True
    damage = s.damage[character] = s.damage.get(character, 0) + amount
    s.tell(events.HIT, s.owner(character), character, amount, cause)
    if damage >= fortitude(s, character):
        s.blows.setdefault(character, source)
    enrage(s, character, NOBODY_SEAT if cause == "city" else source, attack)


def hurt_city(s: Kaiju, card: int, amount: int, source: int, cause: str = "card") -> None:
    """CKC-Y-07, CKC-Y-08"""
    if amount <= 0:
        return
    s.stirred = True
    s.damage[card] = s.damage.get(card, 0) + amount
    s.tell(events.HIT, s.owner(card), card, amount, cause)
    if s.damage[card] >= s.cards.prints[card].fortitude:
        s.blows.setdefault(card, source)


def enrage(s: Kaiju, character: int, source: int, attack: bool) -> None:
    """CKC-H-04, CKC-R-26: a kaiju by any damage, another ally by attack damage alone.

    ``source`` is whose doing it is; nobody's, where it was the city's.
    """
    prints = s.cards.prints
    it = prints[character]
    fury = int(attack or it.is_kaiju)
    if attack:  # Obsidrake, Bitter Grudge
        if it.effect == "more-fury":
            fury += it.amount
        for bearer, scar in s.scars:
            if bearer == character and prints[scar].effect == "more-fury":
                fury += prints[scar].amount
    if fury:
        gain_fury(s, s.owner(character), fury, source)


def gain_fury(s: Kaiju, seat: int, fury: int, source: int) -> None:
    """CKC-R-28: in claim mode what the other player of the combat causes has to be claimed."""
    if s.claims_fury and s.combat is not None and source != seat:
        fighting = s.combat.seats()
        if source in fighting and seat in fighting:
            s.pending[seat] += fury
            s.offered[seat] = 0
            s.tell(events.FURY_OWED, seat, fury)
            return
    add_fury(s, seat, fury)


def add_fury(s: Kaiju, seat: int, fury: int) -> None:
    """CKC-R-27: without an upper limit."""
    s.fury[seat] += fury
    s.tell(events.FURY_GAINED, seat, fury)


def gain_energy(s: Kaiju, seat: int, energy: int) -> None:
    s.energy[seat] += energy
    s.tell(events.ENERGY_GAINED, seat, energy)


def heal(s: Kaiju, character: int, most: int) -> None:
    """Takes off up to so much damage."""
    healed = min(most, s.damage.get(character, 0))
    if healed:
        s.damage[character] -= healed
        s.tell(events.HEALED, s.owner(character), character, healed)


def enter_city(s: Kaiju, character: int) -> None:
    """CKC-T-09, CKC-R-11: active until the end of the turn."""
    if character not in s.active:
        s.active.append(character)
    if character not in s.was_active:
        s.was_active.append(character)


def leave_city(s: Kaiju, character: int) -> None:
    """CKC-R-08, CKC-R-34: out of the city and its combat at once; an action to come is lost."""
    if character in s.active:
        s.active.remove(character)
    seat = s.owner(character)
    if s.chosen[seat] == character:
        s.chosen[seat] = NO_CARD
    if s.combat is not None:
        for side in (s.combat.fighters, s.combat.foes):
            if character in side:
                side.remove(character)


# -- the KO check (CKC-R-33) -----------------------------------------------------------------------


def check_knockouts(s: Kaiju) -> None:
    """Handle all fallen characters and cards together; repeat after texts that deal damage."""
    if not s.blows:
        return
    killers: list[int] = []
    while s.blows:
        victims = [character for character in s.present() if character in s.blows]
        ruins = [card for card in s.city if card in s.blows]
        for character in victims:
            fall(s, character, killers)
        for card in ruins:
            destroy(s, card)
    reward_packs(s, killers)
    check_standing(s)


def fall(s: Kaiju, character: int, killers: list[int]) -> None:
    """A character at its Fortitude: revived, set aside or knocked out."""
    source = s.blows.pop(character, NOBODY_SEAT)
    effect = s.cards.prints[character].effect
    if character not in s.changed and effect in ("revive", "set-aside"):
        s.changed.append(character)
        leave_city(s, character)
        if effect == "revive":
            revive(s, character)
        else:
            put_aside(s, character)
    else:
        knock_out(s, character, source, killers)


def revive(s: Kaiju, character: int) -> None:
    """Giraffish: Fortitude minus half its Fortitude, rounded down; scars stay."""
    whole = fortitude(s, character)
    s.damage[character] = whole - whole // 2
    s.tell(events.REVIVED, s.owner(character), character)


def put_aside(s: Kaiju, character: int) -> None:
    """Loodicriz: out of play until the next phase 3 (CKC-R-48)."""
    seat = s.owner(character)
    lose_scars(s, character)
    s.rows[seat] = tuple(other for other in s.rows[seat] if other != character)
    s.set_aside.append(character)
    s.damage.pop(character, None)
    s.tell(events.SET_ASIDE, seat, character)


def knock_out(s: Kaiju, character: int, source: int, killers: list[int]) -> None:
    """CKC-H-03, CKC-R-15, CKC-R-32, CKC-R-39: to the glory pile of whose blow it was."""
    owner = s.owner(character)
    scores = source not in (NOBODY_SEAT, owner) and source not in s.out
    lose_scars(s, character)
    leave_city(s, character)
    remove_character(s, character)
    worth = s.cards.prints[character].glory
    if scores:
        s.stirred = True
        s.glory[source] += (character,)
        s.tell(events.KNOCKED_OUT, source, character, owner, worth)
        killers.append(source)
        if s.combat is not None:
            s.combat.felled.append((source, character))
            stadium = adjacent(s, "ko-glory")
            if stadium is not None:
                gain_glory(s, source, stadium.amount)
    else:
        s.removed.append(character)
        s.tell(events.KNOCKED_OUT, NOBODY_SEAT, character, owner, 0)


def remove_character(s: Kaiju, character: int) -> None:
    """Out of its row, with its damage; where it goes is the caller's."""
    seat = s.owner(character)
    s.rows[seat] = tuple(other for other in s.rows[seat] if other != character)
    s.damage.pop(character, None)
    s.blows.pop(character, None)


def lose_scars(s: Kaiju, character: int) -> None:
    """CKC-R-34: each to its owner's planning discard."""
    lost = s.scars_on(character)
    s.scars = [row for row in s.scars if row[0] != character]
    for scar in lost:
        put_on_discard(s, scar)
    if lost:
        s.tell(events.SCARS_LOST, s.owner(character), tuple(lost))


def reward_packs(s: Kaiju, killers: list[int]) -> None:
    """Scavenger Pack: each that is still present after the KO check."""
    for seat in killers:
        for character in s.rows[seat]:
            ally = s.cards.prints[character]
            if ally.effect == "ko-energy":
                gain_energy(s, seat, ally.amount)


def destroy(s: Kaiju, card: int) -> None:
    """CKC-Y-07, CKC-R-16: to the destroyer's glory pile; then at once its own text."""
    source = s.blows.pop(card)
    ruin = s.cards.prints[card]
    s.city.remove(card)
    s.damage.pop(card, None)
    s.stirred = True
    s.glory[source] += (card,)
    s.tell(events.DESTROYED, source, card, ruin.glory)
    combat = s.combat
    if combat is None or not combat.is_rampage:
        return
    combat.felled.append((source, card))
    team = s.team_card(source)
    if team.effect == "rampage-glory" and not combat.toppled and source == combat.starter:
        gain_glory(s, source, team.amount)
    combat.toppled = True
    if ruin.burst:  # Nuclear Power Plant, Oil Refinery: the rampage has no other characters
        owner = s.owner(card)
        for character in combat.fighters[:]:
            hurt(s, character, ruin.burst, owner, attack=False, cause="city")
