"""The base of the tables of all games' scenarios: laid by a test, played, and to be finished."""

from __future__ import annotations

from typing import Any, Self

from rules.engine.match import Match
from rules.engine.moves import Move
from rules.testing import Position

OPEN: list[LaidTable] = []
"""The tables of the running test that are not done."""


class LaidTable:
    """A position, and all that has happened in it."""

    def __init__(self, laid: Position) -> None:
        self.laid = laid
        self.history: list[Any] = list(laid.match.opening)
        OPEN.append(self)

    @property
    def match(self) -> Match:
        return self.laid.match

    @property
    def state(self) -> Any:
        return self.laid.state

    def concede(self, who: int) -> Self:
        self.history += self.match.concede(who)
        return self

    def events(self, *kinds: str) -> list[tuple[Any, ...]]:
        """The values of all events of these kinds so far."""
        return [event[1:] for event in self.history if event[0] in kinds]


class SluggedTable(LaidTable):
    """A position that is played by slugs, ``attack pelagor``: without the numbers of its cards."""

    @property
    def asked(self) -> dict[int, str]:
        """The kinds of the open prompts, by seat."""
        return {who: prompt.kind for who, prompt in sorted(self.match.prompts.items())}

    def text(self, move: Move) -> str:
        """A move without the numbers of its cards."""
        return " ".join(word.split("~")[0] for word in self.match.notation(move).split())

    def options(self, by: int | None = None) -> dict[str, Move]:
        """The options of the only seat that is asked, or of ``by``."""
        assert self.match.prompts, "the match is over"
        if by is None:
            assert len(self.match.prompts) == 1, "several seats are asked: say which"
            (by,) = self.match.prompts
        return {self.text(move): move for move in self.match.prompts[by].options}

    def offered(self, by: int | None = None) -> list[str]:
        return list(self.options(by))

    def take(self, *moves: str, by: int | None = None) -> Self:
        """Play these moves, each for the seat that is asked then, or all for ``by``."""
        for text in moves:
            options = self.options(by)
            assert text in options, f"{self.asked} offers {list(options)}, not “{text}”"
            (who,) = [by] if by is not None else self.match.prompts
            self.history += self.match.play(who, options[text])
        return self

    def why_not(self, kind: str = "why_not") -> dict[str, tuple[str, str]]:
        """Why cards cannot be played, by slug: the sentence and the rule that says so."""
        (prompt,) = self.match.prompts.values()
        slugs = self.state.cards.slugs
        rows = self.match.outlook(prompt)[kind]
        return {slugs[row["card"]]: (row["says"], row["rule"]) for row in rows}
