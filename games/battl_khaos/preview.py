"""The outcome of an option for the player who is about to choose: sums, owners, scores.

Nothing goes into it but the board and the tile that the asked seat has picked, so nothing secret
can show. It speaks of the board as it would lie: nobody wins before phase 2 (BKH-R-09).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from games.battl_khaos.control import Tower, score, tower_at, towers
from games.battl_khaos.effects import lies_at
from games.battl_khaos.grid import MEETING, NEAR, pointed_at, xy
from games.battl_khaos.rules.placement import picked, place_cell, place_rotation, play_token
from games.battl_khaos.rules.placing import rotations
from games.battl_khaos.state import FIELD, KNIGHTS, NOT_ONE, ORCS, SIDES, TOWER, Khaos
from rules.engine.moves import Move, Prompt, chosen

RESULTS: Final = {**SIDES, NOT_ONE: "N"}


def preview(s: Khaos, prompt: Prompt, move: Move) -> dict[str, Any] | None:
    """The board after an option; None where it lies as it did.

    The cell of a field tile is foreseen with each way in which it could be turned (``turns``).
    """
    if prompt.kind == place_cell.name:
        pick, _which = prompt.context
        return _in_cell(s, picked(s, prompt.seat, pick), pointed_at(move.target))
    if prompt.kind == place_rotation.name:
        pick, cell, _which = prompt.context
        return laid(s, picked(s, prompt.seat, pick), cell, chosen(move))
    if prompt.kind == play_token.name:
        return _with_token(s, move, prompt.context[0])
    match move.verb:
        case "catapult" | "circle":
            return _without_tile(s, lies_at(s, chosen(move)))
        case "crystal" | "recover":
            return _without_token(s, chosen(move))
    return None


def _in_cell(s: Khaos, card: int, cell: int) -> dict[str, Any]:
    before, twin = towers(s), s.copy()
    looks = rotations(s, card)
    outcomes = []
    for turns in looks:
        twin.tiles[cell] = card * 4 + turns
        outcomes.append({"rotation": turns, **_foreseen(twin, before, cell)})
    if s.cards.kind[card] == FIELD:
        return {"turns": outcomes}
    del outcomes[0]["rotation"]
    return outcomes[0]


def laid(s: Khaos, card: int, cell: int, turns: int) -> dict[str, Any]:
    """With a tile on a cell."""
    before, twin = towers(s), s.copy()
    twin.tiles[cell] = card * 4 + turns
    return _foreseen(twin, before, cell)


def _with_token(s: Khaos, move: Move, cell: int) -> dict[str, Any] | None:
    """With a token on a tile; what lies on the ground changes no strength."""
    before, twin = towers(s), s.copy()
    if move.card is not None:
        if s.cards.on_ground[move.card]:
            return None
        twin.tokens[cell] = move.card
    return _foreseen(twin, before, cell)


def _without_tile(s: Khaos, cell: int) -> dict[str, Any]:
    before, twin = towers(s), s.copy()
    del twin.tiles[cell]
    twin.tokens.pop(cell, None)
    return _foreseen(twin, before, cell)


def _without_token(s: Khaos, token: int) -> dict[str, Any]:
    before, twin = towers(s), s.copy()
    for cell, lies in s.tokens.items():
        if lies == token:
            del twin.tokens[cell]
            return _foreseen(twin, before, cell)
    return {**_scores(before.values()), "corners": [], "towers": []}


def _foreseen(s: Khaos, before: Mapping[int, Tower], changed: int) -> dict[str, Any]:
    """The scores, each corner that the changed cell belongs to, each tower with another owner."""
    kind = s.cards.kind
    touched = {}
    for cell in sorted((changed, *(changed + step for step in NEAR))):
        lies = s.tiles.get(cell)
        if lies is not None and kind[lies >> 2] == TOWER:
            touched[cell] = tower_at(s, cell)
    return {
        **_scores({**before, **touched}.values()),
        "corners": [
            _corner(cell, number, tower)
            for cell, tower in touched.items()
            for number in range(4)
            if changed == cell or any(cell + step == changed for step, _ in MEETING[number])
        ],
        "towers": [
            _tower(s, cell, before.get(cell), tower)
            for cell, tower in touched.items()
            if _differs(before.get(cell), tower)
        ],
    }


def _differs(before: Tower | None, after: Tower) -> bool:
    """True if a tower has another owner, or is worth something else."""
    if before is None:
        return after.owner != NOT_ONE
    return before.owner != after.owner or before.value != after.value


def _scores(all_towers: Collection[Tower]) -> dict[str, int]:
    return {"orcs": score(all_towers, ORCS), "knights": score(all_towers, KNIGHTS)}


def _corner(cell: int, number: int, tower: Tower) -> dict[str, Any]:
    x, y = xy(cell)
    corner = tower.corners[number]
    return {
        "x": x,
        "y": y,
        "corner": number,
        "orcs": corner.orcs,
        "knights": corner.knights,
        "missing": corner.missing,
        "result": None if corner.missing else RESULTS[corner.winner],
    }


def _tower(s: Khaos, cell: int, before: Tower | None, after: Tower) -> dict[str, Any]:
    x, y = xy(cell)
    return {
        "x": x,
        "y": y,
        "slug": s.cards.slugs[s.tile(cell)],
        "was": SIDES.get(before.owner) if before else None,
        "owner": SIDES.get(after.owner),
        "value": after.value,
    }
