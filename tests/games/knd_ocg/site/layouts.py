"""Tables laid out by hand: Ann, in the first seat, is to move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.engine.match import Match as Table
from rules.testing import position

FULL_HAND = [
    "Commander Jigsaw", "Leader Energy", "Emergency Recess", "Called to the Office",
    "Bike Helmet", "Spy Energy", "Power of the KND",
]  # fmt: skip


def laid(ann: Mapping[str, Any], bob: Mapping[str, Any], **rest: Any) -> Table:
    return position("knd-ocg", "duel", seats=[ann, bob], **rest).match


def full_hand() -> Table:
    """More cards in hand than at the start, and an attack, an effect and Fleeing beside them."""
    ann = {"active": "Numbuh 1", "under active": ["L", "L"], "reserve-1": "Numbuh 3"}
    hand = [*FULL_HAND, "Numbuh 2", "Roll Call", "Snack Break"]
    return laid({**ann, "hand": hand}, {"active": "Trashcan-Lid Tess"})


def full() -> Table:
    """Both fields full, Energy, Gear and marks everywhere, a card that stays."""
    return laid(
        {
            "active": "Numbuh 1",
            "under active": ["L", "L", "N", "Bike Helmet"],
            "hp active": 30,
            "marks active": ["grounded", "stuck"],
            "reserve-1": "Sergeant Sprocket",
            "under reserve-1": ["L", "S", "A", "D", "N"],
            "reserve-2": "Mudball Mo",
            "under reserve-2": ["A", "A"],
            "reserve-3": "Milo the Mole",
            "hp reserve-3": 5,
            "reserve-4": "Numbuh 3",
            "under reserve-4": ["P", "P", "Walkie-Talkie"],
            "hand": FULL_HAND,
            "seen": ["Leader Energy"],
            "discard": ["Relay Rosa", "Leader Energy", "Roll Call"],
            "fallen": 3,
        },
        {
            "active": "Trashcan-Lid Tess",
            "under active": ["D", "D", "N"],
            "marks active": [["dp", -15], "+safe"],
            "reserve-1": "Numbuh 2",
            "under reserve-1": ["D", "D", "D"],
            "reserve-2": "Crossing Guard Gus",
            "reserve-3": "Numbuh 4",
            "under reserve-3": ["A"],
            "reserve-4": "Booby-Trap Boz",
            "hp reserve-4": 10,
            "reserve-5": "Bus-Stop Bruno",
            "specials": ["Blanket Fort"],
            "hand": ["Snack Break", "D", "D", "Roll Call"],
            "seen": ["Snack Break"],
            "discard": ["Trampoline Trish"],
            "removed": ["Recycling Bin"],
            "deck": 4,
            "fallen": 2,
        },
    )


def attacking() -> Table:
    """An ordinary turn: attacks ready, one that defeats, somebody to flee to, an effect."""
    return laid(
        {
            "active": "Numbuh 4",
            "under active": ["A", "A"],
            "reserve-1": "Milo the Mole",
            "reserve-2": "Slingshot Sadie",
            "under reserve-2": ["A"],
            "hand": ["A", "Pep Rally", "Relay Rosa"],
        },
        {"active": "Numbuh 1", "under active": ["L"], "hp active": 25, "reserve-1": "Numbuh 2"},
    )


def searching() -> Table:
    """Ann takes one of the Characters in her deck, or none."""
    deck = ["Milo the Mole", "Numbuh 5", "Numbuh 4", "Relay Rosa", *["L"] * 8, "Numbuh 2"]
    own = {"active": "Numbuh 1", "hand": ["Roll Call", *["A"] * 5], "deck": deck}
    table = laid(own, {"active": "Numbuh 1"})
    table.play(0, next(move for move in table.prompts[0].options if move.verb == "special"))
    return table


def calling() -> Table:
    """Ann names one of five opposing Characters in Reserve."""
    own = {"active": "Numbuh 1", "hand": ["Called to the Office", *["A"] * 4]}
    reserve = ["Trashcan-Lid Tess", "Sergeant Sprocket", "Quartermaster Quill"] * 2
    waiting = {f"reserve-{n}": name for n, name in enumerate(reserve[:5], 1)}
    table = laid(own, {"active": "Commander Jigsaw", **waiting})
    table.play(0, next(move for move in table.prompts[0].options if move.verb == "special"))
    return table


def nobody_active() -> Table:
    """Whoever ends this turn now has lost: the field is empty, a Character is in hand."""
    return laid(
        {"hand": ["Milo the Mole", "S", "S"], "fallen": 4},
        {"active": "Numbuh 5", "under active": ["S", "S"], "reserve-1": "Locker Lou"},
    )


def setting_up() -> Table:
    """Both place unseen; Bob’s first hand has no Character, so he has drawn anew."""
    spies = ["S", "S", "S", "S", "Tattletale", "Emergency Recess"]
    return laid(
        {"deck": ["Milo the Mole", "Numbuh 5", "S", "S", "Tattletale", "S", *["N"] * 14]},
        {"deck": [*spies, *["Relay Rosa"] * 14]},
        begin="setup",
    )


TABLES: dict[str, Callable[[], Table]] = {
    "full": full,
    "attacking": attacking,
    "nobody-active": nobody_active,
}
