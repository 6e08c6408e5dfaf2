"""When a Special Card can be played and a Special Effect be activated (KND-X-02, KND-X-07)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.knd_ocg import effects, facts
from games.knd_ocg.card_texts import IN_ACTIVE, IN_RESERVE, TYPES, Requires
from games.knd_ocg.rules import texts
from games.knd_ocg.state import KINDS, NONE, PACIFIST, RESERVE, Duel

Holds = Callable[[Duel, int, Any], bool]
"""State, seat, and what is said with the word."""


def _names(s: Duel, seat: int, names: Sequence[str]) -> bool:
    """KND-X-08, KND-R-33: on the own field, one of each."""
    title = s.cards.title
    there = {title[card] for card in s.field_of(seat)}
    return there.issuperset(names)


def _characters(s: Duel, seat: int, count: int) -> bool:
    return in_reserve(s, seat) + (s.active[seat] >= 0) >= count


def in_reserve(s: Duel, seat: int) -> int:
    """How many Characters are in the Reserve."""
    return RESERVE - s.reserve[seat].count(NONE)


def _carrying(s: Duel, seat: int, count: int) -> bool:
    return sum(1 for card in s.field_of(seat) if s.energy_under(card)) >= count


def _reserve(s: Duel, seat: int, count: int) -> bool:
    return in_reserve(s, seat) >= count


def _side(s: Duel, seat: int, wanted: tuple[int, int]) -> bool:
    kind, count = wanted
    types = s.cards.type
    for card in s.field_of(seat):
        if types[card] == kind:
            count -= 1
    return count <= 0


def _active(s: Duel, seat: int, word: str) -> bool:
    active = s.active[seat]
    return active >= 0 and (word == "any" or TYPES[s.cards.type[active]] == word)


def _not_stuck(s: Duel, seat: int, _wanted: bool) -> bool:
    active = s.active[seat]
    return active < 0 or not facts.is_stuck(s, active)


def _opposing_active(s: Duel, seat: int, word: str) -> bool:
    other = 1 - seat
    return s.active[other] >= 0 and (word == "any" or not facts.stays_put(s, other))


def _opposing_reserve(s: Duel, seat: int, count: int) -> bool:
    return in_reserve(s, 1 - seat) >= count


def _victim_hp(s: Duel, seat: int, most: int) -> bool:
    types = s.cards.type
    return any(types[card] != PACIFIST and s.hp(card) <= most for card in s.in_reserve(1 - seat))


def _opposing_hand(s: Duel, seat: int, count: int) -> bool:
    return len(s.hands[1 - seat]) >= count


def _hand(s: Duel, seat: int, count: int) -> bool:
    """Other cards than the one that is played."""
    return len(s.hands[seat]) > count


def _discard(s: Duel, seat: int, kinds: Sequence[str]) -> bool:
    kind = s.cards.kind
    return any(KINDS[kind[card]] in kinds for card in s.discards[seat])


def _opposing_standing(s: Duel, seat: int, count: int) -> bool:
    return len(effects.standing(s, 1 - seat)) >= count


HOLDS: Final[Mapping[str, Holds]] = {
    "names": _names,
    "characters": _characters,
    "carrying": _carrying,
    "reserve": _reserve,
    "side": _side,
    "active": _active,
    "not_stuck": _not_stuck,
    "opposing_active": _opposing_active,
    "opposing_reserve": _opposing_reserve,
    "victim_hp": _victim_hp,
    "opposing_hand": _opposing_hand,
    "hand": _hand,
    "discard": _discard,
    "opposing_standing": _opposing_standing,
}


def holds(s: Duel, seat: int, wanted: Requires) -> bool:
    """True if all that is required holds."""
    for word, given in wanted:  # noqa: SIM110 - asked often, and all() costs twice as much
        if not HOLDS[word](s, seat, given):
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
    place = IN_ACTIVE if s.active[seat] == card else IN_RESERVE
    return (
        facts.means(s, card).effect & place != 0
        and not (card in s.used and effect.is_free)
        and not (effect.cost_hp and s.hp(card) <= effect.cost_hp)
        and not facts.is_shushed(s, card)
        and (not effect.needs or holds(s, seat, effect.needs))
        and texts.has_choices(s, seat, card, texts.EFFECT)
    )
