"""Values derived from the table: AP and DP, who is Shushed, which effects work.

Nothing here changes anything; all is worked out anew when it is asked (KND-R-21).
"""

from __future__ import annotations

from games.knd_ocg.card_texts import TYPES, Energy
from games.knd_ocg.state import (
    AP,
    DP,
    DP_ZERO,
    GROUNDED,
    HIDING,
    NONE,
    PACIFIST,
    SHUSHED,
    SPY,
    STUCK,
    Duel,
    Means,
)

# -- Energy ----------------------------------------------------------------------------------------


def covers(s: Duel, card: int, wanted: Energy) -> bool:
    """KND-E-10: a Character has the Energy attached that is wanted."""
    if not wanted.total:
        return True
    letter = s.cards.energy
    return wanted.covered_by(
        [letter[under] for under in s.under.get(card, ()) if letter[under] >= 0]
    )


def means(s: Duel, card: int) -> Means:
    """The attacks, effect and fleeing that a Character's attached cards are enough for."""
    return s.cards.means[card, s.under.get(card, ())]


# -- Special Effects -------------------------------------------------------------------------------


def is_shushed(s: Duel, card: int) -> bool:
    """KND-X-25: by a mark, or as a Spy by the other side's No Spying (KND-R-36)."""
    if s.marks and s.has_mark(card, SHUSHED):
        return True
    return silencer(s, card) >= 0


def silencer(s: Duel, card: int) -> int:
    """The opposing Character whose lasting effect Shushes this Spy, or no card."""
    if s.cards.type[card] != SPY:
        return NONE
    lasting = s.cards.lasting
    for opposing in s.field_of(1 - s.owner(card)):
        if lasting[opposing] == "shush" and works(s, opposing):
            return opposing
    return NONE


def works(s: Duel, card: int) -> bool:
    """True if the Character's Special Effect works where it is, with what lies under it.

    KND-R-03: from the first turn on. In set-up it would tell what the other side has placed.
    """
    return (
        s.cards.effect[card] is not None
        and s.placed
        and means(s, card).works & s.place_of(card) != 0
        and not is_shushed(s, card)
    )


def has_lasting(s: Duel, card: int, does: str) -> bool:
    """True if a continuous Special Effect of the Character does this now (KND-R-27)."""
    return s.cards.lasting[card] == does and works(s, card)


def has_bypass(s: Duel, card: int) -> bool:
    """KND-A-26: its attacks have Bypass."""
    return has_lasting(s, card, "bypass")


def stays_put(s: Duel, seat: int) -> bool:
    """True if the opponent's cards cannot switch the seat's Active Character away."""
    active = s.active[seat]
    return active >= 0 and has_lasting(s, active, "stay-put")


# -- AP and DP -------------------------------------------------------------------------------------


def ap(s: Duel, card: int, plus: int = 0) -> int:
    """KND-R-21: printed + all modifiers + ``plus``, at least 0."""
    total = s.cards.ap[card] + plus
    for mark in s.marks:
        if mark[0] == card and mark[1] == AP:
            total += mark[2]
    if card in s.under:
        total += means(s, card).ap
    seat = int(card >= s.split)  # as s.owner(), without a call
    if s.active[seat] == card:
        total += drumbeat(s, seat)
    return total if total > 0 else 0


def drumbeat(s: Duel, seat: int) -> int:
    """The AP that a Reserve Character adds to the Active one; several do not add up."""
    lasting = s.cards.lasting
    for reserve in s.reserve[seat]:  # index -1 finds no effect
        if lasting[reserve] == AP and works(s, reserve):
            effect = s.cards.effect[reserve]
            assert effect is not None
            return int(effect.does[0].amount)
    return 0


def dp(s: Duel, card: int, *, printed: bool = False, against: int = NONE) -> int:
    """KND-R-21: 0 if it counts as 0; else printed if modifiers are ignored; else printed + all.

    ``against`` is a Character that makes a Basic Attack on it.
    """
    if s.marks and s.has_mark(card, DP_ZERO):
        return 0
    if against >= 0 and counts_as_zero(s, card, against):
        return 0
    total = s.cards.dp[card]
    if printed:
        return total
    if s.marks:
        for mark in s.marks:
            if mark[0] == card and mark[1] == DP:
                total += mark[2]
    if card in s.under:
        total += means(s, card).dp
    staying = s.specials[int(card >= s.split)]
    if staying:
        total += sum(lying_dp(s, mark) for mark in staying)
    return total if total > 0 else 0


def counts_as_zero(s: Duel, card: int, attacker: int) -> bool:
    """Inside Job: a Basic Attack on a Character of this type."""
    if s.cards.lasting[attacker] != DP_ZERO or not works(s, attacker):
        return False
    effect = s.cards.effect[attacker]
    assert effect is not None
    return bool(TYPES[s.cards.type[card]] == effect.does[0].says["against"])


def lying_dp(s: Duel, card: int) -> int:
    """KND-X-33: what a card that stays in the Special Card area adds to its owner's DP."""
    special = s.cards.special[card]
    if special is None or special.flag != "stays" or special.does[0].do != DP:
        return 0
    return int(special.does[0].amount)


# -- what a Character can do -----------------------------------------------------------------------


def is_grounded(s: Duel, card: int) -> bool:
    """KND-X-22"""
    return s.has_mark(card, GROUNDED)


def is_hiding(s: Duel, card: int) -> bool:
    """KND-X-23"""
    return s.has_mark(card, HIDING)


def is_stuck(s: Duel, card: int) -> bool:
    """KND-X-26: in the Reserve the mark does nothing."""
    return s.has_mark(card, STUCK) and s.active[s.owner(card)] == card


def is_protected(s: Duel, seat: int, card: int) -> bool:
    """KND-Y-16, KND-R-38: an opponent's card does not destroy a Pacifist."""
    return s.cards.type[card] == PACIFIST and s.owner(card) != seat


def no_basic_attacks(s: Duel) -> bool:
    """Snow Day: while it lies there, no player can declare a Basic Attack."""
    for seat in (0, 1):
        for card in s.specials[seat]:
            special = s.cards.special[card]
            if special is not None and special.does[0].do == "no-basic-attacks":
                return True
    return False
