"""Full tables of every mode and every number of seats, laid out by hand: Ann is to move."""

from __future__ import annotations

from typing import Any

from rules.engine.match import Match as Table
from rules.testing import position
from tests.games.kaolan.table import names, power_seat, seat, tournament_seat

BOARDS = (
    ("red Claw [r2, g5, r8, b11 | Keen Eye]", "red Flame [r4, r9]", "green Claw [g3]", ""),
    (
        "blue Claw [b2, b5, r7 | Twin Fangs]",
        "blue Flame [b3]",
        "blue Stinger [b6, b8]",
        "green Flame",
    ),
    (
        "green Diamondback [g2, g8 | Shadow Step]",
        "green Stinger [g4]",
        "green Starmaster",
        "red Stinger [r3]",
    ),
    ("blue Diamondback [b7, b9, b10]", "red Diamondback [r10]", "blue Starmaster [g6]", ""),
)
OWN = ("red Claw [r2, g5, r8, b11 | Keen Eye]", "red Flame [r4, r9]", "green Claw [g3]")
HAND = "red Starmaster, g12, Deep Reserves, Power Surge"


def match_play(seats: int) -> Table:
    boards = [seat(*board, hand=HAND if n == 0 else "") for n, board in enumerate(BOARDS[:seats])]
    discard = names("Sabotage, r12")
    return position("kaolan", "match", seats=boards, discard=discard).match


def passed() -> Table:
    """Ann has passed and drawn: she discards one of five."""
    table = match_play(2)
    table.play(0, next(move for move in table.prompts[0].options if move.verb == "pass"))
    return table


def tournament(seats: int) -> Table:
    piles = {"draw": "b2, b3, b4", "discard": "r5, Ambush", "prize": "blue Flame"}
    boards = [
        tournament_seat(*OWN, pledged=n == 2, hand=HAND if n == 0 else "r6, r7", **piles)
        for n in range(seats)
    ]
    return position("kaolan", "tournament", seats=boards).match


def escaping() -> Table:
    """A Challenge of Tournament Play in which Ann may throw once more."""
    piles = {"draw": "b2, b3, b4", "discard": ", ".join(["r5"] * 21), "prize": "blue Flame"}
    ann = tournament_seat("blue Claw [b8, b9 | Second Wind]", *OWN[1:], hand=HAND, **piles)
    bob = tournament_seat(*OWN, hand="r6, r7", **piles)
    table = position("kaolan", "tournament", seats=[ann, bob], turn=1, dice=[3, (6, 6)]).match
    table.play(1, next(move for move in table.prompts[1].options if move.verb == "challenge"))
    return table


def power_play() -> Table:
    ann = power_seat(
        "red Claw [r2, g5, r8 | Keen Eye]",
        "red Flame [r4, r9]",
        "green Stinger [g3]",
        "green Starmaster [g6]",
        hand="red Starmaster, g12, Deep Reserves, Power Surge",
    )
    two = power_seat(
        "blue Claw [b2, b5 | Twin Fangs]",
        "blue Flame [b3]",
        "blue Stinger [b6, b8]",
        "blue Diamondback [b9]",
        "blue Starmaster [b10]",
    )
    return position("kaolan", "power", seats=[ann, two], discard=names("Sabotage")).match


def single_play() -> Table:
    return position("kaolan", "single", **SINGLE).match


SINGLE: dict[str, Any] = {
    "piles": [names(pile) for pile in ("r2, r3, r4", "blue Flame, b3", "green Claw, g3", "b7, b8")],
    "waste": names("r8, g5, b11, red Flame"),
    "own": "red Claw",
    "under": names("r2, r7, b9"),
}

TABLES: dict[str, Any] = {
    **{f"match-{n}": lambda n=n: match_play(n) for n in (2, 3, 4)},
    **{f"tournament-{n}": lambda n=n: tournament(n) for n in range(2, 9)},
    "power-2": power_play,
    "single-1": single_play,
}

SCROLLS = {"power-2-sideways": 0.5}
