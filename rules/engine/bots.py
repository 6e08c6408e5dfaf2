"""Bots that need no knowledge of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.engine.chance import Chance
from rules.engine.game import Bot
from rules.engine.moves import Move, Prompt


def choose_random(view: Mapping[str, Any], prompt: Prompt, chance: Chance, /) -> Move:
    """Any option, each equally likely."""
    return prompt.options[chance.pick(len(prompt.options))]


RANDOM = Bot(
    "random",
    "Drifter",
    "Plays whatever comes to hand.",
    choose_random,
    names=("Wisp", "Tumble", "Pebble", "Driftwood", "Flotsam", "Thistle", "Breeze", "Marble"),
)
