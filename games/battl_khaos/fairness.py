"""What docs/verify.py needs to know of Batt'l Kha'os: which events draw chance.

Shares no code with the game.
"""

from __future__ import annotations

from typing import Any


def readers(verify: Any) -> dict[tuple[str, str], type]:
    class Table:
        """Three draws before the first turn; then every tile comes from the shuffled stack."""

        BEGINS = frozenset({"sides_drawn"})
        LAST = "match_ended"
        QUIET = frozenset(
            {
                "turn_started",
                "tile_placed",
                "token_played",
                "cell_reserved",
                "tile_removed",
                "token_discarded",
                "token_recovered",
                "halberd_live",
                "halberd_over",
                "corner_resolved",
                "corner_reopened",
                "corner_changed",
                "tower_gained",
                "tower_lost",
                "tower_taken",
                "value_changed",
                "row_taken",
                "passed",
                "resigned",
                "hand_shown",
                "match_ended",
            }
        )

        def __init__(self, record: dict[str, Any], stream: Any) -> None:
            self.record = record
            self.stream = stream
            self.draws = 0
            self.stack: list[int] = []

        def on_sides_drawn(self, orcs: int, knights: int) -> None:
            lot = self.record["options"]["orcs"]
            if lot == "random":
                verify.expect("who plays the orcs", orcs, self.stream.pick(2))
                self.draws += 1
            else:
                verify.expect("who plays the orcs", orcs, int(lot[-1]) - 1)

        def on_shuffled(self, cards: list[int]) -> None:
            self.stack = self.stream.shuffled(range(len(cards)))
            self.draws += 1
            verify.expect("the stack", cards, self.stack)

        def on_first_tower(self, tower: int, x: int, y: int) -> None:
            towers = [
                number
                for number, slug in enumerate(self.record["cards"])
                if slug.startswith("bkh-t")
            ]
            verify.expect("the first tower", tower, towers[self.stream.pick(len(towers))])
            self.draws += 1

        def off_the_top(self, what: str, cards: list[int]) -> None:
            top, self.stack = self.stack[: len(cards)], self.stack[len(cards) :]
            verify.expect(what, cards, top)

        def on_dealt(self, seat: int, cards: list[int]) -> None:
            self.off_the_top(f"the first hand of seat {seat + 1}", cards)

        def on_row_laid(self, cards: list[int]) -> None:
            self.off_the_top("the row", cards)

        def on_tile_drawn(self, seat: int, cards: list[int]) -> None:
            self.off_the_top(f"a tile drawn by seat {seat + 1}", cards)

        def on_row_filled(self, card: int, slot: str) -> None:
            self.off_the_top("a tile of the row", [card])

    return {("battl-khaos", mode): Table for mode in ("classic", "warband", "army")}
