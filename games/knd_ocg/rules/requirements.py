"""When a Special Card can be played and a Special Effect be activated (KND-X-02, KND-X-07)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.knd_ocg import effects, facts
from games.knd_ocg.card_texts import TYPES
from games.knd_ocg.rules import texts
from games.knd_ocg.state import KINDS, PACIFIST, Duel

Holds = Callable[[Duel, int, Any, Mapping[str, Any]], bool]
"""State, seat, what is required, and all that is required besides."""


def _names(s: Duel, seat: int, names: Sequence[str], _all: Mapping[str, Any]) -> bool:
    """KND-X-08, KND-R-33: on the own field, one of each."""
    title = s.cards.title
    there = {title[card] for card in s.field_of(seat)}
    return there.issuperset(names)


def _characters(s: Duel, seat: int, count: int, _all: Mapping[str, Any]) -> bool:
    return len(s.field_of(seat)) >= count


def _carrying(s: Duel, seat: int, count: int, _all: Mapping[str, Any]) -> bool:
    return sum(1 for card in s.field_of(seat) if s.energy_under(card)) >= count


def _reserve(s: Duel, seat: int, count: int, _all: Mapping[str, Any]) -> bool:
    return len(s.in_reserve(seat)) >= count


def _side(s: Duel, seat: int, word: str, every: Mapping[str, Any]) -> bool:
    types, wanted = s.cards.type, TYPES.index(word)
    there = [types[card] for card in s.field_of(seat)]
    return there.count(wanted) >= int(every.get("count", 1))


def _active(s: Duel, seat: int, word: str, _all: Mapping[str, Any]) -> bool:
    active = s.active[seat]
    return active >= 0 and (word == "any" or TYPES[s.cards.type[active]] == word)


def _not_stuck(s: Duel, seat: int, _wanted: Any, _all: Mapping[str, Any]) -> bool:
    active = s.active[seat]
    return active < 0 or not facts.is_stuck(s, active)


def _opposing_active(s: Duel, seat: int, word: str, _all: Mapping[str, Any]) -> bool:
    other = 1 - seat
    return s.active[other] >= 0 and (word == "any" or not facts.stays_put(s, other))


def _opposing_reserve(s: Duel, seat: int, count: int, _all: Mapping[str, Any]) -> bool:
    return len(s.in_reserve(1 - seat)) >= count


def _victim_hp(s: Duel, seat: int, most: int, _all: Mapping[str, Any]) -> bool:
    types = s.cards.type
    return any(types[card] != PACIFIST and s.hp(card) <= most for card in s.in_reserve(1 - seat))


def _opposing_hand(s: Duel, seat: int, count: int, _all: Mapping[str, Any]) -> bool:
    return len(s.hands[1 - seat]) >= count


def _hand(s: Duel, seat: int, count: int, _all: Mapping[str, Any]) -> bool:
    """Other cards than the one that is played."""
    return len(s.hands[seat]) > count


def _discard(s: Duel, seat: int, kinds: Sequence[str], _all: Mapping[str, Any]) -> bool:
    kind = s.cards.kind
    return any(KINDS[kind[card]] in kinds for card in s.discards[seat])


def _opposing_standing(s: Duel, seat: int, count: int, _all: Mapping[str, Any]) -> bool:
    return len(effects.standing(s, 1 - seat)) >= count


def _always(s: Duel, seat: int, _wanted: Any, _all: Mapping[str, Any]) -> bool:
    """It is asked with another one."""
    return True


HOLDS: Final[Mapping[str, Holds]] = {
    "names": _names,
    "characters": _characters,
    "carrying": _carrying,
    "reserve": _reserve,
    "side": _side,
    "count": _always,
    "active": _active,
    "attached": _always,
    "not_stuck": _not_stuck,
    "opposing_active": _opposing_active,
    "opposing_reserve": _opposing_reserve,
    "victim_hp": _victim_hp,
    "opposing_hand": _opposing_hand,
    "hand": _hand,
    "discard": _discard,
    "opposing_standing": _opposing_standing,
}


def holds(s: Duel, seat: int, wanted: Mapping[str, Any]) -> bool:
    """True if all that is required holds."""
    for word, given in wanted.items():  # noqa: SIM110 - asked often, and all() costs twice as much
        if not HOLDS[word](s, seat, given, wanted):
            return False
    return True


def playable(s: Duel, seat: int, card: int) -> bool:
    """KND-X-05, KND-X-07, KND-X-34: the requirement of a Special Card in hand is fulfilled."""
    special = s.cards.special[card]
    assert special is not None
    if special.flag == "once" and s.cards.slugs[card] in s.once:
        return False
    if special.attached.total and not facts.covers(s, s.active[seat], special.attached):
        return False
    return holds(s, seat, special.requires)


def can_activate(s: Duel, seat: int, card: int) -> bool:
    """KND-X-02, KND-R-26, KND-R-30: an activated effect that works, can be paid and has choices."""
    effect = s.cards.effect[card]
    assert effect is not None
    if effect.cost.total and not facts.covers(s, card, effect.cost):
        return False
    if effect.is_free and card in s.used:
        return False
    return (
        s.hp(card) > effect.cost_hp
        and facts.works(s, card)
        and (not effect.needs or holds(s, seat, effect.needs))
        and texts.has_choices(s, seat, card, texts.EFFECT)
    )
