"""Bots, and the one that needs no knowledge of a game."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rules.engine.chance import Chance
from rules.engine.moves import Move, Prompt


class Choose(Protocol):
    """A bot's mind: from what its seat sees to one of the prompt's options."""

    def __call__(self, view: Mapping[str, Any], prompt: Prompt, chance: Chance, /) -> Move: ...


@dataclass(frozen=True, slots=True)
class Bot:
    """A player that is a program. ``choose(view, prompt, chance)`` sees nothing but its view.

    ``name`` is what kind of player it is; at a table it goes by one of its ``names``. ``strength``
    says how well it plays: “plays at random”, “knows the basics”, “thinks ahead”.
    """

    slug: str
    name: str
    summary: str
    choose: Choose
    names: tuple[str, ...] = ()
    strength: str = "knows the basics"

    def name_at(self, table: str, taken: Collection[str] = ()) -> str:
        """What it is called at a table: always the same there, and none of those ``taken``."""
        start = zlib.crc32(f"{self.slug} {table}".encode())
        row = [self.names[(start + n) % len(self.names)] for n in range(len(self.names))]
        return next((name for name in row if name not in taken), self.name)


def choose_random(view: Mapping[str, Any], prompt: Prompt, chance: Chance, /) -> Move:
    """Any option, each equally likely."""
    return prompt.options[chance.pick(len(prompt.options))]


RANDOM = Bot(
    "random",
    "Drifter",
    "Plays whatever comes to hand.",
    choose_random,
    names=("Wisp", "Tumble", "Pebble", "Driftwood", "Flotsam", "Thistle", "Breeze", "Marble"),
    strength="plays at random",
)
