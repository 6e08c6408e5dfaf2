"""All writes to matches: one function a use case, one transaction each; a module a subject."""

from matches.services.bots import run_bots, stalled_bots
from matches.services.clock import overdue, run_clock
from matches.services.merging import merge_guest
from matches.services.play import concede, play_move, play_moves
from matches.services.record import Played
from matches.services.repair import Difference, first_difference, rebuild_snapshot
from matches.services.setup import (
    SeatPlan,
    checked_client_seed,
    create_match,
    join_match,
    leave_match,
    rematch,
)

__all__ = [
    "Difference",
    "Played",
    "SeatPlan",
    "checked_client_seed",
    "concede",
    "create_match",
    "first_difference",
    "join_match",
    "leave_match",
    "merge_guest",
    "overdue",
    "play_move",
    "play_moves",
    "rebuild_snapshot",
    "rematch",
    "run_bots",
    "run_clock",
    "stalled_bots",
]
