"""All writes to matches: one function a use case, one transaction each; a module a subject."""

from matches.services.away import come_back, go_away, guess_zone, set_hours
from matches.services.bots import run_bots, stalled_bots
from matches.services.cancelling import cancel_match
from matches.services.clock import give_time, overdue, run_clock, take_seat_back
from matches.services.heartbeat import beat
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
    "beat",
    "cancel_match",
    "checked_client_seed",
    "come_back",
    "concede",
    "create_match",
    "first_difference",
    "give_time",
    "go_away",
    "guess_zone",
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
    "set_hours",
    "stalled_bots",
    "take_seat_back",
]
