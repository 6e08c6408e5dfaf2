"""The kinds of notifications, and how each is sent by default."""

from __future__ import annotations

from datetime import timedelta

from django.db import models


class Kind(models.TextChoices):
    """The subject of a notification; the labels are those of the settings page."""

    YOUR_TURN = "your_turn", "It is your turn"
    TIME_IS_RUNNING_OUT = "time_is_running_out", "Your time is running out"
    INVITATION = "invitation", "Invitations to tables"
    TABLE_BEGAN = "table_began", "Your match has started"
    TABLE_NEEDS_YOU = "table_needs_you", "A table needs your attention"
    MATCH_OVER = "match_over", "Your match is over"
    LOST_BY_TIME = "lost_by_time", "You lost on time"
    ORDER_DROPPED = "order_dropped", "An auto-answer or conditional move stopped"
    FRIEND = "friend", "Friend requests and replies"
    TRADE = "trade", "Trade offers and replies"
    DECK_CHECK = "deck_check", "Deck check results"
    TOURNAMENT = "tournament", "Tournaments: rounds, deadlines, results"
    CHAT = "chat", "Chat mentions"
    DECK_COMMENT = "deck_comment", "Comments on your decks, and mentions there"
    JOB_FINISHED = "job_finished", "Finished imports, PDFs and lab runs"
    REPORT = "report", "Reports to moderators"


TOLD_KINDS = (
    Kind.YOUR_TURN,
    Kind.TIME_IS_RUNNING_OUT,
    Kind.INVITATION,
    Kind.TABLE_BEGAN,
    Kind.TABLE_NEEDS_YOU,
    Kind.MATCH_OVER,
    Kind.LOST_BY_TIME,
    Kind.ORDER_DROPPED,
    Kind.CHAT,
    Kind.FRIEND,
    Kind.TRADE,
    Kind.DECK_CHECK,
    Kind.TOURNAMENT,
    Kind.DECK_COMMENT,
    Kind.JOB_FINISHED,
    Kind.REPORT,
)
"""Those that something owes: no setting stands on the page that would do nothing."""


def told_kinds(*, staff: bool) -> list[Kind]:
    """The kinds that a person may be told: reports go to the staff alone."""
    return [kind for kind in TOLD_KINDS if staff or kind != Kind.REPORT]


WAITING_KINDS = frozenset({Kind.YOUR_TURN, Kind.TABLE_BEGAN, Kind.MATCH_OVER, Kind.JOB_FINISHED})
"""They become due after the person's own pause, as the page may be in front of them; all others
are due at once. Whoever is told anything is told these, too, due or not: it is one message."""

PRESSING_KINDS = frozenset({Kind.TIME_IS_RUNNING_OUT, Kind.LOST_BY_TIME})
"""They are sent although nobody has come by since the last message: each comes only once."""

DEFAULT_PAUSE = timedelta(minutes=10)
LONGEST_PAUSE = timedelta(hours=24)
