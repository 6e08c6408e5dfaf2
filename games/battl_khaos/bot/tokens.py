"""The gain of playing or removing a token, tried on the bot's own table."""

from __future__ import annotations

from typing import Final

from games.battl_khaos.bot.completion import gap_of
from games.battl_khaos.bot.sight import Sight
from games.battl_khaos.control import tower_at
from games.battl_khaos.grid import NEAR
from games.battl_khaos.rules.placing import in_range, legal_cells, reservable
from games.battl_khaos.state import NONE, catalog

A_TOKEN: Final = 3.0
"""A token of usual muster, kept for a tower; less as the stack runs out."""

USUAL_MUSTER: Final = 2.4


def price(sight: Sight, token: int) -> float:
    """The value of keeping a token; it falls towards the end of the match."""
    muster = catalog()[sight.s.cards.slugs[token]]["muster"]
    return float(A_TOKEN * sight.left * muster / USUAL_MUSTER)


def played(sight: Sight, token: int, cell: int) -> float:
    """The gain of a token played with the tile on a cell."""
    s = sight.s
    match s.cards.effect[token]:
        case "banner":
            return max((sight.best(card, cells) for card, cells in sight.choices()), default=0.0)
        case "halberd":
            return guarded(sight, cell)
        case "mage":
            return max(reserved(sight, token, near) for near in reservable(s, cell))
        case "catapult":
            return max(sight.removed(target) for target in in_range(s, cell))
    s.tokens[cell] = token
    gain = sight.gain(cell)
    del s.tokens[cell]
    return gain


def foreseen(sight: Sight, token: int, cell: int, bare: float) -> float:
    """A quick estimate of a token's gain with a tile that is about to be placed."""
    s = sight.s
    match s.cards.effect[token]:
        case "banner":
            return _finished(sight)
        case "halberd":
            return guarded(sight, cell) - bare
        case "mage":
            own = [gap for gap in _gaps(sight) if gap - cell in NEAR and gap not in s.ground]
            return max((reserved(sight, token, gap) for gap in own), default=bare) - bare
        case "catapult":
            return 0.0
    return played(sight, token, cell) - bare


def _gaps(sight: Sight) -> set[int]:
    """The last empty cells of towers."""
    gaps = (gap_of(sight.s, cell, tower_at(sight.s, cell)) for cell in sight.towers)
    return {gap.cell for gap in gaps if gap is not None}


def _finished(sight: Sight) -> float:
    """The gain of a second tile that completes a tower."""
    s = sight.s
    own = [card for card in s.held(sight.seat) if card != sight.laying]
    before = sight.changed()
    best = 0.0
    for cell in _gaps(sight) & set(legal_cells(s, sight.seat)):
        for card in own:
            best = max(best, sight.best_in(card, cell) - before)
    return best


def guarded(sight: Sight, cell: int) -> float:
    """The gain of keeping the enemy from towers near a Halberd on this cell."""
    sight.guard = cell
    gain = sight.changed()
    sight.guard = NONE
    return gain


def reserved(sight: Sight, token: int, cell: int) -> float:
    """The gain of a Wizard or Shaman on a cell."""
    ground = sight.s.ground
    ground[cell] = token
    gain = sight.gain(cell)
    del ground[cell]
    return gain


def stripped(sight: Sight, cell: int) -> float:
    """The gain of removing the token on a cell."""
    tokens = sight.s.tokens
    token = tokens.pop(cell)
    gain = sight.gain(cell)
    tokens[cell] = token
    return gain


def cell_of(sight: Sight, token: int) -> int:
    """The cell of a token on a tile; ``NONE`` where it lies on none."""
    return next((cell for cell, lies in sight.s.tokens.items() if lies == token), NONE)
