"""Bots, and the one that needs no knowledge of a game."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from rules.engine.chance import Chance
from rules.engine.moves import Move, Prompt

Worlds: TypeAlias = Callable[[], Any]
"""Each call gives another match as it may be, for all that a seat knows."""

KNOWS_THE_BASICS = "knows the basics"


class Choose(Protocol):
    """A bot's mind: from what its seat sees to one of the prompt's options."""

    def __call__(self, view: Mapping[str, Any], prompt: Prompt, chance: Chance, /) -> Move: ...


View: TypeAlias = Mapping[str, Any]


class Think(Protocol):
    """A thinker's mind: from re-deals of its seat's match to one of the prompt's options."""

    def __call__(self, worlds: Worlds, prompt: Prompt, chance: Chance, /) -> Move: ...


class _Named:
    """An opponent with a name of its own at each table."""

    __slots__ = ()

    slug: str
    name: str
    names: tuple[str, ...]

    def name_at(self, table: str, taken: Collection[str] = ()) -> str:
        """Its name at a table: always the same there, and none of those ``taken``."""
        start = zlib.crc32(f"{self.slug} {table}".encode())
        row = [self.names[(start + n) % len(self.names)] for n in range(len(self.names))]
        return next((name for name in row if name not in taken), self.name)


@dataclass(frozen=True, slots=True)
class Mind:
    """How a bot weighs the options of a mode on a table, so that it can play inside a search.

    ``table(view)`` lays a state out as a view shows it; ``scores(state, prompt)`` says how good
    each option looks, from nothing on the state but what the prompt's seat may see.
    """

    table: Callable[[View], Any]
    scores: Callable[[Any, Prompt], Sequence[float]]

    def choose(self, view: View, prompt: Prompt, chance: Chance, /) -> Move:
        """The option that looks best; equal ones are drawn by lot."""
        return pick_best(prompt.options, self.scores(self.table(view), prompt), chance)


@dataclass(frozen=True, slots=True)
class Bot(_Named):
    """A player that is a program. ``choose(view, prompt, chance)`` sees nothing but its view.

    ``name`` is what kind of player it is; at a table it goes by one of its ``names``. ``strength``
    says in a few words how well it plays. ``minds`` are its ways to choose on a table, by mode.
    """

    slug: str
    name: str
    summary: str
    choose: Choose
    names: tuple[str, ...] = ()
    strength: str = KNOWS_THE_BASICS
    minds: Mapping[str, Mind] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Foresight:
    """How a mode is thought ahead (``rules.search``).

    ``mind`` is the greedy bot's. ``moment(state)`` counts the ends of turns; playouts stop when
    ``ahead`` more have come. ``features(state, seat)`` are numbers that speak for a seat, in the
    order of ``names``; their weights lie in ``worth.toml`` of the ``package``. ``margin`` is the
    advantage, in chances to win, up to which they are not trusted against the greedy bot.
    ``greedily`` names the prompts that are not worth a thought. ``player`` gives whoever plays one
    playout, where the greedy bot is too slow for it: it may remember what it has in mind. Where the
    features rank options but hardly tell who wins, ``tells_chances`` is False: advice then plays on
    to the end for its chances.
    """

    package: str
    mode: str
    mind: Mind
    moment: Callable[[Any], int]
    ahead: int
    names: tuple[str, ...]
    features: Callable[[Any, int], Sequence[float]]
    margin: float = 0.02
    greedily: frozenset[str] = frozenset()
    player: Callable[[], Callable[[Any, int], Move]] | None = None
    tells_chances: bool = True


@dataclass(frozen=True, slots=True)
class Thinker(_Named):
    """A player that tries its options out. ``think(worlds, prompt, chance)`` never sees the match:
    each call of ``worlds`` deals anew all that its seat cannot see.

    ``modes`` are those in which it has been shown to beat the level below it, and what
    percentage it won (``docs/ladders.md``). ``instead`` is the bot that plays where it takes too
    long.
    """

    slug: str
    name: str
    summary: str
    think: Think
    names: tuple[str, ...]
    modes: Mapping[str, int] = field(hash=False)
    instead: str = "greedy"
    strength: str = "thinks ahead"


def pick_best(options: Sequence[Move], values: Sequence[float], chance: Chance) -> Move:
    """The option with the highest value; of equal ones one is drawn by lot."""
    best = max(values)
    equal = [move for move, value in zip(options, values, strict=True) if value == best]
    return equal[chance.pick(len(equal))]


def first_best(options: Sequence[Move], values: Sequence[float]) -> Move:
    """The option with the highest value; of equal ones the first."""
    return options[values.index(max(values))]


def choose_random(view: Mapping[str, Any], prompt: Prompt, chance: Chance, /) -> Move:
    """Any option, each equally likely."""
    return prompt.options[chance.pick(len(prompt.options))]


RANDOM = Bot(
    "random",
    "Drifter",
    "Plays whatever comes to hand.",
    choose_random,
    strength="plays at random",
    names=("Wisp", "Tumble", "Pebble", "Driftwood", "Flotsam", "Thistle", "Breeze", "Marble"),
)
