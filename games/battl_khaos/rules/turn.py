"""A turn: place a tile, check majorities, draw; and how a match ends (sections 2.2 to 2.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.battl_khaos import events
from games.battl_khaos.control import (
    MARKER,
    OPEN,
    Corner,
    corners_at,
    owned_by,
    totals,
    tower_cells,
    towers,
    towers_by,
    value,
)
from games.battl_khaos.effects import end_halberd
from games.battl_khaos.grid import xy
from games.battl_khaos.moves import DRAW, STACK
from games.battl_khaos.rulebook import BOOK
from games.battl_khaos.rules.placement import FIRST, can_place, place_tile
from games.battl_khaos.rules.reasons import idle
from games.battl_khaos.state import KNIGHTS, NONE, NOT_ONE, ORCS, SIDES, Khaos
from rules.engine.moves import Move, chosen
from rules.engine.prompts import Outlook
from rules.engine.state import ranked

TARGET = "target"
PASSES = "passes"
RESIGN = "resign"


@BOOK.step
def start_turn(s: Khaos) -> None:
    """BKH-T-01: the three phases, always in this order; BKH-R-13: or a pass."""
    seat = s.turn
    s.turns += 1
    s.tell(events.TURN_STARTED, seat, s.turns)
    if can_place(s, seat):
        s.then(check_majorities)
        s.ask(seat, place_tile, FIRST)
    else:
        pass_turn(s)


def pass_turn(s: Khaos) -> None:
    """BKH-R-13: no other phase; two in a row end the match."""
    s.passes += 1
    s.tell(events.PASSED, s.turn)
    if s.passes == 2:
        finish_by_passes(s)
    else:
        end_turn.do(s)


# -- phase 2 ---------------------------------------------------------------------------------------


@BOOK.step
def check_majorities(s: Khaos) -> None:
    """Once a turn, whatever was placed in it; BKH-W-03: perhaps the end.

    BKH-M-13, BKH-P-11, BKH-R-09.
    """
    tell_changes(s)
    orcs, knights = marked_scores(s)
    if orcs < s.target and knights < s.target:
        s.then(end_turn)
        s.then(draw)
        return
    ahead = s.seat_of(ORCS if orcs > knights else KNIGHTS)
    winner = s.turn if orcs == knights else ahead  # BKH-R-10
    finish(s, [(winner,), (1 - winner,)], TARGET)


def tell_changes(s: Khaos) -> None:
    """Section 5: differences from the end of the turn before, tower by tower.

    A tower far from all that was touched is as it was.
    """
    cells = tower_cells(s) if s.touched is None else towers_by(s, s.touched)
    s.touched = ()
    before = len(s.markers)
    for cell in cells:
        card, corners = s.tile(cell), corners_at(s, cell)
        old, new = s.markers.get(cell, unmarked(s.cards.value[card])), marked(s, cell, corners)
        s.markers[cell] = new
        if old != new:
            _tell_corners(s, cell, card, corners, old)
            _tell_owner(s, cell, card, old, new)
            if old >> VALUE != new >> VALUE:
                s.tell(events.VALUE_CHANGED, card, *xy(cell), new >> VALUE)
    if len(s.markers) > before:  # a new tower: in order, as all lists of towers are
        s.markers = dict(sorted(s.markers.items()))


def _tell_corners(s: Khaos, cell: int, card: int, corners: Sequence[Corner], old: int) -> None:
    for number, corner in enumerate(corners):
        was, now = old >> 2 * number & 3, corner.marker
        if was == now:
            continue
        if now == OPEN:
            s.tell(events.CORNER_REOPENED, card, *xy(cell), number)
            continue
        kind = events.CORNER_RESOLVED if was == OPEN else events.CORNER_CHANGED
        sums = (corner.orcs, corner.knights)
        s.tell(kind, card, *xy(cell), number, RESULTS[corner.winner], sums)


def _tell_owner(s: Khaos, cell: int, card: int, old: int, new: int) -> None:
    was, now = old >> OWNER & 3, new >> OWNER & 3
    if was == now:
        return
    before = s.seat_of(SIDE_OF_MARKER[was]) if was else NONE
    owner = s.seat_of(SIDE_OF_MARKER[now]) if now else NONE
    if owner == NONE:
        s.tell(events.TOWER_LOST, before, card, *xy(cell))
    elif before == NONE:
        s.tell(events.TOWER_GAINED, owner, card, *xy(cell), new >> VALUE)
    else:
        s.tell(events.TOWER_TAKEN, owner, before, card, *xy(cell), new >> VALUE)


def marked_scores(s: Khaos) -> tuple[int, int]:
    """The sums of the values of the towers that the orcs' and the knights' markers lie on."""
    orcs = knights = 0
    of_orcs, of_knights = MARKER[ORCS], MARKER[KNIGHTS]
    for marks in s.markers.values():
        owner = marks >> OWNER & 3
        if owner == of_orcs:
            orcs += marks >> VALUE
        elif owner == of_knights:
            knights += marks >> VALUE
    return orcs, knights


SIDE_OF_MARKER: Final = {1: ORCS, 2: KNIGHTS}
RESULTS: Final = {**SIDES, NOT_ONE: "N"}
OWNER: Final = 8
VALUE: Final = 10


def marked(s: Khaos, cell: int, corners: Sequence[Corner]) -> int:
    """The markers of a tower and its value as one number: two bits a corner, then the owner's."""
    side = owned_by(s, cell, corners)
    marks = (MARKER[side] if side else OPEN) << OWNER | value(s, cell) << VALUE
    for number, corner in enumerate(corners):
        marks |= corner.marker << 2 * number
    return marks


