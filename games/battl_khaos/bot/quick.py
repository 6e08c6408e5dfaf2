"""The greedy bot in a hurry: it reckons a whole placement at once, for playouts of a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.battl_khaos.bot import best_token, scores
from games.battl_khaos.bot.sight import Placement, Sight
from games.battl_khaos.grid import pointed_at
from games.battl_khaos.moves import STOP
from games.battl_khaos.state import FIELD, NONE, Khaos
from rules.engine.bots import first_best
from rules.engine.match import Match
from rules.engine.moves import Move, chosen

REFINED: Final = 2
"""How many placements are looked at with tokens."""


class Quick:
    """Plays one playout: it remembers where and how the tile that it has picked is to lie."""

    def __init__(self) -> None:
        self.cell = NONE
        self.turns = 0

    def play(self, match: Match, seat: int) -> Move:
        """An answer to the seat's prompt."""
        s, prompt = match.state, match.prompts[seat]
        assert isinstance(s, Khaos)
        options = prompt.options
        if prompt.kind == "place-tile":
            return self._picked(s, seat, options)
        if prompt.kind == "draw-tile" or len(options) == 1:
            return options[-1]
        planned: list[Move] = []
        if prompt.kind == "place-cell":
            planned = [move for move in options if pointed_at(move.target) == self.cell]
        elif prompt.kind == "place-rotation" and prompt.context[1] == self.cell:
            planned = [move for move in options if chosen(move) == self.turns]
            self.cell = NONE
        if planned:
            return planned[0]
        return first_best(options, scores(s, prompt))

    def _picked(self, s: Khaos, seat: int, options: Sequence[Move]) -> Move:
        """The tile of the best placement, or none where it may be left and nothing gains."""
        best = best_placement(Sight(s.copy(), seat))
        if best is None or (options[-1] == STOP and best[0] <= 0):
            return options[-1]
        _, self.cell, self.turns, card = best
        slugs = s.cards.slugs
        return next(  # equal towers are one option
            move for move in options if move.card is not None and slugs[move.card] == slugs[card]
        )


def best_placement(sight: Sight) -> Placement | None:
    """The placement that gains most, perhaps with a token; None where there is none."""
    placements = sight.placements()
    refined = [
        (gain + max(0.0, best_token(sight, card, cell, turns)), cell, turns, card)
        for gain, cell, turns, card in placements[:REFINED]
        if sight.s.cards.kind[card] == FIELD
    ]
    return max(placements[:1] + refined, default=None)
