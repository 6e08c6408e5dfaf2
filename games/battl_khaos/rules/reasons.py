"""Why a piece beside the board cannot be played now, in a sentence and with its rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from games.battl_khaos.control import is_near
from games.battl_khaos.rules.placing import CATAPULT, MAGE, STONES, any_for_towers, legal_cells
from games.battl_khaos.state import NONE, Khaos
from rules.engine.moves import Move
from rules.engine.prompts import why_not

Reason = tuple[str, str]
"""A sentence, and the rule that says so."""

IN_THE_ROW: Final = (
    "Draw a tile from the row before you place it.",
    "BKH-R-03",
)
WITH_A_TILE: Final = ("Play a token together with a tile from your hand.", "BKH-P-01")
ALL_TOO_NEAR: Final = ("Every open space is too close to another tower.", "BKH-T-05")
TWIN: Final = ("Choose the identical tower beside it.", "BKH-R-38")
NOT_DRAWN: Final = ("Towers are placed, never drawn.", "BKH-T-02")
TOWER_LATER: Final = ("You can place a tower when you choose a tile to place.", "BKH-T-02")
ON_A_CATAPULT: Final = ("A Catapult lies under this tile: it cannot carry a token.", "BKH-P-25")
NEAR_STONES: Final = ("A Stone Circle is near: no token can be placed here.", "BKH-X-10")
NO_CELL: Final = ("No empty space near this tile can be reserved.", "BKH-P-17")
NO_TARGET: Final = ("The Catapult can hit none of the tiles in play.", "BKH-R-20")


def idle(s: Khaos, seat: int, options: Iterable[Move], cell: int = NONE) -> list[dict[str, Any]]:
    """The reasons of all that lies beside the board and is none of the options.

    ``cell``: where the tile lies with which a token may be played.
    """
    offered = {move.card for move in options}
    verbs = {move.verb for move in options}
    return [
        why_not(card, *reason)
        for card, reason in _reasons(s, seat, verbs, cell)
        if card not in offered
    ]


def _reasons(s: Khaos, seat: int, verbs: set[str], cell: int) -> Iterator[tuple[int, Reason]]:
    if "place" in verbs:
        reason = _no_tower(s, seat)
        yield from ((tower, reason) for tower in s.supply)
    else:
        yield from ((tower, NOT_DRAWN if "draw" in verbs else TOWER_LATER) for tower in s.supply)
    yield from ((card, IN_THE_ROW) for card in s.row if card != NONE)
    for token in s.ready[seat]:
        yield token, WITH_A_TILE if cell == NONE else _no_token(s, token, cell)


def _no_tower(s: Khaos, seat: int) -> Reason:
    return TWIN if any_for_towers(s, legal_cells(s, seat)) else ALL_TOO_NEAR


def _no_token(s: Khaos, token: int, cell: int) -> Reason:
    """Why a token has no legal place after a tile on this cell."""
    effect = s.cards.effect[token]
    if effect == MAGE:
        return NO_CELL
    if effect == CATAPULT:
        return NO_TARGET
    return NEAR_STONES if is_near(s, cell, STONES) else ON_A_CATAPULT
