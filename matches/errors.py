"""Refusals, each with an HTTP status; their message says what is wrong and what to do.

Services and queries raise them; pages and the API show them.
"""

from __future__ import annotations

from core import errors as errors_errors
from core.errors import Refusal


class MatchError(Refusal):
    """A refused request to a match; nothing was changed."""

    code = "refused"


class UnknownMatch(MatchError):
    """The match does not exist."""

    status = 404
    title = "Match not found"


class NoLesson(MatchError):
    """The game has no lesson."""

    status = 404
    title = "No tutorial"


class UnknownMode(MatchError):
    """The game or its mode does not exist."""

    status = 404
    title = "Mode not found"


class UnknownRule(MatchError):
    """No game has a rule with this ID."""

    status = 404
    title = "Rule not found"


class NotAllowed(errors_errors.NotAllowed, MatchError):
    """The person lacks the permission for this."""


class NotYourSeat(NotAllowed):
    """It is another seat's turn, or the person is not a player of the match."""

    title = "Not your seat"


class NotYourTable(NotAllowed):
    """Only the host of a table may do this."""

    title = "Not your table"


class Malformed(MatchError):
    """The input can't be parsed, or is empty."""

    status = 400
    title = "Malformed input"


class NotPossible(MatchError):
    """Invalid setup of a match, or another value that is not possible."""

    status = 422
    title = "Not possible"


class IllegalDeck(NotPossible):
    """The deck is not legal in this mode; “problems” lists everything to fix."""

    title = "This deck is not legal"


class NotOffered(MatchError):
    """The move is not one of the prompt's options."""

    status = 422
    title = "Illegal move"


class NotYet(NotOffered):
    """A tutorial expects another answer now; the message says which."""

    title = "Not yet"


class Conflict(MatchError):
    """The request doesn't fit the current state."""

    status = 409
    title = "Not now"


class TooBusy(Conflict):
    """Other writers were faster, again and again. Repeat the request."""

    code = "conflict"


class TooManyMatches(Conflict):
    """The host has too many unfinished matches; “limit” is the maximum."""

    title = "Too many matches"


class NotLate(Conflict):
    """No opponent's clock needs time now."""

    title = "No time needed"


class NoDaysLeft(Conflict):
    """Not enough vacation days are left this year; “left” is their number."""

    title = "Not enough vacation days"


class StalePrompt(Conflict):
    """The prompt is not open."""

    title = "Prompt no longer open"


class AlreadyAnswered(Conflict):
    """The prompt was already answered with another move."""

    title = "Already answered"


class NothingToTakeBack(Conflict):
    """The last answer is another player's, or it revealed something random or hidden."""

    title = "Cannot be undone"


class NotForOrders(MatchError):
    """The prompt or the answer does not allow a standing order."""

    status = 422
    title = "No auto-answer possible"


class TooManyOrders(Conflict):
    """The seat has reached its limit of standing orders."""

    title = "Too many auto-answers"


class NothingOffered(Conflict):
    """The offer is not open."""

    title = "Offer no longer open"


class NotRunning(Conflict):
    """The match has not started, or is over."""

    title = "Match not running"


class NotOpen(Conflict):
    """No seat can be taken or left now."""

    title = "No free seat"


class NotInvited(Conflict):
    """The person has no open invitation."""

    title = "No invitation"


class NotFinished(Conflict):
    """This is only available for finished matches."""

    title = "Not finished yet"


class RulesChanged(Conflict):
    """The stored match does not fit the current rules."""

    title = "Rules changed"


class UnknownLine(MatchError):
    """The chat message does not exist, or is hidden."""

    status = 404
    title = "Message not found"


class NoHints(NotAllowed):
    """Hints are only for tables against bots."""

    title = "No hints here"


class TooManyHints(MatchError):
    """The person has asked for many hints or look backs within a short time."""

    status = 429
    title = "One moment, please"
    retry_after = 10 * 60


class HeldBack(Conflict):
    """A look back at this match would help somebody who still plays."""

    title = "Not yet"
