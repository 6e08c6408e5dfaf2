"""The worth of a board to a seat (specification, section 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from games.battl_khaos.bot.completion import Gap, Tiles, changes, gap_of, likelihood, winning
from games.battl_khaos.control import Corner, Tower, score
from games.battl_khaos.grid import MEETING, NEAR
from games.battl_khaos.rules.placing import MAGE
from games.battl_khaos.state import HAND, NONE, Khaos

POINT: Final = 10.0
"""The worth of one point of score; all else is measured by it."""

WON: Final = 1000.0
OPEN_TOWER: Final = 1.2
FLAG: Final = 0.2
WARRIOR: Final = 0.25
"""The worth of one warrior more at an open corner with two of its tiles."""

THEIRS_NEXT: Final = 0.8
OURS_AFTER: Final = 0.5
"""How much of a tower counts that the enemy can complete next, or the bot in the turn after."""

WITH_TOKEN: Final = 0.7
"""How likely a token is spent where only that wins a tower."""

NEARLY_WON: Final = 300.0
"""The worth of completing the last tower that is needed."""


class Worth:
    """The worth of boards to the side of a seat.

    ``s`` is its table, which may be changed to try something: ``laying`` is the tile that is tried
    then, ``guard`` the cell of a Halberd that is.
    """

    def __init__(self, s: Khaos, seat: int) -> None:
        self.seat = seat
        self.s = s
        self.side = s.side(seat)
        other = 1 - seat
        hidden = [card for card in s.held(other) if not s.knows(seat, card)]
        slugs = s.cards.slugs
        self.unseen: Mapping[str, int] = Counter([slugs[card] for card in (*s.pile, *hidden)])
        known = tuple([slugs[card] for card in s.held(other) if s.knows(seat, card)])
        self.enemy_tiles = Tiles(known, len(hidden), self.unseen)
        self.guard = NONE
        self.laying = NONE

    def scores_of(self, towers: Mapping[int, Tower]) -> tuple[int, int]:
        """The bot's and the enemy's."""
        all_towers = towers.values()
        return score(all_towers, self.side), score(all_towers, -self.side)

    def total(self, towers: Mapping[int, Tower]) -> float:
        """The worth of a board with these towers, to the bot's side."""
        scores = self.scores_of(towers)
        worth = sum(self.of_tower(cell, tower, scores) for cell, tower in towers.items())
        return worth + self._won(*scores)

    def _won(self, own: int, enemy: int) -> float:
        if max(own, enemy) < self.s.target:
            return 0.0
        return WON if own >= enemy else -WON

    def of_tower(self, cell: int, tower: Tower, scores: tuple[int, int]) -> float:
        """The worth of one tower: of a point more or less, or of what it promises."""
        if tower.owner:
            return POINT * tower.value * tower.owner * self.side
        gap = gap_of(self.s, cell, tower)
        if gap is not None:
            return self._completed(gap, tower.value, *scores)
        flag = self.s.cards.flag[self.s.tiles[cell] >> 2]
        return tower.value * (
            OPEN_TOWER * self._corners(cell, tower.corners) + FLAG * flag * self.side
        )

    # -- towers that lack one tile ---------------------------------------------------------

    def _completed(self, gap: Gap, value: int, own: int, enemy: int) -> float:
        """The worth of a tower that the enemy may complete first, then the bot."""
        theirs = self._enemy_could(gap)
        ours = (1 - theirs) * self._bot_could(gap)
        gained = OURS_AFTER * ours * self._prize(own, value)
        return gained - THEIRS_NEXT * theirs * self._prize(enemy, value)

    def _prize(self, scored: int, value: int) -> float:
        last = NEARLY_WON if scored + value >= self.s.target else 0.0
        return POINT * value + last

    def _enemy_could(self, gap: Gap) -> float:
        """How likely the enemy takes the tower in the next turn."""
        if self.guard != NONE and gap.cell - self.guard in NEAR:
            return 0.0
        if self._reserved_by(gap.cell) == self.seat:
            return 0.0
        return self._likely(gap, 1 - self.seat, self.enemy_tiles)

    def _bot_could(self, gap: Gap) -> float:
        """How likely the bot takes it in the turn after, with what is left of its hand."""
        if self._reserved_by(gap.cell) == 1 - self.seat:
            return 0.0
        s = self.s
        kept = tuple(s.cards.slugs[card] for card in s.held(self.seat) if card != self.laying)
        return self._likely(gap, self.seat, Tiles(kept, HAND - len(kept), self.unseen))

    def _likely(self, gap: Gap, seat: int, tiles: Tiles) -> float:
        side, corners = self.s.side(seat), len(gap.leads)
        at_hand = gap._replace(cell=NONE)
        alone = likelihood(tiles, corners, winning(at_hand, side, ()))
        tokens = changes(self.s, seat)
        if not tokens or alone == 1.0:
            return alone
        helped = likelihood(tiles, corners, winning(at_hand, side, tokens))
        return alone + WITH_TOKEN * (helped - alone)

    def _reserved_by(self, cell: int) -> int:
        """The seat that alone may place a tile there; ``NONE`` if both may."""
        token = self.s.ground.get(cell)
        if token is None or self.s.cards.effect[token] != MAGE:
            return NONE
        return self.s.owner(token)

    # -- towers that lack more -------------------------------------------------------------

    def _corners(self, cell: int, corners: tuple[Corner, ...]) -> float:
        """The promise of a tower's corners, from -4 to 4."""
        promised = 0.0
        for number, (orcs, knights, missing, _) in enumerate(corners):
            if not missing:
                promised += (orcs > knights) - (orcs < knights)
            elif missing == 1 and (owner := self._last_cell(cell, number)):
                promised += owner
            else:
                ahead = (orcs - knights) * WARRIOR * (3 - missing) / 2
                promised += max(-1.0, min(1.0, ahead))
        return promised * self.side

    def _last_cell(self, tower: int, number: int) -> int:
        """The side that alone may fill the last cell of a corner; 0 if both may."""
        s = self.s
        if not s.ground:
            return 0
        for step, _ in MEETING[number]:
            cell = tower + step
            if cell not in s.tiles:
                seat = self._reserved_by(cell)
                return 0 if seat == NONE else s.side(seat)
        return 0
