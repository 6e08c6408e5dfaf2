"""The gain of placing a tile, tried on the bot's own table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, TypeAlias

from games.battl_khaos.bot.worth import Worth
from games.battl_khaos.control import Corner, Tower, corners_at, tower_at, tower_cells
from games.battl_khaos.grid import NEAR
from games.battl_khaos.rules.placing import for_towers, legal_cells, rotations
from games.battl_khaos.state import HAND, NOT_ONE, SPECIAL, TOWER, Khaos

FULL_STACK: Final = 40

EFFECTS: Final[Mapping[str, float]] = {"circle": 1.0, "crystal": 0.3, "graveyard": 0.8}
"""A rough value of special tiles, besides filling a cell."""

Placement: TypeAlias = tuple[float, int, int, int]
"""Its gain, the cell, the quarter turns and the tile."""


class Sight(Worth):
    """The bot's view of a board: its towers, and the gain of a change."""

    def __init__(self, s: Khaos, seat: int) -> None:
        super().__init__(s, seat)
        self.left = min(1.0, (len(s.pile) + HAND) / FULL_STACK)
        self.towers = {cell: tower_at(self.s, cell) for cell in tower_cells(self.s)}
        self.scores = self.scores_of(self.towers)
        self.worth = self.total(self.towers)
        self._before = {
            cell: self.of_tower(cell, tower, self.scores) for cell, tower in self.towers.items()
        }
        self._near: dict[int, list[int]] = {}
        self._around: dict[int, tuple[Corner, ...]] = {}

    def near(self, cell: int) -> list[int]:
        """The towers that a cell is near."""
        near = self._near.get(cell)
        if near is None:
            near = self._near[cell] = [cell + step for step in NEAR if cell + step in self.towers]
        return near

    def gain(self, cell: int) -> float:
        """The board's gain since the view if only this cell has changed."""
        near = self.near(cell)
        if not near:
            return 0.0
        again = {tower: tower_at(self.s, tower) for tower in near}
        gained = 0.0
        for place, tower in again.items():
            before = self.towers[place]
            if tower.owner != before.owner or tower.value != before.value:
                return self.total({**self.towers, **again}) - self.worth
            gained += self.of_tower(place, tower, self.scores) - self._before[place]
        return gained

    def changed(self) -> float:
        """The board's gain since the view, wherever it has changed."""
        return self.total({cell: tower_at(self.s, cell) for cell in self.towers}) - self.worth

    # -- tiles -----------------------------------------------------------------------------

    @contextmanager
    def with_tile(self, card: int, cell: int, turns: int) -> Iterator[None]:
        """The board with one tile more."""
        s = self.s
        before, self.laying = self.laying, card
        edge, by_towers = s.edge, s.by_towers
        s.tiles[cell] = card * 4 + turns
        s.forget()
        try:
            yield
        finally:
            del s.tiles[cell]
            s.edge, s.by_towers = edge, by_towers
            self.laying = before

    @contextmanager
    def without_tile(self, cell: int) -> Iterator[None]:
        """The board with one tile less, and without the token on it."""
        s = self.s
        lies, token = s.tiles.pop(cell), s.tokens.pop(cell, None)
        edge, by_towers = s.edge, s.by_towers
        s.forget()
        try:
            yield
        finally:
            s.tiles[cell] = lies
            s.edge, s.by_towers = edge, by_towers
            if token is not None:
                s.tokens[cell] = token

    def laid(self, card: int, cell: int, turns: int) -> float:
        """The gain of placing a tile without a token."""
        kind = self.s.cards.kind[card]
        if kind == TOWER:
            return self.raised(card, cell)
        good = EFFECTS.get(self.s.cards.effect[card], 0.0) if kind == SPECIAL else 0.0
        if not self.near(cell):
            return good
        with self.with_tile(card, cell, turns):
            return self.gain(cell) + good

    def raised(self, card: int, cell: int) -> float:
        """The gain of placing a tower on a cell."""
        corners = self._around.get(cell)
        if corners is None:
            corners = corners_at(self.s, cell)
            self._around[cell] = corners
        with self.with_tile(card, cell, 0):
            if any(corner.missing for corner in corners):
                value = self.s.cards.value[card]
                return self.of_tower(cell, Tower(corners, NOT_ONE, value), self.scores)
            return self.total({**self.towers, cell: tower_at(self.s, cell)}) - self.worth

    def best_in(self, card: int, cell: int) -> float:
        """The gain of placing a tile in its best rotation."""
        return max(self.laid(card, cell, turns) for turns in rotations(self.s, card))

    def best(self, card: int, cells: Iterable[int]) -> float:
        """The gain of a tile on its best cell."""
        return max((self.best_in(card, cell) for cell in cells), default=0.0)

    def removed(self, cell: int) -> float:
        """The gain of removing the tile on a cell, with its token."""
        with self.without_tile(cell):
            return self.gain(cell)

    def swapped(self, cell: int) -> float:
        """The gain of the Magic Circle on a cell, with the best tile of the hand."""
        with self.without_tile(cell):
            hand = self.s.held(self.seat)
            if not hand:
                return self.gain(cell)
            return max(self.best_in(card, cell) for card in hand)

    def choices(self) -> list[tuple[int, Sequence[int]]]:
        """Each tile that could be placed, with the cells for it."""
        s = self.s
        cells = legal_cells(s, self.seat)
        own: list[tuple[int, Sequence[int]]] = [(card, cells) for card in s.held(self.seat)]
        return own + [(card, for_towers(s, cells)) for card in s.supply]

    def placements(self) -> list[Placement]:
        """Each placement of each tile, without a token; the best first."""
        placements = [
            (self.laid(card, cell, turns), cell, turns, card)
            for card, cells in self.choices()
            for cell in cells
            for turns in rotations(self.s, card)
        ]
        return sorted(placements, reverse=True)
