"""How much a card deals or withstands: sums of what is printed, icons, abilities and texts.

CKC-C-13 to CKC-C-15; nothing here changes anything. What a bonus asks of a card is data
(``cards.toml``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.colossal_kaiju_combat.characters import (
    PRINTED,
    Sum,
    adjacent,
    attributes,
    shuts_out,
)
from games.colossal_kaiju_combat.state import Kaiju, Print
from rules.engine.card_tables import NO_CARD


def damage_sum(
    s: Kaiju,
    character: int,
    card: int,
    target: int,
    *,
    role: str,
    discards: int = 0,
    answered: Print | None = None,
) -> Sum:
    """The terms of the damage of a Sword card or a Counterattack.

    ``target`` is the character or city card that it hits, ``answered`` the card that a
    Counterattack answers.
    """
    it = s.cards.prints[card]
    terms = [(PRINTED, it.damage)]
    if it.damage_icons:
        terms += _icons(it.damage_icons, attributes(s, character), 1)
    if it.red_icons:
        terms += _icons(it.red_icons, attributes(s, target), -1)
    if it.bonus:
        terms += _own_text(s, character, it, target, answered)
    if discards and it.discard_damage:
        terms.append(("Discards", discards * it.discard_damage))
    if s.cards.prints[character].bonus:
        terms += _ability(s, character, it, target, role)
    if s.scars or s.city:
        terms += _styles(s, character, it, "damage")
    return terms


def toughness_sum(
    s: Kaiju,
    character: int,
    card: int,
    *,
    answered: Print | None = None,
    aimed: int = 1,
) -> Sum:
    """The terms of the toughness of a Shield card; ``aimed``: how many Sword cards target its
    character."""
    it = s.cards.prints[card]
    terms = [(PRINTED, it.toughness)]
    if it.toughness_icons:
        terms += _icons(it.toughness_icons, attributes(s, character), 1)
    bonus = it.bonus
    if "toughness" in bonus and (_answers(bonus, answered) or aimed >= bonus.get("targeted_by", 9)):
        terms.append((it.title, bonus["toughness"]))
    kaiju = s.cards.prints[character]
    if kaiju.effect == "bonus" and _is_of(kaiju.bonus, it) and "toughness" in kaiju.bonus:
        terms.append((kaiju.title, kaiju.bonus["toughness"]))
    if s.scars or s.city:
        terms += _styles(s, character, it, "toughness")
    return terms


def city_toughness(s: Kaiju, card: int) -> Sum:
    """CKC-Y-11, CKC-R-19: with every Office Complex in the city."""
    prints = s.cards.prints
    terms = [(PRINTED, prints[card].toughness)]
    for other in s.city:
        if prints[other].effect == "toughness":
            terms.append((prints[other].title, prints[other].amount))
    return terms


def _icons(icons: Iterable[str], attrs: frozenset[str], each: int) -> Iterator[tuple[str, int]]:
    """CKC-C-13, CKC-C-14, CKC-R-30: printed twice, an icon counts twice."""
    counted: dict[str, int] = {}
    for icon in icons:
        if icon in attrs:
            counted[icon] = counted.get(icon, 0) + each
    for icon, number in counted.items():
        yield icon.capitalize(), number


def _is_of(bonus: Mapping[str, Any], card: Print) -> bool:
    """CKC-C-15: is the card of the style or type that a text names?"""
    if "style" in bonus:
        return bonus["style"] in card.styles
    return bonus.get("type") == card.type


def _answers(bonus: Mapping[str, Any], answered: Print | None) -> bool:
    if answered is None:
        return False
    if "answers_style" in bonus:
        return bonus["answers_style"] in answered.styles
    return bonus.get("answers_type") == answered.type


def _own_text(
    s: Kaiju, character: int, card: Print, target: int, answered: Print | None
) -> Iterator[tuple[str, int]]:
    """The bonus that the card gives itself."""
    bonus = card.bonus
    if "damage" not in bonus:
        return
    at_city = target != NO_CARD and s.cards.prints[target].is_city
    if "city" in bonus:
        holds = at_city
    elif "empty_hand" in bonus:  # CKC-M-04, CKC-R-36
        holds = not at_city and target != NO_CARD and not s.combat_hands[s.owner(target)]
    else:
        holds = _answers(bonus, answered)
    if holds:
        yield card.title, bonus["damage"]


def _ability(
    s: Kaiju, character: int, card: Print, target: int, role: str
) -> Iterator[tuple[str, int]]:
    """The bonus of its own kaiju's ability (CKC-K-04, CKC-R-53)."""
    kaiju = s.cards.prints[character]
    if "damage" not in kaiju.bonus or shuts_out(s, target, character, "damage"):
        return
    if kaiju.effect == "bonus":
        holds = _is_of(kaiju.bonus, card)
    else:
        holds = kaiju.effect == "first-sword" and role == "sword" and is_first_sword(s, character)
    if holds:
        yield kaiju.title, kaiju.bonus["damage"]


def is_first_sword(s: Kaiju, character: int) -> bool:
    """Galehorn: in a combat against another player that its side started."""
    combat = s.combat
    return (
        combat is not None
        and not combat.is_rampage
        and character in combat.fighters
        and character not in combat.firsts
    )


def _styles(s: Kaiju, character: int, card: Print, value: str) -> Iterator[tuple[str, int]]:
    """Scars of the character, and the adjacent city card."""
    for scar in s.scars_on(character):
        text = s.cards.prints[scar]
        if value in text.bonus and _is_of(text.bonus, card):
            yield text.title, text.bonus[value]
    head = adjacent(s, "bonus")
    if head is not None and value in head.bonus and _is_of(head.bonus, card):
        yield head.title, head.bonus[value]
