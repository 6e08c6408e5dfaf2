"""When a Special Card can be played and a Special Effect be activated (KND-X-02, KND-X-07)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from games.knd_ocg import derived, effects
from games.knd_ocg.card_texts import IN_ACTIVE, IN_RESERVE, TYPES, Requires
from games.knd_ocg.rules import texts
from games.knd_ocg.state import KINDS, NONE, PACIFIST, RESERVE, Duel

Holds = Callable[[Duel, int, Any], bool]
"""State, seat, and what is said with the word."""


def _names(s: Duel, seat: int, names: Sequence[str]) -> bool:
    """KND-X-08, KND-R-33: on the own field, one of each."""
    title = s.cards.title
    present = {title[card] for card in s.field_of(seat)}
    return present.issuperset(names)


def _characters(s: Duel, seat: int, count: int) -> bool:
    return in_reserve(s, seat) + (s.active[seat] >= 0) >= count


def in_reserve(s: Duel, seat: int) -> int:
    """How many Characters are in the Reserve."""
    return RESERVE - s.reserve[seat].count(NONE)


def _carrying(s: Duel, seat: int, count: int) -> bool:
    carrying = [card for card in s.field_of(seat) if card in s.under and s.energy_under(card)]
    return len(carrying) >= count


def _reserve(s: Duel, seat: int, count: int) -> bool:
    return in_reserve(s, seat) >= count


def _side(s: Duel, seat: int, wanted: tuple[int, int]) -> bool:
    kind, count = wanted
    types = s.cards.type
    for card in s.field_of(seat):
        if types[card] == kind:
            count -= 1
            if not count:
                return True
    return False


def _active(s: Duel, seat: int, word: str) -> bool:
    active = s.active[seat]
    return active >= 0 and (word == "any" or TYPES[s.cards.type[active]] == word)


def _not_stuck(s: Duel, seat: int, _wanted: bool) -> bool:
    active = s.active[seat]
    return active < 0 or not derived.is_stuck(s, active)


def _opposing_active(s: Duel, seat: int, word: str) -> bool:
    other = 1 - seat
    return s.active[other] >= 0 and (word == "any" or not derived.stays_put(s, other))


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


# -- what is said where it does not hold -----------------------------------------------------------


def _so_many(count: int, noun: str) -> str:
    article = "an" if noun[0] in "AEIOU" else "a"
    return f"{article} {noun}" if count == 1 else f"{count} {noun}s"


def _no_side(s: Duel, seat: int, wanted: tuple[int, int]) -> str:
    kind, count = wanted
    return f"It needs {_so_many(count, TYPES[kind].capitalize())} on your side."


def _no_active(s: Duel, seat: int, word: str) -> str:
    if word == "any":
        return "You have no Active Character."
    return f"Your Active Character must be {_so_many(1, word.capitalize())}."


def _no_opposing_active(s: Duel, seat: int, _word: str) -> str:
    if s.active[1 - seat] < 0:
        return "Your opponent has no Active Character."
    return "The opposing Active Character cannot be switched out."


def _always(sentence: str) -> Callable[[Duel, int, Any], str]:
    return lambda s, seat, value: sentence


class Requirement(NamedTuple):
    """A requirement of a card: its test, the sentence where it fails, and its rule."""

    holds: Holds
    says: Callable[[Duel, int, Any], str]
    rule: str = "KND-X-07"


REQUIREMENTS: Final[Mapping[str, Requirement]] = {
    "names": Requirement(
        _names,
        lambda s, seat, names: f"It needs {', '.join(names)}, all on your side.",
        "KND-X-08",
    ),
    "characters": Requirement(
        _characters,
        lambda s, seat, count: f"It needs {_so_many(count, 'Character')} on your side.",
    ),
    "carrying": Requirement(_carrying, _always("It needs a Character of yours with Energy.")),
    "reserve": Requirement(_reserve, _always("You have nobody in the Reserve.")),
    "side": Requirement(_side, _no_side),
    "active": Requirement(_active, _no_active),
    "not_stuck": Requirement(_not_stuck, _always("Your Active Character is Stuck."), "KND-X-26"),
    "opposing_active": Requirement(_opposing_active, _no_opposing_active),
    "opposing_reserve": Requirement(
        _opposing_reserve, _always("Your opponent has nobody in the Reserve.")
    ),
    "victim_hp": Requirement(
        _victim_hp,
        lambda s, seat, most: (
            f"Nobody in the opposing Reserve has {most} HP or less (Pacifists stay)."
        ),
    ),
    "opposing_hand": Requirement(
        _opposing_hand, _always("Your opponent has no card in hand."), "KND-R-30"
    ),
    "hand": Requirement(_hand, _always("It costs another card of your hand.")),
    "discard": Requirement(_discard, _always("Your discard pile holds no such card.")),
    "opposing_standing": Requirement(
        _opposing_standing, _always("Your opponent has no Gear and no card that stays.")
    ),
}


HOLDS: Final = {word: requirement.holds for word, requirement in REQUIREMENTS.items()}


def holds(s: Duel, seat: int, wanted: Requires) -> bool:
    """True if all that is required holds."""
    for word, value in wanted:  # noqa: SIM110 - asked often, and all() costs twice as much
        if not HOLDS[word](s, seat, value):
            return False
    return True


def playable(s: Duel, seat: int, card: int) -> bool:
    """KND-X-05, KND-X-07, KND-X-34: the requirement of a Special Card in hand is fulfilled."""
    special = s.cards.special[card]
    assert special is not None
    if special.flag == "once" and s.cards.slugs[card] in s.once:
        return False
    if special.attached.total and not derived.covers(s, s.active[seat], special.attached):
        return False
    return not special.requires or holds(s, seat, special.requires)


def why_not_playable(s: Duel, seat: int, card: int) -> tuple[str, str]:
    """Why a Special Card in hand cannot be played, in a sentence, and the rule that says so."""
    special = s.cards.special[card]
    assert special is not None
    if special.flag == "once" and s.cards.slugs[card] in s.once:
        return "It is played once a turn, and you have played one.", "KND-X-34"
    for word, value in special.requires:
        if not REQUIREMENTS[word].holds(s, seat, value):
            return REQUIREMENTS[word].says(s, seat, value), REQUIREMENTS[word].rule
    return f"Your Active Character needs {special.attached.words} under it.", "KND-X-20"


def can_activate(s: Duel, seat: int, card: int) -> bool:
    """KND-X-02, KND-R-26, KND-R-30: an activated effect that works, can be paid and has choices."""
    place = IN_ACTIVE if s.active[seat] == card else IN_RESERVE
    if not derived.means(s, card).effect & place:
        return False
    effect = s.cards.effect[card]
    assert effect is not None
    return (
        not (card in s.used and effect.is_free)
        and not (effect.cost_hp and s.hp(card) <= effect.cost_hp)
        and not derived.is_shushed(s, card)
        and (not effect.needs or holds(s, seat, effect.needs))
        and texts.has_choices(s, seat, card, texts.EFFECT)
    )
