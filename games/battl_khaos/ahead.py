"""Prompts of Batt'l Kha'os that may be answered ahead: a turn (section 5).

The game asks nobody out of turn (BKH-R-31 and section 5: one prompt at a time, always to the active
seat), so that a plan is for one's own next turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.battl_khaos.grid import at, beside, xy
from games.battl_khaos.moves import (
    CELL,
    DRAW,
    NO_TOKEN,
    PLACE,
    STACK,
    TOKEN,
    TURN,
    TURNS,
    name_for,
    words_of,
)
from games.battl_khaos.rules.placement import place_cell, place_rotation, place_tile, play_token
from games.battl_khaos.rules.turn import draw_tile
from games.battl_khaos.state import SIDE_OF, catalog
from rules.engine.ahead import Ahead, Choice, Condition, Sight, at_least

SCORES: Final = (10, 15, 20, 25)
"""Points that a condition on the other side's score may name."""

OWNERS: Final = {"own": "you control", "other": "your opponent controls", "none": "no one controls"}


def board_and_row(sight: Sight) -> list[Condition]:
    """Who controls which tower, what lies in the row, and the other side's score."""
    side, result = sight.own["side"], []
    for lies in sight.view["board"]:
        tower = lies["tower"]
        if tower is None:
            continue
        owner = {None: "none", side: "own"}.get(tower["owner"], "other")
        where = f"{sight.name(lies['tile'])} ({words_of(lies['x'], lies['y'])})"
        result += [
            Condition(f"tower-{lies['tile']['id']}-{key}", f"{words} {where}", key == owner)
            for key, words in OWNERS.items()
        ]
    row = {card["slug"]: sight.name(card) for card in sight.view["row"] if card is not None}
    result += [
        Condition(f"row-{slug}", f"{title} is in the row", True) for slug, title in row.items()
    ]
    other = sight.players[1 - sight.seat]
    return [
        *result,
        *at_least("score", "your opponent has at least {n} points", other["score"], SCORES),
    ]


def tiles_and_towers(sight: Sight) -> list[Choice]:
    """The tiles in hand, and one tower of each kind in the supply."""
    towers = {
        card["slug"]: card for card in sorted(sight.view["supply"], key=_number, reverse=True)
    }
    return [
        *[_place(sight, card) for card in sight.own["hand"]["cards"]],
        *(_place(sight, card) for _slug, card in sorted(towers.items())),
    ]


def _number(card: Mapping[str, Any]) -> int:
    number: int = card["id"]
    return number


def _place(sight: Sight, card: Mapping[str, Any]) -> Choice:
    return Choice(f"place-{card['id']}", f"place {sight.name(card)}", PLACE[card["id"]])


def cells(sight: Sight) -> list[Choice]:
    """Every empty cell beside a tile."""
    taken = {at(lies["x"], lies["y"]) for lies in sight.view["board"] if lies["tile"] is not None}
    free = sorted({place for tile in taken for place in beside(tile)} - taken)
    return [
        Choice(f"cell-{x},{y}", f"on the space {words_of(x, y)}", CELL[number])
        for number in free
        for x, y in (xy(number),)
    ]


def quarter_turns(_sight: Sight) -> list[Choice]:
    """BKH-T-06."""
    return [
        Choice(f"turn-{number}", words[0].lower() + words[1:], TURN[number])
        for number, words in enumerate(TURNS)
    ]


def tokens(sight: Sight) -> list[Choice]:
    """The tokens in the supply, and none."""
    side = SIDE_OF[sight.own["side"]]
    named = [
        Choice(
            f"token-{token['id']}",
            f"with {name_for(catalog()[token['slug']], side)}",
            TOKEN[token["id"]],
        )
        for token in sight.own["tokens"]
    ]
    return [Choice("none", "without a token", NO_TOKEN), *named]


def draws(sight: Sight) -> list[Choice]:
    """The stack and the row."""
    row = [
        Choice(f"row-{card['id']}", f"draw {sight.name(card)} from the row", DRAW[card["id"]])
        for card in sight.view["row"]
        if card is not None
    ]
    return [Choice("stack", "draw from the stack", STACK), *row]


def turn_number(sight: Sight) -> int:
    """The turn that runs."""
    number: int = sight.view["turn"]
    return number


AHEAD: Final[Mapping[str, Ahead]] = {
    place_tile.name: Ahead(
        "at your next turn",
        tiles_and_towers,
        board_and_row,
        then=(place_cell.name, place_rotation.name, play_token.name, draw_tile.name),
        turn=turn_number,
    ),
    place_cell.name: Ahead("when you place it", cells, leads=False),
    place_rotation.name: Ahead("when you turn it", quarter_turns, leads=False),
    play_token.name: Ahead("when you may play a token", tokens, leads=False),
    draw_tile.name: Ahead("when you draw", draws, leads=False),
}
