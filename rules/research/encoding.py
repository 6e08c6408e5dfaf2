"""Views and moves as numbers, the same for every mode of every game.

An action is the number of an option of the prompt, so a mask says which of ``WIDTH`` are open. An
observation hashes what ``Match.view`` lists into ``SIZE`` numbers: nothing hidden can be in it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from zlib import crc32

import rules
from rules.engine.match import Match

WIDTH: Final = 256
"""No prompt may offer more options."""

SIZE: Final = 1024
"""Numbers of an observation."""

SCALE: Final = 10.0
"""Numbers of a view are divided by this."""


def new_match(
    game: str, mode: str, seats: int, seed: bytes, options: Mapping[str, Any] | None = None
) -> Match:
    """A new match; where a mode asks for decks, with ready-made ones chosen by the seed.

    Raises ``BadSetup`` and ``UnknownGame``.
    """
    played = rules.game(game)
    decks = list(played.ready_decks(mode, seats))
    random.Random(seed).shuffle(decks)
    return played.new_match(mode, seats=seats, seed=seed, options=options, decks=decks)


def open_actions(match: Match, seat: int) -> range:
    """The actions that are open to a seat now; none if it is not asked."""
    prompt = match.prompts.get(seat)
    count = len(prompt.options) if prompt else 0
    if count > WIDTH:
        raise ValueError(f"{count} options are more than the {WIDTH} that the adaptors know.")
    return range(count)


def observation(match: Match, seat: int) -> list[float]:
    """``SIZE`` numbers that follow from the seat's view and from the options offered to it."""
    numbers = [0.0] * SIZE
    for path, value in _leaves(match.view(seat), ""):
        if isinstance(value, bool | str):
            numbers[_place(f"{path}={value}")] += 1.0
        elif value is not None:
            numbers[_place(path)] += value / SCALE
    if prompt := match.prompts.get(seat):
        numbers[_place(f"asked={prompt.kind}")] += 1.0
        for number, move in enumerate(prompt.options):
            numbers[_place(f"{number}={match.notation(move)}")] += 1.0
    return numbers


def utilities(match: Match) -> list[float]:
    """Each seat's result, from 1 for the best to -1 for the worst; 0 while the match runs.

    Shared ranks share what they would have got, so the sum is 0. Who plays alone gets 1 or -1.
    """
    outcome = match.outcome
    results = [0.0] * match.seats
    if outcome is None:
        return results
    if match.seats == 1:
        return [1.0 if outcome.winners else -1.0]
    above = 0
    for group in outcome.ranking:
        middle = above + (len(group) - 1) / 2
        for seat in group:
            results[seat] = 1.0 - 2.0 * middle / (match.seats - 1)
        above += len(group)
    return results


@lru_cache(maxsize=1 << 16)
def _place(feature: str) -> int:
    return crc32(feature.encode()) % SIZE


def _leaves(data: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The plain values of a view with their paths; entries of a list share one, but for seats."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key != "id":  # the number of a card says nothing
                yield from _leaves(value, f"{path}.{key}")
    elif isinstance(data, Sequence) and not isinstance(data, str):
        seats = path.endswith(".players")
        for number, value in enumerate(data):
            yield from _leaves(value, f"{path}.{number}" if seats else path)
    else:
        yield path, data
