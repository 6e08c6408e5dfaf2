"""Characters as they are now: their stats with scars, their attributes, who is immune to what.

A sum is a list of terms, each a word for people and a number: what a value is made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

from games.colossal_kaiju_combat.state import Kaiju, Print
from rules.engine.card_tables import NO_CARD

Sum: TypeAlias = list[tuple[str, int]]

STATS: Final = ("fortitude", "ferocity", "agility", "power")
PRINTED: Final = "Printed"


def printed(s: Kaiju, character: int, stat: str) -> int:
    """The stat printed on the card, in the present form of the character."""
    card = s.cards.prints[character]
    if card.evolved and character in s.changed:
        evolved: int = card.evolved[stat]
        return evolved
    value: int = getattr(card, stat)
    return value


def stat_sum(s: Kaiju, character: int, stat: str) -> Sum:
    """CKC-R-38, CKC-R-41, CKC-R-45: what a stat is made of."""
    prints = s.cards.prints
    terms = [(PRINTED, printed(s, character, stat))]
    if stat == "fortitude":
        terms.append(("Fortitude Bonus", s.team_card(s.owner(character)).fortitude_bonus))
    for bearer, scar in s.scars:
        if bearer == character and stat in prints[scar].changes:
            terms.append((prints[scar].title, prints[scar].changes[stat]))
    if stat == "power" and is_drained(s, character):
        head = prints[s.city[0]]
        terms.append((head.title, -head.amount))
    return terms


def stat(s: Kaiju, character: int, stat: str) -> int:
    """A stat as it counts now; asked often, so no sum is made for it."""
    prints = s.cards.prints
    card = prints[character]
    value: int = printed(s, character, stat) if card.evolved else getattr(card, stat)
    if s.scars:
        for bearer, scar in s.scars:
            if bearer == character:
                value += prints[scar].changes.get(stat, 0)
    if stat == "power" and s.city and is_drained(s, character):
        value -= prints[s.city[0]].amount
    return value if value > 0 else 0


def fighting_stats(s: Kaiju, character: int) -> tuple[int, int, int]:
    """Ferocity, Agility and Power as they are now; whoever asks counts less than 0 as 0."""
    prints = s.cards.prints
    card = prints[character]
    ferocity, agility, power = card.ferocity, card.agility, card.power
    if card.evolved:
        ferocity = printed(s, character, "ferocity")
        agility = printed(s, character, "agility")
        power = printed(s, character, "power")
    if s.scars:
        for scar in s.scars_on(character):
            changes = prints[scar].changes
            ferocity += changes.get("ferocity", 0)
            agility += changes.get("agility", 0)
            power += changes.get("power", 0)
    if s.city and is_drained(s, character):
        power -= prints[s.city[0]].amount
    return ferocity, agility, power


def fortitude(s: Kaiju, character: int) -> int:
    """CKC-H-02, CKC-R-41: the Fortitude Bonus included."""
    return stat(s, character, "fortitude") + s.team_card(s.owner(character)).fortitude_bonus


def is_drained(s: Kaiju, character: int) -> bool:
    """Tesla Grid, while adjacent: characters in a combat."""
    combat, head = s.combat, adjacent(s, "less-power")
    if combat is None or head is None:
        return False
    return character in combat.fighters or character in combat.foes


def adjacent(s: Kaiju, effect: str) -> Print | None:
    """CKC-Y-05: the head of the city, if this is what it does while it is adjacent."""
    if not s.city:
        return None
    head = s.cards.prints[s.city[0]]
    return head if head.scope == "adjacent" and head.effect == effect else None


def attributes(s: Kaiju, card: int) -> frozenset[str]:
    """CKC-C-12, CKC-R-45: of a character with its scars, or of a city card (CKC-R-30)."""
    if card == NO_CARD:
        return frozenset()
    card_print = s.cards.prints[card]
    own = card_print.attr
    if card_print.evolved and card in s.changed:
        own = frozenset(card_print.evolved["attr"])
    if s.scars:
        scars = [s.cards.prints[scar] for scar in s.scars_on(card)]
        for scar in scars:
            own |= scar.gains
        for scar in scars:
            own -= scar.loses
    return own


def is_immune(s: Kaiju, character: int) -> bool:
    """CKC-K-03: ABYSSAL kaiju of From the Deep."""
    card = s.cards.prints[character]
    if not card.is_character:
        return False
    immune = s.team_card(s.owner(character)).immune
    return bool(immune) and immune in card.keywords


def shuts_out(s: Kaiju, target: int, kaiju: int, part: str = "") -> bool:
    """CKC-R-53: the ability of a rival's ``kaiju`` does nothing to an immune target."""
    if target == NO_CARD or s.owner(target) == s.owner(kaiju) or not is_immune(s, target):
        return False
    against = s.cards.prints[kaiju].against_immune
    return against == "shut-out" or against == f"{part}-shut-out"


def meets(s: Kaiju, character: int, ally: Print) -> bool:
    """CKC-P-09: does this member meet an ally's requirement?"""
    needs = ally.needs
    if "affiliation" in needs:
        return bool(s.cards.prints[character].affiliation == needs["affiliation"])
    if "attr" in needs:
        return needs["attr"] in attributes(s, character)
    if "power" in needs:
        return stat(s, character, "power") >= int(needs["power"])
    if "fortitude" in needs:  # on its card: no bonus, no scars
        return printed(s, character, "fortitude") >= int(needs["fortitude"])
    return s.damage.get(character, 0) >= int(needs["damage"])


def may_bear(s: Kaiju, character: int, scar: int) -> bool:
    """CKC-P-06, CKC-R-45: does the character have room for this scar?"""
    prints = s.cards.prints
    needed = prints[scar].needs.get("attr")
    if needed and needed not in attributes(s, character):
        return False
    borne = s.scars_on(character)
    if prints[scar].effect == "patchwork":
        return not any(prints[other].effect == "patchwork" for other in borne)
    counted = sum(1 for other in borne if prints[other].effect != "patchwork")
    return counted < s.team_card(s.owner(character)).scar_limit


def in_words(terms: Iterable[Sequence[Any]]) -> str:
    """“5 + Tail 1 − Armor 1”; a term that was read from JSON is a list."""
    words = ""
    for label, number in terms:
        sign = "−" if number < 0 else "+"
        if not words:
            words = str(number) if label == PRINTED else f"{label} {number}"
        else:
            words += f" {sign} {label} {abs(number)}"
    return words


def total(terms: Iterable[tuple[str, int]]) -> int:
    """CKC-R-30: a value is never below 0."""
    value = 0
    for _label, number in terms:
        value += number
    return value if value > 0 else 0
