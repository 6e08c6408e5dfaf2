"""Views: the part of a match that a seat may see (section 4).

A view lists what a seat may see; it never strips what it may not. Everything but the stack and the
hands lies open; control is worked out for the board as it lies (BKH-R-08).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from games.battl_khaos.control import Corner, Tower, is_near, shown, totals, towers
from games.battl_khaos.grid import xy
from games.battl_khaos.rules.placing import legal_cells
from games.battl_khaos.state import NONE, NOT_ONE, SIDES, Khaos, Look
from rules.engine.redeal import ALL_ALIKE, Redeal

REDEAL: Final[Redeal] = ALL_ALIKE
"""Any hidden tile may be any other; those from the row are known and stay (BKH-R-32)."""

CORNER_RESULTS: Final[Mapping[int, str]] = {**SIDES, NOT_ONE: "N"}


def view(s: Khaos, seat: int | None) -> dict[str, Any]:
    """The table as ``seat`` (None: a spectator) sees it."""
    all_towers = towers(s)
    return {
        "turn": s.turns,
        "active": None if s.outcome else s.turn,
        "target": s.target,
        "passes": s.passes,
        "stack": len(s.pile),
        "row": [None if card == NONE else _piece(s, card) for card in s.row],
        "supply": [_piece(s, card) for card in s.supply],
        "bounds": _bounds(s),
        "halberd": _halberd(s),
        "hit": None if s.hit == NONE else _cell(s.hit),
        "last": [_cell(cell) for cell in s.last],
        "discards": [_piece(s, card) for card in s.discards],
        "unseen": _unseen(s, seat),
        "board": [_lies(s, cell, all_towers) for cell in sorted(s.tiles.keys() | s.ground.keys())],
        "players": [_player(s, other, seat, all_towers) for other in (0, 1)],
    }


def _piece(s: Khaos, card: int) -> dict[str, Any]:
    return {"id": card, "slug": s.cards.slugs[card]}


def _cell(cell: int) -> dict[str, int]:
    x, y = xy(cell)
    return {"x": x, "y": y}


def _bounds(s: Khaos) -> dict[str, int]:
    """Section 8: all cells listed, all that are legal to the active seat, and one more ring."""
    cells = {*s.tiles, *s.ground, *legal_cells(s, s.turn)}
    xs, ys = zip(*map(xy, cells), strict=True)
    return {
        "left": min(xs) - 1,
        "top": min(ys) - 1,
        "right": max(xs) + 1,
        "bottom": max(ys) + 1,
    }


def _halberd(s: Khaos) -> dict[str, int] | None:
    """BKH-P-15: the live one, and whose it is."""
    cell = s.halberds[1 - s.turn]
    return None if cell == NONE else {**_cell(cell), "seat": 1 - s.turn}


def _unseen(s: Khaos, seat: int | None) -> dict[str, int]:
    """BKH-R-32: the pool's list is public; what of it has not come into the reader's sight."""
    hidden = list(s.pile)
    for other in (0, 1):
        if other != seat:
            hidden.extend(card for card in s.held(other) if not s.knows(seat, card))
    return dict(Counter(s.cards.slugs[card] for card in sorted(hidden)))


def _lies(s: Khaos, cell: int, all_towers: Mapping[int, Tower]) -> dict[str, Any]:
    lies = s.tiles.get(cell)
    tower = all_towers.get(cell)
    return {
        **_cell(cell),
        "tile": None if lies is None else _piece(s, lies >> 2),
        "rotation": 0 if lies is None else lies & 3,
        "corners": [None] * 4 if lies is None else _units(s.cards.looks[lies], shown(s, cell)),
        "token": _token(s, s.tokens.get(cell)),
        "ground": _token(s, s.ground.get(cell)),
        "tower": None if tower is None else _tower(s, cell, tower),
    }


def _units(printed: Look, counting: Look) -> list[dict[str, Any] | None]:
    """Printed and effective strength, NW, NE, SE, SW."""
    return [
        {"side": SIDES[1 if unit > 0 else -1], "printed": abs(unit), "strength": abs(strength)}
        if unit
        else None
        for unit, strength in zip(printed, counting, strict=True)
    ]


def _token(s: Khaos, token: int | None) -> dict[str, Any] | None:
    return None if token is None else {**_piece(s, token), "seat": s.owner(token)}


def _tower(s: Khaos, cell: int, tower: Tower) -> dict[str, Any]:
    card = s.tile(cell)
    return {
        "value": tower.value,
        "printed": s.cards.value[card],
        "temple": is_near(s, cell, "temple"),
        "flag": SIDES[s.cards.flag[card]],
        "owner": SIDES.get(tower.owner),
        "corners": [_corner(corner) for corner in tower.corners],
    }


def _corner(corner: Corner) -> dict[str, Any]:
    return {
        "result": None if corner.missing else CORNER_RESULTS[corner.winner],
        "orcs": corner.orcs,
        "knights": corner.knights,
        "missing": corner.missing,
    }


def _player(
    s: Khaos, other: int, seat: int | None, all_towers: Mapping[int, Tower]
) -> dict[str, Any]:
    side = s.side(other)
    has = totals(all_towers.values(), side)
    return {
        "seat": other,
        "side": SIDES[side],
        "score": has.score,
        "towers": has.towers,
        "hand": {
            "count": len(s.held(other)),
            "cards": [
                {**_piece(s, card), "slot": slot, "known": s.knows(None, card)}
                for slot, card in enumerate(s.hands[other])
                if card != NONE and (other == seat or s.knows(seat, card))
            ],
        },
        "tokens": [_piece(s, token) for token in s.ready[other]],
        "discarded": [_piece(s, token) for token in s.spent[other]],
    }
