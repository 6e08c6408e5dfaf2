"""The record of a finished match with which anybody can check its chance.

``docs/fairness.md`` describes the record, ``docs/verify.py`` checks it without this package.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rules.engine.chance import commitment
from rules.engine.definition import GameDefinition
from rules.engine.match import Match

FORM = 1
"""Version of the record."""


def reading(game: GameDefinition) -> dict[str, Any]:
    """How a record of the game is read: the fields of its events, and what each draws."""
    kinds = game.events
    return {
        "begins": [name for name, kind in kinds.items() if kind.begins],
        "ends": [name for name, kind in kinds.items() if kind.ends],
        "events": {
            name: {"fields": list(kind.fields), "draws": list(kind.draws)}
            for name, kind in kinds.items()
        },
    }


def record(
    match: Match,
    *,
    rules_version: str,
    server_seed: bytes,
    client_seeds: Iterable[tuple[int, str]],
    events: Sequence[Sequence[Any]],
    moves: Sequence[str],
) -> dict[str, Any]:
    """The record of a finished match, as JSON-able data. It holds every secret of the match.

    ``rules_version`` is the one that it was played by. ``events`` are all of them in order, those
    of the preparation included, as ``rules.engine.events.event_to_json`` stores them; ``moves`` the
    answers in notation.
    Raises ``ValueError`` while the match runs.
    """
    if match.outcome is None:
        raise ValueError("The seed of a running match stays secret.")
    return {
        "riffle": FORM,
        "game": match.game.slug,
        "mode": match.mode.slug,
        "rules_version": rules_version,
        "seats": match.seats,
        "options": dict(match.options),
        "cards": [
            match.game.table.card_slug(match.state, card)
            for card in range(match.game.table.card_count(match.state))
        ],
        "commitment": commitment(server_seed),
        "server_seed": server_seed.hex(),
        "client_seeds": sorted([seat, text] for seat, text in client_seeds),
        "bytes": match.state.chance.position,
        "reading": reading(match.game),
        "events": [list(event) for event in events],
        "moves": list(moves),
    }
