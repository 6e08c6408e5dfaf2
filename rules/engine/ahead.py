"""Answers given before a prompt is asked: which a game offers, from what the seat sees alone.

A game declares them by kind of prompt (``GameDefinition.ahead``) as two functions of a
:class:`Sight`: the conditions that may be named, and the choices. Both are called when somebody
plans an answer and again when the prompt is asked. A condition or choice is known by its ``key``:
it holds, or means a move, only if it is listed then, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeVar

from rules.engine.moves import Move


class Condition(NamedTuple):
    """A condition on what a seat sees; ``says`` goes on after “if”."""

    key: str
    says: str
    holds: bool


class Choice(NamedTuple):
    """An answer that can be planned; ``says`` is a command without a full stop."""

    key: str
    says: str
    move: Move


@dataclass(frozen=True, slots=True)
class Sight:
    """The table as one seat sees it, and how its people and cards are called.

    ``title`` names a card by its slug. ``is_asked`` is False while an answer is planned; then
    ``context``, that of the prompt, is empty.
    """

    view: Mapping[str, Any]
    seat: int
    names: Sequence[str]
    title: Callable[[str], str]
    is_asked: bool = False
    context: tuple[Any, ...] = ()

    @property
    def players(self) -> Sequence[Mapping[str, Any]]:
        """The players of the view, by seat."""
        players: Sequence[Mapping[str, Any]] = self.view["players"]
        return players

    @property
    def own(self) -> Mapping[str, Any]:
        """The seat's own part of the view."""
        return self.players[self.seat]

    @property
    def others(self) -> list[int]:
        """The other seats that are still in."""
        rows = enumerate(self.players)
        return [n for n, player in rows if n != self.seat and player.get("out") is None]

    def whose(self, seat: int) -> str:
        """“your” or “Ada’s”."""
        return "your" if seat == self.seat else f"{self.names[seat]}’s"

    def name(self, card: Mapping[str, Any]) -> str:
        """The title of a card as views show it."""
        return self.title(card["slug"])


Conditions: TypeAlias = Callable[[Sight], Sequence[Condition]]
Choices: TypeAlias = Callable[[Sight], Sequence[Choice]]


def no_conditions(_sight: Sight) -> Sequence[Condition]:
    """For prompts whose answer depends on nothing."""
    return ()


@dataclass(frozen=True, slots=True)
class Ahead:
    """How a kind of prompt may be answered ahead.

    ``says`` is the moment (“at your next turn”). ``then`` are the kinds of prompts that may follow
    for the same seat, in the order in which they come. A prompt that only follows others has no
    plan of its own: it does not ``lead``. ``turn`` gives the number of the turn, for a prompt that
    comes more than once a turn: a plan waits for another turn than the one in which it was made.
    """

    says: str
    choices: Choices
    conditions: Conditions = no_conditions
    then: tuple[str, ...] = ()
    leads: bool = True
    turn: Callable[[Sight], int] | None = None

    def choices_at(self, sight: Sight) -> list[Choice]:
        """The choices; those that read alike (two copies of a card) have a number."""
        return _numbered(self.choices(sight))

    def conditions_at(self, sight: Sight) -> list[Condition]:
        """The conditions, numbered like the choices."""
        return _numbered(self.conditions(sight))


def at_least(key: str, words: str, number: int, levels: Sequence[int]) -> list[Condition]:
    """Conditions on a number, one for each level; ``words`` has a place ``{n}``."""
    return [Condition(f"{key}-{level}", words.format(n=level), number >= level) for level in levels]


Row = TypeVar("Row", Choice, Condition)


def _numbered(rows: Sequence[Row]) -> list[Row]:
    times = Counter(row.says for row in rows)
    seen: Counter[str] = Counter()
    result = []
    for row in rows:
        seen[row.says] += 1
        again = times[row.says] > 1
        result.append(row._replace(says=f"{row.says} ({seen[row.says]})") if again else row)
    return result
