"""Checking stored matches against the current rules, and rebuilding their snapshots."""

from __future__ import annotations

from dataclasses import dataclass

from matches import engine
from matches.errors import MatchError, RulesChanged
from matches.models import Match, MoveRow
from matches.moves import moves_of, opening_of, state_of
from matches.services import store_ply
from matches.services.writing import compare_and_swap, one_write, read_match, retried
from rules.engine.errors import BadData, IllegalMove


@dataclass(frozen=True, slots=True)
class Difference:
    """The first ply at which a replay of a match differs from what is stored."""

    slug: str
    ply: int
    detail: str


def first_difference(match: Match) -> Difference | None:
    """Replay a stored match by the current rules; the first difference, or None."""
    seats = list(match.seats.all())
    try:
        replay = engine.Replay(match, seats, engine.take_backs(match))
        if engine.store_events(replay.table.opening) != opening_of(match):
            return Difference(match.slug, 0, "the start has other events")
        for row in moves_of(match):
            if row.prompt is not None:
                prompt = replay.table.prompts.get(row.seat)
                if prompt is None or prompt.id != row.prompt:
                    return Difference(match.slug, row.ply, f"prompt {row.prompt} is not open")
            events = engine.store_events(replay.play(row.seat, row.move))
            if engine.back_to(row.move) is None and events != row.events:
                return Difference(match.slug, row.ply, f"“{row.notation}” has other events")
    except (MatchError, BadData, IllegalMove, ValueError) as error:
        ply = 0 if "row" not in locals() else row.ply
        return Difference(match.slug, ply, str(error))
    if engine.snapshot(replay.table) != state_of(match):
        return Difference(match.slug, match.ply, "the stored snapshot differs")
    return None


@retried
def rebuild_snapshot(*, match: Match) -> bool:
    """Rebuild the snapshot and who each move is hidden from; True if anything changed.

    Raises ``RulesChanged`` if a replay would end at another ply.
    """
    match = read_match(match.slug)
    seats = list(match.seats.all())
    rows = list(match.moves.defer("events").order_by("ply"))
    table, masks = engine.replay_with_masks(match, seats, [(row.seat, row.move) for row in rows])
    counts: list[int] = []
    changed = []
    for row, mask in zip(rows, masks, strict=True):
        if mask:
            counts = store_ply.with_hidden_ply(counts, mask, len(seats))
        if row.hidden_from != mask:
            row.hidden_from = mask
            changed.append(row)
    stored: object = match.state
    if engine.snapshot(table) == stored and counts == match.hidden_plies and not changed:
        return False
    if (table.outcome is None) != (match.outcome is None):
        raise RulesChanged("A replay of this match would end at another move.")
    with one_write():
        compare_and_swap(match, state=engine.snapshot(table), hidden_plies=counts)
        MoveRow.objects.bulk_update(changed, ("hidden_from",), batch_size=200)
        match.hidden_plies = counts  # as the bell says it
        store_ply.announce(match, seats)
    return True
