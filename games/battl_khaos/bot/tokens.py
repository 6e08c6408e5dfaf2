"""What a token gains, played or removed, tried on the bot's own table."""

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
    """What is lost by using a token: the less, the nearer the end."""
    muster = catalog()[sight.s.cards.slugs[token]]["muster"]
    return float(A_TOKEN * sight.left * muster / USUAL_MUSTER)


def played(sight: Sight, token: int, cell: int) -> float:
    """What a token gains on the tile of a cell, or where it would lie."""
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
    found = sight.gain(cell)
    del s.tokens[cell]
    return found


def foreseen(sight: Sight, token: int, cell: int, bare: float) -> float:
    """What a token adds to a tile that is about to be placed there, at a glance."""
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
    """What a second tile gains that completes a tower."""
    s = sight.s
    own = [card for card in s.held(sight.seat) if card != sight.laying]
    before = sight.changed()
    found = 0.0
    for cell in _gaps(sight) & set(legal_cells(s, sight.seat)):
        for card in own:
            found = max(found, sight.best_in(card, cell) - before)
    return found


def guarded(sight: Sight, cell: int) -> float:
    """What it gains that the enemy cannot complete a tower beside a Halberd there."""
    sight.guard = cell
    found = sight.changed()
    sight.guard = NONE
    return found


def reserved(sight: Sight, token: int, cell: int) -> float:
    """What a Wizard or Shaman gains on a cell."""
    ground = sight.s.ground
    ground[cell] = token
    found = sight.gain(cell)
    del ground[cell]
    return found


def stripped(sight: Sight, cell: int) -> float:
    """What it gains that the token on a cell goes."""
    tokens = sight.s.tokens
    token = tokens.pop(cell)
    found = sight.gain(cell)
    tokens[cell] = token
    return found


def cell_of(sight: Sight, token: int) -> int:
    """The cell of a token on a tile; ``NONE`` where it lies on none."""
    return next((cell for cell, lies in sight.s.tokens.items() if lies == token), NONE)
