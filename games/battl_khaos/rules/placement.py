"""Phase 1: a tile is picked, laid and perhaps given a token.

BKH-T-02 to BKH-T-07, BKH-P-01 to BKH-P-06.

What a token or a special tile does beyond lying there stands in ``effects.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from games.battl_khaos import events, grid
from games.battl_khaos.grid import pointed_at, xy
from games.battl_khaos.moves import CELL, NO_TOKEN, PLACE, STOP, TOKEN, TURN, piece_name
from games.battl_khaos.rulebook import BOOK
from games.battl_khaos.rules.placing import (
    any_for_towers,
    for_towers,
    legal_cells,
    outlook,
    playable,
    rotations,
)
from games.battl_khaos.rules.reasons import idle
from games.battl_khaos.state import FIELD, HAND, NONE, SIDES, SPECIAL, TOWER, Khaos
from rules.engine.moves import Move, chosen
from rules.engine.prompts import Outlook, could_go

FIRST: Final = 0
SECOND: Final = 1
EXTRA: Final = 2
"""Which tile of the turn it is: the first, that of a Banner, that of a Magic Circle."""

Effect: TypeAlias = Callable[[Khaos, int, int, int], None]
"""The effect of a piece: ``(state, seat, piece, cell)``."""

TOKEN_EFFECTS: Final[dict[str, Effect]] = {}
"""Effects of tokens instead of lying on the tile, or besides, by effect name."""

SPECIAL_EFFECTS: Final[dict[str, Effect]] = {}
"""Effects of special tiles as soon as they are in play (BKH-X-02), by effect name."""


# -- which tile ------------------------------------------------------------------------------------


@BOOK.prompt("Choose a tile to place.", name="place-tile", public=True)
def place_tile(s: Khaos, seat: int, which: int) -> list[Move]:
    """The hand and the towers, as far as a cell is legal for them.

    BKH-T-02, BKH-R-03, BKH-R-13, BKH-R-17.
    """
    cells = legal_cells(s, seat)
    options = [PLACE[card] for card in s.held(seat)] if cells else []
    if s.supply and any_for_towers(s, cells):
        options.extend(PLACE[card] for card in different(s, s.supply))
    if options and which == SECOND:
        options.append(STOP)
    return options


def can_place(s: Khaos, seat: int) -> bool:
    """BKH-R-13: there is a tile to place and a cell for it."""
    cells = legal_cells(s, seat)
    return bool((cells and s.held(seat)) or (s.supply and any_for_towers(s, cells)))


@place_tile.sentence
def which_tile(s: Khaos, seat: int, names: Sequence[str], which: int) -> str:
    if which == SECOND:
        return "Banner: choose a second tile to place, or none."
    return place_tile.says


@place_tile.outlook
def where_it_could_go(s: Khaos, seat: int, which: int) -> Outlook:
    cells = legal_cells(s, seat)
    for_a_tower = for_towers(s, cells)
    kind = s.cards.kind
    options = place_tile.options(s, seat, which)
    rows = []
    for move in options:
        if move.card is not None:
            places = for_a_tower if kind[move.card] == TOWER else cells
            rows.append(could_go(move, move.card, *(grid.cell(place) for place in places)))
    return {"places": rows, "why_not": idle(s, seat, options), **outlook(s, seat)}


@place_tile.answer
def tile_picked(s: Khaos, seat: int, move: Move, which: int) -> None:
    """A picked tile stays where it was until it is known where and how it is to lie."""
    if move != STOP:
        s.ask(seat, place_cell, pick_of(s, seat, chosen(move)), which)


def different(s: Khaos, cards: Sequence[int]) -> list[int]:
    """Section 5: equal towers in the supply are one option; sorted by id."""
    slugs = s.cards.slugs
    first = {slugs[card]: card for card in sorted(cards, reverse=True)}
    return [first[slug] for slug in sorted(first)]


def pick_of(s: Khaos, seat: int, card: int) -> int:
    """How a prompt's context names a picked tile.

    A tile of the hand by its slot, so that it stays hidden; a tower by its number after the slots.
    """
    hand = s.hands[seat]
    return hand.index(card) if card in hand else HAND + card


def picked(s: Khaos, seat: int, pick: int) -> int:
    """The tile that ``pick_of`` names so."""
    return s.hands[seat][pick] if pick < HAND else pick - HAND


# -- where, and how --------------------------------------------------------------------------------


@BOOK.prompt("Choose a space.", name="place-cell", public=True)
def place_cell(s: Khaos, seat: int, pick: int, which: int) -> list[Move]:
    cells = legal_cells(s, seat)
    if s.cards.kind[picked(s, seat, pick)] == TOWER:
        cells = for_towers(s, cells)
    return [*map(CELL.__getitem__, cells)]


@place_cell.sentence
def which_cell(s: Khaos, seat: int, names: Sequence[str], pick: int, which: int) -> str:
    return f"Choose a space for {piece_name(s, picked(s, seat, pick))}."


@place_cell.outlook
def what_else_of_the_cell(s: Khaos, seat: int, pick: int, which: int) -> Outlook:
    return {"why_not": idle(s, seat, ()), **outlook(s, seat, picked(s, seat, pick))}


@place_cell.answer
def cell_chosen(s: Khaos, seat: int, move: Move, pick: int, which: int) -> None:
    how_it_lies(s, seat, pick, pointed_at(move.target), which)


def how_it_lies(s: Khaos, seat: int, pick: int, cell: int, which: int) -> None:
    """BKH-T-06: field tiles may be turned; towers and special tiles look alike on all sides."""
    if s.cards.kind[picked(s, seat, pick)] == FIELD:
        s.ask(seat, place_rotation, pick, cell, which)
    else:
        put_down(s, seat, pick, cell, 0, which)


@BOOK.prompt("Turn the tile.", name="place-rotation")
def place_rotation(s: Khaos, seat: int, pick: int, cell: int, which: int) -> list[Move]:
    """BKH-R-02: looks that repeat are left out."""
    return [TURN[turns] for turns in rotations(s, picked(s, seat, pick))]


@place_rotation.sentence
def how_to_turn(s: Khaos, seat: int, names: Sequence[str], pick: int, cell: int, which: int) -> str:
    return f"Turn {piece_name(s, picked(s, seat, pick))}."


@place_rotation.outlook
def what_else_of_turning(s: Khaos, seat: int, pick: int, cell: int, which: int) -> Outlook:
    return {"why_not": idle(s, seat, ()), **outlook(s, seat, picked(s, seat, pick), cell)}


@place_rotation.answer
def turned(s: Khaos, seat: int, move: Move, pick: int, cell: int, which: int) -> None:
    put_down(s, seat, pick, cell, chosen(move), which)


def put_down(s: Khaos, seat: int, pick: int, cell: int, turns: int, which: int) -> None:
    """The tile is placed and shown; a token may follow, or what a special tile does."""
    card = picked(s, seat, pick)
    kind = s.cards.kind[card]
    if kind == TOWER:
        s.supply.remove(card)
    else:
        s.hands[seat][pick] = NONE
        s.known.pop(card, None)  # BKH-R-32: known until it leaves the hand
    if which == FIRST:
        s.passes = 0
        s.last.clear()
    s.last.append(cell)
    s.lay_tile(cell, card, turns)
    source = "extra" if which == EXTRA else "supply" if kind == TOWER else "hand"
    s.tell(events.TILE_PLACED, seat, card, *xy(cell), turns, source)
    if kind == SPECIAL:
        effect = SPECIAL_EFFECTS.get(s.cards.effect[card])
        if effect is not None:
            effect(s, seat, card, cell)
    elif kind == FIELD and which != EXTRA:  # BKH-P-01, BKH-P-04, BKH-X-04, BKH-R-25
        s.ask(seat, play_token, cell)


# -- a token ---------------------------------------------------------------------------------------


@BOOK.prompt("Play a power token with the tile, or none.", name="play-token")
def play_token(s: Khaos, seat: int, cell: int) -> list[Move]:
    """BKH-P-01, BKH-P-03, BKH-R-22: those that have a legal place."""
    return [NO_TOKEN, *(TOKEN[token] for token in playable(s, seat, (cell,))[0])]


@play_token.outlook
def what_lies_there(s: Khaos, seat: int, cell: int) -> Outlook:
    lies = s.tiles[cell]
    reasons = idle(s, seat, play_token.options(s, seat, cell), cell)
    return {"why_not": reasons, **outlook(s, seat, lies >> 2, cell, lies & 3)}


@play_token.answer
def token_chosen(s: Khaos, seat: int, move: Move, cell: int) -> None:
    """It leaves the supply and lies on the tile, unless it lies on the ground.

    BKH-P-02, BKH-P-05.
    """
    if move == NO_TOKEN:
        return
    token = chosen(move)
    if not s.cards.on_ground[token]:
        lay_token(s, seat, token, cell)
        s.tokens[cell] = token
        s.touch(cell)
    effect = TOKEN_EFFECTS.get(s.cards.effect[token])
    if effect is not None:
        effect(s, seat, token, cell)


def lay_token(s: Khaos, seat: int, token: int, cell: int) -> None:
    """BKH-P-05, BKH-P-06: out of the supply, working for its player's side."""
    s.ready[seat].remove(token)
    s.tell(events.TOKEN_PLAYED, seat, token, *xy(cell), SIDES[s.side(seat)])