def unmarked(printed: int) -> int:
    """A tower that nothing has happened to."""
    return printed << VALUE


# -- phase 3 ---------------------------------------------------------------------------------------


@BOOK.step
def draw(s: Khaos) -> None:
    """Until the hand holds three or nothing is left.

    BKH-T-08 to BKH-T-12, BKH-X-08, BKH-P-12, BKH-R-12, BKH-R-14.
    """
    if NONE in s.hands[s.turn] and (s.pile or max(s.row) != NONE):
        s.then(draw)
        s.ask(s.turn, draw_tile)


@BOOK.prompt("Draw a tile from the stack or the row.", name="draw-tile")
def draw_tile(s: Khaos, seat: int) -> list[Move]:
    """BKH-T-09."""
    row = [DRAW[card] for card in s.row if card != NONE]
    return [STACK, *row] if s.pile else row


@draw_tile.outlook
def what_is_not_drawn(s: Khaos, seat: int) -> Outlook:
    return {"why_not": idle(s, seat, draw_tile.options(s, seat))}


@draw_tile.answer
def drawn(s: Khaos, seat: int, move: Move) -> None:
    """Into the lowest free slot; BKH-R-32: what comes from the row is known to all."""
    hand = s.hands[seat]
    slot = hand.index(NONE)
    if move == STACK:
        hand[slot] = s.pile.pop()
        s.tell(events.TILE_DRAWN, seat, (hand[slot],))
        return
    card = hand[slot] = chosen(move)
    place = s.row.index(card)
    s.row[place] = NONE
    s.reveal(card)
    s.tell(events.ROW_TAKEN, seat, card, f"row-{place + 1}")
    if s.pile:  # BKH-T-10
        s.row[place] = s.pile.pop()
        s.tell(events.ROW_FILLED, s.row[place], f"row-{place + 1}")


@BOOK.step
def end_turn(s: Khaos) -> None:
    """Effects that last one turn end, or begin.

    BKH-T-13, BKH-P-14, BKH-P-15, BKH-R-18, BKH-R-21.
    """
    seat, other = s.turn, 1 - s.turn
    if s.halberds[other] != NONE:
        end_halberd(s, other)
    if s.halberds[seat] != NONE:
        s.tell(events.HALBERD_LIVE, seat, *xy(s.halberds[seat]))
    s.hit = NONE
    s.turn = other
    start_turn.do(s)


# -- the end ---------------------------------------------------------------------------------------


def finish_by_passes(s: Khaos) -> None:
    """BKH-R-11: score, towers, corners; all equal is a draw."""
    all_towers = towers(s).values()
    best = {seat: totals(all_towers, s.side(seat)) for seat in (0, 1)}
    finish(s, ranked((0, 1), best.__getitem__), PASSES)


def finish(s: Khaos, ranking: list[tuple[int, ...]], reason: str) -> None:
    """The match is over; section 4: the hands are shown."""
    for seat in (0, 1):
        for card in s.held(seat):
            s.reveal(card)
        s.tell(events.HAND_SHOWN, seat, tuple(s.held(seat)))
    all_towers = towers(s).values()
    best = [totals(all_towers, s.side(seat)) for seat in (0, 1)]
    scores = [total.score for total in best]
    details = (
        ("scores", scores),
        ("towers", [total.towers for total in best]),
        ("corners", [total.corners for total in best]),
    )
    s.end(ranking, reason, details=details)
    s.tell(events.MATCH_ENDED, tuple(ranking), reason, tuple(scores))


def concede(s: Khaos, seat: int) -> None:
    """BKH-R-41: the other side wins at once, whatever the scores."""
    s.tell(events.RESIGNED, seat)
    finish(s, [(1 - seat,), (seat,)], RESIGN)
