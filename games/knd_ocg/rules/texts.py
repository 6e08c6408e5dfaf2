"""Card texts are carried out part by part (KND-R-58); ``effects`` has the parts.

A text is a Special Attack's “Then” (0 or 1), a Character's Special Effect or a Special Card's
effect. While it is carried out, ``s.chosen`` and ``s.energy`` hold what it has chosen so far.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.knd_ocg.card_texts import Part
from games.knd_ocg.rulebook import BOOK
from games.knd_ocg.rules.cards import sweep
from games.knd_ocg.state import NONE, Duel

EFFECT: Final = 2
SPECIAL_CARD: Final = 3

Doing = Callable[[Duel, int, int, int, int, int, Part], None]
"""State, seat, card, text, number of the part, target, part."""

Offers = Callable[[Duel, int, int, Part], bool]
"""State, seat, card, part: is there something to choose?"""

DOES: Final[dict[str, Doing]] = {}
"""The function of each word of a part; filled by ``effects``."""

CHOICES: Final[dict[str, Offers]] = {}
"""The words that ask for a choice, and whether there is one; filled by ``effects``."""


def parts_of(s: Duel, card: int, text: int) -> tuple[Part, ...]:
    """The parts of a text; of a Gear card only the choice of its bearer."""
    if text == SPECIAL_CARD:
        special = s.cards.special[card]
        assert special is not None
        if special.flag == "gear":
            return special.does[:1]
        return () if special.flag == "stays" else special.does
    if text == EFFECT:
        effect = s.cards.effect[card]
        assert effect is not None
        return effect.does
    return s.cards.attacks[card][text].then


def has_choices(s: Duel, seat: int, card: int, text: int) -> bool:
    """KND-R-30: every obligatory choice has at least one option."""
    for part in parts_of(s, card, text):
        offers = CHOICES.get(part.do)
        if offers is not None and not part.says.get("optional") and not offers(s, seat, card, part):
            return False
    return True


def lay_up(s: Duel, seat: int, card: int, text: int, target: int = NONE) -> None:
    """The parts of a text come next, in order."""
    parts = parts_of(s, card, text)
    for number in range(len(parts) - 1, -1, -1):
        s.then(carry_out, seat, card, text, number, target)


@BOOK.step
def carry_out(s: Duel, seat: int, card: int, text: int, number: int, target: int) -> None:
    """One part; KND-A-25: not if the user or the target of an attack has left the field."""
    if number == 0:
        s.chosen = s.energy = NONE
    parts = parts_of(s, card, text)
    part = parts[number]
    if text < EFFECT and not s.on_field(card):
        return
    if part.who in AIMED and not s.on_field(target):
        return
    if number + 1 < len(parts):
        s.then(sweep)
    else:
        s.then(close_text)
    DOES[part.do](s, seat, card, text, number, target, part)


@BOOK.step
def close_text(s: Duel) -> None:
    """The last part is done; nothing is chosen any more."""
    sweep.do(s)
    s.energy = NONE


AIMED: Final = ("target", "defeater")
"""Parts that concern the Character which an attack targets, or which has defeated this one."""
