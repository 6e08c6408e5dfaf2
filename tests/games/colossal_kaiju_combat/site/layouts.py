"""Full tables of every number of seats, laid out by hand: Ann is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.engine.match import Match as Table
from rules.testing import position

TEAMS = ("starter-deep", "starter-ember", "starter-iron", "starter-storm", "starter-skin")
FIRST = ("maelgrath", "pyroklast", "bastion-prime", "tempestra", "evo-eira")
ALLIES = ("tidecaller-cult", "ashling-brood", "drone-swarm", "storm-hawk", "hired-strider")
HAND = ("snap-bite", "bone-crusher", "plated-guard", "siphon-bite", "tail-trip")
PLANS = ("harbor-docks", "hardened-hide", "taunt", "feeding-grounds", "drone-swarm")
CITY = (
    ("harbor-docks", 0, 2),
    ("tank-column", 1),
    ("office-complex", 1),
    ("battleship", 0, 3),
    ("oil-refinery", 1),
)


def team(seat: int, **more: Any) -> dict[str, Any]:
    first = FIRST[seat]
    return {
        "team": TEAMS[seat],
        "allies": [ALLIES[seat]],
        "chosen": first,
        "damage": {first: 3 + seat},
        "scars": {first: ["hardened-hide"]},
        "hand": list(HAND),
        "plans": list(PLANS),
        "discard": ["brace", "gore"],
        "fury": 4 + seat,
        **more,
    }


def laid(seats: int, mode: str = "standard", **more: Any) -> Any:
    rows = [team(seat) for seat in range(seats)]
    city = CITY
    if mode == "basic":
        city = ()
        for row in rows:
            row["plans"], row["allies"], row["scars"] = [], [], {}
    return position("colossal-kaiju-combat", mode, seats=rows, city=city, acting=[0], **more)


def action(seats: int, mode: str = "standard") -> Table:
    """Ann has her action before her: everything on the table is a target."""
    return laid(seats, mode).match


def exchange(seats: int, mode: str = "standard") -> Table:
    """Ann has attacked, Bob has answered and passed; she is Sword again, the sums before her."""
    table = laid(seats, mode)
    table.take("attack pyroklast", by=0)
    _lay(table, 0, "snap-bite")
    _lay(table, 1, "plated-guard")
    return table.take("done", by=1).match


def answering(seats: int) -> Table:
    """Bob's card lies face down before Ann."""
    table = laid(seats)
    table.take("attack pyroklast", by=0)
    _lay(table, 0, "snap-bite")
    _lay(table, 1, "plated-guard")
    _lay(table, 1, "snap-bite")
    return table.match


def team_fight() -> Table:
    """Ann's Wolf Pack brings a second kaiju in: she chooses who lays a card."""
    rows = [team(0, plans=["wolf-pack"]), team(1)]
    table = position("colossal-kaiju-combat", "standard", seats=rows, city=CITY, acting=[0])
    table.take("attack pyroklast", by=0).take("play wolf-pack", by=0).take("join pelagor", by=0)
    return table.match


def _lay(table: Any, seat: int, card: str) -> None:
    """Pass over what is asked before, such as a Rage Attack."""
    while seat not in table.match.prompts or not any(
        option.verb == "pay" for option in table.match.prompts[seat].options
    ):
        other = next(iter(table.match.prompts))
        table.take("no", by=other)
    table.take(f"pay {card}", by=seat)


def planning(seats: int) -> Table:
    """Ann may play planning cards."""
    rows = [team(seat, **({} if seat == 0 else {"plans": []})) for seat in range(seats)]
    for row in rows:
        del row["chosen"]
    return position(
        "colossal-kaiju-combat", "standard", seats=rows, city=CITY, phase="planning"
    ).match


TABLES: Mapping[str, Callable[[], Table]] = {
    **{f"action-{n}": lambda n=n: action(n) for n in range(2, 6)},
    **{f"exchange-{n}": lambda n=n: exchange(n) for n in (2, 5)},
    "answering-4": lambda: answering(4),
    "team-fight-2": team_fight,
    "planning-3": lambda: planning(3),
    "basic-2": lambda: exchange(2, "basic"),
}
