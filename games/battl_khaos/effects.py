"""Effects of power tokens and special tiles beyond lying there, by effect name.

Tokens that change a strength are data (``cards.toml``, carried out by ``control.py``); Temple and
Stone Circle work by lying in play.
"""

from __future__ import annotations

from games.battl_khaos import events
from games.battl_khaos.grid import pointed_at, xy
from games.battl_khaos.moves import CATAPULT, CIRCLE, CRYSTAL, LAY, RECOVER, RESERVE
from games.battl_khaos.rulebook import BOOK
from games.battl_khaos.rules.placement import (
    EXTRA,
    SECOND,
    SPECIAL_EFFECTS,
    TOKEN_EFFECTS,
    how_it_lies,
    lay_token,
    pick_of,
    place_tile,
)
from games.battl_khaos.rules.placing import battlefield, closed, in_range, outlook, reservable
from games.battl_khaos.rules.reasons import idle
from games.battl_khaos.state import NONE, Khaos
from rules.engine.moves import Move, chosen
from rules.engine.prompts import Outlook

# -- Banner and Halberd ----------------------------------------------------------------------------


def banner(s: Khaos, seat: int, token: int, cell: int) -> None:
    """BKH-P-10, BKH-R-17: at once a second tile, which may be declined."""
    s.ask(seat, place_tile, SECOND)


def halberd(s: Khaos, seat: int, token: int, cell: int) -> None:
    """BKH-P-15: live from the end of this turn."""
    s.halberds[seat] = cell


def break_halberd(s: Khaos, cell: int) -> None:
    """BKH-P-15, BKH-R-18: a Halberd that leaves its tile no longer closes anything."""
    for seat in (0, 1):
        if s.halberds[seat] == cell:
            end_halberd(s, seat)


def end_halberd(s: Khaos, seat: int) -> None:
    """BKH-P-14: it stays on its tile without effect."""
    cell, s.halberds[seat] = s.halberds[seat], NONE
    s.tell(events.HALBERD_OVER, seat, *xy(cell))


# -- Wizard / Shaman -------------------------------------------------------------------------------


def mage(s: Khaos, seat: int, token: int, cell: int) -> None:
    """BKH-P-17: not on the tile but on an empty cell near it."""
    s.ask(seat, reserve_cell, token, cell)


@BOOK.prompt("Choose the space to reserve.", name="reserve-cell")
def reserve_cell(s: Khaos, seat: int, token: int, cell: int) -> list[Move]:
    return [RESERVE[near] for near in reservable(s, cell)]


@reserve_cell.answer
def cell_reserved(s: Khaos, seat: int, move: Move, token: int, cell: int) -> None:
    """BKH-P-18, BKH-R-16: for good."""
    place = pointed_at(move.target)
    lay_token(s, seat, token, place)
    s.ground[place] = token
    s.tell(events.CELL_RESERVED, seat, token, *xy(place))


# -- Catapult --------------------------------------------------------------------------------------


def catapult(s: Khaos, seat: int, token: int, cell: int) -> None:
    """BKH-R-20: after placing a tile, in place of a token on it, at another tile."""
    s.ask(seat, catapult_target, token, cell)


@BOOK.prompt("Choose the tile that the Catapult hits.", name="catapult-target")
def catapult_target(s: Khaos, seat: int, token: int, cell: int) -> list[Move]:
    return [CATAPULT[s.tile(target)] for target in in_range(s, cell)]


@catapult_target.answer
def hit(s: Khaos, seat: int, move: Move, token: int, cell: int) -> None:
    """The tile goes, the Catapult lies there, closed for this turn.

    BKH-P-22 to BKH-P-25, BKH-R-21.
    """
    target = lies_at(s, chosen(move))
    lay_token(s, seat, token, target)
    remove_tile(s, seat, target, "catapult")
    s.ground[target] = token
    s.hit = target


# -- what is removed -------------------------------------------------------------------------------


def lies_at(s: Khaos, card: int) -> int:
    """The cell that a tile in play lies on."""
    return next(cell for cell, lies in s.tiles.items() if lies >> 2 == card)


def remove_tile(s: Khaos, seat: int, cell: int, by: str) -> None:
    """A tile leaves play for good; a token on it goes to its owner's discards.

    BKH-R-16, BKH-R-36.
    """
    card = s.lift_tile(cell)
    s.discards.append(card)
    s.tell(events.TILE_REMOVED, seat, card, *xy(cell), by)
    if cell in s.tokens:
        discard_token(s, cell)


def discard_token(s: Khaos, cell: int) -> None:
    """BKH-R-16: to its owner's discarded tokens."""
    token = s.tokens.pop(cell)
    s.touch(cell)
    owner = s.owner(token)
    s.spent[owner].append(token)
    s.spent[owner].sort()
    s.tell(events.TOKEN_DISCARDED, owner, token, *xy(cell))
    break_halberd(s, cell)


