"""Somebody gives up (CKC-R-49)."""

from __future__ import annotations

from games.colossal_kaiju_combat import events
from games.colossal_kaiju_combat.rules.combat import end_combat
from games.colossal_kaiju_combat.rules.damage import (
    leave_city,
    lose_scars,
    remove_character,
)
from games.colossal_kaiju_combat.rules.glory import check_standing
from games.colossal_kaiju_combat.rules.planning import put_away
from games.colossal_kaiju_combat.state import Kaiju


def concede(s: Kaiju, seat: int) -> None:
    """The characters leave the match with no glory; a combat they were in ends at once."""
    s.tell(events.RESIGNED, seat)
    fights = s.combat is not None and seat in s.combat.seats() and s.combat.stage != "end"
    for character in s.rows[seat]:
        lose_scars(s, character)
        leave_city(s, character)
        remove_character(s, character)
        s.removed.append(character)
    for character in [aside for aside in s.set_aside if s.owner(aside) == seat]:
        s.set_aside.remove(character)
        s.removed.append(character)
    s.planning_hands[seat] += [card for card in s.dropped if s.owner(card) == seat]
    s.dropped = [card for card in s.dropped if s.owner(card) != seat]
    if fights:
        break_off(s)
    check_standing(s)


def break_off(s: Kaiju) -> None:
    """Cards still face down go unrevealed to the discard, reserved costs are not spent."""
    combat = s.combat
    assert combat is not None
    for cards in (combat.swords, combat.shields):
        for card in cards:
            s.buried.append(card)
            s.tell(events.BURIED, s.owner(card), (card,))
        cards.clear()
    combat.sword_plans.clear()
    combat.shield_plans.clear()
    for fighting in combat.seats():
        s.prompts.pop(fighting, None)
    played = []
    while s.stack[-1][0] != end_combat.name:
        frame = s.stack.pop()
        if frame[0] == put_away.name:  # an Event that was being played is still put away
            played.append(frame)
    s.stack += played
