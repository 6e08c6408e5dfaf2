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


def _go(table: Any, seat: int, *moves: str) -> None:
    """The seat's moves; what anybody is asked in between is declined."""
    match: Table = table.match
    for text in moves:
        while text not in _offered(match, seat):
            other = next(iter(match.prompts))
            offered = _offered(match, other)
            match.play(other, next(offered[word] for word in QUIET if word in offered))
        match.play(seat, _offered(match, seat)[text])


QUIET = ("no", "move 0", "none", "done")


def _offered(match: Table, seat: int) -> dict[str, Any]:
    """The options of a seat by words such as ``pay snap-bite``; none if it is not asked."""
    slugs = match.state.cards.slugs  # type: ignore[attr-defined]
    return {
        match.notation(move) if move.card is None else f"{move.verb} {slugs[move.card]}": move
        for move in (match.prompts[seat].options if seat in match.prompts else ())
    }


def planning(seats: int) -> Table:
    """Ann may play planning cards."""
    rows = [team(seat, **({} if seat == 0 else {"plans": []})) for seat in range(seats)]
    for row in rows:
        del row["chosen"]
    return position(
        "colossal-kaiju-combat", "standard", seats=rows, city=CITY, phase="planning"
    ).match


def start(seats: int) -> Table:
    """The first planning of a match: nothing stands in the city yet, Ann is first to play."""
    plans = ["suspension-bridge", *PLANS[1:]]
    rows = [
        team(seat, allies=[], damage={}, scars={}, fury=0, plans=plans) for seat in range(seats)
    ]
    for row in rows:
        del row["chosen"]
    table = position("colossal-kaiju-combat", "standard", seats=rows, phase="planning")
    while 0 not in table.match.prompts:
        table.take("pass", by=next(iter(table.match.prompts)))
    return table.match


def full_city() -> Table:
    """Eight city cards, with long names among them."""
    long = ("guardian-mech", "nuclear-power-plant", "suspension-bridge")
    slugs = (*long, "tank-column", "battleship")
    city = [*((slug, 1, 1) for slug in slugs), *((slug, 0) for slug in slugs[1:4])]
    rows = [team(0), team(1)]
    return position("colossal-kaiju-combat", "standard", seats=rows, city=city, acting=[0]).match


def big_team_fight() -> Any:
    """Three characters on both sides: two of Ann's have laid a card, she is asked for the third."""
    rows = [
        team(0, plans=["wolf-pack", "wolf-pack"], hand=[*HAND, "straight-jab", "brace"]),
        team(1, plans=["to-the-rescue"], hand=[*HAND, "trade-blows"]),
    ]
    table = position("colossal-kaiju-combat", "standard", seats=rows, city=CITY, acting=[0])
    table.take("attack pyroklast", by=0)
    _go(table, 0, "play wolf-pack", "join pelagor", "play wolf-pack", "join coralisk")
    _go(table, 1, "play to-the-rescue", "join magmaul", "join obsidrake")
    _go(table, 0, "fighter maelgrath", "pay snap-bite", "target pyroklast")
    _go(table, 0, "fighter coralisk", "pay siphon-bite", "target magmaul")
    return table


def big_exchange() -> Table:
    """Three Sword cards and two answers are revealed, and Ann is asked again."""
    table = big_team_fight()
    _go(table, 0, "pay straight-jab", "target obsidrake")
    _go(table, 1, "pay plated-guard", "none", "pay trade-blows", "done")
    while 0 not in table.match.prompts:
        table.take("no", by=1)
    return table.match


def after_a_fight() -> Table:
    """Bob's fight is over, Ann is next: both fighters are in the city, the sums still there."""
    table = position(
        "colossal-kaiju-combat", "standard", seats=[team(0), team(1)], city=CITY, acting=[1, 0]
    )
    table.take("attack maelgrath", by=1)
    _go(table, 1, "pay snap-bite")
    _go(table, 0, "pay plated-guard")
    while "roar" not in _offered(table.match, 0):
        other = next(iter(table.match.prompts))
        offered = _offered(table.match, other)
        table.match.play(other, next(offered[word] for word in QUIET if word in offered))
    return table.match


def rampage() -> Table:
    """Ann's Maelgrath rampages; the city has struck back."""
    table = laid(3)
    table.take("rampage", by=0)
    _lay(table, 0, "snap-bite")
    _go(table, 0, "none")
    return table.match


def over() -> Table:
    """Bob has conceded."""
    table = action(2)
    table.concede(1)
    return table


TABLES: Mapping[str, Callable[[], Table]] = {
    "action-2": lambda: action(2),
    "action-5": lambda: action(5),
    "exchange-2": lambda: exchange(2),
    "exchange-5": lambda: exchange(5),
    "answering-4": lambda: answering(4),
    "team-fight-2": team_fight,
    "planning-3": lambda: planning(3),
    "basic-2": lambda: exchange(2, "basic"),
}
"""Those of which everything is in reach on every screen."""

SCENES: Mapping[str, Callable[[], Table]] = {
    "start-5": lambda: start(5),
    "action-5": lambda: action(5),
    "city-2": full_city,
    "exchange-2": lambda: exchange(2),
    "exchange-5": lambda: exchange(5),
    "answering-4": lambda: answering(4),
    "after-2": after_a_fight,
    "rampage-3": rampage,
    "big-fight-2": lambda: big_team_fight().match,
    "big-exchange-2": big_exchange,
    "basic-2": lambda: exchange(2, "basic"),
    "over-2": over,
}
"""From the start of a match to its end, for the boxes of what stands on the table."""
