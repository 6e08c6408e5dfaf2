"""Sealed and draft as a game declares them: packs, their number, and cards for everybody.

A game's package may hold ``limited.toml``. Without it, or for a mode that it does not name, there
is neither: not every game's packs can make a legal deck.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rules.engine.cards import load_toml
from rules.engine.definition import GameDefinition
from rules.engine.errors import BadData

MAX_PACKS: Final = 16
"""More packs a player are neither opened nor drafted."""


@dataclass(frozen=True, slots=True)
class Limited:
    """How a mode is played with decks out of packs.

    ``sealed`` and ``draft`` are the fewest packs a player needs for a legal deck; 0 where that
    kind is not offered. In a draft ``pile`` packs are opened together and passed on. ``basics`` are
    cards (slug → copies) that everybody may use besides; ``options`` are those that the mode's
    tables must have. ``why`` says in a sentence what decks are built from.
    """

    mode: str
    product: str
    sealed: int
    draft: int
    pile: int
    why: str
    basics: Mapping[str, int] = field(default_factory=dict, hash=False)
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def least(self, *, draft: bool) -> int:
        """The fewest packs a player; 0 where this is not offered."""
        return self.draft if draft else self.sealed


def limited_modes(game: GameDefinition) -> Mapping[str, Limited]:
    """A game's modes with sealed or draft, by slug; raises ``BadData`` for a file that is wrong."""
    if game.slug not in _READ:
        _READ[game.slug] = _read_all(game)
    return _READ[game.slug]


_READ: Final[dict[str, Mapping[str, Limited]]] = {}


def _read_all(game: GameDefinition) -> Mapping[str, Limited]:
    rows = load_toml(game.package, "limited.toml", missing_ok=True).get("limited", [])
    modes = [_read(game, row) for row in rows]
    return {entry.mode: entry for entry in modes}


def _read(game: GameDefinition, row: Mapping[str, Any]) -> Limited:
    entry = Limited(**row)
    if entry.mode not in game.modes or entry.product not in game.products:
        raise BadData(f"{game.name}’s limited.toml names an unknown mode or product.")
    if not game.products[entry.product].random:
        raise BadData(f"{entry.product} holds no surprise: nothing can be drafted from it.")
    unknown = sorted(set(entry.basics) - set(game.catalog))
    if unknown:
        raise BadData(f"{game.name}’s limited.toml gives unknown cards: {', '.join(unknown)}.")
    if entry.pile < 1 or entry.draft % entry.pile or max(entry.sealed, entry.draft) > MAX_PACKS:
        raise BadData(f"{entry.mode}: packs are up to {MAX_PACKS}, in a draft whole piles.")
    game.modes[entry.mode].checked_options(entry.options)
    return entry


# -- drafting: who sits where, and which pile comes when ------------------------------------------


def pods_of(players: int, most: int) -> list[int]:
    """The sizes of pods for so many players: as few as possible, as equal as possible.

    >>> pods_of(17, 8)
    [6, 6, 5]
    """
    count = -(-players // most)
    return [players // count + (number < players % count) for number in range(count)]


def opener_of(seat: int, number: int, round_number: int, seats: int) -> int:
    """The seat that opened the pile which ``seat`` takes its pick ``number`` (from 1) out of.

    Piles go to the next seat (to the left) in odd rounds, to the one before in even ones.
    """
    step = 1 if round_number % 2 else -1
    return (seat - step * (number - 1)) % seats


def taker_of(opener: int, picks: int, round_number: int, seats: int) -> int:
    """The seat where a pile lies out of which so many picks were made."""
    step = 1 if round_number % 2 else -1
    return (opener + step * picks) % seats
