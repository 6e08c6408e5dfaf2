"""All writes to matches: one function a use case, one transaction each; a module a subject."""

from matches.services.again import NewSeats, rematch
from matches.services.away import come_back, go_away, guess_zone, set_hours
from matches.services.bots import run_bots, stalled_bots
from matches.services.cancelling import cancel_match
from matches.services.clock import give_time, overdue, run_clock, take_seat_back
from matches.services.drawing import agree_on_draw
from matches.services.going_back import go_back
from matches.services.heartbeat import beat
from matches.services.invitations import (
    accept_invitation,
    decline_invitation,
    invite,
    take_back_invitation,
)
from matches.services.lessons import learn
from matches.services.merging import merge_guest
from matches.services.open_tables import (
    expire,
    fill_seat,
    fill_with_bots,
    list_table,
    sweep_open_tables,
)
from matches.services.orders import cancel_orders, give_order
from matches.services.play import concede, play_move, play_moves
from matches.services.quick import quick_match
from matches.services.record import Played
from matches.services.repair import Difference, first_difference, rebuild_snapshot
from matches.services.setup import (
    SeatPlan,
    checked_client_seed,
    create_match,
    join_match,
    leave_match,
)
from matches.services.taking_back import take_back

__all__ = [
    "Difference",
    "NewSeats",
    "Played",
    "SeatPlan",
    "accept_invitation",
    "agree_on_draw",
    "beat",
    "cancel_match",
    "cancel_orders",
    "checked_client_seed",
    "come_back",
    "concede",
    "create_match",
    "decline_invitation",
    "expire",
    "fill_seat",
    "fill_with_bots",
    "first_difference",
    "give_order",
    "give_time",
    "go_away",
    "go_back",
    "guess_zone",
    "invite",
    "join_match",
    "learn",
    "leave_match",
    "list_table",
    "merge_guest",
    "overdue",
    "play_move",
    "play_moves",
    "quick_match",
    "rebuild_snapshot",
    "rematch",
    "run_bots",
    "run_clock",
    "set_hours",
    "stalled_bots",
    "sweep_open_tables",
    "take_back",
    "take_back_invitation",
    "take_seat_back",
]
