"""The words that mean something on a card, explained for whoever reads the card."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: Each word as it stands on cards, with its forms, and what it means.
WORDS: Mapping[str, tuple[str, str]] = {
    "Strike": (
        r"Strike\b",
        "Compared like a Basic Attack: AP and what is added here against the target’s DP.",
    ),
    "Hit": (r"Hit\b", "The target loses so many HP, whatever its DP."),
    "Clash": (r"Clash\b", "Both attack each other at the same moment. Both can fall."),
    "Trick": (r"Trick:", "An attack without damage. It is your attack all the same."),
    "Cost": (r"Cost:", "Paid first. The other Energy that is needed stays where it lies."),
    "Then": (r"Then:", "Done after the damage, as far as it still can be."),
    "Of any type": (r"of any type", "Any Energy will do. Drawn as a grey N."),
    "Bypass": (r"Bypass\b", "Reaches Characters that are Hiding, and Safe does not help."),
    "Backlash": (
        r"[Bb]acklash",
        "What the attacker itself loses when its AP is below the target’s DP.",
    ),
    "Grounded": (r"Grounded", "Cannot attack. It can still flee."),
    "Hiding": (r"Hiding", "Cannot be attacked. Effects and Special Cards still reach it."),
    "Safe": (r"Safe\b(?!!)", "Attacks leave it at least 1 HP."),
    "Shushed": (r"Shushed", "Its Special Effect does not work."),
    "Stuck": (r"Stuck", "While Active, its own player cannot move it: no fleeing, no switch."),
    "Away": (
        r"Away\b",
        "Off the field with all it carries; it returns to the Reserve when its player’s next "
        "turn begins.",
    ),
    "Heal": (r"[Hh]eal\b", "Takes damage away, never above the printed HP."),
    "Defeated": (r"defeat", "HP brought to 0 by an attack. It counts for the Fallen tally."),
    "Destroyed": (
        r"[Dd]estroy",
        "Put into the discard pile by a card. It does not count for the Fallen tally.",
    ),
    "Gear": (r"Gear\b", "Lies under a Character for good; each can carry one."),
    "Until your next turn": (
        r"until your next turn",
        "Ends when the next turn of whoever used it begins, before the draw.",
    ),
}
ONCE = "You may play only one card of this name in a turn."
STAYS = "Lies in the Special Card area and works there until your next turn begins."
REMOVED = "It takes no further part in the match."


def explained(text: str, flag: str = "") -> tuple[tuple[str, str], ...]:
    """The words of a card's text and what they mean, in the order of the glossary."""
    found = [(word, meaning) for word, (form, meaning) in WORDS.items() if re.search(form, text)]
    flags = {
        "once": ("Once a turn", ONCE),
        "stays": ("Stays", STAYS),
        "removed": ("Removed", REMOVED),
    }
    return (*found, flags[flag]) if flag in flags else tuple(found)
