"""Refusals: what was wrong, in a sentence, with the HTTP status that says the same.

Services and queries raise them; pages and the API only have to show them.
"""

from __future__ import annotations

from core import errors as errors_errors
from core.errors import Refusal


class MatchError(Refusal):
    """Something asked of a match that is refused; nothing was changed."""

    code = "refused"


class UnknownMatch(MatchError):
    """There is no such match."""

    status = 404
    title = "No such match"


class NoLesson(MatchError):
    """The game has no lesson."""

    status = 404
    title = "No lesson"


class UnknownMode(MatchError):
    """There is no such game, or it has no such mode."""

    status = 404
    title = "No such mode"


class UnknownRule(MatchError):
    """No game has a rule of that number."""

    status = 404
    title = "No such rule"


class NotAllowed(errors_errors.NotAllowed, MatchError):
    """This person may not do this here."""


class NotYourSeat(NotAllowed):
    """Somebody else is asked, or the person sits at no seat of this match."""

    title = "Not your seat"


class NotYourTable(NotAllowed):
    """Only the host of a table may do this."""

    title = "Not your table"


class Malformed(MatchError):
    """It cannot be read as a move at all."""

    status = 400
    title = "Not readable"


class NotPossible(MatchError):
    """A match cannot be set up like this."""

    status = 422
    title = "Not possible"


class IllegalDeck(NotPossible):
    """The deck may not be played in this mode: “problems” names each thing to mend."""

    title = "This deck is not legal"


class NotOffered(MatchError):
    """The move is none of the prompt's options."""

    status = 422
    title = "Not among the options"


class NotYet(NotOffered):
    """In a lesson another answer is meant now; the sentence says which."""

    title = "Not yet"


class Conflict(MatchError):
    """It would have been right at another moment."""

    status = 409
    title = "Not now"


class TooBusy(Conflict):
    """Others wrote to the match first, again and again. Send the same once more."""

    code = "conflict"


class TooManyMatches(Conflict):
    """So many matches are not over yet that no more can be set up; “limit” is the most."""

    title = "Too many matches at once"


class NotLate(Conflict):
    """There is no clock to which time could be given now."""

    title = "No time is needed"


class NoDaysLeft(Conflict):
    """More days away than are left of this year's; “left” says how many are."""

    title = "Not so many days"


class StalePrompt(Conflict):
    """The question is not asked (any more)."""

    title = "That question is no longer open"


class AlreadyAnswered(Conflict):
    """The question was answered before, with another move."""

    title = "Already answered"


class NothingToTakeBack(Conflict):
    """The last answer is somebody else's, or it drew chance or showed something."""

    title = "This stays as it is"


class NotForOrders(MatchError):
    """The question, or the answer, is none that a standing order could be given for."""

    status = 422
    title = "Not as a standing order"


class TooManyOrders(Conflict):
    """More standing orders at one table than anybody keeps in mind."""

    title = "Too many standing orders"


class NothingOffered(Conflict):
    """Nobody offers what was answered (any more)."""

    title = "No such offer"


class NotRunning(Conflict):
    """The match has not started, or is over."""

    title = "The match is not running"


class NotOpen(Conflict):
    """No seat can be taken or left."""

    title = "No free seat"


class NotInvited(Conflict):
    """No seat is kept for this person (any more)."""

    title = "No invitation"


class NotFinished(Conflict):
    """Only a finished match shows this."""

    title = "Not finished yet"


class RulesChanged(Conflict):
    """The stored match does not fit the rules as they are now."""

    title = "The rules have changed"


class UnknownLine(MatchError):
    """There is no such line in the chat, or nobody may read it any more."""

    status = 404
    title = "No such message"
