"""Tests build positions, not histories: a table of Batt'l Kha'os laid out by hand.

Pieces are named by slug without ``bkh-`` and the kind of a special tile or token (``f04o``,
``temple``, ``drums``), or by title. A cell is ``"x,y"``; what lies on it is a piece, with ``r2``
for two quarter turns, and tokens with the side that played them: ``f04o r2 drums/O``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from games.battl_khaos.control import corners_at, tower_cells
from games.battl_khaos.grid import at
from games.battl_khaos.rules.setup import SEAT_OF, core
from games.battl_khaos.rules.turn import marked, start_turn
from games.battl_khaos.state import HAND, NONE, ROW, SIDE_OF, Cards, Khaos, catalog
from rules.engine.card_tables import take_numbers
from rules.engine.chance import Chance

SEAT_KEYS: Final = {
    "hand": "the tiles in hand, by slot; left out, three tiles that are nowhere else",
    "known": "those of them that everybody knows",
    "tokens": "the power tokens in supply; left out, the basic ones that lie nowhere else",
    "discarded": "its discarded tokens",
}
BASIC: Final = [slug for slug in core("token") if catalog()[slug]["class"] == "basic"]


class Lies(NamedTuple):
    """A cell of a layout: its tile ("": none), quarter turns, tokens with their side."""

    tile: str
    turns: int
    tokens: tuple[tuple[str, str], ...]


def arrange(
    mode: str,
    chance: Chance,
    options: Mapping[str, Any],
    *,
    board: Mapping[str, str],
    seats: Sequence[Mapping[str, Any]] = ({}, {}),
    row: Sequence[str] | None = None,
    stack: Sequence[str] | None = None,
    supply: Sequence[str] | None = None,
    discards: Iterable[str] = (),
    active: int = NONE,
    halberd: str = "",
    turn: int = 2,
    passes: int = 0,
) -> Khaos:
    """The start of a turn of the seat ``active``, the orcs' if nothing is said.

    The orcs are seat 1 unless the option says otherwise. Row, stack (top first) and supply that are
    left out hold the Core pieces that lie nowhere else. ``halberd`` is the cell of one that is
    live. Raises ``ValueError`` for what cannot lie so.
    """
    laid = dict(sorted((_cell(place), _lies(text)) for place, text in board.items()))
    orcs = SEAT_OF.get(options["orcs"], 0)
    wanted = [_named(seat.get("hand")) for seat in seats]
    placed = [lies.tile for lies in laid.values() if lies.tile]
    tiles = [slug for slug in placed if catalog()[slug].kind != "tower"]
    named = [_named(row), _named(stack), *wanted]
    gone = _named(discards) or []
    rest = _left(core("field"), [*tiles, *gone, *(slug for slugs in named for slug in slugs or ())])
    drawn = iter(rest)
    hands = [_some(hand, drawn, HAND) for hand in wanted]
    in_row, in_stack = _some(named[0], drawn, ROW), _some(named[1], drawn, len(rest))
    free = _named(supply)
    standing = [slug for slug in placed if catalog()[slug].kind == "tower"]
    if free is None:
        free = _left(core("tower"), standing)
    tokens = [_tokens(seat, orcs == number, laid.values()) for number, seat in enumerate(seats)]
    s = Khaos.lay(
        mode,
        chance,
        [*tiles, *gone, *hands[0], *hands[1], *in_row, *in_stack],
        [*standing, *free],
        [[*ready, *spent, *played] for ready, spent, played in tokens],
        target=options["target"],
        orcs=orcs,
    )
    take = take_numbers(s.cards.slugs[: s.first_token])
    for cell, lies in laid.items():
        if lies.tile:
            s.tiles[cell] = take(lies.tile) * 4 + lies.turns
        for slug, side in lies.tokens:
            _lay_token(s, slug, s.seat_of(SIDE_OF[side]), cell)
    s.discards = [take(slug) for slug in gone]
    for seat, hand in enumerate(hands):
        s.hands[seat] = [*map(take, hand), *[NONE] * (HAND - len(hand))]
        for slug in _named(seats[seat].get("known")) or ():
            s.reveal(next(card for card in s.held(seat) if s.cards.slugs[card] == slug))
        for slug in tokens[seat][1]:
            _discard_token(s, slug, seat)
    s.row = [*map(take, in_row), *[NONE] * (ROW - len(in_row))]
    s.pile = [take(slug) for slug in in_stack][::-1]
    s.supply = sorted(take(slug) for slug in free)
    s.markers = {cell: marked(s, cell, corners_at(s, cell)) for cell in tower_cells(s)}
    s.turn = orcs if active == NONE else active
    s.turns = turn - 1
    s.passes = passes
    if halberd:
        s.halberds[1 - s.turn] = _live(s, _cell(halberd))
    s.then(start_turn)
    return s


def _cell(text: str) -> int:
    x, y = text.split(",")
    return at(int(x), int(y))


def _lies(text: str) -> Lies:
    tile, turns, tokens = "", 0, []
    for word in text.split():
        name, _, side = word.partition("/")
        if side:
            tokens.append((Cards.named(name), side))
        elif word in ("r0", "r1", "r2", "r3"):
            turns = int(word[1])
        else:
            tile = Cards.named(word)
    return Lies(tile, turns, tuple(tokens))


def _named(names: Iterable[str] | None) -> list[str] | None:
    return None if names is None else Cards.all_named(names)


def _left(slugs: Iterable[str], used: Iterable[str]) -> list[str]:
    """Those that lie nowhere yet."""
    elsewhere = set(used)
    return [slug for slug in slugs if slug not in elsewhere]


def _some(named: list[str] | None, rest: Iterable[str], most: int) -> list[str]:
    """The pieces that the layout names, or the first ``most`` of the rest."""
    return list(islice(rest, most)) if named is None else named


def _tokens(
    seat: Mapping[str, Any], orcs: bool, laid: Iterable[Lies]
) -> tuple[list[str], list[str], list[str]]:
    """A seat's tokens in supply, discarded and in play."""
    side = "O" if orcs else "K"
    played = [slug for lies in laid for slug, owner in lies.tokens if owner == side]
    spent = _named(seat.get("discarded")) or []
    ready = _named(seat.get("tokens"))
    return _left(BASIC, (*played, *spent)) if ready is None else ready, spent, played


def _take_token(s: Khaos, slug: str, seat: int) -> int:
    token = next(token for token in s.ready[seat] if s.cards.slugs[token] == slug)
    s.ready[seat].remove(token)
    return token


def _lay_token(s: Khaos, slug: str, seat: int, cell: int) -> None:
    token = _take_token(s, slug, seat)
    (s.ground if s.cards.on_ground[token] else s.tokens)[cell] = token


def _discard_token(s: Khaos, slug: str, seat: int) -> None:
    s.spent[seat].append(_take_token(s, slug, seat))
    s.spent[seat].sort()


def _live(s: Khaos, cell: int) -> int:
    token = s.tokens.get(cell, NONE)
    if token == NONE or s.cards.effect[token] != "halberd" or s.owner(token) == s.turn:
        raise ValueError("no Halberd of the other seat lies there.")
    return cell