# -- Magic Circle ----------------------------------------------------------------------------------


def circle(s: Khaos, seat: int, card: int, cell: int) -> None:
    """BKH-X-06, BKH-R-24: whoever has a target must choose one."""
    s.ask(seat, circle_target, cell)


@BOOK.prompt("Magic Circle: choose the tile to remove.", name="circle-target")
def circle_target(s: Khaos, seat: int, cell: int) -> list[Move]:
    """BKH-R-25: any battlefield tile but the Circle itself, on a cell open to the player."""
    shut = closed(s, seat)
    return [
        CIRCLE[s.tile(target)] for target in battlefield(s) if target != cell and target not in shut
    ]


@circle_target.answer
def circled(s: Khaos, seat: int, move: Move, cell: int) -> None:
    """BKH-X-06, BKH-X-07: the tile goes; an extra one from the hand comes in its place."""
    target = lies_at(s, chosen(move))
    remove_tile(s, seat, target, "circle")
    s.ask(seat, circle_tile, target)


@BOOK.prompt("Magic Circle: choose a tile for the empty space.", name="circle-tile")
def circle_tile(s: Khaos, seat: int, cell: int) -> list[Move]:
    """BKH-R-25: from the hand; with an empty hand the cell stays empty."""
    return [LAY[card] for card in s.held(seat)]


@circle_tile.outlook
def which_cell_was_emptied(s: Khaos, seat: int, cell: int) -> Outlook:
    return {"why_not": idle(s, seat, ()), **outlook(s, seat, cell=cell)}


@circle_tile.answer
def extra_tile(s: Khaos, seat: int, move: Move, cell: int) -> None:
    """BKH-R-25: any rotation, no token; a special tile's effect comes next."""
    how_it_lies(s, seat, pick_of(s, seat, chosen(move)), cell, EXTRA)


# -- Crystal Field ---------------------------------------------------------------------------------


def crystal(s: Khaos, seat: int, card: int, cell: int) -> None:
    """BKH-X-09, BKH-R-24: whoever has a target must choose one."""
    s.ask(seat, crystal_token)


@BOOK.prompt("Crystal Field: choose the token to discard.", name="crystal-token")
def crystal_token(s: Khaos, seat: int) -> list[Move]:
    """BKH-R-26: tile tokens of either seat, by cell."""
    return [CRYSTAL[s.tokens[cell]] for cell in sorted(s.tokens)]


@crystal_token.answer
def shattered(s: Khaos, seat: int, move: Move) -> None:
    token = chosen(move)
    discard_token(s, next(cell for cell, lies in s.tokens.items() if lies == token))


# -- Graveyard -------------------------------------------------------------------------------------


def graveyard(s: Khaos, seat: int, card: int, cell: int) -> None:
    """BKH-X-12, BKH-R-24: whoever has a token to take back must choose one."""
    s.ask(seat, grave_token)


@BOOK.prompt("Graveyard: choose a power token to take back.", name="grave-token")
def grave_token(s: Khaos, seat: int) -> list[Move]:
    """BKH-X-13, BKH-R-27: own tokens on tiles, by cell, then the discarded ones."""
    own = [s.tokens[cell] for cell in sorted(s.tokens) if s.owner(s.tokens[cell]) == seat]
    return [RECOVER[token] for token in (*own, *s.spent[seat])]


@grave_token.answer
def taken_back(s: Khaos, seat: int, move: Move) -> None:
    """BKH-X-12, BKH-X-14: into the token supply."""
    token = chosen(move)
    if token in s.spent[seat]:
        s.spent[seat].remove(token)
        source = "discarded"
    else:
        cell = next(cell for cell, lies in s.tokens.items() if lies == token)
        del s.tokens[cell]
        s.touch(cell)
        break_halberd(s, cell)
        source = "tile"
    s.ready[seat].append(token)
    s.ready[seat].sort()
    s.tell(events.TOKEN_RECOVERED, seat, token, source)


# -- beside the board ------------------------------------------------------------------------------


def what_waits(s: Khaos, seat: int, *_context: int) -> Outlook:
    """Where something on the board is chosen: why nothing beside it can be."""
    return {"why_not": idle(s, seat, ())}


reserve_cell.outlook(what_waits)
catapult_target.outlook(what_waits)
circle_target.outlook(what_waits)
crystal_token.outlook(what_waits)
grave_token.outlook(what_waits)

TOKEN_EFFECTS.update(banner=banner, halberd=halberd, mage=mage, catapult=catapult)
SPECIAL_EFFECTS.update(circle=circle, crystal=crystal, graveyard=graveyard)
