"""Matches as the database keeps them: the start, the seats and the moves are the truth.

Everything else about a match (``state``, ``ply``, who is asked, the outcome) follows from these
and is stored beside them, so that a page needs no replay and a crash leaves nothing half-known.
"""

from accounts.models.moderation import ReportState
from matches.models.archive import MatchArchive
from matches.models.clock import MIN_WINDOW_MINUTES, MINUTES_PER_DAY, Heartbeat, OwnHours
from matches.models.hints import Hint
from matches.models.lobby import QuickQueue
from matches.models.lookback import LookBack, LookBackState
from matches.models.matches import (
    SECRETS,
    SLUG_LENGTH,
    Match,
    MoveQuerySet,
    MoveRow,
    Result,
    Seat,
    SeatKind,
    Source,
    Status,
    TimeControl,
    Timeout,
    Unrated,
    audience,
    new_seed,
    new_slug,
)
from matches.models.ratings import Ladder, Rating, RatingChange, Speed
from matches.models.series import Series, SeriesTerms
from matches.models.standing_orders import StandingOrder
from matches.models.talk import ChatLine, ChatMute, ChatRoom, Note, Report, TableVisit
from matches.models.tallies import PersonTally, SeatTally

__all__ = [
    "MINUTES_PER_DAY",
    "MIN_WINDOW_MINUTES",
    "SECRETS",
    "SLUG_LENGTH",
    "ChatLine",
    "ChatMute",
    "ChatRoom",
    "Heartbeat",
    "Hint",
    "Ladder",
    "LookBack",
    "LookBackState",
    "Match",
    "MatchArchive",
    "MoveQuerySet",
    "MoveRow",
    "Note",
    "OwnHours",
    "PersonTally",
    "QuickQueue",
    "Rating",
    "RatingChange",
    "Report",
    "ReportState",
    "Result",
    "Seat",
    "SeatKind",
    "SeatTally",
    "Series",
    "SeriesTerms",
    "Source",
    "Speed",
    "StandingOrder",
    "Status",
    "TableVisit",
    "TimeControl",
    "Timeout",
    "Unrated",
    "audience",
    "new_seed",
    "new_slug",
]
