"""Why a piece beside the board cannot be played now, in a sentence and with its rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from games.battl_khaos.control import is_near
from games.battl_khaos.rules.placing import CATAPULT, MAGE, STONES, for_towers, legal_cells
from games.battl_khaos.state import NONE, Khaos
from rules.engine.moves import Move
from rules.engine.prompts import why_not

Reason = tuple[str, str]
"""A sentence, and the rule that says so."""

IN_THE_ROW: Final = (
    "A tile of the row is drawn into the hand before it is placed.",
    "BKH-R-03",
)
WITH_A_TILE: Final = ("A token is played with a tile of your hand, as it is placed.", "BKH-P-01")
ALL_TOO_NEAR: Final = ("Every open place is too near to another tower.", "BKH-T-05")
TWIN: Final = ("The same tower lies beside it: place that one.", "BKH-R-38")
NOT_DRAWN: Final = ("Towers are placed from here; none is drawn into the hand.", "BKH-T-02")
TOWER_LATER: Final = ("A tower can be placed when you choose what to place.", "BKH-T-02")
ON_A_CATAPULT: Final = ("A Catapult lies under this tile, which takes no token.", "BKH-P-25")
NEAR_STONES: Final = ("A Stone Circle is near: no token may be put here.", "BKH-X-10")
NO_CELL: Final = ("No empty place near this tile may be kept.", "BKH-P-17")
NO_TARGET: Final = ("There is no tile that the Catapult may hit.", "BKH-R-20")


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
    return TWIN if for_towers(s, legal_cells(s, seat)) else ALL_TOO_NEAR


def _no_token(s: Khaos, token: int, cell: int) -> Reason:
    """Why a token has no legal place after a tile on this cell."""
    effect = s.cards.effect[token]
    if effect == MAGE:
        return NO_CELL
    if effect == CATAPULT:
        return NO_TARGET
    return NEAR_STONES if is_near(s, cell, STONES) else ON_A_CATAPULT
