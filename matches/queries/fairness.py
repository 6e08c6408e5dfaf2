"""Seeds, and the record of a finished match that ``docs/verify.py`` reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from matches import engine
from matches.errors import NotPossible
from matches.models import Match
from matches.moves import moves_of, opening_of
from matches.queries.access import require_finished
from rules.engine.fairness import record


@dataclass(frozen=True, slots=True)
class Fairness:
    """The data to verify the randomness of a match.

    Seeds, decks and moves are None until it is over: they would tell what lies hidden. A match
    that was cancelled shows its seeds alone.
    """

    commitment: str
    client_seeds: list[tuple[int, str]]
    server_seed: str | None
    match_seed: str | None
    rules_version: str
    options: dict[str, Any]
    decks: list[Any] | None
    moves: list[tuple[int, int, str]] | None


def fairness(match: Match) -> Fairness:
    """The fairness data of a match: at first the commitment, at the end everything."""
    seats = list(match.seats.all())
    seeds_public, finished = match.seeds_public, match.finished
    return Fairness(
        commitment=match.commitment,
        client_seeds=engine.client_seeds(seats),
        server_seed=bytes(match.server_seed).hex() if seeds_public else None,
        match_seed=engine.match_seed(match, seats).hex() if seeds_public else None,
        rules_version=match.rules_version,
        options=match.options,
        decks=engine.decks_of(match, seats) if finished else None,
        moves=[(row.ply, row.seat, row.notation) for row in moves_of(match, events=False)]
        if finished
        else None,
    )


def fairness_record(match: Match) -> dict[str, Any]:
    """The record of a finished match that ``docs/verify.py`` reads; ``NotFinished`` before."""
    require_finished(match, "The record of a match is available after it.")
    if match.initial_position is not None:
        raise NotPossible("This match began from a prepared position, so its record is incomplete.")
    seats = list(match.seats.all())
    rows = moves_of(match)
    gone = engine.plies_taken_back(rows)
    moves = [row for row in rows if row.ply not in gone]
    events = [event for row in moves for event in row.events]
    return record(
        engine.load(match),
        rules_version=match.rules_version,
        server_seed=bytes(match.server_seed),
        client_seeds=engine.client_seeds(seats),
        events=[*opening_of(match), *events],
        moves=[row.notation for row in moves if row.move is not None],
    )
