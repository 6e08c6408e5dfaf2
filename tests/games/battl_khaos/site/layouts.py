"""Tables of Batt'l Kha'os laid out by hand, from the first turn to the last: Ann plays the orcs."""

from __future__ import annotations

from typing import Any

from rules.engine.match import Match as Table
from rules.testing import position

#: Position A of the rules specification: the cell east of the tower decides two corners.
RING = {
    "-1,-1": "f04o r2", "0,-1": "f27", "1,-1": "f05k r1",
    "-1,0": "f04k r1", "0,0": "t2k",
    "-1,1": "f06k r1", "0,1": "f28", "1,1": "f05o r2",
}  # fmt: skip
SEATS: list[dict[str, Any]] = [
    {"hand": ["f01k", "f30", "f19k"]},
    {"hand": ["f02o", "f03o", "f09k"]},
]

TOKENS = [
    "drums", "drums2", "leader", "banner", "halberd",
    "mage", "archer", "archer2", "giant", "catapult",
]  # fmt: skip


def opening() -> Table:
    """Only the first tower lies there."""
    return position("battl-khaos", "classic", seats=SEATS, board={"0,0": "t2k"}).match


def ring(mode: str = "classic") -> Table:
    """A tower that one tile decides."""
    return position("battl-khaos", mode, seats=SEATS, board=RING).match


def late() -> Table:
    """A board as large as one gets: nearly all tiles of the box, six towers."""
    board: dict[str, str] = {}
    towers = ["t2k", "t1o", "t3k", "t2o", "t4o", "t1k"]
    held = {name for seat in SEATS for name in seat["hand"]}
    pairs = [f"f{number:02}{side}" for number in range(1, 27) for side in "ok"]
    fields = [name for name in [*pairs, "f27", "f28", "f29", "f31", "f32"] if name not in held]
    for y in range(-3, 4):
        for x in range(-4, 5):
            if (x, y) in ((-3, -2), (0, 0), (3, -2), (-3, 2), (3, 2), (0, -3)):
                board[f"{x},{y}"] = towers.pop(0)
            elif fields and (x, y) not in ((1, 0), (4, 3), (-4, 3), (2, -2)):
                board[f"{x},{y}"] = f"{fields.pop(0)} r{(x * y) % 4}"
    board["-1,-1"] += " drums/O"
    board["1,1"] += " giant/K"
    return position("battl-khaos", "classic", seats=SEATS, board=board).match


def aiming() -> Table:
    """A Catapult that is to be aimed at one of many tiles."""
    seats = [{**SEATS[0], "tokens": ["catapult", "mage", "leader"]}, SEATS[1]]
    t = position("battl-khaos", "classic", seats=seats, board=RING)
    t.take("place f30", "cell 2,-1", "turn 0", "token catapult", by=0)
    return t.match


def drawing() -> Table:
    """A tile is placed: Ann draws from the row or the stack."""
    t = position("battl-khaos", "classic", seats=SEATS, board=RING)
    t.take("place f30", "cell 2,-1", "turn 0", "none", by=0)
    return t.match


def advanced() -> Table:
    """All ten tokens in hand, and no tower left."""
    seats = [{**SEATS[0], "tokens": TOKENS}, SEATS[1]]
    return position(
        "battl-khaos", "classic", advanced=True, seats=seats, board=RING, supply=[]
    ).match


TABLES: dict[str, Any] = {
    "opening": opening,
    "ring": ring,
    "late": late,
    "army": lambda: ring("army"),
    "warband": lambda: ring("warband"),
    "aiming": aiming,
    "advanced": advanced,
    "drawing": drawing,
}
