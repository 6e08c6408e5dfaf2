"""Tables of Batt'l Kha'os in the words of the specification's worked scenarios.

A board is drawn as there: ``f05k r1`` is ``bkh-f05k`` turned one quarter clockwise, ``[t2k]`` a
tower, ``<temple>`` a special tile, ``.`` an empty cell. Moves are ``place f01k``, ``cell 1,0``,
``turn 2``, ``token drums``. A table that is laid must be finished with ``done``: it names the
prompt in which the scenario ends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from games.battl_khaos.control import score, tower_at, towers
from games.battl_khaos.grid import CORNERS, at
from games.battl_khaos.state import KNIGHTS, NOT_ONE, ORCS
from rules.engine.moves import Move
from rules.testing import position
from tests.rules.laid import OPEN, LaidTable

O, K = 0, 1  # noqa: E741 - as the specification calls them
"""The seats: seat 1 plays the orcs."""

LETTERS = {ORCS: "O", KNIGHTS: "K", NOT_ONE: "N"}

POSITION_A = """
        x=-1      x=0       x=1
y=-1    f04o r2   f27 r0    f05k r1
y=0     f04k r1   [t2k]     .
y=1     f06k r1   f28 r0    f05o r2
"""


def drawn(grid: str) -> dict[str, str]:
    """The cells of a drawn board."""
    head, *rows = [line for line in grid.splitlines() if line.strip()]
    columns = [(int(column[1]), column.start()) for column in re.finditer(r"x=(-?\d+)", head)]
    ends = [start for _, start in columns[1:]] + [1000]
    board = {}
    for row in rows:
        y = int(row.split()[0].removeprefix("y="))
        for (x, start), end in zip(columns, ends, strict=True):
            text = row[start:end].strip().strip("[]<>")
            if text and text != ".":
                board[f"{x},{y}"] = text
    return board


def lay(grid: str, mode: str = "classic", **layout: Any) -> Table:
    """A laid-out match; see :func:`games.battl_khaos.layouts.arrange`.

    ``orcs`` and ``knights`` are the hands; ``on`` adds to what lies on cells (tokens, tiles).
    """
    board = drawn(grid)
    on: Mapping[str, str] = layout.pop("on", {})
    for cell, more in on.items():
        board[cell] = f"{board.get(cell, '')} {more}".strip()
    seats: list[dict[str, Any]] = [{}, {}]
    for seat, name in enumerate(("orcs", "knights")):
        for key, prefix in (("hand", ""), ("tokens", "_tokens"), ("discarded", "_discarded")):
            if name + prefix in layout:
                seats[seat][key] = layout.pop(name + prefix).split()
    for pile in ("row", "stack", "supply", "discards"):
        if pile in layout:
            layout[pile] = layout[pile].split()
    return Table(position("battl-khaos", mode, board=board, seats=seats, **layout))


class Table(LaidTable):
    """A position, read and played by short names."""

    def text(self, move: Move) -> str:
        """A move in the words of the scenarios."""
        words = self.match.notation(move).split()
        short = [re.sub(r"^bkh-([xp]-)?", "", word).split("~")[0] for word in words]
        return " ".join(short)

    def options(self) -> dict[str, Move]:
        """The options of the open prompt, by their short text."""
        (prompt,) = self.match.prompts.values()
        offered = {self.text(move): move for move in prompt.options}
        assert len(offered) == len(prompt.options), "two options have one short name"
        return offered

    @property
    def asked(self) -> tuple[int, str] | None:
        """The seat that is asked, and the kind of its prompt."""
        return self.laid.asked

    def offered(self) -> str:
        """The options without their verb where all have the same: ``0,-1 -1,0 1,0 0,1``."""
        texts = list(self.options())
        verbs = {text.split()[0] for text in texts}
        return " ".join(text.split()[-1] if len(verbs) == 1 else text for text in texts)

    def tokens(self) -> str:
        """The options of ``play-token``."""
        assert self.asked is not None
        assert self.asked[1] == "play-token", self.asked
        return " ".join(text.split()[-1] for text in self.options())

    def take(self, *moves: str) -> Table:
        """Play these moves, each for whoever is asked then."""
        for text in moves:
            options = self.options()
            assert text in options, f"{self.asked} offers {list(options)}, not “{text}”"
            (who,) = self.match.prompts
            self.history += self.match.play(who, options[text])
        return self

    def put(self, tile: str, cell: str, turns: int = 0, token: str | None = "none") -> Table:
        """Place a tile, whichever of the questions are asked; ``token`` None: stop before it."""
        self.take(f"place {tile}")
        for kind, text in (("place-cell", f"cell {cell}"), ("place-rotation", f"turn {turns}")):
            if self.asked is not None and self.asked[1] == kind:
                self.take(text)
        if token is not None and self.asked is not None and self.asked[1] == "play-token":
            self.take(token if token == "none" else f"token {token}")
        return self

    def done(self, seat: int | None = None, kind: str = "") -> None:
        """The scenario ends in this prompt; none: the match is over."""
        expected = None if seat is None else (seat, kind)
        assert self.asked == expected, f"ends in {self.asked}, not in {expected}"
        OPEN.remove(self)

    # -- what lies where ---------------------------------------------------------------------

    def corners(self, x: int, y: int) -> str:
        """``NW 2:3 K  NE 2:1 O  SE open …``"""
        corners = []
        for name, corner in zip(CORNERS, tower_at(self.state, at(x, y)).corners, strict=True):
            sums = f"{corner.orcs}:{corner.knights} {LETTERS[corner.winner]}"
            corners.append(f"{name} {'open' if corner.missing else sums}")
        return "  ".join(corners)

    def corner(self, x: int, y: int, name: str) -> str:
        """``2:3 K``, or ``open``."""
        return dict(part.split(" ", 1) for part in self.corners(x, y).split("  "))[name]

    def owner(self, x: int, y: int) -> str:
        """``O``, ``K`` or ``-``."""
        owner = towers(self.state)[at(x, y)].owner
        return LETTERS[owner] if owner else "-"

    @property
    def score(self) -> str:
        """Orcs to knights."""
        all_towers = towers(self.state).values()
        return f"{score(all_towers, ORCS)}:{score(all_towers, KNIGHTS)}"

    def hand(self, seat: int) -> str:
        return self.names(self.state.held(seat))

    def names(self, cards: Any) -> str:
        slugs = self.state.cards.slugs
        return " ".join(re.sub(r"^bkh-([xp]-)?", "", slugs[card]) for card in cards)

    @property
    def result(self) -> tuple[Any, ...]:
        """Ranking and reason."""
        assert self.match.outcome is not None, "the match goes on"
        return (*self.match.outcome.ranking, self.match.outcome.reason)
